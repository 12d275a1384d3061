"""Tables for spreadsheets: every cell is what it says it is."""

from __future__ import annotations

import csv
import io
import re

import pytest
from flask.testing import FlaskClient


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

    assert [(line["bot"], line["rank"], line["decided_by"]) for line in lines] == [
        (row["bot"]["name"], str(row["rank"] or ""), row["decided"] or "") for row in table
    ]
