"""From a context to an answer: HTML or its JSON twin, with validators.

A page's context is a frozen dataclass that holds only what may be shown; the JSON twin is that
very dataclass, so neither can say more than the other. A route registered with `route` answers at
its address and at the address with ``.json`` after it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import orjson
from flask import Blueprint, Response, current_app, g, render_template, request

from arena.site.http.page_cache import PageCache
from arena.site.urls import Urls

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    class Context(DataclassInstance, Protocol):
        """What a page shows. ``template`` renders it as ``page``.

        A page that changes while one looks at it has a ClassVar ``live`` too: its live regions,
        each with the partial template that renders it.
        """

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
    live: Mapping[str, str] = getattr(context, "live", {})
    if live and "live" in request.args:
        return validated(regions(context, live))
    if wants_json():
        body = b'{"ok":true,' + orjson.dumps(context, option=JSON_OPTIONS)[1:]
        response = Response(body, mimetype="application/json")
    else:
        response = Response(render_template(context.template, page=context), mimetype="text/html")
    return validated(response)


def regions(context: Context, live: Mapping[str, str]) -> Response:
    """The live regions of a page as HTML, for pages that stay current."""
    rendered = {name: render_template(partial, page=context) for name, partial in live.items()}
    return json_answer({"ok": True, "tag": g.get("live_tag", ""), "regions": rendered})


def validated(response: Response) -> Response:
    """Add the entity tag of the body and honour ``If-None-Match``."""
    tag = getattr(g, "stamp", None) or hashlib.sha256(response.get_data()).hexdigest()[:24]
    response.set_etag(tag)
    key = g.pop("page_key", None)
    if key is not None and response.status_code == 200:
        cache: PageCache = current_app.config["PAGES"]
        cache.put(key, response.get_data(), response.content_type)
    response.make_conditional(request)
    return response


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def unchanged(stamp: str) -> Response | None:
    """The answer if there is one already: 304 when the reader's copy carries this stamp, or the
    page as it was made for another reader. Else None, and the answer will carry the stamp.

    ``stamp`` must change whenever the page could. Who asks and how is added here; live regions are
    the same for everybody.
    """
    query = sorted((name, value) for name, value in request.args.items(True) if name != "live")
    public = f"{current_app.config['BUILD']}|{request.path}|{query}|{stamp}"
    g.live_tag = _digest(public)
    viewer = "" if "live" in request.args else getattr(g, "viewer_stamp", "")
    g.stamp = _digest(f"{public}|{viewer}") if viewer else g.live_tag
    if request.if_none_match.contains(g.stamp):
        response = Response(status=304)
        response.set_etag(g.stamp)
        return response
    if viewer:
        return None
    key = f"{g.stamp}|{'live' in request.args}"
    cache: PageCache = current_app.config["PAGES"]
    kept = cache.get(key)
    if kept is None:
        g.page_key = key
        return None
    body, kind = kept
    response = Response(body, content_type=kind)
    response.set_etag(g.stamp)
    return response
