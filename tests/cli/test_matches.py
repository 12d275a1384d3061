"""`arena matches`: from a bot's name to the hand that it lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store
from tests.e2e.arena_process import arena

BOTS = ("--bot", "ann=sample:simple", "--bot", "bob=sample:greedy")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two leagues, the second of a game in which fewer points are better."""
    database = tmp_path_factory.mktemp("played") / "arena.db"
    others = ("--bot", "cay=sample:indian_simple", "--bot", "bob=sample:random_bot")
    leagues = [
        ("run", *BOTS, "--name", "Small", "--set", "target=60"),
        ("run", *others, "--name", "Indian", "--rules", "indian_pool_101"),
    ]
    for league in leagues:
        done = arena(*league, "--db", database)
        assert done.returncode == 0, done.stderr
    return database


def listed(database: Path, *arguments: str) -> list[dict[str, Any]]:
    """What the command prints as JSON."""
    done = arena("matches", *arguments, "--json", "--db", database)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_matches_come_newest_first_each_with_the_hands_lost_highest(played: Path) -> None:
    """The loss of a hand is what the loser is behind its best, whichever points are better."""
    found = listed(played, "--hands", "1000", "--limit", "1000")

    assert [one["tournament"] for one in found] == ["Indian"] * 2 + ["Small"] * 2
    assert [one["started_at"] for one in found] == sorted(
        (one["started_at"] for one in found), reverse=True
    )
    with Store(played, read_only=True) as store:
        for one in found:
            lost = [hand["lost"] for hand in one["worst"]]
            rows = store.hands.of(one["match"])
            assert lost == sorted(lost, reverse=True)
            assert lost == sorted(
                (abs(row.points[0] - row.points[1]) for row in rows if row.winner is not None),
                reverse=True,
            )
            for hand in one["worst"]:
                mine, (other,) = hand["points"].pop(hand["bot"]), hand["points"].values()
                assert (mine > other) == (one["tournament"] == "Indian")
                assert hand["winner"] != hand["bot"]


def test_of_a_bot_only_its_own_losses_are_listed_and_can_be_replayed(played: Path) -> None:
    """The worst first; what is printed for people says the same."""
    found = listed(played, "bob", "--worst", "--hands", "1")
    said = arena("matches", "bob", "--worst", "--hands", "1", "--db", played).stdout

    worst = [hand for one in found for hand in one["worst"]]
    assert {hand["bot"] for hand in worst} == {"bob"}
    assert [hand["lost"] for hand in worst] == sorted(
        (hand["lost"] for hand in worst), reverse=True
    )
    for hand in worst:
        assert f"    {hand['hand']}  bob -{hand['lost']}: " in said
    assert arena("replay", worst[0]["hand"], "--db", played).returncode == 0


def test_a_tournament_and_a_number_narrow_the_list(played: Path) -> None:
    """Ann played in one of both only."""
    small = listed(played, "--tournament", "Small")

    assert [one["match"] for one in small] == [one["match"] for one in listed(played, "ann")]
    assert listed(played, "ann", "--tournament", "Indian") == []
    assert listed(played, "--limit", "3", "--hands", "0", "--worst") != []
    assert all(not one["worst"] for one in listed(played, "--hands", "0", "--worst"))
    assert len(listed(played, "--limit", "3")) == 3


def test_a_name_that_no_bot_has_is_told_with_the_nearest(played: Path) -> None:
    """Not an empty list, which would read like no matches."""
    done = arena("matches", "bobb", "--db", played)

    assert done.returncode == 2
    assert "did you mean 'bob'?" in done.stderr
