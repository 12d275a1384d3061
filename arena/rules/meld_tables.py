"""The least deadwood of a hand, exactly and by table.

Runs live in one suit, so the least deadwood of a suit's 13 bits by runs alone is a table of 8192
entries. Only sets join suits, and a hand of eleven cards has at most three ranks with three cards
or more; for each way of making sets the four tables are added up. Taking the least of these sums
is therefore the true optimum, not an estimate.

All hands are bit masks (see `cards`). Tables depend on how aces count and are built when a way of
counting is first met. Which melds make up the optimum is the business of `melds`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from arena.rules.cards import SUIT_MASK, SUIT_SIZE, indexes

LOW: Final = "low"
CORNER: Final = "corner"
NO_CARD: Final = 10_000
"""More than any deadwood: the value of dropping a card from a suit that has none to drop."""


class MeldTables:
    """All tables for one way of counting aces. Obtain them with `meld_tables`.

    ``ace_mode``: ``low`` (A-2-3 only) or ``corner`` (ranks form a ring: K-A-2 is a run too).
    ``ace_deadwood``: value of a loose ace.

    By 13-bit mask of a suit: ``value``, points of all its cards; ``runs``, least deadwood by runs
    alone; ``drop``, the same after throwing the best card; ``drop_card``, that card's bit.
    """

    __slots__ = (
        "_drop_kept",
        "_partitions",
        "ace_deadwood",
        "ace_mode",
        "card_value",
        "drop",
        "drop_card",
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
        self.drop, self.drop_card = self._least_after_drop()
        self._drop_kept: dict[int, tuple[int, int]] = {}
        self._partitions: dict[int, tuple[tuple[int, ...], ...]] = {}

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

    def _least_after_drop(self) -> tuple[list[int], list[int]]:
        least = self.runs
        drop = [NO_CARD] * (SUIT_MASK + 1)
        drop_card = [0] * (SUIT_MASK + 1)
        for mask in range(1, SUIT_MASK + 1):
            best, card, rest = NO_CARD, 0, mask
            while rest:
                low = rest & -rest
                rest ^= low
                # "<=": of equally good cards the highest goes, it is the dearest to be caught with
                if least[mask ^ low] <= best:
                    best, card = least[mask ^ low], low
            drop[mask], drop_card[mask] = best, card
        return drop, drop_card

    def drop_keeping(self, suit_mask: int, kept: int) -> tuple[int, int]:
        """Like ``drop`` and ``drop_card``, but this one card of the suit may not be thrown."""
        key = suit_mask << SUIT_SIZE | kept
        found = self._drop_kept.get(key)
        if found is None:
            best, card = NO_CARD, 0
            for rank in indexes(suit_mask & ~kept):
                rest = self.runs[suit_mask ^ 1 << rank]
                if rest <= best:
                    best, card = rest, 1 << rank
            found = self._drop_kept[key] = best, card
        return found

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
        Of equally good cards a dear one is thrown, so that an unmelded king goes before an ace.
        Index -1 when there is nothing to throw.
        """
        clubs = mask & 8191
        diamonds = mask >> 13 & 8191
        hearts = mask >> 26 & 8191
        spades = mask >> 39
        three = clubs & diamonds & (hearts | spades) | (clubs | diamonds) & hearts & spades
        if three:
            ways = without_sets(clubs, diamonds, hearts, spades, three)
        else:
            ways = [(clubs, diamonds, hearts, spades)]
        runs = self.runs
        drop = self.drop
        best, at, suit_mask = NO_CARD, 0, 0
        for c, d, h, s in ways:
            in_c, in_d, in_h, in_s = runs[c], runs[d], runs[h], runs[s]
            whole = in_c + in_d + in_h + in_s
            found = whole - in_c + drop[c]
            if found < best and not (kept and c & kept):
                best, at, suit_mask = found, 0, c
            found = whole - in_d + drop[d]
            if found < best and not (kept and d & kept >> 13):
                best, at, suit_mask = found, 13, d
            found = whole - in_h + drop[h]
            if found < best and not (kept and h & kept >> 26):
                best, at, suit_mask = found, 26, h
            found = whole - in_s + drop[s]
            if found < best and not (kept and s & kept >> 39):
                best, at, suit_mask = found, 39, s
        if not kept:
            if best == NO_CARD:
                return best, -1
            return best, at + self.drop_card[suit_mask].bit_length() - 1
        return self._best_discard_keeping(ways, kept, best, at, suit_mask)

    def _best_discard_keeping(
        self,
        ways: Iterable[tuple[int, int, int, int]],
        kept: int,
        best: int,
        at: int,
        suit_mask: int,
    ) -> tuple[int, int]:
        """Finish `best_discard`: the suit of the kept card was left out there."""
        runs = self.runs
        suit = (kept.bit_length() - 1) // SUIT_SIZE
        kept >>= suit * SUIT_SIZE
        card = self.drop_card[suit_mask].bit_length() - 1 if best < NO_CARD else -1
        for way in ways:
            mine = way[suit]
            if mine & kept:
                left, bit = self.drop_keeping(mine, kept)
                left += sum(runs[each] for each in way) - runs[mine]
                if left < best:
                    best, at, card = left, suit * SUIT_SIZE, bit.bit_length() - 1
        return (best, at + card) if card >= 0 else (NO_CARD, -1)


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
