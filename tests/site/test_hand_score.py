"""The score around a hand: it runs on from hand to hand and ends at that of the game."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from arena.rules.games import find_variant
from arena.site import create_app
from arena.site.hands.hand_score import HandScore, columns_text, hand_score
from arena.site.views.parts import Named
from arena.store import Store
from arena.store.rows import FixtureRow, HandRow
from arena.tournament.model import FormatOptions
from tests.site.playing import play

NAMES = ("ann", "bob", "cy", "dee")


def played(store: Store, rules: str, seats: int) -> FixtureRow:
    """A match of this game."""
    options = FormatOptions(
        games=2, table_size=seats, fewer_points_win="indian" in rules, duplicate=False
    )
    id = play(
        store, "one", NAMES[:seats], rules=rules, matches=1, options=options,
        format="tables" if seats > 2 else "round-robin",
    )  # fmt: skip
    return store.fixtures.of(id)[0]


def scores(store: Store, rules: str, fixture: FixtureRow) -> dict[int, list[HandScore]]:
    """The score around each hand of a match, by game."""
    hands: dict[int, list[HandRow]] = {}
    for row in store.hands.of(fixture.id):
        hands.setdefault(row.game, []).append(row)
    players = [Named(NAMES[entrant], "") for entrant in fixture.seats]
    games = store.fixtures.games(fixture.id)
    variant = find_variant(rules)
    found: dict[int, list[HandScore]] = {}
    for game, rows in hands.items():
        for row in rows:
            score = hand_score(variant, hands, games, (game, row.number), players)
            assert score is not None, (game, row.number)
            found.setdefault(game, []).append(score)
    return found


@pytest.mark.parametrize(
    ("rules", "seats"),
    [("gin", 2), ("hollywood", 2), ("mahjong", 2), ("battle_royal", 3), ("cutthroat", 3),
     ("chouette", 4), ("teams", 4), ("indian_pool_101", 3), ("indian_deals", 3)],
)  # fmt: skip
def test_score_runs_on_from_hand_to_hand(rules: str, seats: int, store: Store) -> None:
    """A hand begins where the one before ended; after the last, the game's own points stand."""
    fixture = played(store, rules, seats)
    games = {game.number: game for game in store.fixtures.games(fixture.id)}
    found = scores(store, rules, fixture)
    winners = {
        number: tuple(
            seat for seat, entrant in enumerate(fixture.seats)
            if NAMES[entrant] in game.sentence.split(" win")[0]
        )
        for number, game in games.items()
    }  # fmt: skip

    assert sorted(found) == sorted(games)
    for number, game in games.items():
        row = found[number]
        for before, after in pairwise(row):
            assert [side.after for side in before.sides] == [side.before for side in after.sides]
        for side in row[-1].sides:
            for player in side.players:
                seat = [NAMES[entrant] for entrant in fixture.seats].index(player.name)
                assert sum(side.after) == game.points[seat]
        for score in row:
            most = max(games for side in score.sides for games in side.games)
            assert most <= number - 1
            won = {
                player.name: games
                for side in score.sides
                for player, games in zip(side.players, side.games, strict=True)
            }
            assert won == {
                NAMES[entrant]: sum(
                    seat in winners.get(earlier, ()) for earlier in range(1, number)
                )
                for seat, entrant in enumerate(fixture.seats)
            }


def test_partners_are_one_side(store: Store) -> None:
    """Both teams are named in every hand, whoever of them plays it."""
    for score in scores(store, "teams", played(store, "teams", 4))[1]:
        assert [len(side.players) for side in score.sides] == [2, 2]
        assert all(len(side.positions) == 1 for side in score.sides)
        assert score.goal == "to 150"
        assert score.note


def test_who_sits_out_has_a_score_too(store: Store) -> None:
    """Of three players two play; the third keeps its points and gains none."""
    for score in scores(store, "cutthroat", played(store, "cutthroat", 3))[1]:
        (out,) = [side for side in score.sides if not side.positions]
        assert out.gained is None
        assert out.before == out.after


def test_columns_are_told_apart(store: Store) -> None:
    """Three columns are three numbers; a pool counts penalties and says what puts one out."""
    score = scores(store, "hollywood", played(store, "hollywood", 2))[1][-1]

    assert all(len(side.after) == 3 for side in score.sides)
    assert columns_text((45, 12, 0)) == "45 · 12 · 0"
    assert score.goal == "to 100 in a column"


def test_pool_counts_penalties(store: Store) -> None:
    """The unit and the goal say that few points are good."""
    score = scores(store, "indian_pool_101", played(store, "indian_pool_101", 3))[1][0]

    assert score.unit == "penalty points"
    assert score.goal == "101 puts one out"
    winner = next(side for side in score.sides if side.gained == 0)
    assert winner.after == winner.before


def test_page_and_twin_tell_the_same_score(store: Store, tmp_path: Path) -> None:
    """The table names the side, the points before and after, and who sits out."""
    fixture = played(store, "cutthroat", 3)
    row = store.hands.of(fixture.id)[1]
    client = create_app(store.path).test_client()
    address = f"/t/one/m/{fixture.id}/{row.game}-{row.number}"
    twin = client.get(f"{address}.json").get_json()
    html = client.get(address).get_data(as_text=True)

    assert [one["name"] for one in twin["out"]]
    assert f"<bdi>{twin['out'][0]['name']}</bdi> sits out" in html
    assert 'id="score"' in html
    for player in twin["players"]:
        assert f"{player['score']} points" in html
