"""``arena standings`` and ``arena bracket`` on databases, also such as should not be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.config import BotSpec, TournamentConfig
from arena.errors import ConfigError, StoreError
from arena.store import Store
from arena.tournament.create import create_tournament

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
    assert str(result.exception) == "format 'round_robin' has no bracket"
