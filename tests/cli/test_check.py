"""``arena check`` of bots that it starts itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import cli
from arena.wire.conformance import edges

RAISES = """
from arena.bot import Bot, run


class Raises(Bot):
    games = ("wikipedia",)

    def discard(self, view):
        return view.hand[99]


run(Raises())
"""


@pytest.fixture(autouse=True)
def _no_long_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause of the keep-alive step is shortened."""
    monkeypatch.setattr(edges, "IDLE_S", 0.05)


def checked(*arguments: str) -> Result:
    """The outcome of the command."""
    return CliRunner().invoke(cli, ["check", *arguments])


def test_a_sample_bot_is_started_and_checked() -> None:
    """As a JSON document, when a program asks."""
    done = checked("sample:random_bot", "--json")

    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["passed"] is True


def test_a_bots_file_is_started_and_its_own_words_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path as in ``arena run``; the exception stands below the report."""
    (tmp_path / "raises.py").write_text(RAISES)
    monkeypatch.chdir(tmp_path)
    done = checked("python:raises.py")

    assert done.exit_code == 1
    assert "look at the bot's log" in done.stdout
    assert "return view.hand[99]" in done.stderr
    assert "IndexError" in done.stderr


def test_what_cannot_be_started_is_a_usage_error() -> None:
    """Exit code 2 and a hint, as in ``arena run``."""
    done = checked("sample:kean")

    assert done.exit_code != 0
    assert "did you mean 'keen'" in done.output + str(done.exception)


def test_hands_against_a_sample_bot_are_told_in_every_game() -> None:
    """Won, lost and points stand on the screen, for Indian rummy too."""
    done = checked("sample:indian_simple", "--play", "2")

    assert done.exit_code == 0, done.output
    assert "2 hands: won " in done.stdout
