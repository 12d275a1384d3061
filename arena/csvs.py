"""CSV that spreadsheets open without running anything. Pure.

A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay
numbers. Lines end in CRLF, as RFC 4180 has it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe(value: object) -> object:
    """The value as a cell: texts that begin like a formula are made plain."""
    if isinstance(value, str):
        bare = value.lstrip(" \"'")
        return f"'{value}" if value.startswith(RISKY) or bare.startswith(RISKY) else value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return "" if value is None else value


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The whole file."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([safe(name) for name in header])
    writer.writerows([safe(value) for value in row] for row in rows)
    return out.getvalue()
