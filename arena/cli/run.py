"""``arena run`` and ``arena resume``: play tournaments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
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
from arena.config import IN_FLIGHT
from arena.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from arena.config import TournamentConfig
    from arena.store import Store
    from arena.store.rows import TournamentRow
    from arena.tournament.playing.play import Elsewhere, Stopper

INTERRUPTED, HALTED = 130, 3
"""Exit codes: by a signal; because somebody paused or cancelled the tournament."""


def tournament_options(command: Any) -> Any:
    """The options that say what is played, for ``run`` and ``draft``."""
    options = [
        click.option("--bot", "bots", metavar="NAME=URL", multiple=True,
                     help="A contestant: an address, sample:NAME, python:FILE.py or "
                     "cmd:COMMAND with {port}. Repeat it."),
        click.option("--name", help="The tournament's name."),
        click.option("--format", "format_name", metavar="FORMAT",
                     help="round-robin (default), bracket, double-elimination, swiss, …"),
        click.option("--rules", metavar="GAME", help="The game; arena rules lists them."),
        click.option("--set", "changes", metavar="SETTING=VALUE", multiple=True,
                     help="Change a rule setting. Repeat it."),
        click.option("--best-of", type=int, metavar="N", help="A fixture is a best-of-N match."),
        click.option("--games", type=int, metavar="N", help="Games of a fixture."),
        click.option("--legs", type=int, metavar="N", help="How often each pair meets."),
        click.option("--rounds", type=int, metavar="N", help="Rounds of a Swiss or a ladder."),
        click.option("--table-size", type=int, metavar="N", help="Bots at a table."),
        click.option("--target", type=int, metavar="POINTS", help="Hand points that win a game."),
        click.option("--deadline-ms", type=int, metavar="MS", help="Time for a decision."),
        click.option("--bank-ms", type=int, metavar="MS", help="Spare time for a match."),
        click.option("--max-strikes", type=int, metavar="N", help="Faults that lose a game."),
        click.option("--network", type=click.Choice(["local", "public"]),
                     help="Which addresses bots may have."),
        click.option("--no-duplicate", is_flag=True, help="Do not mirror the deals."),
        click.option("--all-orders", is_flag=True,
                     help="Tables of four to six: every seat order, not the rotations only."),
        click.option("--seeded-from", metavar="NAME", help="Seed by another tournament's table."),
        click.option("--seeding", metavar="HOW",
                     help="given: the order of the bots (default); ratings: those in the "
                     "database."),
    ]  # fmt: skip
    return _with(options, command)


def play_options(command: Any) -> Any:
    """The options that say how it is played, for ``run`` and ``resume``."""
    options = [
        in_flight_option("Matches at a time; on a cluster, in each worker."),
        click.option("--cluster", metavar="PLACE",
                     help="Play on workers: local:N here, or those of the scheduler at "
                     "tcp://HOST:PORT."),
        click.option("--patience", "patience_s", type=click.FloatRange(min=0), metavar="SECONDS",
                     help="How long the matches of a bot that does not answer wait for it once "
                     "nothing else is left to play (60); 0 forfeits them in their turn."),
        click.option("--all-present", is_flag=True,
                     help="Do not begin unless every bot answers its greeting."),
    ]  # fmt: skip
    return _with(options, command)


def _with(options: Sequence[Callable[[Any], Any]], command: Any) -> Any:
    """A command with these options, listed in this order in its help."""
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@tournament_options
@click.option("--secret", metavar="HEX", help="64 hexadecimal digits: repeat the same deals.")
@play_options
@click.option("--json", "as_json", is_flag=True, help="Print the final table as JSON.")
@database_option
def run(
    file: Path | None,
    secret: str | None,
    in_flight: int,
    cluster: str | None,
    patience_s: float | None,
    all_present: bool,
    as_json: bool,
    database: Path,
    **options: Any,
) -> None:
    """Run a tournament, from a TOML FILE, from options, or from both (options win).

    Exits with 0 when it is over, 2 when something must be changed, 3 when it was paused or
    cancelled meanwhile, 130 when interrupted.

    \b
    arena run --bot me=http://127.0.0.1:8001 --bot keen=sample:keen --games 4
    arena run friday.toml --db friday.db
    arena run --format bracket --best-of 5 --bot a=sample:simple --bot b=sample:greedy
    arena run cup.toml --seeded-from "Friday night"
    """
    from arena.config import from_mapping, read_toml, validate
    from arena.store import Store
    from arena.tournament.create import parse_secret

    data = with_options(read_toml(file) if file else {}, **options)
    where, folder = (str(file), file.parent) if file else ("command line", None)
    config = from_mapping(data, where=where, folder=folder)
    key = parse_secret(secret) if secret else None
    validate(replace(config, name=config.name or "Tournament"))
    with (
        place(cluster, in_flight, all_present) as elsewhere,
        Store(database) as store,
        entered(store, config, key) as tournament,
    ):
        play_and_print(
            store,
            [tournament],
            in_flight,
            as_json,
            elsewhere=elsewhere,
            patience_s=patience_s,
            all_present=all_present,
        )


@contextmanager
def entered(
    store: Store, config: TournamentConfig, secret: bytes | None = None
) -> Iterator[TournamentRow]:
    """A new tournament; one that is refused before its first match was never entered."""
    from arena.tournament.create import create_tournament

    if not config.name:
        config = replace(config, name=free_name(store, config.find_format().title))
    tournament = create_tournament(store, config, secret)
    try:
        yield tournament
    except UsageError:
        store.tournaments.forget_unplayed(tournament.id)
        raise


@click.command()
@click.argument("name", required=False)
@play_options
@click.option("--json", "as_json", is_flag=True, help="Print the final tables as JSON.")
@database_option
def resume(
    name: str | None,
    in_flight: int,
    cluster: str | None,
    patience_s: float | None,
    all_present: bool,
    as_json: bool,
    database: Path,
) -> None:
    """Go on with the tournament NAME, or with all that are not finished.

    Every fixture is played exactly once; a hand that was in play is dealt again the same. Exits as
    arena run does.

    \b
    arena resume --db friday.db
    """
    from arena.errors import StoreError
    from arena.store import Store
    from arena.tournament.playing.play import unfinished

    if not database.is_file():
        raise StoreError(f"no database at {database}; name it with --db")
    with Store(database) as store:
        tournaments = unfinished(store, name)
        if not tournaments:
            click.echo(nothing_to_resume(store))
            return
        with place(cluster, in_flight, all_present) as elsewhere:
            play_and_print(
                store,
                tournaments,
                in_flight,
                as_json,
                elsewhere=elsewhere,
                patience_s=patience_s,
                all_present=all_present,
            )


def nothing_to_resume(store: Store) -> str:
    """Why no tournament is gone on with, and how to go on with those that could be."""
    waiting = [row for row in store.tournaments.all() if not row.over]
    if waiting:
        states = ", ".join(f"{row.name!r} is {row.state}" for row in waiting)
        return f"nothing to resume: {states}; name one to go on with it"
    if store.tournaments.titles():
        return "nothing to resume: every tournament is over"
    return f"nothing to resume: {store.path} holds no tournament"


@contextmanager
def place(
    cluster: str | None, in_flight: int, all_present: bool = False
) -> Iterator[Elsewhere | None]:
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
        yield on_cluster(pool, parsed, in_flight=in_flight, all_present=all_present)


NUMBERS = ("games", "best_of", "legs", "rounds", "table_size")
CLOCK = ("deadline_ms", "bank_ms", "max_strikes")


def with_options(data: Mapping[str, Any], **options: Any) -> dict[str, Any]:
    """What a tournament file holds, with the command line's options over it.

    :raises ConfigError: an option is not of its form.
    """
    chosen = {
        "name": options["name"],
        "format": options["format_name"],
        "rules": options["rules"],
        "network": options["network"],
        "seeded_from": options["seeded_from"],
        "seeding": options["seeding"],
        **{name: options[name] for name in NUMBERS},
        "duplicate": False if options["no_duplicate"] else None,
        "all_orders": True if options["all_orders"] else None,
    }
    clock = {name: options[name] for name in CLOCK if options[name] is not None}
    settings = parse_changes(options["changes"])
    if options["target"] is not None:
        settings["target"] = options["target"]
    bots = [{"name": bot.name, "url": bot.endpoint} for bot in parse_bots(options["bots"])]
    merged = {**data, **{name: value for name, value in chosen.items() if value is not None}}
    # Of these two an option replaces the file's, where the format does not use both.
    for name, other in (("games", "best_of"), ("best_of", "games")):
        if chosen[name] is not None and chosen[other] is None and not _has_both(merged):
            merged.pop(other, None)
    # What is no table or list in the file is left for the one who checks it all.
    for name, more in (("clock", clock), ("set", settings)):
        if more and isinstance(merged.get(name, {}), dict):
            merged[name] = {**merged.get(name, {}), **more}
    if bots and isinstance(merged.get("bot", []), list):
        merged["bot"] = [*merged.get("bot", []), *bots]
    return merged


def _has_both(data: Mapping[str, Any]) -> bool:
    """Whether its format uses both; an unknown one is refused by the one who checks it all."""
    from arena.tournament.formats.registry import find_format

    try:
        return find_format(str(data.get("format", ""))).has_both
    except ConfigError:
        return False


def free_name(store: Store, title: str) -> str:
    """A name for a tournament that was given none: the title of its format and a number."""
    taken = {row.name for row in store.tournaments.all()}
    number = 1
    while f"{title} {number}" in taken:
        number += 1
    return f"{title} {number}"


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
    all_present: bool = False,
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
                click.echo(f"error: {tournament.name}: {error}", err=True)
                refused = error
            row = store.tournaments.get(tournament.id)
            outcome = outcome_of(store, row)
            tested = {"comparison": outcome.as_json()} if outcome is not None else {}
            printed.append(standings_json(store, row) | tested)
            if stopper.stopped.is_set():
                click.echo(f"stopped; go on with: {resume_command(store.path)}", err=True)
                raise SystemExit(INTERRUPTED)
            if (said := halted(store.path, row)) is not None:
                is_halted = True
                click.echo(said, err=True)
        if as_json:
            click.echo(json.dumps(printed[0] if len(printed) == 1 else printed))
        if then is not None:
            then()
            stopper.stopped.wait()
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
    from arena.cli.terminal import Terminal, print_standings
    from arena.cli.verdict import outcome_of
    from arena.tournament.playing.play import play
    from arena.tournament.results import entrant_names

    names = entrant_names(store, tournament.id)
    with Terminal(tournament.name, quiet_stdout=as_json) as terminal:
        terminal.line(
            f"{tournament.name}: {tournament.format.replace('_', ' ')}, "
            f"{tournament.variant}, {len(names)} bots; commitment {tournament.commitment[:16]}…"
        )
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
