"""The simulator's README says what is true: its examples run, and its names exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arena.sim
from arena.bot import BotServer, BotView
from arena.sim import Hands, planes, shuffled_orders
from arena.wire.conformance import Options, check, edges, passed, report_text
from tests.sim.players import requests_of_a_game

README = (Path(arena.sim.__file__).parent / "README.md").read_text(encoding="utf-8")
FIRST, PLAYER, SEARCH = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def run(code: str) -> dict[str, Any]:
    """What an example leaves behind."""
    names: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), names)
    return names


def test_the_first_run_shows_that_sense_beats_chance(capsys: pytest.CaptureFixture[str]) -> None:
    """Two lines, the first about a player that wins nearly always."""
    run(FIRST)
    simple, chance = capsys.readouterr().out.splitlines()

    assert re.fullmatch(r"simple: \d+\.\d points a hand, won (9\d|100)%", simple)
    assert re.fullmatch(r"random: \d\.\d points a hand, won \d%", chance)


def test_the_player_plays_its_hands_to_the_end() -> None:
    """And differs from the one that it is made of: it lets some hands run out."""
    over = run(PLAYER)["over"]

    assert len(over) == 500
    assert not over.live.any()


def test_the_searching_bot_chooses_what_is_legal() -> None:
    """In the first decisions of a game."""
    bot = run(SEARCH)["Searching"]()
    for request in requests_of_a_game()[:6]:
        view = BotView(request)

        assert bot.choose(view) in {each.id for each in view.legal}


def test_the_searching_bot_passes_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """It claims what the simulator plays, and no more."""
    monkeypatch.setattr(edges, "IDLE_S", 0.05)
    with BotServer(run(SEARCH)["Searching"]()) as server:
        steps = list(check(server.url, Options(deadline_ms=5000)))

    assert passed(steps), report_text(steps)
    assert "1 variant" in [step.detail for step in steps]


def test_names_in_the_readme_exist() -> None:
    """The constants that are named, and the functions that are called."""
    constants = set(re.findall(r"`([A-Z][A-Z_]{3,})", README))
    functions = set(re.findall(r"`([a-z_]+)\(", README))

    assert len(constants) > 6
    assert constants <= set(arena.sim.__all__)
    assert len(functions) > 5
    assert functions <= set(arena.sim.__all__)


def test_sizes_in_the_readme_hold() -> None:
    """Bytes of a hand, and of its mask and planes, to the nearest ten."""
    hands, shown = map(
        int, re.findall(r"takes (\d+) bytes, its mask and planes (\d+) more", README)[0]
    )
    batch = Hands.deal(shuffled_orders(100, np.random.default_rng(1)))
    arrays = [getattr(batch, name) for name in Hands.__slots__]

    assert sum(each.nbytes for each in arrays if isinstance(each, np.ndarray)) // 1000 * 10 == hands
    assert round(batch.legal().nbytes + planes(batch).nbytes, -3) // 100 == shown
