"""Plays tournaments from the command line: how, where, and what is printed of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.advice import advised
from arena.cli.options import in_flight_option, options_of, resume_command
from arena.config import IN_FLIGHT
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.store import Store
    from arena.store.rows import TournamentRow
    from arena.tournament.playing.play import Elsewhere, Stopper

INTERRUPTED, HALTED = 130, 3
"""Exit codes: by a signal; because somebody paused or cancelled the tournament."""


def play_options(command: Any) -> Any:
    """The options that say where it is played, for ``run`` and ``resume``."""
    options = [
        in_flight_option("Matches at a time; on a cluster, in each worker."),
        click.option("--cluster", metavar="PLACE",
                     help="Play on workers: local:N here, or those of the scheduler at "
                     "tcp://HOST:PORT."),
    ]  # fmt: skip
    return options_of(command, options)


@contextmanager
def place(cluster: str | None, in_flight: int) -> Iterator[Elsewhere | None]:
    """Where to play: on the cluster named, or None for this process.

    :raises ConfigError: it names none, or the extra is not installed.
    :raises ClusterError: it cannot be used.
    """
    if cluster is None:
        yield None
        return
    from arena.cluster.connect import Place, connected, on_cluster

    parsed = Place.parse(cluster)
    with connected(parsed) as pool:
        yield on_cluster(pool, parsed, in_flight=in_flight)


def halted(database: Path, row: TournamentRow) -> str | None:
    """That somebody paused or cancelled it, and how one goes on; None if nobody did."""
    if row.state not in ("paused", "cancelled"):
        return None
    goes_on = f"; go on with: {resume_command(database, row.name)}"
    return f"{row.name} was {row.state}{goes_on if row.state == 'paused' else ''}"


def play_and_print(
    store: Store,
    tournaments: Sequence[TournamentRow],
    in_flight: int = IN_FLIGHT,
    as_json: bool = False,
    then: Callable[[], None] | None = None,
    *,
    elsewhere: Elsewhere | None = None,
    patience_s: float | None = None,
    all_present: bool | None = None,
) -> None:
    """Play tournaments one after another and print each table.

    One that cannot be played does not keep the others from it; its error comes at the end. Exits
    with `INTERRUPTED` by a signal, with `HALTED` when one was paused or cancelled meanwhile.
    ``then``: called when all are played; afterwards wait until interrupted, and exit 0.
    """
    import json

    from arena.cli.verdict import outcome_of
    from arena.tournament.playing.play import stop_on_signals
    from arena.tournament.results import standings_json

    printed = []
    refused: UsageError | None = None
    is_halted = False
    with stop_on_signals() as stopper:
        for tournament in tournaments:
            try:
                _play_one(
                    store, tournament, stopper, as_json,
                    in_flight=in_flight, elsewhere=elsewhere,
                    patience_s=patience_s, all_present=all_present,
                )  # fmt: skip
            except UsageError as error:
                if len(tournaments) == 1:
                    raise
                click.echo(f"error: {tournament.name}: {advised(error)}", err=True)
                refused = error
            row = store.tournaments.get(tournament.id)
            outcome = outcome_of(store, row)
            tested = {"comparison": outcome.as_json()} if outcome is not None else {}
            printed.append(standings_json(store, row) | tested)
            if stopper.stopped:
                click.echo(f"stopped; go on with: {resume_command(store.path)}", err=True)
                raise SystemExit(INTERRUPTED)
            if (said := halted(store.path, row)) is not None:
                is_halted = True
                click.echo(said, err=True)
        if as_json:
            click.echo(json.dumps(printed[0] if len(printed) == 1 else printed))
        if then is not None:
            then()
            stopper.wait()
    if refused is not None:
        raise SystemExit(2)
    if is_halted:
        raise SystemExit(HALTED)


def _play_one(
    store: Store,
    tournament: TournamentRow,
    stopper: Stopper,
    as_json: bool,
    **how: Any,
) -> None:
    from arena.cli.tables import print_standings
    from arena.cli.terminal import Terminal
    from arena.cli.verdict import outcome_of
    from arena.tournament.playing.play import play
    from arena.tournament.results import entrant_names

    names = entrant_names(store, tournament.id)
    headline = (
        f"{tournament.name}: {tournament.format.replace('_', ' ')}, "
        f"{tournament.variant}, {len(names)} bots; commitment {tournament.commitment[:16]}…"
    )
    with Terminal(tournament.name, headline, quiet_stdout=as_json) as terminal:
        play(store, tournament, terminal, stopper, **how)
    row = store.tournaments.get(tournament.id)
    print_standings(terminal.console, store, row, tournament.name)
    outcome = outcome_of(store, row)
    for line in outcome.lines() if outcome is not None else ():
        terminal.line(line)
    for line in fault_lines(store, tournament, names):
        terminal.line(line)


def fault_lines(store: Store, tournament: TournamentRow, names: Mapping[int, str]) -> list[str]:
    """What went wrong with whom: a line a bot, with the first excerpt of each kind."""
    excerpts = store.hands.first_faults(tournament.id)
    counts = store.hands.fault_counts(tournament.id)
    lines = []
    for entrant, name in names.items():
        own = [
            f"{code} ×{count} ({excerpts[who, code]})"
            for (who, code), count in counts.items()
            if who == entrant
        ]
        if own:
            lines.append(f"faults of {name}: {'; '.join(own)}")
    if lines:
        lines.append("what each code means: protocol/README.md; try: arena check URL")
    return lines
