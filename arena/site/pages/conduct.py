"""How the bots of a tournament answered: faults, late answers, times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response

from arena.site.http.reading import store
from arena.site.http.respond import page, route, urls
from arena.site.pages.common import snapshot_at, unchanged
from arena.site.views.parts import Head, Named, bot, snapshot_head
from arena.site.views.snapshot import Snapshot
from arena.store.raw import Raw
from arena.store.rows import FixtureStatus
from arena.tournament.conduct import Conduct, conduct_in, share_of

blueprint = Blueprint("conduct", __name__)

MOST = 500
"""Matches that are looked at: a hand costs about 10 µs."""

TIMED_HANDS = 250
"""About so many hands are played again for their times: one costs a third of a millisecond."""

BEGUN = (FixtureStatus.PLAYING, FixtureStatus.FINISHED)


@dataclass(frozen=True, slots=True)
class ConductLine:
    """How a bot answered, with the names of `arena standings --json`. Shares are of its decisions.

    ``faults_by_code``: the commonest first. Times are None where no decision was timed.
    """

    bot: Named
    decisions: int
    faults: int
    fault_share: float | None
    faults_by_code: Mapping[str, int]
    late: int
    late_share: float | None
    latency_p50_ms: int | None
    latency_p95_ms: int | None


@dataclass(frozen=True, slots=True)
class ConductPage:
    """Every bot, those with the most faults for their decisions first, then the latest.

    ``last``: of how many matches, the newest, where not all are looked at. ``deadline_ms``: of a
    decision.
    """

    template: ClassVar[str] = "conduct.html"
    live: ClassVar[Mapping[str, str]] = {"head": "_head.html"}
    section: ClassVar[str] = "conduct"
    head: Head
    lines: tuple[ConductLine, ...]
    last: int | None
    deadline_ms: int | None


@route(blueprint, "/t/<slug:slug>/conduct")
def conduct(slug: str) -> Response:
    """How every bot of a tournament answered."""
    snapshot = snapshot_at(slug)
    same = unchanged(snapshot.stamp)
    if same is not None:
        return same
    begun = [row for row in snapshot.fixtures if row.status in BEGUN]
    looked_at, raw = begun[-MOST:], Raw(store())
    step = 1 + sum(row.hands or 0 for row in looked_at) // TIMED_HANDS
    found = conduct_in(snapshot.names, ((row, raw.hands(row.id)) for row in looked_at), step)
    lines = [_line(snapshot, row.entrant, found[row.entrant]) for row in snapshot.known.rows]
    lines.sort(key=lambda line: (-(line.fault_share or 0), -(line.late_share or 0)))
    return page(
        ConductPage(
            head=snapshot_head(urls(), snapshot),
            lines=tuple(lines),
            last=MOST if len(begun) > MOST else None,
            deadline_ms=(snapshot.tournament.config.get("clock") or {}).get("deadline_ms"),
        )
    )


def _line(snapshot: Snapshot, entrant: int, one: Conduct) -> ConductLine:
    faults = one.faults.total()
    return ConductLine(
        bot=bot(urls(), snapshot, entrant),
        decisions=one.decisions,
        faults=faults,
        fault_share=share_of(faults, one.decisions),
        faults_by_code=dict(one.faults.most_common()),
        late=one.late,
        late_share=share_of(one.late, one.decisions),
        latency_p50_ms=one.quantile_ms(0.5),
        latency_p95_ms=one.quantile_ms(0.95),
    )
