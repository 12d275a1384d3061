"""Tables of hands and games, with what was paid in them: what an archive makes from the hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from arena.config import TournamentConfig
from arena.csvs import csv_text
from arena.store.hands import read_hand
from arena.store.rows import HandRow, TournamentRow
from arena.tournament.dossier import Dossier
from arena.tournament.settlements import Settlement, is_settled, settlements

Paid = Mapping[str, Mapping[int, Settlement]]
"""What was paid in each game, by match and number of the game; nothing where none is settled."""


def payments(tournament: TournamentRow, dossier: Dossier) -> Paid:
    """What was paid in each game, by match and number; the hands are read only where there can be
    anything."""
    seats = TournamentConfig.from_json(tournament.config).options.table_size
    if not is_settled(tournament.variant, seats):
        return {}
    return {
        str(fixture["id"]): settlements(
            {int(game["number"]): str(game["termination"]) for game in games},
            [(int(hand["game"]), str(hand["record"])) for hand in hands],
            len(orjson.loads(fixture["seats"])),
        )
        for fixture, games, hands, _ in dossier.played()
    }


def games_csv(dossier: Dossier, settled: Paid) -> Iterator[bytes]:
    """Every finished game. ``points``: what decides; ``totals``: with bonuses; ``settlement``: what
    each received, or paid where it is negative."""
    names = {entrant["number"]: entrant["name"] for entrant in dossier.entrants}
    seats = range(_widest(dossier))
    header = ["match", "game", "winner", "hands", "termination", "sentence"]
    header += [f"{name}_{n}" for name in ("points", "totals", "settlement") for n in seats]
    yield csv_text(header, []).encode()
    for fixture, games, _, _ in dossier.played():
        sitting = orjson.loads(fixture["seats"])
        paid = settled.get(str(fixture["id"]), {})
        rows = [
            [
                fixture["id"],
                game["number"],
                None if game["winner"] is None else names[sitting[game["winner"]]],
                *(game[name] for name in ("hands", "termination", "sentence")),
                *(at(orjson.loads(game["points"]), n) for n in seats),
                *(at(orjson.loads(game["totals"]), n) for n in seats),
                *(at(paid.get(game["number"]), n) for n in seats),
            ]
            for game in games
        ]
        if rows:
            yield csv_text(rows[0], rows[1:]).encode()


def _widest(dossier: Dossier) -> int:
    """Most seats of a match."""
    return max((len(orjson.loads(row["seats"])) for row in dossier.fixtures), default=0)


def hands_csv(dossier: Dossier) -> Iterator[bytes]:
    """Every hand. ``decisions`` and milliseconds are those of both or all seats together."""
    names = {entrant["number"]: entrant["name"] for entrant in dossier.entrants}
    widest = _widest(dossier)
    header = ["match", "game", "hand", "ending", "winner", "decisions", "total_ms", "longest_ms"]
    yield csv_text([*header, *(f"points_{n}" for n in range(widest))], []).encode()
    for fixture, _, hands, _ in dossier.played():
        seats = orjson.loads(fixture["seats"])
        rows = [_hand_cells(read_hand(hand), seats, names, widest) for hand in hands]
        if rows:
            yield csv_text(rows[0], rows[1:]).encode()


def _hand_cells(
    hand: HandRow, seats: Sequence[int], names: Mapping[int, str], widest: int
) -> list[Any]:
    points: list[int | None] = [None] * widest
    for seat, value in zip(seats_of(hand.record), hand.points, strict=True):
        points[seat] = value
    return [
        hand.fixture_id,
        hand.game,
        hand.number,
        hand.ending,
        None if hand.winner is None else names[seats[hand.winner]],
        len(hand.times),
        sum(hand.times),
        max(hand.times, default=0),
        *points,
    ]


def seats_of(record: str) -> list[int]:
    """The seats by position that a record names in its third word, without reading all of it."""
    return [int(part.rstrip("*")) for part in record.split(" ", 3)[2].split(",")]


def at(values: Sequence[Any] | None, seat: int) -> Any:
    """The value of a seat, None where there is none."""
    return values[seat] if values is not None and seat < len(values) else None
