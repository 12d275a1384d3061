"""A recorded hand as moves: plain values for programs, and lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.rules.base import Hand
    from arena.rules.record_text import HandRecord


def moves_of(record: HandRecord, notes: Iterable[tuple[int, str]] = ()) -> Iterator[dict[str, Any]]:
    """The deal and every move as plain values, with where all cards are after it.

    ``notes``: what bots remarked, by turn, of which the first is 0.

    :raises InvalidRecord: the record cannot be played again.
    """
    from arena.rules.record import replay as states

    remarks = dict(notes)
    hands = states(record)
    hand = next(hands)
    yield {"turn": 0, "position": None, "action": "deal", "places": _places(hand)}
    for play, after in zip(record.plays, hands, strict=True):
        yield {
            "turn": hand.turn + 1,
            "position": hand.to_act,
            "phase": hand.phase.value,
            "action": play.action,
            "melds": play.melds,
            "fault": play.fault,
            "late": play.late,
            "note": remarks.get(hand.turn),
            "legal": [one.id for one in hand.legal_actions()],
            "places": _places(after),
        }
        hand = after
    outcome = hand.outcome or record.outcome
    yield {
        "turn": hand.turn,
        "position": None,
        "action": "end",
        "ending": outcome.ending.value,
        "points": list(outcome.points),
        "winner": outcome.winner,
        "sentence": outcome.sentence,
        "places": _places(hand),
    }


def _places(hand: Hand) -> dict[str, list[str]]:
    return {place: list(cards) for place, cards in hand.cards_by_place().items()}


def text_of(
    record: HandRecord, moves: Sequence[Mapping[str, Any]], players: Sequence[str]
) -> list[str]:
    """The hand for people, a line a move. ``players``: by position."""
    changes = " ".join(f"{name}={value}" for name, value in record.changes)
    lines = [f"{record.variant} {changes}".strip()]
    width = max(len(name) for name in players)
    for position, name in enumerate(players):
        dealer = "  (dealer)" if position == record.plan.dealer else ""
        cards = " ".join(moves[0]["places"].get(f"hand{position}", []))
        lines.append(f"  {name:<{width}}  {cards}{dealer}")
    for before, move in pairwise(moves[:-1]):
        note = f"  [{move['fault']}: played by the referee]" if move["fault"] else ""
        note += "  [late]" if move["late"] else ""
        note += f'  "{move["note"]}"' if move["note"] else ""
        note += _answered(move.get("asked"))
        melds = "  shows " + " + ".join(" ".join(m) for m in move["melds"]) if move["melds"] else ""
        who = players[move["position"]]
        lines.append(f"{move['turn']:>4}  {who:<{width}}  {_words(before, move)}{melds}{note}")
    end = moves[-1]
    sentence = end["sentence"] or end["ending"]
    for position, name in reversed(list(enumerate(players))):
        sentence = sentence.replace(f"P{position}", name)
    lines.append(f"  => {sentence}")
    return lines


def _answered(asked: Mapping[str, Any] | None) -> str:
    """What a bot that was asked again would do now, if it is something else."""
    if asked is None or asked["same"]:
        return ""
    if asked["fault"]:
        return f"  <- now {asked['fault']}: {asked['detail']}"
    melds = asked["melds"]
    shows = " showing " + " + ".join(" ".join(m) for m in melds) if melds else ""
    return f"  <- now {asked['action']}{shows}"


def _words(before: Mapping[str, Any], move: Mapping[str, Any]) -> str:
    """A move in words; drawn cards are named."""
    kind, _, arg = move["action"].partition(":")
    if kind == "draw":
        hand = f"hand{move['position']}"
        drawn = Counter(move["places"].get(hand, ())) - Counter(before["places"].get(hand, ()))
        cards = " ".join(drawn.elements())
        return f"draws {cards} from the stock" if arg == "stock" else f"takes {cards}"
    verbs = {"discard": "throws", "knock": "knocks, throwing", "declare": "declares, throwing"}
    if kind in verbs:
        return f"{verbs[kind]} {arg}"
    return str(move["action"]).replace("_", " ")
