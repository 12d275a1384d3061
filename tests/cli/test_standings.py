"""``arena standings`` and ``arena bracket`` on databases, also such as should not be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.config import BotSpec, SeedBy, TournamentConfig
from arena.errors import ConfigError, StoreError
from arena.store import Store
from arena.store.rows import TournamentState
from arena.tournament.create import create_tournament
from tests.tournament.functions import enter, knocker, play

BOTS = (BotSpec("a", "http://127.0.0.1:9"), BotSpec("b", "http://127.0.0.1:10"))


@pytest.mark.parametrize("secret", ["no hexadecimal digits", "abc"])
@pytest.mark.parametrize("arguments", [[], ["Friday"], ["Friday", "--json"]])
def test_damaged_secret_is_a_sentence(tmp_path: Path, secret: str, arguments: list[str]) -> None:
    """The tie-break of last resort needs the secret; a damaged one is named, not a traceback."""
    path = tmp_path / "arena.db"
    with Store(path) as store:
        create_tournament(store, TournamentConfig("Friday", bots=BOTS))
        with store.transaction() as conn:
            conn.execute("UPDATE tournaments SET secret = ?", [secret])

    result = CliRunner().invoke(cli, ["standings", *arguments, "--db", str(path)])

    assert isinstance(result.exception, StoreError)
    assert str(result.exception).startswith("tournament 'Friday' is damaged (")
    assert str(result.exception).endswith("); restore a backup")


def test_bracket_names_the_favourite_of_each_match(tmp_path: Path) -> None:
    """With the probability as a percentage; a dash without ratings, null for programs."""
    path = tmp_path / "arena.db"
    with Store(path) as store:
        config = TournamentConfig("Cup", format="bracket", bots=BOTS)
        row = create_tournament(store, config)
        unknown = CliRunner().invoke(cli, ["bracket", "--db", str(path)])
        store.tournaments.set_ratings(row.id, {0: 1400.0, 1: 1600.0})

    known = CliRunner().invoke(cli, ["bracket", "Cup", "--db", str(path)])
    twin = CliRunner().invoke(cli, ["bracket", "--json", "--db", str(path)])

    assert "b 76 %" in known.output
    assert "%" not in unknown.output
    assert "–" in unknown.output
    (match,) = json.loads(twin.output)["matches"]
    assert match["favourite"] == "b"
    assert round(match["chance"], 3) == 0.760
    assert [side["rating"] for side in match["sides"]] == [1400, 1600]


def test_bracket_of_a_league_is_refused(tmp_path: Path) -> None:
    """It has none."""
    path = tmp_path / "arena.db"
    with Store(path) as store:
        create_tournament(store, TournamentConfig("Friday", bots=BOTS))

    result = CliRunner().invoke(cli, ["bracket", "--db", str(path)])

    assert isinstance(result.exception, ConfigError)
    assert str(result.exception) == "Round robin has no bracket, but a table"


def test_every_group_has_its_table(tmp_path: Path) -> None:
    """With what was played in it alone, and who goes on from it; programs get the same."""
    path = tmp_path / "arena.db"
    with Store(path) as store:
        row = enter(store, 5, format="groups", groups=2, advance=1, games=1, best_of=3)
        play(store, row, [knocker(60), knocker(40), knocker(20), knocker(10), knocker()])

    text = CliRunner().invoke(cli, ["standings", "--db", str(path)]).output
    found = json.loads(CliRunner().invoke(cli, ["standings", "--json", "--db", str(path)]).output)

    assert text.index("Group A") < text.index("Group B") < text.index("winner: ")
    assert text.count("┏━") == 3
    assert text.count("The first goes on to the bracket. In order of points;") == 2
    one, other = found["groups"]
    assert [one["name"], other["name"]] == ["Group A", "Group B"]
    assert {line["name"] for line in one["standings"]} == {"bot 0", "bot 3", "bot 4"}
    assert [line["played"] for line in one["standings"]] == [4, 4, 4]
    assert [line["rank"] for line in other["standings"]] == [1, 2]
    hands = [sum(line["hands"] for line in part["standings"]) for part in (found, one, other)]
    assert hands[0] > hands[1] + hands[2]


def test_table_of_what_has_not_begun_is_its_field(tmp_path: Path) -> None:
    """In the order of the seeding, with what that goes by; a table of noughts has no order."""
    path = tmp_path / "arena.db"
    with Store(path) as store:
        config = TournamentConfig("Fri", format="swiss", bots=BOTS, seeding=SeedBy.RATINGS)
        create_tournament(store, config, state=TournamentState.DRAFT)

    text = CliRunner().invoke(cli, ["standings", "--db", str(path)]).output

    assert text.startswith("Fri: draft, 2 of at most 1024 bots\nSeeding: by ratings, looked up at")
    assert "\n   1  a\n   2  b\nIts table will be in order of points; equal points by" in text
