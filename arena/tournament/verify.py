"""Checks a tournament from its rows alone: deals, hands, scores, schedule, digests.

Everything that follows from the secret and from what the bots did is computed again with the same
pure rules and compared; what does not follow from anything (times, clock books, faults) is covered
by the digests. The first difference is named and ends the check. The rows may hold anything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import zip_longest
from typing import Any

import orjson

from arena.config import TournamentConfig
from arena.errors import ArenaError, RulesError
from arena.referee.ids import fixture_id
from arena.referee.match import GamePlayed, HandPlayed, MatchOutcome, MatchSetup
from arena.referee.table import recorded
from arena.rules.deal import deal_seed, shuffled
from arena.rules.record import replay
from arena.store.digest import fixture_digest, tournament_digest
from arena.store.fixtures import read_fixture, read_game
from arena.store.hands import read_hand
from arena.store.rows import FixtureRow, FixtureStatus, HandRow, RawRow, TournamentState
from arena.tournament.dossier import Dossier, PlayedRows
from arena.tournament.drive import game_to_row, hands_played, result_of, setup_of
from arena.tournament.match import forfeit_result, left_sentence
from arena.tournament.model import Fixture, FixtureKey, FixtureResult
from arena.tournament.unfinished import left_result, referee_again

UNREADABLE = (
    ArenaError, ValueError, TypeError, LookupError, AttributeError, AssertionError,
    ArithmeticError, RecursionError,
)  # fmt: skip
"""What rules and decoders raise for values that the arena never writes."""


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
    :raises StoreError: the rows cannot be read at all; the text names the place.
    """
    check = _Check(dossier)
    counts = check.played()
    with _within("schedule"):
        check.schedule()
    with _within("time books"):
        check.check_times()
    check.seal()
    return Verified(*counts, finished=check.state is TournamentState.FINISHED)


