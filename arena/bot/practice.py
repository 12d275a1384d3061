"""Plays two bots against each other in this process: no HTTP, no clock, no tournament.

For authors who want to know whether a change helped, and for the tests of the sample bots. Hands
are played in mirrored pairs: the same cards twice, with the seats exchanged, so that the luck of
the deal cancels out. The unit of the result is the pair.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from arena.bot.base import Bot, answer
from arena.errors import UsageError
from arena.referee.moments import deal, moment_of
from arena.rules.base import HandOutcome, Variant
from arena.rules.games import claims_of, find_variant
from arena.tournament.student import t_quantile
from arena.wire.conformance.steps import Opponent

SECRET = b"practice"
OPPONENTS = ("simple", "mahjong_simple", "indian_simple")


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
    one: Bot, other: Bot, variant: str = "gin", pairs: int = 100, secret: bytes = SECRET
) -> DuelResult:
    """Play mirrored pairs of hands between two bots.

    :raises InvalidSettings: no such game, or not one for two.
    :raises UsageError: a bot does not claim this game.
    :raises IllegalAction: a bot chose what it may not do.
    """
    game = find_variant(variant)
    for bot in (one, other):
        if not _plays(bot, game):
            games = ", ".join(bot.games)
            raise UsageError(f"{bot.name} does not play {game.name}; its games: {games}")
    differences = []
    won = [0, 0]
    for pair in range(pairs):
        difference = 0
        for half in (0, 1):
            seats = (one, other) if half == 0 else (other, one)
            outcome = play_hand(seats, game, f"{pair}", match=f"m_{pair}_{half}", secret=secret)
            difference += outcome.points[half] - outcome.points[1 - half]
            if outcome.winner is not None:
                won[outcome.winner ^ half] += 1
        differences.append(difference)
    mean = fmean(differences)
    error = float("inf")
    if pairs > 1:
        error = t_quantile(0.975, pairs - 1) * stdev(differences) / sqrt(pairs)
    return DuelResult(pairs, mean, mean - error, mean + error, 2 * pairs, (won[0], won[1]))


def sample_opponent() -> Opponent:
    """Sample bots that answer in this process, for ``Options.opponent`` of a check.

    In each game the first of `OPPONENTS` that plays it.
    """
    return lambda request: answer(_player_of(str(request["variant"])), request)


@cache
def _player_of(variant: str) -> Bot:
    for name in OPPONENTS:
        bot: Bot = importlib.import_module(f"arena.sample_bots.{name}").bot
        if _plays(bot, find_variant(variant)):
            return bot
    return Bot()


def _plays(bot: Bot, variant: Variant) -> bool:
    return "*" in bot.games or not set(bot.games).isdisjoint(claims_of(variant))


def play_hand(
    bots: Sequence[Bot], variant: Variant, deal_key: str, *, match: str, secret: bytes = SECRET
) -> HandOutcome:
    """Play one hand; ``bots`` by position, the last one deals."""
    hand, context = deal(variant, len(bots), deal_key, match=match, secret=secret)
    while hand.to_act is not None:
        moment = moment_of(hand, context)
        reply: dict[str, Any] = answer(bots[hand.to_act], moment.request)
        hand = moment.after(reply["action"], reply.get("melds"))
    assert hand.outcome is not None
    return hand.outcome
