"""What the reason codes of failed calls mean, from the protocol's own table."""

from __future__ import annotations

import importlib.resources
import re
from functools import lru_cache

ANCHOR = "status-codes"
"""Where the protocol's page has the table."""

LINE = re.compile(r"^\| `(?P<code>\w+)` \| (?P<meaning>[^|]+) \|", re.MULTILINE)


@lru_cache(maxsize=1)
def meanings() -> dict[str, str]:
    """Each code with its meaning in one line."""
    text = importlib.resources.files("arena.protocol").joinpath("README.md").read_text("utf-8")
    table = text.split("### Status codes", 1)[-1].split("\n#", 1)[0]
    return {match["code"]: match["meaning"].replace("`", "") for match in LINE.finditer(table)}


def fault_meaning(code: str) -> str:
    """What a code means, empty for one that this version of the protocol does not know."""
    return meanings().get(code, "")
