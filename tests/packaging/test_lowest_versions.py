"""The lower bounds in pyproject.toml are true: with exactly those versions the arena works."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUITES = (
    "tests/bot/test_app.py",
    "tests/cli/test_demo.py",
    "tests/rules/test_vectors.py",
    "tests/site/test_pages.py",
    "tests/store",
    "tests/wire/test_messages.py",
)
"""What stands on the dependencies: messages, database, pages, a whole tournament."""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the oldest versions were built before it")
@pytest.mark.timeout(600)
def test_arena_works_with_the_oldest_versions_it_allows(tmp_path: Path) -> None:
    """All of them together, in an environment of its own."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    oldest = [need.replace(">=", "==") for need in project["dependencies"]]
    tools = ("hypothesis", "pytest", "pytest-timeout", "setuptools")
    needed = [
        need
        for need in project["optional-dependencies"]["test"]
        if need.partition(">=")[0] in tools
    ]
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, *oldest, *needed], check=True)
    subprocess.run(
        [*install, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], check=True
    )

    done = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SUITES],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-5000:]
    assert " passed" in done.stdout
