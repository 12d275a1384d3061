"""Who sits on one side of a match."""

from __future__ import annotations

import pytest

from arena.rules.games import find_variant
from arena.rules.tables.sides import partners


@pytest.mark.parametrize(
    ("game", "players", "sides"),
    [
        ("teams", 4, ((0, 2), (1, 3))),
        ("teams_tedesco", 6, ((0, 2, 4), (1, 3, 5))),
        ("chouette", 4, ()),
        ("cutthroat", 3, ()),
        ("gin", 2, ()),
        ("gin", 4, ()),
    ],
)
def test_partners_are_those_who_never_play_against_each_other(
    game: str, players: int, sides: tuple[tuple[int, ...], ...]
) -> None:
    """In team gin every other seat; in Chouette who is in the box changes from game to game."""
    assert partners(find_variant(game), players) == sides
