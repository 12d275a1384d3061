"""How the bots of a tournament answered: faults by code, late answers, times. From its rows alone.

Faults and late answers are those that the records of the hands show; an answer is late that came
after the deadline and was paid for from the bank. Who gave it follows from playing the hand again,
which is done for the hands that have such an answer, and for times in a sample of hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, NamedTuple

import orjson

from arena.errors import RulesError
from arena.referee.clock import Book
from arena.referee.verdicts import FaultCode
from arena.rules.record import Play, parse, replay
from arena.store.fixtures import read_fixture
from arena.store.hands import read_hand
from arena.store.rows import FixtureRow, FixtureStatus, HandRow, RawRow
from arena.tournament.dossier import Dossier
from arena.tournament.model import FixtureResult
from arena.tournament.statistics.second_look import SecondLook, second_look

TIMED_HANDS = 2000
"""At most so many hands are played again for their times, spread evenly over the tournament."""

CODES = tuple(code for code in FaultCode if code not in (FaultCode.OK, FaultCode.LATE))


@dataclass(slots=True)
class Conduct:
    """How one entrant answered. ``decisions``: all that it was asked for, answered or not.

    ``late``: answers after the deadline that counted. ``times``: sorted milliseconds of a sample
    of decisions, failed calls with what they were charged.
    """

    decisions: int = 0
    late: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    times: list[int] = field(default_factory=list)

    def quantile_ms(self, share: float) -> int | None:
        """The time that this share of decisions took at most, None without any."""
        return quantile_ms(self.times, share)


class Decision(NamedTuple):
    """A decision of a seat. ``ms``: what it took, None where the bot was not asked any more."""

    seat: int
    play: Play
    ms: int | None


def quantile_ms(times: Sequence[int], share: float) -> int | None:
    """The least of these sorted times that this share of them does not exceed, None without any."""
    # The tiny subtraction keeps a whole number whole.
    return times[max(0, ceil(share * len(times) - 1e-9) - 1)] if times else None


def decisions_in(hand: HandRow) -> list[Decision]:
    """Every decision of a hand in order; none if it cannot be read.

    A time of 0 is that of an answer within half a millisecond, unless the seat had strikes: a bot
    with too many of them is not asked, and its zeros are no times.
    """
    try:
        record = parse(hand.record)
        seats = [
            record.plan.seats[state.to_act] for state in replay(record) if state.to_act is not None
        ]
    except RulesError:
        return []
    struck = {seat for seat, values in enumerate(hand.books) if len(values) > 5 and values[5]}
    return [
        Decision(seat, play, time if time or seat not in struck else None)
        for seat, play, time in zip(seats, record.plays, hand.times, strict=False)
    ]


def conduct_of(dossier: Dossier) -> dict[int, Conduct]:
    """The conduct of every entrant by number; void matches count for nothing.

    :raises StoreError: the rows are damaged.
    """
    step = 1 + sum(int(row["hands"] or 0) for row in dossier.fixtures) // TIMED_HANDS
    matches = ((read_fixture(played.fixture), played.hands) for played in dossier.played())
    return conduct_in((int(row["number"]) for row in dossier.entrants), matches, step)


def conduct_in(
    entrants: Iterable[int],
    matches: Iterable[tuple[FixtureRow, Sequence[RawRow]]],
    step: int = 1,
) -> dict[int, Conduct]:
    """The same from some matches with their hands; every ``step``-th hand tells times.

    :raises StoreError: the rows are damaged.
    """
    found = {entrant: Conduct() for entrant in entrants}
    number = 0
    for fixture, hands in matches:
        if fixture.status is FixtureStatus.VOID or not hands:
            continue
        for hand in hands:
            number += 1
            is_timed = number % step == 0
            if is_timed or _has_marks(hand):
                _note_hand(found, fixture, read_hand(hand), is_timed)
        for seat, values in enumerate(read_hand(hands[-1]).books):
            found[fixture.seats[seat]].decisions += Book.from_row(values).decisions if values else 0
    for conduct in found.values():
        conduct.times.sort()
    return found


def _has_marks(hand: RawRow) -> bool:
    record = str(hand["record"])
    return "!" in record or "~" in record


def _note_hand(
    found: dict[int, Conduct], fixture: FixtureRow, hand: HandRow, is_timed: bool
) -> None:
    for seat, play, ms in decisions_in(hand):
        conduct = found[fixture.seats[seat]]
        conduct.late += play.late
        if play.fault is not None:
            conduct.faults[play.fault] += 1
        if is_timed and ms is not None:
            conduct.times.append(ms)


def conduct_rows(dossier: Dossier) -> list[dict[str, Any]]:
    """A line for each entrant, for programs. Unknown numbers are null.

    Shares are of its decisions. ``second_look``: points a hand gained at the second meeting of a
    deal, see `arena.tournament.statistics.second_look`.
    """
    found = conduct_of(dossier)
    looks = _second_looks(dossier)
    lines = []
    for row in dossier.entrants:
        conduct = found[row["number"]]
        look = looks.get(row["number"])
        faults = conduct.faults.total()
        lines.append(
            {
                "name": row["name"],
                "decisions": conduct.decisions,
                "faults": faults,
                "fault_share": share_of(faults, conduct.decisions),
                "illegal": conduct.faults[FaultCode.ILLEGAL],
                "late": conduct.late,
                "late_share": share_of(conduct.late, conduct.decisions),
                "latency_p50_ms": conduct.quantile_ms(0.5),
                "latency_p95_ms": conduct.quantile_ms(0.95),
                "timed_decisions": len(conduct.times),
                "faults_by_code": {
                    code.value: conduct.faults[code] for code in CODES if conduct.faults[code]
                },
                "second_look": look.gain.mean if look else None,
                "second_look_low": look.gain.low if look else None,
                "second_look_high": look.gain.high if look else None,
                "second_look_stands_out": look.stands_out if look else None,
            }
        )
    return lines


def share_of(part: int, whole: int) -> float | None:
    """The share, None of nothing."""
    return round(part / whole, 6) if whole else None


def _second_looks(dossier: Dossier) -> dict[int, SecondLook]:
    """The audit of each entrant, without the results of disqualified ones."""
    out = {row["number"] for row in dossier.entrants if row["state"] == "disqualified"}
    results: Sequence[FixtureResult] = [
        result
        for row in dossier.fixtures
        if row["status"] != FixtureStatus.VOID
        and (result := read_fixture(row).result) is not None
        and not out & set(result.seats)
    ]
    return {look.entrant: look for look in second_look(results, fewer_points_win=_fewer(dossier))}


def _fewer(dossier: Dossier) -> bool:
    return bool(orjson.loads(dossier.tournament["config"])["options"].get("fewer_points_win"))
