"""Stores hands by the million: does it get slower, and how large does the file become?

Run with ``python -m tests.bench.bench_store``; ``--seconds 20`` for a quick look. Records are those
of hands that sample bots really played; each hand is a transaction of its own, as in a tournament,
and sixteen matches are in play at a time.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from arena.bot import Bot, BotView
from arena.bot.base import Choice
from arena.config import BotSpec, TournamentConfig
from arena.referee.asks import Answer, Ask, Reply
from arena.referee.players import Player
from arena.store import Store
from arena.store.rows import FixtureRow, GameRow, HandRow, TournamentRow
from arena.tournament.create import create_tournament
from arena.tournament.ledger import StoreLedger
from arena.tournament.match import forfeit_result
from arena.tournament.model import Fixture, FixtureKey, FormatOptions
from arena.tournament.runner import Runner
from sample_bots import greedy, simple
from tests.tournament.functions import answering

HANDS_A_MATCH = 30
MATCHES_AT_A_TIME = 16
REPORT_S = 10.0


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


def tournament(store: Store, games: int) -> TournamentRow:
    """Two sample bots."""
    config = TournamentConfig(
        name="Store",
        options=FormatOptions(games=games),
        bots=tuple(BotSpec(name, "http://127.0.0.1:9") for name in ("simple", "greedy")),
    )
    return create_tournament(store, config, bytes(range(32)))


def real_hands() -> list[HandRow]:
    """A few hundred hands that were really played."""
    with Store(":memory:") as store:
        row = tournament(store, 12)
        with answering([sampled(simple.bot), sampled(greedy.bot)]) as contacts:
            Runner(store, row, contacts).run()
        return [hand for f in store.fixtures.of(row.id) for hand in store.hands.of(f.id)]


def matches(store: Store, row: TournamentRow) -> Iterator[FixtureRow]:
    """Endless matches, each entered and begun."""
    for number in itertools.count():
        fixture = Fixture(FixtureKey("store", 1, number), (0, 1), f"store/{number}", 9, 5)
        id = f"m_{number:016d}"
        store.fixtures.add(row.id, id, fixture, position=number)
        store.fixtures.start(id)
        found = store.fixtures.get(id)
        assert found is not None
        yield found


def one_match(store: Store, fixture: FixtureRow, hands: Iterator[HandRow]) -> Iterator[None]:
    """Store a match hand by hand."""
    ledger = StoreLedger(store, fixture)
    for number in range(1, HANDS_A_MATCH + 1):
        hand = next(hands)
        ledger.hand(replace(hand, fixture_id=fixture.id, game=1 + number // 6, number=number), ())
        if number % 6 == 0:
            sentence = "greedy wins the game, 104–63."
            game = GameRow(fixture.id, number // 6, 1, (63, 104), (183, 304), 6, "normal", sentence)
            ledger.game(game)
        yield
    result = replace(
        forfeit_result(fixture.fixture, [0], "normal"),
        hands=HANDS_A_MATCH, hand_diffs=(-17,) * HANDS_A_MATCH, forfeited=(),
    )  # fmt: skip
    ledger.result(result, "greedy beats simple 5–0.", ())


def fill(path: Path, seconds: float) -> None:
    """Store hands for so long and print how it went."""
    hands = itertools.cycle(real_hands())
    with Store(path) as store:
        row = tournament(store, 9)
        fresh = matches(store, row)
        running = [one_match(store, next(fresh), hands) for _ in range(MATCHES_AT_A_TIME)]
        began = mark = time.perf_counter()
        worked = time.process_time()
        stored = before = 0
        while (now := time.perf_counter()) - began < seconds:
            for place, match in enumerate(running):
                if next(match, running) is running:
                    running[place] = one_match(store, next(fresh), hands)
                else:
                    stored += 1
            if now - mark >= REPORT_S:
                cpu = time.process_time() - worked
                print(
                    f"{stored:>10,} hands: {(stored - before) / (now - mark):>7,.0f} a second, "
                    f"{cpu / (stored - before) * 1e6:.0f} µs of processor each"
                )
                before, mark, worked = stored, now, time.process_time()
    report(path, stored)


def report(path: Path, hands: int) -> None:
    """What the file is made of, and how long pages and a backup wait for it."""
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


def main() -> None:
    """Fill a database in a temporary folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="how long (%(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder) / "store.db", options.seconds)


if __name__ == "__main__":
    main()
