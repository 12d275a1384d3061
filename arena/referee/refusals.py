"""Why an action is not among the legal ones, said to the author of a bot.

Reads nothing but the bot's own decision request, so it can tell nothing that the bot did not know.
A reason that is not certain is not given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.errors import IllegalAction
from arena.nearest import did_you_mean
from arena.rules.base import Action
from arena.rules.cards import BIT
from arena.rules.melds import meld_tables

MOST_SHOWN: Final = 60
_ON_A_CARD: Final = ("discard", "knock", "declare")


def offered(action: str, legal: Sequence[Action], request: Mapping[str, Any]) -> Action:
    """The legal action with this id.

    :raises IllegalAction: there is none; the text says why.
    """
    for one in legal:
        if one.id == action:
            return one
    raise IllegalAction(refusal(request, action))


def refusal(request: Mapping[str, Any], action: str) -> str:
    """What to say about an action that is not in the request's ``legal``."""
    known = [str(each["id"]) for each in request["legal"]]
    text = repr(action if len(action) <= MOST_SHOWN else f"{action[: MOST_SHOWN - 3]}...")
    said = f"{text} is not among the {len(known)} legal actions"
    why = _why(request, action)
    return f"{said}: {why}" if why else f"{said}{did_you_mean(action[:MOST_SHOWN], known)}"


def _why(request: Mapping[str, Any], action: str) -> str:
    kind, _, card = action.partition(":")
    kinds = list(dict.fromkeys(str(each["kind"]) for each in request["legal"]))
    if kind in _ON_A_CARD and (kind in kinds or request["phase"] == "discard"):
        return _of_card(request, kind, card)
    if kind == "big_gin" and request["phase"] == "discard":
        return "not all cards are in melds"
    if kind in _KINDS and kind not in kinds:
        return f"phase {request['phase']} asks for {' or '.join(kinds)}"
    return ""


_KINDS: Final = frozenset(
    "pass draw discard knock big_gin double accept refuse take meld add declare drop".split()
)


def _of_card(request: Mapping[str, Any], kind: str, card: str) -> str:
    cards = request["cards"]
    if card not in cards:
        return f"{card} is not in your hand" if card in BIT or card == "JK" else ""
    is_taken = request["taken"] and card == request["drawn"] and cards.count(card) == 1
    if is_taken and not request["rules"].get("redraw_discard"):
        return f"{card} was just taken from the discard pile, and must be kept in this turn"
    if kind == "knock":
        return _of_knock(request, card)
    return ""


def _of_knock(request: Mapping[str, Any], card: str) -> str:
    rules, limit = request["rules"], request["knock_limit"]
    if "ace_mode" not in rules:
        return ""
    if limit is None:
        return "there is no knocking in this game"
    held = [each for each in request["cards"] if each != card]
    if len(set(held)) < len(held) or not all(each in BIT for each in held):
        return ""
    tables = meld_tables(rules["ace_mode"], rules.get("ace_deadwood", 1))
    left = tables.deadwood(sum(BIT[each] for each in held))
    if left <= limit:
        return ""
    return f"without {card} the deadwood is {left}, and the knock limit is {limit}"
