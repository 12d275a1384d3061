"""A tournament made, opened, entered, seeded and started from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.errors import ArenaError
from arena.store import Store
from arena.store.rows import TournamentState


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """With three bots that have said what they play."""
    path = tmp_path / "arena.db"
    with Store(path) as store:
        for name in ("ann", "bob", "cid"):
            bot = store.bots.add(name, "sample:simple")
            store.bots.set_info(bot.version_id, {"games": ["*"]})
    return path


def arena(database: Path, *words: str) -> str:
    """What a command prints; its error if it fails."""
    result = CliRunner().invoke(cli, [*words, "--db", str(database)])
    if isinstance(result.exception, ArenaError):
        return str(result.exception)
    return result.output


def test_from_draft_to_the_last_match(database: Path) -> None:
    """What each step says, and that it is played in the end."""
    made = arena(database, "draft", "--name", "Fri", "--open", "--most", "2", "--games", "1",
                 "--set", "max_hands=1")  # fmt: skip
    assert made.startswith("Fri is made; it is open for entries. Start it: arena resume")
    assert (
        "2 of at most 2 bots\nSeeding: as given, the strongest first.\n   1  ann\n   2  bob"
        in arena(database, "entries", "Fri", "--enter", "ann", "--enter", "bob")
    )
    assert arena(database, "entries", "Fri", "--enter", "cid") == "'Fri' is full: 2 bots are in it"
    assert "at most 3 bots" in arena(database, "entries", "Fri", "--open", "--most", "3")
    arena(database, "entries", "Fri", "--enter", "cid", "--leave", "ann", "--close")
    assert "   1  cid\n   2  bob" in arena(database, "seed", "Fri", "cid", "bob")
    assert "Seeding: by ratings, looked up at the start" in arena(
        database, "seed", "Fri", "--ratings"
    )
    arena(database, "resume", "Fri")
    with Store(database, read_only=True) as store:
        row = store.tournaments.find("Fri")
        assert row.state is TournamentState.FINISHED
        assert {one.name for one in store.tournaments.entrants(row.id)} == {"bob", "cid"}


def test_draft_that_is_not_open_needs_its_bots(database: Path) -> None:
    """And what is not there cannot be entered or seeded."""
    assert "needs at least 2" in arena(database, "draft", "--name", "Shut")
    words = ("draft", "--name", "Two", "--bot", "a=sample:simple", "--bot", "b=sample:simple")
    assert arena(database, *words).startswith("Two is made. Start it: arena resume")
    assert "register it: arena register" in arena(database, "entries", "Two", "--enter", "ghost")
    assert "name bots in their order" in arena(database, "seed", "Two")


def test_draft_that_its_bots_cannot_play_is_not_made(database: Path, tmp_path: Path) -> None:
    """One that is not open has all its bots; one that is open waits for more."""
    file = tmp_path / "groups.toml"
    file.write_text("format = 'groups'\ngroups = 2")
    words = ("draft", str(file), "--bot", "a=sample:simple", "--bot", "b=sample:simple")

    assert "groups = 2: 2 entrants leave" in arena(database, *words)
    with Store(database, read_only=True) as store:
        assert not store.tournaments.all()
    assert "it is open for entries" in arena(database, *words, "--open")


def test_open_tournament_without_bots_does_not_start(database: Path) -> None:
    """It says how many are needed, and stays open."""
    arena(database, "draft", "--name", "Empty", "--open")
    assert "it needs at least 2" in arena(database, "resume", "Empty")
    with Store(database, read_only=True) as store:
        assert store.tournaments.find("Empty").state is TournamentState.REGISTRATION
