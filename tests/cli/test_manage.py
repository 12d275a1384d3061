"""What the commands that change a tournament say was done."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.config import BotSpec, TournamentConfig
from arena.store import Store
from arena.store.rows import EntrantState, TournamentState
from arena.tournament.create import create_tournament
from tests.tournament.lives import StopAfter, make, pause, run

RUNNING, DRAFT = TournamentState.RUNNING, TournamentState.DRAFT


@pytest.mark.parametrize(
    ("state", "options", "said", "becomes"),
    [
        (RUNNING, (), "it keeps what it has, and its open matches are forfeits", "withdrawn"),
        (RUNNING, ("--disqualify",), "its matches count for nobody", "disqualified"),
        (DRAFT, (), "has not begun", "withdrawn"),
        (DRAFT, (), "arena entries 'The cup' --leave b --db ", "withdrawn"),
    ],
)
def test_withdrawal_says_what_becomes_of_the_matches(
    tmp_path: Path, state: TournamentState, options: tuple[str, ...], said: str, becomes: str
) -> None:
    """Of one that leaves, of one that is disqualified, and before anything was played."""
    database = tmp_path / "arena.db"
    bots = tuple(BotSpec(name, "sample:simple") for name in ("a", "b", "c"))
    with Store(database) as store:
        row = create_tournament(store, TournamentConfig(name="The cup", bots=bots), state=state)

    done = CliRunner().invoke(
        cli, ["withdraw", "The cup", "b", *options, "--yes", "--db", str(database)]
    )

    assert done.exit_code == 0, done.output
    assert said in done.output
    with Store(database, read_only=True) as store:
        states = {one.name: one.state for one in store.tournaments.entrants(row.id)}
    assert states["b"] == EntrantState(becomes)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (RUNNING, "played again by the arena that is at it or by: arena resume "),
        (TournamentState.PAUSED, "played again by: arena resume "),
    ],
)
def test_void_says_who_plays_the_match_again(
    tmp_path: Path, state: TournamentState, said: str
) -> None:
    """Who plays on meanwhile needs no second arena, which would be refused."""
    database = tmp_path / "arena.db"
    with Store(database) as store:
        row = make(store)
        run(store, row, StopAfter(1, lambda: pause(store, row)))
        store.tournaments.set_state(row.id, state)
        (played, *_) = [f for f in store.fixtures.of(row.id) if f.winner is not None]

    done = CliRunner().invoke(cli, ["void", played.id, "--yes", "--db", str(database)])

    assert done.exit_code == 0, done.output
    assert said in done.output
