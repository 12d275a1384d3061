"""What belongs to no match is refused aloud; what is there already is left as it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.config import BotSpec, TournamentConfig
from arena.errors import StoreError
from arena.referee.verdicts import FaultCode
from arena.store import Store
from arena.store.rows import FaultRow, FixtureRow, GameRow, HandRow
from arena.tournament.create import create_tournament
from arena.tournament.model import Fixture, FixtureKey

FIXTURE = Fixture(FixtureKey("league", 1, 0), (0, 1), "deals", 1)
HAND = HandRow("m_1", 1, 1, "H1 …", "knock", 0, (10, 0), (2, 3), ((), ()))
FAULT = FaultRow("m_1", 1, 1, 4, 0, FaultCode.TIMEOUT, "no answer", 1000.0)
GAME = GameRow("m_1", 1, 0, (100, 40), (225, 65), 5, "normal", "a wins the game, 100–40.")


@pytest.fixture
def tournament(store: Store) -> str:
    """The id of a tournament without a match."""
    bots = (BotSpec("a", "http://127.0.0.1:9"), BotSpec("b", "http://127.0.0.1:10"))
    return create_tournament(store, TournamentConfig("Friday", bots=bots)).id


def counts(store: Store) -> list[int]:
    """Rows of each table that a match fills, and the revisions of the tournaments."""
    tables = ("hands", "games", "faults", "fixtures")
    found = [store.query(f"SELECT count(*) FROM {table}")[0][0] for table in tables]
    return [*found, store.query("SELECT sum(revision) FROM tournaments")[0][0]]


def test_hand_and_game_of_an_unknown_match_are_errors(store: Store, tournament: str) -> None:
    """They are not passed over in silence, and nothing of them stays."""
    before = counts(store)

    with pytest.raises(StoreError, match=r"hand 1-1 cannot be stored: .* no match 'm_1'"):
        store.hands.add(HAND, [FAULT])
    with pytest.raises(StoreError, match=r"game 1 cannot be stored: .* no match 'm_1'"):
        store.fixtures.add_game(GAME)

    assert counts(store) == before


def test_storing_again_changes_nothing(store: Store, tournament: str) -> None:
    """A match that is resumed may bring a hand, a game and itself a second time."""
    for _ in range(2):
        store.fixtures.add(tournament, "m_1", FIXTURE, position=0)
    store.hands.add(HAND, [FAULT])
    store.fixtures.add_game(GAME)
    before = counts(store)

    store.hands.add(replace(HAND, record="H1 other"), [FAULT])
    store.fixtures.add_game(GAME)

    assert counts(store) == before
    assert before[:4] == [1, 1, 1, 1]
    assert [hand.record for hand in store.hands.of("m_1")] == [HAND.record]


@pytest.mark.parametrize(
    ("id", "fixture"),
    [
        ("m_2", FIXTURE),
        ("m_1", replace(FIXTURE, key=FixtureKey("league", 2, 0))),
    ],
    ids=["same place, other id", "same id, other place"],
)
def test_another_match_is_not_taken_for_the_same(
    store: Store, tournament: str, id: str, fixture: Fixture
) -> None:
    """An id is a function of its place: where the two disagree something is wrong."""
    store.fixtures.add(tournament, "m_1", FIXTURE, position=0)

    with pytest.raises(StoreError, match="cannot be scheduled"):
        store.fixtures.add(tournament, id, fixture, position=1)

    (kept,) = store.fixtures.of(tournament)
    assert isinstance(kept, FixtureRow)
    assert (kept.id, kept.key) == ("m_1", FIXTURE.key)
