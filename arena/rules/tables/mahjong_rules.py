"""The rule settings of Mahjong gin, and what cards are worth in it.

A house rule is a value here, never a class. A `MahjongRules` that exists is valid.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.rules.base import Setting
from arena.rules.cards import SUIT_SIZE, indexes
from arena.rules.gin.rules import ROWS as GIN_ROWS
from arena.rules.settings import Row, check_names, check_values, choice, settings_of, whole

VOID: Final = "void"
TABLES: Final = "tables"


@dataclass(frozen=True, slots=True)
class MahjongRules:
    """All settings of Mahjong gin; `ROWS` says what each one means and may be.

    :raises InvalidSettings: a value is not allowed.
    """

    hand_size: int = 10
    ace_mode: str = "low"
    low_points: int = 5
    high_points: int = 10
    ace_points: int = 15
    gin_bonus: int = 25
    mahjong_dead_hand: str = VOID
    wall_cards: int = 2
    two_ended_stock: bool = True
    max_turns: int = 150
    target: int = 250
    max_hands: int = 100

    def __post_init__(self) -> None:
        check_values(self.as_dict(), ROWS)

    def as_dict(self) -> dict[str, object]:
        """Every setting by name; values are JSON-able."""
        return {name: getattr(self, name) for name in _NAMES}


_OF_GIN: Final = {row.name: row for row in GIN_ROWS}
ROWS: Final[tuple[Row, ...]] = (
    whole("hand_size", "cards dealt to each player", 7, 13),
    choice(
        "ace_mode", "runs with aces: A-2-3 only, or K-A-2 round the corner too", "low", "corner"
    ),
    whole("low_points", "what a card from 2 to 9 counts", 1, 100),
    whole("high_points", "what a ten, jack, queen or king counts", 1, 100),
    whole("ace_points", "what an ace counts", 1, 100),
    whole("gin_bonus", "bonus for having no card left", 0, 1000),
    choice(
        "mahjong_dead_hand",
        "when the stock runs out: nobody scores, or cards on the table and in hand are counted "
        "without a bonus",
        VOID,
        TABLES,
    ),
    whole("wall_cards", "stock cards at which a discard ends the hand", 1, 20),
    _OF_GIN["two_ended_stock"],
    whole("max_turns", "turns after which a hand is dead", 1, 10_000),
    whole("target", "points that win a game", 1, 100_000),
    whole("max_hands", "hands after which the higher score wins a game", 1, 10_000),
)

_NAMES: Final = tuple(field.name for field in dataclasses.fields(MahjongRules))


def mahjong_settings() -> tuple[Setting, ...]:
    """Every setting with its meaning, what it may be, and its default."""
    return settings_of(ROWS, MahjongRules())


def replace_mahjong(rules: MahjongRules, changes: Mapping[str, object]) -> MahjongRules:
    """The rules with these settings changed.

    :raises InvalidSettings: an unknown setting, or a value not allowed.
    """
    check_names(changes, ROWS)
    return dataclasses.replace(rules, **changes)  # type: ignore[arg-type]


def card_points(rules: MahjongRules, cards: int) -> int:
    """What these cards count, on the table or in hand: 2-9, T-K and aces each have a value."""
    total = 0
    for index in indexes(cards):
        rank = index % SUIT_SIZE
        if rank == 0:
            total += rules.ace_points
        else:
            total += rules.low_points if rank <= 8 else rules.high_points
    return total


def hand_score(rules: MahjongRules, table: int, hand: int, *, gin: bool) -> int:
    """A player's score: own cards on the table less cards in hand, with the bonus for gin."""
    bonus = rules.gin_bonus if gin else 0
    return card_points(rules, table) - card_points(rules, hand) + bonus
