"""Bad input gets one line that names the thing and the fix, exit code 2, and nothing is written."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena import cli as arena_cli
from arena.config import BotSpec, TournamentConfig
from arena.store import Store
from arena.store.rows import TournamentState
from arena.tournament.create import create_tournament
from tests.e2e.arena_process import arena

A = ("--bot", "a=http://127.0.0.1:9")
B = ("--bot", "b=http://127.0.0.1:9")
GIN_HAND = "AH 2H 3H 4S 5S 6S 7D 7C 7S 9D"


def refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str | Path
) -> str:
    """What a command that must be refused prints on stderr."""
    monkeypatch.setattr(sys, "argv", ["arena", *map(str, arguments)])
    with pytest.raises(SystemExit) as leaving:
        arena_cli.main()
    printed = capsys.readouterr()
    assert leaving.value.code == 2, printed
    assert "Traceback" not in printed.err
    return printed.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", *A), ["1 bot", "at least 2", "--bot"]),
        (("run",), ["0 bots", "at least 2"]),
        (("run", *A, *A), ["'a'", "another name"]),
        (("run", *A, "--bot", "A=http://127.0.0.1:9"), ["'a'", "'A'", "look the same"]),
        (("run", *A, "--bot", "b\u200b=http://127.0.0.1:9"), ["U+200B"]),
        (("run", *A, "--bot", "b"), ["NAME=URL"]),
        (("run", *A, "--bot", "b=not a url"), ["bot URL"]),
        (("run", *A, "--bot", "b=ftp://127.0.0.1"), ["http://"]),
        (("run", *A, *B, "--rules", "oklohama"), ["oklohama", "oklahoma"]),
        (("run", *A, *B, "--rules", "cutthroat"), ["2 bots", "3"]),
        (("run", *A, *B, "--set", "gin_bonsu=20"), ["gin_bonsu", "gin_bonus"]),
        (("run", *A, *B, "--set", "hand_size=30"), ["hand_size", "30", "7, 10"]),
        (("run", *A, *B, "--set", "gin_bonus=-5"), ["gin_bonus", "-5"]),
        (("run", *A, *B, "--set", "gin_bonus="), ["gin_bonus", "no value"]),
        (("run", *A, *B, "--set", "=5"), ["SETTING=VALUE"]),
        (("compare", A[1], B[1], "--set", "gin_bonus="), ["gin_bonus", "no value"]),
        (("compare", A[1], B[1], "--low", "nan"), ["low"]),
        (("compare", A[1], B[1], "--time-limit", "inf"), ["--time-limit", "inf"]),
        (("compare", A[1], B[1], "--time-limit", "nan"), ["--time-limit", "nan"]),
        (("run", *A, *B, "--patience", "nan"), ["--patience", "nan"]),
        (("plan", "--gap", "nan"), ["gap", "nan"]),
        (("plan", "--gap", "1e-300"), ["gap", "1e-300"]),
        (("plan", "--gap", "1", "--deviation", "inf"), ["deviation", "inf"]),
        (("plan", "--gap", "1", "--confidence", "0.99999999999999999"), ["confidence"]),
        (("plan", "--best-of", "0"), ["best_of", "0"]),
        (("run", *A, *B, "--target", "0"), ["target", "0"]),
        (("run", *A, *B, "--format", "leage"), ["leage", "league"]),
        (("run", *A, *B, "--best-of", "4"), ["best_of", "odd"]),
        (("run", *A, *B, "--games", "0"), ["games", "0"]),
        (("run", *A, *B, "--deadline-ms", "1"), ["deadline_ms", "10"]),
        (("run", *A, *B, "--secret", "beef"), ["secret", "64"]),
        (("run", *A, *B, "--name", " x"), ["name", "space"]),
        (("run", *A, *B, "--seeded-from", "nothing"), ["nothing"]),
        (("run", *A, *B), ["only 0 of 2 bots answer"]),
        (("run", *A, "--bot", "b=sample:indian_simple"), ["'b' does not play gin"]),
        (("run", *A, "--bot", "b=sample:simpel"), ["simpel", "did you mean 'simple'"]),
        (("run", *A, *B, "--format", "gauntlet", "--champion", "c"), ["champion", "a, b"]),
        (("run", *A, *B, "--format", "swiss", "--champion", "b"), ["champion", "gauntlet"]),
        (("run", *A, *B, "--format", "groups", "--groups", "2"), ["groups = 2", "fewer groups"]),
        (("run", *A, *B, "--format", "swiss", "--no-third-place"), ["third_place", "groups"]),
        (("run", *A, *B, "--cluster", "here"), ["--cluster", "local:N"]),
        (("draft", *A, *B, "--seeded-from", "nothing"), ["nothing"]),
        (("compare", A[1], B[1]), ["only 0 of 2 bots answer"]),
        (("run", "no-such-file.toml"), ["no-such-file.toml"]),
        (("demo", "--no-serve", "--secret", "xyz"), ["secret", "64"]),
        (("demo", "--no-serve", "--rules", "cutthroat"), ["cutthroat"]),
        (("bot", "smple"), ["smple", "simple"]),
        (("deadwood", "7H 8H"), ["2 cards", "10"]),
        (("deadwood", "7H 8H 9H 1X"), ["1X"]),
        (("deadwood", "7H 7H 9H AS 2S 3S 4S 5S 6S 7S"), ["7H", "twice"]),
        (("deadwood", GIN_HAND, "--knocker", ""), ["0 cards", "knocker"]),
        (("deadwood", GIN_HAND, "--knocker", "KC KD AH"), ["AH", "both hands"]),
        (("rules", "gni"), ["gni", "gin"]),
        (("resume", "--db", "none.db"), ["none.db"]),
        (("standings", "--db", "none.db"), ["none.db"]),
        (("replay", "x/1"), ["FIXTURE/GAME/NUMBER"]),
        (("verify", "none.db"), ["none.db"]),
        (("rnu",), ["rnu", "run"]),
        (("run", "--bots", "x"), ["--bots"]),
        (("serve", "--port", "70000"), ["70000"]),
        (("serve", "--host", "a..b"), ["a..b", "--host"]),
    ],
)
def test_one_line_names_the_thing_and_the_fix(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: tuple[str, ...],
    words: list[str],
) -> None:
    """Each slip is answered in words, and leaves nothing behind."""
    monkeypatch.chdir(tmp_path)

    text = refused(monkeypatch, capsys, *arguments)

    for word in words:
        assert word in text
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("nmae = 'x'", ["nmae", "name"]),
        ("games = 'two'", ["games", "two"]),
        ("games = true", ["games", "True"]),
        ("name = 3", ["name", "quotes"]),
        ("[clock]\ndedline_ms = 5", ["dedline_ms", "deadline_ms"]),
        ("[clock]\ndeadline_ms = 'soon'", ["friday.toml", "deadline_ms", "soon"]),
        ("[[bot]]\nname = 'x'\nurl = 'sample:keen'\nsecret = 'abc'", ["bot 'x'", "whsec_"]),
        ("[[bot]]\nname = 'x'\nurl = 'sample:kene'", ["bot 'x'", "keen"]),
        ("clock = 5", ["clock", "[clock]"]),
        ("[bot]\nname = 'x'", ["[[bot]]"]),
        ("[[bot]]\nname = 'x'", ["url"]),
        ("[[bot]]\nname = 'x'\nurl = 'http://h'\nsecert = 's'", ["secert", "secret"]),
        ("network = 'privat'", ["network", "local"]),
        ("= broken", ["TOML"]),
        ("duplicate = 1", ["duplicate", "true or false"]),
        ("format = 'groups'\ngroups = 40", ["groups = 40", "1 to 26"]),
        ("format = 'groups'\ngroups = 2", ["groups = 2", "2 entrants", "fewer groups"]),
        ("format = 'gauntlet'\nchampion = 7", ["champion = 7", "[0, 1]"]),
        ("rounds = 5", ["rounds = 5", "friday.toml", "round-robin", "use legs"]),
        ("format = 'swiss'\nlegs = 2", ["legs = 2", "use rounds"]),
        ("format = 'bracket'\nlegs = 2", ["legs = 2", "single-elimination", "use best_of"]),
        ("all_orders = true", ["all_orders = true", "it is for tables"]),
        ("groups = 3", ["groups = 3", "it is for groups"]),
        ("games = 4\nbest_of = 5", ["games = 4", "best_of = 5", "one of them"]),
    ],
)
def test_toml_slips_name_the_file_the_key_and_the_nearest_key(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    toml: str,
    words: list[str],
) -> None:
    """A file with a slip is refused before anything is called or written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friday.toml").write_text(toml)

    text = refused(monkeypatch, capsys, "run", "friday.toml", *A, *B)

    for word in words:
        assert word in text
    assert not list(tmp_path.glob("*.db"))


