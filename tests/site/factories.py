"""Databases for the tests of the site, made through the store as the runner makes them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from arena.referee.ids import commitment_of, fixture_id, opaque_id
from arena.store import Store
from arena.store.rows import FaultRow, FixtureStatus, GameRow, HandRow, TournamentState
from arena.tournament.formats.registry import find_format
from arena.tournament.match import is_bye
from arena.tournament.model import Fixture, FixtureResult, FormatOptions, Results
from tests.site.playing import create, play

NAMES = ("keen", "greedy", "simple", "random_bot", "Ada's Knocker", "Gin & Tonic", "Zoë", "深紅")
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "Let's & Go",
    "=HYPERLINK(1)",
    "{{ 7*7 }}",
    "\"'><script>alert(2)</script>",
    "مرحبا بالعالم",
    "W" * 64,
    "a/../b?c#d%2e",
)
SECRET = bytes(range(32))


def add_bots(store: Store, names: Sequence[str]) -> list[tuple[str, int]]:
    """Register bots; (name, version id) each."""
    entrants = []
    for number, name in enumerate(names):
        bot = store.bots.ensure(name, f"http://user:pw@127.0.0.1:{9000 + number}/hook/TOKEN?key=K")
        entrants.append((name, bot.version_id))
    return entrants


def result_of(fixture: Fixture, luck: random.Random) -> FixtureResult:
    """A result as it might be: lower entrant numbers are stronger."""
    needed = fixture.wins_needed
    games = [0, 0]
    diffs: list[int] = []
    points = [0, 0]
    hands_won = [0, 0]
    while sum(games) < fixture.games and (needed is None or max(games) < needed):
        edge = 0.5 + 0.05 * (fixture.seats[1] - fixture.seats[0])
        games[0 if luck.random() < edge else 1] += 1
        for _ in range(luck.randint(3, 7)):
            diff = luck.randint(-30, 30) + round(40 * (edge - 0.5))
            diffs.append(diff)
            if diff:
                winner = 0 if diff > 0 else 1
                points[winner] += abs(diff)
                hands_won[winner] += 1
    best = max(games)
    winner_seat = games.index(best) if games.count(best) == 1 else None
    return FixtureResult(
        key=fixture.key,
        seats=fixture.seats,
        winner=None if winner_seat is None else fixture.seats[winner_seat],
        games_won=tuple(games),
        games_drawn=0,
        points=tuple(points),
        hands=len(diffs),
        hands_won=tuple(hands_won),
        termination="normal" if winner_seat is not None else "draw",
        hand_diffs=tuple(diffs),
    )


def add_tournament(
    store: Store,
    name: str,
    *,
    format: str = "round_robin",
    names: Sequence[str] = NAMES,
    options: FormatOptions | None = None,
    play: int | None = None,
    state: TournamentState | None = None,
    seed: int = 1,
) -> str:
    """A tournament with ``play`` results, all when None, and two matches in play; its id."""
    luck = random.Random(seed)
    options = options or FormatOptions()
    secret = SECRET[seed:] + SECRET[:seed]
    entrants = add_bots(store, names)
    row = store.tournaments.create(
        id=opaque_id("t", secret, name),
        name=name,
        format=format,
        variant="gin",
        config={
            "name": name,
            "options": asdict(options),
            "settings": {"target": 100},
            "clock": {"deadline_ms": 1000, "bank_ms": 10000, "max_strikes": 3},
        },
        secret=secret.hex(),
        commitment=commitment_of(secret),
        entrants=entrants,
        state=TournamentState.RUNNING,
    )
    store.tournaments.set_state(row.id, TournamentState.RUNNING)
    results: dict[object, FixtureResult] = {}
    seeding = range(len(entrants))
    while True:
        done: Results = {key: value for key, value in results.items()}  # type: ignore[misc]
        fixtures = find_format(format).fixtures(tuple(seeding), options, done)
        new = [fixture for fixture in fixtures if fixture.key not in results]
        if not new:
            break
        for position, fixture in enumerate(fixtures):
            id = fixture_id(secret, row.id, fixture.key)
            store.fixtures.add(row.id, id, fixture, position=position)
        open_ = [fixture for fixture in new if not is_bye(fixture)]
        for fixture in new:
            if is_bye(fixture):
                found = store.fixtures.get(fixture_id(secret, row.id, fixture.key))
                assert found is not None
                assert found.result is not None
                results[fixture.key] = found.result
        for fixture in open_:
            if play is not None and len(results) >= play:
                break
            id = fixture_id(secret, row.id, fixture.key)
            result = result_of(fixture, luck)
            store.fixtures.start(id)
            add_games(store, id, fixture, result, luck)
            store.fixtures.finish(id, result, f"entrant {result.winner} wins {result.games_won}")
            results[fixture.key] = result
        if play is not None and len(results) >= play:
            break
    pending = [
        f
        for f in store.fixtures.of(row.id)
        if f.status is FixtureStatus.PENDING and len(f.seats) > 1
    ]
    if state is None:
        for fixture_row in pending[:2]:
            store.fixtures.start(fixture_row.id)
    final = state or (TournamentState.RUNNING if pending else TournamentState.FINISHED)
    store.tournaments.set_state(row.id, final)
    return row.id


def add_games(
    store: Store, id: str, fixture: Fixture, result: FixtureResult, luck: random.Random
) -> None:
    """The games and hands behind a result, shared out over its games."""
    games = sum(result.games_won)
    winners = [0] * result.games_won[0] + [1] * result.games_won[1]
    luck.shuffle(winners)
    share = [result.hand_diffs[number::games] for number in range(games)]
    for number, (winner, diffs) in enumerate(zip(winners, share, strict=True), 1):
        for hand, diff in enumerate(diffs, 1):
            fault = FaultRow(id, number, hand, 2, fixture.seats[1], "timeout", "secret", 1000.0)
            store.hands.add(
                HandRow(
                    fixture_id=id,
                    game=number,
                    number=hand,
                    record=f"gin {id} {number} {hand}",
                    ending="knock" if diff else "dead_stock",
                    winner=None if not diff else 0 if diff > 0 else 1,
                    points=(max(diff, 0), max(-diff, 0)),
                    times=(3, 4, 5, 6),
                    books=((), ()),
                ),
                [fault] if luck.random() < 0.02 else [],
            )
        store.fixtures.add_game(
            GameRow(
                id, number, winner, (100, 40) if winner == 0 else (40, 100),
                (225, 65) if winner == 0 else (65, 225), len(diffs), "normal",
                "reaches the target",
            )
        )  # fmt: skip


def populate(path: Path, names: Sequence[str] = NAMES) -> Path:
    """Tournaments of every kind and in every state, with hands that were really played."""
    three = FormatOptions(games=1, table_size=3)
    four = FormatOptions(games=1, table_size=4, fewer_points_win=True, duplicate=False)
    with Store(path) as store:
        play(store, "Autumn league", names, fails_at=97)
        play(
            store,
            "Winter cup",
            names[:6],
            format="single-elimination",
            options=FormatOptions(best_of=3),
            matches=3,
        )
        play(
            store,
            "Double trouble",
            names[:5],
            format="double-elimination",
            options=FormatOptions(best_of=1),
        )
        play(
            store,
            "Groups",
            names,
            format="groups",
            options=FormatOptions(games=1, best_of=3),
            matches=26,
        )
        play(store, "Sunday table", names, rules="oklahoma", matches=30)
        play(
            store, "Royal evening", names[:3], rules="battle_royal", format="tables", options=three
        )
        play(
            store,
            "Bazaar",
            names[:4],
            rules="indian_points",
            format="tables",
            options=four,
        )
        play(store, "Swiss roll", names, format="swiss", matches=14)
        play(store, "Mahjong night", names[:2], rules="mahjong")
        create(store, "Spring league", names[:4])
    return path
