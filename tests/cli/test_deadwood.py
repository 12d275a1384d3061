"""``arena deadwood`` says what the rules say, on the published hands and on random ones."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli.deadwood import deadwood as command
from arena.rules.cards import NAMES
from tests.rules import brute
from tests.rules.vectors import case_id, cases

GAMES = {
    "gin": (10, False, 1),
    "seven_card": (7, False, 1),
    "round_the_corner": (10, True, 15),
    "tedesco": (10, True, 15),
}
"""Cards dealt, runs round the corner, value of a loose ace."""


def said(cards: str, *options: str) -> dict[str, Any]:
    """What the command prints as JSON."""
    done = CliRunner().invoke(command, [cards, "--json", *options])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.output)
    return found


def assert_adds_up(found: dict[str, Any], held: set[str], game: str) -> None:
    """Melds, loose and laid-off cards are the hand, and the melds are melds."""
    _, corner, ace = GAMES[game]
    groups = [*found["melds"], found["unmelded"], found.get("layoffs", [])]
    assert sorted(card for group in groups for card in group) == sorted(held)
    assert all(brute.is_meld(frozenset(meld), corner) for meld in found["melds"])
    assert brute.value(found["unmelded"], ace) == found["deadwood"]


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in cases("deadwood")
        if len(case["input"]["hand"]) == 10 and case["input"]["ace_mode"] == "low"
    ],
    ids=case_id,
)
def test_published_hands(case: Any) -> None:
    """Least deadwood and the default spread."""
    found = said(" ".join(case["input"]["hand"]))

    assert found["deadwood"] == case["expected"]["deadwood"]
    assert sorted(found["unmelded"]) == sorted(case["expected"]["leftover"])


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in cases("layoff")
        if len(case["input"]["defender"]) == 10
        and case["input"]["layoff_allowed"]
        and case["input"]["ace_mode"] == "low"
    ],
    ids=case_id,
)
def test_published_layoffs(case: Any) -> None:
    """The knocker may be given by its melds alone; a loose card makes it a knock and no gin."""
    given = case["input"]
    melds = [card for meld in given["knocker_melds"] for card in meld]
    free = [card for card in NAMES if card not in {*melds, *given["defender"]}]
    loose = next(
        card
        for card in free
        if brute.optimal(frozenset([*melds, card]), False, 1)
        == {frozenset(frozenset(meld) for meld in given["knocker_melds"])}
    )
    found = said("".join(given["defender"]), "--knocker", " ".join([*melds, loose]))

    assert found["deadwood"] == case["expected"]["defender_deadwood"]
    assert found["knocker"]["deadwood"] == brute.value([loose], 1)


@pytest.mark.parametrize("game", GAMES)
def test_random_hands(game: str) -> None:
    """Against exhaustive search, with and without one card too many and a knocker."""
    size, corner, ace = GAMES[game]
    chance = random.Random(game)
    for number in range(60):
        ranks = chance.sample(brute.RANKS, 6)
        pool = [card for card in NAMES if card[0] in ranks]
        held = set(chance.sample(pool, size + number % 2))
        rest = [card for card in NAMES if card not in held]
        knocker = frozenset(chance.sample(rest, size))
        alone = said(" ".join(held), "--rules", game)
        if alone["discard"]:
            least = min(brute.deadwood(frozenset(held - {card}), corner, ace) for card in held)
            assert alone["deadwood"] == least
        held.discard(alone["discard"])
        assert_adds_up(alone, held, game)
        against = said(" ".join(held), "--rules", game, "--knocker", " ".join(knocker))
        shown = tuple(frozenset(meld) for meld in against["knocker"]["melds"])
        theirs = brute.deadwood(knocker, corner, ace)
        allowed = theirs > 0 or game == "round_the_corner"
        assert alone["deadwood"] == brute.deadwood(frozenset(held), corner, ace)
        assert against["knocker"]["deadwood"] == theirs
        assert against["knocker"]["may_knock"] is (theirs <= 10)
        assert against["deadwood"] == brute.defend(frozenset(held), shown, corner, ace, allowed)
        assert_adds_up(against, held, game)


def test_text_is_for_people() -> None:
    """Without JSON: a line each, and a word about a hand that could not knock."""
    hand = "9S TS JS QS JD JH KC KD KH 3C"
    done = CliRunner().invoke(command, [hand, "--knocker", "2C2D2H 4C4D4H 6S7S8S AC"])
    assert "lay off   9S TS" in done.output
    assert "deadwood  13" in done.output
    done = CliRunner().invoke(command, [hand, "--knocker", "5C 7D 9D"])
    assert "no melds, deadwood 21: too much to knock with" in done.output
