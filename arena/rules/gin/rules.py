"""The rule settings of two-handed knock gin: one record whose options combine.

A house rule is a value here, never a class. A `GinRules` that exists is valid: every value is
checked alone and against the others when the record is made.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.errors import InvalidSettings
from arena.rules.base import Setting
from arena.rules.settings import (
    Row,
    check_names,
    check_values,
    choice,
    flag,
    none_as_word,
    settings_of,
    show_value,
    whole,
)


@dataclass(frozen=True, slots=True)
class GinRules:
    """All settings of two-handed gin; `ROWS` says what each one means and may be.

    :raises InvalidSettings: a value is not allowed, or two settings contradict each other.
    """

    hand_size: int = 10
    knock_limit: int = 10
    knock_card_source: str = "none"
    oklahoma_ace: str = "gin"
    spades_double: bool = False
    ace_mode: str = "low"
    ace_deadwood: int = 1
    gin_bonus: int = 25
    big_gin_bonus: int | None = 31
    undercut_bonus: int = 25
    undercut_on_tie: bool = True
    layoff_on_gin: bool = False
    gin_zero_after_layoff: str = "score"
    redraw_discard: bool = False
    wall_cards: int = 2
    wall_rule: str = "end"
    dealer_next: str = "alternate"
    dealer_after_dead: str = "same"
    misdeal_if_knockable: bool = False
    doubling: bool = False
    max_factor: int = 8
    two_ended_stock: bool = True
    max_turns: int = 150
    target: int = 100
    game_bonus: int = 100
    line_bonus: int = 25
    shutout: str = "double_hand_points"
    forfeit_margin: int | None = None
    columns: int = 1
    hollywood_shutout: str = "next_open"
    game_target: int | None = None
    max_hands: int = 100
    games_to_win: int = 1

    def __post_init__(self) -> None:
        check_values(self.as_dict(), ROWS)
        _check_together(self)

    def as_dict(self) -> dict[str, object]:
        """Every setting by name; values are JSON-able."""
        return {name: getattr(self, name) for name in _NAMES}


ROWS: Final[tuple[Row, ...]] = (
    choice("hand_size", "cards dealt to each player", 7, 10),
    whole("knock_limit", "most deadwood one may knock with; 0 is straight gin", 0, 10),
    choice(
        "knock_card_source",
        "what sets the knock limit of a hand: nothing (knock_limit holds), the upcard (Oklahoma), "
        "or a separate card, the bottom one of the pack, with the discard pile empty at the start; "
        "with dealer_next loser the last winner then draws first, as is usual",
        "none",
        "upcard",
        "separate",
    ),
    choice("oklahoma_ace", "knock limit of an ace as knock card: go gin, or one", "gin", "one"),
    flag("spades_double", "a spade as upcard or knock card doubles the score of the hand"),
    choice(
        "ace_mode", "runs with aces: A-2-3 only, or K-A-2 round the corner too", "low", "corner"
    ),
    choice("ace_deadwood", "value of a loose ace", 1, 15),
    whole("gin_bonus", "bonus for going gin", 0, 1000),
    whole(
        "big_gin_bonus",
        "bonus for melding all cards without a discard, in place of the gin bonus",
        0,
        1000,
        none="big gin is not played",
    ),
    whole("undercut_bonus", "bonus for a defender with less deadwood", 0, 1000),
    flag("undercut_on_tie", "equal deadwood is an undercut; if not, nobody scores"),
    flag("layoff_on_gin", "the defender may lay off against gin and big gin too"),
    choice(
        "gin_zero_after_layoff",
        "gin against a defender who laid off everything: scores its bonus, or nobody scores",
        "score",
        "no_score",
    ),
    flag("redraw_discard", "a card taken from the discard pile may be thrown in the same turn"),
    whole("wall_cards", "stock cards at which a discard ends the hand without score", 1, 20),
    choice(
        "wall_rule",
        "at the wall the hand ends, or the opponent may take the last discard in order to knock",
        "end",
        "opponent_may_knock",
    ),
    choice("dealer_next", "who deals after a scored hand", "alternate", "winner", "loser"),
    choice("dealer_after_dead", "who deals after a hand without score", "same", "alternate"),
    flag("misdeal_if_knockable", "a hand is void when a player could knock with the cards dealt"),
    flag("doubling", "before drawing, a player may offer to double the stake of the hand"),
    whole("max_factor", "highest factor that doubling can reach", 2, 64),
    flag(
        "two_ended_stock",
        "the dealer draws from the bottom of the stock, the other from its top, which keeps the "
        "halves of a mirrored pair of deals comparable",
    ),
    whole("max_turns", "turns after which a hand ends without score", 1, 10_000),
    whole("target", "hand points that win a game, or a column of a Hollywood sheet", 1, 100_000),
    whole("game_bonus", "added to the winner's total at the end of a game", 0, 10_000),
    whole("line_bonus", "added to the total at the end for each hand won", 0, 10_000),
    choice(
        "shutout",
        "when the loser won no hand: hand points double, points and game bonus double, a game "
        "bonus of 200, 100 extra, or nothing",
        "double_hand_points",
        "double_points_and_game",
        "game_bonus_200",
        "extra_100",
        "none",
    ),
    whole(
        "forfeit_margin",
        "a winner who is ahead by exactly so many hand points loses the game",
        1,
        1000,
        none="no such rule",
    ),
    choice("columns", "columns of the score sheet; 3 is Hollywood scoring", 1, 3),
    choice(
        "hollywood_shutout",
        "first win of a player whose first column closed: counts in the next open column, or in "
        "the closed one and is lost",
        "next_open",
        "literal",
    ),
    whole(
        "game_target",
        "play to the target again and again until a total with bonuses reaches this",
        1,
        1_000_000,
        none="one play to the target decides",
    ),
    whole("max_hands", "hands after which the higher score wins a game", 1, 10_000),
    whole("games_to_win", "games that win a match where the tournament says nothing else", 1, 20),
)

_NAMES: Final = tuple(field.name for field in dataclasses.fields(GinRules))


def _check_together(rules: GinRules) -> None:
    """Refuse settings that are each allowed but contradict one another."""
    if rules.knock_card_source != "none" and rules.knock_limit != 10:
        raise InvalidSettings(
            f"knock_limit is {rules.knock_limit}, but knock_card_source is "
            f"{rules.knock_card_source!r}, so a card sets the limit of each hand; "
            "leave knock_limit at 10 or set knock_card_source to 'none'",
            field="knock_limit",
        )
    if rules.big_gin_bonus is not None and rules.big_gin_bonus < rules.gin_bonus:
        raise InvalidSettings(
            f"big_gin_bonus is {rules.big_gin_bonus}, but must be at least gin_bonus, "
            f"which is {rules.gin_bonus}; raise it or set it to none",
            field="big_gin_bonus",
        )
    if rules.columns == 1:
        return
    for name, off in (("doubling", False), ("game_target", None), ("forfeit_margin", None)):
        value = getattr(rules, name)
        if value != off:
            raise InvalidSettings(
                f"{name} is {show_value(value)}, but a Hollywood sheet (columns 3) cannot be "
                f"played with it; set columns to 1 or {name} to {show_value(off)}",
                field=name,
            )


def gin_settings() -> tuple[Setting, ...]:
    """Every setting with its meaning, what it may be, and its default."""
    return settings_of(ROWS, GinRules())


def replace_rules(rules: GinRules, changes: Mapping[str, object]) -> GinRules:
    """The rules with these settings changed.

    None stands for the word "none" where a setting has it.

    :raises InvalidSettings: an unknown setting, a value not allowed, or a contradiction.
    """
    check_names(changes, ROWS)
    return dataclasses.replace(rules, **none_as_word(changes, ROWS))  # type: ignore[arg-type]
