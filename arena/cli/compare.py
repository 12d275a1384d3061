"""``arena compare`` and ``arena plan``: is one bot better, and how long to find out."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import (
    database_option,
    in_flight_option,
    parse_bots,
    parse_changes,
    resume_command,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.config import TournamentConfig
    from arena.store import Store
    from arena.store.rows import TournamentRow
    from arena.tournament.intervals import Estimate
    from arena.tournament.planning import Plan
    from arena.tournament.sprt import SprtState

LEAST_DECISIONS = 1000
"""What a tournament must have had to tell how quick the arena and its bots are."""


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("--low", type=float, default=0.5, show_default=True,
              help="Share of games of FIRST that means no improvement.")  # fmt: skip
@click.option("--high", type=float, default=0.55, show_default=True,
              help="Share of games that means the improvement looked for.")  # fmt: skip
@click.option("--alpha", type=float, default=0.05, show_default=True,
              help="Chance of a false 'better'.")  # fmt: skip
@click.option("--beta", type=float, default=0.05, show_default=True,
              help="Chance of a false 'not better'.")  # fmt: skip
@click.option("--games", type=click.IntRange(1, 999), default=1, show_default=True,
              help="Games of each half of a pair.")  # fmt: skip
@click.option("--rules", default="gin", show_default=True, help="The game: arena rules.")
@click.option("--set", "changes", metavar="SETTING=VALUE", multiple=True, help="Change a setting.")
@click.option("--name", help="The name it is stored under.")
@in_flight_option("Matches at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@database_option
def compare(
    first: str,
    second: str,
    low: float,
    high: float,
    alpha: float,
    beta: float,
    games: int,
    rules: str,
    changes: tuple[str, ...],
    name: str | None,
    in_flight: int,
    as_json: bool,
    database: Path,
) -> None:
    """Play FIRST against SECOND (each NAME=URL) until a sequential test has decided.

    The unit is the mirrored pair: the same deals with seats swapped. The test stops by itself with
    the error rates promised; the plain estimate with its interval is printed too. Exits with 0 when
    FIRST is better, with 1 when it is not.

    \b
    arena compare new=http://127.0.0.1:8001 old=http://127.0.0.1:8002 --high 0.53
    arena compare a=sample:keen b=sample:greedy
    """
    from arena.cli.run import entered
    from arena.config import TournamentConfig
    from arena.store import Store
    from arena.tournament.model import FormatOptions

    config = TournamentConfig(
        name=name or "",
        format="comparison",
        rules=rules,
        settings=parse_changes(changes),
        options=FormatOptions(games=games),
        bots=parse_bots((first, second), ""),
        test={"low": low, "high": high, "alpha": alpha, "beta": beta},
    )
    with Store(database) as store, entered(store, config) as tournament:
        state, points = _play(store, tournament, config, in_flight, as_json)
    words = verdict(state, points, config)
    if as_json:
        click.echo(json.dumps(_as_json(state, points, words)))
    else:
        click.echo(words)
    if state.decision != "high":
        raise SystemExit(1)


def _play(
    store: Store, tournament: TournamentRow, config: TournamentConfig, in_flight: int, as_json: bool
) -> tuple[SprtState, Estimate]:
    """Where the test stands in the end, and the points a hand of the first."""
    from arena.cli.meter import Meter
    from arena.tournament.comparison import Comparison
    from arena.tournament.play import play, stop_on_signals
    from arena.tournament.results import stored_results
    from arena.tournament.sprt import SprtSettings, points_against

    assert config.test is not None
    format = Comparison(SprtSettings(**config.test))
    with stop_on_signals() as stopper:
        title = f"{config.bots[0].name} v {config.bots[1].name}"
        with Meter(title, format, quiet_stdout=as_json) as meter:
            play(store, tournament, meter, stopper, in_flight=in_flight)
        if stopper.stopped.is_set():
            click.echo(f"stopped; go on with: {resume_command(store.path)}", err=True)
            raise SystemExit(130)
    results = stored_results(store, tournament.id)
    return format.state((0, 1), results), points_against(results.values(), 0, 1)


def verdict(state: SprtState, points: Estimate, config: TournamentConfig) -> str:
    """What came out: a sentence, the test, and points a hand.

    The lower hypothesis says no more than "not better"; when all of the interval is below one half
    the first is worse.
    """
    from arena.cli.meter import meter_line

    first, second = (bot.name for bot in config.bots)
    assert config.test is not None
    low, high = state.estimate.low, state.estimate.high
    if state.decision == "high":
        sentence = f"{first} is better than {second}: {100 * config.test['high']:g} % accepted"
    elif state.decision == "low" and low is not None and high is not None and high < 0.5:
        sentence = (
            f"{first} is worse than {second}: it wins {100 * low:.1f} to "
            f"{100 * high:.1f} % of games"
        )
    elif state.decision == "low":
        sentence = f"{first} is not better than {second}: {100 * config.test['low']:g} % accepted"
    else:
        sentence = "undecided: the most pairs allowed were played"
    lines = [sentence, f"{meter_line(state)} (95 % interval; a little optimistic after a stop)"]
    if points.mean is not None:
        reach = points.half_width
        interval = "too few pairs for an interval" if reach is None else f"± {reach:.2f}"
        lines.append(f"{points.mean:+.2f} points a hand ({interval})")
    return "\n".join(lines)


def _as_json(state: SprtState, points: Estimate, words: str) -> dict[str, Any]:
    estimate = state.estimate
    return {
        "decision": state.decision,
        "llr": state.llr,
        "bounds": [state.lower_bound, state.upper_bound],
        "pairs": state.pairs,
        "share_of_games": estimate.mean,
        "low": estimate.low,
        "high": estimate.high,
        "points_per_hand": points.mean,
        "points_low": points.low,
        "points_high": points.high,
        "sentence": words.splitlines()[0],
    }


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
@click.option("--all-orders", is_flag=True, help="Every seat order of a table.")
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
    games: int,
    best_of: int | None,
    legs: int,
    rounds: int | None,
    table_size: int | None,
    all_orders: bool,
    groups: int | None,
    advance: int | None,
    database: Path | None,
    as_json: bool,
) -> None:
    """Say how long a tournament takes and how sharp it is, or how many pairs show a gap.

    \b
    arena plan --gap 2.7
    arena plan --format swiss --bots 32 --games 4
    arena plan --format swiss --bots 32 --db friday.db
    """
    from arena.config import format_options
    from arena.tournament.planning import Assumptions, pairs_needed, points_deviation
    from arena.tournament.planning import plan as plan_of

    if gap is not None:
        spread = deviation if deviation is not None else points_deviation(games=games)
        needed = pairs_needed(gap, spread, confidence=confidence, power=power)
        found: Mapping[str, Any] = {
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
    else:
        chosen = {
            "games": games,
            "best_of": best_of,
            "legs": legs,
            "rounds": rounds,
            "table_size": table_size,
            "all_orders": all_orders or None,
            "groups": groups,
            "advance": advance,
        }
        values = {name: value for name, value in chosen.items() if value is not None}
        pace = _measured_pace(database) if database is not None else None
        suppose = Assumptions() if pace is None else Assumptions(decisions_per_second=pace[0])
        source = "assumed; measured with --db FILE" if pace is None else pace[1]
        expected = plan_of(format_name, bots, format_options(values, "command line"), suppose)
        found = {
            **asdict(expected),
            "decisions_per_second": suppose.decisions_per_second,
            "pace_is_measured": pace is not None,
        }
        text = _plan_text(expected, f"{suppose.decisions_per_second:,.0f} a second ({source})")
    click.echo(json.dumps(found) if as_json else text)


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


def _plan_text(expected: Plan, pace: str) -> str:
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
