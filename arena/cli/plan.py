"""``arena plan``: how long a tournament takes and how sharp it is, or how many pairs show a gap."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.tournament.statistics.planning import Plan

LEAST_DECISIONS = 1000
"""What a tournament must have had to tell how quick the arena and its bots are."""


GAP_ONLY = ("confidence", "power", "deviation")
"""Options that say how a gap is shown."""


@click.command()
@click.option("--gap", type=float, metavar="POINTS",
              help="Points a hand one bot is better; says how many pairs show it.")  # fmt: skip
@click.option("--confidence", type=float, default=0.95, show_default=True,
              help="With --gap: how sure the interval is to be.")  # fmt: skip
@click.option("--power", type=float, default=0.8, show_default=True,
              help="With --gap: chance to see it if it is there.")  # fmt: skip
@click.option("--deviation", type=float, metavar="POINTS",
              help="With --gap: deviation of a pair's points a hand, if measured.")  # fmt: skip
@click.option("--format", metavar="FORMAT", help="round-robin (default), bracket, swiss, …")
@click.option("--bots", type=click.IntRange(2, 1024), default=8, show_default=True,
              help="How many bots take part.")  # fmt: skip
@click.option("--games", type=int, metavar="N",
              help="Games of a match, or with --gap of each half of a pair (2).")  # fmt: skip
@click.option("--best-of", type=int, metavar="N", help="A match is best of so many games.")
@click.option("--legs", type=int, metavar="N", help="How often each pair meets (1).")
@click.option("--rounds", type=int, metavar="N", help="Rounds of a Swiss or a ladder.")
@click.option("--table-size", type=int, metavar="N", help="Bots at a table.")
@click.option("--all-orders", is_flag=True, default=None, help="Every seat order of a table.")
@click.option("--groups", type=int, metavar="N", help="Groups before the bracket (2).")
@click.option("--advance", type=int, metavar="N",
              help="Bots of each group that go on to the bracket (2).")  # fmt: skip
@click.option("--target", type=int, metavar="POINTS",
              help="Hand points that win a game (100; 250 in a bracket).")  # fmt: skip
@click.option("--db", "database", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="Take the speed of this database's newest finished tournament.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plan(
    gap: float | None,
    confidence: float,
    power: float,
    deviation: float | None,
    bots: int,
    database: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Say how long a tournament takes and how sharp it is, or how many pairs show a gap.

    The tournament is that which arena run plays with the same options, without faults.

    \b
    arena plan --gap 2.7
    arena plan --format swiss --bots 32 --games 4
    arena plan --format swiss --bots 32 --db friday.db
    """
    chosen = {name: value for name, value in options.items() if value is not None}
    _refuse_unused(gap is not None, chosen, database)
    if gap is not None:
        found, text = _pairs_for(gap, deviation, confidence, power, chosen.get("games", 2))
    else:
        found, text = _tournament(bots, chosen, database)
    click.echo(json.dumps(found) if as_json else text)


def _refuse_unused(has_gap: bool, chosen: Mapping[str, Any], database: Path | None) -> None:
    """Refuse options that change nothing about what was asked for.

    :raises click.UsageError: naming them.
    """
    source = click.get_current_context().get_parameter_source
    given = [name for name in (*GAP_ONLY, "bots") if source(name) is ParameterSource.COMMANDLINE]
    if has_gap:
        unused = [name for name in (*given, *chosen) if name not in (*GAP_ONLY, "games")]
        unused += ["db"] if database is not None else []
        why = "--gap asks about two bots, not about a tournament"
    else:
        unused = [name for name in given if name in GAP_ONLY]
        why = "it belongs to --gap"
    if unused:
        named = " and ".join(f"--{name.replace('_', '-')}" for name in unused)
        raise click.UsageError(f"{named} would change nothing: {why}; leave it out")


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
    bots: int, chosen: dict[str, Any], database: Path | None
) -> tuple[Mapping[str, Any], str]:
    """What a tournament takes and tells, as data and in lines.

    ``database``: where the speed has been measured; without one it is assumed.
    """
    from arena.config_file import from_mapping
    from arena.tournament.statistics.planning import Assumptions
    from arena.tournament.statistics.planning import plan as plan_of

    target = chosen.pop("target", None)
    settings = {} if target is None else {"set": {"target": target}}
    config = from_mapping({**chosen, **settings}, where="command line")
    pace = _measured_pace(database) if database is not None else None
    suppose = Assumptions()
    points = config.variant().rules.as_dict()["target"]
    assert isinstance(points, int)
    suppose = replace(suppose, hands_per_game=suppose.hands_per_game * points / 100)
    if pace is not None:
        suppose = replace(suppose, decisions_per_second=pace[0])
    source = "assumed; measured with --db FILE" if pace is None else pace[1]
    expected = plan_of(config.format, bots, config.options, suppose)
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
