"""What all SQL statements have in common."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import arena

NUMBERED = re.compile(r"\?\d")


def test_no_statement_has_numbered_parameters() -> None:
    """Python deprecates binding a list to them, and they are told from others with difficulty.

    A value that is wanted twice has a name: ``:id``.
    """
    found = [
        f"{path.name}:{node.lineno}: {node.value}"
        for path in Path(arena.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and NUMBERED.search(node.value)
    ]

    assert found == []
