"""Random rules and random play for property tests."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from arena.rules.cards import NAMES
from arena.rules.gin.hand import GinHand, deal_gin
from arena.rules.gin.rules import GinRules


@st.composite
def gin_rules(draw: st.DrawFn, /, **fixed: Any) -> GinRules:
    """Any rules that do not contradict themselves."""
    source = draw(st.sampled_from(["none", "none", "upcard", "separate"]))
    gin_bonus = draw(st.sampled_from([0, 20, 25, 30]))
    columns = draw(st.sampled_from([1, 1, 3]))
    single = columns == 1
    values: dict[str, Any] = {
        "hand_size": draw(st.sampled_from([7, 10])),
        "knock_limit": draw(st.integers(0, 10)) if source == "none" else 10,
        "knock_card_source": source,
        "oklahoma_ace": draw(st.sampled_from(["gin", "one"])),
        "spades_double": draw(st.booleans()),
        "ace_mode": draw(st.sampled_from(["low", "corner"])),
        "ace_deadwood": draw(st.sampled_from([1, 15])),
        "gin_bonus": gin_bonus,
        "big_gin_bonus": draw(st.sampled_from([None, 31, 50])),
        "undercut_bonus": draw(st.sampled_from([0, 10, 25])),
        "undercut_on_tie": draw(st.booleans()),
        "layoff_on_gin": draw(st.booleans()),
        "gin_zero_after_layoff": draw(st.sampled_from(["score", "no_score"])),
        "redraw_discard": draw(st.booleans()),
        "wall_cards": draw(st.integers(1, 4)),
        "wall_rule": draw(st.sampled_from(["end", "opponent_may_knock"])),
        "dealer_next": draw(st.sampled_from(["alternate", "winner", "loser"])),
        "dealer_after_dead": draw(st.sampled_from(["same", "alternate"])),
        "misdeal_if_knockable": draw(st.booleans()),
        "doubling": single and draw(st.booleans()),
        "max_factor": draw(st.sampled_from([2, 5, 8, 64])),
        "two_ended_stock": draw(st.booleans()),
        "max_turns": draw(st.integers(1, 60)),
        "target": draw(st.sampled_from([1, 50, 100, 250])),
        "shutout": draw(
            st.sampled_from(
                [
                    "double_hand_points",
                    "double_points_and_game",
                    "game_bonus_200",
                    "extra_100",
                    "none",
                ]
            )
        ),
        "forfeit_margin": draw(st.sampled_from([None, 50])) if single else None,
        "columns": columns,
        "hollywood_shutout": draw(st.sampled_from(["next_open", "literal"])),
        "game_target": draw(st.sampled_from([None, 200])) if single else None,
        "max_hands": draw(st.integers(1, 12)),
    }
    return GinRules(**{**values, **fixed})


def random_deal(rules: GinRules, random: Random) -> GinHand:
    """A hand from a shuffled pack, dealt by either seat."""
    return deal_gin(rules, random.sample(NAMES, len(NAMES)), random.randrange(2))
