"""How numbers, dates and words are written on pages. Pure; what has no value is a dash."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from markupsafe import Markup, escape

DASH: Final = "–"
MINUS: Final = "\N{MINUS SIGN}"
THIN: Final = "\N{NARROW NO-BREAK SPACE}"


def number(value: float | None, places: int = 0) -> str:
    """Digits in groups of three, a real minus sign; a dash for None, NaN and infinities."""
    if value is None or not math.isfinite(value):
        return DASH
    text = f"{value:,.{places}f}".replace(",", THIN)
    if text.startswith("-"):
        text = text[1:]
        return text if not text.strip(f"0.{THIN}") else MINUS + text
    return text


def signed(value: float | None, places: int = 0) -> str:
    """A number with its sign, unless it is zero as written."""
    text = number(value, places)
    if value is None or text == DASH or text.startswith(MINUS) or not text.strip(f"0.{THIN}"):
        return text
    return f"+{text}"


def halves(value: float | None) -> str:
    """Match points: ``3``, ``3½``."""
    if value is None or not math.isfinite(value):
        return DASH
    whole, rest = divmod(value, 1)
    if rest == 0.5:
        return f"{number(whole) if whole else ''}½"
    return number(value) if rest == 0 else number(value, 2)


def percent(share: float | None, places: int = 0) -> str:
    """A share of 1 as a percentage."""
    return DASH if share is None or not math.isfinite(share) else f"{number(100 * share, places)}%"


def chance(share: float) -> str:
    """A probability as a percentage that is never quite none or all."""
    return ">99%" if share > 0.995 else "<1%" if share < 0.005 else f"{100 * share:.0f}%"


def plural(count: int, noun: str, many: str | None = None) -> str:
    """``1 hand``, ``2 hands``, ``2 matches``."""
    if many is None:
        many = noun + ("es" if noun.endswith(("ch", "s", "x", "sh")) else "s")
    return f"{number(count)} {noun if count == 1 else many}"


def moment(stamp: str | None) -> str:
    """A time stamp of the store for people, in UTC: ``29 Nov 2026, 20:40 UTC``."""
    if not stamp:
        return DASH
    when = datetime.fromisoformat(stamp)
    return f"{when.day} {when:%b %Y, %H:%M} UTC"


def day(stamp: str | None) -> str:
    """The day of a time stamp for people, in UTC: ``29 Nov 2026``."""
    if not stamp:
        return DASH
    when = datetime.fromisoformat(stamp)
    return f"{when.day} {when:%b %Y}"


def duration(ms: float | None) -> str:
    """``850 ms``, ``2.4 s``, ``3 min 20 s``, ``2 h 5 min``."""
    if ms is None or not math.isfinite(ms):
        return DASH
    if ms < 1000:
        return f"{number(ms, 1 if ms < 10 and ms % 1 else 0)} ms"
    seconds = ms / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, seconds = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {seconds} s" if seconds else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def words(code: str | None) -> str:
    """A code as words: ``double_forfeit`` → ``double forfeit``."""
    return DASH if not code else code.replace("_", " ").replace("-", " ")


def isolated(text: str, names: Iterable[str]) -> Markup:
    """A text with the names in it as elements of their own, whose direction is theirs alone.

    Else a name from right to left would turn the score round that follows it.
    """
    known = sorted(filter(None, set(names)), key=len, reverse=True)
    if not known:
        return escape(text)
    parts = re.split(
        "(" + "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in known) + ")", text
    )
    return Markup("").join(
        Markup("<bdi>{}</bdi>").format(part) if at % 2 else part for at, part in enumerate(parts)
    )


def sentence(text: str | None) -> str:
    """The text with a capital at its start."""
    return text[:1].upper() + text[1:] if text else ""
