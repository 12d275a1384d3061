"""Entries before the start: who may enter and leave, until when, and how many."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.config import BotSpec, TournamentConfig
from arena.errors import ConfigError, StoreError
from arena.store import Store
from arena.store.rows import BotRow, BotState, TournamentRow, TournamentState
from arena.tournament.create import create_tournament
from arena.tournament.dossier import StoredDossier
from arena.tournament.lifecycle import cancel
from arena.tournament.registration import check_startable, close_entries, enter, leave, open_entries
from arena.tournament.seeding import reseed
from arena.tournament.verification.verify import verify
from tests.tournament.functions import knocker, play
from tests.tournament.lives import draft


def register(
    store: Store, name: str, games: tuple[str, ...] = ("gin",), state: BotState = BotState.ACCEPTED
) -> BotRow:
    """A bot that has said what it plays."""
    bot = store.bots.add(name, "http://127.0.0.1:9", state=state)
    store.bots.set_info(bot.version_id, {"games": games})
    found = store.bots.by_id(bot.id)
    assert found is not None
    return found


def field(store: Store, row: TournamentRow) -> list[tuple[int, int, str]]:
    """Number, seeding and name of all."""
    return [(e.number, e.seeding, e.name) for e in store.tournaments.entrants(row.id)]


def test_bots_enter_and_leave_and_the_rest_is_played(store: Store) -> None:
    """Numbers and seedings stay whole whoever leaves; what is played can be verified."""
    row = draft(store)
    bots = [register(store, name) for name in "abcd"]
    for bot in bots:
        enter(store, row, bot)
    reseed(store, row, order=["d", "b"])
    leave(store, row, "b")

    assert field(store, row) == [(0, 2, "a"), (1, 3, "c"), (2, 1, "d")]
    enter(store, row, bots[1])
    assert field(store, row)[-1] == (3, 4, "b")
    assert play(store, row, [knocker()] * 4) is TournamentState.FINISHED
    assert verify(StoredDossier(store, row.id)).finished


def test_refusals_say_why(store: Store) -> None:
    """Twice, another game, not admitted, full, not in it, unknown games."""
    row = open_entries(store, draft(store), most=2)
    one, two, three = (register(store, name) for name in ("one", "two", "three"))
    enter(store, row, one)
    with pytest.raises(StoreError, match="'one' is in 'Open' already"):
        enter(store, row, one)
    with pytest.raises(ConfigError, match="'m' does not play gin; its games: mahjong"):
        enter(store, row, register(store, "m", ("mahjong",)))
    with pytest.raises(ConfigError, match="for all games of this family says 'gin_family'"):
        enter(store, row, register(store, "o", ("oklahoma",)))
    with pytest.raises(ConfigError, match=r"which games .* plays is not known; test it again"):
        enter(store, row, register(store, "u", ()))
    with pytest.raises(ConfigError, match="'p' is pending; only an accepted bot"):
        enter(store, row, register(store, "p", state=BotState.PENDING))
    with pytest.raises(ConfigError, match="'two' is not in 'Open'"):
        leave(store, row, "two")
    enter(store, row, two)
    with pytest.raises(StoreError, match="'Open' is full: 2 bots are in it"):
        enter(store, row, three)
    with pytest.raises(ConfigError, match="most_entrants = 1: give a number from 2"):
        open_entries(store, row, most=1)
    assert [name for _, _, name in field(store, row)] == ["one", "two"]


def test_owners_can_only_while_it_is_open_and_the_organiser_until_the_start(store: Store) -> None:
    """Closed, opened again, started, over."""
    row = draft(store)
    one, two = register(store, "one"), register(store, "two")
    row = close_entries(store, row)
    assert row.state is TournamentState.DRAFT
    with pytest.raises(StoreError, match="not open for entries; the organiser opens it"):
        enter(store, row, one)
    with pytest.raises(StoreError, match="is draft; it is not open"):
        close_entries(store, row)
    enter(store, row, one, organiser=True)
    row = open_entries(store, row)
    enter(store, row, two)
    play(store, row, [knocker()] * 2)
    for refused in (
        lambda: enter(store, row, one, organiser=True),
        lambda: leave(store, row, "one"),
        lambda: open_entries(store, row),
    ):
        with pytest.raises(StoreError, match="is finished; entries are made before it starts"):
            refused()


@pytest.mark.parametrize(
    ("format", "bots", "words"),
    [
        ("round_robin", 0, "has 0 entrants; it needs at least 2"),
        ("round_robin", 1, "has 1 entrant; it needs at least 2"),
        ("groups", 3, "groups"),
    ],
)
def test_too_few_bots_do_not_start(store: Store, format: str, bots: int, words: str) -> None:
    """The number that is needed is named, and it stays open."""
    row = draft(store, format)
    for number in range(bots):
        enter(store, row, register(store, f"bot {number}"))
    with pytest.raises(ConfigError, match=words):
        check_startable(store, row)


def test_draft_without_entries_to_come_needs_its_bots(store: Store) -> None:
    """A tournament that is not open is refused as before; a limit holds from the start."""
    config = TournamentConfig(name="Shut", bots=(BotSpec("a", "http://127.0.0.1:9"),))
    with pytest.raises(ConfigError, match="needs at least 2"):
        create_tournament(store, config, state=TournamentState.DRAFT)
    many = tuple(BotSpec(f"bot {n}", "http://127.0.0.1:9") for n in range(3))
    with pytest.raises(ConfigError, match="at most 2 are possible"):
        create_tournament(store, replace(config, bots=many, most_entrants=2))


def test_open_tournament_can_be_cancelled(store: Store) -> None:
    """Without a match."""
    row = draft(store)
    assert cancel(store, row).state is TournamentState.CANCELLED
    assert verify(StoredDossier(store, row.id)).matches == 0
