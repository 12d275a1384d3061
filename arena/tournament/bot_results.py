"""What bots have played of a game in all tournaments, whatever their version.

Part of the I/O edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from arena.fixture import FixtureResult
from arena.store import Store
from arena.store.pages import Entry, Pages
from arena.store.rows import EntrantState, FixtureRow, TournamentRow


@dataclass(frozen=True, slots=True)
class Played:
    """The matches of a tournament. ``entries``: who its entrants are, by number.

    ``results``: with bots for entrants, in stages that no other tournament has; those that somebody
    disqualified has played count for nobody and are left out.
    """

    tournament: TournamentRow
    entries: dict[int, Entry]
    results: list[tuple[FixtureRow, FixtureResult]]


def played_of(store: Store, variant: str) -> Iterator[Played]:
    """Every tournament of a game, the oldest last as in the store."""
    pages = Pages(store)
    for row in store.tournaments.all():
        if row.variant != variant:
            continue
        entries = pages.versions(row.id)
        out = {n for n, entry in entries.items() if entry.state == EntrantState.DISQUALIFIED}
        results = [
            (fixture, _by_bot(result, entries, row.id))
            for fixture in store.fixtures.of(row.id)
            if (result := fixture.result) is not None and not out & set(result.seats)
        ]
        yield Played(row, entries, results)


def _by_bot(result: FixtureResult, entries: Mapping[int, Entry], tournament: str) -> FixtureResult:
    """A result with bots for entrants."""
    bots = {number: entry.bot_id for number, entry in entries.items()}
    return replace(
        result,
        # Stages of two tournaments have the same names, and are not the same.
        key=result.key._replace(stage=f"{tournament} {result.key.stage}"),
        seats=tuple(bots[entrant] for entrant in result.seats),
        winner=None if result.winner is None else bots[result.winner],
        forfeited=tuple(bots[entrant] for entrant in result.forfeited),
    )
