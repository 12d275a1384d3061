"""Stores hands by the million: does it get slower, how large does the file become, what waits?

``python -m tests.bench.bench_store --hands 2000000`` (an hour's patience for ten million);
``--seconds 20`` for a quick look. Records are those of hands that sample bots really played; each
hand is a transaction of its own, as in a tournament, and sixteen matches are in play at a time.
Tournaments have 20 bots and 300,000 hands each. Every 100,000 hands the standings are brought up to
date from what changed and compared with those made from nothing; half way a backup is taken while
writing goes on; at the end the pages are asked for.
"""

from __future__ import annotations

import argparse
import itertools
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import requests

from arena.bot import Bot, BotView
from arena.bot.base import Choice
from arena.config import BotSpec, TournamentConfig
from arena.launch import PagesProcess
from arena.referee.asks import Answer, Ask, Reply
from arena.referee.players import Player
from arena.site.views.snapshot import Snapshot, take
from arena.store import Store
from arena.store.rows import FixtureRow, GameRow, HandRow, TournamentRow, TournamentState
from arena.tournament.create import create_tournament
from arena.tournament.model import Fixture, FixtureKey, FormatOptions
from arena.tournament.playing.ledger import StoreLedger
from arena.tournament.playing.runner import Runner
from tests.bench.site_database import result_of
from tests.samples import greedy, simple
from tests.tournament.functions import answering

HANDS_A_MATCH = 30
MATCHES_AT_A_TIME = 16
BOTS = 20
TOURNAMENT_HANDS = 300_000
REPORT_HANDS = 100_000
ASKED = 40
"""How often each page is asked for."""


def sampled(bot: Bot) -> Player:
    """A sample bot as a function; it takes two milliseconds or three."""

    def play(ask: Ask) -> Reply:
        view = BotView(ask.request)
        chosen = bot.choose(view)
        if not isinstance(chosen, Choice):
            chosen = Choice(chosen if isinstance(chosen, str) else chosen.id)
        took = 2.0 + len(view.hand) % 2
        return Answer(chosen.action, chosen.melds, elapsed_ms=took, overhead_ms=0.5)

    return play


def tournament(store: Store, name: str, bots: int, games: int) -> TournamentRow:
    """Bots that nobody calls."""
    config = TournamentConfig(
        name=name,
        options=FormatOptions(games=games),
        bots=tuple(BotSpec(f"bot {n:02}", f"http://127.0.0.1:{9 + n}") for n in range(bots)),
    )
    return create_tournament(store, config, bytes(range(32)))


def real_hands() -> list[HandRow]:
    """A few hundred hands that were really played."""
    with Store(":memory:") as store:
        row = tournament(store, "Real", 2, 12)
        with answering([sampled(simple.bot), sampled(greedy.bot)]) as contacts:
            Runner(store, row, contacts).run()
        return [hand for f in store.fixtures.of(row.id) for hand in store.hands.of(f.id)]


