"""Plays two bots against each other in this process: no HTTP, no clock, no tournament.

For authors who want to know whether a change helped, and for the tests of the sample bots. Hands
are played in mirrored pairs: the same cards twice, with the seats exchanged, so that the luck of
the deal cancels out. The unit of the result is the pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from arena.bot.base import Bot, answer
from arena.errors import IllegalAction
from arena.referee.decision import GameContext, HandContext, decision
from arena.rules.base import Action, Hand, HandOutcome, Melds, Variant
from arena.rules.deal import deal_seed, shuffled
from arena.rules.games import find_variant

DEADLINE_MS = 1000.0
Z_95 = 1.959964


class DuelResult(NamedTuple):
    """Points per mirrored pair, from the first bot's side, with a 95 % interval.

    ``hands``: hands played. ``won``: hands that the first and the second bot won.
    """

    pairs: int
    mean: float
    low: float
    high: float
    hands: int
    won: tuple[int, int]

    def __str__(self) -> str:
        return (
            f"{self.mean:+.2f} points a pair (95 % {self.low:+.2f} to {self.high:+.2f}), "
            f"{self.pairs} pairs, hands won {self.won[0]}:{self.won[1]}"
        )


def duel(
    one: Bot, other: Bot, variant: str = "gin", pairs: int = 100, secret: bytes = b"practice"
) -> DuelResult:
    """Play mirrored pairs of hands between two bots.

    :raises InvalidSettings: no such game, or not one for two.
    :raises IllegalAction: a bot chose what it may not do.
    """
    game = find_variant(variant)
    differences = []
    won = [0, 0]
    for pair in range(pairs):
        difference = 0
        for half in (0, 1):
            seats = (one, other) if half == 0 else (other, one)
            outcome = play_hand(seats, game, secret, f"{pair}", match=f"m_{pair}_{half}")
            difference += outcome.points[half] - outcome.points[1 - half]
            if outcome.winner is not None:
                won[outcome.winner ^ half] += 1
        differences.append(difference)
    mean = fmean(differences)
    error = Z_95 * stdev(differences) / sqrt(pairs) if pairs > 1 else float("inf")
    return DuelResult(pairs, mean, mean - error, mean + error, 2 * pairs, (won[0], won[1]))


class Moment(NamedTuple):
    """A decision of a hand: the state, the request that its player gets, and what is legal."""

    hand: Hand
    request: dict[str, Any]
    legal: tuple[Action, ...]


def play_hand(
    bots: Sequence[Bot], variant: Variant, secret: bytes, deal_key: str, match: str = "m_practice"
) -> HandOutcome:
    """Play one hand; ``bots`` by position, position 1 deals."""
    hand, context = deal(variant, len(bots), secret, deal_key, match)
    while hand.to_act is not None:
        moment = moment_of(hand, context)
        reply = answer(bots[hand.to_act], moment.request)
        hand = play(moment, reply)
    assert hand.outcome is not None
    return hand.outcome


def deal(
    variant: Variant, players: int, secret: bytes, deal_key: str, match: str = "m_practice"
) -> tuple[Hand, HandContext]:
    """The first hand of a game in which the last seat deals."""
    rules = variant.rules
    sheet = variant.family.new_sheet(rules, players, players - 1)
    plan = sheet.next_deal()
    assert plan is not None
    deck = shuffled(variant.family.deck(rules), deal_seed(secret, deal_key, 1, 1))
    context = HandContext(
        tournament="t_practice",
        match=match,
        game=1,
        hand=1,
        variant=variant.name,
        rules=rules.as_dict(),
        plan=plan,
        lines=sheet.lines,
        columns=sheet.columns,
        target=sheet.target,
        games_won=(0,) * players,
    )
    return variant.family.deal(rules, deck, plan, sheet), context


def moment_of(hand: Hand, context: HandContext) -> Moment:
    """The decision that is wanted now."""
    assert hand.to_act is not None
    legal = hand.legal_actions()
    clock = GameContext(context, DEADLINE_MS, 0.0)
    return Moment(hand, decision(hand.view(hand.to_act), legal, clock), legal)


def play(moment: Moment, reply: dict[str, Any]) -> Hand:
    """The hand after this answer.

    :raises IllegalAction: the answer is not legal.
    """
    by_id = {action.id: action for action in moment.legal}
    chosen = by_id.get(reply["action"])
    if chosen is None:
        raise IllegalAction(f"{reply['action']} is not among {', '.join(by_id)}")
    melds: Melds | None = reply.get("melds")
    return moment.hand.apply(chosen, melds)
