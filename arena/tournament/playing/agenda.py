"""Which matches a tournament has and which come next, kept up with the store as results come in."""

from __future__ import annotations

from collections.abc import Sequence

from arena.config import TournamentConfig
from arena.errors import DamagedError
from arena.referee.ids import fixture_id
from arena.store import Store
from arena.store.rows import OPEN, FixtureRow, TournamentRow, TournamentState
from arena.tournament.model import Fixture
from arena.tournament.results import left_of

MANY = 64
"""Fixtures from which on reading all of them at once is quicker than one by one."""


class Agenda:
    """The matches of one tournament. Nothing here is not in the store too."""

    def __init__(self, store: Store, tournament: TournamentRow) -> None:
        self.config = TournamentConfig.from_json(tournament.config)
        """As of the latest look: how many rounds it has may be said while it is played."""
        self._store = store
        self._tournament = tournament
        self._format = self.config.find_format()
        self._rows: dict[str, FixtureRow] = {}
        self._since = 0
        """Position of the first match that is still looked at."""

    def begin(self) -> None:
        """Find out from which match on its further rounds follow."""
        if self._format.looks_back is not None:
            self._since = self._store.fixtures.begins(self._tournament.id, self._format.looks_back)

    def total(self, entrants: int) -> int | None:
        """Matches in all, None where that is not known yet."""
        return self._format.total(entrants, self.config.options)

    def next_open(self) -> tuple[TournamentState, Sequence[FixtureRow]]:
        """Store the fixtures that became known, in order of play; finish the tournament when there
        are none and all are played. The state that it is in then, and all matches to be played.

        All of it is one transaction, so that nothing which another process does, such as voiding
        a match, pausing or resuming, can come between what is read and what follows from it.
        """
        id = self._tournament.id
        with self._store.transaction():
            row = self._store.tournaments.get(id)
            if row.state is not TournamentState.RUNNING:
                return row.state, ()
            if row.config != self._tournament.config:
                # Somebody has said how many rounds it has.
                self.config = TournamentConfig.from_json(row.config)
                self._tournament = row
            while True:
                self._read()
                new = self._new_fixtures()
                for position, fixture in enumerate(new, self._since + len(self._rows)):
                    new_id = fixture_id(bytes.fromhex(row.secret), id, fixture.key)
                    self._store.fixtures.add(id, new_id, fixture, position=position)
                if new:
                    self._read()
                open_ = [one for one in self._rows.values() if one.status in OPEN]
                # Byes are final at once, and more may follow from them.
                if open_ or not new:
                    break
            if not open_:
                self._store.tournaments.set_state(id, TournamentState.FINISHED)
                return TournamentState.FINISHED, ()
        return row.state, open_

    def _new_fixtures(self) -> list[Fixture]:
        """What the format makes of the results so far and is not stored yet."""
        entrants = self._store.tournaments.entrants(self._tournament.id)
        seeding = [row.number for row in sorted(entrants, key=lambda row: row.seeding)]
        results = {row.key: found for row in self._rows.values() if (found := row.result)}
        planned = self._format.fixtures(seeding, self.config.options, results, left_of(entrants))
        known = {row.key: row for row in self._rows.values()}
        for fixture in planned:
            row = known.get(fixture.key)
            if row is not None and row.seats != fixture.seats:
                raise DamagedError(
                    f"match {row.id} ({row.label}) is not between those whom the results before it "
                    "brought there; restore a backup"
                )
        return [fixture for fixture in planned if fixture.key not in known]

    def _read(self) -> None:
        """Take over from the store which fixtures and results there are; read only what changed,
        and forget what no further round follows from."""
        fixtures = self._store.fixtures
        statuses = fixtures.statuses(self._tournament.id, self._since)
        known = {id: row for id, row in self._rows.items() if statuses.get(id) is row.status}
        changed = [id for id in statuses if id not in known]
        if len(changed) > MANY:
            rows = fixtures.of(self._tournament.id, since=self._since)
        else:
            read = [*known.values(), *filter(None, map(fixtures.get, changed))]
            rows = sorted(read, key=lambda row: row.position)
        back = self._format.looks_back
        if back is not None and rows:
            rows = [row for row in rows if row.key.round >= rows[-1].key.round - back]
            self._since = rows[0].position
        self._rows = {row.id: row for row in rows}
