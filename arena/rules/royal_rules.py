"""The rule settings of Battle Royal, and what its hands are worth: no state.

A house rule is a value here, never a class. A `RoyalRules` that exists is valid.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from arena.rules.base import Ending, Setting
from arena.rules.gin_rules import ROWS as GIN_ROWS
from arena.rules.gin_rules import GinRules
from arena.rules.layoffs import Defence
from arena.rules.melds import MeldTables, default_spread, open_cards
from arena.rules.settings import Row, check_names, check_values, choice, whole


@dataclass(frozen=True, slots=True)
class RoyalRules:
    """All settings of Battle Royal; `ROWS` says what each one means and may be.

    :raises InvalidSettings: a value is not allowed.
    """

    hand_size: int = 10
    knock_limit: int = 10
    ace_mode: str = "low"
    ace_deadwood: int = 1
    gin_bonus: int = 40
    beaten_knocker: int = 20
    redraw_discard: bool = False
    wall_cards: int = 3
    dealer_after_dead: str = "same"
    max_turns: int = 150
    target: int = 200
    game_bonus: int = 100
    line_bonus: int = 25
    shutout: str = "double_hand_points"
    max_hands: int = 100

    def __post_init__(self) -> None:
        check_values(self.as_dict(), ROWS)

    def as_dict(self) -> dict[str, object]:
        """Every setting by name; values are JSON-able."""
        return {name: getattr(self, name) for name in _NAMES}

    def bonuses(self) -> GinRules:
        """The bonuses at the end of a game, which are those of two-handed gin."""
        return GinRules(
            game_bonus=self.game_bonus, line_bonus=self.line_bonus, shutout=self.shutout
        )


_NAMES: Final = tuple(field.name for field in dataclasses.fields(RoyalRules))
_SAME: Final = {row.name: row for row in GIN_ROWS if row.name in _NAMES}
_OWN: Final = {
    row.name: row
    for row in (
        choice("hand_size", "cards dealt to each player", 7, 10),
        whole("beaten_knocker", "what a knocker loses whom somebody equals or beats", 0, 1000),
        whole("wall_cards", "stock cards at which a discard ends the hand without score", 1, 15),
        choice(
            "dealer_after_dead",
            "who deals after a hand without score: the same, or the next to the left",
            "same",
            "next",
        ),
    )
}
ROWS: Final[tuple[Row, ...]] = tuple(_OWN.get(name) or _SAME[name] for name in _NAMES)


def royal_settings() -> tuple[Setting, ...]:
    """Every setting with its meaning, what it may be, and its default."""
    defaults = RoyalRules().as_dict()
    return tuple(Setting(row.name, row.meaning, row.allowed, defaults[row.name]) for row in ROWS)


def replace_royal(rules: RoyalRules, changes: Mapping[str, object]) -> RoyalRules:
    """The rules with these settings changed.

    :raises InvalidSettings: an unknown setting, or a value not allowed.
    """
    check_names(changes, ROWS)
    return dataclasses.replace(rules, **changes)  # type: ignore[arg-type]


class RoyalScore(NamedTuple):
    """How a knock ended: points by position, and who won the hand (two when they share it)."""

    ending: Ending
    points: tuple[int, ...]
    winners: tuple[int, ...]


def score_royal(rules: RoyalRules, counts: Sequence[int], knocker: int) -> RoyalScore:
    """Score a knock by everybody's count after layoffs.

    Gin scores its bonus and both other counts. A knocker who is strictly lowest scores the other
    two counts less his own. One who is not loses a fixed number of points, and the lowest of the
    others scores the other two counts less his own; if the others are level, each scores half of
    that, rounded down.
    """
    points = [0] * len(counts)
    others = [at for at in range(len(counts)) if at != knocker]
    total = sum(counts)
    if counts[knocker] == 0:
        points[knocker] = rules.gin_bonus + total
        return RoyalScore(Ending.GIN, tuple(points), (knocker,))
    least = min(counts[at] for at in others)
    if counts[knocker] < least:
        points[knocker] = total - 2 * counts[knocker]
        return RoyalScore(Ending.KNOCK, tuple(points), (knocker,))
    winners = tuple(at for at in others if counts[at] == least)
    points[knocker] = -rules.beaten_knocker
    for at in winners:
        points[at] = (total - 2 * least) // len(winners)
    return RoyalScore(Ending.UNDERCUT, tuple(points), winners)


def defend_directly(
    hand: int, shown: Sequence[int], tables: MeldTables, *, may_lay_off: bool
) -> Defence:
    """The least count of a defender who may only extend the knocker's own melds.

    A card fits when it touches a meld as the knocker laid it: no card may be put on a card that
    was laid off. Every such card is therefore free of every other, and the two defenders do not
    hinder each other. Of equally good answers the one with the fewest layoffs is taken, then the
    one that lays off the lowest cards.
    """
    best = (tables.deadwood(hand), 0, 0)
    if may_lay_off:
        fitting = open_cards(shown, tables.ace_mode) & hand
        cards = fitting
        while cards:
            best = min(best, (tables.deadwood(hand ^ cards), cards.bit_count(), cards))
            cards = (cards - 1) & fitting
    count, _, laid_off = best
    rest = hand ^ laid_off
    melds = default_spread(rest, tables)
    return Defence(count, melds, laid_off, rest ^ sum(melds))
