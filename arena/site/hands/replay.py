"""A finished hand as a series of pictures of the table, made by playing its record again.

Frame 0 is the deal; frame k is the table after the k-th action, with what the player could have
done instead; where cards were shown at the end, the last frame is the showdown. Works for every
game: what is special to one is in its `Hand` and its `arranger`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.rules import base
from arena.rules.base import Action, ActionKind, Hand, HandOutcome, Melds, action
from arena.rules.record import HandRecord, Play, replay
from arena.site.hands.arrange import arranger
from arena.site.hands.cards import card_text
from arena.site.hands.frame import Frame, HandOf
from arena.site.hands.showdown import in_order, showdown
from arena.site.views.formatting import plural

DID = {
    base.Ending.DECLARED: "declared",
    base.Ending.WRONG_DECLARATION: "declared wrongly",
    base.Ending.GIN: "went gin",
    base.Ending.BIG_GIN: "went big gin",
}
HAND = re.compile(r"hand(\d+)")
TABLE = re.compile(r"table\d+")
WORD = re.compile(r"\bP(?P<position>\d+)\b|\b(?P<card>[A2-9TJQK][CDHS])\b")
NAMES_OF_PLACES = {
    "out": "thrown with the knock",
    "knock_card": "knock card",
    "finish": "finish slot",
    "wild": "wild joker",
}


@dataclass(frozen=True, slots=True)
class Ending:
    """How the hand ended, by position; ``sentence`` names the bots.

    ``did``: what the ``knocker`` did to end it, for people: ``knocked``, ``declared wrongly``…
    """

    ending: str
    sentence: str
    winner: int | None
    knocker: int | None
    did: str
    points: tuple[int, ...]
    shown: tuple[ShownOf, ...]


@dataclass(frozen=True, slots=True)
class ShownOf:
    """What one position showed at the end; ``laid_off`` went to another's melds."""

    melds: Melds
    deadwood: tuple[str, ...]
    laid_off: tuple[str, ...]
    value: int


def isolate(name: str) -> str:
    """The name for running text: one that is written right to left keeps to itself."""
    return name if name.isascii() else f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"


def with_names(sentence: str, names: Sequence[str]) -> str:
    """The sentence of an outcome with bots' names for ``P0``, ``P1``… and pips on the cards."""

    def word(match: re.Match[str]) -> str:
        if match["card"]:
            return card_text(match["card"])
        position = int(match["position"])
        return isolate(names[position]) if position < len(names) else match.group()

    return WORD.sub(word, sentence)


def ending_of(outcome: HandOutcome, names: Sequence[str]) -> Ending:
    """The outcome for people."""
    return Ending(
        ending=outcome.ending,
        sentence=with_names(outcome.sentence, names),
        winner=outcome.winner,
        knocker=outcome.knocker,
        did=DID.get(outcome.ending, "knocked"),
        points=outcome.points,
        shown=tuple(ShownOf(*shown) for shown in outcome.shown),
    )


def frames(
    record: HandRecord,
    times: Sequence[int],
    notes: Iterable[tuple[int, str]] = (),
    names: Sequence[str] = (),
) -> tuple[tuple[Frame, ...], HandOutcome]:
    """Every frame of the hand, and its outcome with its sentence and all cards in order.

    ``times``: milliseconds of each decision, 0 where nobody was asked. ``notes``: what bots
    remarked, by turn. ``names``: of the positions, for the sentence of the showdown.

    :raises InvalidRecord: the record cannot be played.
    """
    states = list(replay(record))
    remarks = dict(notes)
    made = [_frame(states[0], None, None, None)]
    for number, play in enumerate(record.plays):
        ms = times[number] if number < len(times) and times[number] else None
        frame = _frame(states[number + 1], states[number], play, ms)
        made.append(replace(frame, note=remarks.get(number)))
    last = states[-1]
    outcome = last.outcome or record.outcome
    if outcome.shown:
        outcome = replace(outcome, shown=tuple(in_order(last, one) for one in outcome.shown))
        sentence = with_names(outcome.sentence, names)
        made.append(showdown(made[-1], last, outcome, sentence))
    return tuple(made), outcome


def wild_rank(record: HandRecord) -> str | None:
    """The rank whose cards stand for any other in this hand, None where there is none.

    :raises InvalidRecord: the record cannot be played.
    """
    return next(iter(replay(record))).view(0).wild


def knock_limit(record: HandRecord) -> int | None:
    """The deadwood with which one may knock in this hand, None where nobody knocks.

    :raises InvalidRecord: the record cannot be played.
    """
    return next(iter(replay(record))).view(0).knock_limit


