"""What an author reads on stderr when the bot goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from arena.bot import Bot, BotView, FunctionBot, GinBot, answer
from arena.bot.app import BotApp
from arena.bot.base import misspelt_hooks
from arena.bot.mistakes import MAX_LOGGED, Mistakes
from tests.bot.calling import act

Requests = Callable[..., dict[str, Any]]


def test_an_exception_is_told_once_and_then_counted(
    make_request: Requests, capsys: pytest.CaptureFixture[str]
) -> None:
    """A thousand times the same is a few lines."""

    def broken(view: BotView) -> str:
        raise ValueError(f"no idea about {view.request_id}")

    app = BotApp(FunctionBot(broken))
    for number in range(1000):
        act(app, make_request(request_id=f"r-{number}"))
    lines = capsys.readouterr().err.splitlines()

    assert sum("ValueError: no idea" in line for line in lines) == 4
    assert lines[-1] == "broken same again ×1000: ValueError: no idea about r-999"
    assert len(lines) < 10


def test_only_the_authors_lines_are_shown(
    make_request: Requests, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither the frames that lead to the bot nor those of the view under it."""
    app = BotApp(FunctionBot(lambda view: view.without("JK")[0], name="picky"))

    act(app, make_request())
    text = capsys.readouterr().err

    assert text.startswith("picky (mistake 1) failed\n")
    assert text.count('File "') == 1
    assert __file__ in text
    assert "ValueError: list.remove(x): x not in list" in text


def test_different_mistakes_are_told_each_up_to_a_limit(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A bot that finds ever new ways fills no disk either."""
    mistakes = Mistakes("inventive")
    for number in range(1000):
        mistakes.chose(f"way{number}:7H", "draw", "r")
    lines = capsys.readouterr().err.splitlines()

    assert sum("chose" in line for line in lines) == MAX_LOGGED
    assert lines[-1] == "inventive same again ×100: (other mistakes)"


def test_a_forgotten_return_names_the_method(make_request: Requests) -> None:
    """The method in which it is missing, whoever calls it."""

    class Forgetful(Bot):
        name = "none"

        def first_upcard(self, view: BotView) -> Any:
            view.deadwood()

        discard = first_upcard

    class Gin(GinBot):
        name = "none"

        def unwanted_card(self, view: BotView) -> Any:
            view.deadwood()

    def forgets(view: BotView) -> Any:
        view.deadwood()

    request = make_request(legal=[{"id": "discard:KS", "kind": "discard", "card": "KS"}])
    first = make_request(phase="first_upcard_dealer")
    for bot, asked, name in (
        (Forgetful(), request, "discard"),
        (Forgetful(), first, "first_upcard"),
        (Gin(), request, "unwanted_card"),
        (FunctionBot(forgets, name="none"), request, "forgets"),
    ):
        with pytest.raises(TypeError) as caught:
            answer(bot, asked)
        assert str(caught.value).startswith(f"{name}() of none returned None")
        assert str(caught.value).endswith("; did you forget `return`?")


class Misspelt(GinBot):
    """Nobody calls its discards."""

    def dicard(self, view: BotView) -> str:
        return view.safe

    def unwanted_cart(self, view: BotView) -> str:
        return view.safe

    def draw(self, view: BotView) -> str:
        return view.safe

    def strategy(self, view: BotView) -> str:
        return view.safe

    def _discards(self, view: BotView) -> str:
        return view.safe


def test_a_misspelt_method_is_pointed_out() -> None:
    """Hooks, helpers of other names, and private methods are not."""
    assert misspelt_hooks(Misspelt()) == [
        "Misspelt.dicard is no method that the arena calls; did you mean 'discard'?",
        "Misspelt.unwanted_cart is no method that the arena calls; did you mean 'unwanted_card'?",
    ]
    assert misspelt_hooks(FunctionBot(lambda view: view.safe)) == []


@pytest.mark.parametrize("name", ["random_bot", "simple", "greedy", "keen", "mahjong_simple"])
def test_no_sample_bot_is_suspected(name: str) -> None:
    """Warnings are for mistakes."""
    import importlib

    assert misspelt_hooks(importlib.import_module(f"arena.sample_bots.{name}").bot) == []


def test_batches_log_their_failures_too(
    make_request: Requests, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two failing decisions of a batch are one mistake, told once."""

    def broken(view: BotView) -> str:
        raise KeyError(view.request_id)

    app = BotApp(FunctionBot(broken))
    reply = act(app, make_request(request_id="a"), make_request(request_id="b"))

    assert orjson.loads(reply.body)["error"].startswith("the bot raised KeyError")
    assert capsys.readouterr().err.count("raise KeyError") == 1
