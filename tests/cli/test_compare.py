"""What a comparison says came out."""

from __future__ import annotations

import pytest

from arena.cli.compare import verdict
from arena.cli.meter import meter_line
from arena.config import BotSpec, TournamentConfig
from arena.tournament.intervals import Estimate
from arena.tournament.sprt import SprtSettings, SprtState, sprt

CONFIG = TournamentConfig(
    bots=(BotSpec("new", "http://127.0.0.1:1"), BotSpec("old", "http://127.0.0.1:2")),
    test={"low": 0.5, "high": 0.55},
)
POINTS = Estimate(-4.25, -6.0, -2.5, 40, 900)


def state(*values: float) -> SprtState:
    """The test after six hundred pairs that take these values in turn."""
    return sprt([*values] * (600 // len(values)), SprtSettings(0.5, 0.55))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ((0.0, 0.0, 0.0, 0.5), "new is worse than old: it wins "),
        ((1.0, 1.0, 0.5, 1.0), "new is better than old: 55 % accepted"),
        ((0.5, 0.0, 1.0, 0.5), "new is not better than old: 50 % accepted"),
    ],
)
def test_the_sentence_says_what_the_interval_says(values: tuple[float, ...], sentence: str) -> None:
    """Worse where all of the interval is below one half, else better or not better."""
    words = verdict(state(*values), POINTS, CONFIG)

    assert words.startswith(sentence)
    assert "-4.25 points a hand (± 1.75)" in words


def test_before_the_test_begins_it_says_so() -> None:
    """No bare dash for the ratio of likelihoods."""
    early = sprt([0.5, 1.0] * 5, SprtSettings(0.5, 0.55))

    assert meter_line(early).startswith("10 pairs, too few pairs yet for the test, which begins")
    assert "LLR" not in meter_line(early)
    assert "LLR" in meter_line(state(0.5, 0.5, 1.0, 0.0))
