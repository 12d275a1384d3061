"""``arena run`` and ``arena resume``: play tournaments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import database_option, parse_bots, parse_changes
from arena.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from arena.config import TournamentConfig
    from arena.store import Store
    from arena.store.rows import TournamentRow
    from arena.tournament.play import Elsewhere, Stopper

IN_FLIGHT = 16
BRACKETS = ("single_elimination", "double_elimination")


def tournament_options(command: Any) -> Any:
    """The options that say what is played, for ``run``."""
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
        click.option("--rounds", type=int, metavar="N", help="Rounds of a Swiss tournament."),
        click.option("--table-size", type=int, metavar="N", help="Bots at a table."),
        click.option("--target", type=int, metavar="POINTS", help="Hand points that win a game."),
        click.option("--deadline-ms", type=int, metavar="MS", help="Time for a decision."),
        click.option("--bank-ms", type=int, metavar="MS", help="Spare time for a match."),
        click.option("--max-strikes", type=int, metavar="N", help="Faults that lose a game."),
        click.option("--network", type=click.Choice(["local", "public"]),
                     help="Which addresses bots may have."),
        click.option("--no-duplicate", is_flag=True, help="Do not mirror the deals."),
        click.option("--seeded-from", metavar="NAME", help="Seed by another tournament's table."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def play_options(command: Any) -> Any:
    """The options that say how it is played, for ``run`` and ``resume``."""
    options = [
        click.option("--in-flight", type=click.IntRange(1, 4096), default=IN_FLIGHT,
                     show_default=True, help="Matches at a time; on a cluster, in each worker."),
        click.option("--cluster", metavar="PLACE",
                     help="Play on workers: local:N here, or those of the scheduler at "
                     "tcp://HOST:PORT."),
    ]  # fmt: skip
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
    as_json: bool,
    database: Path,
    **options: Any,
) -> None:
    """Run a tournament, from a TOML FILE, from options, or from both (options win).

    \b
    arena run --bot me=http://127.0.0.1:8001 --bot keen=sample:keen --games 4
    arena run friday.toml --db friday.db
    arena run --format bracket --best-of 5 --bot a=sample:simple --bot b=sample:greedy
    """
    from arena.config import TournamentConfig, load_toml, validate
    from arena.store import Store
    from arena.tournament.create import create_tournament, parse_secret

    config = apply_options(load_toml(file) if file else TournamentConfig(name=""), **options)
    key = parse_secret(secret) if secret else None
    validate(replace(config, name=config.name or "Tournament"))
    with place(cluster, in_flight) as elsewhere, Store(database) as store:
        if not config.name:
            config = replace(config, name=free_name(store, config.format))
        tournament = create_tournament(store, config, key)
        try:
            play_and_print(store, [tournament], in_flight, as_json, elsewhere=elsewhere)
        except UsageError:
            # Refused before the first match: as if it had never been entered.
            store.tournaments.forget_unplayed(tournament.id)
            raise


@click.command()
@click.argument("name", required=False)
@play_options
@click.option("--json", "as_json", is_flag=True, help="Print the final tables as JSON.")
@database_option
def resume(
    name: str | None, in_flight: int, cluster: str | None, as_json: bool, database: Path
) -> None:
    """Go on with the tournament NAME, or with all that are not finished.

    Every fixture is played exactly once; a hand that was in play is dealt again the same.

    \b
    arena resume --db friday.db
    """
    from arena.errors import StoreError
    from arena.store import Store
    from arena.tournament.play import unfinished

    if not database.is_file():
        raise StoreError(f"no database at {database}; name it with --db")
    with Store(database) as store:
        tournaments = unfinished(store, name)
        if not tournaments:
            click.echo(nothing_to_resume(store))
            return
        with place(cluster, in_flight) as elsewhere:
            play_and_print(store, tournaments, in_flight, as_json, elsewhere=elsewhere)


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


def apply_options(config: TournamentConfig, **options: Any) -> TournamentConfig:
    """The configuration with the command line's options over it.

    :raises ConfigError: an option's value is wrong.
    """
    from arena.config import format_options, network
    from arena.tournament.formats import find_format

    chosen = find_format(options["format_name"] or config.format).name
    config = replace(config, format=chosen, name=options["name"] or config.name)
    names = ("games", "best_of", "legs", "rounds", "table_size")
    values = {name: options[name] for name in names if options[name] is not None}
    if options["no_duplicate"]:
        values["duplicate"] = False
    if chosen in BRACKETS and config.options.best_of is None and options["games"] is None:
        values.setdefault("best_of", 5)
    seats = values.get("table_size", config.options.table_size)
    if "table_size" not in values:
        seats = values["table_size"] = max(seats, least_seats(options["rules"] or config.rules))
    if seats > 2 and not options["format_name"] and chosen == "round_robin":
        chosen = "tables"
        config = replace(config, format=chosen)
    settings = {**config.settings, **parse_changes(options["changes"])}
    if options["target"] is not None:
        settings["target"] = options["target"]
    elif chosen in BRACKETS and not options["rules"] and config.rules == "gin":
        settings.setdefault("target", 250)
    clock = {
        name: options[name]
        for name in ("deadline_ms", "bank_ms", "max_strikes")
        if options[name] is not None
    }
    return replace(
        config,
        rules=options["rules"] or config.rules,
        settings=settings,
        options=format_options(values, "command line", config.options),
        clock=replace(config.clock, **clock),
        network=network(options["network"] or config.network),
        bots=config.bots + parse_bots(options["bots"]),
        seeded_from=options["seeded_from"] or config.seeded_from,
    )


def least_seats(rules: str) -> int:
    """How many sit at a table of this game unless told otherwise."""
    from arena.errors import RulesError
    from arena.rules.games import find_variant

    try:
        variant = find_variant(rules)
    except RulesError as error:
        raise ConfigError(str(error)) from error
    return variant.family.players(variant.rules)[0]


def free_name(store: Store, format_name: str) -> str:
    """A name for a tournament that was given none: its format and a number."""
    taken = {row.name for row in store.tournaments.all()}
    title = format_name.replace("_", " ").replace("-", " ").capitalize()
    number = 1
    while f"{title} {number}" in taken:
        number += 1
    return f"{title} {number}"


def play_and_print(
    store: Store,
    tournaments: Sequence[TournamentRow],
    in_flight: int = IN_FLIGHT,
    as_json: bool = False,
    then: Callable[[], None] | None = None,
    *,
    elsewhere: Elsewhere | None = None,
) -> None:
    """Play tournaments one after another and print each table; exit 130 when interrupted.

    ``then``: called when all are played; afterwards wait until interrupted, and exit 0.
    """
    import json

    from arena.tournament.play import stop_on_signals
    from arena.tournament.results import standings_json

    printed = []
    with stop_on_signals() as stopper:
        for tournament in tournaments:
            _play_one(store, tournament, stopper, in_flight, as_json, elsewhere)
            printed.append(standings_json(store, store.tournaments.get(tournament.id)))
            if stopper.stopped.is_set():
                click.echo(f"stopped; go on with: arena resume --db {store.path}", err=True)
                raise SystemExit(130)
        if as_json:
            click.echo(json.dumps(printed[0] if len(printed) == 1 else printed))
        if then is not None:
            then()
            stopper.stopped.wait()


def _play_one(
    store: Store,
    tournament: TournamentRow,
    stopper: Stopper,
    in_flight: int,
    as_json: bool,
    elsewhere: Elsewhere | None,
) -> None:
    from arena.cli.terminal import Terminal, standings_table
    from arena.tournament.play import play
    from arena.tournament.results import entrant_names, standings_of

    names = entrant_names(store, tournament.id)
    with Terminal(tournament.name, quiet_stdout=as_json) as terminal:
        terminal.line(
            f"{tournament.name}: {tournament.format.replace('_', ' ')}, "
            f"{tournament.variant}, {len(names)} bots; commitment {tournament.commitment[:16]}…"
        )
        play(store, tournament, terminal, stopper, in_flight=in_flight, elsewhere=elsewhere)
    rows = standings_of(store, tournament)
    terminal.console.print(standings_table(tournament.name, rows, names))
