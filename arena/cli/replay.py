"""``arena replay``: one hand, move by move, and what a bot would do in it now."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from arena.cli.options import database_option
from arena.errors import InvalidRecord, RulesError, StoreError, UsageError

if TYPE_CHECKING:
    from arena.cli.asking import Before
    from arena.rules.record_text import HandRecord
    from arena.store import Store
    from arena.store.rows import FixtureRow, HandRow

_MATCH = re.compile(r"m_[0-9a-z]+")
_HAND = re.compile(r"(m_[0-9a-z]+)/([0-9]{1,6})[/-]([0-9]{1,6})(?:\D|$)")
"""Of a hand: as commands write it, and as its page is called."""


class _Found(NamedTuple):
    """A hand to be shown. ``names``: by seat, None where only the record is there. ``before``:
    where it stood, None where nobody wants to know. ``notes``: what bots remarked, by turn."""

    record: str
    names: Sequence[str] | None = None
    before: Before | None = None
    notes: tuple[tuple[int, str], ...] = ()


@click.command()
@click.argument("hand")
@click.option("--ask", metavar="URL", help="Ask this bot each decision of a seat again.")
@click.option("--seat", metavar="BOT", help="With --ask: whose decisions, by name or number.")
@click.option("--deadline-ms", type=click.IntRange(10, 600_000), default=1000, show_default=True,
              help="With --ask: time for a decision.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@database_option
def replay(
    hand: str, ask: str | None, seat: str | None, deadline_ms: int, as_json: bool, database: Path
) -> None:
    """Print HAND move by move, with what the bots remarked: FIXTURE/GAME/NUMBER, the address of its
    page, a record in quotes, or - for standard input. The id of a match alone lists its hands;
    arena matches lists matches.

    --ask asks a bot, at an address or as in arena check, every decision that --seat had, and marks
    where it would now do something else. A bot with a signing secret needs it in ARENA_BOT_SECRET.

    \b
    arena replay m_nz2wl4l3gf4jpofk --db friday.db
    arena replay m_nz2wl4l3gf4jpofk/1/3 --db friday.db
    arena replay m_nz2wl4l3gf4jpofk/1/3 --ask python:hasty.py --seat hasty --db friday.db
    unzip -p friday.zip hands.txt | head -1 | arena replay -
    """
    from arena.cli.hand_moves import moves_of, text_of
    from arena.rules.record import parse

    if seat is not None and ask is None:
        raise click.UsageError("--seat goes with --ask")
    if hand == "-":
        found = _Found(sys.stdin.readline().rstrip("\n"))
    elif hand.startswith("H1 "):
        found = _Found(hand)
    elif _MATCH.fullmatch(hand):
        if ask is not None:
            raise click.UsageError(f"--ask is about one hand; its hands: arena replay {hand}")
        for line in _hands_of(hand, database, as_json):
            click.echo(line)
        return
    else:
        found = _stored(hand, database, asking=ask is not None)
    try:
        record = parse(found.record)
        names = found.names or [f"seat {seat}" for seat in range(max(record.plan.seats) + 1)]
        moves = list(moves_of(record, found.notes))
        asked = _ask(record, found, names, ask, seat, deadline_ms) if ask else {}
    except InvalidRecord as error:
        raise UsageError(f"the record cannot be replayed: {error}") from error
    for turn, answer in asked.items():
        moves[turn + 1]["asked"] = answer
    if as_json:
        click.echo(json.dumps({"record": found.record, "moves": moves}))
        return
    players = [names[each] for each in record.plan.seats]
    for line in text_of(record, moves, players):
        click.echo(line)
    if ask:
        others = sum(not answer["same"] for answer in asked.values())
        click.echo(f"  asked again: {others} of {len(asked)} decisions would be others now")


def _ask(
    record: HandRecord,
    found: _Found,
    names: Sequence[str],
    url: str,
    seat: str | None,
    deadline_ms: int,
) -> dict[int, dict[str, Any]]:
    """What the bot answers now, by turn."""
    from arena.cli.asking import Before, asked_again
    from arena.cli.check import bot_at

    number = _seat(record, names, seat)
    secret = (os.environ.get("ARENA_BOT_SECRET") or "").split()
    key = secret[0] if secret else None
    with bot_at(url, key) as (address, _):
        where = found.before or Before()
        return dict(asked_again(record, number, where, address, key, deadline_ms))


def _seat(record: HandRecord, names: Sequence[str], wanted: str | None) -> int:
    """The seat of the match that somebody means.

    :raises UsageError: none is named, or none that played the hand; the text lists them.
    """
    seats = sorted(record.plan.seats)
    for seat in seats:
        if wanted in (names[seat], str(seat)):
            return seat
    listed = " or ".join(f"{seat} ({names[seat]})" for seat in seats)
    if wanted is None:
        raise UsageError(f"say with --seat whose decisions are to be asked: {listed}")
    raise UsageError(f"{wanted!r} did not play this hand; --seat is {listed}")


def _stored(hand: str, database: Path, *, asking: bool) -> _Found:
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
                + shlex.join(["arena", "replay", id, "--db", str(database)])
            )
        found = _Found(row.record, names, None, row.notes)
        return found._replace(before=_before(store, row, names)) if asking else found


def _before(store: Store, row: HandRow, names: Sequence[str]) -> Before:
    """Where a hand stood.

    :raises UsageError: the hands before it cannot be played again.
    """
    from arena.cli.asking import before
    from arena.referee.moments import HandName

    name = HandName(row.fixture_id, row.game, row.number)
    hands, games = store.hands.of(row.fixture_id), store.fixtures.games(row.fixture_id)
    try:
        return before(name, hands, games, len(names))
    except RulesError as error:
        raise UsageError(f"the score before {'/'.join(map(str, name))}: {error}") from error


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