def _frame(hand: Hand, before: Hand | None, play: Play | None, ms: int | None) -> Frame:
    places = hand.cards_by_place()
    base = Frame(
        action=None,
        position=None,
        text="The cards are dealt.",
        legal=(),
        before=None,
        after=None,
        deadwood=None,
        ms=ms,
        fault=None,
        late=False,
        note=None,
        moved=None,
        to_act=hand.to_act,
        stock=len(places["stock"]),
        discard=places["discard"],
        places=tuple(
            (NAMES_OF_PLACES.get(name, name.replace("_", " ")), cards)
            for name, cards in places.items()
            if cards and name not in ("stock", "discard") and not _is_players(name)
        ),
        hands=_hands(hand, places),
    )
    if before is None or play is None or before.to_act is None:
        return base
    return _acted(base, hand, before, play)


def _hands(hand: Hand, places: Mapping[str, tuple[str, ...]]) -> tuple[HandOf, ...]:
    """What every position holds."""
    arrange = arranger(hand)
    made = []
    for position, seen in enumerate(hand.view(0).positions):
        cards = places[f"hand{position}"]
        throws = hand.to_act == position and _throws(hand)
        laid = arrange(cards, throws)
        one = HandOf(laid.melds, laid.loose, seen.melds, laid.value, seen.active, throws)
        if seen.melds and f"table{position}" not in places:
            # A wrong declaration: the groups are open, but the cards are still that player's.
            left = _difference(cards, [card for meld in seen.melds for card in meld])
            one = replace(one, melds=seen.melds, loose=tuple(left), table=())
        made.append(one)
    return tuple(made)


def _acted(frame: Frame, hand: Hand, before: Hand, play: Play) -> Frame:
    mover = before.to_act
    assert mover is not None
    act = action(play.action)
    cards_before = before.cards_by_place()[f"hand{mover}"]
    cards_after = hand.cards_by_place()[f"hand{mover}"]
    gained = _difference(cards_after, cards_before)
    moved = gained[0] if gained else act.arg if len(act.arg) == 2 else None
    was = arranger(before)(cards_before, _throws(before)).value
    now = frame.hands[mover]
    return replace(
        frame,
        action=act.id,
        position=mover,
        text=text_of(act, gained),
        legal=tuple(one.id for one in before.legal_actions()),
        before=was,
        after=now.value,
        deadwood=deadwood_text(act.kind, was, now.value, now.throws),
        fault=play.fault,
        late=play.late,
        moved=moved,
    )


def deadwood_text(kind: ActionKind, before: int, after: int, throws: bool) -> str:
    """What an action did to the deadwood, for people.

    ``before`` counts the best throw where this action is one, and so does ``after`` where one
    ``throws`` next.
    """
    if kind in (ActionKind.DISCARD, ActionKind.KNOCK):
        return (
            f"{after}, the best throw" if after <= before else f"{after}, the best leaves {before}"
        )
    change = f"{before} → {after}" if before != after else str(after)
    return f"{change} after the best throw" if throws else change


def _is_players(name: str) -> bool:
    return bool(HAND.fullmatch(name) or TABLE.fullmatch(name))


def _throws(hand: Hand) -> bool:
    """Whether the player to move has to throw a card before the turn ends."""
    legal = hand.legal_actions()
    return any(one.kind in (ActionKind.DISCARD, ActionKind.KNOCK) for one in legal)


def _difference(more: Sequence[str], fewer: Sequence[str]) -> list[str]:
    """The cards of the first that are not in the second, counting copies."""
    left = list(fewer)
    found = []
    for card in more:
        if card in left:
            left.remove(card)
        else:
            found.append(card)
    return found


def cards_in(arg: str) -> list[str]:
    """The cards that an action names: ``7H8H9H``."""
    cards = arg.split(":")[0]
    return [cards[at : at + 2] for at in range(0, len(cards) - 1, 2)]


def text_of(act: Action, gained: Sequence[str] = ()) -> str:
    """What somebody did, for people: ``throws 7♥``. ``gained``: cards that came to the hand."""
    named = " ".join(map(card_text, cards_in(act.arg)))
    got = " ".join(map(card_text, gained))
    match act.kind:
        case ActionKind.DRAW if act.arg == "stock":
            return f"draws {got} from the stock" if got else "draws from the stock"
        case ActionKind.DRAW if act.arg == "under":
            return f"takes {got or 'the discard'} of the player before last"
        case ActionKind.DRAW:
            return f"takes {got or 'the upcard'} from the discard pile"
        case ActionKind.TAKE:
            return f"takes {got or plural(int(act.arg or 0), 'card')} from the discard pile"
        case ActionKind.MELD:
            return f"lays down {named}"
        case ActionKind.ADD:
            return f"adds {named} to a meld on the table"
        case ActionKind.DISCARD:
            return f"throws {named}"
        case ActionKind.KNOCK:
            return f"knocks, throwing {named}"
        case ActionKind.DECLARE:
            return f"declares, finishing with {named}"
        case ActionKind.BIG_GIN:
            return "goes big gin"
        case ActionKind.DOUBLE:
            return "offers to double"
        case ActionKind.ACCEPT:
            return "accepts the double"
        case ActionKind.REFUSE:
            return "refuses the double"
        case ActionKind.DROP:
            return "drops out of the hand"
        case ActionKind.PASS:
            return "passes"
        case _:
            return act.id.replace("_", " ")
