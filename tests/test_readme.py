"""The README says what is true: its bot plays, its names exist, nothing is missing."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from arena.cli import COMMANDS
from arena.config import validate
from arena.config_file import from_mapping
from arena.rules.games import all_variants, find_variant
from arena.tournament.formats.registry import FORMATS, find_format

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_bot_of_the_readme_passes_the_conformance_check(tmp_path: Path) -> None:
    """It runs as printed, is short, and is ready to play."""
    (source,) = blocks("python")
    path = tmp_path / "hasty.py"
    path.write_text(source)
    code = [line for line in source.splitlines() if line.strip()]

    done = subprocess.run(
        [sys.executable, path, "--check"], capture_output=True, text=True, timeout=120, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "ready to play" in done.stdout
    assert len(code) < 15


def test_exit_codes_are_those_of_the_commands() -> None:
    """All of them, and those that a tournament ends with in the help of the commands too."""
    from click.testing import CliRunner

    from arena.cli import cli
    from arena.cli.playing import HALTED, INTERRUPTED

    (sentence,) = re.findall(r"Exit codes: (.*)\.", README)
    assert re.findall(r"\b\d+\b", sentence) == ["0", "1", "2", str(HALTED), str(INTERRUPTED)]
    for code in (0, 2, HALTED, INTERRUPTED):
        assert re.search(rf"\b{code}\b", CliRunner().invoke(cli, ["run", "--help"]).output)


def test_every_folder_is_listed_once() -> None:
    """In the table of where things are."""
    table = README.split("## Where things are")[1].split("\n## ")[0]
    folders = re.findall(r"`([a-z_/]+)/`", "\n".join(re.findall(r"^\| [^|]*\|", table, re.M)))

    assert sorted(folders) == sorted(set(folders))
    assert all((ROOT / folder).is_dir() for folder in folders)


def test_tournament_file_of_the_readme_is_valid() -> None:
    """Every key in it is known and its values make a tournament."""
    (text,) = blocks("toml")

    config = from_mapping(tomllib.loads(text), where="README")

    validate(config)


def test_commands_of_the_readme_exist() -> None:
    """No command or option is mentioned that is not there."""
    from click.testing import CliRunner

    from arena.cli import cli

    for name, rest in re.findall(r"^(?:\.venv/bin/)?arena ([a-z]+)(.*)$", README, re.MULTILINE):
        assert name in COMMANDS
        help_text = CliRunner().invoke(cli, [name, "--help"]).output
        for option in re.findall(r" (--[a-z-]+)", rest.split("#")[0]):
            assert option in help_text, f"arena {name} has no {option}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name: str) -> None:
    """A new command needs its place in the README."""
    assert re.search(rf"`?arena {name}\b|`{name}`", README), name


@pytest.mark.parametrize("name", [variant.name for variant in all_variants()])
def test_every_game_is_documented_with_title_and_summary(name: str) -> None:
    """`arena rules` and the pages print these; the README names the families."""
    variant = find_variant(name)

    assert variant.title
    assert variant.summary.endswith((".", "size.", "!"))
    assert all(setting.meaning and setting.allowed for setting in variant.family.settings())


def test_games_and_formats_of_the_readme_exist() -> None:
    """Both tables name only what there is, and every format."""
    games, formats = README.split("## Games")[1], README.split("## Games")[0]
    table = re.findall(r"^\| .* \| (`.*)\|$", games.split("## Why")[0], re.MULTILINE)
    for name in re.findall(r"`([a-z_0-9]+)`", " ".join(table)):
        find_variant(name)
    named = {find_format(name).name for name in re.findall(r"^\| `([a-z-]+)` \|", formats, re.M)}
    assert named == set(FORMATS)


def test_links_of_the_readme_lead_somewhere() -> None:
    """Every relative link is a file of the project."""
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        if "://" not in target:
            assert (ROOT / target).exists(), target


def test_changelog_names_the_version() -> None:
    """What is released is described."""
    from arena import __version__

    text = (ROOT / "CHANGELOG.md").read_text()

    assert "## Unreleased" in text or f"## {__version__}" in text
