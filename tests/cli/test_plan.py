"""What a plan can be asked, and what it supposes."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from arena.cli.plan import plan
from arena.config import BotSpec, TournamentConfig
from arena.errors import StoreError
from arena.store import Store
from arena.tournament.create import create_tournament


@pytest.mark.parametrize(
    ("arguments", "fixtures"),
    [
        (("--format", "swiss", "--bots", "8", "--rounds", "5"), 40),
        (("--format", "tables", "--bots", "7", "--table-size", "3"), 42),
        (("--format", "tables", "--bots", "4", "--table-size", "4"), 4),
        (("--format", "tables", "--bots", "4", "--table-size", "4", "--all-orders"), 24),
        (("--format", "groups", "--bots", "9", "--groups", "3", "--advance", "1"), 20),
    ],
)
def test_a_plan_takes_the_options_of_every_format(
    arguments: tuple[str, ...], fixtures: int
) -> None:
    """Rounds, seats of a table, groups and who goes on."""
    done = CliRunner().invoke(plan, [*arguments, "--json"])

    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["fixtures"] == fixtures


def test_a_plan_says_that_its_pace_is_assumed() -> None:
    """Nobody should take a guess for a measurement."""
    done = CliRunner().invoke(plan, ["--bots", "4"])

    assert "1,000 a second (assumed; measured with --db FILE)" in done.output


def test_a_plan_takes_the_pace_of_a_finished_tournament(store: Store) -> None:
    """Two thousand decisions in four seconds."""
    bots = (BotSpec("a", "http://127.0.0.1:9"), BotSpec("b", "http://127.0.0.1:10"))
    row = create_tournament(store, TournamentConfig("Friday", bots=bots))
    arguments = ["--bots", "4", "--db", str(store.path)]
    none = CliRunner().invoke(plan, arguments)
    with store.transaction() as conn:
        for entrant in (0, 1):
            store.tournaments.add_time(row.id, entrant, 1000, 1.0, 1.0)
        conn.execute(
            "UPDATE tournaments SET state = 'finished', started_at = '2026-01-01T10:00:00.000Z',"
            " finished_at = '2026-01-01T10:00:04.000Z'"
        )
    done = CliRunner().invoke(plan, arguments)
    found = json.loads(CliRunner().invoke(plan, [*arguments, "--json"]).output)

    assert isinstance(none.exception, StoreError)
    assert "500 a second (as in 'Friday')" in done.output
    assert (found["decisions_per_second"], found["pace_is_measured"]) == (500, True)
    assert found["seconds"] == found["decisions"] / 500


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--gap", "2", "--format", "swiss"), ["--format would change nothing", "--gap"]),
        (("--gap", "2", "--bots", "8", "--legs", "2"), ["--bots and --legs"]),
        (("--confidence", "0.9"), ["--confidence would change nothing", "--gap"]),
        (("--format", "swiss", "--legs", "2"), ["legs = 2", "use rounds"]),
        (("--groups", "3"), ["groups = 3", "it is for groups"]),
        (("--games", "3", "--best-of", "5"), ["choose one of them"]),
    ],
)
def test_a_plan_refuses_what_would_change_nothing(
    arguments: tuple[str, ...], words: list[str]
) -> None:
    """As `arena run` does."""
    done = CliRunner().invoke(plan, list(arguments))

    assert done.exit_code != 0
    for word in words:
        assert word in done.output + str(done.exception)


def test_a_plan_is_of_what_run_would_play() -> None:
    """A bracket is best of five to 250 points unless it is told otherwise, and takes its time."""

    def planned(*arguments: str) -> dict[str, float]:
        done = CliRunner().invoke(plan, [*arguments, "--json"])
        found: dict[str, float] = json.loads(done.output)
        return found

    usual = planned("--format", "bracket", "--bots", "4")
    told = planned("--format", "bracket", "--bots", "4", "--best-of", "5", "--target", "250")
    short = planned("--format", "bracket", "--bots", "4", "--best-of", "5", "--target", "100")

    assert usual == told
    assert told["hands"] == pytest.approx(2.5 * short["hands"])
