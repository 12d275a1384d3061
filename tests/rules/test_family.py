"""What every family of games does alike."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from arena.errors import InvalidSettings
from arena.rules.base import DealPlan, RulesRecord, Variant
from arena.rules.games import all_variants
from arena.rules.gin.rules import GinRules
from arena.rules.indian.rules import IndianRules

each_variant = pytest.mark.parametrize("variant", all_variants(), ids=lambda one: one.name)


@each_variant
def test_variants_travel_between_processes(variant: Variant) -> None:
    """A worker that unpacks a variant has the same game."""
    assert pickle.loads(pickle.dumps(variant)) == variant


@each_variant
def test_no_method_takes_the_rules_of_another_game(variant: Variant) -> None:
    """The text names the game and the type that came instead."""
    family = variant.family
    foreign: RulesRecord = GinRules()
    if isinstance(variant.rules, GinRules):
        foreign = IndianRules()

    calls: tuple[Callable[[], object], ...] = (
        lambda: family.replace(foreign, {}),
        lambda: family.players(foreign),
        lambda: family.new_sheet(foreign, 2, 0),
        lambda: family.deck(foreign),
        lambda: family.deal(foreign, (), DealPlan((0, 1), 0)),
    )
    for call in calls:
        with pytest.raises(InvalidSettings, match=f"no rules of type {type(foreign).__name__}"):
            call()
