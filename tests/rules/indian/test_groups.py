"""What a group of cards is, and the judgment of declarations."""

from __future__ import annotations

from random import Random

import pytest

from arena.rules.cards import RANKS
from arena.rules.indian.groups import Kind, Reason, judge, kinds
from tests.rules.indian import naive
from tests.rules.indian.building import DECK, WINNING_GROUPS, faces, wild


def test_kinds_agree_with_the_rules_on_random_groups() -> None:
    """Thirty thousand groups, most of them of one suit or one rank, are of the right kinds."""
    rng = Random(11)
    seen = dict.fromkeys(("pure", "impure", "set", "none"), 0)
    for _ in range(30_000):
        rank = rng.choice([None, *RANKS])
        low, width = rng.randrange(13), rng.randint(1, 6)
        near = [RANKS[(low + step) % 13] for step in range(width)]
        suits = rng.choice(["C", "D", "CDHS"])
        pool = [card for card in DECK if card[0] in near and card[1] in suits]
        pool += rng.choice(([], ["JK", "JK"], [c for c in DECK if c[0] == rank]))
        group = rng.sample(pool, min(len(pool), rng.randint(2, 6)))
        expected = naive.kinds(group, rank)

        assert {kind.value for kind in kinds(faces(group), wild(rank))} == expected, (group, rank)
        for kind in expected or {"none"}:
            seen[kind] += 1
    assert min(seen.values()) > 300


@pytest.mark.parametrize(
    ("group", "expected"),
    [("QS KS AS", set()), ("QS JK AS", set()), ("AS 2S 3S", {"pure"}), ("KS AS 2S", set())],
)
def test_ace_may_be_low_only(group: str, expected: set[str]) -> None:
    """With ``ace = low`` no sequence ends with an ace after the king."""
    assert set(kinds(faces(group), wild("5", ace_high=False))) == expected


def test_wild_card_at_its_place_may_be_barred_from_pure_sequences() -> None:
    """Without ``wild_natural_pure`` a sequence with a wild card is impure at best."""
    group = faces("QD KD AD")

    assert kinds(group, wild("Q")) == {Kind.PURE, Kind.IMPURE}
    assert kinds(group, wild("Q", wild_natural_pure=False)) == {Kind.IMPURE}
    assert kinds(group, wild("5", wild_natural_pure=False)) == {Kind.PURE}


def test_jokers_alone_are_a_group_only_where_no_natural_card_is_needed() -> None:
    """Printed jokers only: no group; with a wild card among them it may stand for itself."""
    assert kinds(faces("JK JK JK"), wild("Q")) == set()
    assert kinds(faces("JK JK QS"), wild("Q")) == {Kind.IMPURE, Kind.SET}
    assert kinds(faces("JK JK JK"), wild("Q", min_natural=0)) == {Kind.IMPURE, Kind.SET}


def test_a_run_holds_at_most_thirteen_cards() -> None:
    """A whole suit is a pure sequence; with one joker more it is nothing."""
    suit = " ".join(f"{rank}H" for rank in RANKS)

    assert kinds(faces(suit), wild(None)) == {Kind.PURE}
    assert kinds(faces(suit + " JK"), wild(None)) == set()


@pytest.mark.parametrize(
    ("groups", "reason", "text"),
    [
        ("2H 3H 4H|5C 6C 7C 8C|9D 9S 9H|KC KD KS", Reason.OK, "valid"),
        ("2H 3H 4H|5C 6C 7C 8C|9D 9S 9H", Reason.NOT_ALL_CARDS, "10 cards, not all 13"),
        ("2H 3H 4H|5C 6C 7C 8C|9D 9S 9H KC|KD KS", Reason.INVALID_GROUP, "group 3 (KC 9D 9H 9S)"),
        ("2H 3H 4H|5C 6C 7C 8C|9D 9S 9H TH|KD KS", Reason.INVALID_GROUP, "several suits"),
        ("2H 3H 4H|5C 6C 7C 8C|9D 9S 9S|KC KD KS", Reason.INVALID_GROUP, "holds 9S twice"),
        ("2H 3H 4H|5C 6C 7C TC|9D 9S 9H|KC KD KS", Reason.INVALID_GROUP, "cannot hold 5 6 7 T"),
        ("2H 3H 4H|5C 6C 7C 8C|9D 9S 9H TH|JK JK", Reason.INVALID_GROUP, "group 3"),
        ("2H 3H 4H 5H|5C 6C 7C 8C|9D 9S 9H|KC KD", Reason.INVALID_GROUP, "2 cards"),
        ("2H 3H JK|5C 6C JK 8C|9D 9S 9H|KC KD KS", Reason.NO_PURE_SEQUENCE, "0 of 1 pure"),
        ("2H 3H 4H 5H|2D 2S 2C|9D 9S 9H|KC KD KS", Reason.TOO_FEW_SEQUENCES, "1 of 2 sequences"),
    ],
)
def test_judgment_says_what_is_wrong(groups: str, reason: Reason, text: str) -> None:
    """The first thing that is wrong decides, and the sentence names the group or what lacks."""
    verdict = judge([faces(group) for group in groups.split("|")], wild("A"))

    assert verdict.valid == (reason is Reason.OK)
    assert verdict.reason is reason
    assert text in verdict.sentence


def test_two_pure_sequences_can_be_required() -> None:
    """With ``min_pure`` 2 and ``min_sequences`` 3 both are counted."""
    two = [faces(g) for g in ("2H 3H 4H", "5C 6C 7C", "9D TD JK", "KC KD KS KH")]
    one = [faces(g) for g in ("2H 3H 4H", "5C 6C JK", "9D TD JK", "KC KD KS KH")]
    rules = wild(None, min_pure=2, min_sequences=3)

    assert judge(two, rules).valid
    assert judge(one, rules).reason is Reason.NO_PURE_SEQUENCE


def test_the_example_hand_of_these_tests_is_valid() -> None:
    """Other tests rely on it."""
    assert judge([faces(group) for group in WINNING_GROUPS], wild("Q")).valid
