"""The reference for bot authors names everything that they can use, and what it shows runs."""

from __future__ import annotations

import re
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from arena.bot import Bot, BotView, GinBot, LegalAction, PlayerView, run
from arena.bot.practice import DuelResult, duel

TEXT = files("arena.sample_bots").joinpath("README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The part of the reference under a heading."""
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def public(thing: type) -> set[str]:
    """Names that an author may use."""
    return {name for name in dir(thing) if not name.startswith("_")}


def documented(text: str) -> set[str]:
    """Names in the first cell of a table's rows."""
    cells = re.findall(r"^\| (`.*?`) \|", text, re.MULTILINE)
    return set(re.findall(r"`(\w+)", " ".join(cells)))


def test_all_of_the_view_is_documented() -> None:
    """Every property and helper has its row, and no row names what is not there."""
    assert documented(section("BotView")) == public(BotView) | {"request", "phase"}


def test_all_of_both_bots_is_documented() -> None:
    """Attributes and hooks; those that a GinBot has from Bot stand there."""
    assert documented(section("Bot")) == public(Bot)
    assert documented(section("GinBot")) == public(GinBot) - public(Bot)


@pytest.mark.parametrize("one", [LegalAction, PlayerView])
def test_small_records_are_documented_field_by_field(
    one: type[LegalAction] | type[PlayerView],
) -> None:
    """In their order, as they are made."""
    assert f"{one.__name__}({', '.join(one._fields)})" in TEXT


def test_every_option_of_a_bots_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """What ``--help`` lists."""
    with pytest.raises(SystemExit):
        run(Bot(), ["--help"])
    options = set(re.findall(r"--[a-z]+", capsys.readouterr().out)) - {"--help"}

    assert options == set(re.findall(r"--[a-z]+", section("Serve and check it")))


def test_what_it_shows_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bots are bots, the duel is fought, and the lost hand is a test that passes."""
    first, function, practice, lost = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "mine.py").write_text(first)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    printed: list[object] = []
    names: dict[str, object] = {"__name__": "shown"}
    exec(function, names)

    exec(practice.replace("pairs=200", "pairs=3"), {"print": printed.append})

    tests: dict[str, Any] = {}
    exec(lost, tests)
    tests["test_throws_the_highest_card_first"]()

    assert isinstance(names["bot"], Bot)
    assert duel(names["bot"], Bot(), pairs=1).mean == 0
    assert isinstance(printed[0], DuelResult)
    sys.modules.pop("mine")
