"""``arena compare``: play two bots until it is clear whether one is better."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Timer
from typing import TYPE_CHECKING, Any

import click

from arena.cli.choosing import clock_of, clock_options
from arena.cli.options import (
    Seconds,
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
    from arena.tournament.playing.play import Stopper


TEST = ("low", "high", "alpha", "beta", "most_pairs")
"""Options that say what the test is to tell, and for how long it may go on."""

MOST_PAIRS = 5000
"""As `arena.tournament.statistics.comparison` has it, which is not loaded for the help alone."""


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
@click.option("--most-pairs", type=click.IntRange(16, 1_000_000), default=MOST_PAIRS,
              show_default=True, metavar="N",
              help="Stop after so many mirrored pairs, decided or not.")  # fmt: skip
@click.option("--time-limit", "limit_s", type=Seconds(above_zero=True),
              metavar="SECONDS", help="Stop after so long; arena resume goes on.")  # fmt: skip
@click.option("--rules", default="gin", show_default=True, help="The game: arena rules.")
@click.option("--set", "changes", metavar="SETTING=VALUE", multiple=True, help="Change a setting.")
@clock_options
@click.option("--name", help="The name it is stored under.")
@in_flight_option("Matches at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@database_option
def compare(
    first: str,
    second: str,
    limit_s: float | None,
    in_flight: int,
    as_json: bool,
    database: Path,
    **options: Any,
) -> None:
    """Play FIRST against SECOND (each NAME=URL) until a sequential test has decided.

    The unit is the mirrored pair: the same deals with seats swapped. The test stops by itself with
    the error rates promised; the plain estimate with its interval is printed too. Exits with 0 when
    FIRST is better, with 1 when it is not or when the limit of pairs or of time came first, with 3
    when somebody paused or cancelled it meanwhile.

    \b
    arena compare new=http://127.0.0.1:8001 old=http://127.0.0.1:8002 --high 0.53
    arena compare a=sample:keen b=sample:greedy
    """
    from arena.cli.entering import check_enterable, entered
    from arena.cli.playing import HALTED, halted
    from arena.cli.verdict import outcome_of
    from arena.store.filling import filled

    config = _config((first, second), options)
    check_enterable(config)
    with filled(database) as store, entered(store, config) as tournament:
        is_late = _play(store, tournament, config, in_flight, as_json, limit_s)
        row = store.tournaments.get(tournament.id)
        outcome = outcome_of(store, row)
        assert outcome is not None
    if as_json:
        click.echo(json.dumps(outcome.as_json() | {"state": row.state}))
    else:
        click.echo("\n".join(outcome.lines()))
    if (said := halted(store.path, row)) is not None:
        click.echo(said, err=True)
        raise SystemExit(HALTED)
    if is_late:
        click.echo(
            f"time is up after {limit_s:g} s; go on with: {resume_command(store.path, row.name)}",
            err=True,
        )
    if outcome.test.decision != "high":
        raise SystemExit(1)


def _config(bots: tuple[str, str], options: Mapping[str, Any]) -> TournamentConfig:
    """The comparison of these bots.

    :raises ConfigError: an option is not of its form.
    """
    from arena.config import TournamentConfig
    from arena.referee.clock import ClockRules
    from arena.tournament.model import FormatOptions

    return TournamentConfig(
        name=options["name"] or "",
        format="comparison",
        rules=options["rules"],
        settings=parse_changes(options["changes"]),
        options=FormatOptions(games=options["games"]),
        clock=ClockRules(**clock_of(options)),
        bots=parse_bots(bots, ""),
        test={name: options[name] for name in TEST},
    )


def _play(
    store: Store,
    tournament: TournamentRow,
    config: TournamentConfig,
    in_flight: int,
    as_json: bool,
    limit_s: float | None,
) -> bool:
    """Play until the test has decided. Whether time was up before."""
    from arena.cli.meter import Meter
    from arena.cli.playing import INTERRUPTED
    from arena.store.rows import TournamentState
    from arena.tournament.playing.play import play, stop_on_signals
    from arena.tournament.statistics.comparison import Comparison

    format = config.find_format()
    assert isinstance(format, Comparison)
    late = Event()
    with stop_on_signals() as stopper, ExitStack() as stack:
        if limit_s is not None:
            timer = Timer(limit_s, _stop_late, (late, stopper))
            timer.start()
            stack.callback(timer.cancel)
        title = f"{config.bots[0].name} v {config.bots[1].name}"
        with Meter(title, format, quiet_stdout=as_json) as meter:
            state = play(store, tournament, meter, stopper, in_flight=in_flight)
        if stopper.stopped and not late.is_set():
            click.echo(f"stopped; go on with: {resume_command(store.path)}", err=True)
            raise SystemExit(INTERRUPTED)
    return late.is_set() and state is TournamentState.RUNNING


def _stop_late(late: Event, stopper: Stopper) -> None:
    late.set()
    stopper.stop()
