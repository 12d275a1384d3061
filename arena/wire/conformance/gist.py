"""What of a decision request its author has to see to understand a wrong answer."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from arena.wire import schemas

WIDTH: Final = 280


def gist(request: Mapping[str, Any]) -> list[str]:
    """Lines: which decision it is, the cards, what is legal, and fields beyond the protocol."""
    lines = [
        f"{request['request_id']}: {request['variant']}, phase {request['phase']}",
        f"cards: {' '.join(request['cards'])}; {_around(request)}",
        "legal: " + ", ".join(str(each["id"]) for each in request["legal"]),
    ]
    unknown = [name for name in request if name not in _known()]
    if unknown:
        lines.append(f"fields of a later protocol: {', '.join(unknown)}")
    return [part for line in lines for part in textwrap.wrap(line, WIDTH)]


def _around(request: Mapping[str, Any]) -> str:
    told = []
    if request["drawn"] is not None:
        source = "discard pile" if request["taken"] else "stock"
        told.append(f"{request['drawn']} just drawn from the {source}")
    told.append(f"upcard {request['upcard'] or 'none'}")
    if request["knock_limit"] is not None:
        told.append(f"knock limit {request['knock_limit']}")
    if request["wild"] is not None:
        told.append(f"wild rank {request['wild']}")
    return ", ".join(told)


@cache
def _known() -> frozenset[str]:
    return frozenset(schemas.documents()["decision"]["properties"])
