"""A hand as one line of text that a person can read and a program can replay.

The record of a hand is complete: the game and its changed rules, who sat where, the order of the
deck, every action with the melds stated and the faults it stood in for, and the result. Nothing
else is needed to play it again, on any machine and in any language::

    H1 gin 0,1* 7H8C… p p s7H u2C sk9D = knock 5,0 w0 k0 9C9D9H,KCKDKH+5S2D=7 4S5S6S+QH>8H=12

The grammar, and this line word by word, stand in the protocol's README, "Records of hands".

This module knows no game: actions are ids. `record` replays what was read here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NoReturn

from arena.errors import InvalidAction, InvalidRecord
from arena.rules.base import (
    DealPlan,
    Ending,
    HandOutcome,
    Melds,
    Shown,
    Variant,
    action,
)

FORMAT: Final = "H1"

_CARD: Final = "(?:[A2-9TJQK][CDHS]|JK)"
_CARDS: Final = re.compile(f"(?:{_CARD})*")
_GAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_SEATS: Final = re.compile(r"[0-9]{1,3}\*?(?:,[0-9]{1,3}\*?)*")
_STEP: Final = re.compile(
    r"(?P<act>[^\[\]!~]+)(?:\[(?P<melds>[^\[\]!~]*)\])?(?:!(?P<fault>[a-z_]+))?(?P<late>~)?"
)
_SHORT: Final = re.compile(f"(?P<draw>[su])?(?P<knock>k)?(?P<card>{_CARD})")
_POINTS: Final = re.compile(r"-?[0-9]{1,9}(?:,-?[0-9]{1,9})*")
_SHOWN: Final = re.compile(
    rf"(?P<melds>(?:(?:{_CARD})+(?:,(?:{_CARD})+)*)?)(?:\+(?P<loose>(?:{_CARD})*))?"
    rf"(?:>(?P<laid>(?:{_CARD})*))?=(?P<value>-?[0-9]{{1,9}})"
)

_LETTERS: Final = {"draw:stock": "s", "draw:discard": "u", "pass": "p", "big_gin": "b"}
_IDS: Final = {letter: id for id, letter in _LETTERS.items()}


@dataclass(frozen=True, slots=True)
class Play:
    """One action of a record.

    ``fault``: code of the fault for which the referee played it, None if the bot did.
    ``late``: the answer came after the deadline and counted. ``column``: where the play stood in
    the text it was read from.
    """

    action: str
    melds: Melds | None = None
    fault: str | None = None
    late: bool = False
    column: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True)
class HandRecord:
    """Everything about one hand.

    ``changes``: settings that differ from the variant's, by name. The outcome of a record that
    was read has no sentence; playing it again brings the sentence back.
    """

    variant: str
    changes: tuple[tuple[str, object], ...]
    plan: DealPlan
    deck: tuple[str, ...]
    plays: tuple[Play, ...]
    outcome: HandOutcome

    @classmethod
    def of(
        cls,
        variant: Variant,
        plan: DealPlan,
        deck: Sequence[str],
        plays: Iterable[Play],
        outcome: HandOutcome,
    ) -> HandRecord:
        """The record of a hand of this variant."""
        return cls(variant.name, variant.changes, plan, tuple(deck), tuple(plays), outcome)


def write(record: HandRecord) -> str:
    """The record as one line, without a line end."""
    game = record.variant
    if record.changes:
        settings = json.dumps(dict(record.changes), separators=(",", ":"), ensure_ascii=True)
        game += settings.replace(" ", "\\u0020")
    seats = ",".join(
        f"{seat}*" if position == record.plan.dealer else str(seat)
        for position, seat in enumerate(record.plan.seats)
    )
    words = [FORMAT, game, seats, "".join(record.deck), *_play_words(record.plays), "="]
    return " ".join([*words, result_text(record.outcome)])


def _play_words(plays: Sequence[Play]) -> list[str]:
    words: list[str] = []
    joinable = False
    for play in plays:
        word = _short(play.action)
        is_throw = word != play.action and word not in _IDS
        if play.melds is not None:
            word += f"[{_meld_text(play.melds)}]"
        if play.fault is not None:
            word += f"!{play.fault}"
        if play.late:
            word += "~"
        if joinable and is_throw:
            words[-1] += word
        else:
            words.append(word)
        joinable = word in ("s", "u")
    return words


def _short(id: str) -> str:
    kind, _, card = id.partition(":")
    if kind == "discard":
        return card
    if kind == "knock":
        return f"k{card}"
    return _LETTERS.get(id, id)


def _meld_text(melds: Melds) -> str:
    return ",".join("".join(meld) for meld in melds)


def result_text(outcome: HandOutcome) -> str:
    """How a hand ended, as a record says it."""
    words = [
        str(outcome.ending),
        ",".join(str(points) for points in outcome.points),
        "w-" if outcome.winner is None else f"w{outcome.winner}",
    ]
    if outcome.knocker is not None:
        words.append(f"k{outcome.knocker}")
    for shown in outcome.shown:
        loose = "+" + "".join(shown.deadwood) if shown.deadwood else ""
        laid = ">" + "".join(shown.laid_off) if shown.laid_off else ""
        words.append(f"{_meld_text(shown.melds)}{loose}{laid}={shown.value}")
    return " ".join(words)


def parse(text: str, line: int = 1) -> HandRecord:
    """The record that a line holds; ``line`` is its number, for errors.

    :raises InvalidRecord: with the line and column of the first thing that makes no sense.
    """
    return _Reader(text.rstrip("\r\n"), line).record()


class _Reader:
    """Reads one line from left to right and knows the column of each word."""

    def __init__(self, text: str, line: int) -> None:
        self.line = line
        self.words: list[tuple[int, str]] = []
        column = 1
        for word in text.split(" "):
            self.words.append((column, word))
            column += len(word) + 1
        self.end = column - 1
        self.at = 0

    def fail(self, message: str, column: int) -> NoReturn:
        raise InvalidRecord(message, line=self.line, column=column)

    def next(self, what: str) -> tuple[int, str]:
        """The next word and its column."""
        if self.at >= len(self.words):
            self.fail(f"the line ends where {what} should stand", self.end)
        column, word = self.words[self.at]
        self.at += 1
        if not word:
            self.fail(f"nothing where {what} should stand; words have one space between", column)
        return column, word

    def record(self) -> HandRecord:
        column, word = self.next(f"the format {FORMAT}")
        if word != FORMAT:
            self.fail(f"{word[:20]!r} is no format of a hand record; expected {FORMAT}", column)
        variant, changes = self.game()
        plan = self.plan()
        deck = self.cards(*self.next("the deck"))
        plays = self.plays()
        outcome = self.outcome(len(plan.seats))
        return HandRecord(variant, changes, plan, deck, plays, outcome)

    def game(self) -> tuple[str, tuple[tuple[str, object], ...]]:
        column, word = self.next("the game")
        name = _GAME.match(word)
        if name is None:
            self.fail(f"{word[:20]!r} is no name of a game", column)
        rest = word[name.end() :]
        if not rest:
            return word, ()
        try:
            settings = json.loads(rest)
        except (ValueError, RecursionError):
            settings = None
        if not isinstance(settings, dict):
            self.fail(
                "after the game only a JSON object of settings may stand", column + name.end()
            )
        return name.group(), tuple(sorted(settings.items()))

    def plan(self) -> DealPlan:
        column, word = self.next("the seats")
        if not _SEATS.fullmatch(word):
            self.fail(f"{word[:20]!r} are no seats; write them like 0,1*", column)
        parts = word.split(",")
        dealers = [position for position, part in enumerate(parts) if part.endswith("*")]
        if len(dealers) != 1:
            self.fail("exactly one seat has a star, the dealer", column)
        return DealPlan(tuple(int(part.rstrip("*")) for part in parts), dealers[0])

    def cards(self, column: int, text: str) -> tuple[str, ...]:
        found = _CARDS.match(text)
        good = found.end() if found else 0
        if good < len(text):
            self.fail(f"{text[good : good + 2]!r} is no card", column + good)
        return tuple(text[at : at + 2] for at in range(0, len(text), 2))

    def plays(self) -> tuple[Play, ...]:
        plays: list[Play] = []
        while True:
            column, word = self.next("a step or =")
            if word == "=":
                return tuple(plays)
            parts = _STEP.fullmatch(word)
            if parts is None:
                self.fail(f"{word[:30]!r} is no step", column)
            act, stated = parts["act"], parts["melds"]
            melds = None if stated is None else self.melds(column + len(act) + 1, stated)
            short = _SHORT.fullmatch(act)
            if short is None:
                id = self.action_id(act, column)
            else:
                if short["draw"]:
                    plays.append(Play(_IDS[short["draw"]], column=column))
                id = f"{'knock' if short['knock'] else 'discard'}:{short['card']}"
            plays.append(Play(id, melds, parts["fault"], parts["late"] is not None, column))

    def action_id(self, act: str, column: int) -> str:
        try:
            return action(_IDS.get(act, act)).id
        except InvalidAction as error:
            self.fail(str(error), column)

    def melds(self, column: int, text: str) -> Melds:
        groups: list[tuple[str, ...]] = []
        for group in text.split(",") if text else ():
            if not group:
                self.fail("an empty meld", column)
            groups.append(self.cards(column, group))
            column += len(group) + 1
        return tuple(groups)

    def outcome(self, positions: int) -> HandOutcome:
        column, word = self.next("how the hand ended")
        try:
            ending = Ending(word)
        except ValueError:
            self.fail(f"{word[:20]!r} is no ending of a hand", column)
        column, word = self.next("the points")
        if not _POINTS.fullmatch(word):
            self.fail(f"{word[:20]!r} are no points; write them like 25,0", column)
        points = tuple(int(part) for part in word.split(","))
        if len(points) != positions:
            self.fail(f"points of {len(points)} positions, but {positions} played", column)
        winner = self.position("w", positions)
        knocker = None
        if self.at < len(self.words) and self.words[self.at][1].startswith("k"):
            knocker = self.position("k", positions)
        shown = tuple(self.shown() for _ in range(len(self.words) - self.at))
        return HandOutcome(ending, points, winner, shown, "", knocker)

    def position(self, letter: str, positions: int) -> int | None:
        column, word = self.next(f"{letter} and a position")
        if word == "w-" and letter == "w":
            return None
        for position in range(positions):
            if word == f"{letter}{position}":
                return position
        self.fail(
            f"{word[:20]!r} names no position; expected {letter}0 to {letter}{positions - 1}",
            column,
        )

    def shown(self) -> Shown:
        column, word = self.next("cards shown")
        parts = _SHOWN.fullmatch(word)
        if parts is None:
            self.fail(
                f"{word[:30]!r} shows no cards; write them like 4C5C6C,9C9D9H+KS>8H=10", column
            )
        return Shown(
            self.melds(column, parts["melds"]),
            self.cards(column, parts["loose"] or ""),
            self.cards(column, parts["laid"] or ""),
            int(parts["value"]),
        )
