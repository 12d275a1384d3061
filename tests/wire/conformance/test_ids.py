"""Requests of a check are those of a match: an id is one decision, and a match has one seat."""

from __future__ import annotations

from typing import Any

from arena.bot import Bot, BotView, FunctionBot
from arena.wire.conformance import Options, Status, passed
from tests.wire.conformance.checking import safe, steps_of, titles

CLOCK = {"bank_ms", "last_latency_ms", "last_status", "weather", "z_new"}


def test_no_id_stands_for_two_decisions_and_no_match_has_two_seats() -> None:
    """But for the fields of a clock, which a step changes on purpose."""
    asked: dict[str, dict[str, Any]] = {}
    seats: dict[str, set[int]] = {}

    def notes(view: BotView) -> str:
        request = {name: value for name, value in view.request.items() if name not in CLOCK}
        assert asked.setdefault(request["request_id"], request) == request
        seats.setdefault(request["match"], set()).add(request["seat"])
        return view.safe

    steps = steps_of(FunctionBot(notes, games=("gin", "oklahoma")), Options(play=4))

    assert titles(steps, Status.FAILED) == set()
    assert len(asked) > 100
    assert {match: found for match, found in seats.items() if len(found) > 1} == {}


def test_a_bot_that_remembers_its_answers_by_id_passes() -> None:
    """The protocol says: answer the same id the same way."""

    class Remembers(Bot):
        games = ("gin", "oklahoma", "tedesco")

        def __init__(self) -> None:
            self.answers: dict[str, str] = {}

        def choose(self, view: BotView) -> str:
            return self.answers.setdefault(view.request["request_id"], safe(view))

    assert passed(steps_of(Remembers()))
