"""The rulebook's test vectors, and how their presets become rules."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from arena.rules.gin.rules import GinRules

VECTORS = Path(__file__).parents[1] / "data" / "vectors.json"


@cache
def _file() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(VECTORS.read_text(encoding="utf-8"))
    return content


def cases(*categories: str) -> list[Any]:
    """The vectors of these categories."""
    found = [case for case in _file()["vectors"] if case["category"] in categories]
    assert {case["category"] for case in found} == set(categories), "a category has no vectors"
    return found


def case_id(case: Any) -> str:
    """The name of a vector in test output."""
    return str(case["id"])


@cache
def preset(name: str) -> GinRules:
    """The rules that a preset of the vectors stands for."""
    values = dict(_file()["presets"][name])
    values["knock_card_source"] = "upcard" if values.pop("oklahoma") else "none"
    return GinRules(**values)


def preset_names() -> list[str]:
    """All presets of the file."""
    return list(_file()["presets"])
