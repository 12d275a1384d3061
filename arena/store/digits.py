"""Lists of whole numbers as short texts, for columns of which there are millions. Pure.

Numbers are written to base 26 with letters, A to Z for 0 to 25; the last digit of each is in lower
case, so nothing has to stand between them: 3, 0, 250 are ``d``, ``a``, ``Jq``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_BASE = 26
_NUMBER = re.compile("[A-Z]*[a-z]")
_NUMBERS = re.compile("([A-Z]*[a-z])*")


def write_digits(numbers: Iterable[int]) -> str:
    """The text of these numbers.

    :raises ValueError: one of them is negative.
    """
    return "".join(_SHORT[n] if 0 <= n < len(_SHORT) else _word(n) for n in numbers)


def read_digits(text: str) -> tuple[int, ...]:
    """The numbers that `write_digits` wrote.

    :raises ValueError: the text is of another kind.
    """
    if not _NUMBERS.fullmatch(text):
        raise ValueError(f"{text[:20]!r} are no numbers to base 26")
    words: list[str] = _NUMBER.findall(text)
    return tuple(_VALUES[word] if word in _VALUES else _value(word) for word in words)


def _word(number: int) -> str:
    if number < 0:
        raise ValueError(f"{number} is negative")
    number, last = divmod(number, _BASE)
    word = chr(ord("a") + last)
    while number:
        number, digit = divmod(number, _BASE)
        word = chr(ord("A") + digit) + word
    return word


def _value(word: str) -> int:
    value = 0
    for digit in word.lower():
        value = value * _BASE + ord(digit) - ord("a")
    return value


_SHORT = tuple(_word(number) for number in range(256))
"""The words of small numbers, which are nearly all."""

_VALUES = {word: number for number, word in enumerate(_SHORT)}
