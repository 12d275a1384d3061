"""The words that every game of the arena shares.

A *hand* is one deal, from deal to score; it is played by *positions* 0…k-1. A *game* is hands up
to a target and is kept on a *sheet*; its players are *seats* 0…n-1. A `DealPlan` says which seat
sits at which position of the next hand, because in three-handed forms one seat may sit out.

A new family of games implements `Hand` and `Sheet`, ties them together (see `family.py`) and
registers a `Variant` (see `games.py`); the referee, the store and the statistics know nothing more
about it. What people read of it, its rules in sentences, is in `texts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol, runtime_checkable

from arena.errors import InvalidAction

Melds = tuple[tuple[str, ...], ...]
"""Groups of card names as a player states them: ``(("7H", "8H", "9H"), ("KC", "KD", "KH"))``."""


class ActionKind(StrEnum):
    """What an action does; the part of its id before the colon, except for the two draws."""

    PASS = "pass"
    DRAW = "draw"
    TAKE = "take"
    MELD = "meld"
    ADD = "add"
    DISCARD = "discard"
    KNOCK = "knock"
    BIG_GIN = "big_gin"
    DOUBLE = "double"
    ACCEPT = "accept"
    REFUSE = "refuse"
    DECLARE = "declare"
    DROP = "drop"
    MISS = "miss"
    """A missed turn of Indian rummy: never offered, but played by the referee and recorded."""


class Action:
    """One thing a player may do. Interned: equal ids are the same object.

    Obtain actions with `action`; ``legal_actions()`` of a hand returns them too.

    ``id``: the text that travels and is recorded, e.g. ``discard:7H``.
    ``kind``: what it does. ``arg``: the text after the first colon, ``""`` if none.
    """

    __slots__ = ("arg", "id", "kind")

    def __init__(self, id: str, kind: ActionKind, arg: str) -> None:
        self.id = id
        self.kind = kind
        self.arg = arg

    def __repr__(self) -> str:
        return f"action({self.id!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return action, (self.id,)


_ACTIONS: dict[str, Action] = {}


def action(id: str) -> Action:
    """The action with this id.

    :raises InvalidAction: the id starts with no known kind.
    """
    found = _ACTIONS.get(id)
    if found is None:
        name, _, arg = id.partition(":")
        try:
            kind = ActionKind(name)
        except ValueError:
            kinds = ", ".join(ActionKind)
            raise InvalidAction(f"{id[:40]!r} is no action; actions start with {kinds}") from None
        found = _ACTIONS.setdefault(id, Action(id, kind, arg))
    return found


class Phase(StrEnum):
    """What the player to move is being asked."""

    FIRST_UPCARD = "first_upcard"
    FIRST_UPCARD_DEALER = "first_upcard_dealer"
    FORCED_STOCK = "forced_stock"
    DRAW = "draw"
    DISCARD = "discard"
    ANSWER_DOUBLE = "answer_double"
    LAST_DISCARD = "last_discard"
    MELD = "meld"
    OVER = "over"


class Ending(StrEnum):
    """Why a hand ended."""

    KNOCK = "knock"
    UNDERCUT = "undercut"
    GIN = "gin"
    BIG_GIN = "big_gin"
    TIE = "tie"
    GIN_LAID_OFF = "gin_laid_off"
    DOUBLE_REFUSED = "double_refused"
    DEAD_STOCK = "dead_stock"
    DEAD_TURNS = "dead_turns"
    MISDEAL = "misdeal"
    DECLARED = "declared"
    WRONG_DECLARATION = "wrong_declaration"
    LAST_PLAYER = "last_player"
    FORFEIT = "forfeit"


class Shown(NamedTuple):
    """One position's cards when the hand is over. All cards are names.

    ``melds``: own melds; ``deadwood``: cards left over; ``laid_off``: cards added to another
    position's meld; ``value``: points of the deadwood after lay-offs.
    """

    melds: Melds
    deadwood: tuple[str, ...]
    laid_off: tuple[str, ...]
    value: int


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """How a hand ended.

    ``points``: by position; negative where the rulebook says so, and penalty points in games where
    fewer is better. ``winner``: the position that won the hand, None for a dead hand.
    ``sentence``: the result for a person, using ``P0``, ``P1``… for positions.
    """

    ending: Ending
    points: tuple[int, ...]
    winner: int | None
    shown: tuple[Shown, ...]
    sentence: str
    knocker: int | None = None


class LogEntry(NamedTuple):
    """One public event of a hand: which position did what, as everybody at the table saw it."""

    position: int
    action: str


class PositionView(NamedTuple):
    """What everybody may know of one position.

    ``card_count``: number of cards held. ``known``: cards certainly in that hand (taken from the
    discard pile and not thrown since).
    ``melds``: melds on the table, of which the index counts over the whole table.
    ``active``: still playing this hand.
    """

    card_count: int
    known: tuple[str, ...] = ()
    melds: Melds = ()
    active: bool = True


class View(NamedTuple):
    """All that one position may know of a hand, built only from public facts and its own cards.

    ``hand``: own cards, sorted by suit and rank. ``drawn``: the card just drawn or taken, only in
    the phases after a draw; ``taken``: whether it came from the discard pile.
    ``discard_pile``: bottom first, so the last is the upcard. ``knock_limit``: deadwood at which
    one may knock in this hand, None in games without knocking. ``multiplier``: factor on the score
    of this hand. ``wild``: the wild rank of Indian rummy, else None; ``wild_card``: the card that
    was shown for it and is out of play, else None. ``knock_card``: the card that was turned for the
    knock limit of this hand, the first upcard or a separate card out of play; None where no card
    sets the limit.
    """

    position: int
    dealer: int
    turn: int
    phase: Phase
    hand: tuple[str, ...]
    drawn: str | None
    taken: bool
    discard_pile: tuple[str, ...]
    stock_count: int
    knock_limit: int | None
    multiplier: int
    wild: str | None
    positions: tuple[PositionView, ...]
    log: tuple[LogEntry, ...]
    wild_card: str | None = None
    knock_card: str | None = None


class Hand(Protocol):
    """One deal in progress; immutable.

    ``to_act``: the position to move, None when the hand is over. ``outcome``: set when it is over.
    ``turn``: number of decisions already taken in this hand.
    """

    @property
    def to_act(self) -> int | None: ...

    @property
    def turn(self) -> int: ...

    @property
    def phase(self) -> Phase: ...

    @property
    def outcome(self) -> HandOutcome | None: ...

    def legal_actions(self) -> tuple[Action, ...]:
        """Everything the player to move may do; the first is always safe and costs least."""
        ...

    def apply(self, action: Action, melds: Melds | None = None) -> Hand:
        """The hand after the player to move did this.

        ``melds`` counts for actions that lay down cards; left out, the default spread is used.

        :raises IllegalAction: not allowed now, or the melds stated with it are wrong.
        """
        ...

    def view(self, position: int) -> View:
        """What this position may know now."""
        ...

    def safe_action(self) -> tuple[Action, Melds | None]:
        """What the referee plays for a bot that failed to answer."""
        ...

    def cards_by_place(self) -> Mapping[str, tuple[str, ...]]:
        """Where every card of the deck is (``hand0``, ``stock``, ``discard``…). Not for players."""
        ...


class DealPlan(NamedTuple):
    """Who plays the next hand. ``seats[p]`` is the seat at position p; ``dealer`` is a position."""

    seats: tuple[int, ...]
    dealer: int


class SheetLine(NamedTuple):
    """One seat's standing in a game. ``points`` decide; ``total`` adds the end-of-game bonuses.

    ``active`` is False for a seat that is out of the game.
    """

    points: int
    hands_won: int
    total: int
    active: bool = True


class Sheet(Protocol):
    """The score of one game; immutable. Its plan for the next deal is None when it is over.

    ``winners``: seats that won, empty while it runs or when it is a draw.
    ``target``: points that end the game, None where something else ends it.
    ``columns``: points by column and seat where a score sheet has several, else one column.
    """

    @property
    def over(self) -> bool: ...

    @property
    def winners(self) -> tuple[int, ...]: ...

    @property
    def target(self) -> int | None: ...

    @property
    def lines(self) -> tuple[SheetLine, ...]: ...

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]: ...

    @property
    def ending(self) -> GameEnding | None: ...

    @property
    def lower_is_better(self) -> bool:
        """Whether points are penalties: the fewer, the better."""
        ...

    def next_deal(self) -> DealPlan | None: ...

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Groups of seats from best to worst as the game stands; a group shares its place."""
        ...

    def add(self, outcome: HandOutcome) -> Sheet:
        """The sheet after the hand that `next_deal` planned ended so."""
        ...


