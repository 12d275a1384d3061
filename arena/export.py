"""Writes a finished tournament as one archive that can be verified without the database.

The archive is a zip: the rows as JSON Lines (see ``tournament.dossier``; their columns are those
of the database, listed in ``store/migrations.py``), the hand records as plain text, the table as
JSON, and CSV files for spreadsheets. The same tournament always gives the same bytes.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from arena.csvs import csv_text
from arena.errors import StoreError
from arena.store import Store
from arena.store.rows import TournamentRow
from arena.tournament.dossier import HIDDEN, StoredDossier
from arena.tournament.results import entrant_names, standings_json, stored_results
from arena.tournament.tally import crosstable

_EPOCH = (1980, 1, 1, 0, 0, 0)

README = """\
One tournament of a gin arena, complete.

  arena verify {name}

deals every hand again from the secret, replays it, scores it, and compares every result.
tournament.jsonl, entrants.jsonl, fixtures.jsonl, games.jsonl and hands.jsonl are what it reads,
one JSON object a line. hands.txt has the hand records alone, standings.json the table, and the
.csv files are for spreadsheets.
"""


def export(store: Store, tournament: TournamentRow, path: Path) -> None:
    """Write the archive.

    :raises StoreError: the tournament is not over (its secret must stay one until then), or the
        file exists or cannot be written.
    """
    if not tournament.over:
        raise StoreError(
            f"{tournament.name!r} is {tournament.state}; its secret is published, and it can be "
            "exported, when it is over"
        )
    dossier = StoredDossier(store, tournament.id)
    parts: dict[str, Callable[[], Iterable[bytes]]] = {
        "README.txt": lambda: [README.format(name=path.name).encode()],
        "tournament.jsonl": lambda: _lines([dossier.tournament]),
        "entrants.jsonl": lambda: _lines(dossier.entrants),
        "fixtures.jsonl": lambda: _lines(dossier.fixtures),
        "games.jsonl": lambda: _lines(g for _, games, _ in dossier.played() for g in games),
        "hands.jsonl": lambda: _lines(h for _, _, hands in dossier.played() for h in hands),
        "hands.txt": lambda: (
            hand["record"].encode() + b"\n" for _, _, hands in dossier.played() for hand in hands
        ),
        "standings.json": lambda: [
            orjson.dumps(standings_json(store, tournament), option=orjson.OPT_INDENT_2)
        ],
        "standings.csv": lambda: [_standings_csv(store, tournament)],
        "crosstable.csv": lambda: [_crosstable_csv(store, tournament)],
        "fixtures.csv": lambda: [_fixtures_csv(store, tournament)],
    }
    try:
        with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as archive:
            for name, content in parts.items():
                info = zipfile.ZipInfo(name, _EPOCH)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = 0o644 << 16
                with archive.open(info, "w") as file:
                    for chunk in content():
                        file.write(chunk)
    except FileExistsError:
        raise StoreError(f"{path} exists; choose another file with --to") from None
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from error


def _lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    for row in rows:
        kept = {key: value for key, value in row.items() if key not in HIDDEN}
        yield orjson.dumps(kept, option=orjson.OPT_APPEND_NEWLINE)


def _standings_csv(store: Store, tournament: TournamentRow) -> bytes:
    rows = standings_json(store, tournament)["standings"]
    header = list(rows[0]) if rows else ["rank", "name"]
    return csv_text(header, [list(row.values()) for row in rows]).encode()


def _crosstable_csv(store: Store, tournament: TournamentRow) -> bytes:
    """Net hand points of the row's entrant against the column's."""
    names = entrant_names(store, tournament.id)
    table = crosstable(stored_results(store, tournament.id).values(), names)
    rows = [
        [names[own]]
        + [table[own, other].net_points if (own, other) in table else None for other in names]
        for own in names
    ]
    return csv_text(["name", *names.values()], rows).encode()


def _fixtures_csv(store: Store, tournament: TournamentRow) -> bytes:
    names = entrant_names(store, tournament.id)
    header = ["stage", "round", "slot", "half", "status", "seats", "winner", "games_won",
              "games_drawn", "points", "hands", "termination", "sentence"]  # fmt: skip
    rows = [
        [row.key.stage, row.key.round, row.key.slot, row.key.half, row.status.value,
         " / ".join(names[seat] for seat in row.seats),
         None if row.winner is None else names[row.winner],
         "-".join(map(str, row.games_won)), row.games_drawn, " / ".join(map(str, row.points)),
         row.hands, row.termination, row.sentence]
        for row in store.fixtures.of(tournament.id, void=True)
    ]  # fmt: skip
    return csv_text(header, rows).encode()
