"""``arena standings`` on databases that are not as they should be."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.config import BotSpec, TournamentConfig
from arena.errors import StoreError
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
