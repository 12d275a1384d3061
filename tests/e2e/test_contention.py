"""Results stored by the hundred, beside pages that are read and an organiser who writes too."""

from __future__ import annotations

import itertools
import multiprocessing
import threading
import time
from pathlib import Path

from arena.config import TournamentConfig
from arena.referee.ids import fixture_id
from arena.store import Store
from arena.store.rows import (
    BotState,
    FixtureRow,
    FixtureStatus,
    HandRow,
    TournamentRow,
    TournamentState,
)
from arena.tournament.match import forfeit_result
from tests.e2e.arena_process import served_pages, status_of
from tests.e2e.function_referee import SECRET, Course, enter, referee

SECONDS = 5.0
RESULTS_A_SECOND = 200
PAGES_A_SECOND = 20
COURSE = Course("round_robin", 24, options={"legs": 3})
PATHS = ("/", "/t/crash", "/t/crash.json", "/t/crash/schedule", "/bots", "/t/crash/standings.csv")


def store_results(path: Path, record: str) -> None:
    """Do what a busy referee does with the database: a hand, then a result, each a transaction."""
    with Store(path) as store:
        (row,) = store.tournaments.all()
        began = time.monotonic()
        for number, fixture in enumerate(store.fixtures.of(row.id)):
            due = began + number / RESULTS_A_SECOND
            time.sleep(max(0.0, due - time.monotonic()))
            store.fixtures.start(fixture.id)
            store.hands.add(hand(fixture, record))
            store.fixtures.finish(
                fixture.id, forfeit_result(fixture.fixture, fixture.seats[:1]), ""
            )


def hand(fixture: FixtureRow, record: str) -> HandRow:
    """A hand as long as usual."""
    return HandRow(fixture.id, 1, 1, record, "knock", 0, (10, 0), (2,) * 30, ((), ()))


def scheduled(path: Path) -> tuple[TournamentRow, int]:
    """A running tournament with all its fixtures, none of them played."""
    with Store(path) as store:
        row = enter(store, COURSE)
        config = TournamentConfig.from_json(row.config)
        fixtures = config.find_format().fixtures(range(COURSE.players), config.options, {})
        with store.transaction():
            for position, fixture in enumerate(fixtures[: int(RESULTS_A_SECOND * SECONDS)]):
                id = fixture_id(SECRET, row.id, fixture.key)
                store.fixtures.add(row.id, id, fixture, position=position)
            store.tournaments.set_state(row.id, TournamentState.RUNNING)
        return row, len(store.fixtures.of(row.id))


def test_referee_pages_and_organiser_never_meet_a_lock(tmp_path: Path) -> None:
    """Two hundred results a second, twenty pages a second, an organiser: no error on any side."""
    path, log = tmp_path / "arena.db", tmp_path / "log.txt"
    row, fixtures = scheduled(path)
    statuses: list[int] = []
    added: list[int] = []
    with served_pages(path, log) as (_, address):
        process = multiprocessing.get_context("forkserver").Process(
            target=store_results, args=(path, a_record(tmp_path))
        )
        process.start()
        began = time.monotonic()
        writer = threading.Thread(target=organise, args=(path, process, added))
        writer.start()
        readers: list[threading.Thread] = []
        for number, name in enumerate(itertools.cycle(PATHS)):
            time.sleep(max(0.0, began + number / PAGES_A_SECOND - time.monotonic()))
            if not process.is_alive():
                break
            readers.append(threading.Thread(target=read, args=(address + name, statuses)))
            readers[-1].start()
        process.join(60)
        for thread in (*readers, writer):
            thread.join(60)

    assert process.exitcode == 0
    assert set(statuses) == {200}
    assert len(statuses) == len(readers)
    assert "locked" not in log.read_text()
    with Store(path, read_only=True) as store:
        assert store.damage() is None
        assert len(store.bots.all()) == COURSE.players + len(added)
        done = [f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.FINISHED]
        assert len(done) == fixtures


def a_record(folder: Path) -> str:
    """The record of a hand that was really played."""
    course = Course("round_robin", 2)
    referee(folder / "one.db", course)
    with Store(folder / "one.db", read_only=True) as store:
        record: str = store.query("SELECT record FROM hands")[0][0]
        return record


def organise(path: Path, process: multiprocessing.process.BaseProcess, added: list[int]) -> None:
    """Register bots meanwhile, as the site does: each change with a store of its own."""
    while process.is_alive():
        with Store(path) as store:
            bot = store.bots.add(f"new {len(added)}", "http://127.0.0.1:9")
            store.bots.set_state(bot.id, BotState.RETIRED)
        added.append(bot.id)
        process.join(0.05)


def read(address: str, statuses: list[int]) -> None:
    """Get a page."""
    statuses.append(status_of(address, 30))
