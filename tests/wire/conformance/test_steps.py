"""Which steps a check has, how long it may take, and what good bots and no bots get."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from arena.bot import BotServer, BotView, FunctionBot
from arena.errors import ConfigError
from arena.wire.addresses import Address, Resolver
from arena.wire.conformance import Options, Status, all_checks, check, passed, run, visit
from arena.wire.transport import WireOptions
from tests.faulty_bots import Behaviour, FaultyBot
from tests.wire.conformance.checking import only, safe, steps_of, titles


def test_steps_are_many_numbered_and_distinct() -> None:
    """The same at least forty steps for every bot, so that a number means the same everywhere."""
    known = [(one.section, one.title) for one in all_checks()]

    assert len(known) >= 40
    assert len(set(known)) == len(known)
    assert all(one.fix and one.fix[-1] not in ".!" for one in all_checks())


class _BothFamilies(Resolver):
    """``localhost`` as many systems know it: the address of the newer protocol comes first."""

    def addresses(self, host: str, port: int, left_s: Callable[[], float]) -> Sequence[Address]:
        """Both."""
        return (
            Address(socket.AF_INET6, "::1", port),
            Address(socket.AF_INET, "127.0.0.1", port),
        )


def test_a_bot_is_found_at_whichever_address_of_its_host_it_listens() -> None:
    """Matches find it there as well: what listens at the second address is as good a bot."""
    wire = WireOptions(resolver=_BothFamilies())
    with BotServer(FunctionBot(safe, name="safe")) as server:
        steps = list(check(f"http://localhost:{server.port}", Options(wire=wire)))

    assert titles(steps, Status.FAILED) == set()
    assert titles(steps, Status.WARNING) == set()


def test_a_good_bot_passes_without_a_warning() -> None:
    """A bot that plays safe in every game passes all steps but those about signatures and play."""
    steps = steps_of(FunctionBot(safe, name="safe"))

    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert titles(steps, Status.FAILED) == titles(steps, Status.WARNING) == set()
    skipped = {step.section for step in steps if step.status is Status.SKIPPED}
    assert skipped == {"Signatures", "Play"}
    assert passed(steps)


def test_games_that_are_not_claimed_are_skipped() -> None:
    """A bot for Indian rummy is asked about nothing else."""
    asked: set[str] = set()

    def notes(view: BotView) -> str:
        asked.add(view.variant)
        return view.safe

    steps = steps_of(FunctionBot(notes, games=("indian",)))

    assert titles(steps, Status.FAILED) == set()
    assert "when declaring is possible" in titles(steps, Status.PASSED)
    assert "plays whole hands of two-handed gin" in titles(steps, Status.SKIPPED)
    assert asked
    assert all(name.startswith("indian") for name in asked)


def test_nobody_there_is_one_failure_and_the_rest_skipped() -> None:
    """A dead address is found out at once and does not cost a timeout a step."""
    with BotServer(FunctionBot(safe)) as server:
        url = server.url
    begin = time.monotonic()
    steps = list(check(url))

    assert steps[0].status is Status.FAILED
    assert steps[0].detail.startswith("refused")
    assert titles(steps[1:], Status.SKIPPED) == {step.title for step in steps[1:]}
    assert time.monotonic() - begin < 2


@pytest.mark.parametrize("url", ["", "not a url", "ftp://x", "http://"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    """That is the caller's mistake and no finding about a bot."""
    with pytest.raises(ConfigError):
        check(url)


def test_a_bot_that_always_times_out_does_not_take_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After some steps in a row that ran out of time the rest is skipped."""
    monkeypatch.setattr(visit, "RAW_MS", 300.0)
    with FaultyBot(Behaviour.SILENT) as bot:
        steps = list(check(bot.url, Options(deadline_ms=50)))

    assert sum("no complete answer within" in step.detail for step in steps) < 3 * run.GIVE_UP
    assert steps[-1].detail == f"{run.GIVE_UP} steps in a row ran out of time"


def test_the_time_of_a_whole_check_is_limited() -> None:
    """When the limit is reached, what is left is unfinished for that reason."""
    steps = steps_of(FunctionBot(safe, games=("wikipedia",)), Options(limit_s=0.0))

    late = [step for step in steps if step.status is Status.UNFINISHED]
    assert {step.detail for step in late} == {run.USED_UP}
    assert len(late) > 70


def test_hands_are_played_against_an_opponent() -> None:
    """With a number of hands to play, the last step tells who won them."""

    def knocks(view: BotView) -> str:
        ways = view.actions("big_gin") + view.actions("knock")
        return ways[0].id if ways else min(view.discards, key=view.deadwood_without, default="")

    def good(view: BotView) -> str:
        choice = knocks(view) if view.phase == "discard" else view.safe
        return f"discard:{choice}" if choice in view.discards else choice

    steps = steps_of(FunctionBot(good, games=("wikipedia",)), only("Play", play=4))

    assert steps[-1].status is Status.PASSED
    assert steps[-1].detail.startswith("4 hands: won 3, lost 0, +")


def test_the_opponent_is_asked_with_its_own_requests() -> None:
    """The opponent gets the requests of its seat and nothing of the bot's."""
    seats: set[int] = set()

    def opponent(request: Mapping[str, Any]) -> Mapping[str, Any]:
        seats.add(request["seat"])
        return {"id": request["request_id"], "action": request["legal"][0]["id"]}

    options = only("Play", play=2, opponent=opponent)
    steps = steps_of(FunctionBot(safe, games=("wikipedia",)), options)

    assert steps[-1].status is Status.PASSED
    assert seats == {0, 1}
