"""Registering a bot from the command line."""

from __future__ import annotations

from pathlib import Path

from arena.bot import BotServer
from arena.store import Store
from arena.tokens import hash_token
from tests.e2e.arena_process import arena
from tests.faulty_bots import Behaviour, FaultyBot
from tests.samples import simple


def test_good_bot_is_checked_accepted_and_given_to_its_owner(tmp_path: Path) -> None:
    """The token is printed once and only its hash is stored; a look-alike is refused."""
    database = tmp_path / "arena.db"
    with BotServer(simple.bot) as server:
        done = arena("register", "Simple", server.url, "--author", "me", "--db", database)
        twin = arena("register", "s1mple", server.url, "--db", database)
        again = arena("register", "Simple", server.url, "--db", database)

    assert done.returncode == 0, done.stdout + done.stderr
    token = done.stdout.split()[-1]
    with Store(database, read_only=True) as store:
        (bot,) = store.bots.all()
    assert (bot.name, bot.state, bot.author) == ("Simple", "accepted", "me")
    assert bot.owner_hash == hash_token(token)
    assert bot.report is not None
    assert bot.report["passed"]
    assert twin.returncode == 2
    assert "'s1mple' looks the same as 'Simple', which exists" in twin.stderr
    assert again.stderr == "error: bot name 'Simple' is taken; choose another\n"


def test_bad_bot_is_told_what_to_mend_and_not_stored(tmp_path: Path) -> None:
    """The report is printed, and no database is left behind."""
    database = tmp_path / "arena.db"
    with FaultyBot(Behaviour.HTML) as bad:
        done = arena("register", "bad", bad.url, "--db", database)

    assert done.returncode == 1
    assert "not ready to play" in done.stdout
    assert not database.exists()
