"""The tree of errors."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from arena import errors

ARENA = Path(__file__).parents[1] / "arena"


def test_the_tree_has_every_error_below_the_one_it_is_derived_from() -> None:
    """The text at the top of the module is what all modules of the arena define."""
    assert errors.__doc__
    path: list[str] = []
    told = {}
    for line in errors.__doc__.splitlines():
        found = re.match(r"([│├└─ ]*)([A-Z]\w+)(?: {2,}| \(|$)", line)
        if found:
            depth = len(found[1]) // 4
            path = [*path[:depth], found[2]]
            told[found[2]] = path[depth - 1] if depth else "Exception"

    bases = {
        node.name: base.id
        for file in ARENA.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ClassDef)
        for base in node.bases[:1]
        if isinstance(base, ast.Name)
    }
    defined = {"ArenaError": "Exception"}
    while more := {
        name: base for name, base in bases.items() if base in defined and name not in defined
    }:
        defined |= more

    assert told == defined
