"""Bots that are registered and checked, and what the database has of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

from flask import Flask

from arena.store import Store
from arena.store.rows import BotRow, TournamentRow
from arena.wire.conformance import Options, Status, Step

ENDPOINT = "http://u:pw@127.0.0.1:1/hook/SECRETPATH"


def use_checker(app: Flask, statuses: list[Status], go: Event | None = None) -> None:
    """Let checks of this site end so, after ``go`` is set."""

    def checker(endpoint: str, options: Options) -> Iterator[Step]:
        for number, status in enumerate(statuses, 1):
            if go is not None and number == len(statuses):
                assert go.wait(5)
            yield Step(number, "Info", f"step {number}", status, "seen <b>", "mend it", "GET /")

    app.config["CHECKS"]._checker = checker


def wait_for_check(app: Flask) -> None:
    """Until no check runs."""
    assert app.config["CHECKS"].wait_until_idle(10)


def bot_named(database: Path, name: str) -> BotRow:
    """A bot from the database."""
    with Store(database, read_only=True) as store:
        bot = store.bots.by_name(name)
        assert bot is not None
        return bot


def tournament(database: Path, slug: str) -> TournamentRow:
    """A tournament from the database."""
    with Store(database, read_only=True) as store:
        row = store.tournaments.by_slug(slug)
        assert row is not None
        return row


def submit(app: Flask, name: str = "newcomer", **more: object) -> dict[str, str]:
    """Register a bot by the API; the answer."""
    answer = app.test_client().post("/submit", json={"name": name, "endpoint": ENDPOINT, **more})
    assert answer.status_code == 201, answer.get_json()
    found: dict[str, str] = answer.get_json()
    return found
