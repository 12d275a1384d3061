"""A match that a bot leaves in the middle keeps what was played, and is a forfeit all the same."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.config import BotSpec, TournamentConfig
from arena.store import Store
from arena.store.digest import seal_fixture, seal_tournament
from arena.store.rows import FaultRow, FixtureRow, FixtureStatus, HandRow, TournamentRow
from arena.tournament import lifecycle
from arena.tournament.create import create_tournament
from arena.tournament.dossier import StoredDossier
from arena.tournament.match import forfeit_result
from arena.tournament.model import FormatOptions
from arena.tournament.results import standings_of
from arena.tournament.verification.mismatch import Mismatch
from arena.tournament.verification.verify import verify
from tests.tournament.functions import knocker, play


class Broken(BaseException):
    """The referee's process ends here."""


def start(store: Store, **options: object) -> TournamentRow:
    """A tournament of three bots with matches of several games."""
    table = options.get("table_size") == 3
    config = TournamentConfig(
        name="Half",
        format="tables" if table else "round_robin",
        rules="cutthroat" if table else "gin",
        settings={"target": 30},
        options=FormatOptions(**{"games": 6, **options}),  # type: ignore[arg-type]
        bots=tuple(BotSpec(f"bot {n}", "http://127.0.0.1:9") for n in range(3)),
    )
    return create_tournament(store, config, bytes(range(32)))


def break_off(store: Store, row: TournamentRow, hands: int) -> FixtureRow:
    """Play until so many hands are stored, then break off as a crash does; the match it was in."""
    left = hands
    add = store.hands.add

    def add_or_break(hand: HandRow, faults: Sequence[FaultRow] = ()) -> None:
        nonlocal left
        if left == 0:
            raise Broken
        add(hand, faults)
        left -= 1

    store.hands.add = add_or_break  # type: ignore[method-assign]
    with pytest.raises(Broken):
        play(store, row, [knocker(20)] * 3, in_flight=1)
    store.hands.add = add  # type: ignore[method-assign]
    (found,) = [f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.PLAYING]
    return found


def leave(store: Store, row: TournamentRow, *numbers: int) -> None:
    """These bots withdraw, and the rest is played."""
    for number in numbers:
        lifecycle.withdraw(store, row, f"bot {number}")
    play(store, row, [knocker(20)] * 3, in_flight=1)


def again(store: Store, fixture: FixtureRow) -> FixtureRow:
    """The match as it is now."""
    found = store.fixtures.get(fixture.id)
    assert found is not None
    return found


@pytest.mark.parametrize("hands", [1, 2, 5, 9])
def test_hands_games_and_points_before_a_withdrawal_stay(store: Store, hands: int) -> None:
    """As the rule says; the forfeit decides the match, and no game is invented."""
    row = start(store)
    broken = break_off(store, row, hands)
    leave(store, row, broken.seats[0])
    found = again(store, broken)

    stored = store.hands.of(found.id)
    games = store.fixtures.games(found.id)
    assert found.termination == "withdrawn"
    assert found.winner == found.seats[1]
    assert found.hands == len(stored) > 0
    assert found.hands_won == tuple(sum(h.winner == seat for h in stored) for seat in (0, 1))
    assert found.games_won == tuple(sum(g.winner == seat for g in games) for seat in (0, 1))
    assert len(found.hand_diffs) == found.hands
    assert sum(found.hand_diffs) == found.points[0] - found.points[1]
    assert found.sentence is not None
    assert "left the tournament during this match; the" in found.sentence
    assert verify(StoredDossier(store, row.id)).finished
    counted = {line.entrant: line.hands for line in standings_of(store, row)}
    assert counted[found.seats[0]] == found.hands


def test_both_of_a_broken_match_leave(store: Store) -> None:
    """A double forfeit with what was played."""
    row = start(store)
    broken = break_off(store, row, 3)
    leave(store, row, *broken.seats)

    found = again(store, broken)
    assert (found.termination, found.winner, found.hands) == ("double_forfeit", None, 3)
    assert verify(StoredDossier(store, row.id)).finished


def test_table_that_a_bot_leaves_is_ranked_by_what_was_played(store: Store) -> None:
    """Three seats: the two that are left keep their games and points."""
    row = start(store, table_size=3)
    broken = break_off(store, row, 4)
    leave(store, row, broken.seats[2])

    found = again(store, broken)
    assert found.forfeited == (broken.seats[2],)
    assert found.hands == 4
    assert any(found.points)
    assert verify(StoredDossier(store, row.id)).finished


def test_match_whose_hands_are_all_played_is_no_forfeit(store: Store) -> None:
    """Only its result was not stored yet when the referee broke off."""
    row = start(store, games=1)
    finish = store.fixtures.finish

    def break_before(*_: object) -> bool:
        raise Broken

    store.fixtures.finish = break_before  # type: ignore[method-assign,assignment]
    with pytest.raises(Broken):
        play(store, row, [knocker(20)] * 3, in_flight=1)
    store.fixtures.finish = finish  # type: ignore[method-assign]
    (broken,) = [f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.PLAYING]
    leave(store, row, broken.seats[0])

    found = again(store, broken)
    assert found.termination == "normal"
    assert found.hands == len(store.hands.of(found.id))
    assert verify(StoredDossier(store, row.id)).finished


def test_result_that_counts_nothing_of_it_is_only_right_where_it_is_old(store: Store) -> None:
    """The first versions of the arena did so, and sealed without counting faults."""
    row = start(store)
    broken = break_off(store, row, 3)
    leave(store, row, broken.seats[0])
    nothing = forfeit_result(broken.fixture, [broken.seats[0]])
    with store.transaction() as conn:
        conn.execute("UPDATE tournaments SET state = 'running'")
        conn.execute("UPDATE fixtures SET status = 'playing' WHERE id = ?", [broken.id])
        sentence = f"bot {broken.seats[0]} left the tournament before this match."
        assert store.fixtures.finish(broken.id, nothing, sentence)
        conn.execute("UPDATE tournaments SET state = 'finished'")
        seal_tournament(conn, row.id)
    with pytest.raises(Mismatch, match="it has a result, but its hands do not make"):
        verify(StoredDossier(store, row.id))

    with store.transaction() as conn:
        conn.execute("UPDATE fixtures SET faults = NULL WHERE id = ?", [broken.id])
        seal_fixture(conn, broken.id)
        seal_tournament(conn, row.id)

    assert verify(StoredDossier(store, row.id)).finished
