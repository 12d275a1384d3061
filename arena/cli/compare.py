"""``arena compare``: play two bots until it is clear whether one is better."""

from __future__ import annotations

import json
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
    from arena.config import TournamentConfig
    from arena.store import Store
    from arena.store.rows import TournamentRow
    from arena.tournament.intervals import Estimate
    from arena.tournament.sprt import SprtState


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
