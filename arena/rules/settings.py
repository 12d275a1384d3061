"""Checking rule settings: one row a setting, one way to refuse a value.

A family lists its settings as `Row`s. This module knows no game; it checks values one by one,
names the nearest setting for an unknown one, and reads values from text (command line, TOML
strings). What contradicts what is the family's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from arena.errors import InvalidSettings
from arena.nearest import did_you_mean
from arena.rules.base import RulesRecord, Setting


class Row(NamedTuple):
    """One setting: what it means, what it may be in words, and whether a value is allowed.

    ``none_is_word``: "none" is one of the words it may be, not the absence of a value.
    """

    name: str
    meaning: str
    allowed: str
    accepts: Callable[[object], bool]
    none_is_word: bool = False


def flag(name: str, meaning: str) -> Row:
    """A setting that is true or false."""
    return Row(name, meaning, "true or false", lambda value: isinstance(value, bool))


def whole(name: str, meaning: str, least: int, most: int, *, none: str = "") -> Row:
    """A whole number in a range; with ``none``, also none, which then means that text."""
    allowed = f"a whole number from {least} to {most}"
    if none:
        allowed += f", or none ({none})"

    def accepts(value: object) -> bool:
        if value is None:
            return bool(none)
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

    return Row(name, meaning, allowed, accepts)


def choice(name: str, meaning: str, *values: str | int) -> Row:
    """One of a few words or numbers."""

    def accepts(value: object) -> bool:
        return not isinstance(value, bool) and isinstance(value, str | int) and value in values

    allowed = "one of " + ", ".join(str(value) for value in values)
    return Row(name, meaning, allowed, accepts, none_is_word="none" in values)


def settings_of(rows: Sequence[Row], standard: RulesRecord) -> tuple[Setting, ...]:
    """These settings for people; the defaults are the values of the standard rules."""
    defaults = standard.as_dict()
    return tuple(Setting(row.name, row.meaning, row.allowed, defaults[row.name]) for row in rows)


def check_names(names: Iterable[object], rows: Sequence[Row]) -> None:
    """Refuse names that are no settings.

    :raises InvalidSettings: naming the unknown setting and the nearest known one.
    """
    known = [row.name for row in rows]
    for name in names:
        if name not in known:
            text = str(name)[:40]
            hint = did_you_mean(text, known) or "; known settings: " + ", ".join(known)
            raise InvalidSettings(f"{text!r} is no rule setting{hint}", field=text)


def none_as_word(changes: Mapping[str, object], rows: Sequence[Row]) -> dict[str, object]:
    """The changes with None as the word "none" for settings that have that word.

    On a command line ``shutout=none`` and ``big_gin_bonus=none`` look alike.
    """
    words = {row.name for row in rows if row.none_is_word}
    return {
        name: "none" if value is None and name in words else value
        for name, value in changes.items()
    }


def check_values(values: Mapping[str, object], rows: Sequence[Row]) -> None:
    """Refuse values of the wrong type or out of range.

    :raises InvalidSettings: naming the setting, the value and what is allowed.
    """
    for row in rows:
        if row.name in values and not row.accepts(values[row.name]):
            raise InvalidSettings(
                f"{row.name} is {show_value(values[row.name])}, but must be {row.allowed}",
                field=row.name,
            )


def show_value(value: object) -> str:
    """A value as an organiser would write it."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


def parse_setting(name: str, text: str) -> object:
    """The value that a text stands for, as given on a command line.

    ``true``/``false`` (also yes/no, on/off) become booleans, ``none``/``null`` becomes None, a row
    of digits a whole number, anything else stays text. Whether the setting takes such a value is
    checked when it is applied.

    :raises InvalidSettings: the text is empty.
    """
    word = text.strip()
    if not word:
        raise InvalidSettings(f"{name} has no value; write {name}=VALUE", field=name)
    lower = word.lower()
    if lower in {"true", "yes", "on"}:
        return True
    if lower in {"false", "no", "off"}:
        return False
    if lower in {"none", "null"}:
        return None
    if re.fullmatch(r"[+-]?[0-9]{1,9}", word):
        return int(word)
    return word
