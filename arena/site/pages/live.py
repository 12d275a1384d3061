"""Where spectators connect to the event stream of a page.

The stream needs the arena's own server. Under any other WSGI server, and when it is full, the
answer is 503 and pages ask for their live regions now and then instead (``?live=1``).
"""

from __future__ import annotations

import re

from flask import Blueprint, Response, abort, current_app, request

from arena.site.events import Hub
from arena.site.http.limits import sender
from arena.site.http.respond import urls
from arena.site.http.takeover import KEY, TakeOver

blueprint = Blueprint("live", __name__)

MAX_TOPIC = 300
LIVE_ENDPOINTS = frozenset(
    {
        "bot.bot",
        "bots.at_game",
        "bots.bots",
        "home.home",
        "tournament.overview",
        "tournament.crosstable",
        "strength.strength",
        "schedule.schedule",
        "bracket.bracket",
        "match.match",
    }
)
_PART = "[a-z]+=[a-z0-9]{0,12}"
TOPIC = re.compile(r"(?P<path>/|(?:/[A-Za-z0-9_-]+)+)" rf"(?:\?(?P<query>{_PART}(?:&{_PART})*))?")
"""An address as the site itself writes it: no fragment, nothing encoded, no second spelling."""
LIVE_QUERIES = frozenset({"page", "only", "row", "column", "bot", "against"})


@blueprint.get("/events")
def events() -> Response:
    """The event stream of the page named by the query: ``page``, and the ``tag`` it shows."""
    topic = request.args.get("page", "")
    tag = request.args.get("tag", "")[:64]
    if not topic.startswith("/") or topic.startswith("//") or len(topic) > MAX_TOPIC:
        abort(400, "page: give the path of a page of this site.")
    hub: Hub | None = current_app.config.get("HUB")
    take_over: TakeOver | None = request.environ.get(KEY)
    client = sender()
    if hub is None or take_over is None or not hub.has_room(topic, client):
        return _not_now()
    if not is_live(topic):
        abort(404, "This page has no live regions.")
    if not hub.shows(topic):
        status = _status_of(topic)
        if status >= 500:
            return _not_now()
        if status != 200:
            abort(404, "There is no page at this address.")
    hub.adopt(take_over(), topic, tag, client)
    return Response()


def _not_now() -> Response:
    return Response(status=503, headers={"Retry-After": "30"})


def _status_of(topic: str) -> int:
    """How a page that nobody watches yet answers, so that the hub holds none that is not there."""
    joint = "&" if "?" in topic else "?"
    return current_app.test_client().get(f"{topic}{joint}live=1").status_code


def is_live(topic: str) -> bool:
    """Whether this is the address of a page that can change while one looks at it."""
    found = TOPIC.fullmatch(topic)
    if found is None:
        return False
    root = urls().root
    path = found["path"].removeprefix(root) or "/"
    names = [part.partition("=")[0] for part in (found["query"] or "").split("&") if part]
    if len(set(names)) < len(names) or not LIVE_QUERIES.issuperset(names):
        return False
    adapter = current_app.url_map.bind("")
    if not adapter.test(path, method="GET"):
        return False
    endpoint, _ = adapter.match(path, method="GET")
    return endpoint in LIVE_ENDPOINTS
