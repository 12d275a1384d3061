"""Pairs one round of a Swiss tournament. Pure.

The pairing is exact in this sense: going down the ranking, each entrant gets the first opponent of
its list of wishes for which the rest of the field can still be paired with as few rematches as
possible, none if that can be, and with as many pairs inside the score group as possible. The list
of wishes is the Dutch one: in a score group the upper half meets the lower half in order, so of
six 1-4, 2-5, 3-6; then nearer ones; then the next groups from their top.

Own code, because the libraries at hand model chess: one game a round, two colours, scores of one
game, and a tournament object or report file that keeps the state. swissdutch has had no release
since 2014; pairing-core and py4swiss are young and follow the chess federation's rule book, whose
colour rules have no meaning where each pair plays both seats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from arena.tournament.formats.matching import Matching


@dataclass(frozen=True, slots=True)
class Field:
    """What pairing needs to know.

    ``ranking``: entrants from the first to the last. ``score``: match points so far. ``met``: for
    each the opponents it has had. ``byes``: byes so far. ``seat_lead``: how often each had the
    first seat more than the second.
    """

    ranking: tuple[int, ...]
    score: Mapping[int, float]
    met: Mapping[int, frozenset[int]]
    byes: Mapping[int, int]
    seat_lead: Mapping[int, int]

    def strangers(self, among: Sequence[int]) -> Matching:
        """The most pairs of these that have not met."""
        return Matching({a: [b for b in among if b != a and b not in self.met[a]] for a in among})

    def have_met(self, a: int, b: int) -> bool:
        """Whether these two have met."""
        return b in self.met[a]


def pair_round(field: Field) -> tuple[tuple[int, ...], ...]:
    """Pairings with the first seat first, from the top table down; a bye stands alone at the end.

    With an odd field the bye goes to the lowest-ranked of those with the fewest byes for whom the
    rest can be paired with the fewest rematches.
    """
    ranking = list(field.ranking)
    strangers = field.strangers(ranking)
    bye: tuple[tuple[int, ...], ...] = ()
    if len(ranking) % 2:
        idle = _idle(ranking, field, strangers)
        ranking.remove(idle)
        strangers.remove([idle])
        bye = ((idle,),)
    rematches = len(ranking) // 2 - len(strangers)
    pairings: list[tuple[int, ...]] = []
    while ranking:
        first = ranking[0]
        second, strangers, rematches = _opponent(ranking, field, strangers, rematches)
        pairings.append(_seated(first, second, field, len(pairings)))
        ranking = [entrant for entrant in ranking if entrant not in (first, second)]
    return (*pairings, *bye)


def _idle(ranking: Sequence[int], field: Field, strangers: Matching) -> int:
    """Who has the bye."""
    fewest = min(field.byes[entrant] for entrant in ranking)
    best, pairs = ranking[-1], -1
    for entrant in reversed(ranking):
        if field.byes[entrant] > fewest:
            continue
        rest = strangers.copy()
        rest.remove([entrant])
        if len(rest) > pairs:
            best, pairs = entrant, len(rest)
        if pairs == len(ranking) // 2:
            break
    return best


def _opponent(
    ranking: Sequence[int], field: Field, strangers: Matching, rematches: int
) -> tuple[int, Matching, int]:
    """The opponent of the first in the ranking, the matching of the rest, rematches still due.

    First a pass that keeps the score group as full of pairs as it can be, then one without that
    wish; one of both finds an opponent, as the matching itself shows one.
    """
    first = ranking[0]
    group = [entrant for entrant in ranking if field.score[entrant] == field.score[first]]
    keeps_group = _group_keeper(group, field)
    wishes = _wishes(ranking, group, field)
    for in_group in (True, False):
        for second in wishes:
            rematch = field.have_met(first, second)
            if (rematch and rematches == 0) or (in_group and not keeps_group(second)):
                continue
            rest = strangers.copy()
            rest.remove([first, second])
            left = (len(ranking) - 2) // 2 - len(rest)
            if left + rematch <= rematches:
                return second, rest, left
    raise AssertionError("a largest matching always leaves an opponent")


def _group_keeper(group: Sequence[int], field: Field) -> Callable[[int], bool]:
    """Tells whether the most pairs inside the score group stay possible with this opponent."""
    inside = field.strangers(group)
    members = set(group)

    def keeps(second: int) -> bool:
        rest = inside.copy()
        rest.remove([group[0], second] if second in members else [group[0]])
        return len(rest) + (second in members) == len(inside)

    return keeps


def _wishes(ranking: Sequence[int], group: Sequence[int], field: Field) -> list[int]:
    """All others, the most wanted first; strangers before those met, then fitting seats first."""
    half = len(group) // 2
    near = [*group[half:], *reversed(group[1:half])] if len(group) > 1 else []
    members = set(group)
    others = near + [entrant for entrant in ranking if entrant not in members]
    first = ranking[0]
    lead = field.seat_lead[first]

    def reluctance(second: int) -> tuple[bool, bool, bool]:
        seats_clash = lead != 0 and field.seat_lead[second] == lead
        return field.have_met(first, second), second not in members, seats_clash

    return sorted(others, key=reluctance)


def _seated(a: int, b: int, field: Field, table: int) -> tuple[int, int]:
    """The first seat to whoever had it less often; when equal, to the upper one at every other
    table, as favouring one side throughout would favour the strong."""
    lead_a, lead_b = field.seat_lead[a], field.seat_lead[b]
    if lead_a != lead_b:
        return (a, b) if lead_a < lead_b else (b, a)
    return (a, b) if table % 2 == 0 else (b, a)
