"""Compiled rules are the same rules: they pass the tests of the plain ones."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from arena.building.backend import COMPILED
from tests.packaging.wheels import ROOT, wheel_of_checkout

SUITES = (
    "tests/rules/gin",
    "tests/rules/indian/test_groups.py",
    "tests/rules/indian/test_hand.py",
    "tests/rules/indian/test_perft.py",
    "tests/rules/indian/test_points.py",
    "tests/rules/indian/test_vectors.py",
    "tests/rules/test_cards.py",
    "tests/rules/test_deal.py",
    "tests/rules/test_layoffs.py",
    "tests/rules/test_melds.py",
    "tests/rules/test_perft.py",
    "tests/rules/test_vectors.py",
    "tests/rules/test_whole_game.py",
)
"""What stands on the compiled modules: cases with known answers, brute force, whole games."""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled package and the tests, and no other copy of the arena."""
    folder = tmp_path_factory.mktemp("compiled")
    with zipfile.ZipFile(wheel_of_checkout(folder, compiled=True)) as archive:
        archive.extractall(folder)
    shutil.rmtree(folder / "source")
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.mark.timeout(600)
def test_compiled_rules_pass_the_tests_of_the_plain_ones(compiled: Path) -> None:
    """The package that is installed with ``ARENA_COMPILED=1``."""
    for at, names in COMPILED.items():
        for name in names:
            assert (compiled / at / f"{name}{EXTENSION_SUFFIXES[0]}").exists()
    where = subprocess.run(
        [sys.executable, "-c", "import arena.rules.melds as it; print(it.__file__)"],
        cwd=compiled,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert Path(where.strip()).is_relative_to(compiled)
    assert where.strip().endswith(EXTENSION_SUFFIXES[0])

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SUITES],
        cwd=compiled,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-5000:]
    assert " passed" in done.stdout


def test_compiled_and_plain_rules_play_the_same_hands(compiled: Path) -> None:
    """Every view, every list of legal actions and every record of every game, byte for byte."""
    program = Path(__file__).parent / "every_game.py"
    plain, other = (
        subprocess.run(
            [sys.executable, "-P", program],
            env={**os.environ, "PYTHONPATH": str(root)},
            capture_output=True,
            check=True,
        ).stdout.splitlines()
        for root in (ROOT, compiled)
    )

    differing = next((pair for pair in zip(plain, other, strict=True) if pair[0] != pair[1]), None)
    assert differing is None
    assert len(plain) > 5_000
