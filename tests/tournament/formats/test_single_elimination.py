"""Single elimination: seeding, byes, third place, walk-overs, undecided matches."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.tournament.formats.registry import find_format
from arena.tournament.formats.single_elimination import SingleElimination
from arena.tournament.model import Fixture, FixtureKey, FixtureResult, FormatOptions
from tests.tournament.results import both_forfeit, lower_number_wins, play_out, result

ELIMINATION = SingleElimination()
TABLE: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "brackets.json").read_text()
)
OPTIONS = FormatOptions(best_of=5)


def by_label(fixtures: tuple[Fixture, ...], label: str) -> Fixture:
    """The fixture with this label."""
    (found,) = [fixture for fixture in fixtures if fixture.label == label]
    return found


def play_unless(
    labels: Mapping[str, Callable[[Fixture], FixtureResult]],
) -> Callable[[Fixture], FixtureResult]:
    """The lower number wins, except in the matches with these labels."""
    return lambda fixture: labels.get(fixture.label, lower_number_wins)(fixture)


@pytest.mark.parametrize("case", TABLE, ids=lambda case: str(case["entrants"]))
def test_bracket_equals_the_published_table(case: dict[str, Any]) -> None:
    """First-round pairings, byes and, while favourites win, each later round."""
    seeding = list(range(1, case["entrants"] + 1))
    fixtures, _ = play_out(ELIMINATION, seeding, OPTIONS)
    expected = {
        (number, slot): {side for side in pair if side is not None}
        for number, pairs in enumerate(case["rounds"], start=1)
        for slot, pair in enumerate(pairs, start=1)
    }
    third = [set(f.seats) for f in fixtures if f.key.stage == "third_place"]

    got = {(f.key.round, f.key.slot): set(f.seats) for f in fixtures if f.key.stage == "bracket"}

    assert got == expected
    assert third == ([set(case["third_place"])] if case["third_place"] else [])


@pytest.mark.parametrize("n", range(2, 66))
def test_byes_fall_to_the_best_seeds(n: int) -> None:
    """As many byes as places are empty, all for the top seeds, never bye against bye."""
    fixtures = ELIMINATION.fixtures(range(n), OPTIONS, {})
    size = 1 << (n - 1).bit_length()
    first_round = [fixture for fixture in fixtures if fixture.key.round == 1]

    assert sorted(f.seats[0] for f in first_round if len(f.seats) == 1) == list(range(size - n))
    assert len(first_round) == size // 2


@pytest.mark.parametrize("n", range(2, 66))
def test_everybody_but_the_winner_loses_once(n: int) -> None:
    """n-1 matches, one more for third place; the top two meet only in the final."""
    fixtures, results = play_out(ELIMINATION, range(n), OPTIONS)
    main = [f for f in fixtures if f.key.stage == "bracket" and len(f.seats) == 2]
    losers = Counter(min(f.seats) ^ f.seats[0] ^ f.seats[1] for f in main)

    assert len(results) == ELIMINATION.total(n, OPTIONS)
    assert sorted(losers) == list(range(1, n))
    assert set(by_label(fixtures, "Final").seats) == {0, 1}
    assert fixtures[-1].label == "Final"


def test_a_place_stays_open_until_its_match_is_played() -> None:
    """With five entrants the first seed waits for 4 v 5: no semi-final, least of all a bye."""
    fixtures = ELIMINATION.fixtures(range(5), OPTIONS, {})

    waiting = [f for f in fixtures if f.key.round == 2 and 0 in f.seats]

    assert waiting == []
    assert [f.seats for f in fixtures if f.key.round == 2] == [(1, 2)]


def test_third_place_is_between_the_beaten_semi_finalists() -> None:
    """Semi-finals 0 > 3 and 1 > 2: the final is 0-1, the match for third 3-2."""
    fixtures, _ = play_out(ELIMINATION, range(4), OPTIONS)

    assert set(by_label(fixtures, "Final").seats) == {0, 1}
    assert set(by_label(fixtures, "Third place").seats) == {2, 3}


@pytest.mark.parametrize(("n", "third_place"), [(2, True), (3, True), (8, False)])
def test_no_match_for_third_place(n: int, third_place: bool) -> None:
    """Switched off, or fewer than two beaten semi-finalists."""
    options = FormatOptions(third_place=third_place)
    fixtures, _ = play_out(ELIMINATION, range(n), options)

    assert all(fixture.label != "Third place" for fixture in fixtures)
    assert ELIMINATION.total(n, options) == n - 1


def test_double_forfeit_is_a_walk_over_for_the_next_opponent() -> None:
    """Both bots of a quarter-final dead: the semi-final is a bye, and the bracket ends."""
    play = play_unless({"Quarter-final 2": both_forfeit})
    fixtures, _ = play_out(ELIMINATION, range(8), OPTIONS, play)

    assert by_label(fixtures, "Semi-final 1").seats == (0,)
    assert by_label(fixtures, "Third place").seats == (2,)
    assert set(by_label(fixtures, "Final").seats) == {0, 1}


def test_a_whole_side_of_the_bracket_may_fail() -> None:
    """Every match of one half a double forfeit: the other half's winner wins by walk-over."""
    play = play_unless(
        {f"Quarter-final {i}": both_forfeit for i in (1, 2)} | {"Third place": both_forfeit}
    )
    fixtures, _ = play_out(ELIMINATION, range(8), OPTIONS, play)

    assert by_label(fixtures, "Final").seats == (1,)