def matches(store: Store, row: TournamentRow, count: int) -> Iterator[FixtureRow]:
    """So many matches of a tournament, each entered and begun; both halves of a pair in turn."""
    pairings = list(itertools.combinations(range(BOTS), 2))
    for number in range(count):
        leg, half = divmod(number, 2)
        seats = pairings[leg % len(pairings)]
        key = FixtureKey("store", 1 + leg // (BOTS // 2), leg % (BOTS // 2), half)
        fixture = Fixture(key, seats[::-1] if half else seats, f"store/{leg}", 9, 5)
        id = f"m_{row.id[2:10]}{number:07d}"
        store.fixtures.add(row.id, id, fixture, position=number)
        store.fixtures.start(id)
        found = store.fixtures.get(id)
        assert found is not None
        yield found


def one_match(store: Store, fixture: FixtureRow, hands: Iterator[HandRow]) -> Iterator[None]:
    """Store a match hand by hand."""
    ledger = StoreLedger(store, fixture)
    luck = random.Random(fixture.id)
    for number in range(1, HANDS_A_MATCH + 1):
        hand = next(hands)
        game = 1 + (number - 1) // 6
        ledger.hand(
            replace(hand, fixture_id=fixture.id, game=game, number=number - 6 * (game - 1)), ()
        )
        if number % 6 == 0:
            sentence = "greedy wins the game, 104–63."
            ledger.game(GameRow(fixture.id, game, 1, (63, 104), (183, 304), 6, "normal", sentence))
        yield
    result = result_of(replace(fixture.fixture, games=5), luck, HANDS_A_MATCH)
    ledger.result(result, "greedy beats simple 3–2.", ())


class Progress(NamedTuple):
    """What is done after a hand."""

    hands: int
    row: TournamentRow


def played(store: Store, path: Path) -> Iterator[Progress]:
    """Hands without end, tournament after tournament, sixteen matches at a time."""
    hands = itertools.cycle(real_hands())
    stored = 0
    for number in itertools.count(1):
        row = tournament(store, f"Season {number}", BOTS, 9)
        store.tournaments.set_state(row.id, TournamentState.RUNNING)
        fresh = matches(store, row, TOURNAMENT_HANDS // HANDS_A_MATCH // 2 * 2)
        running = [one_match(store, next(fresh), hands) for _ in range(MATCHES_AT_A_TIME)]
        while running:
            for match in list(running):
                if next(match, running) is not running:
                    stored += 1
                    yield Progress(stored, row)
                    continue
                running.remove(match)
                if (following := next(fresh, None)) is not None:
                    running.append(one_match(store, following, hands))
        store.tournaments.set_state(row.id, TournamentState.FINISHED)


def fill(path: Path, hands: int | None, seconds: float) -> int:
    """Store so many hands, or for so long, and print how it went. How many it were."""
    began = mark = time.perf_counter()
    worked, before = time.process_time(), 0
    snapshot: Snapshot | None = None
    backup: Backup | None = None
    with Store(path) as store:
        for stored, row in played(store, path):
            if stored % REPORT_HANDS == 0:
                now, cpu = time.perf_counter(), time.process_time()
                done = stored - before
                snapshot, updated = brought_up_to_date(store, row, snapshot)
                size = (path.stat().st_size) / stored
                print(
                    f"{stored:>10,} hands: {done / (now - mark):>6,.0f} a second, "
                    f"{(now - mark) / done * 1e6:.0f} µs each, {(cpu - worked) / done * 1e6:.0f} "
                    f"of processor; {size:.0f} B each; {updated}",
                    flush=True,
                )
                before, mark, worked = stored, time.perf_counter(), time.process_time()
            if hands is not None and stored == hands // 2:
                backup = Backup(path, stored)
            if backup is not None and stored % 100 == 0 and backup.report(stored):
                backup = None
            if stored == hands or (hands is None and time.perf_counter() - began > seconds):
                break
        if backup is not None:
            backup.report(stored, wait=True)
    return stored


def brought_up_to_date(
    store: Store, row: TournamentRow, before: Snapshot | None
) -> tuple[Snapshot, str]:
    """The table from what changed since the last look, compared with one made from nothing."""
    row = store.tournaments.get(row.id)
    same = before is not None and before.tournament.id == row.id
    began = time.perf_counter()
    updated = take(store, row, before if same else None)
    read = time.perf_counter()
    figures = updated.make_figures()
    made = time.perf_counter()
    fresh = take(store, row)
    reread = time.perf_counter()
    again = fresh.make_figures()
    same_figures = all(
        getattr(again, part) == getattr(figures, part)
        for part in ("rows", "ratings", "estimates", "second_looks")
    )
    if fresh.fixtures != updated.fixtures or not same_figures:
        raise SystemExit(f"{row.name}: the table brought up to date is another than the new one")
    text = (
        f"table of {len(fresh.fixtures):,} matches {'updated' if same else 'read'} in "
        f"{read - began:.2f} s, anew {reread - made:.2f}, figures {made - read:.2f}: equal"
    )
    return updated, text


class Backup:
    """``arena backup`` as a process, while hands are stored."""

    def __init__(self, path: Path, hands: int) -> None:
        self._copy = path.with_name("copy.db")
        self._hands = hands
        self._began = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "arena", "backup", str(self._copy), "--db", str(path)],
            stdout=subprocess.DEVNULL,
        )

    def report(self, hands: int, *, wait: bool = False) -> bool:
        """Whether it has ended; then say how it went and remove the copy."""
        if self._process.poll() is None and not wait:
            return False
        code = self._process.wait()
        taken = time.perf_counter() - self._began
        with Store(self._copy, read_only=True) as store:
            found = store.query_one("SELECT count(*) FROM hands")
            damage = store.damage()
        size = self._copy.stat().st_size
        self._copy.unlink()
        if code or damage or found is None or not self._hands <= found[0] <= hands:
            raise SystemExit(f"backup: exit {code}, {damage}, {found and found[0]} hands")
        print(
            f"  backup of {size / 1e6:,.0f} MB in {taken:.1f} s while {hands - self._hands:,} hands"
            f" were stored ({(hands - self._hands) / taken:,.0f} a second): {found[0]:,} in it, "
            "whole and sound",
            flush=True,
        )
        return True