def test_windows_is_refused_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """At once, and not when the first bot is to be stopped."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.chdir(tmp_path)

    text = refused(monkeypatch, capsys, "run", *A, *B)

    assert text.startswith("error: the arena runs on Linux and macOS only; ")
    assert text.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_port_in_use_is_named(tmp_path: Path) -> None:
    """Serving on a taken port says which and how to choose another."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        bot = arena("bot", "simple", "--port", port)
        serve = arena("serve", "--db", tmp_path / "x.db", "--port", port)
        demo = arena("demo", "--db", tmp_path / "y.db", "--port", port)

    for done in (bot, serve, demo):
        assert done.returncode == 2, done
        assert str(port) in done.stderr
        assert "--port" in done.stderr
        assert "Traceback" not in done.stderr


def test_bot_that_does_not_play_the_game_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """The pairing is refused before the first hand, and the reason names bot and games."""
    done = arena(
        "run", "--bot", "a=sample:indian_simple", "--bot", "b=sample:simple", "--db",
        tmp_path / "x.db",
    )  # fmt: skip

    assert done.returncode == 2
    assert "'a' does not play gin" in done.stderr
    assert "commitment" not in done.stdout, "nothing has begun"


def test_every_command_has_help_with_an_example() -> None:
    """The help of each command shows how it is used."""
    for name in arena_cli.COMMANDS:
        found = CliRunner().invoke(arena_cli.cli, [name, "--help"])

        assert found.exit_code == 0, found.output
        assert f"arena {name}" in found.output or name == "demo"


