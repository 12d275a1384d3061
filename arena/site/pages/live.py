"""Where spectators connect to the event stream of a page.

The stream needs the arena's own server. Under any other WSGI server, and when it is full, the
answer is 503 and pages ask for their live regions now and then instead (``?live=1``).
"""

from __future__ import annotations

from flask import Blueprint, Response, abort, current_app, request

from arena.site.events import Hub
from arena.site.respond import urls
from arena.site.takeover import KEY, TakeOver

blueprint = Blueprint("live", __name__)

MAX_TOPIC = 300


@blueprint.get("/events")
def events() -> Response:
    """The event stream of the page named by the query: ``page``, and the ``tag`` it shows."""
    topic = request.args.get("page", "")
    tag = request.args.get("tag", "")[:64]
    if not topic.startswith("/") or topic.startswith("//") or len(topic) > MAX_TOPIC:
        abort(400, "page: give the path of a page of this site.")
    hub: Hub | None = current_app.config.get("HUB")
    take_over: TakeOver | None = request.environ.get(KEY)
    if hub is None or take_over is None or not hub.has_room(topic):
        answer = Response(status=503, headers={"Retry-After": "30"})
        return answer
    if not is_live(topic):
        abort(404, "This page has no live regions.")
    hub.adopt(take_over(), topic, tag)
    return Response()


def is_live(topic: str) -> bool:
    """Whether this is the address of a page that can change while one looks at it."""
    adapter = current_app.url_map.bind("")
    path, _, query = topic.partition("?")
    path = path.removeprefix(urls().root) or "/"
    endpoint = adapter.test(path, method="GET") and adapter.match(path, method="GET")[0]
    known = all(part.partition("=")[0] in LIVE_QUERIES for part in query.split("&") if part)
    return known and endpoint in LIVE_ENDPOINTS


LIVE_ENDPOINTS = frozenset(
    {
        "home.home",
        "tournament.overview",
        "tournament.crosstable",
        "strength.strength",
        "tournament.schedule",
        "bracket.bracket",
        "match.match",
    }
)
LIVE_QUERIES = frozenset({"page", "only", "row", "column"})
