"""Makes a database of a size that an arena has after a year: 200 bots, 100,000 hands.

``python -m tests.bench.site_database FILE`` writes it; other benchmarks import `make`.
"""

from __future__ import annotations

import random
import sys
from dataclasses import asdict
from pathlib import Path

from arena.config import TournamentConfig
from arena.referee.ids import commitment_of, fixture_id, opaque_id
from arena.store import Store
from arena.store.rows import FixtureStatus, GameRow, HandRow, TournamentState
from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.model import Fixture, FixtureResult, FormatOptions
from tests.site.playing import play

BOTS = 200
HANDS = 100_000
OPEN = 3_000
"""Matches of the large league that are still to be played, enough for minutes of writing."""

SMALL = 40
"""Bots of the leagues beside the large one."""


def result_of(fixture: Fixture, luck: random.Random, hands: int) -> FixtureResult:
    """A result as it might be: lower entrant numbers are stronger."""
    first, second = fixture.seats
    edge = (second - first) / 12
    diffs = tuple(luck.randint(-25, 25) + round(edge) for _ in range(hands))
    games = [0, 0]
    for _ in range(fixture.games):
        games[0 if luck.random() < 0.5 + edge / 40 else 1] += 1
    winner = None if games[0] == games[1] else fixture.seats[games[1] > games[0]]
    return FixtureResult(
        key=fixture.key, seats=fixture.seats, winner=winner, games_won=tuple(games),
        games_drawn=0, points=(sum(d for d in diffs if d > 0), -sum(d for d in diffs if d < 0)),
        hands=hands, hands_won=(sum(d > 0 for d in diffs), sum(d < 0 for d in diffs)),
        termination="normal" if winner is not None else "draw", hand_diffs=diffs,
    )  # fmt: skip


def league(
    store: Store, name: str, bots: list[tuple[str, int]], hands: int, hand: HandRow,
    luck: random.Random, open_matches: int = 0,
) -> int:  # fmt: skip
    """A round robin with so many hands or more, its last matches still open. Hands written."""
    secret = luck.randbytes(32)
    options = FormatOptions(games=2, duplicate=len(bots) <= SMALL)
    config = TournamentConfig(name=name, format="round_robin", options=options)
    row = store.tournaments.create(
        id=opaque_id("t", secret, name), name=name, format="round_robin", variant="gin",
        config={**config.to_json(), "options": asdict(options)}, secret=secret.hex(),
        commitment=commitment_of(secret), entrants=bots, state=TournamentState.RUNNING,
    )  # fmt: skip
    fixtures = RoundRobin().fixtures(tuple(range(len(bots))), options, {})
    played = [f for f in fixtures if len(f.seats) > 1]
    each = max(2, -(-hands // (len(played) - open_matches)))
    written = 0
    with store.transaction():
        store.tournaments.set_state(row.id, TournamentState.RUNNING)
        for position, fixture in enumerate(fixtures):
            id = fixture_id(secret, row.id, fixture.key)
            store.fixtures.add(row.id, id, fixture, position=position)
            if len(fixture.seats) < 2 or position >= len(fixtures) - open_matches:
                continue
            store.fixtures.start(id)
            result = result_of(fixture, luck, each)
            for number in range(each):
                store.hands.add(
                    HandRow(id, 1 + number % 2, 1 + number // 2, hand.record, hand.ending,
                            hand.winner, hand.points, hand.times, hand.books)
                )  # fmt: skip
            for game in (1, 2):
                store.fixtures.add_game(
                    GameRow(id, game, 0, (100, 40), (225, 65), each // 2, "normal", "to 100")
                )
            store.fixtures.finish(id, result, "played")
            written += each
        if not open_matches:
            store.tournaments.set_state(row.id, TournamentState.FINISHED)
    return written


def make(path: Path, bots: int = BOTS, hands: int = HANDS) -> Path:
    """Write the database: one large league that is being played, and small ones before it."""
    luck = random.Random(7)
    with Store(path) as store:
        id = play(store, "Seed of records", ["one", "two"])
        fixture = next(f for f in store.fixtures.of(id) if f.status is FixtureStatus.FINISHED)
        hand = store.hands.of(fixture.id)[0]
        entrants = [
            (
                f"bot {n:03}",
                store.bots.add(f"bot {n:03}", f"http://127.0.0.1:{2000 + n}").version_id,
            )
            for n in range(bots)
        ]
        small = hands // 4
        written = 0
        for number in range(4):
            chosen = luck.sample(entrants, min(SMALL, bots))
            written += league(store, f"League {number + 1}", chosen, small // 4, hand, luck)
        league(store, "Great league", entrants, hands - written, hand, luck, open_matches=OPEN)
    return path


if __name__ == "__main__":
    print(make(Path(sys.argv[1])))
