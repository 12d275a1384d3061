"""Records of hands of gin that were played at random."""

from __future__ import annotations

from random import Random

from arena.rules.base import DealPlan
from arena.rules.deal import shuffled
from arena.rules.games import all_variants, variant_with
from arena.rules.gin.family import FAMILY
from arena.rules.record import HandRecord, Play

GIN_VARIANTS = [variant for variant in all_variants() if variant.family is FAMILY]


def played(
    name: str, seed: int, dealer: int = 0, changes: dict[str, object] | None = None
) -> HandRecord:
    """The record of a random hand of a two-handed variant, some plays marked as faults or late."""
    variant = variant_with(name, changes)
    random = Random(seed)
    plan = DealPlan((0, 1), dealer)
    deck = shuffled(FAMILY.deck(variant.rules), seed.to_bytes(8, "big"))
    hand = FAMILY.deal(variant.rules, deck, plan)
    plays: list[Play] = []
    while hand.to_act is not None:
        legal = hand.legal_actions()
        ends = [each for each in legal if each.kind in ("knock", "big_gin")]
        chosen = random.choice(ends or legal)
        after = hand.apply(chosen)
        melds = None
        if after.outcome is not None and chosen in ends and random.random() < 0.5:
            melds = after.outcome.shown[hand.to_act].melds
        fault = random.choice([None] * 20 + ["timeout", "bad_json"])
        late = fault is None and random.random() < 0.05
        plays.append(Play(chosen.id, melds, fault, late))
        hand = after
    assert hand.outcome is not None
    return HandRecord.of(variant, plan, deck, plays, hand.outcome)
