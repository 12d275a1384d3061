"""The rule settings of 13-card Indian rummy: one record whose options combine.

A house rule is a value here, never a class. An `IndianRules` that exists is valid: every value is
checked alone and against the others when the record is made.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.errors import InvalidSettings
from arena.rules.base import Setting
from arena.rules.indian.cards import rank_index
from arena.rules.indian.groups import MIN_GROUP, GroupRules
from arena.rules.settings import Row, check_names, check_values, choice, flag, settings_of, whole


class Format(StrEnum):
    """What a game is made of."""

    POINTS = "points"
    """One deal; its winner takes the points of all losers."""
    POOL = "pool"
    """Points add up; who reaches the limit is out; the last one in wins."""
    DEALS = "deals"
    """A fixed number of deals played for chips."""


@dataclass(frozen=True, slots=True)
class IndianRules:
    """All settings of 13-card Indian rummy; `ROWS` says what each one means and may be.

    :raises InvalidSettings: a value is not allowed, or two settings contradict each other.
    """

    format: str = Format.POINTS.value
    pool_limit: int = 101
    deals: int = 2
    min_players: int = 2
    max_players: int = 6
    packs: int = 2
    printed_jokers: int = 2
    hand_size: int = 13
    ace: str = "both_ends"
    shown_joker: str = "aces_wild"
    wild_natural_pure: bool = True
    min_natural: int = 1
    min_pure: int = 1
    min_sequences: int = 2
    judge: str = "as_grouped"
    open_joker: str = "opening_only"
    redraw_discard: bool = True
    cap: int = 80
    first_drop: int | None = 20
    middle_drop: int | None = 40
    miss_limit: int = 3
    miss_points: int = 40
    wrong_declaration: int = 80
    max_turns: int = 60
    max_hands: int = 3

    def __post_init__(self) -> None:
        check_values(self.as_dict(), ROWS)
        _check_together(self)

    def as_dict(self) -> dict[str, object]:
        """Every setting by name; values are JSON-able."""
        return {name: getattr(self, name) for name in _NAMES}

    def group_rules(self, wild: int | None) -> GroupRules:
        """What decides groupings in a deal where this rank is wild."""
        return GroupRules(
            wild,
            ace_high=self.ace == "both_ends",
            wild_natural_pure=self.wild_natural_pure,
            min_natural=self.min_natural,
            min_pure=self.min_pure,
            min_sequences=self.min_sequences,
            hand_size=self.hand_size,
        )

    def leaving_points(self, has_drawn: bool) -> int:
        """Points of who leaves the table, or drops where drops are allowed.

        ``has_drawn``: whether that player has drawn a card in this deal. Where no drop is played
        it costs a full count.
        """
        points = self.middle_drop if has_drawn else self.first_drop
        return self.cap if points is None else points


ROWS: Final[tuple[Row, ...]] = (
    choice("format", "one deal for points, a pool with a limit, or deals for chips", *Format),
    whole("pool_limit", "points at which a player is out of a pool", 1, 10_000),
    whole("deals", "deals of a game for chips", 1, 100),
    whole("min_players", "fewest players of a game", 2, 6),
    whole("max_players", "most players of a game", 2, 6),
    whole("packs", "packs of 52 cards", 1, 3),
    whole("printed_jokers", "printed jokers in all packs together", 0, 8),
    whole("hand_size", "cards dealt to each player", MIN_GROUP, 13),
    choice("ace", "sequences with aces: A-2-3 only, or Q-K-A too", "low", "both_ends"),
    choice(
        "shown_joker",
        "a printed joker shown as wild joker: makes all aces wild, or no rank",
        "aces_wild",
        "none_wild",
    ),
    flag("wild_natural_pure", "a wild card at its own place leaves a sequence pure"),
    whole("min_natural", "fewest cards of a group that are not jokers", 0, 1),
    whole("min_pure", "pure sequences that a declaration needs", 0, 2),
    whole("min_sequences", "sequences that a declaration needs, pure ones included", 0, 4),
    choice(
        "judge",
        "a declaration is judged as grouped, or by the best grouping of its cards",
        "as_grouped",
        "best_grouping",
    ),
    choice(
        "open_joker",
        "jokers on the open pile that may be taken: the opening card only, all, or none",
        "opening_only",
        "always",
        "never",
    ),
    flag("redraw_discard", "a card taken from the open pile may be thrown in the same turn"),
    whole("cap", "most points that a hand counts", 1, 1000),
    whole("first_drop", "points of a drop before the first draw", 0, 1000, none="no such drop"),
    whole("middle_drop", "points of a later drop", 0, 1000, none="no such drop"),
    whole("miss_limit", "turns missed in a row that end the deal for a player", 1, 100),
    whole("miss_points", "points of a player who missed so many turns", 0, 1000),
    whole("wrong_declaration", "points of a declaration that is not valid", 0, 1000),
    whole("max_turns", "turns of each player after which a deal is void", 1, 10_000),
    whole("max_hands", "deals, void ones included, after which a game ends", 1, 10_000),
)

_NAMES: Final = tuple(field.name for field in dataclasses.fields(IndianRules))


def _check_together(rules: IndianRules) -> None:
    """Refuse settings that are each allowed but contradict one another."""
    if rules.min_players > rules.max_players:
        raise InvalidSettings(
            f"min_players is {rules.min_players}, but max_players is {rules.max_players};"
            " lower one or raise the other",
            field="min_players",
        )
    if rules.min_pure and rules.min_sequences <= rules.min_pure:
        raise InvalidSettings(
            f"min_sequences is {rules.min_sequences}, but must be more than min_pure, which is"
            f" {rules.min_pure}; spare jokers need a sequence that may be impure",
            field="min_sequences",
        )
    if MIN_GROUP * rules.min_sequences > rules.hand_size:
        raise InvalidSettings(
            f"min_sequences is {rules.min_sequences}, but a hand of {rules.hand_size} cards holds"
            f" at most {rules.hand_size // MIN_GROUP}",
            field="min_sequences",
        )
    if rules.first_drop is None and rules.middle_drop is not None:
        raise InvalidSettings(
            f"middle_drop is {rules.middle_drop}, but first_drop is none; set both to none, or"
            " give first_drop points",
            field="middle_drop",
        )
    cards = rules.packs * 52 + rules.printed_jokers
    needed = rules.max_players * rules.hand_size + 3
    if cards < needed:
        raise InvalidSettings(
            f"max_players is {rules.max_players}, but {cards} cards are too few for so many hands"
            f" of {rules.hand_size}: {needed} are needed; add packs or lower max_players",
            field="max_players",
        )
    if rules.format == Format.DEALS and rules.max_hands < rules.deals:
        raise InvalidSettings(
            f"max_hands is {rules.max_hands}, but the game has {rules.deals} deals; raise it",
            field="max_hands",
        )


def indian_settings() -> tuple[Setting, ...]:
    """Every setting with its meaning, what it may be, and its default."""
    return settings_of(ROWS, IndianRules())


def replace_rules(rules: IndianRules, changes: Mapping[str, object]) -> IndianRules:
    """The rules with these settings changed.

    :raises InvalidSettings: an unknown setting, a value not allowed, or a contradiction.
    """
    check_names(changes, ROWS)
    return dataclasses.replace(rules, **changes)  # type: ignore[arg-type]


def group_rules_of(values: Mapping[str, object], wild: str | None) -> GroupRules:
    """What decides groupings, from the ``rules`` and the ``wild`` of a decision request.

    :raises InvalidSettings: values that are no rules of Indian rummy.
    :raises InvalidCards: ``wild`` is no rank.
    """
    return replace_rules(IndianRules(), values).group_rules(rank_index(wild))
