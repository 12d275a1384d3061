"""Letters for what the data cannot separate. Pure.

Two entrants share a letter exactly when their difference is not established: a *compact letter
display*. Sharing is not transitive: of three close neighbours the outer two may be separated while
the middle one shares a letter with each.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from math import comb

MOST_SPLIT = 100
"""In larger fields Shaffer's limits are hardly larger than Holm's, and take long to count."""


def holm(values: Mapping[tuple[int, int], float], level: float = 0.05) -> set[tuple[int, int]]:
    """The comparisons that hold at this level for all of them together.

    Holm's rule: the smallest of m values must be below level/m, the next below level/(m-1), and so
    on up to the first that fails. Without it a field of 20 equal bots would show nine false
    separations on the average.
    """
    return _step_down(values, level, len(values), range(len(values) + 1))


def shaffer(values: Mapping[tuple[int, int], float], level: float = 0.05) -> set[tuple[int, int]]:
    """As `holm` for comparisons of each with each, with Shaffer's larger limits.

    If of four entrants one is apart from another, at most three of the six comparisons can still
    be of equals: numbers of pairs of equals are those of a field split into groups of equals.
    """
    entrants = len({entrant for pair in values for entrant in pair})
    if entrants > MOST_SPLIT:
        return holm(values, level)
    possible = [1]
    # Bit k of possible[n]: n entrants can have k pairs of equals among them.
    for size in range(1, entrants + 1):
        found = 0
        for group in range(1, size + 1):
            found |= possible[size - group] << comb(group, 2)
        possible.append(found)
    numbers = [k for k in range(comb(entrants, 2) + 1) if possible[-1] >> k & 1]
    return _step_down(values, level, comb(entrants, 2), numbers)


def _step_down(
    values: Mapping[tuple[int, int], float], level: float, all_pairs: int, possible: Sequence[int]
) -> set[tuple[int, int]]:
    """Reject from the smallest value on, while at most so many can be true as are possible."""
    found = set()
    for rank, (pair, value) in enumerate(sorted(values.items(), key=lambda item: item[1])):
        most = possible[bisect_right(possible, all_pairs - rank) - 1]
        if value > level / max(1, min(len(values) - rank, most)):
            break
        found.add(pair)
    return found


def letters(order: Sequence[int], separated: Callable[[int, int], bool]) -> dict[int, str]:
    """Marks such as ``a``, ``ab``, ``b`` for entrants from the best to the worst.

    Each letter stands for a group no two of which are separated. Groups are grown from the top
    until every pair that is not separated shares one; an entrant separated from all has its own.
    """
    groups: list[list[int]] = []
    covered: set[tuple[int, int]] = set()
    for place, first in enumerate(order):
        for second in order[place:]:
            lone = first == second and not any(first in group for group in groups)
            open_pair = first != second and (first, second) not in covered
            if not (lone or open_pair) or (first != second and separated(first, second)):
                continue
            group = _grow(order, first, second, separated)
            groups.append(group)
            covered.update((a, b) for a in group for b in group)
    groups = [g for g in groups if not any(set(g) < set(other) for other in groups)]
    names = {id(group): letter_name(index) for index, group in enumerate(groups)}
    return {
        entrant: "".join(names[id(group)] for group in groups if entrant in group)
        for entrant in order
    }


def _grow(
    order: Sequence[int], first: int, second: int, separated: Callable[[int, int], bool]
) -> list[int]:
    group = [first] if first == second else [first, second]
    for other in order:
        if other not in group and not any(separated(member, other) for member in group):
            group.append(other)
    return sorted(group, key=order.index)


def letter_name(index: int) -> str:
    """``a`` … ``z``, then ``a2`` … ``z2``, ``a3`` …."""
    turn, letter = divmod(index, 26)
    return chr(ord("a") + letter) + (str(turn + 1) if turn else "")
