"""What the games really send fits the schemas, in every phase of every variant."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from arena.referee.decision import GameContext, HandContext, decision
from arena.referee.verdicts import FaultCode
from arena.rules.base import Action, ActionKind, Hand, Phase, Variant
from arena.rules.deal import deal_seed, shuffled
from arena.rules.games import all_variants
from arena.wire import schemas
from tests.wire.protocol_examples import examples

EAGER = {ActionKind.KNOCK, ActionKind.BIG_GIN, ActionKind.MELD, ActionKind.ADD}
RARE = {ActionKind.DROP, ActionKind.DECLARE, ActionKind.REFUSE}


def _chosen(hand: Hand, legal: tuple[Action, ...], rng: random.Random) -> Action:
    weights = [20 if one.kind in EAGER else 1 if one.kind in RARE else 10 for one in legal]
    return rng.choices(legal, weights)[0]


def _requests(variant: Variant, seats: int, hands: int, seed: int) -> Iterator[dict[str, Any]]:
    """The decision requests of a few hands of random play."""
    rng = random.Random(f"{variant.name}/{seats}/{seed}")
    family, rules = variant.family, variant.rules
    sheet = family.new_sheet(rules, seats, 0)
    for number in range(1, hands + 1):
        plan = sheet.next_deal()
        if plan is None:
            return
        deck = shuffled(family.deck(rules), deal_seed(bytes(32), f"{seats}", seed + 1, number))
        hand = family.deal(rules, deck, plan)
        context = HandContext(
            tournament="t_1",
            match="m_1",
            game=1,
            hand=number,
            variant=variant.name,
            rules=rules.as_dict(),
            plan=plan,
            lines=sheet.lines,
            columns=sheet.columns,
            target=sheet.target,
            games_won=(0,) * seats,
        )
        while hand.to_act is not None:
            legal = hand.legal_actions()
            clock = GameContext(context, 1000, 30_000.7, 12.34, FaultCode.OK)
            yield decision(hand.view(hand.to_act), legal, clock)
            hand = hand.apply(_chosen(hand, legal, rng))
        assert hand.outcome is not None
        sheet = sheet.add(hand.outcome)


@cache
def _seen(family: str) -> dict[str, set[str]]:
    """Phases of a family and what may be answered in them, as the valid examples show it."""
    seen: dict[str, set[str]] = defaultdict(set)
    families = {variant.name: variant.family.name for variant in all_variants()}
    for example in examples("valid"):
        if example.message == "decision":
            request: Any = example.value
            if families[request["variant"]] == family:
                seen[request["phase"]] |= {action["kind"] for action in request["legal"]}
    return seen


@pytest.mark.parametrize("variant", all_variants(), ids=lambda variant: variant.name)
def test_every_request_of_a_variant_fits(variant: Variant) -> None:
    """With the fewest and the most seats, whatever is played."""
    for seats in set(variant.family.players(variant.rules)):
        for request in _requests(variant, seats, hands=2, seed=1):
            schemas.require("decision", request)
            assert len(request["players"]) == seats
            assert request["players"][request["seat"]]["position"] == request["position"]


def test_the_slow_validator_accepts_real_requests_too() -> None:
    """A sample of them, because it takes its time."""
    for variant in all_variants():
        seats = variant.family.players(variant.rules)[0]
        for number, request in enumerate(_requests(variant, seats, hands=1, seed=2)):
            if number % 25 == 0:
                assert schemas.readable("decision").is_valid(request)


SHOWN_BY_GIN = {"cutthroat", "chouette", "teams"}
"""Families whose hands are hands of gin: they have an example each, gin has one for each phase."""

FAMILIES = sorted({variant.family.name for variant in all_variants()})


@pytest.mark.parametrize("family", FAMILIES)
def test_every_phase_of_a_family_has_an_example(family: str) -> None:
    """Each phase that play can reach is shown, with each kind of action that it can offer."""
    reached: dict[str, set[str]] = defaultdict(set)
    for variant in all_variants():
        if variant.family.name == family:
            for seed in range(3):
                seats = variant.family.players(variant.rules)[0]
                for request in _requests(variant, seats, hands=4, seed=seed):
                    kinds = {action["kind"] for action in request["legal"]}
                    reached[request["phase"]] |= kinds

    shown = _seen("gin" if family in SHOWN_BY_GIN else family)
    for phase, kinds in reached.items():
        assert kinds <= shown[phase], phase


def test_every_phase_on_the_wire_has_an_example() -> None:
    """No phase of the protocol is without an example request."""
    phases = {phase for family in FAMILIES for phase in _seen(family)}

    assert phases == {phase.value for phase in Phase} - {Phase.OVER.value}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_an_example(family: str) -> None:
    """At least one request of each family of games."""
    assert _seen(family)
