"""What a comparison says came out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest

from arena.cli import compare
from arena.cli.meter import Meter, meter_line
from arena.cli.verdict import Outcome
from arena.config import TournamentConfig
from arena.store import Store
from arena.store.rows import FixtureRow, TournamentState
from arena.tournament import lifecycle
from arena.tournament.model import FormatOptions
from arena.tournament.statistics import comparison
from arena.tournament.statistics.comparison import Comparison
from arena.tournament.statistics.intervals import Estimate
from arena.tournament.statistics.sprt import SprtSettings, SprtState, sprt
from tests.e2e.arena_process import arena, hands_stored, start_arena, wait_until
from tests.tournament.results import result

POINTS = Estimate(-4.25, -6.0, -2.5, 40, 900)


def outcome(test: SprtState) -> Outcome:
    """What came out for the bots new and old."""
    return Outcome("new", "old", 0.5, 0.55, test, POINTS, "undecided so far")


def state(*values: float) -> SprtState:
    """The test after six hundred pairs that take these values in turn."""
    return sprt([*values] * (600 // len(values)), SprtSettings(0.5, 0.55))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ((0.0, 0.0, 0.0, 0.5), "new is worse than old: it wins "),
        ((1.0, 1.0, 0.5, 1.0), "new is better than old: 55 % accepted"),
        ((0.5, 0.0, 1.0, 0.5), "new is not better than old: 50 % accepted"),
        ((0.525, 0.5, 0.55), "undecided so far"),
    ],
)
def test_the_sentence_says_what_the_interval_says(values: tuple[float, ...], sentence: str) -> None:
    """Worse where all of the interval is below one half, else better or not better."""
    found = outcome(state(*values))

    assert found.sentence().startswith(sentence)
    assert found.lines()[0] == found.as_json()["sentence"] == found.sentence()
    assert "-4.25 points a hand (± 1.75)" in found.lines()


def test_before_the_test_begins_it_says_so() -> None:
    """No bare dash for the ratio of likelihoods."""
    early = sprt([0.5, 1.0] * 5, SprtSettings(0.5, 0.55))

    assert meter_line(early).startswith("10 pairs, too few pairs yet for the test, which begins")
    assert "LLR" not in meter_line(early)
    assert "LLR" in meter_line(state(0.5, 0.5, 1.0, 0.0))


def test_a_comparison_that_is_paused_says_so_and_resume_says_what_came_out(tmp_path: Path) -> None:
    """Nothing is decided at a pause, which is no "not better"; the test goes on with the play."""
    database, log = tmp_path / "arena.db", tmp_path / "log.txt"
    bots = ("new=sample:greedy", "old=sample:random_bot")
    options = ("--low", "0.5", "--high", "0.9", "--games", "3", "--name", "Which")
    process = start_arena("compare", *bots, *options, "--db", database, log=log)
    assert wait_until(lambda: hands_stored(database) > 0, process), log.read_text()
    with Store(database) as store:
        lifecycle.pause(store, store.tournaments.find("Which"))

    assert process.wait(60) == 3, log.read_text()
    assert "undecided so far" in log.read_text()
    assert "Which was paused; go on with: arena resume Which --db" in log.read_text()
    end = arena("resume", "Which", "--db", database)
    assert end.returncode == 0, end.stderr
    assert "new is better than old: 90 % accepted" in end.stdout
    assert "points a hand (±" in end.stdout


def test_most_pairs_end_a_comparison_undecided(tmp_path: Path) -> None:
    """Exactly so many are played, by the clock that was asked for; the limit is stored with it."""
    database = tmp_path / "arena.db"
    bots = ("new=sample:simple", "old=sample:simple")
    options = ("--most-pairs", "18", "--deadline-ms", "700", "--set", "target=1", "--json")

    done = arena("compare", *bots, *options, "--db", database)

    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert (found["pairs"], found["state"]) == (18, "finished")
    assert found["sentence"] == "undecided: the most pairs allowed were played"
    with Store(database, read_only=True) as store:
        (row,) = store.tournaments.all()
        assert TournamentConfig.from_json(row.config).clock.deadline_ms == 700
    assert "verified (finished)" in arena("verify", database).stdout


def test_limit_in_the_help_is_the_usual_one() -> None:
    """It is written twice, so that the help loads little."""
    assert compare.MOST_PAIRS == comparison.MOST_PAIRS


def test_time_limit_stops_a_comparison_that_can_go_on(tmp_path: Path) -> None:
    """What was played counts; it is said how to go on."""
    database = tmp_path / "arena.db"
    bots = ("new=sample:simple", "old=sample:simple")

    done = arena("compare", *bots, "--games", "99", "--time-limit", "1", "--db", database)

    assert done.returncode == 1
    assert "undecided so far" in done.stdout
    assert done.stderr.startswith("time is up after 1 s; go on with: arena resume 'Comparison 1'")
    with Store(database, read_only=True) as store:
        assert store.tournaments.all()[0].state is TournamentState.RUNNING


def test_meter_counts_pairs_in_the_order_of_the_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the test does, whatever ends first: a pair behind one that is half played waits."""
    format = Comparison(SprtSettings(0.5, 0.55))
    meter = Meter("a v b", format, quiet_stdout=True)
    said: list[str] = []
    monkeypatch.setattr(meter, "line", said.append)
    fixtures = format.fixtures((0, 1), FormatOptions(games=1), {})
    by_key = {(one.key.slot, one.key.half): one for one in fixtures}

    for slot, half in ((2, 0), (1, 0), (2, 1), (1, 1)):
        fixture = by_key[slot, half]
        won = result(fixture.seats, 0, key=fixture.key)
        meter.played(cast(FixtureRow, fixture), won, "")

    assert [line.split(",")[0] for line in said] == ["2 pairs"]
