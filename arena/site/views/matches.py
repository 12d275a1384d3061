"""The matches of a tournament in order of play, with what pages ask of them. Pure.

A list of twenty thousand that changes every second is not gone through for every page: a changed
list is made from the one before by its changed rows alone.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.store.rows import FixtureRow, FixtureStatus

LATEST = 12
"""Finished matches that are kept at hand."""

Listed = Mapping[FixtureStatus, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Matches:
    """``rows``: in order of play, voided ones included.

    Places are indices of ``rows``: ``places`` by id, ``seated`` of each entrant's, in order, and
    ``listed`` of those in each state, in order. ``latest``: of those that ended the newest first,
    some of them. ``hands``: of the finished. ``newest``: when the newest of all began or ended,
    empty before the first.
    """

    rows: Sequence[FixtureRow]
    places: Mapping[str, int]
    seated: Mapping[int, Sequence[int]]
    listed: Listed
    latest: Sequence[FixtureRow]
    hands: int
    newest: str

    def in_state(self, status: FixtureStatus, most: int | None = None) -> list[FixtureRow]:
        """The matches in this state in order of play, only the first ``most``."""
        return [self.rows[place] for place in self.listed[status][:most]]

    def of(self, entrant: int) -> list[FixtureRow]:
        """The matches that an entrant sits in, in order of play."""
        return [self.rows[place] for place in self.seated.get(entrant, ())]

    def count(self, status: FixtureStatus) -> int:
        """How many matches are in this state."""
        return len(self.listed[status])

    def open_until(self, position: int) -> list[int]:
        """The positions, up to this one, of matches that are still to begin or to end."""
        return [
            row.position
            for status in (FixtureStatus.PLAYING, FixtureStatus.PENDING)
            for row in map(self.rows.__getitem__, self.listed[status])
            if row.position <= position
        ]

    def changed(self, changes: Iterable[FixtureRow]) -> Matches:
        """The matches with these rows in place of those with their ids.

        :raises KeyError: there is no match with such an id.
        """
        rows = list(self.rows)
        listed = {status: list(places) for status, places in self.listed.items()}
        hands, ended, newest = self.hands, [], self.newest
        for row in changes:
            place = self.places[row.id]
            before = rows[place]
            rows[place] = row
            if before.status is not row.status:
                leaving, coming = listed[before.status], listed[row.status]
                del leaving[bisect_left(leaving, place)]
                coming.insert(bisect_left(coming, place), place)
            hands += _hands(row) - _hands(before)
            newest = max(newest, _moment(row))
            ended.append(row)
        fresh = {row.id for row in ended}
        return Matches(
            rows,
            self.places,
            self.seated,
            listed,
            _latest([*(row for row in self.latest if row.id not in fresh), *ended]),
            hands,
            newest,
        )


def matches_of(rows: Sequence[FixtureRow]) -> Matches:
    """The matches from all rows, which are in order of play."""
    listed: dict[FixtureStatus, list[int]] = {status: [] for status in FixtureStatus}
    seated: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        listed[row.status].append(place)
        for entrant in row.seats:
            seated.setdefault(entrant, []).append(place)
    return Matches(
        rows,
        {row.id: place for place, row in enumerate(rows)},
        seated,
        listed,
        _latest(rows),
        sum(map(_hands, rows)),
        max(map(_moment, rows), default=""),
    )


def _hands(row: FixtureRow) -> int:
    return row.hands if row.status is FixtureStatus.FINISHED else 0


def _moment(row: FixtureRow) -> str:
    return row.finished_at or row.started_at or ""


def _latest(rows: Iterable[FixtureRow]) -> list[FixtureRow]:
    finished = (row for row in rows if row.status is FixtureStatus.FINISHED)
    return heapq.nlargest(LATEST, finished, key=lambda row: (row.finished_at or "", row.position))
