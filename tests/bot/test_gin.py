"""The frame for gin bots: which questions it asks in which phase."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from arena.bot import BotView, GinBot, answer
from arena.rules.games import all_variants, claims_of
from arena.wire.messages import BotInfo

Requests = Callable[..., dict[str, Any]]

KNOCKABLE = "AC 2C 3C 4C 5D 6D 7D 9H 9S 9C KS"


class Yes(GinBot):
    """Wants every discard, every knock and every double."""

    name = "yes"

    def wanted_discard(self, view: BotView) -> str | None:
        """The first one."""
        return next(iter(view.takeable), None)

    def wants_to_double(self, view: BotView) -> bool:
        """Always."""
        return True


class No(GinBot):
    """Wants nothing."""

    name = "no"

    def wants_to_knock(self, view: BotView, card: str) -> bool:
        """Never."""
        return False

    def accepts_double(self, view: BotView) -> bool:
        """Never."""
        return False


def legal(*ids: str) -> list[dict[str, str]]:
    """Legal actions with these ids."""
    found = []
    for id in ids:
        kind, _, card = id.partition(":")
        found.append({"id": id, "kind": kind})
        if kind in ("discard", "knock"):
            found[-1]["card"] = card
    return found


@pytest.mark.parametrize(
    ("phase", "offered", "yes", "no"),
    [
        ("first_upcard", ("pass", "draw:discard"), "draw:discard", "pass"),
        ("first_upcard_dealer", ("pass", "draw:discard", "double"), "double", "pass"),
        ("forced_stock", ("draw:stock",), "draw:stock", "draw:stock"),
        ("forced_stock", ("draw:stock", "double"), "double", "draw:stock"),
        ("draw", ("draw:stock", "draw:discard"), "draw:discard", "draw:stock"),
        ("draw", ("draw:stock", "draw:discard", "double"), "double", "draw:stock"),
        ("answer_double", ("accept", "refuse"), "accept", "refuse"),
        ("last_discard", ("pass", "draw:discard"), "draw:discard", "draw:discard"),
        ("last_discard", ("pass",), "pass", "pass"),
    ],
)
def test_each_question_decides_its_phase(
    make_request: Requests, phase: str, offered: tuple[str, ...], yes: str, no: str
) -> None:
    """Before the draw: the answers of a bot that wants everything and of one that wants nothing."""
    request = make_request(KNOCKABLE, phase=phase, legal=legal(*offered))

    assert answer(Yes(), request)["action"] == yes
    assert answer(No(), request)["action"] == no


def test_a_knock_throws_the_card_that_leaves_least_and_shows_the_melds(
    make_request: Requests,
) -> None:
    """Of several knocks the one with the least deadwood; the king goes, the four stays."""
    offered = legal("discard:KS", "discard:4C", "knock:KS", "knock:4C")
    request = make_request(KNOCKABLE, legal=offered)

    assert answer(Yes(), request) == {
        "id": request["request_id"],
        "action": "knock:KS",
        "melds": (("AC", "2C", "3C", "4C"), ("9C", "9H", "9S"), ("5D", "6D", "7D")),
    }
    assert answer(No(), request)["action"] == "discard:KS"


def test_big_gin_is_always_taken(make_request: Requests) -> None:
    """Nothing brings more."""
    request = make_request(KNOCKABLE, legal=legal("discard:KS", "knock:KS", "big_gin"))

    assert answer(No(), request)["action"] == "big_gin"


def test_where_only_knocks_are_legal_one_is_chosen(make_request: Requests) -> None:
    """After the last discard was taken there is no other way, wanted or not."""
    request = make_request(KNOCKABLE, legal=legal("knock:KS", "knock:4C"))

    assert answer(No(), request)["action"] == "knock:KS"


def test_the_frame_claims_every_game_with_gin_hands() -> None:
    """All but Mahjong gin and Indian rummy, whose hands are others."""
    info = BotInfo("x", "x", "1", tuple(GinBot.games), 1, 1)
    others = {
        variant.family.name for variant in all_variants() if not info.plays(*claims_of(variant))
    }

    assert others == {"mahjong", "indian"}
