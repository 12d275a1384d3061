"""Team play: two teams whose members each play a hand of gin against one opponent.

Even seats are team A, odd seats team B; seats 2i and 2i+1 play each other. The hands of a team
hand are played one after the other, each with a deal of its own, and count together: the
difference of the two teams' sums goes to the team with the larger sum, and that team has won one
hand. How a hand is played is `gin`'s business alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from arena.errors import InvalidSettings
from arena.rules.base import (
    DealPlan,
    Ending,
    HandOutcome,
    Setting,
    Variant,
)
from arena.rules.family import GameFamily
from arena.rules.gin.family import VARIANTS as GIN_VARIANTS
from arena.rules.gin.family import deal_two_handed
from arena.rules.gin.hand import GinHand
from arena.rules.gin.rules import GinRules
from arena.rules.gin.scoresheet import new_gin_sheet
from arena.rules.settings import settings_of
from arena.rules.tables.settings import TEAM_ROWS, TEAM_SIZES, TeamRules
from arena.rules.tables.sides import SideSheet

SEATS: Final = (2 * TEAM_SIZES[0], 2 * TEAM_SIZES[-1])


class MemberResult(NamedTuple):
    """What one member's hand gave team A and team B, and the team that won it, if any."""

    points: tuple[int, int]
    winner: int | None


@dataclass(frozen=True, slots=True)
class TeamSheet(SideSheet):
    """The score of one game between team A (even seats) and team B (odd seats).

    ``played``: results of the team hand in progress; they count when its last member has played,
    and nobody sees them before. The target depends on the size of the teams.

    The members of one team deal all hands of a team hand. The deal goes to the other team after a
    scored team hand, and stays after one that is level, unless the rules say otherwise.
    """

    rules: TeamRules
    played: tuple[MemberResult, ...] = ()

    @property
    def members(self) -> int:
        """Number of players of a team."""
        return self.seats // 2

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


def _settings() -> tuple[Setting, ...]:
    return settings_of(TEAM_ROWS, TeamRules())


def _seats(rules: TeamRules) -> tuple[int, int]:
    return SEATS


def _start(rules: TeamRules, players: int, first_dealer: int) -> TeamSheet:
    """The first dealer's team deals.

    :raises InvalidSettings: a number of players that makes no two teams.
    """
    if players % 2:
        raise InvalidSettings(
            f"players is {players}, but team gin is played by two equal teams: an even number "
            f"from {SEATS[0]} to {SEATS[1]}",
            field="players",
        )
    gin = dataclasses.replace(rules.gin, target=rules.target_of(players // 2))
    sides = tuple(seat % 2 for seat in range(players))
    return TeamSheet(new_gin_sheet(gin, first_dealer % 2), sides, rules)


def _deal(rules: TeamRules, deck: Sequence[str], plan: DealPlan) -> GinHand:
    return deal_two_handed(rules.gin, deck, plan)


def _two_handed(name: str) -> GinRules:
    """The rules of a two-handed game, for its team form."""
    rules = next(variant.rules for variant in GIN_VARIANTS if variant.name == name)
    assert isinstance(rules, GinRules)
    return rules


FAMILY: Final = GameFamily(
    name="teams",
    title="team gin",
    rules=TeamRules,
    listed=_settings,
    changed=TeamRules.replaced,
    seats=_seats,
    start=_start,
    dealt=_deal,
)

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
