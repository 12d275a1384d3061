"""Which hands of a tournament are worth a look: found in one pass over what is stored. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from arena.rules.base import Ending
from arena.site.views.formatting import number, plural
from arena.store.pages import HandFacts

GINS = (Ending.GIN, Ending.BIG_GIN)
COUNTED = (Ending.DECLARED, Ending.WRONG_DECLARATION, Ending.LAST_PLAYER)
"""Endings after which the winner counts nothing, and the others what they are left with."""


@dataclass(frozen=True, slots=True)
class Notable:
    """A hand and what it is noted for. ``winner``: a seat of the match, None where nobody won."""

    title: str
    hand: HandFacts
    winner: int | None
    what: str


def notable(hands: Sequence[HandFacts]) -> tuple[Notable, ...]:
    """The hands to be shown, of several that are equal the first; none that tells nothing.

    ``hands`` are whole matches whose cards may be shown, each in the order of play.
    """
    won = [hand for hand in hands if hand.winner is not None and max(hand.points) > 0]
    gins = [hand for hand in won if hand.ending in GINS]
    declared = [hand for hand in won if hand.ending == Ending.DECLARED]
    undercuts = [hand for hand in won if hand.ending == Ending.UNDERCUT]
    found = [
        _best("Biggest score", won, _score, _scored),
        _best("Quickest gin", gins, lambda hand: -hand.decisions, _length),
        _best("Quickest declaration", declared, lambda hand: -hand.decisions, _length),
        _best("Longest hand", hands, lambda hand: hand.decisions, _length),
        _comeback(hands),
        _best("Biggest undercut", undercuts, _score, _scored),
    ]
    return tuple(one for one in found if one is not None)


def _score(hand: HandFacts) -> int:
    return sum(hand.points) if hand.ending in COUNTED else max(hand.points)


def _scored(hand: HandFacts) -> str:
    text = f"{number(_score(hand))} points"
    if hand.ending in COUNTED:
        return f"the {'others count' if len(hand.points) > 2 else 'other counts'} {text}"
    return text


def _length(hand: HandFacts) -> str:
    return plural(hand.decisions, "decision")


def _best(
    title: str,
    hands: Sequence[HandFacts],
    key: Callable[[HandFacts], int],
    text: Callable[[HandFacts], str],
) -> Notable | None:
    if not hands:
        return None
    best = max(hands, key=key)
    return Notable(title, best, best.winner, text(best))


def _comeback(hands: Iterable[HandFacts]) -> Notable | None:
    """The hand before which the later winner of a game of two was the furthest behind."""
    best: tuple[int, HandFacts, int] | None = None
    for _, group in groupby(hands, key=lambda hand: (hand.fixture_id, hand.game)):
        game = list(group)
        winner = game[0].game_winner
        if winner is None or len(game[0].points) != 2:
            continue
        lead = 0
        for hand in game:
            if lead < 0 and (best is None or -lead > best[0]):
                best = (-lead, hand, winner)
            if hand.winner is not None:
                gained = max(hand.points) - min(hand.points)
                lead += gained if hand.winner == winner else -gained
    if best is None:
        return None
    behind, hand, winner = best
    text = f"{plural(behind, 'point')} behind before this hand, and won the game"
    return Notable("Biggest comeback", hand, winner, text)
