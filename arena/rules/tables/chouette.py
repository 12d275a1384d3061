"""Chouette: one player in the box plays two-handed gin against the captain of all others.

The partners of the captain sit a hand out: they are in no `DealPlan`, are never asked and see
nothing. What is here decides who plays next and keeps the score; how a hand is played is `gin`'s
business alone.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Final

from arena.rules.base import DealPlan, HandOutcome, Variant
from arena.rules.family import GameFamily
from arena.rules.gin.family import deal_two_handed
from arena.rules.gin.rules import GinRules, gin_settings, replace_rules
from arena.rules.gin.scoresheet import new_gin_sheet
from arena.rules.tables.sides import SideSheet

SEATS: Final = (3, 6)

BOX: Final = 0
TEAM: Final = 1
"""The sides: also the seats of the two-handed sheet on which they are scored."""


@dataclass(frozen=True, slots=True)
class ChouetteSheet(SideSheet):
    """The score of one game of Chouette: the box alone against all other seats.

    The box is the first dealer of the game and stays in the box throughout; with the first dealer
    the box therefore moves from game to game. The others form a queue, from the box's left on,
    and its head is the captain, who plays. A captain who loses a hand goes to its end; after a win
    or a dead hand the captain stays. The box deals first, then box and captain in turn; a dead
    hand is dealt again by the same side.
    """

    queue: tuple[int, ...]

    @property
    def box(self) -> int:
        """The seat that plays alone."""
        return self.sides.index(BOX)

    @property
    def captain(self) -> int:
        """The seat that plays for the team."""
        return self.queue[0]

    def settlement(self) -> tuple[int, ...]:
        """What each seat receives (or pays, negative); sums to 0."""
        box, team = (line.total for line in self.book.lines)
        paid = chouette_net(box, team, len(self.queue))
        return tuple(paid[side] for side in self.sides)

    def next_deal(self) -> DealPlan | None:
        """The box at position 0, the captain at position 1."""
        return None if self.over else DealPlan((self.box, self.captain), self.book.dealer)

    def add(self, outcome: HandOutcome) -> ChouetteSheet:
        """The sheet after one more hand.

        :raises ValueError: the game is over.
        """
        queue = (*self.queue[1:], self.queue[0]) if outcome.winner == BOX else self.queue
        return dataclasses.replace(self, book=self.book.add(outcome), queue=queue)


def new_chouette_sheet(rules: GinRules, players: int, box: int) -> ChouetteSheet:
    """An empty sheet; this seat is the box and deals first."""
    sides = tuple(BOX if seat == box else TEAM for seat in range(players))
    queue = tuple((box + step) % players for step in range(1, players))
    return ChouetteSheet(new_gin_sheet(rules, BOX), sides, queue)


def chouette_net(box_total: int, team_total: int, partners: int) -> tuple[int, int]:
    """What the box and each partner receive: every partner settles the whole difference."""
    difference = box_total - team_total
    return difference * partners, -difference


def _seats(rules: GinRules) -> tuple[int, int]:
    return SEATS


FAMILY: Final = GameFamily(
    name="chouette",
    title="Chouette",
    rules=GinRules,
    listed=gin_settings,
    changed=replace_rules,
    seats=_seats,
    start=new_chouette_sheet,
    dealt=deal_two_handed,
)

VARIANTS: Final[tuple[Variant, ...]] = (
    Variant(
        name="chouette",
        title="Chouette",
        summary="Gin for three to six: one player in the box against the captain of all others, "
        "who hands on the seat after a loss. To 100.",
        family=FAMILY,
        rules=GinRules(),
        aliases=("chouette_gin", "captains"),
    ),
)
