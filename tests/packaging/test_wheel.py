"""The wheel holds everything that the checkout has, and works from an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.packaging.wheels import ROOT, wheel_of_checkout

MAPPED = {"arena.protocol": "protocol", "arena.sample_bots": "sample_bots", "arena.web": "web"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, as everybody gets it."""
    return wheel_of_checkout(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked into a folder that comes first on the path."""
    target = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def arena(installed: Path, folder: Path, arguments: Sequence[str]) -> str:
    """What the installed command prints, run from an empty folder."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "arena", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_only_one_name_is_installed_at_the_top(wheel: Path) -> None:
    """No `web`, `protocol` or `tests` that could hide another project's."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}

    assert {top for top in tops if not top.endswith(".dist-info")} == {"arena"}


def test_every_package_of_the_checkout_is_listed() -> None:
    """A new folder with Python in it has to be added to the list of packages."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        listed = set(tomllib.load(file)["tool"]["setuptools"]["packages"])
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in (ROOT / "arena").rglob("__init__.py")
    }

    assert listed == found | set(MAPPED)


def test_every_data_file_is_in_the_wheel(wheel: Path) -> None:
    """Templates, static files, schemas, examples and bots of the checkout are all shipped."""
    with zipfile.ZipFile(wheel) as archive:
        shipped = set(archive.namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *MAPPED.values()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")

    missing = [name for name in filter(None, tracked) if f"arena/{name}" not in shipped]

    assert not missing


def test_installed_wheel_plays_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    """Sample bots, schemas and rules are found without the checkout."""
    where = subprocess.run(
        [sys.executable, "-P", "-c", "import arena; print(arena.__file__)"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert Path(where.strip()).is_relative_to(installed)

    played = arena(
        installed,
        tmp_path,
        ["run", "--bot", "a=sample:simple", "--bot", "b=sample:random_bot", "--games", "1",
         "--db", "x.db"],
    )  # fmt: skip

    assert "a beats b" in played
    assert "verified" in arena(installed, tmp_path, ["verify", "x.db"])
