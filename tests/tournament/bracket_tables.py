"""Makes the tables of brackets in ``tests/data`` from the rules in words, without the arena's code.

Run as a program it writes both files; a test checks that they are what it would write.

**Single elimination.** The field is filled up with byes to a power of two. In every round the
numbers of the two that should meet add up to one more than there are places, so the strongest left
meets the weakest left; the stronger half stands on the first side. From the top of the sheet down a
place of the smaller bracket becomes the two places of that match. Losers of the semi-finals play
for third place, from four entrants on; a semi-final that was a bye has no loser.

**Double elimination.** The winners' bracket is that one. Losers of its first round meet their
neighbours from the top down. Then in turn: those who lose a round of the winners' bracket meet the
survivors of the losers' bracket, a match each; then survivors meet their neighbours. Of the round
numbered 2 the losers come in from the bottom up; of round 3 the upper half and the lower half of
them are each turned round; of round 4 the halves change places; of round 5 they come in straight;
then from the beginning. The last survivor meets the unbeaten one. Whoever meets nobody goes on.

In the tables the better seed wins every match.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Side = int | None
Pair = tuple[Side, Side]

DATA = Path(__file__).parents[1] / "data"
SIZES = range(2, 65)


def place(seed: int, places: int) -> int:
    """Where a seed stands, from 0 at the top: found from the inside out, by who meets whom."""
    if places == 1:
        return 0
    if seed <= places // 2:
        return 2 * place(seed, places // 2)
    return 2 * place(places + 1 - seed, places // 2) + 1


def first_round(entrants: int) -> list[Pair]:
    """The first pairs from the top down; None is a bye."""
    places = 1
    while places < entrants:
        places *= 2
    sheet: list[Side] = [None] * places
    for seed in range(1, entrants + 1):
        sheet[place(seed, places)] = seed
    return neighbours(sheet)


def neighbours(sides: Sequence[Side]) -> list[Pair]:
    """Each with the next."""
    return list(zip(sides[::2], sides[1::2], strict=True))


def winner(pair: Pair) -> Side:
    """The better seed, or whoever is there."""
    return min((side for side in pair if side is not None), default=None)


def loser(pair: Pair) -> Side:
    """The other, if there are two."""
    return max(side for side in pair if side is not None) if None not in pair else None


def winners_rounds(entrants: int) -> list[list[Pair]]:
    """All rounds of the tree in which who loses is out."""
    rounds = [first_round(entrants)]
    while len(rounds[-1]) > 1:
        rounds.append(neighbours([winner(pair) for pair in rounds[-1]]))
    return rounds


def single(entrants: int) -> dict[str, Any]:
    """A line of the table of single elimination."""
    rounds = winners_rounds(entrants)
    third = [loser(pair) for pair in rounds[-2]] if len(rounds) > 1 else [None]
    return {
        "entrants": entrants,
        "rounds": rounds,
        "third_place": None if None in third else third,
    }


def dropped(round_number: int, losers: Sequence[Side]) -> list[Side]:
    """The losers of a round of the winners' bracket in the order in which they come in."""
    half = len(losers) // 2
    upper, lower = list(losers[:half]), list(losers[half:])
    orders = {
        2: [*reversed(losers)],
        3: [*reversed(upper), *reversed(lower)],
        0: [*lower, *upper],
        1: [*losers],
    }
    return orders[round_number % 4]


def double(entrants: int) -> dict[str, Any]:
    """A line of the table of double elimination."""
    winners = winners_rounds(entrants)
    losers: list[list[Pair]] = []
    left = [loser(pair) for pair in winners[0]]
    if len(left) > 1:
        losers.append(neighbours(left))
        left = [winner(pair) for pair in losers[-1]]
    for number, pairs in enumerate(winners[1:], start=2):
        new = dropped(number, [loser(pair) for pair in pairs])
        losers.append(list(zip(left, new, strict=True)))
        left = [winner(pair) for pair in losers[-1]]
        if len(left) > 1:
            losers.append(neighbours(left))
            left = [winner(pair) for pair in losers[-1]]
    return {
        "entrants": entrants,
        "winners": winners,
        "losers": losers,
        "final": [winner(winners[-1][0]), left[0]],
    }


def table(kind: str) -> str:
    """The text of a file: a line for each size."""
    make = {"brackets": single, "double_brackets": double}[kind]
    return "[\n" + ",\n".join(f" {json.dumps(make(size))}" for size in SIZES) + "\n]\n"


if __name__ == "__main__":
    for name in ("brackets", "double_brackets"):
        (DATA / f"{name}.json").write_text(table(name))
