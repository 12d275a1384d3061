"""Tables for spreadsheets: every cell is what it says it is."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from arena.export_tables import tables
from arena.store import Store
from arena.tournament.dossier import StoredDossier
from arena.tournament.ranking.table_text import value_text
from arena.tournament.ranking.tie_breaks import TieBreak


def rows_of(client: FlaskClient, address: str) -> list[dict[str, str]]:
    """The lines of a CSV file by its header."""
    return list(csv.DictReader(io.StringIO(client.get(address).get_data(as_text=True))))


@pytest.mark.parametrize("slug", ["sunday-table", "royal-evening", "winter-cup", "swiss-roll"])
def test_schedule_has_a_column_for_each_number(client: FlaskClient, slug: str) -> None:
    """Scores are whole numbers seat by seat, the same as on the page; no cell looks like a time."""
    lines = rows_of(client, f"/t/{slug}/schedule.csv")
    pages = client.get(f"/t/{slug}/schedule.json").get_json()["rounds"]
    shown = {match["id"]: match for one in pages for match in one["matches"]}

    assert {line["match"] for line in lines} == set(shown)
    for line in lines:
        assert not [cell for cell in line.values() if re.fullmatch(r"\d+[:/–-]\d+", cell)]
        match = shown[line["match"]]
        for number, seat in enumerate(match["seats"], 1):
            assert line[f"bot_{number}"] == seat["name"]
            if match["status"] == "finished":
                assert int(line[f"games_{number}"]) == seat["score"]
                assert int(line[f"points_{number}"]) == seat["points"]
    assert any(line["state"] == "finished" for line in lines)


def test_seats_that_a_match_lacks_are_empty(client: FlaskClient) -> None:
    """A bye has one bot and no score."""
    byes = [line for line in rows_of(client, "/t/double-trouble/schedule.csv")
            if line["state"] == "bye"]  # fmt: skip

    assert byes
    assert all(line["bot_1"] and not line["bot_2"] and not line["games_1"] for line in byes)


@pytest.mark.parametrize("slug", ["autumn-league", "winter-cup", "double-trouble", "groups"])
def test_pages_and_files_agree_on_what_decided(client: FlaskClient, slug: str) -> None:
    """Place and tie-break of each bot are the same in the page's table and in the file."""
    lines = rows_of(client, f"/t/{slug}/standings.csv")
    table = client.get(f"/t/{slug}.json").get_json()["standings"]

    assert [(line["name"], line["rank"]) for line in lines] == [
        (row["bot"]["name"], str(row["rank"] or "")) for row in table
    ]
    for line, row in zip(lines, table, strict=True):
        assert row["decided"] == (_reason(line) if row["played"] else None)


def _reason(line: Mapping[str, str]) -> str | None:
    if not line["decided_by"]:
        return None
    step = TieBreak(line["decided_by"])
    value = value_text(step, float(line["decided_value"])) if line["decided_value"] else ""
    return f"by {step.label}\N{NO-BREAK SPACE}{value}" if value else f"by {step.label}"


@pytest.mark.parametrize(
    ("slug", "state"), [("autumn-league", "finished"), ("sunday-table", "playing")]
)
def test_nobody_plays_on_in_what_is_over(client: FlaskClient, slug: str, state: str) -> None:
    """The state of a bot follows that of its tournament, in CSV and in the twin of the page."""
    page = client.get(f"/t/{slug}.json").get_json()

    assert {line["state"] for line in rows_of(client, f"/t/{slug}/standings.csv")} == {state}
    assert {line["presence"] for line in page["standings"]} == {state}


@pytest.mark.parametrize("slug", ["autumn-league", "double-trouble"])
def test_tables_have_the_columns_of_the_archive(
    client: FlaskClient, played: Path, slug: str
) -> None:
    """Whoever has both files reads the same numbers under the same names."""
    with Store(played, read_only=True) as store:
        row = store.tournaments.by_slug(slug)
        assert row is not None
        parts = tables(store, row, StoredDossier(store, row.id))
        files = {n: b"".join(parts[n]()).decode() for n in ("standings.csv", "crosstable.csv")}
    for name, text in files.items():
        archived = list(csv.DictReader(io.StringIO(text)))
        ours = rows_of(client, f"/t/{slug}/{name}")
        by_name = {line["name"]: line for line in ours}

        assert len(archived) == len(ours) > 4
        for line in archived:
            for column in line.keys() - {"partners"}:
                assert by_name[line["name"]][column] == line[column], column
