"""A bracket says who is favoured in each match, on the page and for programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from arena.store import Store


def pairs(twin: Any) -> list[dict[str, Any]]:
    """The matches of a bracket whose sides are both known."""
    return [
        match
        for section in twin["sections"]
        for column in section["rounds"]
        for match in column["matches"]
        if all(side["name"] for side in match["sides"])
    ]


def test_favourite_is_the_better_rated(make_app: Callable[..., Flask], database: Path) -> None:
    """400 points are 10 to 1 a game; best of three that is 97.7 %, whichever side it is."""
    with Store(database) as store:
        row = store.tournaments.by_slug("winter-cup")
        assert row is not None
        ratings = {n: 1400.0 + 400 * (n % 2) for n in range(6)}
        store.tournaments.set_ratings(row.id, ratings)
        numbers = {one.name: one.number for one in store.tournaments.entrants(row.id)}
    client = make_app().test_client()
    matches = pairs(client.get("/t/winter-cup/bracket.json").get_json())
    page = client.get("/t/winter-cup/bracket").get_data(as_text=True)

    assert matches
    for match in matches:
        one, other = (ratings[numbers[side["name"]]] for side in match["sides"])
        found = match["favourite"]
        assert found["side"] == int(other > one)
        game = 0.5 if one == other else 10 / 11
        assert found["chance"] == pytest.approx(game * game * (3 - 2 * game))
    assert page.count('class="num odds"') == len(matches)
    assert "98%" in page
    assert "A percentage is the chance of the better rated bot" in page


def test_nothing_is_said_of_the_unrated(make_app: Callable[..., Flask]) -> None:
    """Null in the twin; the page has neither a percentage nor an explanation of one."""
    client = make_app().test_client()
    matches = pairs(client.get("/t/winter-cup/bracket.json").get_json())
    page = client.get("/t/winter-cup/bracket").get_data(as_text=True)

    assert {match["favourite"] for match in matches} == {None}
    assert matches
    assert 'class="num odds"' not in page
    assert "A percentage is" not in page
