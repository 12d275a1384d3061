"""Team play: two teams whose members each play a hand of gin against one opponent.

Even seats are team A, odd seats team B; seats 2i and 2i+1 play each other. The hands of a team
hand are played one after the other, each with a deal of its own, and count together: the
difference of the two teams' sums goes to the team with the larger sum, and that team has won one
hand. How a hand is played is `gin`'s business alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from arena.errors import InvalidSettings
from arena.rules.base import (
    DealPlan,
    Ending,
    GameEnding,
    HandOutcome,
    RulesRecord,
    Setting,
    SheetLine,
    Variant,
)
from arena.rules.cards import NAMES
from arena.rules.gin import GinHand, deal_gin
from arena.rules.gin_family import VARIANTS as GIN_VARIANTS
from arena.rules.gin_rules import GinRules
from arena.rules.scoresheet import GinSheet, new_gin_sheet
from arena.rules.seating import check_seats
from arena.rules.table_rules import TEAM_ROWS, TEAM_SIZES, TeamRules, settings_of

SEATS: Final = (2 * TEAM_SIZES[0], 2 * TEAM_SIZES[-1])


class MemberResult(NamedTuple):
    """What one member's hand gave team A and team B, and the team that won it, if any."""

    points: tuple[int, int]
    winner: int | None


