"""The score of a game between two sides of one or several seats each.

A side is scored like a player of two-handed gin. Who plays for a side, and how a hand counts, is
the business of the games that build on this.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.rules.base import GameEnding, SheetLine, Variant
from arena.rules.gin.scoresheet import GinSheet


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


def partners(variant: Variant, players: int) -> tuple[tuple[int, ...], ...]:
    """The sides of a match by seat, e.g. ``((0, 2), (1, 3))``: whoever sits on one side in every
    game of it, whoever deals first. Empty where everybody plays for itself, and at a number of
    players that the game does not take.
    """
    fewest, most = variant.family.players(variant.rules)
    if players < 3 or not fewest <= players <= most:
        return ()
    together: dict[tuple[int, ...], list[int]] = {}
    sheets = [variant.family.new_sheet(variant.rules, players, dealer) for dealer in range(players)]
    if not all(isinstance(sheet, SideSheet) for sheet in sheets):
        return ()
    sides = [sheet.sides for sheet in sheets if isinstance(sheet, SideSheet)]
    for seat in range(players):
        # Which of the sides is called 0 may change with the dealer; who else is on it does not.
        mates = tuple(
            seat_too
            for seat_too in range(players)
            if all(its[seat] == its[seat_too] for its in sides)
        )
        together.setdefault(mates, []).append(seat)
    found = tuple(map(tuple, together.values()))
    return found if len(found) < players else ()
