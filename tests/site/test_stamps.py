"""A reader who has a page already is told so only while it is the page as it stands.

For every write of the store and every page: what a site that has been running for long answers to
somebody with a copy is what a site that has just been started shows.
"""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from arena.site import create_app
from arena.site.http.page_cache import PageCache, Recent
from arena.site.views.snapshots import Snapshots
from arena.store import Store
from arena.store.bots import Bots
from arena.store.fixtures import Fixtures
from arena.store.hands import Hands
from arena.store.invites import Invites
from arena.store.rows import (
    BotState,
    EntrantState,
    FaultRow,
    FixtureRow,
    FixtureStatus,
    GameRow,
    TournamentRow,
    TournamentState,
)
from arena.store.tournaments import Tournaments
from arena.tokens import hash_token
from tests.site.conftest import ORGANISER
from tests.site.factories import result_of

TOURNAMENT = "sunday-table"
DRAFT = "spring-league"
BEARER = {"Authorization": f"Bearer {ORGANISER}"}


def league(store: Store, slug: str = TOURNAMENT) -> TournamentRow:
    """The tournament that is written to."""
    row = store.tournaments.by_slug(slug)
    assert row is not None
    return row


def match(store: Store, status: FixtureStatus) -> FixtureRow:
    """Its first match in this state."""
    return next(row for row in store.fixtures.of(league(store).id) if row.status is status)


def keen(store: Store) -> int:
    """The version of a bot that takes part."""
    bot = store.bots.by_name("keen")
    assert bot is not None
    return bot.version_id


def add_hand(store: Store) -> None:
    """Another hand, with a fault, of a match in play."""
    row = match(store, FixtureStatus.PLAYING)
    done = match(store, FixtureStatus.FINISHED)
    hand = store.hands.of(done.id)[0]
    store.hands.add(
        replace(hand, fixture_id=row.id, game=1, number=90),
        [FaultRow(row.id, 1, 90, 2, row.seats[0], "timeout", "late", 1000.0)],
    )


def add_game(store: Store) -> None:
    """The game of that hand is over."""
    row = match(store, FixtureStatus.PLAYING)
    store.fixtures.add_game(GameRow(row.id, 1, 0, (100, 0), (1, 1), 1, "normal", "done"))


def finish(store: Store) -> None:
    """A match is over."""
    row = match(store, FixtureStatus.PLAYING)
    store.fixtures.finish(row.id, result_of(row.fixture, random.Random(1)), "over")


def add_fixture(store: Store) -> None:
    """A match is scheduled."""
    row = match(store, FixtureStatus.PENDING)
    added = replace(row.fixture, key=row.key._replace(slot=9999), deal_key="other deals")
    store.fixtures.add(row.tournament_id, "m_added", added, position=9999)


def create(store: Store) -> None:
    """Another tournament is announced."""
    row = league(store)
    store.tournaments.create(
        id="t_added", name="Added", format=row.format, variant=row.variant, config=row.config,
        secret="00" * 32, commitment="ab", entrants=[("keen", keen(store))],
    )  # fmt: skip


WRITES: dict[Callable[..., Any], Callable[[Store], object]] = {
    Bots.set_profile: lambda s: s.bots.set_profile(1, homepage="https://new.example", author="New"),
    Bots.set_info: lambda s: s.bots.set_info(keen(s), {"author": "Said", "games": ["gin", "x"]}),
    Bots.set_report: lambda s: s.bots.set_report(keen(s), {"passed": False, "steps": []}),
    Bots.set_secrets: lambda s: s.bots.set_secrets(keen(s), "whsec_x", None),
    Bots.set_owner: lambda s: s.bots.set_owner(1, hash_token("own_new")),
    Bots.add: lambda s: s.bots.add("newcomer", "http://127.0.0.1:1/", state=BotState.PENDING),
    Bots.admit: lambda s: s.bots.admit(9, s.bots.by_id(9).version_id),  # type: ignore[union-attr]
    Bots.set_state: lambda s: s.bots.set_state(2, BotState.RETIRED),
    Bots.new_version: lambda s: s.bots.new_version(1, "http://127.0.0.1:2/"),
    Bots.ensure: lambda s: s.bots.ensure("another", "http://127.0.0.1:3/"),
    Bots.turn_away: lambda s: (
        s.bots.add("unwanted", "http://127.0.0.1:4/", state=BotState.PENDING),
        s.bots.turn_away(11, s.bots.by_id(11).version_id),  # type: ignore[union-attr]
    ),
    Tournaments.set_seeding: lambda s: s.tournaments.set_seeding(league(s, DRAFT).id, [3, 2, 1, 0]),
    Tournaments.set_ratings: lambda s: s.tournaments.set_ratings(league(s, DRAFT).id, {0: 1500.0}),
    Tournaments.set_config: lambda s: s.tournaments.set_config(
        league(s, DRAFT).id, {**league(s, DRAFT).config, "settings": {"target": 77}}
    ),
    Tournaments.add_entrant: lambda s: s.tournaments.add_entrant(
        league(s, DRAFT).id,
        "another",
        s.bots.by_name("another").version_id,  # type: ignore[union-attr]
    ),
    Tournaments.remove_entrant: lambda s: s.tournaments.remove_entrant(league(s, DRAFT).id, 0),
    Tournaments.add_time: lambda s: s.tournaments.add_time(league(s).id, 0, 5, 70.0, 9.0),
    Fixtures.start: lambda s: s.fixtures.start(match(s, FixtureStatus.PENDING).id),
    Hands.add: add_hand,
    Fixtures.add_game: add_game,
    Fixtures.finish: finish,
    Fixtures.add: add_fixture,
    Fixtures.void: lambda s: s.fixtures.void(match(s, FixtureStatus.FINISHED).id),
    Tournaments.set_entrant_state: lambda s: s.tournaments.set_entrant_state(
        league(s).id, 1, EntrantState.DISQUALIFIED
    ),
    Tournaments.move: lambda s: s.tournaments.move(
        league(s, DRAFT).id, TournamentState.RUNNING, [TournamentState.DRAFT]
    ),
    Tournaments.set_state: lambda s: s.tournaments.set_state(
        league(s).id, TournamentState.CANCELLED
    ),
    Tournaments.create: create,
    Tournaments.forget_unplayed: lambda s: s.tournaments.forget_unplayed("t_added"),
    Invites.add: lambda s: Invites(s).add("hash", "for Ada"),
    Invites.use: lambda s: Invites(s).use("hash", "keen"),
}
"""Every write of the store, one after the other."""


