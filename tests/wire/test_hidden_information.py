"""The bytes sent to a seat never hold a card that it may not know, in any phase of any game.

The truth comes from replaying the record of each hand and asking the engine where every card is;
the bytes are those that the lanes send. Nothing of the view code is trusted.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import re
from collections.abc import Callable, Sequence

import pytest

from arena.referee.asks import Answer, Ask, Notice
from arena.referee.match import HandPlayed, Step
from arena.referee.players import Player, run_match
from arena.rules.base import Hand
from arena.rules.games import all_variants, find_variant
from arena.rules.record import parse, replay
from arena.wire.messages import act_body, end_body
from tests.referee.matches import sensible, setup

CARD = re.compile(rb"[A2-9TJQK][CDHS]|JK")
STANDARD_HANDS = 2000
OTHER_HANDS = 8


def cards_in(body: bytes) -> set[str]:
    """Every card that is named anywhere in these bytes: values, ids, log, legal actions."""
    return {found.decode() for found in CARD.findall(body)}


def chance(ask: Ask) -> Answer:
    """Any legal action but for dropping and refusing, which would end most hands at once."""
    legal: list[dict[str, str]] = ask.request["legal"]  # type: ignore[assignment]
    kept = [one["id"] for one in legal if one["kind"] not in ("drop", "refuse", "declare")]
    choice = random.Random(ask.request_id).choice(kept or [one["id"] for one in legal])
    return Answer(choice, elapsed_ms=1.0)


class EnoughError(Exception):
    """As many hands were watched as were wanted."""


class Watcher:
    """Collects the bytes of a hand and checks them against the truth when the hand is over."""

    def __init__(self, wanted: int) -> None:
        self.hands = 0
        self._wanted = wanted
        self.phases: set[str] = set()
        self._sent: list[tuple[int, int, bytes]] = []

    def __call__(self, step: Step) -> None:
        """Take one step of the referee."""
        if isinstance(step, Ask):
            position, turn = step.request["position"], step.request["turn"]
            assert isinstance(position, int)
            assert isinstance(turn, int)
            self.phases.add(str(step.request["phase"]))
            self._sent.append((position, turn, act_body([step.request])))
        elif isinstance(step, HandPlayed):
            self._check(step)
            self._sent.clear()
            self.hands += 1
            if self.hands == self._wanted:
                raise EnoughError
        elif isinstance(step, Notice) and step.path == "/end":
            # Cards are shown when the hand is over, and only those of that hand.
            body = end_body(step.payload)
            assert step.payload["event"] == "hand" or not cards_in(body)

    def _check(self, played: HandPlayed) -> None:
        states: Sequence[Hand] = list(replay(parse(played.record)))
        seen: set[str] = set()
        seen_at: list[set[str]] = []
        for state in states:
            places = state.cards_by_place()
            for place, cards in places.items():
                if not place.startswith("hand") and place not in ("stock", "out"):
                    seen.update(cards)
            seen_at.append(set(seen))
        for position, turn, body in self._sent:
            own = set(states[turn].cards_by_place()[f"hand{position}"])
            secret = cards_in(body) - own - seen_at[turn]
            assert not secret, f"position {position}, turn {turn} was sent {secret}: {body!r}"


def play(rules: str, seats: int, hands: int, player: Callable[[int], Player]) -> Watcher:
    """Play matches of this game until so many hands were watched."""
    watcher = Watcher(hands)
    names = [f"Bot {seat}" for seat in range(seats)]
    with contextlib.suppress(EnoughError):
        for match in itertools.count():
            run_match(
                setup(rules=rules, names=names, deal_key=f"{rules} {match}", games=1),
                [player(seat) for seat in range(seats)],
                watch=watcher,
            )
    return watcher


def test_two_thousand_hands_of_the_standard_game() -> None:
    """Sensible and random bots, every phase of the standard game, every body scanned."""
    watcher = play("gin", 2, STANDARD_HANDS // 2, lambda seat: sensible)
    mixed = play("gin", 2, STANDARD_HANDS // 2, lambda seat: (sensible, chance)[seat])

    assert watcher.hands + mixed.hands >= STANDARD_HANDS
    phases = {"first_upcard", "first_upcard_dealer", "forced_stock", "draw", "discard"}
    assert watcher.phases | mixed.phases == phases


def test_a_separate_knock_card_is_told_to_everybody_throughout() -> None:
    """It was turned on top of the stock for all to see; the bytes name it, and no other of it."""
    told: set[object] = set()
    checked: list[int] = []

    def watch(step: Step) -> None:
        watcher(step)
        if isinstance(step, Ask):
            told.add(step.request["knock_card"])
        elif isinstance(step, HandPlayed):
            dealt = next(iter(replay(parse(step.record))))
            assert told == set(dealt.cards_by_place()["knock_card"])
            checked.append(len(told))
            told.clear()

    watcher = Watcher(OTHER_HANDS)
    with contextlib.suppress(EnoughError):
        match = setup(rules="oklahoma_separate", names=["Ann", "Ben"], games=1)
        run_match(match, [chance, chance], watch=watch)

    assert checked
    assert set(checked) == {1}


@pytest.mark.parametrize("name", [variant.name for variant in all_variants()])
def test_every_other_game_with_fewest_and_most_seats(name: str) -> None:
    """Three- and six-handed forms included."""
    variant = find_variant(name)
    for seats in sorted(set(variant.family.players(variant.rules))):
        watcher = play(name, seats, OTHER_HANDS, lambda seat: chance)
        assert watcher.hands >= OTHER_HANDS
        assert len(watcher.phases) >= 2
