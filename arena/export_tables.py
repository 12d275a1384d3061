"""A tournament's tables for spreadsheets and programs: what an archive has beside the rows.

CSV is safe to open (see `arena.csvs`): nothing in it is run as a formula, and no cell is written
so that a spreadsheet takes it for a date. JSON Lines have one object a line and keep their shape:
members may be added, none is renamed or removed. Unknown numbers are empty in CSV, null in JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

import orjson

from arena.config import TournamentConfig
from arena.csvs import csv_text
from arena.export_games import Paid, at, games_csv, hands_csv, payments
from arena.rules.games import sides_of
from arena.store import Store
from arena.store.rows import EntrantState, TournamentRow
from arena.tournament.conduct import CODES, conduct_rows
from arena.tournament.dossier import Dossier
from arena.tournament.ranking.tally import Meeting, crosstable
from arena.tournament.results import entrant_names, standings_json, stored_results
from arena.tournament.settlements import together

Text = Callable[[], Iterable[bytes]]


def tables(store: Store, tournament: TournamentRow, dossier: Dossier) -> dict[str, Text]:
    """The texts by file name, made when they are called. Hands are taken from the dossier."""

    @cache
    def settled() -> Paid:
        return payments(tournament, dossier)

    return {
        "hands.txt": lambda: (
            hand["record"].encode() + b"\n" for one in dossier.played() for hand in one.hands
        ),
        "hands.csv": lambda: hands_csv(dossier),
        "games.csv": lambda: games_csv(dossier, settled()),
        "conduct.jsonl": lambda: _json_lines(conduct_rows(dossier)),
        "conduct.csv": lambda: [_conduct_csv(dossier)],
        "standings.json": lambda: [_pretty(standings_json(store, tournament))],
        "standings.csv": lambda: [_standings_csv(store, tournament)],
        "crosstable.jsonl": lambda: _json_lines(_meetings(store, tournament)),
        "crosstable.csv": lambda: [_crosstable_csv(store, tournament)],
        "results.jsonl": lambda: _json_lines(_results(store, tournament, settled())),
        "fixtures.csv": lambda: [_fixtures_csv(store, tournament, settled())],
    }


def _pretty(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _json_lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    for row in rows:
        yield orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)


def _standings_csv(store: Store, tournament: TournamentRow) -> bytes:
    rows = standings_json(store, tournament)["standings"]
    header = list(rows[0]) if rows else ["rank", "name"]
    return csv_text(header, [list(row.values()) for row in rows]).encode()


def _conduct_csv(dossier: Dossier) -> bytes:
    """How every bot answered, with a column for each code of a fault."""
    rows = conduct_rows(dossier)
    plain = [name for name in rows[0] if name != "faults_by_code"] if rows else ["name"]
    header = [*plain, *(f"fault_{code}" for code in CODES)]
    cells = [
        [*(row[name] for name in plain), *(row["faults_by_code"].get(code, 0) for code in CODES)]
        for row in rows
    ]
    return csv_text(header, cells).encode()


def _meetings(store: Store, tournament: TournamentRow) -> Iterator[dict[str, Any]]:
    """Each ordered pair that has met; net points are the first's hand points over the other's."""
    names = entrant_names(store, tournament.id)
    table = _crosstable(store, tournament)
    for (own, other), meeting in sorted(table.items()):
        yield {"name": names[own], "opponent": names[other], **asdict(meeting)}


def _crosstable(store: Store, tournament: TournamentRow) -> dict[tuple[int, int], Meeting]:
    """As the pages have it: disqualified entrants count for nobody, fewer points may be better."""
    config = TournamentConfig.from_json(tournament.config)
    entrants = store.tournaments.entrants(tournament.id)
    return crosstable(
        stored_results(store, tournament.id).values(),
        [row.number for row in entrants],
        void={row.number for row in entrants if row.state is EntrantState.DISQUALIFIED},
        fewer_points_win=config.options.fewer_points_win,
        sides=sides_of(tournament.variant, config.options.table_size),
    )


def _crosstable_csv(store: Store, tournament: TournamentRow) -> bytes:
    """Net hand points of the row's entrant against the column's."""
    names = entrant_names(store, tournament.id)
    table = _crosstable(store, tournament)
    rows = [
        [names[own]]
        + [table[own, other].net_points if (own, other) in table else None for other in names]
        for own in names
    ]
    return csv_text(["name", *names.values()], rows).encode()


def _results(store: Store, tournament: TournamentRow, settled: Paid) -> Iterator[dict[str, Any]]:
    """Every match in order of play, void ones and byes too. Lists are by seat.

    ``settlement``: what each received or paid in all games, null where games are not settled.
    """
    names = entrant_names(store, tournament.id)
    for row in store.fixtures.of(tournament.id, void=True):
        yield {
            "match": row.id,
            **row.key._asdict(),
            "replay": row.replay,
            "label": row.label,
            "status": row.status,
            "seats": [names[entrant] for entrant in row.seats],
            "winner": None if row.winner is None else names[row.winner],
            "games_won": row.games_won,
            "games_drawn": row.games_drawn,
            "points": row.points,
            "settlement": together(settled.get(row.id, {})),
            "hands": row.hands,
            "hands_won": row.hands_won,
            "hand_diffs": row.hand_diffs,
            "places": row.places,
            "forfeited": [names[entrant] for entrant in row.forfeited],
            "termination": row.termination,
            "sentence": row.sentence,
            "started_at": row.started_at,
            "finished_at": row.finished_at,
        }


_PLAIN = (
    "match", "stage", "round", "slot", "half", "replay", "label", "status", "winner",
    "games_drawn", "hands", "termination", "sentence", "started_at", "finished_at",
)  # fmt: skip
_BY_SEAT = ("games_won", "points", "hands_won", "settlement")


def _fixtures_csv(store: Store, tournament: TournamentRow, settled: Paid) -> bytes:
    """As the results, with a column for each seat."""
    results = list(_results(store, tournament, settled))
    seats = range(max((len(result["seats"]) for result in results), default=0))
    header = [*_PLAIN, *(f"seat_{n}" for n in seats)]
    header += [f"{name}_{n}" for name in _BY_SEAT for n in seats]
    rows = [
        [
            *(result[name] for name in _PLAIN),
            *(at(result["seats"], n) for n in seats),
            *(at(result[name], n) for name in _BY_SEAT for n in seats),
        ]
        for result in results
    ]
    return csv_text(header, rows).encode()
