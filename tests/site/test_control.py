"""Starting the referee from the pages while another one is at work."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from flask import Flask

from arena.site.work.control import ByProcess
from arena.store.lock import sole_referee
from tests.site.accounts import tournament
from tests.site.conftest import Browser
from tests.waiting import wait_until


def test_other_referee_is_named_with_what_it_plays_and_what_to_do(
    app: Flask, organiser: Browser, database: Path
) -> None:
    """The notice on the tournament's page says who plays what, and how to go on."""
    app.config["CONTROL"] = ByProcess(database, ["false"])
    with sole_referee(database, tournament(database, "sunday-table").id):
        status, html = organiser.send("/organise/t/spring-league/start", page="/t/spring-league")

    assert status == 200
    notice = html.split('role="status">')[1].split("</div>")[0]
    assert "another referee is at work with “Sunday table” (" in notice
    assert "Winter cup" not in notice
    assert "process " in notice
    assert "resume “Spring league” here" in notice


@pytest.mark.parametrize("slug", ["sunday-table", "winter-cup"])
def test_sentence_about_what_is_before_names_it_and_never_itself(database: Path, slug: str) -> None:
    """Whoever resumes what is just winding up is not told to wait for another tournament."""
    first, other = (tournament(database, one) for one in ("sunday-table", slug))
    wait = [sys.executable, "-c", "import time; time.sleep(30)"]
    control = ByProcess(database, wait)
    try:
        assert control.play(first) == "Play begins."
        wait_until(lambda: control._process is not None)
        said = control.play(other)
    finally:
        control.close()

    if slug == "sunday-table":
        assert said == "Play goes on."
    else:
        assert said == "Play begins when “Sunday table” is over or paused."
