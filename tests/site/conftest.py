"""Databases and clients for the tests of the site."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from arena.site import create_app
from arena.site.work import watch
from arena.tokens import hash_token
from tests.site.factories import HOSTILE, populate

ORGANISER = "org_test-token"


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with tournaments of every kind. Only read it."""
    return populate(tmp_path_factory.mktemp("site") / "arena.db")


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with names that mean harm. Only read it."""
    return populate(tmp_path_factory.mktemp("hostile") / "arena.db", HOSTILE)


@pytest.fixture(scope="session")
def reading_app(played: Path) -> Flask:
    """The site over the database that is only read."""
    return create_app(played, organiser_token_hash=hash_token(ORGANISER))


@pytest.fixture
def client(reading_app: Flask) -> FlaskClient:
    """A spectator."""
    return reading_app.test_client()


@pytest.fixture
def database(played: Path, tmp_path: Path) -> Path:
    """A copy to write to."""
    return Path(shutil.copy(played, tmp_path / "arena.db"))


@pytest.fixture
def make_app(database: Path) -> Iterator[Callable[..., Flask]]:
    """Makes sites over the copy; their background work ends with the test."""
    made: list[Flask] = []

    def make(**options: object) -> Flask:
        app = create_app(database, organiser_token_hash=hash_token(ORGANISER), **options)  # type: ignore[arg-type]
        made.append(app)
        return app

    yield make
    for app in made:
        app.config["CHECKS"].close()


@pytest.fixture(autouse=True)
def begun_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """What these tests have played has just begun, and yet nobody is about to play it."""
    monkeypatch.setattr(watch, "BEGINNING_S", 0.0)


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    """A site that may be written to."""
    return make_app()


class Browser:
    """A client that fills in forms as people do."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()
        self.client.environ_base["HTTP_ACCEPT"] = "text/html,*/*;q=0.8"

    def csrf(self, page: str) -> str:
        """The token of the forms of a page."""
        found = re.search(
            r'name="csrf" value="([^"]+)"', self.client.get(page).get_data(as_text=True)
        )
        assert found is not None
        return found[1]

    def send(self, address: str, page: str | None = None, **fields: str) -> tuple[int, str]:
        """Send a form that stands on ``page`` (the address itself if left out)."""
        answer = self.client.post(
            address, data={**fields, "csrf": self.csrf(page or address)}, follow_redirects=True
        )
        return answer.status_code, answer.get_data(as_text=True)

    def sign_in(self, token: str) -> int:
        """Sign in with a token; the status of the answer."""
        return self.send("/account", token=token)[0]


@pytest.fixture
def browser(app: Flask) -> Browser:
    """Somebody at a browser."""
    return Browser(app)


@pytest.fixture
def organiser(app: Flask) -> Browser:
    """The organiser at a browser."""
    found = Browser(app)
    assert found.sign_in(ORGANISER) == 200
    return found
