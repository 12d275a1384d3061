"""Classes and functions as bots."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import pytest

import arena.bot
from arena.bot import Bot, BotView, Choice, FunctionBot, answer, as_bot, from_function
from arena.errors import UsageError
from arena.rules.base import Phase

Requests = Callable[..., dict[str, Any]]


class Drawer(Bot):
    """Overrides one phase only."""

    name = "drawer"

    def draw(self, view: BotView) -> str:
        """Always the upcard."""
        return "draw:discard"


def test_each_phase_of_the_protocol_has_a_method() -> None:
    """A phase without a method would silently be played safe."""
    assert set(Bot.PHASES) == set(Phase) - {Phase.OVER}
    assert all(callable(getattr(Bot, phase)) for phase in Bot.PHASES)


def test_a_method_answers_its_phase_and_the_others_play_safe(make_request: Requests) -> None:
    """Only what was overridden differs from the first legal action."""
    bot = Drawer()

    assert answer(bot, make_request(phase="draw")) == {"id": "m_1-1-3-12", "action": "draw:discard"}
    for phase in set(Bot.PHASES) - {"draw"}:
        assert answer(bot, make_request(phase=phase))["action"] == "discard:AC"


def test_a_phase_of_a_later_protocol_is_played_safe(make_request: Requests) -> None:
    """An unknown phase gets the first legal action."""
    assert answer(Drawer(), make_request(phase="auction"))["action"] == "discard:AC"


def test_the_dealer_is_asked_like_the_others_about_the_first_upcard(
    make_request: Requests,
) -> None:
    """One method answers both questions unless both are overridden."""

    class Passer(Bot):
        def first_upcard(self, view: BotView) -> str:
            return "pass"

    assert answer(Passer(), make_request(phase="first_upcard_dealer"))["action"] == "pass"


def test_a_choice_carries_melds_and_note(make_request: Requests) -> None:
    """Melds travel as lists of cards, a note is cut at 256 characters."""

    @from_function(name="knocker", games=["gin"])
    def knocker(view: BotView) -> Choice:
        return Choice("knock:KS", (("AC", "2C", "3C"),), "x" * 300)

    assert answer(knocker, make_request()) == {
        "id": "m_1-1-3-12",
        "action": "knock:KS",
        "melds": (("AC", "2C", "3C"),),
        "note": "x" * 256,
    }
    assert knocker.info()["games"] == ["gin"]


def test_a_plain_function_is_a_bot(make_request: Requests) -> None:
    """A function becomes a bot that has its name and plays all games."""

    def first_choice(view: BotView) -> str:
        return view.safe

    bot = as_bot(first_choice)

    assert isinstance(bot, FunctionBot)
    assert (bot.name, list(bot.games)) == ("first choice", ["*"])
    assert as_bot(bot) is bot


def test_unknown_details_are_refused() -> None:
    """A misspelt detail is an error at once and not a bot with a default."""
    with pytest.raises(TypeError, match="max_bach"):
        from_function(max_bach=3)(lambda view: view.safe)


def test_an_answer_that_is_none_is_refused(make_request: Requests) -> None:
    """Forgetting to return says what is wrong."""

    class Forgetful(Bot):
        name = "forgetful"

        def discard(self, view: BotView) -> Any:
            return None

    with pytest.raises(TypeError, match=r"discard\(\) of forgetful returned None; did you forget"):
        answer(Forgetful(), make_request())


def test_info_has_optional_fields_only_when_set() -> None:
    """Colour and homepage are left out rather than null."""
    bot = FunctionBot(lambda view: view.safe, name="x", color="#112233")

    assert bot.info() == {
        "protocols": ["1.0"],
        "name": "x",
        "author": "anonymous",
        "version": "1.0",
        "games": ["*"],
        "max_batch": 16,
        "max_concurrency": 4,
        "color": "#112233",
    }


def test_the_sdk_imports_nothing_heavy() -> None:
    """A bot starts at once: no Flask, no requests, no database, no schema validator."""
    heavy = ("flask", "requests", "sqlite3", "jsonschema", "jinja2", "rich", "click")
    code = (
        "import sys, arena.bot, arena.sample_bots.simple\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_the_example_in_the_documentation_is_a_bot(make_request: Requests) -> None:
    """The first thing an author copies works, and is short."""
    assert arena.bot.__doc__ is not None
    example = textwrap.dedent(arena.bot.__doc__.partition("::\n\n")[2].rpartition("\n\n")[0])
    names: dict[str, Any] = {"__name__": "my_bot"}
    exec(example, names)
    bot = names["Careful"]()
    knock = [{"id": "knock:KS", "kind": "knock", "card": "KS"}]
    request = make_request()

    assert len([line for line in example.splitlines() if line.strip()]) < 15
    assert answer(bot, request)["action"] == "discard:AC"
    assert answer(bot, {**request, "legal": request["legal"] + knock})["action"] == "knock:KS"


class Classy(Bot):
    """A bot that is handed over as a class in a test."""


@pytest.mark.parametrize(
    ("player", "told"),
    [
        (Classy, r"Classy is a class; make a bot of it: Classy\(\)"),
        (FunctionBot(lambda view: view.safe, games="gin"), r"write games = \('gin',\)"),
    ],
)
def test_what_is_no_bot_is_refused_at_once(player: Any, told: str) -> None:
    """Before it serves a single request wrongly."""
    with pytest.raises(UsageError, match=told):
        as_bot(player)
