"""Cutthroat and Chouette: three players and more around two-handed gin.

Two seats play a hand of two-handed gin, the others sit it out: they are in no `DealPlan`, are
never asked and see nothing. What is here decides who plays next and keeps the score; how a hand
is played is `gin`'s business alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import InvalidSettings
from arena.rules.base import (
    DealPlan,
    GameEnding,
    HandOutcome,
    RulesRecord,
    Setting,
    SheetLine,
    Variant,
)
from arena.rules.cards import NAMES
from arena.rules.gin import GinHand, deal_gin
from arena.rules.gin_rules import GinRules, gin_settings, replace_rules
from arena.rules.race import Race, grouped, settle
from arena.rules.scoresheet import GinSheet, new_gin_sheet
from arena.rules.seating import check_seats
from arena.rules.table_rules import CUTTHROAT_ROWS, CutthroatRules, settings_of

CUTTHROAT_SEATS: Final = 3
CHOUETTE_SEATS: Final = (3, 6)

BOX: Final = 0
TEAM: Final = 1
"""Sides of a Chouette: also the seats of the two-handed sheet on which it is scored."""


@dataclass(frozen=True, slots=True)
class CutthroatSheet:
    """The score of one game of Cutthroat between seats 0, 1 and 2, each for itself.

    The loser of a hand sits out the next one; the seat that sat out comes in as dealer against
    the winner. After a hand that nobody won the same two play again with the same dealer.

    ``dealer``, ``other``: the seats of the next hand. The first is dealt by the first dealer to
    the seat on its left; the third seat sits out. ``total`` of a line adds the line bonus of every
    hand won and, for the winner, the game bonus; shutouts count only in the `settlement`.
    """

    rules: CutthroatRules
    race: Race
    dealer: int
    other: int

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
    def lines(self) -> tuple[SheetLine, ...]:
        """Points, hands won and total by seat; a seat that sits out a hand is still active."""
        totals = cutthroat_totals(
            self.rules, self.race.points, self.race.hands_won, self.race.winner
        )
        return tuple(
            SheetLine(points, won, total)
            for points, won, total in zip(
                self.race.points, self.race.hands_won, totals, strict=True
            )
        )

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """One column: the points by seat."""
        return (self.race.points,)

    @property
    def ending(self) -> GameEnding | None:
        """Why the game ended."""
        return self.race.ending

    @property
    def idle(self) -> int:
        """The seat that sits out the next hand."""
        return CUTTHROAT_SEATS - self.dealer - self.other

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Seats in groups from best to worst by points; level seats share a group."""
        return grouped(self.race.points)

    def settlement(self) -> tuple[int, ...]:
        """What each seat receives (or pays, negative); sums to 0."""
        return cutthroat_net(self.rules, self.race.points, self.race.hands_won, self.race.winner)

    def next_deal(self) -> DealPlan | None:
        """The two seats that play, the lower one at position 0."""
        if self.over:
            return None
        seats = tuple(sorted((self.dealer, self.other)))
        return DealPlan(seats, seats.index(self.dealer))

    def add(self, outcome: HandOutcome) -> CutthroatSheet:
        """The sheet after one more hand.

        :raises ValueError: the game is over.
        """
        gains = [0] * CUTTHROAT_SEATS
        seats = sorted((self.dealer, self.other))
        for seat, points in zip(seats, outcome.points, strict=True):
            gains[seat] = points
        if outcome.winner is None:
            return dataclasses.replace(self, race=self.race.post(gains, ()))
        winner = seats[outcome.winner]
        return dataclasses.replace(
            self, race=self.race.post(gains, (winner,)), dealer=self.idle, other=winner
        )


def cutthroat_totals(
    rules: CutthroatRules, points: Sequence[int], hands_won: Sequence[int], winner: int | None
) -> tuple[int, ...]:
    """Totals with the line bonus for each hand won and the winner's game bonus."""
    return tuple(
        score + rules.gin.line_bonus * won + (rules.gin.game_bonus if seat == winner else 0)
        for seat, (score, won) in enumerate(zip(points, hands_won, strict=True))
    )


