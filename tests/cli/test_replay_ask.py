"""`arena replay`: what bots remarked, and what a bot would do in a stored hand now."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.bot import Bot, BotServer, BotView, Choice
from arena.store import Store
from tests.e2e.arena_process import arena

NOTING = """
from arena.bot import Bot, BotView, Choice, run

class Noting(Bot):
    def discard(self, view: BotView) -> Choice:
        return Choice(view.safe, note=f"{len(view.hand)} cards at {view.me.score}")

run(Noting())
"""


class Keeps(Bot):
    """Plays as it did, but throws another card where it can; keeps what it was asked."""

    def __init__(self, *, stubborn: bool) -> None:
        self.stubborn = stubborn
        self.seen: list[dict[str, Any]] = []

    def choose(self, view: BotView) -> str | Choice:
        self.seen.append(dict(view.request))
        if view.phase == "discard" and self.stubborn:
            return f"discard:{view.discards[-1]}"
        return view.safe


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a match of a bot that plays safe and remarks on each throw."""
    folder = tmp_path_factory.mktemp("asked")
    (folder / "noting.py").write_text(NOTING)
    bots = ("--bot", f"ann=python:{folder / 'noting.py'}", "--bot", "bob=sample:greedy")
    done = arena("run", *bots, "--set", "target=60", "--db", folder / "arena.db")
    assert done.returncode == 0, done.stderr
    return folder / "arena.db"


@pytest.fixture
def hand(played: Path) -> tuple[str, int]:
    """The name of a hand that is not the first of its game, and ann's seat."""
    with Store(played, read_only=True) as store:
        fixture = store.fixtures.of(store.tournaments.all()[0].id)[0]
        entrants = {e.number: e.name for e in store.tournaments.entrants(fixture.tournament_id)}
        row = next(row for row in store.hands.of(fixture.id) if row.number == 2)
        seat = [entrants[number] for number in fixture.seats].index("ann")
    return f"{row.fixture_id}/{row.game}/{row.number}", seat


def moves(database: Path, *arguments: str) -> Sequence[dict[str, Any]]:
    """What the command prints as JSON."""
    done = arena("replay", *arguments, "--json", "--db", database)
    assert done.returncode == 0, done.stderr
    found: Sequence[dict[str, Any]] = json.loads(done.stdout)["moves"]
    return found


def test_remarks_of_bots_are_shown_with_their_moves(played: Path, hand: tuple[str, int]) -> None:
    """A note is kept with the hand, so it can be read there."""
    name, _ = hand
    text = arena("replay", name, "--db", played).stdout
    noted = [move for move in moves(played, name) if move.get("note")]

    assert noted
    assert all(re.fullmatch(r"11 cards at \d+", move["note"]) for move in noted)
    for move in noted:
        assert re.search(rf'^ +{move["turn"]}  ann .*  "{move["note"]}"$', text, re.MULTILINE)
    assert len(re.findall(r'  "11 cards at', text)) == len(noted)


def test_a_bot_that_plays_as_it_did_differs_nowhere(played: Path, hand: tuple[str, int]) -> None:
    """It is asked for what the match asked it, with its ids and the score of that moment."""
    name, seat = hand
    bot = Keeps(stubborn=False)
    with BotServer(bot) as server:
        found = moves(played, name, "--ask", server.url, "--seat", "ann")

    asked = [move for move in found if "asked" in move]
    mine = [move for move in found if move.get("phase") and move["position"] is not None]
    with closing(sqlite3.connect(played)) as conn, conn:
        match, game, number = name.split("/")
        (record,) = conn.execute(
            "SELECT record FROM hands JOIN fixtures ON serial = fixture"
            " WHERE id = ? AND game = ? AND number = ?",
            [match, game, number],
        ).fetchone()
    seats = [int(word.rstrip("*")) for word in record.split(" ")[2].split(",")]
    assert asked == [move for move in mine if seats[move["position"]] == seat]
    assert all(move["asked"]["same"] for move in asked)
    assert [request["request_id"] for request in bot.seen] == [
        f"{match}-{game}-{number}-{move['turn'] - 1}" for move in asked
    ]
    said = [move["note"] for move in asked if move["note"]]
    scores = {f"11 cards at {request['players'][seat]['score']}" for request in bot.seen}
    assert scores == set(said)


def test_where_a_bot_would_choose_otherwise_is_marked(played: Path, hand: tuple[str, int]) -> None:
    """And counted; the moves of the other are not asked."""
    name, _ = hand
    with BotServer(Keeps(stubborn=True)) as server:
        text = arena("replay", name, "--ask", server.url, "--seat", "ann", "--db", played).stdout
        found = moves(played, name, "--ask", server.url, "--seat", "ann")

    asked = [move["asked"] for move in found if "asked" in move]
    others = [one for one in asked if not one["same"]]
    assert others
    assert [one["action"] for one in others] == re.findall(r"<- now (\S+)", text)
    assert f"asked again: {len(others)} of {len(asked)} decisions" in text
    for move in found:
        if "asked" in move and not move["asked"]["same"]:
            assert move["asked"]["action"] != move["action"]
            assert move["asked"]["action"] in move["legal"]


def test_what_the_rules_refuse_is_said_where_it_happens(
    played: Path, hand: tuple[str, int]
) -> None:
    """An answer that would be a fault is told as one, and the rest is asked all the same."""
    name, _ = hand

    class Wrong(Bot):
        def discard(self, view: BotView) -> str:
            return "discard:ZZ"

    with BotServer(Wrong()) as server:
        done = arena("replay", name, "--ask", server.url, "--seat", "ann", "--db", played)

    assert done.returncode == 0
    assert "<- now illegal: 'discard:ZZ' is not among the 1" in done.stdout


def test_a_record_alone_can_be_asked_about_by_seat(played: Path, hand: tuple[str, int]) -> None:
    """Without a database, from an archive say, and by a bot that the arena starts itself."""
    name, seat = hand
    done = arena("replay", name, "--json", "--db", played)
    record = json.loads(done.stdout)["record"]

    asked = arena("replay", record, "--ask", "sample:simple", "--seat", str(seat))

    assert asked.returncode == 0, asked.stderr
    assert "decisions would be others now" in asked.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--ask", "sample:simple"), "say with --seat whose decisions"),
        (("--ask", "sample:simple", "--seat", "carl"), "'carl' did not play this hand; --seat is"),
        (("--ask", "http://127.0.0.1:1", "--seat", "ann"), "nobody listens there"),
        (("--seat", "ann"), "--seat goes with --ask"),
    ],
)
def test_what_cannot_be_asked_is_told(
    played: Path, hand: tuple[str, int], arguments: tuple[str, ...], said: str
) -> None:
    """Before half a hand is printed."""
    done = arena("replay", hand[0], *arguments, "--db", played)

    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
