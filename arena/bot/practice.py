"""Plays two bots against each other in this process, or asks one about a hand that was stored: no
HTTP, no clock, no tournament.

For authors who want to know whether a change helped, and for the tests of the sample bots. Hands
are played in mirrored pairs: the same cards twice, with the seats exchanged, so that the luck of
the deal cancels out. The unit of the result is the pair.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from arena.bot.base import Bot, Chosen, answer, as_bot
from arena.bot.view import BotView
from arena.errors import IllegalAction, UsageError
from arena.referee.moments import HandName, Moment, deal, moment_of, moments_of
from arena.rules.base import HandOutcome, Variant
from arena.rules.games import claims_of, find_variant, variant_with
from arena.rules.record import parse
from arena.tournament.statistics.student import t_quantile
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
    one: Bot | Callable[[BotView], Chosen],
    other: Bot | Callable[[BotView], Chosen],
    variant: str = "gin",
    pairs: int = 100,
    secret: bytes = SECRET,
    settings: Mapping[str, object] | None = None,
) -> DuelResult:
    """Play mirrored pairs of hands between two bots, or functions that answer every phase.

    ``secret``: what the cards are dealt by. ``settings``: rules to change, by name.

    :raises InvalidSettings: no such game or setting.
    :raises UsageError: a game that is not for two, no pairs, or a bot does not claim this game.
    :raises IllegalAction: a bot chose what it may not do; the text names it, and where.
    """
    game = variant_with(variant, settings)
    fewest, _ = game.family.players(game.rules)
    if fewest > 2:
        raise UsageError(f"a duel is between two, and {game.name} needs {fewest} players")
    if pairs < 1:
        raise UsageError(f"pairs is {pairs}; a duel has at least one")
    one, other = as_bot(one), as_bot(other)
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
        bot = bots[hand.to_act]
        moment = moment_of(hand, context)
        try:
            reply: Mapping[str, Any] = answer(bot, moment.request)
            hand = moment.after(reply["action"], reply.get("melds"))
        except IllegalAction as error:
            raise IllegalAction(f"{bot.name} at {_where(moment, deal_key)}: {error}") from error
        except Exception as error:
            error.add_note(f"{bot.name} was asked at {_where(moment, deal_key)}")
            raise
    assert hand.outcome is not None
    return hand.outcome


def _where(moment: Moment, deal_key: str) -> str:
    request = moment.request
    cards = " ".join(request["cards"])
    return (
        f"{moment.id} (deal {deal_key!r} of {request['variant']}, seat {request['seat']}, phase "
        f"{request['phase']}, holding {cards})"
    )


_HAND = re.compile(r"(\w+)/([0-9]{1,6})/([0-9]{1,6})")


def views(record: str, seat: int, hand: str = "m_replay/1/1") -> Iterator[BotView]:
    """What the bot at a seat of the match was asked in a stored hand, decision by decision.

    ``record``: its line, from ``arena replay --json``, the page of the hand or an archive's
    ``hands.txt``. ``hand``: its name as ``arena matches`` prints it, so that ids, and with them
    `BotView.rng`, are those of the match. A record does not hold the score before the hand, nor
    the clock: the score is nothing to nothing.

    :raises InvalidRecord: the record cannot be read, or not be played again.
    :raises UsageError: nobody sat there in this hand, or ``hand`` is no name of one.
    """
    named = _HAND.fullmatch(hand)
    if named is None:
        raise UsageError(f"hand is {hand!r}; write MATCH/GAME/NUMBER, for example m_abc/1/3")
    read = parse(record)
    if seat not in read.plan.seats:
        seats = ", ".join(map(str, sorted(read.plan.seats)))
        raise UsageError(f"nobody at seat {seat} played this hand; its seats: {seats}")
    name = HandName(named[1], int(named[2]), int(named[3]))
    return (
        BotView(moment.request)
        for moment, _ in moments_of(read, name)
        if moment.request["seat"] == seat
    )
