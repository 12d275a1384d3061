"""Tables of three to six: every pair sits together about equally often. Pure.

The tables come from *base tables* on the circle of entrants 0…n-1: a base table and its n
rotations seat every pair at distance d exactly as often as d occurs among the base's distances. So
equal distances mean equal meetings, every entrant plays equally many tables and has every seat
equally often. For pairs, a search finds the fewest base tables in which every distance occurs at
least ``legs`` times and the commonest hardly more often than the rarest. Up to 48 entrants and 5
legs no pair meets more than twice oftener than another; for most fields the difference is one, for
some (7, 13, 19, 25 at tables of three) none. `meetings` tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from arena.errors import ConfigError
from arena.tournament.formats.format import SERIES, USE_LEGS, Format
from arena.tournament.formats.schedule import check_entrants, check_legs, fixture, halves
from arena.tournament.formats.volume import Volume
from arena.tournament.model import NOBODY, Fixture, FixtureKey, FormatOptions, Left, Results

STAGE = "tables"
SEARCH_STEPS = 1000

Table = tuple[int, ...]


class Tables(Format):
    """Each table is played in several seat orders with the same deals when ``duplicate``.

    Three seats: all six orders. Four to six: the rotations, as many as seats; all of them, 24, 120
    or 720 matches a table, with ``all_orders`` (see `schedule.seat_orders`).
    """

    name = STAGE
    title = "Tables"
    summary = "Tables of three to six"
    description = (
        "three to six at a table; each deal again in all 6 seat orders of three, in the 4, 5 "
        "or 6 rotations of larger tables, or with `all_orders` in all 24, 120 or 720"
    )
    uses = (*SERIES, "legs", "table_size", "duplicate", "all_orders")
    instead = USE_LEGS
    many_seats = True

    def fixtures(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        left: Left = NOBODY,
    ) -> tuple[Fixture, ...]:
        """The whole schedule: all tables in their first order, then all in their second, ….

        :raises ConfigError: for a table size that cannot be, or too few entrants.
        """
        check_size(options.table_size)
        check_entrants(seeding, options.table_size, f"tables of {options.table_size}")
        check_legs(options)
        return _schedule(tuple(seeding), options)

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """Tables times seat orders."""
        orders = len(halves(tuple(range(options.table_size)), options))
        return len(tables(entrants, options.table_size, options.legs)) * orders

    def volume(self, entrants: int, options: FormatOptions) -> Volume:
        """All play equally much; who sits with whom is not told apart."""
        total = self._ending(entrants, options)
        orders = len(halves(tuple(range(options.table_size)), options))
        own = total * options.table_size / entrants
        return self._volume(total, own, 1, options, halves=orders)


def check_size(size: int) -> None:
    """Refuse sizes outside three to six.

    :raises ConfigError: saying what to use instead.
    """
    if not 3 <= size <= 6:
        raise ConfigError(
            f"table_size = {size}: tables have 3 to 6 seats; for two use a round robin"
        )


@lru_cache(maxsize=8)
def _schedule(seeding: tuple[int, ...], options: FormatOptions) -> tuple[Fixture, ...]:
    planned = tables(len(seeding), options.table_size, options.legs)
    orders = [halves(tuple(seeding[i] for i in table), options) for table in planned]
    fixtures = []
    for half in range(len(orders[0])):
        for slot, seat_orders in enumerate(orders, start=1):
            label = f"Table {slot}"
            if options.duplicate:
                label += f", seat order {half + 1} of {len(seat_orders)}"
            key = FixtureKey(STAGE, 1, slot, half)
            fixtures.append(fixture(key, seat_orders[half], options, label))
    return tuple(fixtures)


@lru_cache(maxsize=32)
def tables(entrants: int, size: int, legs: int) -> tuple[Table, ...]:
    """The tables, as positions 0…n-1 by seat."""
    if entrants == size:
        first = tuple(range(size))
        return tuple(first[leg % size :] + first[: leg % size] for leg in range(legs))
    return tuple(
        tuple((place + turn) % entrants for place in base)
        for base in _bases(entrants, size, legs)
        for turn in range(entrants)
    )


def meetings(entrants: int, size: int, legs: int) -> tuple[int, int]:
    """The fewest and the most tables at which two entrants sit together, seat orders apart."""
    counts = Counter(
        frozenset(pair) for table in tables(entrants, size, legs) for pair in combinations(table, 2)
    )
    return min(counts.values()), max(counts.values())


def _bases(entrants: int, size: int, legs: int) -> tuple[Table, ...]:
    """Base tables for which every distance occurs at least ``legs`` times.

    The least number that could do is tried first, and for each number the narrowest spread.
    """
    distances = size * (size - 1)
    number = -(-(entrants - 1) * legs // distances)
    while True:
        fair = -(-number * distances // (entrants - 1))
        for most in (fair, fair + 1):
            found = _Search(entrants, size, number, legs, most).run()
            if found is not None:
                return found
        number += 1


class _Search:
    """Depth-first search for base tables, limited in steps; preferring rare distances."""

    def __init__(self, entrants: int, size: int, number: int, least: int, most: int) -> None:
        self._n = entrants
        self._size = size
        self._number = number
        self._least = least
        self._most = most
        self._steps = SEARCH_STEPS
        self._met: Counter[int] = Counter()

    def run(self) -> tuple[Table, ...] | None:
        """The base tables, None when none were found."""
        return self._extend((), (0,))

    def _distance(self, a: int, b: int) -> int:
        return min((a - b) % self._n, (b - a) % self._n)

    def _extend(self, done: tuple[Table, ...], table: Table) -> tuple[Table, ...] | None:
        if self._steps == 0:
            return None
        self._steps -= 1
        if len(table) == self._size:
            done = (*done, table)
            if len(done) < self._number:
                return self._extend(done, (0,))
            spread = range(1, self._n // 2 + 1)
            return done if all(self._met[d] >= self._least for d in spread) else None
        for place in self._candidates(table):
            added = [self._distance(place, other) for other in table]
            # Opposite entrants: the rotations bring each such pair together twice.
            self._met.update(added)
            self._met.update(d for d in added if 2 * d == self._n)
            if all(self._met[d] <= self._limit(d) for d in added):
                found = self._extend(done, (*table, place))
                if found is not None:
                    return found
            self._met.subtract(added)
            self._met.subtract(d for d in added if 2 * d == self._n)
        return None

    def _limit(self, distance: int) -> int:
        """The most meetings: an even number for opposite entrants, whose meetings come in twos."""
        if 2 * distance != self._n:
            return self._most
        even = self._most - self._most % 2
        return even if even >= self._least else even + 2

    def _candidates(self, table: Table) -> list[int]:
        places = range(table[-1] + 1, self._n)
        return sorted(
            places, key=lambda p: (sum(self._met[self._distance(p, o)] for o in table), p)
        )
