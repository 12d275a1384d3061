"""``arena matches``: which matches there are, and the hands that were lost the highest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from arena.cli.options import database_option
from arena.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arena.store import Store
    from arena.store.rows import FixtureRow, HandRow, TournamentRow


class Lost(NamedTuple):
    """A hand that somebody lost. ``by``: points behind the best of the hand."""

    by: int
    hand: str
    seat: int
    bot: str
    ending: str
    winner: str | None
    points: Mapping[str, int]

    @property
    def how(self) -> str:
        """For people: ``gin, ann won``."""
        ending = self.ending.replace("_", " ")
        return f"{ending}, {self.winner} won" if self.winner else ending


class Match(NamedTuple):
    """A match and the worst of its hands, the worst first. ``names``: by seat. ``settlement``: what
    each received or paid in all its games, None where games are not settled."""

    row: FixtureRow
    tournament: str
    names: tuple[str, ...]
    hands: int
    worst: tuple[Lost, ...]
    settlement: tuple[int, ...] | None = None


@click.command()
@click.argument("bot", required=False)
@click.option("--tournament", "-t", metavar="NAME", help="Of this tournament only.")
@click.option("--worst", is_flag=True, help="The match with the hand lost highest first.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=10, show_default=True,
              metavar="N", help="Most matches.")  # fmt: skip
@click.option("--hands", type=click.IntRange(0, 1000), default=3, show_default=True,
              metavar="N", help="Most hands of each match.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line.")
@database_option
def matches(
    bot: str | None,
    tournament: str | None,
    worst: bool,
    limit: int,
    hands: int,
    as_json: bool,
    database: Path,
) -> None:
    """List matches, the newest first, and under each the hands that were lost the highest.

    With BOT only its matches, and the hands that it lost. What is listed can be given to arena
    replay: the id of a match, or the name of a hand.

    \b
    arena matches hasty --worst --db friday.db
    arena matches --tournament "Friday night" --limit 100 --json --db friday.db
    """
    from arena.store import Store

    with Store(database, read_only=True) as store:
        if bot is not None:
            _require(store, bot)
        only = None if tournament is None else store.tournaments.find(tournament)
        for match in _chosen(store, bot, only, limit, hands, worst):
            if as_json:
                click.echo(json.dumps(_as_json(match)))
            else:
                for line in _text(match):
                    click.echo(line)


def _require(store: Store, bot: str) -> None:
    """Refuse a name that no bot has.

    :raises StoreError: the text suggests the nearest.
    """
    known = [each.name for each in store.bots.all()]
    if bot not in known:
        from arena.nearest import did_you_mean

        hint = did_you_mean(bot, known) or f"; there are: {', '.join(known) or 'none yet'}"
        raise StoreError(f"no bot {bot!r} in {store.path}{hint}")


def _chosen(
    store: Store,
    bot: str | None,
    only: TournamentRow | None,
    limit: int,
    hands: int,
    worst: bool,
) -> Iterable[Match]:
    ids = store.fixtures.played(bot, only.id if only else None)
    if not worst:
        return _found(store, ids[:limit], bot, hands)
    # Read with one hand at least: it is what they are ordered by.
    every = _found(store, ids, bot, max(1, hands))
    order = nlargest(limit, every, key=lambda match: match.worst[0].by if match.worst else 0)
    return [match._replace(worst=match.worst[:hands]) for match in order]


def _found(store: Store, ids: Iterable[str], bot: str | None, hands: int) -> Iterator[Match]:
    tournaments: dict[str, tuple[str, dict[int, str]]] = {}
    for id in ids:
        row = store.fixtures.get(id)
        assert row is not None
        if row.tournament_id not in tournaments:
            entrants = store.tournaments.entrants(row.tournament_id)
            tournaments[row.tournament_id] = (
                store.tournaments.get(row.tournament_id).name,
                {entrant.number: entrant.name for entrant in entrants},
            )
        tournament, by_number = tournaments[row.tournament_id]
        names = tuple(by_number[number] for number in row.seats)
        played = store.hands.of(id)
        lost = [one for hand in played for one in _lost(hand, names) if bot in (None, one.bot)]
        worst = tuple(nlargest(hands, lost, _by))
        yield Match(row, tournament, names, len(played), worst, _settlement(store, row, played))


def _settlement(store: Store, row: FixtureRow, hands: Sequence[HandRow]) -> tuple[int, ...] | None:
    """What each seat received or paid in the games of a match."""
    from arena.tournament.settlements import is_settled, settlements, together

    if not is_settled(store.tournaments.get(row.tournament_id).variant, len(row.seats)):
        return None
    games = {game.number: game.termination for game in store.fixtures.games(row.id)}
    records = [(hand.game, hand.record) for hand in hands]
    return together(settlements(games, records, len(row.seats)))


def _by(lost: Lost) -> int:
    return lost.by


def _lost(hand: HandRow, names: tuple[str, ...]) -> Iterator[Lost]:
    """For each seat that was behind in this hand, by how much."""
    from arena.rules.record import parse

    record = parse(hand.record)
    seats = record.plan.seats
    points = {names[seat]: count for seat, count in zip(seats, hand.points, strict=True)}
    sign = -1 if _fewer_is_better(record.variant, record.changes) else 1
    best = max(sign * count for count in hand.points)
    winner = None if hand.winner is None else names[hand.winner]
    name = f"{hand.fixture_id}/{hand.game}/{hand.number}"
    for seat, count in zip(seats, hand.points, strict=True):
        if best > sign * count:
            by = best - sign * count
            yield Lost(by, name, seat, names[seat], hand.ending, winner, points)


@lru_cache(maxsize=64)
def _fewer_is_better(variant: str, changes: tuple[tuple[str, object], ...]) -> bool:
    from arena.rules.games import variant_with

    game = variant_with(variant, dict(changes))
    seats, _ = game.family.players(game.rules)
    return game.family.new_sheet(game.rules, seats, 0).lower_is_better


def _text(match: Match) -> Iterator[str]:
    row = match.row
    score = ""
    if row.games_won:
        score = " " + ":".join(map(str, row.games_won))
    label = f"{match.tournament}, {row.label}" if row.label else match.tournament
    said = [f"{match.hands} {'hand' if match.hands == 1 else 'hands'}"]
    if row.faults:
        said.append(f"{row.faults} {'fault' if row.faults == 1 else 'faults'}")
    if row.status != "finished":
        said.append(str(row.status))
    if match.settlement is not None:
        paid = zip(match.names, match.settlement, strict=True)
        said.append(f"settled {' '.join(f'{name} {amount:+d}' for name, amount in paid)}")
    yield f"{row.id}  {label}: {' v '.join(match.names)}{score}, {', '.join(said)}"
    for lost in match.worst:
        yield f"    {lost.hand}  {lost.bot} {-lost.by:+d}: {lost.how}"


def _as_json(match: Match) -> dict[str, Any]:
    row = match.row
    return {
        "match": row.id,
        "tournament": match.tournament,
        "label": row.label,
        "status": row.status.value,
        "players": match.names,
        "games_won": row.games_won,
        "points": row.points,
        "settlement": match.settlement,
        "hands": match.hands,
        "faults": row.faults,
        "sentence": row.sentence,
        "started_at": row.started_at,
        "worst": [
            {
                "hand": lost.hand,
                "seat": lost.seat,
                "bot": lost.bot,
                "lost": lost.by,
                "ending": lost.ending,
                "winner": lost.winner,
                "points": lost.points,
            }
            for lost in match.worst
        ],
    }