def cutthroat_net(
    rules: CutthroatRules, points: Sequence[int], hands_won: Sequence[int], winner: int | None
) -> tuple[int, ...]:
    """What each seat receives when every pair settles the difference of their totals.

    Who won no hand pays the winner a bonus besides. Sums to 0.
    """
    net = list(settle(cutthroat_totals(rules, points, hands_won, winner)))
    if winner is not None:
        for seat, won in enumerate(hands_won):
            if not won and seat != winner:
                net[seat] -= rules.shutout_bonus
                net[winner] += rules.shutout_bonus
    return tuple(net)


@dataclass(frozen=True, slots=True)
class ChouetteSheet:
    """The score of one game of Chouette: the box alone against all other seats.

    The box is the first dealer of the game and stays in the box throughout; with the first dealer
    the box therefore moves from game to game. The others form a queue, from the box's left on,
    and its head is the captain, who plays. A captain who loses a hand goes to its end; after a win
    or a dead hand the captain stays. The box deals first, then box and captain in turn; a dead
    hand is dealt again by the same side.

    ``book``: a two-handed sheet whose seats are the two sides. The line of the box shows its own
    score, the line of every other seat the score of the team: their points, hands won and totals
    are the same numbers, not shares.
    """

    box: int
    queue: tuple[int, ...]
    book: GinSheet

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
        """The box, or every other seat; nobody while the game runs or when it was drawn."""
        if not self.book.winners:
            return ()
        return self._of_side(self.book.winners[0])

    @property
    def target(self) -> int | None:
        """Points that end the game."""
        return self.book.target

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """By seat, the line of its side."""
        sides = self.book.lines
        return tuple(sides[self._side(seat)] for seat in range(self.seats))

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """By column and seat, the points of the seat's side."""
        return tuple(
            tuple(column[self._side(seat)] for seat in range(self.seats))
            for column in self.book.columns
        )

    @property
    def ending(self) -> GameEnding | None:
        """Why the game ended."""
        return self.book.ending

    @property
    def seats(self) -> int:
        """Number of players."""
        return 1 + len(self.queue)

    @property
    def captain(self) -> int:
        """The seat that plays for the team."""
        return self.queue[0]

    def _side(self, seat: int) -> int:
        return BOX if seat == self.box else TEAM

    def _of_side(self, side: int) -> tuple[int, ...]:
        return (self.box,) if side == BOX else tuple(sorted(self.queue))

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The better side first; one group when both are level."""
        groups = self.book.ranking()
        if len(groups) == 1:
            return (tuple(range(self.seats)),)
        return tuple(self._of_side(group[0]) for group in groups)

    def settlement(self) -> tuple[int, ...]:
        """What each seat receives (or pays, negative); sums to 0."""
        box, team = (line.total for line in self.book.lines)
        to_box, to_partner = chouette_net(box, team, len(self.queue))
        return tuple(to_box if seat == self.box else to_partner for seat in range(self.seats))

    def next_deal(self) -> DealPlan | None:
        """The box at position 0, the captain at position 1."""
        return None if self.over else DealPlan((self.box, self.captain), self.book.dealer)

    def add(self, outcome: HandOutcome) -> ChouetteSheet:
        """The sheet after one more hand.

        :raises ValueError: the game is over.
        """
        queue = (*self.queue[1:], self.queue[0]) if outcome.winner == BOX else self.queue
        return dataclasses.replace(self, book=self.book.add(outcome), queue=queue)


def chouette_net(box_total: int, team_total: int, partners: int) -> tuple[int, int]:
    """What the box and each partner receive: every partner settles the whole difference."""
    difference = box_total - team_total
    return difference * partners, -difference


class CutthroatFamily:
    """Deals, score sheets and settings of Cutthroat."""

    name = "cutthroat"

    def settings(self) -> Sequence[Setting]:
        """Every rule setting."""
        return settings_of(CUTTHROAT_ROWS, CutthroatRules().as_dict())

    def replace(self, rules: RulesRecord, changes: Mapping[str, object]) -> CutthroatRules:
        """The rules with these settings changed.

        :raises InvalidSettings: an unknown setting, a value not allowed, or a contradiction.
        """
        return _cutthroat(rules).replaced(changes)

    def players(self, rules: RulesRecord) -> tuple[int, int]:
        """Three, always."""
        return CUTTHROAT_SEATS, CUTTHROAT_SEATS

    def new_sheet(self, rules: RulesRecord, players: int, first_dealer: int) -> CutthroatSheet:
        """The sheet before the first hand, in which the seat left of the dealer plays.

        :raises InvalidSettings: not three players, or a dealer who is none of them.
        """
        check_seats("Cutthroat", players, self.players(rules), first_dealer)
        mine = _cutthroat(rules)
        race = Race.start(CUTTHROAT_SEATS, mine.gin.target, mine.gin.max_hands)
        return CutthroatSheet(mine, race, first_dealer, (first_dealer + 1) % CUTTHROAT_SEATS)

    def deck(self, rules: RulesRecord) -> tuple[str, ...]:
        """The 52 cards in canonical order."""
        return NAMES

    def deal(
        self, rules: RulesRecord, deck: Sequence[str], plan: DealPlan, sheet: object
    ) -> GinHand:
        """A two-handed gin hand from this order of cards, top first.

        :raises InvalidCards: the deck is no possible pack.
        """
        return deal_gin(_cutthroat(rules).gin, deck, plan.dealer)


class ChouetteFamily:
    """Deals, score sheets and settings of Chouette; its rules are those of two-handed gin."""

    name = "chouette"

    def settings(self) -> Sequence[Setting]:
        """Every rule setting; the two seats of gin are the box and the team."""
        return gin_settings()

    def replace(self, rules: RulesRecord, changes: Mapping[str, object]) -> GinRules:
        """The rules with these settings changed.

        :raises InvalidSettings: an unknown setting, a value not allowed, or a contradiction.
        """
        return replace_rules(_gin(rules), changes)

    def players(self, rules: RulesRecord) -> tuple[int, int]:
        """Three to six."""
        return CHOUETTE_SEATS

    def new_sheet(self, rules: RulesRecord, players: int, first_dealer: int) -> ChouetteSheet:
        """The sheet before the first hand; the first dealer is the box.

        :raises InvalidSettings: too few or too many players, or a dealer who is none of them.
        """
        check_seats("Chouette", players, CHOUETTE_SEATS, first_dealer)
        queue = tuple((first_dealer + step) % players for step in range(1, players))
        return ChouetteSheet(first_dealer, queue, new_gin_sheet(_gin(rules), BOX))

    def deck(self, rules: RulesRecord) -> tuple[str, ...]:
        """The 52 cards in canonical order."""
        return NAMES

    def deal(
        self, rules: RulesRecord, deck: Sequence[str], plan: DealPlan, sheet: object
    ) -> GinHand:
        """A two-handed gin hand from this order of cards, top first.

        :raises InvalidCards: the deck is no possible pack.
        """
        return deal_gin(_gin(rules), deck, plan.dealer)


def _cutthroat(rules: RulesRecord) -> CutthroatRules:
    if not isinstance(rules, CutthroatRules):
        raise InvalidSettings(f"Cutthroat has no rules of type {type(rules).__name__}")
    return rules


def _gin(rules: RulesRecord) -> GinRules:
    if not isinstance(rules, GinRules):
        raise InvalidSettings(f"Chouette has no rules of type {type(rules).__name__}")
    return rules


CUTTHROAT: Final = CutthroatFamily()
CHOUETTE: Final = ChouetteFamily()

VARIANTS: Final[tuple[Variant, ...]] = (
    Variant(
        name="cutthroat",
        title="Cutthroat",
        summary="Gin for three, two at a time: the loser of a hand sits out the next, who sat out "
        "deals to the winner. To 100.",
        family=CUTTHROAT,
        rules=CutthroatRules(),
        aliases=("round_robin_gin", "cutthroat_gin"),
    ),
    Variant(
        name="chouette",
        title="Chouette",
        summary="Gin for three to six: one player in the box against the captain of all others, "
        "who hands on the seat after a loss. To 100.",
        family=CHOUETTE,
        rules=GinRules(),
        aliases=("chouette_gin", "captains"),
    ),
)
