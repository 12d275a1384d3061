"""Every key of a tournament's file is documented, and the documentation is what the code does."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.cli.keys import table
from arena.config import TournamentConfig, validate
from arena.config_file import from_mapping
from arena.config_keys import RANGES, keys
from arena.errors import ConfigError
from arena.referee.clock import CLOCK_RANGES
from arena.tournament.formats.registry import FORMATS, written

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "arena" / "cli" / "README.md").read_text()
TWO = {"bot": [{"name": "a", "url": "sample:keen"}, {"name": "b", "url": "sample:simple"}]}


def read(**values: Any) -> TournamentConfig:
    """A tournament of two bots, or of those given."""
    return from_mapping({**TWO, **values}, where="x")


def test_guide_has_the_table_that_the_code_makes() -> None:
    """A key that is new or changed changes the guide."""
    assert table() in GUIDE


def test_files_of_the_guide_are_valid() -> None:
    """They can be run as they are."""
    for text in GUIDE.split("```toml\n")[1:]:
        validate(from_mapping({"name": "x", **tomllib.loads(text.split("```")[0])}, where="guide"))


def test_formats_of_the_readme_are_those_of_the_code() -> None:
    """One line each, in the same words."""
    readme = (ROOT / "README.md").read_text()

    for format in FORMATS.values():
        assert f"| `{written(format.name)}` | {format.description} |" in readme


@pytest.mark.parametrize("name", RANGES)
def test_documented_ranges_are_those_that_are_taken(name: str) -> None:
    """Both ends are taken, and nothing beyond."""
    (allowed,) = (key.allowed for key in keys() if key.name == name)
    low, high = RANGES[name]
    format = next((key.formats[0] for key in keys() if key.name == name and key.formats), "swiss")

    assert allowed.endswith(f"from {low} to {high}")
    for value in (low, high):
        read(**{name: value, "format": format})
    for value in (low - 1, high + 1):
        with pytest.raises(ConfigError, match=f"{name} = {value}"):
            read(**{name: value, "format": format})


@pytest.mark.parametrize("name", CLOCK_RANGES)
def test_documented_clock_is_that_of_the_code(name: str) -> None:
    """Ranges and defaults."""
    (key,) = (key for key in keys() if key.name == f"clock.{name}")
    low, high = CLOCK_RANGES[name]

    assert key.allowed.endswith(f"from {low} to {high}")
    assert str(getattr(read().clock, name)) == key.default


def test_every_option_that_is_named_exists() -> None:
    """In the help of `arena run`, unless it says of which command."""
    for key in keys():
        for option in filter(None, key.option.split(", ")):
            word, _, command = option.partition(" of arena ")
            text = CliRunner().invoke(cli, [command or "run", "--help"]).output
            assert word.split()[0] in text, key.name


def test_command_prints_all_or_one() -> None:
    """For people and for programs; a slip is answered with the nearest key."""
    everything = CliRunner().invoke(cli, ["keys"]).output
    clock = json.loads(CliRunner().invoke(cli, ["keys", "clock", "--json"]).output)
    slip = CliRunner().invoke(cli, ["keys", "lesg"])

    assert all(key.name in everything and key.option in everything for key in keys())
    assert [key["name"] for key in clock] == [f"clock.{name}" for name in CLOCK_RANGES]
    assert "did you mean 'legs'" in str(slip.exception)


def test_who_has_to_be_there_is_kept_with_the_tournament() -> None:
    """So that it holds when it is resumed, or started on a page."""
    config = read(all_present=True, patience_s=2.5)
    kept = TournamentConfig.from_json(config.to_json())
    before = {name: value for name, value in read().to_json().items() if name != "patience_s"}

    assert (kept.all_present, kept.patience_s) == (True, 2.5)
    assert TournamentConfig.from_json(before).patience_s is None
    for name, value in (("patience_s", -1), ("patience_s", "long"), ("all_present", "yes")):
        with pytest.raises(ConfigError, match=f"{name} = "):
            read(**{name: value})


def test_champion_of_a_gauntlet_has_a_name() -> None:
    """A number does too; a bot that is called by a number is meant before it."""
    numbered = [*TWO["bot"], {"name": "0", "url": "sample:keen"}]

    assert read(format="gauntlet", champion="b").options.champion == 1
    assert read(format="gauntlet", champion=1).options.champion == 1
    assert read(format="gauntlet", champion="1").options.champion == 1
    assert read(format="gauntlet", champion="0", bot=numbered).options.champion == 2
    with pytest.raises(ConfigError, match="champion = 'c': no bot of that name; there are: a, b"):
        read(format="gauntlet", champion="c")
