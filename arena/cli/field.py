"""Who is in a tournament, in lines."""

from __future__ import annotations

from collections.abc import Iterator

from arena.config import SeedBy, TournamentConfig
from arena.store import Store
from arena.store.rows import TournamentRow
from arena.tournament.registration import BEFORE, most_entrants


def field_lines(store: Store, row: TournamentRow) -> Iterator[str]:
    """How many of how many are in it, what their order goes by, and each with its place."""
    entrants = sorted(store.tournaments.entrants(row.id), key=lambda entrant: entrant.seeding)
    yield f"{row.name}: {row.state}, {len(entrants)} of at most {most_entrants(row)} bots"
    yield f"Seeding: {_seeding(TournamentConfig.from_json(row.config), row.state in BEFORE)}."
    for entrant in entrants:
        yield f"{entrant.seeding:>4}  {entrant.name}"


def _seeding(config: TournamentConfig, is_open: bool) -> str:
    """What it goes by. ``is_open``: it has not begun, so that all of it can change."""
    if config.seeded_from is not None:
        by, one = f"by the table of {config.seeded_from!r}", "a place there"
    elif config.seeding is SeedBy.RATINGS:
        by, one = "by ratings", "one"
    else:
        return "as given, the strongest first"
    if not is_open:
        return f"{by}; of those without {one}, as given"
    return f"{by}, looked up at the start; until then, and of those without {one}, as given"
