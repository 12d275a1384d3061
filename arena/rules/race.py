"""Keeping score in a race to a target, for any number of sides.

A *side* is whoever shares one score: a seat at Battle Royal, the box or its opponents at
Chouette, a team. `Race` adds up and says when the race is over; `RaceSheet` is what a sheet shows
where every seat is a side. They know no bonuses, dealers or cards.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.rules.base import GameEnding

SUDDEN_DEATH_HANDS: Final = 10
"""Hands played beyond the limit while the leaders are level; after them the game is drawn."""


@dataclass(frozen=True, slots=True)
class Race:
    """Points and hands won by side; immutable.

    ``hands``: hands posted, dead ones included. ``ending``: set when the race is over.
    """

    target: int
    max_hands: int
    points: tuple[int, ...]
    hands_won: tuple[int, ...]
    hands: int = 0
    ending: GameEnding | None = None

    @classmethod
    def start(cls, sides: int, target: int, max_hands: int) -> Race:
        """The race before the first hand."""
        return cls(target, max_hands, (0,) * sides, (0,) * sides)

    @property
    def leaders(self) -> tuple[int, ...]:
        """Sides with the most points, lowest number first."""
        most = max(self.points)
        return tuple(side for side, points in enumerate(self.points) if points == most)

    @property
    def winner(self) -> int | None:
        """The side that won; None while the race runs or when it was drawn."""
        return self.leaders[0] if self.ending not in (None, GameEnding.DRAW) else None

    def post(self, gains: Sequence[int], won_by: Iterable[int]) -> Race:
        """The race after one more hand: points gained by side, and the sides that won the hand.

        The race is over when one side alone leads with the target or more; two sides that pass it
        together and level play on. At the limit of hands the leader wins; level leaders play
        up to ten hands more, until one leads, and then draw.

        :raises ValueError: the race is over.
        """
        if self.ending is not None:
            raise ValueError("this game is over; start a new sheet for the next game")
        won = set(won_by)
        after = dataclasses.replace(
            self,
            points=tuple(old + new for old, new in zip(self.points, gains, strict=True)),
            hands_won=tuple(old + (side in won) for side, old in enumerate(self.hands_won)),
            hands=self.hands + 1,
        )
        return dataclasses.replace(after, ending=after._ending_now())

    def _ending_now(self) -> GameEnding | None:
        beyond = self.hands - self.max_hands
        if len(self.leaders) == 1:
            if max(self.points) >= self.target:
                return GameEnding.TARGET
            if beyond >= 0:
                return GameEnding.SUDDEN_DEATH if beyond else GameEnding.HAND_LIMIT
        elif beyond >= SUDDEN_DEATH_HANDS:
            return GameEnding.DRAW
        return None


@dataclass(frozen=True, slots=True)
class RaceSheet:
    """What every sheet of a race between seats shows; immutable.

    A game adds lines, deals and hands to it.
    """

    race: Race

    @property
    def lower_is_better(self) -> bool:
        """Points are won, not penalties."""
        return False

    @property
    def over(self) -> bool:
        """Whether the game is finished."""
        return self.race.ending is not None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seat that won; nobody while the game runs or when it was drawn."""
        return () if self.race.winner is None else (self.race.winner,)

    @property
    def target(self) -> int:
        """Points that end the game."""
        return self.race.target

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """One column: the points by seat."""
        return (self.race.points,)

    @property
    def ending(self) -> GameEnding | None:
        """Why the game ended."""
        return self.race.ending

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Seats in groups from best to worst by points; level seats share a group."""
        return grouped(self.race.points)


def grouped(points: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Seats in groups of equal points, the most points first."""
    return tuple(
        tuple(seat for seat, mine in enumerate(points) if mine == level)
        for level in sorted(set(points), reverse=True)
    )


def settle(totals: Sequence[int]) -> tuple[int, ...]:
    """What each seat receives when every pair pays the difference of their totals; sums to 0."""
    whole = sum(totals)
    return tuple(len(totals) * total - whole for total in totals)
