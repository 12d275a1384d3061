"""The demo: pages while it plays, a clean end at any moment, and a database that can be resumed."""

from __future__ import annotations

import json
import re
import signal
import urllib.request
from pathlib import Path

from arena.store import Store
from arena.store.rows import TournamentState
from tests.e2e.arena_process import arena, hands_stored, start_arena, wait_until


def get(url: str) -> str:
    """A page of the demo."""
    with urllib.request.urlopen(url, timeout=10) as answer:
        text: str = answer.read().decode()
        return text


def test_demo_serves_pages_while_it_plays_and_ends_cleanly(tmp_path: Path) -> None:
    """The address comes first and works during play; SIGINT ends bots, pages and play."""
    database, log = tmp_path / "demo.db", tmp_path / "log.txt"
    process = start_arena("demo", "--db", database, "--port", "0", "--games", "1", log=log)
    assert wait_until(lambda: hands_stored(database) > 5, process), log.read_text()
    first = log.read_text().splitlines()[0]
    found = re.fullmatch(r"pages at (http://127\.0\.0\.1:\d+)", first)
    assert found, first
    home = get(f"{found[1]}/")
    league = json.loads(get(f"{found[1]}/t/demo-league.json"))
    children = _descendants(process.pid)

    process.send_signal(signal.SIGINT)
    code = process.wait(5)

    assert "Demo league" in home
    assert "running" in json.dumps(league)
    assert len(children) == 5
    assert not any(Path(f"/proc/{child}").exists() for child in children)
    assert code == 130, log.read_text()
    assert f"arena resume --db {database}" in log.read_text()

    resumed = arena("resume", "--db", database, timeout=200)

    assert resumed.returncode == 0, resumed.stderr
    with Store(database, read_only=True) as store:
        cup, played = store.tournaments.all()
        assert (played.name, cup.name) == ("Demo league", "Demo cup")
        assert played.state is cup.state is TournamentState.FINISHED
        seeds = sorted(store.tournaments.entrants(cup.id), key=lambda row: row.seeding)
        assert [row.name for row in seeds][-1] == "random_bot"
    assert arena("verify", database).stdout.count("verified (finished)") == 2


def test_demo_without_pages_prints_both_tables(tmp_path: Path) -> None:
    """For scripts and for those without a browser."""
    run = arena(
        "demo", "--no-serve", "--games", "1", "--rules", "gamesite", "--db", tmp_path / "x.db",
        timeout=200,
    )  # fmt: skip

    assert run.returncode == 0, run.stderr
    assert "pages at" not in run.stdout
    # A row can take several lines: what decided between bots that are level is long.
    tables = [line for line in run.stdout.splitlines() if re.match(r"│ +[1-4] ", line)]
    assert len(tables) == 8
    assert sum("random_bot" in line for line in tables) == 2


def _descendants(pid: int) -> list[int]:
    """Child processes, from /proc."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]
