"""The rule settings of Battle Royal.

A house rule is a value here, never a class. A `RoyalRules` that exists is valid.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.rules.base import Setting
from arena.rules.gin.rules import ROWS as GIN_ROWS
from arena.rules.gin.rules import GinRules
from arena.rules.settings import Row, check_names, check_values, choice, settings_of, whole


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
    return settings_of(ROWS, RoyalRules())


def replace_royal(rules: RoyalRules, changes: Mapping[str, object]) -> RoyalRules:
    """The rules with these settings changed.

    :raises InvalidSettings: an unknown setting, or a value not allowed.
    """
    check_names(changes, ROWS)
    return dataclasses.replace(rules, **changes)  # type: ignore[arg-type]
