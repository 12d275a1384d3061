"""Checks of bots in the background: how many, of whom, and against which hosts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Condition

import pytest
from flask import Flask

from arena.site.work.checks import MOST_WAITING, Checks
from arena.store import Store
from arena.store.rows import BotRow, BotState
from arena.tokens import hash_token
from arena.wire.conformance import Options, Status, Step
from tests.site.conftest import ORGANISER

OWNER = {"Authorization": "Bearer own_x"}


class Held:
    """A checker whose checks go on for as long as it is told, and who is checked meanwhile."""

    def __init__(self) -> None:
        self.condition = Condition()
        self.begun: list[str] = []
        self.under_way: list[str] = []
        self.most = 0
        self.may_end = 0

    def __call__(self, endpoint: str, options: Options) -> Iterator[Step]:
        """Two steps; between them it waits."""
        with self.condition:
            self.begun.append(endpoint)
            self.under_way.append(endpoint)
            self.most = max(self.most, len(self.under_way))
            self.condition.notify_all()
        try:
            yield Step(1, "Info", "one", Status.PASSED, "", "", "")
            with self.condition:
                assert self.condition.wait_for(lambda: self.may_end > 0, 5)
                self.may_end -= 1
            yield Step(2, "Info", "two", Status.PASSED, "", "", "")
        finally:
            with self.condition:
                self.under_way.remove(endpoint)
                self.condition.notify_all()

    def wait_for(self, true: Callable[[], bool]) -> None:
        """Until the condition holds."""
        with self.condition:
            assert self.condition.wait_for(true, 5), (self.begun, self.under_way)

    def let_end(self, count: int = 1) -> None:
        """So many checks may end."""
        with self.condition:
            self.may_end += count
            self.condition.notify_all()


def registered(database: Path, name: str, endpoint: str) -> BotRow:
    """A bot that waits, of the owner of these tests."""
    with Store(database) as store:
        return store.bots.add(
            name, endpoint, owner_hash=hash_token("own_x"), state=BotState.PENDING
        )


@pytest.fixture
def held() -> Held:
    """A checker that is held up."""
    return Held()


@pytest.fixture
def checks(database: Path, held: Held) -> Iterator[Checks]:
    """The checks of a public site."""
    made = Checks(database, public=True, checker=held, greeter=lambda *_: None)
    yield made
    held.let_end(100)
    made.close()


def test_changing_the_address_is_limited(make_app: Callable[..., Flask], database: Path) -> None:
    """Each change sets a check off, so a bot has as many as somebody who registers: neither
    another sender nor another token brings more."""
    app = make_app(public=True)
    begun: list[str] = []

    def checker(endpoint: str, options: Options) -> Iterator[Step]:
        begun.append(endpoint)
        return iter(())

    app.config["CHECKS"]._checker = checker
    bot = registered(database, "zed", "http://example.org/v1")
    client = app.test_client()
    codes, token = [], "own_x"
    for n in range(20):
        bearer = {"Authorization": f"Bearer {token}"}
        afar = {"REMOTE_ADDR": f"198.51.100.{n}"}
        changed = client.post(
            f"/bots/{bot.id}-zed/edit", json={"endpoint": f"http://victim.example/{n}"},
            headers=bearer, environ_base=afar,
        )  # fmt: skip
        codes.append(changed.status_code)
        renewed = client.post(
            f"/bots/{bot.id}-zed/token", json={}, headers=bearer, environ_base=afar
        )
        token = renewed.get_json()["owner_token"]
    assert app.config["CHECKS"].wait_until_idle(5)

    assert codes == [200] * 6 + [429] * 14
    assert len(begun) <= 6
    with Store(database, read_only=True) as store:
        found = store.bots.by_id(bot.id)
        assert found is not None
        assert found.version == 7


def test_one_address_cannot_change_the_bots_of_many(
    make_app: Callable[..., Flask], database: Path
) -> None:
    """The same allowance holds for a sender, whoever owns the bots."""
    app = make_app(public=True)
    app.config["CHECKS"]._checker = lambda endpoint, options: iter(())
    codes = []
    for number in range(8):
        token = f"own_{number}"
        with Store(database) as store:
            bot = store.bots.add(f"b{number}x", "http://a.example/", owner_hash=hash_token(token))
        codes.append(
            app.test_client()
            .post(
                f"/bots/{bot.id}-b{number}x/edit",
                json={"endpoint": "http://b.example/"},
                headers={"Authorization": f"Bearer {token}"},
            )
            .status_code
        )

    assert codes == [200] * 6 + [429] * 2


def test_changing_the_rest_of_a_profile_sets_no_check_off(app: Flask, database: Path) -> None:
    """It takes nothing of that allowance, but is not endless either."""
    bot = registered(database, "zed", "http://127.0.0.1:1/")
    client = app.test_client()
    codes = [
        client.post(
            f"/bots/{bot.id}-zed/edit", json={"author": f"Ada {n}"}, headers=OWNER
        ).status_code
        for n in range(60)
    ]

    assert codes[:20] == [200] * 20
    assert codes[-1] == 429
    changed = client.post(
        f"/bots/{bot.id}-zed/secret", json={"new_secret": True},
        headers={"Authorization": f"Bearer {ORGANISER}"},
        environ_base={"REMOTE_ADDR": "198.51.100.7"},
    )  # fmt: skip
    assert changed.status_code == 200


def test_a_bot_is_checked_once_at_a_time_and_its_newest_version_next(
    checks: Checks, held: Held, database: Path
) -> None:
    """The check of an older version is given up, and those between are never made."""
    bot = registered(database, "zed", "http://one.example/")
    checks.start(bot, accept=False)
    held.wait_for(lambda: len(held.begun) == 1)
    with Store(database) as store:
        for number in range(2, 5):
            bot = store.bots.new_version(bot.id, f"http://host{number}.example/")
            assert checks.start(bot, accept=False)
    assert held.under_way == ["http://one.example/"]
    waiting = checks.running(bot.version_id)
    assert waiting is not None
    assert waiting.steps == []
    held.let_end()
    held.wait_for(lambda: len(held.begun) == 2)

    assert held.begun == ["http://one.example/", "http://host4.example/"]
    assert held.most == 1
    held.let_end()
    assert checks.wait_until_idle(5)
    with Store(database, read_only=True) as store:
        reports = [
            row[0] is not None
            for row in store.query(
                "SELECT report FROM bot_versions WHERE bot_id = ? ORDER BY number", [bot.id]
            )
        ]
    assert reports == [False, False, False, True]


def test_a_host_is_called_by_one_check_at_a_time(
    checks: Checks, held: Held, database: Path
) -> None:
    """Many bots that name one host queue for it; others go on meanwhile."""
    for number in range(4):
        checks.start(
            registered(database, f"v{number}x", f"http://Victim.example:{80 + number}/{number}"),
            accept=False,
        )
    checks.start(registered(database, "other", "http://other.example/"), accept=False)
    held.wait_for(lambda: len(held.begun) == 2)
    assert sorted(held.under_way)[1] == "http://other.example/"
    held.let_end(5)
    assert checks.wait_until_idle(5)

    assert len(held.begun) == 5
    assert held.most == 2


def test_no_more_than_so_many_wait(checks: Checks, database: Path) -> None:
    """Beyond that a check is refused, not forgotten."""
    bots = [
        registered(database, f"v{n}x", "http://victim.example/") for n in range(MOST_WAITING + 1)
    ]
    begun = [checks.start(bot, accept=False) for bot in bots]

    assert begun == [True] * MOST_WAITING + [False]
    assert checks.start(bots[0], accept=False)
