"""``arena pause``, ``finish``, ``cancel``, ``withdraw``, ``void``: changes to a running tournament.

They write to the database only; a referee that is at work on it notices within a match.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import confirm, database_option, existing, resume_command

if TYPE_CHECKING:
    from arena.store.rows import TournamentRow

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


@click.command()
@click.argument("name")
@database_option
def pause(name: str, database: Path) -> None:
    """Let the tournament NAME finish what is in play and start nothing more; resume goes on.

    \b
    arena pause "Friday night"
    """
    from arena.store import Store
    from arena.tournament import lifecycle

    with Store(existing(database)) as store:
        row = lifecycle.pause(store, store.tournaments.find(name))
    click.echo(f"{row.name} is paused; go on with: {resume_command(database, row.name)}")


@click.command()
@click.argument("name")
@yes_option
@database_option
def finish(name: str, yes: bool, database: Path) -> None:
    """End the ladder NAME with the round that is in play, so that it has a final table.

    \b
    arena finish "Ladder 1"
    """
    from arena.store import Store
    from arena.tournament import lifecycle

    with Store(existing(database)) as store:
        row = store.tournaments.find(name)
        if not yes:
            confirm(f"End {row.name} with the round that is in play? It cannot go on afterwards")
        row = lifecycle.finish(store, row)
        left = len(store.fixtures.open_of(row.id))
    if row.over:
        click.echo(f"{row.name} is finished")
        return
    matches = "1 match" if left == 1 else f"{left} matches"
    click.echo(
        f"{row.name} ends when {matches} more of its last round have been played, by the arena "
        f"that is at it or by: {resume_command(database, row.name)}"
    )


@click.command()
@click.argument("name")
@yes_option
@database_option
def cancel(name: str, yes: bool, database: Path) -> None:
    """End the tournament NAME for good; what was played stays.

    \b
    arena cancel "Friday night"
    """
    from arena.store import Store
    from arena.tournament import lifecycle

    with Store(existing(database)) as store:
        row = store.tournaments.find(name)
        if not yes:
            confirm(f"Cancel {row.name}? It cannot be resumed afterwards")
        lifecycle.cancel(store, row)
    click.echo(f"{row.name} is cancelled")


@click.command()
@click.argument("name")
@click.argument("bot")
@click.option("--disqualify", is_flag=True, help="Take its results out of every count as well.")
@yes_option
@database_option
def withdraw(name: str, bot: str, disqualify: bool, yes: bool, database: Path) -> None:
    """Take BOT out of the tournament NAME: it keeps what it has, its open matches are forfeits.

    Before the start arena entries NAME --leave BOT takes it out without a trace.

    \b
    arena withdraw "Friday night" mybot
    """
    from arena.store import Store
    from arena.tournament import lifecycle

    with Store(existing(database)) as store:
        row = store.tournaments.find(name)
        lifecycle.find_entrant(store, row, bot)
        word = "Disqualify" if disqualify else "Withdraw"
        if not yes:
            confirm(f"{word} {bot} from {row.name}?")
        lifecycle.withdraw(store, row, bot, disqualify=disqualify)
    click.echo(_left(row, bot, disqualify, database))


def _left(row: TournamentRow, bot: str, disqualify: bool, database: Path) -> str:
    """What became of a bot that was taken out, and of its matches."""
    from arena.tournament.registration import BEFORE

    if row.state in BEFORE:
        leave = shlex.join(["arena", "entries", row.name, "--leave", bot, "--db", str(database)])
        return (
            f"{bot} is out of {row.name}, which has not begun: the matches that it would have had "
            f"will be forfeits. To take it out without a trace: {leave}"
        )
    if disqualify:
        return (
            f"{bot} is disqualified in {row.name}: its matches count for nobody, and those still "
            "open are forfeits"
        )
    return f"{bot} is out of {row.name}: it keeps what it has, and its open matches are forfeits"


@click.command()
@click.argument("fixture")
@yes_option
@database_option
def void(fixture: str, yes: bool, database: Path) -> None:
    """Void the match FIXTURE (its id, as pages and arena matches show it) and schedule it again
    with new deals.

    With it all matches that have the same deals: the other half of its pair, or the other seat
    orders of its table. The old ones stay visible as void. In a bracket only a match whose winner
    has not played on yet can be voided.

    \b
    arena void m_nz2wl4l3gf4jpofk
    """
    from arena.store import Store
    from arena.store.rows import TournamentState
    from arena.tournament import lifecycle

    with Store(existing(database)) as store:
        found = lifecycle.find_match(store, fixture)
        others = [one for one in lifecycle.void_together(store, found) if one.id != fixture]
        too = " and ".join(f"{one.label} ({one.id}, {one.status})" for one in others)
        if not yes:
            question = f"Void {fixture} and play it again?"
            if too:
                question = (
                    f"Void {fixture} and, because of the same deals, {too}, and play all of them "
                    "again with new deals?"
                )
            confirm(question)
        row = lifecycle.void(store, fixture)
    also = f", and with it {too}" if too else ""
    # Who was killed leaves it running too, so both ways are named.
    by = "by the arena that is at it or by" if row.state is TournamentState.RUNNING else "by"
    click.echo(f"{fixture} is void{also}; played again {by}: {resume_command(database, row.name)}")
