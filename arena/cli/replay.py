"""``arena replay``: one hand, move by move."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import database_option
from arena.errors import InvalidRecord, StoreError, UsageError

if TYPE_CHECKING:
    from arena.rules.base import Hand
    from arena.rules.record_text import HandRecord
    from arena.store import Store
    from arena.store.rows import FixtureRow

_MATCH = re.compile(r"m_[0-9a-z]+")
_HAND = re.compile(r"(m_[0-9a-z]+)/([0-9]{1,6})[/-]([0-9]{1,6})(?:\D|$)")
"""Of a hand: as commands write it, and as its page is called."""


@click.command()
@click.argument("hand")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@database_option
def replay(hand: str, as_json: bool, database: Path) -> None:
    """Print HAND move by move: FIXTURE/GAME/NUMBER, the address of its page, a record in quotes,
    or - for standard input. The id of a match alone lists its hands.

    \b
    arena replay m_nz2wl4l3gf4jpofk --db friday.db
    arena replay m_nz2wl4l3gf4jpofk/1/3 --db friday.db
    unzip -p friday.zip hands.txt | head -1 | arena replay -
    """
    from arena.rules.record import parse

    names: Sequence[str] | None = None
    if hand == "-":
        text = sys.stdin.readline().rstrip("\n")
    elif hand.startswith("H1 "):
        text = hand
    elif _MATCH.fullmatch(hand):
        for line in _hands_of(hand, database, as_json):
            click.echo(line)
        return
    else:
        text, names = _stored(hand, database)
    try:
        record = parse(text)
        if names is None:
            names = [f"seat {seat}" for seat in range(max(record.plan.seats) + 1)]
        moves = list(_moves(record))
    except InvalidRecord as error:
        raise UsageError(f"the record cannot be replayed: {error}") from error
    if as_json:
        click.echo(json.dumps({"record": text, "moves": moves}))
        return
    players = [names[seat] for seat in record.plan.seats]
    for line in _text(record, moves, players):
        click.echo(line)


def _stored(hand: str, database: Path) -> tuple[str, list[str]]:
    from arena.store import Store

    named = _HAND.search(hand)
    if named is None:
        raise UsageError(f"{hand!r}: write FIXTURE/GAME/NUMBER, for example m_abc/1/3")
    id, game, number = named[1], int(named[2]), int(named[3])
    with Store(database, read_only=True) as store:
        fixture, names = _match(store, id)
        row = store.hands.get(fixture.id, game, number)
        if row is None:
            raise StoreError(
                f"no finished hand {number} in game {game} of {id}; its hands: "
                f"arena replay {id} --db {database}"
            )
    return row.record, names


def _match(store: Store, id: str) -> tuple[FixtureRow, list[str]]:
    """A match and who sat in it."""
    fixture = store.fixtures.get(id)
    if fixture is None:
        raise StoreError(f"no match {id!r} in {store.path}; pages and exports show the ids")
    entrants = {e.number: e.name for e in store.tournaments.entrants(fixture.tournament_id)}
    return fixture, [entrants[number] for number in fixture.seats]


def _hands_of(id: str, database: Path, as_json: bool) -> Iterator[str]:
    """A line for each finished hand of a match: what to ask for, and how it ended."""
    from arena.rules.record import parse
    from arena.store import Store

    with Store(database, read_only=True) as store:
        fixture, names = _match(store, id)
        rows = store.hands.of(fixture.id)
    if not as_json:
        yield f"{' v '.join(names)}: {len(rows)} finished {'hand' if len(rows) == 1 else 'hands'}"
    for row in rows:
        hand = f"{id}/{row.game}/{row.number}"
        winner = None if row.winner is None else names[row.winner]
        players = [names[seat] for seat in parse(row.record).plan.seats]
        points = dict(zip(players, row.points, strict=True))
        if as_json:
            yield json.dumps(
                {"hand": hand, "ending": row.ending, "winner": winner, "points": points}
            )
        else:
            said = f"{row.ending.replace('_', ' ')} by {winner}" if winner else row.ending
            scored = ", ".join(f"{name} {count:+d}" for name, count in points.items() if count)
            yield f"  {hand}  {said}{': ' if scored else ''}{scored}"


def _moves(record: HandRecord) -> Iterator[dict[str, Any]]:
    """The deal and every move as plain values, with where all cards are after it."""
    from arena.rules.record import replay as states

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


def _text(
    record: HandRecord, moves: Sequence[Mapping[str, Any]], players: Sequence[str]
) -> list[str]:
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
        melds = "  shows " + " + ".join(" ".join(m) for m in move["melds"]) if move["melds"] else ""
        who = players[move["position"]]
        lines.append(f"{move['turn']:>4}  {who:<{width}}  {_words(before, move)}{melds}{note}")
    end = moves[-1]
    sentence = end["sentence"] or end["ending"]
    for position, name in reversed(list(enumerate(players))):
        sentence = sentence.replace(f"P{position}", name)
    lines.append(f"  => {sentence}")
    return lines


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
