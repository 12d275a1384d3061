"""Tables of three to six, and the gauntlet."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest

from arena.errors import ConfigError
from arena.tournament.formats.gauntlet import Gauntlet
from arena.tournament.formats.registry import check_seats
from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.formats.tables import Tables, meetings
from arena.tournament.model import Fixture, FormatOptions

TABLES = Tables()
GAUNTLET = Gauntlet()


def seated(n: int, size: int, legs: int = 1, duplicate: bool = True) -> tuple[Fixture, ...]:
    """The schedule of n entrants at tables of this size."""
    options = FormatOptions(table_size=size, legs=legs, duplicate=duplicate)
    return TABLES.fixtures(range(n), options, {})


@pytest.mark.parametrize("size", [3, 4, 5, 6])
@pytest.mark.parametrize("legs", [1, 2])
def test_every_pair_meets_about_equally_often(size: int, legs: int) -> None:
    """At least ``legs`` times, nobody more than twice oftener than another; up to 30 entrants."""
    for n in range(size, 31):
        fewest, most = meetings(n, size, legs)

        assert fewest >= legs
        assert most - fewest <= 2


@pytest.mark.parametrize(
    ("n", "size"), [(7, 3), (13, 3), (19, 3), (13, 4), (21, 5), (4, 3), (6, 6)]
)
def test_some_fields_are_perfectly_even(n: int, size: int) -> None:
    """Each pair meets exactly equally often."""
    fewest, most = meetings(n, size, 1)

    assert fewest == most


@pytest.mark.parametrize("size", [3, 4, 5, 6])
@pytest.mark.parametrize("n", [6, 7, 10, 12])
def test_seats_and_tables_are_shared_out_evenly(n: int, size: int) -> None:
    """Every entrant plays equally many tables and has each seat equally often, mirrored or not."""
    for duplicate in (True, False):
        fixtures = seated(n, size, duplicate=duplicate)
        if n == size and not duplicate:
            continue
        seats = Counter((entrant, seat) for f in fixtures for seat, entrant in enumerate(f.seats))

        assert len(set(seats.values())) == 1
        assert len(seats) == n * size
        assert all(len(set(f.seats)) == size for f in fixtures)


@pytest.mark.parametrize(("size", "orders"), [(3, 6), (4, 4), (5, 5), (6, 6)])
def test_a_deal_is_played_in_several_seat_orders(size: int, orders: int) -> None:
    """Three seats: all six orders; more: the rotations. One deal key, halves numbered."""
    by_key: dict[str, list[Fixture]] = {}
    for f in seated(8, size):
        by_key.setdefault(f.deal_key, []).append(f)

    for group in by_key.values():
        members = [f.seats for f in group]
        assert len(set(members)) == orders
        assert {frozenset(m) for m in members} == {frozenset(members[0])}
        assert sorted(f.key.half for f in group) == list(range(orders))
        for seat in range(size):
            assert {m[seat] for m in members} == set(members[0])
        if size == 3:
            assert set(members) == set(permutations(members[0]))


@pytest.mark.parametrize(("size", "orders"), [(3, 6), (4, 24), (5, 120), (6, 720)])
def test_every_seat_order_is_played_where_the_organiser_asks_for_it(size: int, orders: int) -> None:
    """Each bot then has every neighbour and, in games of two sides, every partner."""
    options = FormatOptions(table_size=size, all_orders=True)
    fixtures = TABLES.fixtures(range(size), options, {})

    assert {f.seats for f in fixtures} == set(permutations(range(size)))
    assert len(fixtures) == orders == TABLES.total(size, options)
    assert {f.deal_key for f in fixtures} == {fixtures[0].deal_key}
    assert fixtures[-1].label.endswith(f"seat order {orders} of {orders}")


def test_seat_orders_of_a_table_are_spread_over_the_schedule() -> None:
    """All tables in their first order, then all in their second."""
    halves = [f.key.half for f in seated(9, 3)]

    assert halves == sorted(halves)


@pytest.mark.parametrize(("n", "size", "legs"), [(3, 3, 2), (9, 3, 1), (8, 4, 2), (6, 6, 3)])
def test_total_is_the_length_of_the_schedule(n: int, size: int, legs: int) -> None:
    """Nothing at a table is a bye."""
    fixtures = seated(n, size, legs)

    assert TABLES.total(n, FormatOptions(table_size=size, legs=legs)) == len(fixtures)
    assert all(len(f.seats) == size for f in fixtures)


@pytest.mark.parametrize(
    ("n", "size", "message"),
    [(8, 2, "table_size = 2"), (8, 7, "table_size = 7"), (3, 4, "tables of 4 needs at least 4")],
)
def test_impossible_tables_are_refused(n: int, size: int, message: str) -> None:
    """The message says what to use."""
    with pytest.raises(ConfigError, match=message):
        seated(n, size)


def test_the_champion_meets_everybody_on_both_seats() -> None:
    """One mirrored pair for each challenger and leg; the challengers do not meet."""
    options = FormatOptions(champion=2, legs=3)
    fixtures = GAUNTLET.fixtures(range(6), options, {})
    meets = Counter(next(e for e in f.seats if e != 2) for f in fixtures)

    assert all(2 in f.seats for f in fixtures)
    assert meets == dict.fromkeys([0, 1, 3, 4, 5], 6)
    assert Counter(f.seats.index(2) for f in fixtures) == {0: 15, 1: 15}
    assert len(fixtures) == GAUNTLET.total(6, options)
    assert len({f.key for f in fixtures}) == len(fixtures)
    halves = [f.key.half for f in fixtures]
    assert halves == sorted(halves)
    by_key = {f.key: f for f in fixtures}
    for f in fixtures:
        mirror = by_key[f.key._replace(half=1 - f.key.half)]
        assert (mirror.seats, mirror.deal_key) == (f.seats[::-1], f.deal_key)


@pytest.mark.parametrize("n", range(2, 12))
def test_first_seats_of_the_champion_are_balanced_without_mirrors(n: int) -> None:
    """Within one."""
    fixtures = GAUNTLET.fixtures(range(n), FormatOptions(duplicate=False), {})
    first = sum(f.seats[0] == 0 for f in fixtures)

    assert abs(2 * first - len(fixtures)) <= 1


def test_an_unknown_champion_is_refused() -> None:
    """The message names the value and the entrants."""
    with pytest.raises(ConfigError, match="champion = 9: not an entrant"):
        GAUNTLET.fixtures(range(3), FormatOptions(champion=9), {})


def test_pairs_of_a_table_are_counted_once() -> None:
    """`meetings` of a full table: every pair once a leg."""
    assert meetings(4, 4, 3) == (3, 3)
    assert len(list(combinations(range(4), 2))) == 6


def test_a_format_for_other_tables_is_called_as_files_call_it() -> None:
    """By the name that the organiser can write, and so is what to choose instead."""
    with pytest.raises(ConfigError) as refused:
        check_seats(RoundRobin(), 3)
    assert str(refused.value) == "format = 'round-robin': with 3 at a table choose tables"
    with pytest.raises(ConfigError, match="'tables': with 2 at a table choose round-robin"):
        check_seats(Tables(), 2)
