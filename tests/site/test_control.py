"""Starting the referee from the pages while another one is at work."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from arena.site.control import ByProcess
from arena.store.lock import sole_referee
from tests.site.conftest import Browser


def test_other_referee_is_named_with_what_it_plays_and_what_to_do(
    app: Flask, organiser: Browser, database: Path
) -> None:
    """The notice on the tournament's page says who plays what, and how to go on."""
    app.config["CONTROL"] = ByProcess(database, ["false"])
    with sole_referee(database):
        status, html = organiser.send("/organise/t/spring-league/start", page="/t/spring-league")

    assert status == 200
    notice = html.split('role="status">')[1].split("</div>")[0]
    assert "another referee is at work with" in notice
    assert "“Sunday table”" in notice
    assert "process " in notice
    assert "resume “Spring league” here" in notice
