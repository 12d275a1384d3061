"""What a hand and a game of two-handed gin are worth: formulas without any state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.rules.base import Ending
from arena.rules.cards import card_index
from arena.rules.gin.rules import GinRules

REFUSED_DOUBLE_POINTS = 10
"""What a refused offer to double is worth before the difference of deadwood."""


class HandScore(NamedTuple):
    """How a knock ended and what each side scores. At most one side scores."""

    ending: Ending
    knocker: int
    defender: int


def knock_limit_of(rules: GinRules, knock_card: str | None) -> int:
    """Most deadwood one may knock with in a hand whose upcard or knock card is this."""
    if rules.knock_card_source == "none" or knock_card is None:
        return rules.knock_limit
    pips = card_index(knock_card) % 13 + 1
    if pips == 1:
        return 1 if rules.oklahoma_ace == "one" else 0
    return min(pips, 10)


def multiplier_of(rules: GinRules, knock_card: str | None) -> int:
    """Factor on the whole score of a hand whose upcard or knock card is this."""
    return 2 if rules.spades_double and knock_card is not None and knock_card[1] == "S" else 1


def score_knock(
    rules: GinRules,
    knocker: int,
    defender: int,
    *,
    big_gin: bool = False,
    laid_off: bool = False,
    multiplier: int = 1,
) -> HandScore:
    """Score a knock by the deadwood of both sides after layoffs.

    No deadwood is gin, whatever the player called it. ``laid_off``: the defender laid off a card,
    which matters only where gin against an emptied hand scores nothing.
    """
    if knocker == 0:
        if (
            defender == 0
            and laid_off
            and rules.layoff_on_gin
            and rules.gin_zero_after_layoff == "no_score"
        ):
            return HandScore(Ending.GIN_LAID_OFF, 0, 0)
        if big_gin:
            bonus = rules.big_gin_bonus or 0
            return HandScore(Ending.BIG_GIN, (bonus + defender) * multiplier, 0)
        return HandScore(Ending.GIN, (rules.gin_bonus + defender) * multiplier, 0)
    if knocker < defender:
        return HandScore(Ending.KNOCK, (defender - knocker) * multiplier, 0)
    if defender < knocker or rules.undercut_on_tie:
        points = rules.undercut_bonus + knocker - defender
        return HandScore(Ending.UNDERCUT, 0, points * multiplier)
    return HandScore(Ending.TIE, 0, 0)


def score_refused_double(offerer: int, refuser: int, factor: int) -> int:
    """Points of the player whose offer to double was refused.

    Deadwood of both ten-card hands without layoffs; ``factor`` is in force before the offer.
    """
    return (REFUSED_DOUBLE_POINTS + max(0, refuser - offerer)) * factor


def game_totals(
    rules: GinRules, points: Sequence[int], hands_won: Sequence[int], winner: int | None
) -> tuple[int, ...]:
    """Totals at the end of a game: hand points with line, game and shutout bonuses.

    Without a winner (a game in progress, or a draw) only the line bonus is added. Bonuses never
    help anybody to reach the target.
    """
    totals = [score + rules.line_bonus * won for score, won in zip(points, hands_won, strict=True)]
    if winner is None:
        return tuple(totals)
    bonus = rules.game_bonus
    if not any(won for seat, won in enumerate(hands_won) if seat != winner):
        if rules.shutout == "double_hand_points":
            bonus += points[winner]
        elif rules.shutout == "double_points_and_game":
            bonus += points[winner] + rules.game_bonus
        elif rules.shutout == "game_bonus_200":
            bonus = 200
        elif rules.shutout == "extra_100":
            bonus += 100
    totals[winner] += bonus
    return tuple(totals)
