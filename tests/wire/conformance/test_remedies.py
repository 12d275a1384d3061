"""What is to be done about a fault, by what it says."""

from __future__ import annotations

import pytest

from arena.bot import BotView, Choice, FunctionBot
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.conformance import Status, check
from arena.wire.conformance.remedies import remedy
from arena.wire.signing import new_secret
from tests.faulty_bots import FaultyBot, Talk
from tests.faulty_talk import http
from tests.wire.conformance.checking import found, only, safe, steps_of


@pytest.mark.parametrize(
    ("status", "fix"),
    [
        (201, "answer with status 200"),
        (204, "204 has no body"),
        (400, "answer with status 200"),
        (401, "compare the secrets"),
        (404, "serve this path"),
        (500, "look at the bot's log"),
        (501, "serve this path"),
    ],
)
def test_each_status_has_its_own_advice(status: int, fix: str) -> None:
    """By the whole number, not by its end."""
    fault = BotFault(FaultCode.BAD_STATUS, f"status {status} -; answer with 200")

    assert fix in remedy(fault, "", "")


def test_a_signed_bot_without_the_secret_is_told_where_it_goes() -> None:
    """There are no two secrets to compare."""
    bot = FunctionBot(safe, games=("wikipedia",))
    steps = steps_of(bot, only("Decisions by phase"), secrets=[new_secret()])
    failed = [step for step in steps if step.status is Status.FAILED]

    assert failed
    assert all("ARENA_BOT_SECRET" in step.fix for step in failed)
    assert len({step.cause for step in failed}) == 1


@pytest.mark.parametrize("melds", [(("2C", "3C", "4C"),), (("KD", "2H", "9S"),)])
def test_stated_melds_that_do_not_hold_are_not_a_matter_of_legal_actions(
    melds: tuple[tuple[str, ...], ...],
) -> None:
    """Not held, or no meld."""

    def bluffs(view: BotView) -> str | Choice:
        knocks = view.actions("knock")
        return Choice(knocks[0].id, melds) if knocks else view.safe

    rare = only("Decisions with special actions")
    steps = steps_of(FunctionBot(bluffs, games=("wikipedia",)), rare)

    assert "leave `melds` out" in found(steps, "when knocking is possible").fix


def test_a_bot_that_refuses_unknown_fields_is_told_to_ignore_them() -> None:
    """The advice of the step stands, not that of the status."""

    def strict(talk: Talk) -> None:
        if any("weather" in one for one in talk.request.json["requests"]):
            return talk.send(http(b"{}", "400 Bad Request"))
        return talk.send(http(talk.good()))

    with FaultyBot(strict, games=("wikipedia",)) as bot:
        step = found(list(check(bot.url, only("Robustness"))), "tolerates unknown fields")

    assert step.status is Status.FAILED
    assert "ignore what you do not know" in step.fix