def test_help_starts_fast_enough_to_be_used() -> None:
    """The top-level help imports none of the heavy libraries."""
    code = (
        "import sys; from arena.cli import cli\n"
        "try: cli.main(['--help'], standalone_mode=False)\n"
        "finally: print(sorted(m for m in sys.modules if m in "
        "{'flask', 'requests', 'rich', 'jsonschema', 'sqlite_utils', 'orjson', 'numpy'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True
    )

    assert done.stdout.rstrip().endswith("[]")


def test_resuming_nothing_says_what_there_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """No tournament, or one that is paused: neither is called finished."""
    database = tmp_path / "arena.db"
    bots = (BotSpec("a", "http://127.0.0.1:9"), BotSpec("b", "http://127.0.0.1:9"))
    database.touch()
    monkeypatch.setattr(sys, "argv", ["arena", "resume", "--db", str(database)])

    with pytest.raises(SystemExit):
        arena_cli.main()
    assert "holds no tournament" in capsys.readouterr().out
    assert "no tournament yet" in refused(monkeypatch, capsys, "verify", database)

    monkeypatch.setattr(sys, "argv", ["arena", "resume", "--db", str(database)])
    with Store(database) as store:
        made = create_tournament(store, TournamentConfig(name="Friday", bots=bots))
        store.tournaments.set_state(made.id, TournamentState.PAUSED)
    with pytest.raises(SystemExit):
        arena_cli.main()
    assert "'Friday' is paused" in capsys.readouterr().out
