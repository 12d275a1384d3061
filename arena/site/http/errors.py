"""One error shape for every failure, as a page for people and as JSON for programs.

``{"ok": false, "status": 404, "error": "…"}``. Texts never hold a path of the server, an endpoint
or a secret; what went wrong inside goes to the log under a short reference.
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from http import HTTPStatus
from typing import ClassVar

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

from arena.errors import ConfigError, DamagedError, StoreError
from arena.site.http.respond import json_answer

log = logging.getLogger("arena.site")

TEXTS = {
    400: "The request could not be understood.",
    401: "This needs a token. Sign in first.",
    403: "This is not yours to change.",
    404: "There is nothing at this address.",
    405: "This address does not take that method.",
    413: "That is more than this address accepts.",
    415: "This address takes forms and JSON only.",
    429: "Too many attempts. Wait a minute, then try again.",
}


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """What an error page shows."""

    template: ClassVar[str] = "error.html"
    status: int
    title: str
    error: str


def is_for_programs() -> bool:
    """Whether the asker wants JSON: by the address, the content sent, or the Accept header.

    Browsers say that they want HTML; what sends something and does not is a program.
    """
    if request.path.endswith(".json") or request.path.startswith("/api/") or request.is_json:
        return True
    accept = request.headers.get("Accept", "")
    if request.method not in ("GET", "HEAD"):
        return "text/html" not in accept
    return "application/json" in accept and "text/html" not in accept


def failure(status: int, text: str) -> Response:
    """The answer for this status and text."""
    title = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Error"
    if is_for_programs():
        return json_answer({"ok": False, "status": status, "error": text}, status)
    context = ErrorPage(status, title, text)
    return Response(render_template(context.template, page=context), status, mimetype="text/html")


def refused(error: StoreError) -> Response:
    """The answer to what makes no sense in the state that a tournament is in."""
    return failure(409, str(error))


def on_http(error: HTTPException) -> Response:
    """Errors with a status: unknown address, wrong method, too large…"""
    status = error.code or 500
    if 300 <= status < 400:
        location = error.get_response(request.environ).headers.get("Location", "")
        return Response(status=status, headers={"Location": location})
    standard = type(error).description
    given = error.description if error.description != standard else None
    answer = failure(status, given or TEXTS.get(status, HTTPStatus(status).phrase))
    allowed = getattr(error, "valid_methods", None)
    if allowed:
        answer.headers["Allow"] = ", ".join(sorted(allowed))
    wait = getattr(error, "retry_after", None)
    if wait:
        answer.headers["Retry-After"] = str(wait)
    return answer


def on_store(error: StoreError) -> Response:
    """The database is missing or cannot be read at present."""
    log.warning("database not readable: %s", error)
    answer = failure(503, "The arena's database cannot be read at present. Try again shortly.")
    answer.headers["Retry-After"] = "5"
    return answer


def on_damage(error: DamagedError) -> Response:
    """What is stored of a tournament contradicts itself: the text says where."""
    log.error("%s: %s", request.path, error)
    return failure(500, str(error))


def on_input(error: ConfigError) -> Response:
    """What was sent cannot be used; the text names the field and the fix."""
    return failure(422, str(error))


def on_bug(error: Exception) -> Response:
    """Anything else is our fault: logged under a reference that the reader can quote."""
    reference = secrets.token_hex(4)
    log.exception("reference %s: %s %s", reference, request.method, request.path, exc_info=error)
    return failure(500, f"Something went wrong here, reference {reference}. It has been logged.")


def init_app(app: Flask) -> None:
    """Register the handlers."""
    app.register_error_handler(HTTPException, on_http)
    app.register_error_handler(StoreError, on_store)
    app.register_error_handler(DamagedError, on_damage)
    app.register_error_handler(ConfigError, on_input)
    app.register_error_handler(Exception, on_bug)
