"""From a context to an answer: HTML or its JSON twin, with validators.

A page's context is a frozen dataclass that holds only what may be shown; the JSON twin is that
very dataclass, so neither can say more than the other. A route registered with `route` answers at
its address and at the address with ``.json`` after it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import orjson
from flask import Blueprint, Response, current_app, g, render_template, request

from arena.site.urls import Urls

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    class Context(DataclassInstance, Protocol):
        """What a page shows. ``template`` renders it as ``page``."""

        template: ClassVar[str]


JSON_OPTIONS = orjson.OPT_NON_STR_KEYS | orjson.OPT_APPEND_NEWLINE


def route(
    blueprint: Blueprint, rule: str, *, twin: str | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a page and its JSON twin."""

    def register(view: Callable[..., Any]) -> Callable[..., Any]:
        blueprint.add_url_rule(rule, view.__name__, view)
        blueprint.add_url_rule(twin or f"{rule}.json", view.__name__, view)
        return view

    return register


def urls() -> Urls:
    """The builder of addresses."""
    found: Urls = current_app.config["URLS"]
    return found


def wants_json() -> bool:
    """Whether this request asks for the JSON twin."""
    return request.path.endswith(".json")


def json_answer(value: object, status: int = 200) -> Response:
    """A JSON answer; NaN and infinities become null."""
    return Response(
        orjson.dumps(value, option=JSON_OPTIONS), status=status, mimetype="application/json"
    )


def page(context: Context) -> Response:
    """The answer that shows this context, or 304 when the reader has it already."""
    if wants_json():
        body = b'{"ok":true,' + orjson.dumps(context, option=JSON_OPTIONS)[1:]
        response = Response(body, mimetype="application/json")
    else:
        response = Response(render_template(context.template, page=context), mimetype="text/html")
    return validated(response)


def validated(response: Response) -> Response:
    """Add the entity tag of the body and honour ``If-None-Match``."""
    tag = getattr(g, "stamp", None) or hashlib.sha256(response.get_data()).hexdigest()[:24]
    response.set_etag(tag)
    response.headers["Vary"] = "Cookie"
    return response.make_conditional(request)


def unchanged(stamp: str) -> Response | None:
    """304 when the reader's copy carries this stamp; else None, and the answer will carry it.

    ``stamp`` must change whenever the page could. Who asks and how is added here.
    """
    build = current_app.config["BUILD"]
    viewer = getattr(g, "viewer_stamp", "")
    text = "|".join((build, viewer, request.full_path, stamp))
    g.stamp = hashlib.sha256(text.encode()).hexdigest()[:24]
    if request.if_none_match.contains(g.stamp):
        response = Response(status=304)
        response.set_etag(g.stamp)
        response.headers["Vary"] = "Cookie"
        return response
    return None
