"""Checks a tournament from its rows alone: deals, hands, scores, schedule, standings, digests.

Everything that follows from the secret and from what the bots did is computed again with the same
pure rules and compared; what does not follow from anything (times, clock books) is covered by the
digests. The first difference is named and ends the check.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from arena.config import TournamentConfig
from arena.errors import ArenaError
from arena.referee.asks import Ask
from arena.referee.clock import Book
from arena.referee.ids import opaque_id
from arena.referee.match import GamePlayed, HandPlayed, MatchOutcome, MatchSetup
from arena.referee.table import play_match
from arena.rules.base import Variant
from arena.rules.deal import deal_seed, shuffled
from arena.rules.record import parse
from arena.store.digest import fixture_digest, tournament_digest
from arena.store.fixtures import fixture_row, game_row
from arena.store.hands import hand_row
from arena.store.rows import FixtureStatus, HandRow
from arena.tournament.dossier import Dossier
from arena.tournament.drive import result_of, row_of_game, setup_of
from arena.tournament.model import FixtureKey, FixtureResult

Row = Mapping[str, Any]


class Mismatch(ArenaError):
    """The first difference found. Its text says where, what is stored, and what is right."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What was checked and found right."""

    fixtures: int
    games: int
    hands: int
    finished: bool


def verify(dossier: Dossier) -> Verified:
    """Check a whole tournament.

    :raises Mismatch: naming the first difference.
    """
    check = _Check(dossier)
    counts = check.played()
    check.schedule()
    check.seal()
    return Verified(*counts, finished=check.finished)


class _Check:
    def __init__(self, dossier: Dossier) -> None:
        self.dossier = dossier
        row = dossier.tournament
        try:
            self.secret = bytes.fromhex(row["secret"])
            self.config = TournamentConfig.from_json(orjson.loads(row["config"]))
            self.variant = self.config.variant()
            self.format = self.config.find_format()
        except (ValueError, TypeError, KeyError, ArenaError) as error:
            raise Mismatch(f"tournament: its configuration cannot be read: {error}") from error
        if hashlib.sha256(self.secret).hexdigest() != row["commitment"]:
            raise Mismatch("tournament: the secret is not the one that was committed to")
        self.finished = row["state"] == "finished"
        self.names = {entrant["number"]: entrant["name"] for entrant in dossier.entrants}
        self.results: dict[FixtureKey, FixtureResult] = {}
        self.digests: list[str] = []

    def played(self) -> tuple[int, int, int]:
        """Check every fixture; numbers of fixtures, games and hands."""
        fixtures = games = hands = 0
        for row, game_rows, hand_rows in self.dossier.played():
            where = f"fixture {row.get('id')}"
            try:
                self._fixture(row, game_rows, hand_rows)
            except Mismatch as error:
                raise Mismatch(f"{where}: {error}") from error
            except (ArenaError, ValueError, TypeError, KeyError, IndexError) as error:
                raise Mismatch(f"{where}: it cannot be read: {error}") from error
            fixtures += 1
            games += len(game_rows)
            hands += len(hand_rows)
        return fixtures, games, hands

    def _fixture(self, row: Row, game_rows: Sequence[Row], hand_rows: Sequence[Row]) -> None:
        fixture = fixture_row(row)
        id = opaque_id("m", self.secret, *fixture.key, fixture.replay)
        _same("id", fixture.id, id)
        if fixture.status is FixtureStatus.BYE:
            assert fixture.result is not None
            self.results[fixture.key] = fixture.result
            return
        if fixture.status in (FixtureStatus.FINISHED, FixtureStatus.VOID):
            digest = fixture_digest(row, game_rows, hand_rows)
            if fixture.digest is not None or fixture.status is FixtureStatus.FINISHED:
                _same("digest", fixture.digest, digest)
            if fixture.status is FixtureStatus.FINISHED:
                self.digests.append(digest)
        setup = setup_of(
            self.dossier.tournament["id"], self.variant, self.secret, self.config.clock,
            fixture, self.names,
        )  # fmt: skip
        hands = [hand_row(hand) for hand in hand_rows]
        for hand in hands:
            _check_deal(hand, setup)
        games, outcome = _referee(setup, hands)
        stored = [game_row(game) for game in game_rows]
        _same("games", stored, [row_of_game(fixture.id, game) for game in games][: len(stored)])
        result = fixture.result
        if result is None:
            return
        self.results[fixture.key] = result
        if outcome is not None and hands:
            _same("result", result, result_of(fixture, outcome))
            _same("sentence", fixture.sentence, outcome.sentence)

    def schedule(self) -> None:
        """Check that the fixtures are those that the format makes of these results."""
        seeding = [
            row["number"] for row in sorted(self.dossier.entrants, key=lambda row: row["seeding"])
        ]
        planned = self.format.fixtures(seeding, self.config.options, self.results)
        stored = [
            fixture_row(row).fixture for row in self.dossier.fixtures if row["status"] != "void"
        ]
        known = {fixture.key: fixture for fixture in planned}
        for fixture in stored:
            if known.get(fixture.key) != fixture:
                raise Mismatch(f"schedule: {fixture} was not scheduled by the format")
        if self.finished and len(planned) != len(stored):
            raise Mismatch(f"schedule: {len(stored)} of {len(planned)} fixtures are stored")

    def seal(self) -> None:
        """Check the tournament's own digest."""
        row = self.dossier.tournament
        if self.finished:
            digest = tournament_digest(row, self.dossier.entrants, self.digests)
            _same("tournament: digest", row["digest"], digest)


def _check_deal(hand: HandRow, setup: MatchSetup) -> None:
    """The record is of this game, with the deck that the secret gives."""
    where = f"game {hand.game}, hand {hand.number}"
    record = parse(hand.record)
    family, rules = setup.variant.family, setup.variant.rules
    seed = deal_seed(setup.secret, setup.deal_key, hand.game, hand.number)
    _same(f"{where}: game", (record.variant, record.changes), _named(setup.variant))
    _same(f"{where}: deck", record.deck, shuffled(family.deck(rules), seed))
    _same(f"{where}: ending", hand.ending, record.outcome.ending.value)
    _same(f"{where}: points", hand.points, record.outcome.points)
    winner = record.outcome.winner
    _same(f"{where}: winner", hand.winner, None if winner is None else record.plan.seats[winner])


def _named(variant: Variant) -> tuple[str, tuple[tuple[str, object], ...]]:
    return variant.name, variant.changes


def _referee(
    setup: MatchSetup, hands: Sequence[HandRow]
) -> tuple[list[GamePlayed], MatchOutcome | None]:
    """Referee the match again from its hands; without an outcome where it goes on after them."""
    history = [
        HandPlayed(
            hand.game, hand.number, hand.record, hand.ending, hand.winner, hand.points,
            hand.times, tuple(Book.from_row(values) for values in hand.books),
        )
        for hand in hands
    ]  # fmt: skip
    games: list[GamePlayed] = []
    match = play_match(setup, history)
    try:
        while True:
            event = next(match)
            if isinstance(event, GamePlayed):
                games.append(event)
            elif isinstance(event, Ask):
                return games, None
    except StopIteration as end:
        outcome: MatchOutcome = end.value
        return games, outcome


def _same(what: str, stored: object, right: object) -> None:
    if stored != right:
        raise Mismatch(f"{what} is stored as {_short(stored)}, but {_short(right)} is right")


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 200 else text[:200] + "…"
