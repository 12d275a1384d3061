"""The hands of a tournament that are worth a look, of those whose cards may be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response

from arena.site.hands.notable import Notable, notable
from arena.site.http.reading import pages
from arena.site.http.respond import page, route, urls
from arena.site.pages.common import snapshot_at, unchanged
from arena.site.views.parts import Head, Named, bot, snapshot_head
from arena.site.views.snapshot import Snapshot
from arena.store.rows import FixtureRow, FixtureStatus

blueprint = Blueprint("notable", __name__)

MOST = 2_000
"""Matches that are looked at: a hand costs about 15 µs."""

OPEN = (FixtureStatus.PENDING, FixtureStatus.PLAYING)


@dataclass(frozen=True, slots=True)
class NotableLine:
    """A hand with what it is noted for. ``of``: who did it, None where nobody won."""

    title: str
    what: str
    of: Named | None
    players: tuple[str, ...]
    label: str
    game: int
    number: int
    url: str


@dataclass(frozen=True, slots=True)
class NotablePage:
    """Notable hands, one for each thing that a hand can be noted for.

    ``last``: of how many matches, the newest, where not all are looked at. They are looked for when
    the page is loaded and not with every result.
    """

    template: ClassVar[str] = "notable.html"
    live: ClassVar[Mapping[str, str]] = {"head": "_head.html"}
    section: ClassVar[str] = "notable"
    head: Head
    hands: tuple[NotableLine, ...]
    last: int | None


@route(blueprint, "/t/<slug:slug>/notable")
def notable_hands(slug: str) -> Response:
    """The notable hands of a tournament."""
    snapshot = snapshot_at(slug)
    same = unchanged(snapshot.stamp)
    if same is not None:
        return same
    shown = _shown(snapshot)
    first = sorted(row.position for row in shown.values())[-MOST:][:1] or [0]
    last = MOST if len(shown) > MOST else None
    hands = [
        hand
        for hand in pages().hand_facts(snapshot.tournament.id, *first)
        if hand.fixture_id in shown
    ]
    return page(
        NotablePage(
            head=snapshot_head(urls(), snapshot),
            hands=tuple(_line(snapshot, shown[one.hand.fixture_id], one) for one in notable(hands)),
            last=last,
        )
    )


def _shown(snapshot: Snapshot) -> dict[str, FixtureRow]:
    """Finished matches whose deals nobody will be dealt again."""
    ahead = set()
    if not snapshot.tournament.over:
        ahead = {(row.deal_key, row.replay) for row in snapshot.fixtures if row.status in OPEN}
    return {
        row.id: row
        for row in snapshot.fixtures
        if row.status is FixtureStatus.FINISHED and (row.deal_key, row.replay) not in ahead
    }


def _line(snapshot: Snapshot, row: FixtureRow, one: Notable) -> NotableLine:
    hand = one.hand
    return NotableLine(
        title=one.title,
        what=one.what,
        of=None if one.winner is None else bot(urls(), snapshot, row.seats[one.winner]),
        players=tuple(snapshot.names[entrant] for entrant in row.seats),
        label=row.label,
        game=hand.game,
        number=hand.number,
        url=urls().hand(snapshot.tournament.slug, row.id, hand.game, hand.number),
    )
