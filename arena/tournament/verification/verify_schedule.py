"""Checks that the matches of a tournament are those that its format makes of their results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arena.store.fixtures import read_fixture
from arena.store.rows import FixtureRow, FixtureStatus, TournamentState
from arena.tournament.dossier import Dossier
from arena.tournament.formats.format import Format
from arena.tournament.model import Fixture, FixtureKey, FixtureResult, FormatOptions
from arena.tournament.verification.mismatch import Mismatch, same, same_values, within


def check_schedule(
    dossier: Dossier,
    state: TournamentState,
    format: Format,
    options: FormatOptions,
    results: Mapping[FixtureKey, FixtureResult],
) -> None:
    """Check every match that there is, and that none is missing. ``results``: already checked.

    One that never began may have fewer entrants than its format needs.

    :raises Mismatch: naming the first difference.
    """
    if not dossier.fixtures and state is not TournamentState.FINISHED:
        return
    rows = list(map(read_fixture, dossier.fixtures))
    _check_replays(rows, is_cancelled=state is TournamentState.CANCELLED)
    stored = {row.key: row for row in rows if row.status is not FixtureStatus.VOID}
    for fixture in _planned(dossier, format, options, results):
        row = stored.get(fixture.key)
        if row is not None:
            with within(f"fixture {row.id}"):
                same_values(row.fixture, fixture)
            del stored[fixture.key]
        elif state is TournamentState.FINISHED:
            raise Mismatch(f"the match {fixture.label!r} is missing")
    for row in stored.values():
        with within(f"fixture {row.id}"):
            raise Mismatch("a match is stored that the format does not make")


def _check_replays(fixtures: Sequence[FixtureRow], *, is_cancelled: bool) -> None:
    """Whatever was played again is there, as void: no playing of a match can be left out."""
    playings: dict[FixtureKey, list[FixtureRow]] = {}
    for fixture in fixtures:
        playings.setdefault(fixture.key, []).append(fixture)
    for rows in playings.values():
        rows.sort(key=lambda row: row.replay)
        for number, row in enumerate(rows):
            with within(f"fixture {row.id}"):
                if row.replay != number:
                    raise Mismatch(
                        f"it is playing number {row.replay + 1} of {row.label!r}, but number "
                        f"{number + 1} is missing; it was void, and void matches are kept"
                    )
                if row is not rows[-1]:
                    same("what was played again", row.status.value, FixtureStatus.VOID.value)
                elif row.status is FixtureStatus.VOID and not is_cancelled:
                    raise Mismatch("it is void, but has not been played again")


def _planned(
    dossier: Dossier,
    format: Format,
    options: FormatOptions,
    results: Mapping[FixtureKey, FixtureResult],
) -> Iterator[Fixture]:
    """Every match as the format makes it from the results of those made before.

    Whoever takes one has to compare it before the next, whose making may rest on its result.
    """
    rows = sorted(dossier.entrants, key=lambda row: int(row["seeding"]))
    seeding = [row["number"] for row in rows]
    rounds = {row["number"]: row.get("left_round") for row in rows}
    left = {number: latest for number, latest in rounds.items() if latest is not None}
    made: set[FixtureKey] = set()
    known: dict[FixtureKey, FixtureResult] = {}
    while True:
        planned = format.fixtures(seeding, options, known, left)
        new = [fixture for fixture in planned if fixture.key not in made]
        if not new:
            return
        for fixture in new:
            yield fixture
            made.add(fixture.key)
            if fixture.key in results:
                known[fixture.key] = results[fixture.key]
        back = format.looks_back
        if back is not None:
            latest = max((key.round for key in known), default=0)
            known = {key: r for key, r in known.items() if key.round >= latest - back}