def test_every_write_of_the_store_is_tried() -> None:
    """Who adds a method that changes something adds it here."""
    writes = {
        method.__qualname__
        for kind in (Bots, Fixtures, Hands, Invites, Tournaments)
        for name, method in vars(kind).items()
        if not name.startswith("_") and ".transaction()" in inspect.getsource(method)
    }

    assert len(writes) > 20
    assert writes <= {method.__qualname__ for method in WRITES}


def addresses(database: Path) -> list[str]:
    """Pages of every kind, in their shapes."""
    with Store(database, read_only=True) as store:
        matches = [
            f"/t/{TOURNAMENT}/m/{match(store, status).id}"
            for status in (FixtureStatus.PLAYING, FixtureStatus.FINISHED, FixtureStatus.PENDING)
        ]
        done = match(store, FixtureStatus.FINISHED).id
        hand = store.hands.of(done)[0]
    sections = (
        "", "/schedule", "/crosstable", "/strength", "/fairness", "/notable", "/conduct",
    )  # fmt: skip
    pages = [
        *(f"/t/{slug}{section}" for slug in (TOURNAMENT, DRAFT) for section in sections),
        *matches, f"/t/{TOURNAMENT}/m/{done}/{hand.game}-{hand.number}", "/t/winter-cup/bracket",
        f"/t/{DRAFT}/entries",
        "/tournaments", "/bots", "/bots/1-keen", "/bots/2-greedy", "/games", "/games/gin",
    ]  # fmt: skip
    return [
        "/", "/index.json", "/?live=1", "/bots", "/bots/1-keen", "/search.json?q=e",
        f"/t/{TOURNAMENT}", f"/t/{TOURNAMENT}?live=1", "/t/spring-league",
        matches[0], f"{matches[0]}?live=1", *(f"{page}.json" for page in pages),
        f"/t/{TOURNAMENT}/standings.csv", f"/t/{TOURNAMENT}/schedule.csv",
    ]  # fmt: skip


Shown = tuple[int, str, str]
"""Status, entity tag and body."""


def ask(app: Flask, address: str, tag: str = "", organiser: bool = False) -> Shown:
    """What a reader gets, who has the page with this tag."""
    headers = {"If-None-Match": tag} if tag else {}
    answer = app.test_client().get(address, headers=headers | (BEARER if organiser else {}))
    body = re.sub(r'name="csrf" value="[^"]+"', "", answer.get_data(as_text=True))
    return answer.status_code, answer.headers.get("ETag", ""), body


def forget(app: Flask, database: Path) -> None:
    """Let a site know as little as if it had just been started."""
    app.config["SNAPSHOTS"].close()
    app.config.update(PAGES=PageCache(), LATENCIES=Recent(), SNAPSHOTS=Snapshots(database))


@pytest.mark.parametrize("organiser", [False, True], ids=["spectator", "organiser"])
def test_no_write_leaves_a_reader_with_an_old_page(database: Path, organiser: bool) -> None:
    """304 means that nothing has changed, and whoever gets a page gets the newest."""
    pages = addresses(database)
    if organiser:  # pages that show more to some
        pages = [page for page in pages if page.startswith("/bots") or page == f"/t/{TOURNAMENT}"]

    def site() -> Flask:
        return create_app(database, organiser_token_hash=hash_token(ORGANISER))

    old, new = site(), site()
    before = {page: ask(old, page, organiser=organiser) for page in pages}
    changed: dict[str, int] = {}
    for method, write in WRITES.items():
        with Store(database) as store:
            write(store)
        forget(new, database)
        for page in pages:
            fresh = ask(new, page, organiser=organiser)
            told = ask(old, page, before[page][1], organiser)
            where = f"{page} after {method.__qualname__}"
            if told[0] == 304:
                assert fresh[2] == before[page][2], where
            else:
                assert (told[0], told[2]) == (fresh[0], fresh[2]), where
                changed[method.__qualname__] = changed.get(method.__qualname__, 0) + 1
            before[page] = fresh

    assert len(changed) > (5 if organiser else 15), changed
