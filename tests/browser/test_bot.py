"""The pages of bots in a browser."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.site import create_app
from arena.site.pages import common
from arena.site.serve import SiteServer
from arena.site.views.snapshots import Snapshots


def test_figures_that_were_being_added_up_appear_by_themselves(
    page: Page, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot's page is shown before its large tournaments are read, and has them a moment later."""
    may_read = threading.Event()
    prepare = Snapshots._prepare

    def prepared(self: Snapshots, id: str) -> None:
        assert may_read.wait(30)
        prepare(self, id)

    monkeypatch.setattr(common, "AT_ONCE", 0)
    monkeypatch.setattr(Snapshots, "warm", lambda self, database: None)
    monkeypatch.setattr(Snapshots, "_prepare", prepared)
    with SiteServer(create_app(played)) as server:
        server.start()
        bots = server.app.test_client().get("/bots.json").get_json()["bots"]
        with page.expect_request(lambda request: "/events?" in request.url):
            page.goto(server.address + bots[0]["url"])
        expect(page.get_by_text("being added up").first).to_be_visible()
        page.evaluate("window.same = true")
        may_read.set()

        expect(page.get_by_text("being added up")).to_have_count(0)
        expect(page.get_by_role("heading", name="Head to head")).to_be_visible()
        expect(page.get_by_role("heading", name="Latest matches")).to_be_visible()
        assert page.evaluate("window.same")
        page.goto("about:blank")
