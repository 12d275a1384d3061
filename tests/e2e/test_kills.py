"""Referees of every format are killed at any moment: nothing is lost and nothing counted twice.

``ARENA_KILLS`` sets how many kills there are in all, 40 unless told otherwise.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from arena.store import Store
from arena.store.lock import played
from arena.tournament.dossier import StoredDossier
from arena.tournament.results import standings_json
from arena.tournament.verification.verify import verify
from tests.e2e.function_referee import COURSES, Course, referee

KILLS = int(os.environ.get("ARENA_KILLS", "40"))
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.e2e.function_referee"])


def contents(path: Path) -> dict[str, object]:
    """What must be the same however often the referee died: all but the time of day.

    Matches go by their keys: in a bracket they become known in the order in which others end.
    """
    with Store(path, read_only=True) as store:
        assert store.damage() is None
        (tournament,) = store.tournaments.all()
        fixtures = sorted(store.fixtures.of(tournament.id, void=True), key=lambda row: row.key)
        verify(StoredDossier(store, tournament.id))
        return {
            "standings": standings_json(store, tournament),
            "fixtures": [(row.id, row.fixture, row.status, row.result) for row in fixtures],
            "order": sorted(row.position for row in fixtures),
            "games": [store.fixtures.games(row.id) for row in fixtures],
            "hands": [store.hands.of(row.id) for row in fixtures],
            "faults": [store.hands.faults(row.id) for row in fixtures],
            "times": store.tournaments.times(tournament.id),
        }


def run(path: Path, course: Course, die_at: int | None = None) -> int:
    """A referee's exit code, negative for the signal that killed it."""
    process = PROCESSES.Process(target=referee, args=(path, course, die_at))
    process.start()
    process.join(60)
    assert process.exitcode is not None
    return process.exitcode


def run_and_kill(path: Path, course: Course, hands: int, linger_s: float) -> int:
    """Kill a referee once there are so many hands, and a moment more."""
    process = PROCESSES.Process(target=referee, args=(path, course))
    process.start()
    ends = time.monotonic() + 60
    while process.is_alive() and hands_in(path) < hands:
        assert time.monotonic() < ends
        process.join(0.003)
    process.join(linger_s)
    process.kill()
    process.join(60)
    assert process.exitcode is not None
    return process.exitcode


def hands_in(path: Path) -> int:
    """Number of hands in a database that may not exist yet."""
    if not path.exists():
        return 0
    conn = sqlite3.connect(path.as_uri() + "?mode=ro", uri=True)
    try:
        return int(conn.execute("SELECT count(*) FROM hands").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        conn.close()


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course.format)
def test_killed_at_any_moment_a_tournament_ends_like_an_undisturbed_one(
    tmp_path: Path, course: Course
) -> None:
    """Half of the kills hit between two statements of a transaction, half at any moment.

    A tournament that ends before it was killed often enough is compared and played once more.
    """
    calm = tmp_path / "calm.db"
    assert run(calm, course) == 0
    right, total = contents(calm), hands_in(calm)
    chance = random.Random(course.format)
    wanted = max(2, KILLS // len(COURSES))
    kills = ends = 0
    while kills < wanted:
        rough = tmp_path / f"rough{ends}.db"
        before = hands_in(rough)
        share = max(1, (total - before) // (wanted - kills + 1))
        if kills % 2:
            linger_s = chance.uniform(0, 0.004)
            code = run_and_kill(rough, course, before + chance.randint(0, share), linger_s)
        else:
            code = run(rough, course, die_at=chance.randint(1, 40) + 9 * chance.randint(0, share))
        assert code in (0, -signal.SIGKILL)
        assert not played(rough)
        if code:
            kills += 1
        else:
            assert contents(rough) == right
            ends += 1

    assert run(tmp_path / f"rough{ends}.db", course) == 0
    assert contents(tmp_path / f"rough{ends}.db") == right
