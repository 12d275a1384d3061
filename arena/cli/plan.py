"""``arena plan``: how long a tournament takes and how sharp it is, or how many pairs show a gap."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.tournament.statistics.planning import Plan

LEAST_DECISIONS = 1000
"""What a tournament must have had to tell how quick the arena and its bots are."""


@click.command()
@click.option("--gap", type=float, metavar="POINTS",
              help="Points a hand one bot is better; says how many pairs show it.")  # fmt: skip
@click.option("--confidence", type=float, default=0.95, show_default=True)
@click.option("--power", type=float, default=0.8, show_default=True,
              help="Chance to see the gap if it is there.")  # fmt: skip
@click.option("--deviation", type=float, metavar="POINTS",
              help="Standard deviation of a pair's points a hand, if measured.")  # fmt: skip
@click.option("--format", "format_name", default="round-robin", show_default=True)
@click.option("--bots", type=click.IntRange(2, 1024), default=8, show_default=True)
@click.option("--games", type=click.IntRange(1, 999), default=2, show_default=True)
@click.option("--best-of", type=int)
@click.option("--legs", type=click.IntRange(1, 99), default=1, show_default=True)
@click.option("--rounds", type=int, help="Rounds of a Swiss.")
@click.option("--table-size", type=int, help="Bots at a table.")
@click.option("--all-orders", is_flag=True, default=None, help="Every seat order of a table.")
@click.option("--groups", type=int, help="Groups before the bracket.")
@click.option("--advance", type=int, help="Bots of each group that go on to the bracket.")
@click.option("--db", "database", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="Take the speed of this database's newest finished tournament.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plan(
    gap: float | None,
    confidence: float,
    power: float,
    deviation: float | None,
    format_name: str,
    bots: int,
    database: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Say how long a tournament takes and how sharp it is, or how many pairs show a gap.

    \b
    arena plan --gap 2.7
    arena plan --format swiss --bots 32 --games 4
    arena plan --format swiss --bots 32 --db friday.db
    """
    if gap is not None:
        found, text = _pairs_for(gap, deviation, confidence, power, options["games"])
    else:
        chosen = {name: value for name, value in options.items() if value is not None}
        found, text = _tournament(format_name, bots, chosen, database)
    click.echo(json.dumps(found) if as_json else text)


def _pairs_for(
    gap: float, deviation: float | None, confidence: float, power: float, games: int
) -> tuple[Mapping[str, Any], str]:
    """How many pairs of so many games a half show a gap, as data and in a sentence."""
    from arena.tournament.statistics.planning import pairs_needed, points_deviation

    spread = deviation if deviation is not None else points_deviation(games=games)
    needed = pairs_needed(gap, spread, confidence=confidence, power=power)
    found = {
        "pairs": needed,
        "gap": gap,
        "deviation": spread,
        "games_per_half": games,
        "games": 2 * games * needed,
    }
    text = (
        f"{needed} mirrored pairs of {games} games a half ({2 * games * needed} games) show a "
        f"gap of {gap:g} points a hand at {100 * confidence:g} % confidence with "
        f"{100 * power:g} % certainty, if a pair deviates by {spread:.2f}"
    )
    return found, text


def _tournament(
    format_name: str, bots: int, options: Mapping[str, Any], database: Path | None
) -> tuple[Mapping[str, Any], str]:
    """What a tournament takes and tells, as data and in lines.

    ``database``: where the speed has been measured; without one it is assumed.
    """
    from arena.config_file import format_options
    from arena.tournament.statistics.planning import Assumptions
    from arena.tournament.statistics.planning import plan as plan_of

    pace = _measured_pace(database) if database is not None else None
    suppose = Assumptions() if pace is None else Assumptions(decisions_per_second=pace[0])
    source = "assumed; measured with --db FILE" if pace is None else pace[1]
    expected = plan_of(format_name, bots, format_options(options, "command line"), suppose)
    found = {
        **asdict(expected),
        "decisions_per_second": suppose.decisions_per_second,
        "pace_is_measured": pace is not None,
    }
    return found, _lines(expected, f"{suppose.decisions_per_second:,.0f} a second ({source})")


def _measured_pace(database: Path) -> tuple[float, str]:
    """Decisions a second of the newest finished tournament, and which it is.

    :raises StoreError: there is none that took long enough to tell.
    """
    from datetime import datetime

    from arena.errors import StoreError
    from arena.store import Store
    from arena.store.rows import TournamentState

    with Store(database, read_only=True) as store:
        for row in store.tournaments.all():
            if row.state is TournamentState.FINISHED and row.started_at and row.finished_at:
                began, ended = map(datetime.fromisoformat, (row.started_at, row.finished_at))
                taken = (ended - began).total_seconds()
                decisions = sum(time.decisions for time in store.tournaments.times(row.id))
                if taken > 0 and decisions >= LEAST_DECISIONS:
                    return decisions / taken, f"as in {row.name!r}"
    raise StoreError(
        f"{database} has no finished tournament of {LEAST_DECISIONS:,} decisions; "
        "plan without --db, by an assumed speed"
    )


def _lines(expected: Plan, pace: str) -> str:
    lines = [
        f"fixtures      {expected.fixtures:g} (at most {expected.most_fixtures})",
        f"games, hands  {expected.games:.0f}, {expected.hands:.0f}",
        f"time          about {_time(expected.seconds)}: {expected.decisions:,.0f} decisions, "
        f"{pace}",
    ]
    for what, half_width, digits in (
        ("points a hand", expected.points_half_width, 1),
        ("ratings      ", expected.rating_half_width, 0),
    ):
        sharp = "too few pairs" if half_width is None else f"to ± {half_width:.{digits}f} (95 %)"
        lines.append(f"{what} {sharp}")
    return "\n".join(lines)


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
