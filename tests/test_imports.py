"""Who may import whom: one direction, so that the pure parts stay pure."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ARENA = ROOT / "arena"

ALLOWED = {
    "arena/errors.py": set(),
    "arena/arrays.py": set(),
    "arena/files.py": {"arena.errors"},
    "arena/fixture.py": set(),
    "arena/nearest.py": set(),
    "arena/shortage.py": {"arena.errors"},
    "arena/joiners.py": set(),
    "arena/names.py": {"arena.errors", "arena.joiners"},
    "arena/rules": {"arena.errors", "arena.nearest", "arena.rules"},
    "arena/referee": {"arena.errors", "arena.nearest", "arena.rules", "arena.referee"},
    "arena/store": {
        "arena.errors",
        "arena.files",
        "arena.fixture",
        "arena.names",
        "arena.referee",
        "arena.store",
    },
    "arena/wire": {
        "arena",
        "arena.errors",
        "arena.nearest",
        "arena.referee",
        "arena.rules",
        "arena.shortage",
        "arena.wire",
    },
}
"""For each part: what of the arena it may import."""

PURE_PARTS = ("formats", "statistics", "ranking", "match.py", "model.py")
"""Parts of `arena.tournament` that touch neither the store, nor the network, nor threads."""

PURE = {
    "abc", "bisect", "collections", "contextlib", "dataclasses", "difflib", "enum", "fractions",
    "functools", "hashlib", "hmac", "itertools", "json", "math", "operator", "re", "statistics",
    "struct", "types", "typing",
}  # fmt: skip
"""Modules of the standard library that do no I/O."""


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (
                f"{node.module}.{alias.name}"
                if (ARENA.parent / node.module.replace(".", "/") / f"{alias.name}.py").exists()
                else node.module
                for alias in node.names
            )


def within(module: str, allowed: set[str]) -> bool:
    """Whether a module is one of these or inside one of them."""
    return module in allowed or any(
        module.startswith(f"{name}.") for name in allowed if name != "arena"
    )


@pytest.mark.parametrize("part", sorted(ALLOWED))
def test_imports_go_one_way(part: str) -> None:
    """A part of the arena imports only what lies below it."""
    place = ROOT / part
    files = [place] if place.is_file() else sorted(place.rglob("*.py"))

    wrong = [
        (str(path.relative_to(ROOT)), module)
        for path in files
        for module in imports(path)
        if module.split(".")[0] == "arena" and not within(module, ALLOWED[part])
    ]

    assert not wrong


def test_rules_and_referee_do_no_input_or_output() -> None:
    """Only pure parts of the standard library are imported there."""
    wrong = [
        (str(path.relative_to(ROOT)), module)
        for part in ("rules", "referee")
        for path in sorted((ARENA / part).rglob("*.py"))
        for module in imports(path)
        if module.split(".")[0] not in PURE | {"arena", "__future__"} and module != "base64"
    ]

    assert not wrong


def test_pure_parts_of_tournaments_touch_nothing_outside() -> None:
    """Schedules, standings and ratings import no store, no network and no thread."""
    places = [ARENA / "tournament" / part for part in PURE_PARTS]
    allowed = {
        "arena.arrays",
        "arena.errors",
        "arena.fixture",
        "arena.nearest",
        "arena.rules",
        "arena.referee.verdicts",
        "numpy",
        *(f"arena.tournament.{part.removesuffix('.py')}" for part in PURE_PARTS),
    }
    wrong = [
        (str(path.relative_to(ARENA)), module)
        for place in places
        for path in ([place] if place.is_file() else sorted(place.rglob("*.py")))
        for module in imports(path)
        if not within(module, allowed) and module.split(".")[0] not in PURE | {"__future__"}
    ]

    assert not wrong


def test_only_one_module_imports_requests() -> None:
    """Everything that calls a bot goes through the client."""
    users = {
        str(path.relative_to(ARENA))
        for path in ARENA.rglob("*.py")
        if any(module.split(".")[0] in {"requests", "urllib3"} for module in imports(path))
    }

    assert users == {"wire/client.py"}


def test_nobody_imports_the_command_line() -> None:
    """The command line is the outermost part."""
    users = [
        str(path.relative_to(ARENA))
        for path in ARENA.rglob("*.py")
        if path.parent.name != "cli"
        and path.name != "__main__.py"
        and any(within(module, {"arena.cli"}) for module in imports(path))
    ]

    assert not users


def test_arena_is_the_only_root_of_imports() -> None:
    """Otherwise a process has two copies of a module: ``arena.sample_bots`` and ``sample_bots``."""
    roots = {"sample_bots", "protocol", "web"}
    wrong = [
        (str(path.relative_to(ROOT)), module)
        for part in ("arena", "sample_bots", "tests")
        for path in sorted((ROOT / part).rglob("*.py"))
        for module in imports(path)
        if module.split(".")[0] in roots
    ]

    assert not wrong


def test_standard_library_list_is_of_this_python() -> None:
    """A slip in the list of pure modules would allow nothing."""
    assert set(sys.stdlib_module_names) >= PURE
