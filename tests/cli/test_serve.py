"""What ``arena serve`` tells before it serves."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.store import Store


def told(monkeypatch: pytest.MonkeyPatch, database: Path, *options: str) -> str:
    """What it prints, without serving anything."""
    monkeypatch.setattr("arena.site.serve.serve", lambda *_, **__: None)
    done = CliRunner().invoke(cli, ["serve", "--db", str(database), *options])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize(
    "options",
    [("--host", "0.0.0.0"), ("--host", "::"), ("--base-url", "https://arena.example.org")],
)
def test_arena_that_others_reach_says_who_may_enter_bots(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """And both ways on: invitations, or --public."""
    with Store(tmp_path / "a.db"):
        pass

    output = told(monkeypatch, tmp_path / "a.db", *options)

    assert output.count("note:") == 1
    assert "arena organiser" in output
    assert "--public" in output
    assert told(monkeypatch, tmp_path / "a.db", *options, "--public") == ""


def test_arena_on_ones_own_machine_says_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody else reaches it."""
    with Store(tmp_path / "a.db"):
        pass

    assert told(monkeypatch, tmp_path / "a.db") == ""
    assert told(monkeypatch, tmp_path / "a.db", "--host", "localhost") == ""


def test_database_that_others_may_read_is_pointed_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Once, with the command that ends it, and the file is left as it is."""
    database = tmp_path / "a.db"
    with Store(database):
        pass
    database.chmod(0o644)

    output = told(monkeypatch, database)

    assert output.count("note:") == 1
    assert f"chmod 600 {database}" in output
    assert database.stat().st_mode & 0o777 == 0o644
