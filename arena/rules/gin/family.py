"""Two-handed gin as the rest of the arena sees it, and its named variants.

The variants are data: each is the standard game with some settings changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.rules.base import DealPlan, Variant
from arena.rules.family import GameFamily
from arena.rules.gin.hand import GinHand, deal_gin
from arena.rules.gin.rules import GinRules, gin_settings, replace_rules
from arena.rules.gin.scoresheet import GinSheet, new_gin_sheet


def deal_two_handed(rules: GinRules, deck: Sequence[str], plan: DealPlan) -> GinHand:
    """The hand dealt from this order of cards, top first.

    :raises InvalidCards: the deck is no possible pack.
    """
    return deal_gin(rules, deck, plan.dealer)


def _seats(rules: GinRules) -> tuple[int, int]:
    return 2, 2


def _start(rules: GinRules, players: int, first_dealer: int) -> GinSheet:
    return new_gin_sheet(rules, first_dealer)


FAMILY: Final = GameFamily(
    name="gin",
    title="two-handed gin",
    rules=GinRules,
    listed=gin_settings,
    changed=replace_rules,
    seats=_seats,
    start=_start,
    dealt=deal_two_handed,
)


def _variant(name: str, title: str, summary: str, *aliases: str, **settings: object) -> Variant:
    return Variant(name, title, summary, FAMILY, replace_rules(GinRules(), settings), aliases)


_OKLAHOMA: Final[dict[str, object]] = {"knock_card_source": "upcard", "spades_double": True}

VARIANTS: Final[tuple[Variant, ...]] = (
    _variant(
        "gin",
        "Gin rummy",
        "Ten cards, knock with ten or less, gin and undercut 25, to 100 points.",
        "standard",
        "arena",
        "gin_rummy",
    ),
    _variant(
        "gin_bo5",
        "Gin rummy to 250",
        "The standard game to 250 points, three games win a match.",
        "arena_bo5",
        "best_of_five",
        target=250,
        games_to_win=3,
    ),
    _variant(
        "wikipedia",
        "Gin rummy, encyclopedia rules",
        "The figures of the encyclopedia: gin 25, undercut 25, big gin 31, shutout doubles points.",
    ),
    _variant(
        "rubl",
        "Gin rummy, rubl rules",
        "Undercut 20, no big gin, a shutout doubles points and game bonus.",
        big_gin_bonus=None,
        undercut_bonus=20,
        shutout="double_points_and_game",
    ),
    _variant(
        "gamesite",
        "Gin rummy, game site rules",
        "Gin 20, undercut 10, no big gin and no bonuses at the end of the game.",
        gin_bonus=20,
        big_gin_bonus=None,
        undercut_bonus=10,
        game_bonus=0,
        line_bonus=0,
        shutout="none",
    ),
    _variant(
        "house_25",
        "Gin rummy, house rules 25/25",
        "Gin 25, undercut 25, a shutout pays a game bonus of 200.",
        shutout="game_bonus_200",
    ),
    _variant(
        "house_20",
        "Gin rummy, house rules 20/10",
        "Gin 20, undercut 10, 20 a hand, a shutout pays a game bonus of 200.",
        gin_bonus=20,
        undercut_bonus=10,
        line_bonus=20,
        shutout="game_bonus_200",
    ),
    _variant(
        "house_30",
        "Gin rummy, house rules 30/10",
        "Gin 30, undercut 10, a shutout pays a game bonus of 200.",
        gin_bonus=30,
        undercut_bonus=10,
        shutout="game_bonus_200",
    ),
    _variant(
        "straight",
        "Straight gin",
        "No knocking: only gin or big gin ends a hand.",
        "straight_gin",
        "gin_only",
        knock_limit=0,
    ),
    _variant(
        "oklahoma",
        "Oklahoma gin",
        "The upcard sets the knock limit, an ace means gin only, spades count double.",
        "oklahoma_gin",
        **_OKLAHOMA,
    ),
    _variant(
        "oklahoma_ace_one",
        "Oklahoma gin, ace counts one",
        "Oklahoma in which an ace as upcard lets one knock with one.",
        oklahoma_ace="one",
        **_OKLAHOMA,
    ),
    _variant(
        "oklahoma_separate",
        "Oklahoma gin with a separate knock card",
        "The bottom card sets the knock limit; no upcard, the last winner draws first.",
        knock_card_source="separate",
        spades_double=True,
        dealer_next="loser",
    ),
    _variant(
        "seven_card",
        "Seven-card gin",
        "Seven cards each, otherwise the standard game.",
        "gin7",
        hand_size=7,
    ),
    _variant(
        "seven_card_seven",
        "Seven-card gin, knock with seven",
        "Seven cards each, and one may knock with seven or less.",
        hand_size=7,
        knock_limit=7,
    ),
    _variant(
        "round_the_corner",
        "Round-the-corner gin",
        "K-A-2 is a run, a loose ace costs 15, layoffs even on gin, to 125.",
        "round_the_corner_gin",
        ace_mode="corner",
        ace_deadwood=15,
        gin_bonus=20,
        big_gin_bonus=None,
        undercut_bonus=20,
        line_bonus=20,
        layoff_on_gin=True,
        gin_zero_after_layoff="no_score",
        target=125,
    ),
    _variant(
        "hollywood",
        "Hollywood gin",
        "Three columns at once: the first win counts in one, the second in two, then in all.",
        "hollywood_gin",
        columns=3,
    ),
    _variant(
        "tedesco",
        "Tedesco gin",
        "Oklahoma round the corner with dear aces on a Hollywood sheet, columns to 200.",
        "tedesco_gin",
        ace_mode="corner",
        ace_deadwood=15,
        columns=3,
        target=200,
        **_OKLAHOMA,
    ),
    _variant(
        "doubling",
        "Doubling gin",
        "Before drawing one may offer to double the stake; refusing gives the hand away. To 200.",
        "doubling_gin",
        doubling=True,
        target=200,
    ),
    _variant(
        "big50",
        "Gin rummy, big gin 50",
        "The standard game with 50 points for big gin.",
        big_gin_bonus=50,
    ),
    _variant(
        "tie_void",
        "Gin rummy, ties void",
        "The standard game, but equal deadwood after a knock scores nothing.",
        undercut_on_tie=False,
    ),
    _variant(
        "extra100",
        "Gin rummy, shutout 100",
        "The standard game with a shutout bonus of 100.",
        shutout="extra_100",
    ),
    _variant(
        "multi_match",
        "Gin rummy to a game score of 500",
        "Plays to 100 again and again; totals with bonuses add up to a game score of 500.",
        game_target=500,
        shutout="extra_100",
    ),
    _variant(
        "last_knock",
        "Gin rummy, fiftieth-card rule",
        "At the wall the opponent may still take the last discard in order to knock.",
        wall_rule="opponent_may_knock",
    ),
)
