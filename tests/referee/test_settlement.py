"""Games whose players settle with each other say what each receives or pays, shutouts included."""

from __future__ import annotations

from typing import Any

import pytest

from arena.referee.asks import Event
from arena.referee.match import GamePlayed
from arena.wire import schemas
from tests.referee.matches import THREE, choosing, idle, sensible, setup, watch


def played(rules: str, **changes: Any) -> tuple[GamePlayed, list[dict[str, object]]]:
    """A game in which only Ann ever knocks, and what the bots were told of its end."""
    players = [sensible, choosing(idle), choosing(idle)]
    found = watch(setup(rules=rules, names=THREE, target=50, **changes), players)
    (game,) = found.games
    ends = [notice.payload for notice in found.notices if notice.event is Event.GAME]
    return game, ends


@pytest.mark.parametrize("rules", ["cutthroat", "chouette", "battle_royal"])
def test_what_each_receives_is_told(rules: str) -> None:
    """To the bots as numbers, to people in the sentence; what some receive the others pay."""
    game, ends = played(rules)

    assert len(game.settlement) == 3
    assert sum(game.settlement) == 0
    assert game.settlement[0] > 0
    assert f"; settled: Ann +{game.settlement[0]}, Bob " in game.sentence
    for end in ends:
        schemas.require("end", end)
        assert end["result"]["settlement"] == list(game.settlement)  # type: ignore[index]


def test_games_of_two_are_settled_by_their_totals() -> None:
    """Nothing lies between two players but the difference."""
    (game,) = watch(setup(target=10), [sensible, sensible]).games

    assert game.settlement == ()
    assert "settled" not in game.sentence


@pytest.mark.parametrize(
    ("rules", "setting", "values"),
    [
        ("cutthroat", "shutout_bonus", (0, 1000)),
        ("battle_royal", "shutout", ("none", "extra_100", "double_hand_points")),
        ("chouette", "shutout", ("none", "extra_100", "double_hand_points")),
    ],
)
def test_a_shutout_counts_in_the_settlement(
    rules: str, setting: str, values: tuple[object, ...]
) -> None:
    """Bob and Cay win no hand: the setting decides what that costs them."""
    amounts = [played(rules, **{setting: value})[0].settlement for value in values]

    assert len(set(amounts)) == len(values)
    assert amounts[0][0] == min(own[0] for own in amounts)