class _Check:
    def __init__(self, dossier: Dossier) -> None:
        self.dossier = dossier
        row = dossier.tournament
        with _within("tournament"):
            self.state = TournamentState(row["state"])
            self.id = str(row["id"])
            self.secret = bytes.fromhex(row["secret"])
            committed = hashlib.sha256(self.secret).hexdigest()
            _same("the commitment to the secret", row["commitment"], committed)
            self.config = TournamentConfig.from_json(orjson.loads(row["config"]))
            self.variant = self.config.variant()
            self.format = self.config.find_format()
            _same("the game", row["variant"], self.variant.name)
            _same("the format", row["format"], self.format.name)
            if self.over and row["digest"] is None:
                raise Mismatch("it is over but has no digest")
        with _within("entrants"):
            self.gone = {
                entrant["number"] for entrant in dossier.entrants if entrant["state"] != "playing"
            }
            for entrant in dossier.entrants:
                if entrant["number"] not in self.gone and entrant.get("left_round") is not None:
                    raise Mismatch(f"entrant {entrant['number']} left, but is playing")
            self.names = {entrant["number"]: str(entrant["name"]) for entrant in dossier.entrants}
            _same("the list of numbers", list(self.names), list(range(len(dossier.entrants))))
        self.results: dict[FixtureKey, FixtureResult] = {}
        self.times: dict[int, tuple[int, int, int]] = {}
        self.left: set[str] = set()
        self.matches = 0
        self.digests: list[str] = []

    @property
    def over(self) -> bool:
        return self.state in (TournamentState.FINISHED, TournamentState.CANCELLED)

    def played(self) -> tuple[int, int, int]:
        """Check every fixture; numbers of fixtures, games and hands."""
        fixtures = games = hands = 0
        for played in self.dossier.played():
            with _within(f"fixture {played.fixture.get('id')}"):
                self._fixture(played)
            fixtures += 1
            games += len(played.games)
            hands += len(played.hands)
        return fixtures, games, hands

    def _fixture(self, played: PlayedRows) -> None:
        row = played.fixture
        fixture = read_fixture(row)
        _same("the tournament", fixture.tournament_id, self.id)
        _same("the id", fixture.id, fixture_id(self.secret, self.id, fixture.key, fixture.replay))
        if (len(fixture.seats) == 1) != (fixture.status is FixtureStatus.BYE):
            raise Mismatch(f"it is {fixture.status} with seats {_short(fixture.seats)}")
        hands = [read_hand(hand) for hand in played.hands]
        if fixture.status is not FixtureStatus.BYE:
            self._match(fixture, played.games, hands)
        if played.faults is not None:
            _check_faults(fixture, hands, played.faults)
        if fixture.result is not None:
            self.results[fixture.key] = fixture.result
        elif self.state is TournamentState.FINISHED and fixture.status is not FixtureStatus.VOID:
            raise Mismatch(f"it is {fixture.status} although the tournament is finished")
        if fixture.result is None and fixture.digest is None:
            return
        self._add_times(fixture, hands)
        faults = played.faults or ()
        if fixture.faults is not None:
            _same("the number of faults", fixture.faults, len(faults))
        digest = fixture_digest(row, played.games, played.hands, faults)
        if fixture.digest != digest:
            raise Mismatch(
                "its digest is not that of its row, games, hands and faults. All that can be "
                "computed again is right, so what was changed is a time, a fault, a note, a label "
                f"or the digest itself (stored {_short(fixture.digest)}, right {digest})"
            )
        if fixture.result is not None:
            self.digests.append(digest)

    def _add_times(self, fixture: FixtureRow, hands: Sequence[HandRow]) -> None:
        """What a match that was played to its end adds to the time books, void or not."""
        if not hands or fixture.id in self.left:
            return
        self.matches += 1
        for entrant, values in zip(fixture.seats, hands[-1].books, strict=True):
            _, decisions, bot_ms, arena_ms = values[:4]
            before = self.times.get(entrant, (0, 0, 0))
            self.times[entrant] = (before[0] + decisions, before[1] + bot_ms, before[2] + arena_ms)

    def _match(
        self, fixture: FixtureRow, game_rows: Sequence[RawRow], hands: Sequence[HandRow]
    ) -> None:
        """Deal and referee the match again."""
        setup = setup_of(self.id, self.variant, self.secret, self.config.clock, fixture, self.names)
        for hand in hands:
            with _within(f"game {hand.game}, hand {hand.number}"):
                _check_hand(hand, setup)
        history = hands_played(hands)
        games, outcome = referee_again(setup, history)
        stored = [read_game(game) for game in game_rows]
        if len(stored) > len(games):
            raise Mismatch(f"{len(stored)} games are stored, but its hands make {len(games)}")
        for game, right in zip(stored, games, strict=False):
            with _within(f"game {game.number}"):
                _same_values(game, game_to_row(fixture.id, right))
        result = fixture.result
        if result is None:
            return
        counted = self._left_after(fixture, setup, history, games, outcome)
        if counted is not None:
            # Somebody had left the tournament, perhaps after some hands.
            self.left.add(fixture.id)
            here = [self.names[entrant] for entrant in result.forfeited if entrant not in self.gone]
            if here:
                raise Mismatch(f"{here[0]} has not left the tournament, but forfeits for that")
            gone = [self.names[entrant] for entrant in result.forfeited]
            _same("the sentence", fixture.sentence, left_sentence(gone, counted))
            return
        if outcome is None:
            raise Mismatch("it has a result, but its hands do not make a whole match")
        _same("the number of games", len(stored), len(games))
        with _within("result"):
            _same_values(result, result_of(fixture, outcome))
            _same("the sentence", fixture.sentence, outcome.sentence)

    def _left_after(
        self,
        fixture: FixtureRow,
        setup: MatchSetup,
        hands: Sequence[HandPlayed],
        games: Sequence[GamePlayed],
        outcome: MatchOutcome | None,
    ) -> int | None:
        """How many hands count of a match that a bot left; None if its result is another one."""
        result = fixture.result
        if result is None or not result.forfeited:
            return None
        if outcome is None:
            right = left_result(fixture.fixture, setup, hands, games, result.forfeited)
            if result == right:
                return right.hands
        # The first versions of the arena counted nothing of it.
        before = fixture.faults is None
        nothing = forfeit_result(fixture.fixture, result.forfeited)
        return 0 if before and result == nothing else None

    def schedule(self) -> None:
        """Check that the fixtures are those that the format makes of these results.

        One that never began may have fewer entrants than its format needs.
        """
        if not self.dossier.fixtures and self.state is not TournamentState.FINISHED:
            return
        rows = map(read_fixture, self.dossier.fixtures)
        stored = {row.key: row for row in rows if row.status is not FixtureStatus.VOID}
        planned = 0
        for fixture in self._planned():
            planned += 1
            row = stored.get(fixture.key)
            if row is not None:
                with _within(f"fixture {row.id}"):
                    _same_values(row.fixture, fixture)
                del stored[fixture.key]
            elif self.state is TournamentState.FINISHED:
                raise Mismatch(f"the match {fixture.label!r} is missing")
        for row in stored.values():
            with _within(f"fixture {row.id}"):
                raise Mismatch("a match is stored that the format does not make")

    def _planned(self) -> Iterator[Fixture]:
        """Every fixture as the format makes it from the results before it, which are those of the
        fixtures that were made before. Whoever takes one has compared it before the next."""
        rows = sorted(self.dossier.entrants, key=lambda row: int(row["seeding"]))
        seeding = [row["number"] for row in rows]
        rounds = {row["number"]: row.get("left_round") for row in rows}
        left = {number: latest for number, latest in rounds.items() if latest is not None}
        made: set[FixtureKey] = set()
        known: dict[FixtureKey, FixtureResult] = {}
        while True:
            planned = self.format.fixtures(seeding, self.config.options, known, left)
            new = [fixture for fixture in planned if fixture.key not in made]
            if not new:
                return
            for fixture in new:
                yield fixture
                made.add(fixture.key)
                if fixture.key in self.results:
                    known[fixture.key] = self.results[fixture.key]
            back = self.format.looks_back
            if back is not None:
                latest = max((key.round for key in known), default=0)
                known = {key: r for key, r in known.items() if key.round >= latest - back}

    def check_times(self) -> None:
        """Check that the time books are what the matches add up to."""
        if self.dossier.times is None:
            return
        stored = {row["entrant"]: row for row in self.dossier.times}
        _same("the list of entrants", sorted(stored), sorted(self.times))
        for entrant, (decisions, bot_ms, arena_ms) in self.times.items():
            with _within(f"entrant {entrant}"):
                row = stored[entrant]
                _same("the number of decisions", row["decisions"], decisions)
                for what, right in (("bot_ms", bot_ms), ("arena_ms", arena_ms)):
                    # The first versions of the arena added up fractions of milliseconds.
                    doubt = 0 if float(row[what]).is_integer() else self.matches / 2
                    if abs(row[what] - right) > doubt:
                        _same(f"the {what}", row[what], right)

    def seal(self) -> None:
        """Check the tournament's own digest."""
        row = self.dossier.tournament
        stored = row["digest"]
        if not self.over and stored is None:
            return
        digest = tournament_digest(row, self.dossier.entrants, self.digests)
        if stored != digest:
            raise Mismatch(
                "tournament: its digest is not that of its row, entrants and fixtures. All that "
                "can be computed again is right, so what was changed is a name, a seeding, a "
                "state, a time, a setting that changes nothing, or the digest itself (stored "
                f"{_short(stored)}, right {digest})"
            )


