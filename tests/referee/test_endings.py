"""Every ending that the protocol promises is sent to bots, and no other; unusual ones are said."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from arena.bot import BotView
from arena.referee.asks import Answer, Ask, Event, Reply
from arena.referee.players import Player
from arena.referee.verdicts import FaultCode
from arena.wire import schemas
from tests.referee.matches import (
    THREE,
    Steady,
    after,
    choosing,
    failing,
    idle,
    in_process,
    sensible,
    setup,
    watch,
)
from tests.samples import indian_simple

silent = failing(FaultCode.REFUSED)
dealt = in_process(indian_simple.bot)


def first_of(*kinds: str) -> Player:
    """Takes the first action of the first of these kinds that is offered, else plays sensibly."""

    def player(ask: Ask) -> Reply:
        legal: list[dict[str, str]] = ask.request["legal"]  # type: ignore[assignment]
        for kind in kinds:
            for one in legal:
                if one["kind"] == kind:
                    return Answer(one["id"], elapsed_ms=1.0)
        return sensible(ask)

    return player


class Patient(Steady):
    """Waits for gin, big gin before all."""

    def discard(self, view: BotView) -> str:
        """Big gin, else the throw that leaves least, as a knock where that is gin."""
        left = view.deadwood_after
        gins = [knock for knock in view.actions("knock") if not left[knock.card or ""]]
        ends = [*view.actions("big_gin"), *gins]
        return ends[0].id if ends else f"discard:{min(left, key=left.__getitem__)}"


patient = in_process(Patient())


def late_starter(ask: Ask) -> Reply:
    """Idle in the first hand of a game, sensible in all others."""
    return choosing(idle)(ask) if ask.request["hand"] == 1 else sensible(ask)


def declares_anyhow(ask: Ask) -> Reply:
    """Declares whatever it holds, as soon as it can."""
    legal: list[dict[str, str]] = ask.request["legal"]  # type: ignore[assignment]
    declared = [one["id"] for one in legal if one["kind"] == "declare"]
    return Answer((declared or [legal[0]["id"]])[0], elapsed_ms=1.0)


MATCHES: dict[str, tuple[dict[str, Any], Sequence[Player]]] = {
    "to the target": ({"games": 4, "target": 200}, (sensible, sensible)),
    "one hand": ({"max_hands": 1}, (sensible, sensible)),
    "dead hands": ({"max_hands": 1, "max_turns": 1}, (sensible, sensible)),
    "one dead hand": ({"max_hands": 1, "max_turns": 60}, (late_starter, late_starter)),
    "nobody knocks": ({"max_hands": 1}, (choosing(idle), choosing(idle))),
    "Hollywood": ({"columns": 3, "target": 50}, (sensible, sensible)),
    "ties": ({"games": 3, "undercut_on_tie": False}, (sensible, sensible)),
    "misdeals": (
        {"games": 5, "misdeal_if_knockable": True, "hand_size": 7, "max_turns": 1},
        (choosing(idle), choosing(idle)),
    ),
    "big gin": (
        {"hand_size": 7, "knock_limit": 0, "max_hands": 20, "target": 4000},
        (patient, patient),
    ),
    "nothing left": (
        {
            "rules": "round_the_corner",
            "hand_size": 7,
            "knock_limit": 0,
            "max_hands": 50,
            "target": 4000,
        },
        (patient, patient),
    ),
    "doubles refused": ({"rules": "doubling"}, (first_of("double"), first_of("refuse"))),
    "a pool": ({"rules": "indian_pool_101", "names": THREE}, (dealt, dealt, dealt)),
    "a drop": ({"rules": "indian_points"}, (first_of("drop"), dealt)),
    "one deal": ({"rules": "indian_points"}, (dealt, dealt)),
    "wrong": ({"rules": "indian_points"}, (declares_anyhow, declares_anyhow)),
    "strikes": ({"games": 3}, (sensible, after(40, sensible, silent))),
    "an absentee": ({"games": 3}, (sensible, silent)),
    "two absentees": ({"games": 3}, (silent, silent)),
}


@cache
def sent(match: str) -> frozenset[tuple[Event, str]]:
    """What ended in a match, and the ending that bots were told of it."""
    rules, players = MATCHES[match]
    return frozenset(
        (notice.event, notice.payload["result"]["ending"])  # type: ignore[index]
        for notice in watch(setup(**rules), players).notices
        if notice.event is not Event.START
    )


@pytest.mark.parametrize("event", [Event.HAND, Event.GAME, Event.MATCH])
def test_every_ending_of_the_schema_is_sent_and_no_other(event: Event) -> None:
    """What a bot's author reads of endings is what a bot will be told."""
    promised = schemas.documents()["defs"]["$defs"][f"{event}_ending"]["enum"]

    assert {code for match in MATCHES for of, code in sent(match) if of is event} == set(promised)


@pytest.mark.parametrize(
    ("rules", "players", "sentence"),
    [
        (*MATCHES["one hand"], "wins the game at the limit of 1 hand, "),
        (*MATCHES["one dead hand"], "wins the game in sudden death after 2 hands, "),
        (*MATCHES["dead hands"], "The game is drawn after 11 hands, 0–0."),
        (
            {"rules": "cutthroat", "names": THREE, "max_hands": 3},
            [sensible] * 3,
            "of 3 hands: Ann ",
        ),
        ({"target": 10}, (sensible, sensible), "wins the game, "),
    ],
)
def test_an_end_before_the_target_is_said(
    rules: dict[str, Any], players: Sequence[Player], sentence: str
) -> None:
    """Nobody wonders how 17 points won a game to 100."""
    (game,) = watch(setup(**rules), players).games

    assert sentence in game.sentence
