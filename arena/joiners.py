"""Where the two invisible joiners of Unicode mean something in a name. Pure.

The zero width non-joiner (U+200C) and joiner (U+200D) are part of how Persian, Urdu, Sinhala, Hindi
and others are written, and the joiner makes one picture of several. Elsewhere they are invisible,
and two names with and without one would look the same. The rules are those of Unicode for
identifiers (UAX #31, contexts A1, A2 and B) and of emoji sequences (UTS #51).
"""

from __future__ import annotations

import unicodedata

NON_JOINER, JOINER = "\u200c", "\u200d"
JOINERS = (NON_JOINER, JOINER)

_EMOJI_STYLE = "\ufe0f"
_SKINS = range(0x1F3FB, 0x1F400)
_VIRAMA = 9
"""Combining class of the marks that take a vowel away, after which a joiner chooses the form."""


def _ranges(text: str) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split():
        first, _, last = part.partition("-")
        found.update(range(int(first, 16), int(last or first, 16) + 1))
    return frozenset(found)


_JOINING_BOTH = _ranges(
    "620 626 628 62a-62e 633-63f 641-647 649-64a 66e-66f 678-687 69a-6bf 6c1-6c2 6cc 6ce 6d0-6d1"
    " 6fa-6fc 6ff 712-714 71a-71d 71f-727 729 72b 72d-72e 74e-758 75c-76a 76d-770 772 775-777"
    " 77a-77f 7ca-7ea 841-845 848 84a-853 855 860 862-865 868 886 889-88d 8a0-8a9 8af-8b0 8b3-8b8"
    " 8ba-8c8"
)
"""Letters of Arabic, Syriac, N'Ko and Mandaic that join on both sides (Joining_Type=D)."""

_JOINING_BEFORE = _ranges(
    "622-625 627 629 62f-632 648 671-673 675-677 688-699 6c0 6c3-6cb 6cd 6cf 6d2-6d3 6d5 6ee-6ef"
    " 710 715-719 71e 728 72a 72c 72f 74d 759-75b 76b-76c 771 773-774 778-779 840 846-847 849 854"
    " 856-858 867 869-86a 870-882 88e 8aa-8ac 8ae 8b1-8b2 8b9"
)
"""Those that join the letter before them only (Joining_Type=R)."""


def belongs(text: str, at: int) -> bool:
    """Whether the joiner at this index changes how the text around it is shown."""
    joiner = text[at]
    before, after = _without_marks(text[:at][::-1]), _without_marks(text[at + 1 :])
    if joiner == NON_JOINER and before and after:
        parts = ord(before[0]) in _JOINING_BOTH
        if parts and ord(after[0]) in _JOINING_BOTH | _JOINING_BEFORE:
            return True
    if _follows_virama(text, at):
        following = text[at + 1 : at + 2]
        if joiner == NON_JOINER:
            return bool(after) and _is_letter(after[0])
        return not following or not _is_mark(following)
    return joiner == JOINER and _joins_pictures(text, at)


def _follows_virama(text: str, at: int) -> bool:
    """Whether a letter without its vowel stands before, perhaps with other marks."""
    place = at - 1
    while place > 0 and unicodedata.combining(text[place]) not in (0, _VIRAMA):
        place -= 1
    if place < 1 or unicodedata.combining(text[place]) != _VIRAMA:
        return False
    before = _without_marks(text[:place][::-1])
    return bool(before) and _is_letter(before[0])


def _joins_pictures(text: str, at: int) -> bool:
    """Whether pictures stand on both sides; the first may have a skin or a style."""
    place = at - 1
    while place > 0 and (text[place] == _EMOJI_STYLE or ord(text[place]) in _SKINS):
        place -= 1
    return place >= 0 and _is_picture(text[place]) and _is_picture(text[at + 1 : at + 2])


def _is_picture(character: str) -> bool:
    # The arrow is the only picture of emoji sequences that Unicode counts as a mathematical sign.
    return character == "\u2194" or (
        character >= "\u2190" and unicodedata.category(character) == "So"
    )


def _is_letter(character: str) -> bool:
    return unicodedata.category(character).startswith("L")


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")


def _without_marks(text: str) -> str:
    """The text from its first character that is no mark."""
    return text.lstrip("".join(character for character in set(text) if _is_mark(character)))
