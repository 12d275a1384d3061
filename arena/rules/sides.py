"""The score of a game between two sides of one or several seats each.

A side is scored like a player of two-handed gin. Who plays for a side, and how a hand counts, is
the business of the games that build on this.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.rules.base import GameEnding, SheetLine
from arena.rules.scoresheet import GinSheet


@dataclass(frozen=True, slots=True)
class SideSheet:
    """What every sheet of two sides shows; immutable. A game adds its deals and its hands.

    ``book``: a two-handed sheet whose seats are the sides. ``sides``: the side of each seat. The
    line of a seat is the line of its side: points, hands won and total are the same numbers, not
    shares; so are its columns. A side that wins, wins with all its seats.
    """

    book: GinSheet
    sides: tuple[int, ...]

    @property
    def lower_is_better(self) -> bool:
        """Points are won, not penalties."""
        return False

    @property
    def over(self) -> bool:
        """Whether the game is finished."""
        return self.book.over

    @property
    def winners(self) -> tuple[int, ...]:
        """Every seat of the winning side; nobody while the game runs or when it was drawn."""
        return self._of_side(self.book.winners[0]) if self.book.winners else ()

    @property
    def target(self) -> int | None:
        """Points that end the game or close a column."""
        return self.book.target

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """By seat, the line of its side."""
        lines = self.book.lines
        return tuple(lines[side] for side in self.sides)

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """By column and seat, the points of the seat's side."""
        return tuple(tuple(column[side] for side in self.sides) for column in self.book.columns)

    @property
    def ending(self) -> GameEnding | None:
        """Why the game ended."""
        return self.book.ending

    @property
    def seats(self) -> int:
        """Number of players."""
        return len(self.sides)

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The better side first; one group when both are level."""
        groups = self.book.ranking()
        if len(groups) == 1:
            return (tuple(range(self.seats)),)
        return tuple(self._of_side(group[0]) for group in groups)

    def _of_side(self, side: int) -> tuple[int, ...]:
        return tuple(seat for seat, its in enumerate(self.sides) if its == side)