@pytest.mark.parametrize(
    ("points", "fewer_points_win", "winner"),
    [((310, 290), False, 5), ((290, 310), False, 2), ((290, 310), True, 5), ((0, 0), False, 2)],
)
def test_undecided_match_goes_by_points_then_seeding(
    points: tuple[int, int], fewer_points_win: bool, winner: int
) -> None:
    """Games level: better hand points, then the better seeding; penalties count downwards."""
    options = FormatOptions(best_of=5, fewer_points_win=fewer_points_win)
    seeding = [1, 2, 5, 4]
    key = FixtureKey("bracket", 1, 2)
    drawn = result((5, 2), None, points=points, games=(2, 2), drawn=1, key=key)
    other = result((1, 4), 1, key=FixtureKey("bracket", 1, 1))

    fixtures = ELIMINATION.fixtures(seeding, options, {key: drawn, other.key: other})

    assert set(by_label(fixtures, "Final").seats) == {1, winner}


def test_first_seats_alternate_on_the_way_through_the_bracket() -> None:
    """Seat 0 goes to whoever had it less often, at first to the better seed."""
    fixtures, _ = play_out(ELIMINATION, range(16), OPTIONS)
    path = [fixture.seats.index(0) for fixture in fixtures if 0 in fixture.seats]

    assert path == [0, 0, 0, 0]
    assert all(f.seats[0] < f.seats[1] for f in fixtures if f.key.round == 1)


def test_matches_of_a_bracket_have_deals_of_their_own() -> None:
    """No mirror: two fixtures never share a deal key."""
    fixtures, _ = play_out(ELIMINATION, range(11), OPTIONS)

    assert len({fixture.deal_key for fixture in fixtures}) == len(fixtures)
    assert {fixture.key.half for fixture in fixtures} == {0}


@pytest.mark.parametrize("n", [0, 1])
def test_too_small_a_field_is_refused(n: int) -> None:
    """The message says how many entrants it takes."""
    with pytest.raises(ConfigError, match=f"{n} entrants: single elimination needs at least 2"):
        ELIMINATION.fixtures(range(n), OPTIONS, {})


def test_formats_are_found_by_name_and_the_nearest_is_suggested() -> None:
    """Spelling of separators does not matter; a slip is answered with the nearest name."""
    assert find_format("Round-Robin").name == "round_robin"
    assert find_format("single elimination").name == "single_elimination"
    with pytest.raises(ConfigError, match="did you mean 'round-robin'"):
        find_format("roundrobbin")
