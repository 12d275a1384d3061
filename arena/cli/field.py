"""Who is in a tournament that has not begun, in lines."""

from __future__ import annotations

from collections.abc import Iterator

from arena.config import SeedBy, TournamentConfig
from arena.store import Store
from arena.store.rows import TournamentRow
from arena.tournament.registration import most_entrants


def field_lines(store: Store, row: TournamentRow) -> Iterator[str]:
    """How many of how many are in it, what their order goes by, and each with its place."""
    entrants = sorted(store.tournaments.entrants(row.id), key=lambda entrant: entrant.seeding)
    yield f"{row.name}: {row.state}, {len(entrants)} of at most {most_entrants(row)} bots"
    yield f"Seeding: {_seeding(TournamentConfig.from_json(row.config))}."
    for entrant in entrants:
        yield f"{entrant.seeding:>4}  {entrant.name}"


def _seeding(config: TournamentConfig) -> str:
    until = "looked up at the start; until then, and for those without a place there, as given"
    if config.seeded_from is not None:
        return f"by the table of {config.seeded_from!r}, {until}"
    if config.seeding is SeedBy.RATINGS:
        return "by ratings, " + until.replace("a place there", "one")
    return "as given, the strongest first"
