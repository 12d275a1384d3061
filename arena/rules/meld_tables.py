"""The least deadwood of a hand, exactly and by table.

Runs live in one suit, so the least deadwood of a suit's 13 bits by runs alone is a table of 8192
entries. Only sets join suits, and a hand of eleven cards has at most three ranks with three cards
or more; for each way of making sets the four tables are added up. Taking the least of these sums
is therefore the true optimum, not an estimate.

All hands are bit masks (see `cards`). Tables depend on how aces count and are built when a way of
counting is first met. Which melds make up the optimum is the business of `melds`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from arena.rules.cards import HALF_MASK, HALF_SIZE, SUIT_MASK, SUIT_SIZE, indexes

LOW: Final = "low"
CORNER: Final = "corner"
NO_CARD: Final = 10_000
"""More than any deadwood: the value of dropping a card from a suit that has none to drop."""


_CARD_BITS: Final = 6
_CARD: Final = (1 << _CARD_BITS) - 1
_NOTHING: Final = NO_CARD << _CARD_BITS

Drops = Sequence[int] | Mapping[int, int]
"""By 13-bit mask of a suit, what throwing its best card does, as one number.

The upper bits are the change of the least deadwood by runs, the lower six the card's index; so the
least of four such numbers tells the best card of a hand.
"""


def _best_drop(least: Sequence[int], suit: int, suit_mask: int, throwable: int) -> int:
    """What throwing the best of these cards of a suit does; see `Drops`."""
    best, card = NO_CARD + least[suit_mask], 0
    while throwable:
        low = throwable & -throwable
        throwable ^= low
        # "<=": of equally good cards the highest goes, it is the dearest to be caught with.
        if least[suit_mask ^ low] <= best:
            best, card = least[suit_mask ^ low], low.bit_length() - 1 + suit * SUIT_SIZE
    return (best - least[suit_mask] << _CARD_BITS) + card


class _Keeping(dict[int, int]):
    """`Drops` of a suit of which one card may not be thrown, filled as masks are met."""

    def __init__(self, least: Sequence[int], suit: int, kept: int) -> None:
        super().__init__()
        self._least = least
        self._suit = suit
        self._kept = kept

    def __missing__(self, suit_mask: int) -> int:
        found = _best_drop(self._least, self._suit, suit_mask, suit_mask & ~self._kept)
        self[suit_mask] = found
        return found


class _ByKept(dict[int, tuple[Drops, Drops, Drops, Drops]]):
    """The `Drops` of the four suits by the bit of the card that may not be thrown, 0 for none."""

    def __init__(self, least: Sequence[int]) -> None:
        super().__init__()
        self._least = least
        masks = range(SUIT_MASK + 1)
        clubs = [_best_drop(least, 0, mask, mask) for mask in masks]
        # The same in the other suits, but for the card's index; a suit without cards has none.
        rows = [[_NOTHING, *(drop + suit * SUIT_SIZE for drop in clubs[1:])] for suit in range(4)]
        self[0] = rows[0], rows[1], rows[2], rows[3]

    def __missing__(self, kept: int) -> tuple[Drops, Drops, Drops, Drops]:
        suit = (kept.bit_length() - 1) // SUIT_SIZE
        rows: list[Drops] = list(self[0])
        rows[suit] = _Keeping(self._least, suit, kept >> suit * SUIT_SIZE)
        found = self[kept] = rows[0], rows[1], rows[2], rows[3]
        return found


class MeldTables:
    """All tables for one way of counting aces. Obtain them with `meld_tables`.

    ``ace_mode``: ``low`` (A-2-3 only) or ``corner`` (ranks form a ring: K-A-2 is a run too).
    ``ace_deadwood``: value of a loose ace.

    By 13-bit mask of a suit: ``value``, points of all its cards; ``runs``, least deadwood by runs
    alone. ``dearest``: the most that one loose card counts.
    """

    __slots__ = (
        "_drops",
        "_partitions",
        "ace_deadwood",
        "ace_mode",
        "card_value",
        "dearest",
        "run_masks",
        "runs",
        "value",
    )

    def __init__(self, ace_mode: str, ace_deadwood: int) -> None:
        self.ace_mode = ace_mode
        self.ace_deadwood = ace_deadwood
        self.card_value = [ace_deadwood, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10] * 4
        self.run_masks = run_masks(ace_mode)
        self.value = self._suit_values()
        self.runs = self._least_by_runs()
        self.dearest = max(self.card_value)
        self._drops = _ByKept(self.runs)
        self._partitions: dict[int, tuple[tuple[int, ...], ...]] = {}

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        # Copies and other processes use their own shared tables.
        return meld_tables, (self.ace_mode, self.ace_deadwood)

    def _suit_values(self) -> list[int]:
        value = [0] * (SUIT_MASK + 1)
        for mask in range(1, SUIT_MASK + 1):
            low = mask & -mask
            value[mask] = value[mask ^ low] + self.card_value[low.bit_length() - 1]
        return value

    def _least_by_runs(self) -> list[int]:
        # A run of six or more is made of shorter ones, so lengths 3 to 5 suffice. The lowest card
        # is either loose or in a run; in a ring it may be anywhere in that run.
        starts: list[list[int]] = [[] for _ in range(SUIT_SIZE)]
        for run in self.run_masks:
            if run.bit_count() <= 5:
                for rank in indexes(run):
                    starts[rank].append(run)
        least = [0] * (SUIT_MASK + 1)
        for mask in range(1, SUIT_MASK + 1):
            low = mask & -mask
            rank = low.bit_length() - 1
            best = least[mask ^ low] + self.card_value[rank]
            for run in starts[rank]:
                if run & mask == run and least[mask ^ run] < best:
                    best = least[mask ^ run]
            least[mask] = best
        return least

    def run_partitions(self, suit_mask: int) -> tuple[tuple[int, ...], ...]:
        """Every set of disjoint runs in the suit that leaves its least deadwood by runs."""
        found = self._partitions.get(suit_mask)
        if found is None:
            least = self.runs[suit_mask]
            found = self._partitions[suit_mask] = tuple(
                runs for runs, left in self._all_partitions(suit_mask) if left == least
            )
        return found

    def _all_partitions(self, suit_mask: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if not suit_mask:
            yield (), 0
            return
        low = suit_mask & -suit_mask
        for runs, left in self._all_partitions(suit_mask ^ low):
            yield runs, left + self.card_value[low.bit_length() - 1]
        for run in self.run_masks:
            if run & low and run & suit_mask == run:
                for runs, left in self._all_partitions(suit_mask ^ run):
                    yield (run, *runs), left

    def value_of(self, mask: int) -> int:
        """Points of all cards of a hand, melded or not."""
        value = self.value
        return (
            value[mask & 8191]
            + value[mask >> 13 & 8191]
            + value[mask >> 26 & 8191]
            + value[mask >> 39]
        )

    def deadwood(self, mask: int) -> int:
        """Least deadwood over all arrangements of a hand of any size."""
        clubs = mask & 8191
        diamonds = mask >> 13 & 8191
        hearts = mask >> 26 & 8191
        spades = mask >> 39
        runs = self.runs
        best = runs[clubs] + runs[diamonds] + runs[hearts] + runs[spades]
        either = clubs | diamonds
        both = clubs & diamonds
        three = both & (hearts | spades) | either & hearts & spades
        if not three or not best:
            return best
        if not three & (three - 1):
            # One rank, the common case. Four cards leave four ways to keep one of them out.
            if three & both & hearts & spades:
                rest = (
                    runs[clubs ^ three],
                    runs[diamonds ^ three],
                    runs[hearts ^ three],
                    runs[spades ^ three],
                )
                whole = rest[0] + rest[1] + rest[2] + rest[3]
                best = min(
                    best,
                    whole,
                    whole - rest[0] + runs[clubs],
                    whole - rest[1] + runs[diamonds],
                    whole - rest[2] + runs[hearts],
                    whole - rest[3] + runs[spades],
                )
                return best
            out = ~three
            found = (
                runs[clubs & out] + runs[diamonds & out] + runs[hearts & out] + runs[spades & out]
            )
            return found if found < best else best
        for c, d, h, s in without_sets(clubs, diamonds, hearts, spades, three):
            found = runs[c] + runs[d] + runs[h] + runs[s]
            if found < best:
                best = found
        return best

    def best_discard(self, mask: int, kept: int = 0) -> tuple[int, int]:
        """Least deadwood after throwing one card, and that card's index.

        ``kept``: bit of a card that may not be thrown (one just taken from the discard pile).
        Of equally good cards of a suit the highest is thrown. NO_CARD and -1 when there is nothing
        to throw.
        """
        low, high = mask & HALF_MASK, mask >> HALF_SIZE
        clubs, diamonds, hearts, spades = low & 8191, low >> 13, high & 8191, high >> 13
        ways = [(clubs, diamonds, hearts, spades)]
        three = clubs & diamonds & (hearts | spades) | (clubs | diamonds) & hearts & spades
        if three:
            if three & (three - 1) or three & clubs & diamonds & hearts & spades:
                ways = without_sets(clubs, diamonds, hearts, spades, three)
            else:
                # Three of one rank, the common case.
                out = ~three
                ways.append((clubs & out, diamonds & out, hearts & out, spades & out))
        runs = self.runs
        drop_c, drop_d, drop_h, drop_s = self._drops[kept]
        best = bound = _NOTHING
        for c, d, h, s in ways:
            drop, other = drop_c[c], drop_d[d]
            if other < drop:
                drop = other
            other = drop_h[h]
            if other < drop:
                drop = other
            other = drop_s[s]
            if other < drop:
                drop = other
            found = (runs[c] + runs[d] + runs[h] + runs[s] << _CARD_BITS) + drop
            if found < bound:
                # A way that leaves as much does not count, whichever card it throws.
                best, bound = found, found & ~_CARD
        return (best >> _CARD_BITS, best & _CARD) if best < _NOTHING else (NO_CARD, -1)

    def may_leave(self, mask: int, limit: int) -> bool:
        """Whether throwing one card might leave so little deadwood: a quick look, no search.

        False is certain; True means that it has to be searched.
        """
        low, high = mask & HALF_MASK, mask >> HALF_SIZE
        clubs, diamonds, hearts, spades = low & 8191, low >> 13, high & 8191, high >> 13
        runs = self.runs
        least = runs[clubs] + runs[diamonds] + runs[hearts] + runs[spades] - self.dearest
        if least <= limit:
            return True
        three = clubs & diamonds & (hearts | spades) | (clubs | diamonds) & hearts & spades
        # Cards that go into sets are worth no more than all cards of those ranks.
        return least - 4 * self.value[three] <= limit


def run_masks(ace_mode: str) -> tuple[int, ...]:
    """All runs of a suit as 13-bit masks."""
    if ace_mode == CORNER:
        whole = [SUIT_MASK]
        return tuple(
            [
                sum(1 << (first + step) % SUIT_SIZE for step in range(length))
                for length in range(3, SUIT_SIZE)
                for first in range(SUIT_SIZE)
            ]
            + whole
        )
    return tuple(
        ((1 << length) - 1) << first
        for length in range(3, SUIT_SIZE + 1)
        for first in range(SUIT_SIZE - length + 1)
    )


def without_sets(
    clubs: int, diamonds: int, hearts: int, spades: int, three: int
) -> list[tuple[int, int, int, int]]:
    """What is left of the suits for each way of making sets, no set at all included.

    ``three``: ranks of which there are three cards or more.
    """
    ways = [(clubs, diamonds, hearts, spades)]
    while three:
        bit = three & -three
        three ^= bit
        out = ~bit
        if clubs & diamonds & hearts & spades & bit:
            ways += [
                way
                for c, d, h, s in ways
                for way in (
                    (c & out, d & out, h & out, s & out),
                    (c, d & out, h & out, s & out),
                    (c & out, d, h & out, s & out),
                    (c & out, d & out, h, s & out),
                    (c & out, d & out, h & out, s),
                )
            ]
        else:
            ways += [(c & out, d & out, h & out, s & out) for c, d, h, s in ways]
    return ways


@cache
def meld_tables(ace_mode: str = LOW, ace_deadwood: int = 1) -> MeldTables:
    """The tables for one way of counting aces, built at the first call."""
    return MeldTables(ace_mode, ace_deadwood)