def report(path: Path, hands: int) -> None:
    """What the file is made of."""
    size = path.stat().st_size
    print(f"\n{size / 1e6:,.0f} MB for {hands:,} hands: {size / hands:.0f} bytes each")
    with Store(path, read_only=True) as store:
        for name, pages, unused in store.query(
            "SELECT name, sum(pgsize), sum(unused) FROM dbstat GROUP BY 1 ORDER BY 2 DESC LIMIT 6"
        ):
            print(f"  {name:<28} {pages / hands:6.1f} bytes a hand, {unused / pages:4.0%} unused")
        columns = ("record", "times", "books", "points", "ending")
        lengths = ", ".join(f"avg(length({column}))" for column in columns)
        found = store.query_one(f"SELECT {lengths} FROM (SELECT * FROM hands LIMIT 5000)")
        assert found is not None
        print(
            "  of a hand: " + ", ".join(f"{c} {n:.0f}" for c, n in zip(columns, found, strict=True))
        )


def pages(path: Path) -> None:
    """How long pages take at this size, first and afterwards."""
    with Store(path, read_only=True) as store:
        row = store.tournaments.all()[-1]
        done = [f.id for f in store.fixtures.of(row.id) if f.hands][: 2 * ASKED]
        bots = [bot.id for bot in store.bots.all()][:ASKED]
    home = f"/t/{row.slug}"
    asked = {
        "home": ["/"],
        "tournament": [home],
        "crosstable": [f"{home}/crosstable"],
        "strength": [f"{home}/strength"],
        "schedule": [f"{home}/schedule?page={n}" for n in range(1, ASKED)],
        "match": [f"{home}/m/{id}" for id in done],
        "hand": [f"{home}/m/{id}/{1 + n % 5}-{1 + n % 6}" for n, id in enumerate(done)],
        "bot": [f"/bots/{id}-x" for id in bots],
    }
    server = PagesProcess(path, 0)
    print("pages, ms in the server:          first     p50     p95")
    try:
        with requests.Session() as session:
            for name, addresses in asked.items():
                times = []
                for number in range(ASKED):
                    answer = session.get(
                        server.url + addresses[number % len(addresses)], timeout=99
                    )
                    if answer.status_code != 200:
                        raise SystemExit(f"{answer.url}: {answer.status_code}")
                    times.append(float(answer.headers["Server-Timing"].rpartition("=")[2]))
                ordered = sorted(times)
                print(
                    f"  {name:<30} {times[0]:7.1f} {ordered[ASKED // 2]:7.1f} "
                    f"{ordered[int(0.95 * (ASKED - 1))]:7.1f}"
                )
    finally:
        server.stop()


def main() -> None:
    """Fill a database in a temporary folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="how long (%(default)s)")
    parser.add_argument("--hands", type=int, help="so many instead")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        report(path, fill(path, options.hands, options.seconds))
        pages(path)


if __name__ == "__main__":
    main()
