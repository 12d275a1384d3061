"""``arena owner`` against a site that really runs, with a bot that really answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.bot import BotServer
from arena.cli import cli
from arena.errors import UsageError
from arena.site import create_app
from arena.site.serve import SiteServer
from arena.store import Store
from arena.store.rows import BotRow
from tests.samples import simple
from tests.tournament.lives import draft

Run = Callable[..., Result]
KEY = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="


@pytest.fixture(scope="module")
def bot() -> Iterator[str]:
    """The address of a bot."""
    with BotServer(simple.bot) as server:
        yield server.url


@pytest.fixture
def database(tmp_path: Path, bot: str) -> tuple[Path, str]:
    """A database with that bot, and its owner's token."""
    path = tmp_path / "arena.db"
    done = CliRunner().invoke(cli, ["register", "hasty", bot, "--db", str(path)])
    assert done.exit_code == 0, done.output
    return path, done.output.split()[-1]


@pytest.fixture
def owner(database: tuple[Path, str]) -> Iterator[Run]:
    """Runs the command against a site of that database."""
    path, token = database
    app = create_app(path)
    with SiteServer(app) as server:
        server.start()
        where = ["owner", "--site", f"http://127.0.0.1:{server.port}", "--token"]

        def run(*words: str, token: str = token) -> Result:
            return CliRunner().invoke(cli, [*where, token, *words])

        yield run
        app.config["CHECKS"].close()


def stored(path: Path) -> BotRow:
    """The bot as it is now."""
    with Store(path, read_only=True) as store:
        found = store.bots.by_name("hasty")
        assert found is not None
        return found


def test_owner_changes_what_the_page_changes(
    database: tuple[Path, str], owner: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Author and home page, the secret, the test, and at last retirement."""
    path = database[0]
    assert owner("edit", "hasty", "--author", "me", "--homepage", "https://a.org").exit_code == 0
    assert (stored(path).author, stored(path).homepage) == ("me", "https://a.org")

    tested = owner("test", "hasty")
    assert (tested.exit_code, "hasty is accepted" in tested.output) == (0, True), tested.output

    made = owner("secret", "hasty").output.split()
    assert stored(path).secret in made
    monkeypatch.setenv("ARENA_BOT_SECRET", KEY)
    assert "signed with the new secret" in owner("secret", "hasty", "--secret").output
    assert stored(path).secret == KEY

    retired = owner("retire", "hasty", "--yes")
    assert "Retired" in retired.output
    assert stored(path).state == "retired"


def test_owner_enters_and_leaves(database: tuple[Path, str], owner: Run) -> None:
    """A bot that was registered by command is known to play gin."""
    path = database[0]
    with Store(path) as store:
        row = draft(store)
    assert "hasty is in Open." in owner("enter", "hasty", "Open").output
    again = owner("enter", "hasty", "Open")
    assert str(again.exception) == "'hasty' is in 'Open' already"
    with Store(path, read_only=True) as store:
        assert [one.name for one in store.tournaments.entrants(row.id)] == ["hasty"]
    assert "not in Open any more" in owner("leave", "hasty", "Open").output
    assert "there is no tournament 'Shut'" in str(owner("enter", "hasty", "Shut").exception)


def test_token_is_renewed_and_the_old_one_refused(owner: Run) -> None:
    """The new one is printed once."""
    new = owner("token", "hasty").output.split()[-1]
    old = owner("edit", "hasty", "--author", "you")
    assert isinstance(old.exception, UsageError)
    assert "owner's token of this bot" in str(old.exception)
    assert owner("edit", "hasty", "--author", "you", token=new).exit_code == 0


def test_what_makes_no_sense_is_said(owner: Run) -> None:
    """No change given, no such bot, no such home page, no site."""
    assert "give --url, --homepage or --author" in owner("edit", "hasty").output
    assert "there is no bot 'ghost'" in str(owner("retire", "ghost", "--yes").exception)
    bad = owner("edit", "hasty", "--homepage", "javascript:alert(1)")
    assert "homepage must be an address" in str(bad.exception)
    nowhere = CliRunner().invoke(
        cli, ["owner", "--site", "http://127.0.0.1:9", "--token", "x", "token", "hasty"]
    )
    assert "does arena serve run there?" in str(nowhere.exception)


@pytest.mark.parametrize(
    ("options", "typed", "words"),
    [
        (("--homepage", "javascript:alert(1)"), "", "homepage must be an address"),
        (("--secret",), "short\n", "whsec_"),
        (("--secret",), "", "put it into the environment as ARENA_BOT_SECRET"),
    ],
)
def test_registration_checks_what_it_is_given(
    tmp_path: Path, bot: str, options: tuple[str, ...], typed: str, words: str
) -> None:
    """Before the bot is called, and nothing is stored."""
    path = tmp_path / "new.db"
    done = CliRunner(env={"ARENA_BOT_SECRET": None}).invoke(
        cli, ["register", "x", bot, *options, "--db", str(path)], input=typed
    )
    assert isinstance(done.exception, UsageError)
    assert words in str(done.exception)


@pytest.mark.parametrize(
    ("environment", "typed"),
    [(f"{KEY} whsec_b2xkIG9sZCBvbGQgb2xkIG9sZA==", ""), ("", KEY)],
)
def test_bot_is_registered_with_its_own_secret(
    tmp_path: Path, environment: str, typed: str
) -> None:
    """It is checked with signed requests, and keeps the secret, which is nobody's to see: not an
    argument, where the list of processes shows it."""
    path = tmp_path / "arena.db"
    with BotServer(simple.bot, secrets=[KEY]) as server:
        done = CliRunner(env={"ARENA_BOT_SECRET": environment}).invoke(
            cli, ["register", "hasty", server.url, "--secret", "--db", str(path)], input=typed
        )
    assert done.exit_code == 0, done.output
    assert KEY not in done.output
    assert stored(path).secret == KEY
    assert stored(path).info["games"]
