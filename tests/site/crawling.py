"""Walks the site by its links, as a reader would."""

from __future__ import annotations

import re
from html import unescape

from flask.testing import FlaskClient

LINK = re.compile(r'\b(?:href|src)="([^"]*)"')
MOST = 1000


def links(html: str) -> list[str]:
    """The addresses that a page leads to, without fragments."""
    return [unescape(found).split("#")[0] for found in LINK.findall(html)]


def crawl(client: FlaskClient, *, starts: tuple[str, ...] = ("/",)) -> dict[str, str]:
    """Every address that can be reached by GET from the start, with its body.

    Of many pages of one kind only some are visited.
    """
    bodies: dict[str, str] = {}
    kinds: dict[str, int] = {}
    waiting = list(starts)
    while waiting and len(bodies) < MOST:
        address = waiting.pop(0)
        if address in bodies:
            continue
        kind = re.sub(r"[0-9]+|m_[a-z2-7]+", "N", address.split("?")[0])
        kinds[kind] = kinds.get(kind, 0) + 1
        if kinds[kind] > 6:
            continue
        answer = client.get(address)
        body = answer.get_data(as_text=True) if "svg" not in (answer.mimetype or "") else ""
        assert answer.status_code in (200, 401, 503), (address, answer.status_code)
        bodies[address] = body
        if answer.mimetype == "text/html":
            waiting += [one for one in links(body) if one.startswith("/") and one not in bodies]
    return bodies


def match_of(client: FlaskClient, slug: str) -> str:
    """A finished match of a tournament."""
    schedule = client.get(f"/t/{slug}/schedule.json?only=finished").get_json()
    return str(schedule["rounds"][0]["matches"][0]["url"])
