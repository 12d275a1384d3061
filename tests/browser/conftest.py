"""A real browser, and the site on a port of its own."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from arena.bot.server import BotServer
from arena.site import create_app
from arena.site.serve import SiteServer
from arena.site.work.control import ByProcess
from arena.tokens import hash_token
from tests.samples import greedy, simple
from tests.site.factories import HOSTILE, populate

ORGANISER = "org_browser-token"
ARTIFACTS = Path(__file__).parents[2] / "artifacts"
WAIT_MS = 15_000
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def browser_path() -> str | None:
    """The system's browser, None for the one that Playwright brings."""
    named = os.environ.get("ARENA_BROWSER")
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    return named or next((path for path in found if path), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tournaments of every kind, by bots with difficult names. Only read it."""
    return populate(tmp_path_factory.mktemp("browser") / "arena.db", HOSTILE)


@pytest.fixture(scope="session")
def reading(played: Path) -> Iterator[SiteServer]:
    """A site that is only read."""
    app = create_app(played, organiser_token_hash=hash_token(ORGANISER))
    with SiteServer(app) as server:
        server.start()
        yield server


@pytest.fixture
def site(tmp_path: Path) -> Iterator[SiteServer]:
    """An empty arena that may be written to, and whose organiser can start the referee."""
    database = tmp_path / "arena.db"
    from arena.store import Store

    Store(database).close()
    command = [sys.executable, "-m", "arena", "resume"]
    app = create_app(
        database,
        organiser_token_hash=hash_token(ORGANISER),
        control=ByProcess(database, command),
    )
    with SiteServer(app) as server:
        server.start()
        yield server
    app.config["CONTROL"].close()
    app.config["CHECKS"].close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page of a browser of its own; a script error fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT_MS)
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on(
        "console",
        lambda message: errors.append(message.text) if message.type == "error" else None,
    )
    yield opened
    context.close()
    assert not [text for text in errors if "status of 4" not in text]


@pytest.fixture
def two_bots() -> Iterator[tuple[BotServer, BotServer]]:
    """Two sample bots over HTTP."""
    with BotServer(simple.bot) as first, BotServer(greedy.bot) as second:
        yield first, second