@runtime_checkable
class Settling(Protocol):
    """A sheet whose players pay each other at the end: what lies between two of them, such as a
    bonus for a player who won no hand, is in nobody's total."""

    def settlement(self) -> tuple[int, ...]:
        """What each seat receives, or pays where it is negative, as the game stands; sums to 0."""
        ...


class GameEnding(StrEnum):
    """Why a game ended by the rules. (Forfeits are the referee's, see `referee.verdicts`.)"""

    TARGET = "target"
    HAND_LIMIT = "hand_limit"
    SUDDEN_DEATH = "sudden_death"
    DRAW = "draw"
    LAST_PLAYER = "last_player"
    DEALS_PLAYED = "deals_played"
    EVERY_COLUMN = "every_column"


class RulesRecord(Protocol):
    """A frozen dataclass of rule settings; every value is JSON-able."""

    def as_dict(self) -> dict[str, object]: ...


@dataclass(frozen=True, slots=True)
class Setting:
    """One rule setting for people: what it means and what it may be."""

    name: str
    meaning: str
    allowed: str
    default: object


class Family(Protocol):
    """A family of games that share code: how to deal, to keep score, to check settings."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str:
        """The game in sentences, to be read after "hands of"."""
        ...

    def settings(self) -> Sequence[Setting]: ...

    def replace(self, rules: RulesRecord, changes: Mapping[str, object]) -> RulesRecord:
        """The record with these settings changed.

        :raises InvalidSettings: naming the field, the value and what is allowed.
        """
        ...

    def players(self, rules: RulesRecord) -> tuple[int, int]:
        """Fewest and most seats of a game."""
        ...

    def new_sheet(self, rules: RulesRecord, players: int, first_dealer: int) -> Sheet: ...

    def deck(self, rules: RulesRecord) -> tuple[str, ...]:
        """All cards in canonical order; a shuffle permutes this."""
        ...

    def deal(self, rules: RulesRecord, deck: Sequence[str], plan: DealPlan) -> Hand:
        """The hand dealt from this order of cards, top first."""
        ...


@dataclass(frozen=True, slots=True)
class Variant:
    """A game one can choose by name.

    ``changes``: settings overridden by the organiser, as (name, value) pairs sorted by name, so
    that ``name`` and ``changes`` together name the rules in a record.
    """

    name: str
    title: str
    summary: str
    family: Family
    rules: RulesRecord
    aliases: tuple[str, ...] = ()
    changes: tuple[tuple[str, object], ...] = ()
