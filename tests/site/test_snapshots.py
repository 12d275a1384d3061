"""Snapshots: small tournaments are never behind, large ones never make a reader wait."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from arena.site import create_app
from arena.site.pages import bot, common
from arena.site.serve import SiteServer
from arena.site.views import snapshot, snapshots
from arena.site.views.snapshot import Snapshot, take
from arena.site.views.snapshots import Snapshots
from arena.store import Store
from arena.store.rows import FixtureStatus
from tests.site.changing import begin_match
from tests.site.factories import result_of
from tests.waiting import wait_until


def snapshot_of(kept: Snapshots, database: Path, slug: str = "sunday-table") -> Snapshot:
    """What a reader is shown now."""
    with Store(database, read_only=True) as store:
        row = store.tournaments.by_slug(slug)
        assert row is not None
        return kept.get(store, row)


def test_small_tournament_is_always_up_to_date(database: Path) -> None:
    """Each change is seen by the very next reader."""
    kept = Snapshots(database)
    for _ in range(3):
        id = begin_match(database)
        found = snapshot_of(kept, database)
        assert id in {row.id for row in found.matches.in_state(FixtureStatus.PLAYING)}
        assert found.known.revision == found.tournament.revision
        assert kept.is_settled
    kept.close()


def test_changed_rows_make_the_same_as_all_rows(database: Path) -> None:
    """Starting, finishing, voiding and adding matches: what is read bit by bit equals the whole."""
    with Store(database) as store:
        row = store.tournaments.by_slug("sunday-table")
        assert row is not None
        before = take(store, row)
        fixtures = store.fixtures.of(row.id)
        finished = next(f for f in fixtures if f.status is FixtureStatus.FINISHED)
        pending = [f for f in fixtures if f.status is FixtureStatus.PENDING]
        first, last = pending[0], pending[-1]
        results = {f.id: result_of(f.fixture, random.Random(1)) for f in (first, last)}
        steps = (
            lambda: store.fixtures.start(first.id),
            lambda: store.fixtures.start(last.id),
            lambda: store.fixtures.finish(last.id, results[last.id], "done"),
            lambda: store.fixtures.finish(first.id, results[first.id], "done"),
            lambda: store.fixtures.void(finished.id),
            lambda: store.fixtures.add(
                row.id, "m_again", finished.fixture, position=finished.position, replay=1
            ),
        )
        for step in steps:
            step()
            fresh = store.tournaments.get(row.id)
            now = take(store, fresh, before)
            assert now.matches == take(store, fresh).matches
            assert now.matches != before.matches
            before = now


def test_nobody_waits_while_a_large_tournament_is_read(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes while another brings it up to date is shown what there was, and that is known."""
    monkeypatch.setattr(snapshot, "SMALL", 10)
    monkeypatch.setattr(snapshots, "MATCHES_BREATH", 0)
    monkeypatch.setattr(snapshots, "LOOK_S", 0)
    kept = Snapshots(database)
    first = snapshot_of(kept, database)
    begin_match(database)
    with kept._entry(first.tournament.id).lock:
        assert snapshot_of(kept, database) is first
        assert not kept.is_settled

    assert snapshot_of(kept, database).tournament.revision > first.tournament.revision
    kept.close()


def test_figures_of_a_large_tournament_are_made_beside(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader gets the older figures at once and the new ones soon, from another process."""
    monkeypatch.setattr(snapshot, "SMALL", 10)
    monkeypatch.setattr(snapshots, "LARGE", 10)
    monkeypatch.setattr(snapshots, "BREATH", 0)
    monkeypatch.setattr(snapshots, "MATCHES_BREATH", 0)
    monkeypatch.setattr(snapshots, "LOOK_S", 0)
    kept = Snapshots(database)
    first = snapshot_of(kept, database)
    begin_match(database)
    second = snapshot_of(kept, database)

    assert second.tournament.revision > first.tournament.revision
    assert second.known.revision == first.known.revision
    assert second.stamp != first.stamp
    assert not kept.is_settled
    wait_until(lambda: snapshot_of(kept, database).known.revision > first.known.revision, 30)
    wait_until(lambda: kept.is_settled)
    assert kept._beside._pool is not None
    assert snapshot_of(kept, database).known.rows == take_figures(database)
    kept.close()


def take_figures(database: Path) -> object:
    """The table, made here."""
    with Store(database, read_only=True) as store:
        row = store.tournaments.by_slug("sunday-table")
        assert row is not None
        return take(store, row).make_figures().rows


def test_reader_of_a_large_tournament_may_be_behind_but_not_for_good(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the pause after a look the older matches are shown, and that is known."""
    monkeypatch.setattr(snapshot, "SMALL", 10)
    monkeypatch.setattr(snapshots, "MATCHES_BREATH", 10**9)
    kept = Snapshots(database)
    first = snapshot_of(kept, database)
    id = begin_match(database)

    assert snapshot_of(kept, database).tournament == first.tournament
    assert not kept.is_settled
    monkeypatch.setattr(snapshots, "MATCHES_BREATH", 0)
    monkeypatch.setattr(snapshots, "LOOK_S", 0)
    found = snapshot_of(kept, database)
    assert id in {row.id for row in found.matches.in_state(FixtureStatus.PLAYING)}
    kept.close()


def test_pages_of_many_large_tournaments_do_not_wait_for_them(
    make_app: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not read yet is named without numbers, and has them a moment later."""
    monkeypatch.setattr(common, "AT_ONCE", 0)
    app = make_app()
    client = app.test_client()
    kept: Snapshots = app.config["SNAPSHOTS"]
    first = client.get("/bots/1-keen.json").get_json()
    home = client.get("/index.json").get_json()

    assert {part["head"]["name"] for part in first["parts"]} >= {"Autumn league", "Mahjong night"}
    assert first["parts"][-1]["standing"] is None
    assert len(home["finished"]) == 5
    wait_until(lambda: kept.is_settled, 30)
    again = client.get("/bots/1-keen.json").get_json()
    done = client.get("/index.json").get_json()["finished"]
    assert all(part["standing"] for part in again["parts"])
    assert all(one["is_ready"] and one["winners"] for one in done)
    kept.close()


def test_bot_of_many_tournaments_has_them_page_by_page(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of the list computes no more than it shows."""
    whole = client.get("/bots/1-keen.json").get_json()["parts"]
    monkeypatch.setattr(bot, "SHOWN_PARTS", 2)
    second = client.get("/bots/1-keen.json?page=2").get_json()

    assert second["parts"] == whole[2:4]
    assert second["pager"]["count"] == len(whole)
    assert sum(one["hands"] for one in second["variants"]) == sum(
        part["standing"]["hands"] for part in second["parts"]
    )


def test_what_came_last_is_shown_to_those_who_watch(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streams look once more after everything was added up, and then rest."""
    settled = [False, False, True, True]
    monkeypatch.setattr(Snapshots, "is_settled", property(lambda _: settled.pop(0)))
    with SiteServer(create_app(database)) as server:
        server.start()
        stamps = [server._stamp() for _ in range(4)]

    assert len(set(stamps[:3])) == 3
    assert stamps[3] == stamps[2]