@dataclass(frozen=True, slots=True)
class TeamSheet:
    """The score of one game between team A (even seats) and team B (odd seats).

    ``book``: a two-handed sheet whose seats are the teams. ``played``: results of the team hand in
    progress; they count when its last member has played, and nobody sees them before. The line of
    every seat is the line of its team, and so are its columns. Winners are all seats of a team.

    The members of one team deal all hands of a team hand. The deal goes to the other team after a
    scored team hand, and stays after one that is level, unless the rules say otherwise.
    """

    rules: TeamRules
    members: int
    book: GinSheet
    played: tuple[MemberResult, ...] = ()

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
        """Every seat of the winning team; nobody while the game runs or when it was drawn."""
        return self._of_team(self.book.winners[0]) if self.book.winners else ()

    @property
    def target(self) -> int | None:
        """Points that end the game or close a column; depends on the size of the teams."""
        return self.book.target

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """By seat, the line of its team."""
        teams = self.book.lines
        return tuple(teams[seat % 2] for seat in range(self.seats))

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """By column and seat, the points of the seat's team."""
        return tuple(
            tuple(column[seat % 2] for seat in range(self.seats)) for column in self.book.columns
        )

    @property
    def ending(self) -> GameEnding | None:
        """Why the game ended."""
        return self.book.ending

    @property
    def seats(self) -> int:
        """Number of players."""
        return 2 * self.members

    def _of_team(self, team: int) -> tuple[int, ...]:
        return tuple(range(team, self.seats, 2))

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The better team first; one group when both are level."""
        groups = self.book.ranking()
        if len(groups) == 1:
            return (tuple(range(self.seats)),)
        return tuple(self._of_team(group[0]) for group in groups)

    def next_deal(self) -> DealPlan | None:
        """The next pair: the member of team A at position 0, of team B at position 1."""
        if self.over:
            return None
        first = 2 * len(self.played)
        return DealPlan((first, first + 1), self.book.dealer)

    def add(self, outcome: HandOutcome) -> TeamSheet:
        """The sheet after one more member's hand; the last of a team hand posts its score.

        :raises ValueError: the game is over.
        """
        if self.over:
            raise ValueError("the game is over; no hand can be added")
        points = (outcome.points[0], outcome.points[1])
        played = (*self.played, MemberResult(points, outcome.winner))
        if len(played) < self.members:
            return dataclasses.replace(self, played=played)
        posted = self.book.add(_team_outcome(played, self.rules.sweep_of(self.members)))
        return dataclasses.replace(self, book=posted, played=())


def team_score(played: Sequence[MemberResult], sweep: int) -> tuple[int | None, int]:
    """The team that won a team hand (None if level) and its score.

    ``sweep`` is added when every member of that team won.
    """
    team_a, team_b = (sum(result.points[team] for result in played) for team in (0, 1))
    if team_a == team_b:
        return None, 0
    winner = 0 if team_a > team_b else 1
    bonus = sweep if all(result.winner == winner for result in played) else 0
    return winner, abs(team_a - team_b) + bonus


def _team_outcome(played: Sequence[MemberResult], sweep: int) -> HandOutcome:
    """The team hand as one hand between two seats, which is how the book takes it."""
    winner, score = team_score(played, sweep)
    return HandOutcome(
        ending=Ending.TIE if winner is None else Ending.KNOCK,
        points=(score, 0) if winner == 0 else (0, score),
        winner=winner,
        shown=(),
        sentence="",
    )


class TeamFamily:
    """Deals, score sheets and settings of team play."""

    name = "teams"

    def settings(self) -> Sequence[Setting]:
        """Every rule setting."""
        return settings_of(TEAM_ROWS, TeamRules().as_dict())

    def replace(self, rules: RulesRecord, changes: Mapping[str, object]) -> TeamRules:
        """The rules with these settings changed.

        :raises InvalidSettings: an unknown setting, a value not allowed, or a contradiction.
        """
        return _team(rules).replaced(changes)

    def players(self, rules: RulesRecord) -> tuple[int, int]:
        """Four to ten; `new_sheet` refuses an odd number."""
        return SEATS

    def new_sheet(self, rules: RulesRecord, players: int, first_dealer: int) -> TeamSheet:
        """The sheet before the first hand; the first dealer's team deals.

        :raises InvalidSettings: a number of players that makes no two teams, or a dealer who is
            none of them.
        """
        check_seats("team gin", players, SEATS, first_dealer)
        if players % 2:
            raise InvalidSettings(
                f"players is {players}, but team gin is played by two equal teams: an even number "
                f"from {SEATS[0]} to {SEATS[1]}",
                field="players",
            )
        mine = _team(rules)
        members = players // 2
        gin = dataclasses.replace(mine.gin, target=mine.target_of(members))
        return TeamSheet(mine, members, new_gin_sheet(gin, first_dealer % 2))

    def deck(self, rules: RulesRecord) -> tuple[str, ...]:
        """The 52 cards in canonical order."""
        return NAMES

    def deal(
        self, rules: RulesRecord, deck: Sequence[str], plan: DealPlan, sheet: object
    ) -> GinHand:
        """A two-handed gin hand from this order of cards, top first.

        :raises InvalidCards: the deck is no possible pack.
        """
        return deal_gin(_team(rules).gin, deck, plan.dealer)


def _team(rules: RulesRecord) -> TeamRules:
    if not isinstance(rules, TeamRules):
        raise InvalidSettings(f"team gin has no rules of type {type(rules).__name__}")
    return rules


def _two_handed(name: str) -> GinRules:
    """The rules of a two-handed game, for its team form."""
    rules = next(variant.rules for variant in GIN_VARIANTS if variant.name == name)
    assert isinstance(rules, GinRules)
    return rules


FAMILY: Final = TeamFamily()

VARIANTS: Final[tuple[Variant, ...]] = (
    Variant(
        name="teams",
        title="Team gin",
        summary="Two teams of two to five, a hand of gin for each pair of opponents, one score "
        "for all. To 150, 175 or 200 by size.",
        family=FAMILY,
        rules=TeamRules(),
        aliases=("team_gin", "partnership_gin"),
    ),
    Variant(
        name="teams_round_the_corner",
        title="Round-the-corner gin for teams",
        summary="Team gin with K-A-2 as a run and layoffs even on gin. To 150, 175 or 200 by size.",
        family=FAMILY,
        rules=TeamRules(gin=_two_handed("round_the_corner")),
    ),
    Variant(
        name="teams_tedesco",
        title="Tedesco gin for teams",
        summary="Team gin by the rules of Tedesco: teams of two play to 200, larger ones to 300 "
        "with a bonus when all members win.",
        family=FAMILY,
        rules=TeamRules(
            gin=_two_handed("tedesco"),
            target_2=200,
            target_3=300,
            target_4=300,
            target_5=300,
            sweep_3=25,
            sweep_4=50,
            sweep_5=75,
        ),
    ),
)