def _check_hand(hand: HandRow, setup: MatchSetup) -> None:
    """The record is of this game, with the deck that the secret gives, and says what the row says.

    That the play leads to its result is checked where the match is refereed again.
    """
    record = recorded(hand.record)
    variant = setup.variant
    seed = deal_seed(setup.secret, setup.deal_key, hand.game, hand.number)
    _same("the game", record.variant, variant.name)
    _same("the settings", dict(record.changes), dict(variant.changes))
    _same("the deck", record.deck, shuffled(variant.family.deck(variant.rules), seed))
    _same("the ending", hand.ending, record.outcome.ending.value)
    _same("the points", hand.points, record.outcome.points)
    winner = record.outcome.winner
    _same("the winner", hand.winner, None if winner is None else record.plan.seats[winner])


def _check_faults(fixture: FixtureRow, hands: Sequence[HandRow], stored: Sequence[RawRow]) -> None:
    """The faults are those that the records of the hands show."""
    columns = ("game", "hand", "turn", "code", "entrant")
    found = [tuple(row[column] for column in columns) for row in stored]
    shown = [fault for hand in hands for fault in _shown_faults(fixture, hand)]
    for one, right in zip_longest(found, shown):
        if one is None or right is None or one[: len(right)] != right:
            _same("the fault (game, hand, turn, code, entrant)", one, right)


def _shown_faults(fixture: FixtureRow, hand: HandRow) -> Iterator[tuple[object, ...]]:
    """Game, hand, turn, code and entrant of each fault in the record. The last is left out where a
    hand by itself does not say who was to move."""
    record = recorded(hand.record)
    faults = [(turn, play.fault) for turn, play in enumerate(record.plays) if play.fault]
    if not faults:
        return
    try:
        acting = [hand.to_act for hand in replay(record)]
    except RulesError:
        acting = []
    for turn, code in faults:
        position = acting[turn] if acting else None
        who = () if position is None else (fixture.seats[record.plan.seats[position]],)
        yield (hand.game, hand.number, turn, code, *who)


@contextmanager
def _within(where: str) -> Iterator[None]:
    """Say where a difference was found; what cannot be read is a difference too."""
    try:
        yield
    except Mismatch as error:
        raise Mismatch(f"{where}: {error}") from error
    except UNREADABLE as error:
        detail = str(error) or "impossible values"
        if isinstance(error, KeyError):
            detail = f"{error} is missing or unknown"
        raise Mismatch(f"{where}: it cannot be read: {detail}") from error


def _same_values(stored: Any, right: Any) -> None:
    """Compare two dataclass values of one type field by field."""
    for field in fields(right):
        name = field.name
        _same(f"the {name.replace('_', ' ')}", getattr(stored, name), getattr(right, name))


def _same(what: str, stored: object, right: object) -> None:
    if stored != right:
        raise Mismatch(f"{what} is stored as {_short(stored)}, but {_short(right)} is right")


def _short(value: object) -> str:
    if isinstance(value, tuple) and value and all(isinstance(part, str) for part in value):
        value = "".join(value)
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 200 else text[:200] + "…"
