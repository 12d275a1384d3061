"""Bots, the web server and whole machines are killed while a tournament is played."""

from __future__ import annotations

import http.client
import multiprocessing
import os
import random
import signal
import threading
from pathlib import Path

import pytest

from arena.store import Store
from arena.store.rows import FixtureStatus, TournamentState
from arena.tournament.dossier import StoredDossier
from arena.tournament.verification.verify import verify
from tests.e2e.arena_process import (
    arena,
    children_of,
    hands_stored,
    served_pages,
    start_arena,
    status_of,
    wait_until,
)
from tests.e2e.function_referee import Course, referee

KILLS = max(3, int(os.environ.get("ARENA_KILLS", "40")) // 13)
BOTS = ["--bot", "a=sample:simple", "--bot", "b=sample:greedy", "--bot", "c=sample:simple"]
OPTIONS = [*BOTS, "--secret", "77" * 32, "--name", "Kills", "--games", "2", "--target", "60"]


def hands_by_match(database: Path) -> dict[str, list[tuple[int, int, str]]]:
    """Game, number and record of each hand, by match."""
    with Store(database, read_only=True) as store:
        (row,) = store.tournaments.all()
        return {
            fixture.id: [(h.game, h.number, h.record) for h in store.hands.of(fixture.id)]
            for fixture in store.fixtures.of(row.id)
        }


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tournament between sample bots, undisturbed."""
    database = tmp_path_factory.mktemp("calm") / "calm.db"
    whole = arena("run", *OPTIONS, "--db", database)
    assert whole.returncode == 0, whole.stderr
    return database


def test_killed_bot_loses_its_own_matches_and_changes_no_others(tmp_path: Path, calm: Path) -> None:
    """The tournament ends, verifies, and the matches without the dead are as they would be."""
    chance = random.Random(5)
    right = hands_by_match(calm)
    for number in range(KILLS):
        database, log = tmp_path / f"{number}.db", tmp_path / "log.txt"
        process = start_arena("run", *OPTIONS, "--patience", "1", "--db", database, log=log)
        goal = chance.randint(0, 12)
        assert wait_until(lambda: hands_stored(database) > goal, process), log.read_text()  # noqa: B023
        victim = chance.choice(bots_of(process.pid))
        os.kill(victim, signal.SIGKILL)

        assert process.wait(60) == 0, log.read_text()
        with Store(database, read_only=True) as store:
            assert store.damage() is None
            (row,) = store.tournaments.all()
            assert verify(StoredDossier(store, row.id)).finished
            fixtures = store.fixtures.of(row.id)
            dead = {entrant for entrant, _ in store.hands.fault_counts(row.id)}
        assert len(dead) <= 1
        assert {f.status for f in fixtures} <= {FixtureStatus.FINISHED, FixtureStatus.BYE}
        found = hands_by_match(database)
        for fixture in fixtures:
            if not dead & set(fixture.seats):
                assert found[fixture.id] == right[fixture.id]


def bots_of(pid: int) -> list[int]:
    """The bots that an arena has started."""
    found = children_of(pid)
    assert len(found) == 3
    return found


def test_power_cut_takes_arena_and_bots_at_once_and_resume_goes_on(
    tmp_path: Path, calm: Path
) -> None:
    """Nobody had time to notice that the others were gone: the end is as if undisturbed."""
    database, log = tmp_path / "arena.db", tmp_path / "log.txt"
    chance = random.Random(6)
    command = ["run", *OPTIONS]
    for _ in range(KILLS):
        process = start_arena(*command, "--db", database, log=log)
        goal = hands_stored(database) + chance.randint(0, 5)
        assert wait_until(lambda: hands_stored(database) > goal, process), log.read_text()  # noqa: B023
        process.send_signal(signal.SIGSTOP)
        for child in [*bots_of(process.pid), process.pid]:
            os.kill(child, signal.SIGKILL)
        process.wait(30)
        command = ["resume"]
    end = arena("resume", "--db", database)

    assert end.returncode == 0, end.stderr
    assert hands_by_match(database) == hands_by_match(calm)


def test_killed_web_server_harms_neither_play_nor_database(tmp_path: Path) -> None:
    """Killed in the middle of its answers, again and again, while a referee writes."""
    course = Course("round_robin", 8, options={"legs": 3})
    calm, rough, log = tmp_path / "calm.db", tmp_path / "rough.db", tmp_path / "log.txt"
    referee(calm, course)
    process = multiprocessing.get_context("forkserver").Process(
        target=referee, args=(rough, course)
    )
    process.start()
    chance = random.Random(7)
    answers: list[int] = []
    while hands_stored(rough) == 0:
        process.join(0.01)
    for _ in range(KILLS):
        with served_pages(rough, log) as (server, address):
            readers = [
                threading.Thread(target=read, args=(address + path, answers))
                for path in ("/", "/t/crash", "/t/crash/schedule.csv", "/t/crash.json")
            ]
            for reader in readers:
                reader.start()
            before = len(answers)
            assert wait_until(lambda before=before: len(answers) > before, server)  # type: ignore[misc]
            readers[0].join(chance.uniform(0, 0.2))
            server.kill()
            for reader in readers:
                reader.join(10)
    process.join(60)

    assert process.exitcode == 0
    assert set(answers) == {200}
    assert hands_by_match(rough) == hands_by_match(calm)
    with Store(rough, read_only=True) as store:
        assert store.damage() is None
        (row,) = store.tournaments.all()
        assert row.state is TournamentState.FINISHED


def read(address: str, answers: list[int]) -> None:
    """Ask for a page until the server has gone."""
    while True:
        try:
            answers.append(status_of(address, 10))
        except (OSError, http.client.HTTPException):
            return
