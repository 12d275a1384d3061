"""Round robin schedules: who meets whom, on which seat, how far apart."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.errors import ConfigError
from arena.tournament.formats.registry import find_format
from arena.tournament.model import Fixture, FormatOptions

ROUND_ROBIN = find_format("round_robin")
SIZES = range(2, 65)


def schedule(n: int, **options: int | bool) -> tuple[Fixture, ...]:
    """The whole schedule of entrants 0…n-1."""
    return ROUND_ROBIN.fixtures(range(n), FormatOptions(**options), {})  # type: ignore[arg-type]


def played(fixtures: tuple[Fixture, ...]) -> list[Fixture]:
    """The fixtures without the byes."""
    return [fixture for fixture in fixtures if len(fixture.seats) == 2]


@pytest.mark.parametrize("n", SIZES)
def test_each_pair_meets_once_and_nobody_twice_in_a_round(n: int) -> None:
    """One leg without duplicates holds every pair once; a round holds every entrant once."""
    fixtures = schedule(n, duplicate=False)

    pairs = Counter(frozenset(fixture.seats) for fixture in played(fixtures))
    by_round: dict[int, list[int]] = {}
    for fixture in fixtures:
        by_round.setdefault(fixture.key.round, []).extend(fixture.seats)

    assert len(pairs) == n * (n - 1) // 2
    assert set(pairs.values()) == {1}
    assert all(sorted(entrants) == list(range(n)) for entrants in by_round.values())
    assert len(by_round) == n - 1 + n % 2


@pytest.mark.parametrize(
    ("n", "legs"), [(n, legs) for legs in (1, 2, 3) for n in SIZES if legs == 1 or n <= 20]
)
@pytest.mark.parametrize("duplicate", [False, True])
def test_seats_are_balanced(n: int, legs: int, duplicate: bool) -> None:
    """Nobody has the first seat more than once oftener or less often than the second."""
    lead = Counter({entrant: 0 for entrant in range(n)})
    for fixture in played(schedule(n, legs=legs, duplicate=duplicate)):
        lead[fixture.seats[0]] += 1
        lead[fixture.seats[1]] -= 1

    assert all(abs(difference) <= 1 for difference in lead.values())
    if duplicate:
        assert set(lead.values()) == {0}


@pytest.mark.parametrize("n", [3, 5, 7, 9, 33])
@pytest.mark.parametrize("legs", [1, 3])
def test_odd_fields_give_each_entrant_one_bye_a_cycle(n: int, legs: int) -> None:
    """Each cycle of each half has one bye for each entrant, a fixture with one seat, no games."""
    fixtures = schedule(n, legs=legs)
    byes = Counter(
        (fixture.seats[0], fixture.key.half, (fixture.key.round - 1) // n)
        for fixture in fixtures
        if len(fixture.seats) == 1
    )

    assert len(byes) == n * legs * 2
    assert set(byes.values()) == {1}
    assert all(fixture.games == 0 for fixture in fixtures if len(fixture.seats) == 1)


@pytest.mark.parametrize(("n", "legs"), [(2, 1), (2, 5), (3, 2), (6, 1), (7, 2), (16, 1)])
def test_mirrored_halves_share_deals_and_swap_seats(n: int, legs: int) -> None:
    """The two halves have one deal key and opposite seats, and different pairs share no deals."""
    by_key: dict[str, list[Fixture]] = {}
    for fixture in played(schedule(n, legs=legs)):
        by_key.setdefault(fixture.deal_key, []).append(fixture)

    assert len(by_key) == legs * n * (n - 1) // 2
    for first, second in by_key.values():
        assert first.seats == second.seats[::-1]
        assert (first.key.half, second.key.half) == (0, 1)
        assert first.key[:3] == second.key[:3]


@pytest.mark.parametrize(("n", "legs"), [(2, 4), (5, 1), (8, 2)])
def test_all_first_halves_come_before_all_second_halves(n: int, legs: int) -> None:
    """A deal comes back only after every other deal has been seen once."""
    fixtures = played(schedule(n, legs=legs))
    place = {fixture.key: index for index, fixture in enumerate(fixtures)}
    distances = {
        place[fixture.key._replace(half=1)] - place[fixture.key]
        for fixture in fixtures
        if fixture.key.half == 0
    }

    assert distances == {len(fixtures) // 2}


def test_best_of_sets_the_series_and_games_the_rest() -> None:
    """``best_of`` five stops at three wins; without it every game is played."""
    assert {(f.games, f.wins_needed) for f in schedule(4, best_of=5)} == {(5, 3)}
    assert {(f.games, f.wins_needed) for f in schedule(4, games=6)} == {(6, None)}


@pytest.mark.parametrize(("n", "legs", "duplicate"), [(2, 1, True), (5, 3, True), (8, 2, False)])
def test_total_counts_fixtures_without_byes(n: int, legs: int, duplicate: bool) -> None:
    """The announced total is what the schedule holds."""
    options = FormatOptions(legs=legs, duplicate=duplicate)

    fixtures = ROUND_ROBIN.fixtures(range(n), options, {})

    assert ROUND_ROBIN.total(n, options) == len(played(fixtures))


@pytest.mark.parametrize("n", [0, 1])
def test_too_small_a_field_is_refused(n: int) -> None:
    """No schedule for nobody or one; the message says how many it takes."""
    with pytest.raises(ConfigError, match=f"{n} entrants: a round robin needs at least 2"):
        schedule(n)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (FormatOptions(legs=0), "legs = 0"),
        (FormatOptions(best_of=4), "best_of = 4"),
        (FormatOptions(games=0), "games = 0"),
    ],
)
def test_impossible_options_are_refused(options: FormatOptions, message: str) -> None:
    """The message names the option and its value."""
    with pytest.raises(ConfigError, match=message):
        ROUND_ROBIN.fixtures(range(4), options, {})


def test_an_entrant_named_twice_is_refused() -> None:
    """The message names the entrant."""
    with pytest.raises(ConfigError, match=r"\[1\] more than once"):
        ROUND_ROBIN.fixtures([0, 1, 1], FormatOptions(), {})
