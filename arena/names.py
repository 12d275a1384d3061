"""Names of bots and tournaments: what may be one, and which two are too alike.

Pure. A name is shown on pages, terminals and in exports to people who must be able to tell it
from every other, so invisible and direction-changing marks are refused and look-alikes share a key.
Joiners stay where a script or a picture needs them, and make no other name.
"""

from __future__ import annotations

import unicodedata

from arena.errors import ConfigError
from arena.joiners import JOINERS, belongs

MAX_NAME = 64

_LOOK_ALIKES = str.maketrans(
    "01аеорсухкмтвніјѕԁԛԝαενικορτυχβ",
    "oiaeopcyxkmtbhijsdqwaevikoptuxb",
)
"""Digits, Cyrillic and Greek letters that pass for Latin ones after case folding."""

_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters and marks that show nothing."""

_STYLES = frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10),
                              *range(0xE0100, 0xE01F0))))  # fmt: skip
"""Marks that choose between two forms of the character before them."""


def check_name(name: str, field: str) -> None:
    """Refuse a name that people could not read, tell apart or print.

    :raises ConfigError: naming the field, the fault and the fix.
    """
    if not isinstance(name, str) or not name.strip():
        raise ConfigError(f"{field} is empty; give it 1 to {MAX_NAME} characters")
    if len(name) > MAX_NAME:
        raise ConfigError(f"{field} has {len(name)} characters; at most {MAX_NAME} are allowed")
    if name != name.strip():
        raise ConfigError(f"{field} {name!r} begins or ends with a space; leave it out")
    for at, character in enumerate(name):
        if character in JOINERS and belongs(name, at):
            continue
        category = unicodedata.category(character)
        if (
            category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
            or (category == "Zs" and character != " ")
            or character in _FILLERS
        ):
            raise ConfigError(
                f"{field} {name!r} holds the invisible character U+{ord(character):04X}; "
                "leave it out"
            )
    marks = 0
    for character in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > 2:
            raise ConfigError(f"{field} {name!r} stacks accents; use at most two a letter")
    if not any(unicodedata.category(character)[0] in "LN" for character in name):
        raise ConfigError(f"{field} {name!r} has no letter or digit; add one")


def name_key(name: str) -> str:
    """Equal for names that a person could take for the same: case, width, accents, look-alikes,
    and what shows nothing by itself."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    bare = "".join(
        character
        for character in folded
        if not unicodedata.combining(character)
        and not character.isspace()
        and character not in JOINERS
        and character not in _STYLES
    )
    return bare.translate(_LOOK_ALIKES).replace("rn", "m").replace("vv", "w").replace("l", "i")
