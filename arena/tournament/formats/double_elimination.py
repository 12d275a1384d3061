"""Double elimination: out after two defeats. Pure.

The winners' bracket is a single elimination. Its losers enter the losers' bracket, whose winner
meets the unbeaten entrant in the grand final; if that is the unbeaten one's first defeat, a second
final is played. A double forfeit puts both entrants out at once, for neither can go on.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.tournament.formats.bracket import (
    Bracket,
    LoserOf,
    Node,
    Source,
    WinnerOf,
)
from arena.tournament.formats.elimination import Elimination
from arena.tournament.formats.format import SERIES
from arena.tournament.formats.single_elimination import knockout_nodes
from arena.tournament.formats.volume import Volume, expected_games
from arena.tournament.model import FixtureKey, FormatOptions, Results

WINNERS = "winners"
LOSERS = "losers"
FINAL = "grand_final"


def drop_order(winners_round: int, matches: int) -> list[int]:
    """Which loser of a round of the winners' bracket enters which match of the losers' bracket.

    Reversing and shifting in turn keeps entrants that have met apart for as long as any order can
    (found by trying all such orders for up to 64 entrants): with 8 entrants no pair meets again
    before the third round of the losers' bracket, with 64 not before the seventh.
    """
    straight = list(range(matches))
    half = matches // 2
    match winners_round % 4:
        case 2:
            return straight[::-1]
        case 3:
            return straight[:half][::-1] + straight[half:][::-1]
        case 0:
            return straight[half:] + straight[:half]
        case _:
            return straight


def double_elimination_nodes(entrants: int) -> tuple[Node, ...]:
    """All matches in order of play, each losers' round as soon as its entrants can be known."""
    winners: dict[int, list[Node]] = {}
    for node in knockout_nodes(entrants, stage=WINNERS, label=_winners_label):
        winners.setdefault(node.key.round, []).append(node)
    last = len(winners)
    nodes: list[Node] = []
    waiting: list[Source] = []
    losers_round = 0
    for number, row in winners.items():
        nodes += row
        dropped: list[Source] = [LoserOf(node.key) for node in row]
        if number > 1:
            order = drop_order(number, len(dropped))
            pairs = [(waiting[i], dropped[order[i]]) for i in range(len(dropped))]
            losers_round += 1
            waiting = _losers_row(nodes, losers_round, pairs, last=number == last)
        else:
            waiting = dropped
        if len(waiting) > 1:
            pairs = [(waiting[i], waiting[i + 1]) for i in range(0, len(waiting), 2)]
            losers_round += 1
            waiting = _losers_row(nodes, losers_round, pairs, last=False)
    (runner_up,) = waiting
    return (*nodes, *_finals(WinnerOf(winners[last][0].key), runner_up))


def _winners_label(matches: int, slot: int) -> str:
    if matches == 1:
        return "Winners' final"
    return f"Winners' round of {2 * matches}, match {slot + 1}"


def _losers_row(
    nodes: list[Node], number: int, pairs: Sequence[tuple[Source, Source]], *, last: bool
) -> list[Source]:
    """Append a round of the losers' bracket; returns its winners."""
    row = [
        Node(
            FixtureKey(LOSERS, number, slot),
            pair,
            "Losers' final" if last else f"Losers' round {number}, match {slot}",
        )
        for slot, pair in enumerate(pairs, start=1)
    ]
    nodes += row
    return [WinnerOf(node.key) for node in row]


def _finals(unbeaten: Source, challenger: Source) -> tuple[Node, Node]:
    first = Node(FixtureKey(FINAL, 1, 1), (unbeaten, challenger), "Grand final")
    second = Node(
        FixtureKey(FINAL, 2, 1),
        (LoserOf(first.key), WinnerOf(first.key)),
        "Second grand final",
        only_if_beaten=first.key,
    )
    return first, second


class DoubleElimination(Elimination):
    """Two brackets of best-of-N matches and a grand final."""

    name = "double_elimination"
    title = "Double elimination"
    summary = "Double elimination: out after two defeats"
    description = "out after two losses; the final is reset if the unbeaten side loses it"
    uses = SERIES

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """Unknown in advance: twice the entrants less two, or one more for a second final."""
        return None

    def volume(self, entrants: int, options: FormatOptions) -> Volume:
        """Of even finalists the unbeaten one loses the first final half the time."""
        expected, each = 2 * entrants - 1.5, expected_games(options)
        return Volume(
            expected, 2 * entrants - 1, expected * each, 2, 2 * each, halves=1, opponents=2
        )

    def bracket(self, seeding: Sequence[int], options: FormatOptions, results: Results) -> Bracket:
        """Everybody by seeding."""
        return Bracket(double_elimination_nodes(len(seeding)), seeding)
