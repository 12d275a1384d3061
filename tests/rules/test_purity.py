"""The rules folder does no I/O, reads no clock and draws no random number: its imports show it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import arena.rules

RULES = Path(arena.rules.__file__).parent

PURE = {
    "__future__",
    "bisect",
    "collections",
    "dataclasses",
    "difflib",
    "enum",
    "functools",
    "hashlib",
    "heapq",
    "hmac",
    "itertools",
    "json",
    "math",
    "operator",
    "re",
    "struct",
    "types",
    "typing",
}
"""Parts of the standard library whose results depend on their arguments alone."""

IMPURE_NAMES = {"open", "print", "input", "exec", "eval", "hash", "id"}
"""Built-in functions that do I/O, or whose results differ from process to process."""


def imports(tree: ast.AST) -> list[tuple[int, str]]:
    """Line and dotted name of every import, wherever in the file it stands."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import"
            found.append((node.lineno, node.module or ""))
    return found


def impurities(source: str) -> list[str]:
    """What is not pure in a module."""
    tree = ast.parse(source)
    found = [
        f"line {line}: imports {name}"
        for line, name in imports(tree)
        if name.split(".")[0] not in PURE
        and name not in {"arena.errors", "arena.nearest"}
        and not (name == "arena.rules" or name.startswith("arena.rules."))
    ]
    found += [
        f"line {node.lineno}: calls {node.func.id}()"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in IMPURE_NAMES
    ]
    return found


@pytest.mark.parametrize(
    "path", sorted(RULES.rglob("*.py")), ids=lambda path: str(path.relative_to(RULES))
)
def test_module_is_pure(path: Path) -> None:
    """Only pure parts of the standard library, the error tree and the rules themselves."""
    assert impurities(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "import requests",
        "def f():\n    import time",
        "from os import path",
        "from arena.referee import verdicts",
        "import arena.store",
        "x = hash('a')",
        "print(1)",
        "from datetime import datetime",
    ],
)
def test_the_check_finds_what_is_not_pure(source: str) -> None:
    """The test above would notice an import or call that does not belong."""
    assert impurities(source)
