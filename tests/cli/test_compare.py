"""What a comparison says came out."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.meter import meter_line
from arena.cli.verdict import Outcome
from arena.store import Store
from arena.tournament import lifecycle
from arena.tournament.statistics.intervals import Estimate
from arena.tournament.statistics.sprt import SprtSettings, SprtState, sprt
from tests.e2e.arena_process import arena, hands_stored, start_arena, wait_until

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
