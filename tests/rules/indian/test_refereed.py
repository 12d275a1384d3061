"""Indian rummy under the referee: requests that fit the protocol, silent bots, whole matches."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from arena.referee.asks import Answer, Ask, Notice, Reply
from arena.referee.match import GamePlayed, HandPlayed, MatchOutcome, Step
from arena.referee.players import run_match
from arena.referee.verdicts import BotFault, FaultCode
from arena.rules.games import find_variant
from arena.rules.indian.points import best_throw
from arena.rules.indian.rules import group_rules_of
from arena.rules.record import parse, verify
from arena.wire import schemas
from tests.referee.matches import seeded


class Match:
    """A match between bots that throw what leaves the fewest points; some may be silent."""

    def __init__(self, name: str, players: int, seed: int, silent: tuple[int, ...] = ()) -> None:
        self.silent, self.rng = silent, Random(seed)
        self.asks: list[Ask] = []
        self.notices: list[Notice] = []
        self.hands: list[HandPlayed] = []
        self.games: list[GamePlayed] = []
        setup = seeded(find_variant(name), players, seed)
        self.outcome: MatchOutcome = run_match(setup, [self.answer] * players, watch=self.watch)

    def answer(self, ask: Ask) -> Reply:
        """Draw, throw the best card, declare when it can be done."""
        self.asks.append(ask)
        if ask.seat in self.silent:
            return BotFault(FaultCode.TIMEOUT, "no answer")
        request: Any = ask.request
        legal = request["legal"]
        if request["phase"] == "draw":
            draws = [each["id"] for each in legal if each["kind"] == "draw"]
            return Answer(self.rng.choice(draws), elapsed_ms=1.0)
        rules = group_rules_of(request["rules"], request["wild"])
        throw = best_throw(request["cards"], rules)
        if throw.is_complete:
            return Answer(f"declare:{throw.card}", throw.melds, elapsed_ms=1.0)
        return Answer(f"discard:{throw.card}", elapsed_ms=1.0)

    def watch(self, step: Step) -> None:
        """Keep everything that was told or finished."""
        if isinstance(step, HandPlayed):
            self.hands.append(step)
        elif isinstance(step, GamePlayed):
            self.games.append(step)
        elif isinstance(step, Notice):
            self.notices.append(step)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("indian_points", 2),
        ("indian_points", 6),
        ("indian_pool_101", 3),
        ("indian_pool_201", 4),
        ("indian_deals_2", 2),
        ("indian_deals_3", 5),
    ],
)
def test_whole_matches_fit_the_protocol(name: str, players: int) -> None:
    """Every request and notice is valid, every record replays, and deals are won."""
    match = Match(name, players, 3)

    for ask in match.asks[:: max(1, len(match.asks) // 200)]:
        schemas.require("decision", ask.request)
    for notice in match.notices:
        schemas.require("start" if notice.path == "/start" else "end", notice.payload)
    for hand in match.hands:
        verify(parse(hand.record))
    assert any(hand.winner is not None for hand in match.hands)
    assert not any(hand.faults for hand in match.hands)


@pytest.mark.parametrize("name", ["indian_points", "indian_pool_101", "indian_deals_2"])
def test_a_silent_bot_is_last_and_the_others_play_on(name: str) -> None:
    """Three strikes at a table of three; records of the turns played for it replay."""
    match = Match(name, 3, 5, silent=(1,))

    assert [ask.seat for ask in match.asks].count(1) == 3
    assert match.games[0].places[1] == 3
    assert 1 not in match.games[0].winners
    for hand in match.hands:
        verify(parse(hand.record))


def test_the_same_deals_and_bots_give_the_same_records() -> None:
    """A match is a function of its secret, reshuffles included."""
    first, second = (Match("indian_pool_201", 6, 8) for _ in range(2))

    assert [hand.record for hand in first.hands] == [hand.record for hand in second.hands]
