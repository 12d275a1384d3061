"""Long lists a page at a time, and large square tables a window at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flask import request

from arena.site.http.respond import urls

Window = tuple[str, str, bool]
"""Text, address, and whether it is the one shown."""

CROSS_WINDOW = 25
"""Rows and columns of a large square table that are shown at once."""


@dataclass(frozen=True, slots=True)
class Pager:
    """Where one is in a long list. Addresses are None at either end."""

    page: int
    pages: int
    first: int
    last: int
    count: int
    before: str | None
    after: str | None


def _start(name: str, count: int) -> int:
    """Where the window of rows or columns asked for begins, clamped to what there is."""
    text = request.args.get(name, "1")
    start = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
    return (max(1, min(start, count or 1)) - 1) // CROSS_WINDOW * CROSS_WINDOW


def window(
    slug: str, section: str, count: int
) -> tuple[slice, slice, tuple[Window, ...], tuple[Window, ...]]:
    """The rows and columns of a large square table to show, and links to its other windows."""
    at = {name: _start(name, count) for name in ("row", "column")}

    def links(name: str) -> tuple[Window, ...]:
        if count <= CROSS_WINDOW:
            return ()
        query = {key: start + 1 for key, start in at.items()}
        return tuple(
            (
                f"{start + 1}–{min(start + CROSS_WINDOW, count)}",
                urls().section(slug, section, **{**query, name: start + 1}),
                start == at[name],
            )
            for start in range(0, count, CROSS_WINDOW)
        )

    def cut(name: str) -> slice:
        return slice(at[name], at[name] + CROSS_WINDOW)

    return cut("row"), cut("column"), links("row"), links("column")


def paged(count: int, per_page: int, address: Callable[[int], str]) -> tuple[Pager, slice]:
    """The page of a long list that the query asks for: its pager and its part of the list."""
    number = page_number(count, per_page)
    pages = (count + per_page - 1) // per_page or 1
    first = (number - 1) * per_page
    last = min(first + per_page, count)

    def at(page: int) -> str | None:
        return address(page) if 1 <= page <= pages else None

    pager = Pager(
        number, pages, first + 1 if count else 0, last, count, at(number - 1), at(number + 1)
    )
    return pager, slice(first, last)


def page_number(count: int, per_page: int) -> int:
    """The page of a list that the query asks for, clamped to what there is."""
    text = request.args.get("page", "1")
    asked = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
    return max(1, min(asked, (count + per_page - 1) // per_page or 1))
