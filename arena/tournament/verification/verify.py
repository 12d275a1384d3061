"""Checks a tournament from its rows alone: deals, hands, scores, schedule, digests.

Everything that follows from the secret and from what the bots did is computed again with the same
pure rules and compared; what does not follow from anything (times, clock books, faults) is covered
by the digests. The first difference is named and ends the check. The rows may hold anything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from arena.config import TournamentConfig
from arena.referee.ids import fixture_id
from arena.referee.match import GamePlayed, HandPlayed, MatchOutcome, MatchSetup
from arena.referee.verdicts import Termination
from arena.store.digest import fixture_digest, tournament_digest
from arena.store.fixtures import read_fixture, read_game
from arena.store.hands import read_hand
from arena.store.rows import FixtureRow, FixtureStatus, HandRow, RawRow, TournamentState
from arena.tournament.dossier import Dossier, PlayedRows
from arena.tournament.match import forfeit_result, left_sentence
from arena.tournament.model import FixtureKey, FixtureResult
from arena.tournament.playing.drive import game_to_row, hands_played, result_of, setup_of
from arena.tournament.unfinished import left_result, referee_again
from arena.tournament.verification.mismatch import Mismatch, same, same_values, short, within
from arena.tournament.verification.verify_hands import check_faults, check_hand
from arena.tournament.verification.verify_schedule import check_schedule


@dataclass(frozen=True, slots=True)
class Verified:
    """What was checked and found right.

    ``matches``: those played to their end, void ones too, byes not. ``commitment``: what was
    published before the first hand. ``digest``: of the whole record, once it is over; whoever has
    noted it knows that this is the same.
    """

    matches: int
    games: int
    hands: int
    state: TournamentState
    commitment: str
    digest: str | None

    @property
    def finished(self) -> bool:
        """Whether it was played to its end."""
        return self.state is TournamentState.FINISHED


def verify(dossier: Dossier) -> Verified:
    """Check a whole tournament.

    :raises Mismatch: naming the first difference.
    :raises StoreError: the rows cannot be read at all; the text names the place.
    """
    check = _Check(dossier)
    counts = check.played()
    with within("schedule"):
        check_schedule(dossier, check.state, check.format, check.config.options, check.results)
    with within("time books"):
        check.check_times()
    check.seal()
    return Verified(
        *counts,
        state=check.state,
        commitment=check.commitment,
        digest=dossier.tournament["digest"],
    )


class _Check:
    def __init__(self, dossier: Dossier) -> None:
        self.dossier = dossier
        row = dossier.tournament
        with within("tournament"):
            self.state = TournamentState(row["state"])
            self.id = str(row["id"])
            self.secret = bytes.fromhex(row["secret"])
            self.commitment = hashlib.sha256(self.secret).hexdigest()
            same("the commitment to the secret", row["commitment"], self.commitment)
            self.config = TournamentConfig.from_json(orjson.loads(row["config"]))
            self.variant = self.config.variant()
            self.format = self.config.find_format()
            same("the game", row["variant"], self.variant.name)
            same("the format", row["format"], self.format.name)
            if self.over and row["digest"] is None:
                raise Mismatch("it is over but has no digest")
        with within("entrants"):
            self.gone = {
                entrant["number"] for entrant in dossier.entrants if entrant["state"] != "playing"
            }
            for entrant in dossier.entrants:
                if entrant["number"] not in self.gone and entrant.get("left_round") is not None:
                    raise Mismatch(f"entrant {entrant['number']} left, but is playing")
            self.names = {entrant["number"]: str(entrant["name"]) for entrant in dossier.entrants}
            same("the list of numbers", list(self.names), list(range(len(dossier.entrants))))
            for name, bot in zip(self.names.values(), dossier.bots or (), strict=False):
                same(f"the bot of {name}", bot, name)
        self.results: dict[FixtureKey, FixtureResult] = {}
        self.times: dict[int, tuple[int, int, int]] = {}
        self.left: set[str] = set()
        self.matches = 0
        self.digests: list[str] = []

    @property
    def over(self) -> bool:
        return self.state in (TournamentState.CANCELLED, TournamentState.FINISHED)

    def played(self) -> tuple[int, int, int]:
        """Check every fixture; numbers of matches, games and hands."""
        matches = games = hands = 0
        for played in self.dossier.played():
            with within(f"fixture {played.fixture.get('id')}"):
                self._fixture(played)
            matches += played.fixture["status"] in (FixtureStatus.FINISHED, FixtureStatus.VOID)
            games += len(played.games)
            hands += len(played.hands)
        return matches, games, hands

    def _fixture(self, played: PlayedRows) -> None:
        row = played.fixture
        fixture = read_fixture(row)
        same("the tournament", fixture.tournament_id, self.id)
        same("the id", fixture.id, fixture_id(self.secret, self.id, fixture.key, fixture.replay))
        if (len(fixture.seats) == 1) != (fixture.status is FixtureStatus.BYE):
            raise Mismatch(f"it is {fixture.status} with seats {short(fixture.seats)}")
        hands = [read_hand(hand) for hand in played.hands]
        if fixture.status is FixtureStatus.BYE:
            with within("result"):
                assert fixture.result is not None
                same_values(fixture.result, _bye(fixture))
        else:
            self._match(fixture, played.games, hands)
        if played.faults is not None:
            check_faults(fixture, hands, played.faults)
        if fixture.result is not None:
            self.results[fixture.key] = fixture.result
        elif self.state is TournamentState.FINISHED and fixture.status is not FixtureStatus.VOID:
            raise Mismatch(f"it is {fixture.status} although the tournament is finished")
        if fixture.result is None and fixture.digest is None:
            if fixture.status is FixtureStatus.VOID:
                self.digests.append("")
            return
        self._add_times(fixture, hands)
        faults = played.faults or ()
        if fixture.faults is not None:
            same("the number of faults", fixture.faults, len(faults))
        digest = fixture_digest(row, played.games, played.hands, faults)
        if fixture.digest != digest:
            raise Mismatch(
                "its digest is not that of its row, games, hands and faults. All that can be "
                "computed again is right, so what was changed is a time, a fault, a note, a label "
                f"or the digest itself (stored {short(fixture.digest)}, right {digest})"
            )
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
            with within(f"game {hand.game}, hand {hand.number}"):
                check_hand(hand, setup)
        history = hands_played(hands)
        games, outcome = referee_again(setup, history)
        stored = [read_game(game) for game in game_rows]
        if len(stored) > len(games):
            raise Mismatch(f"{len(stored)} games are stored, but its hands make {len(games)}")
        for game, right in zip(stored, games, strict=False):
            with within(f"game {game.number}"):
                same_values(game, game_to_row(fixture.id, right))
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
            same("the sentence", fixture.sentence, left_sentence(gone, counted))
            return
        if outcome is None:
            raise Mismatch("it has a result, but its hands do not make a whole match")
        same("the number of games", len(stored), len(games))
        with within("result"):
            same_values(result, result_of(fixture, outcome))
            same("the sentence", fixture.sentence, outcome.sentence)

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

    def check_times(self) -> None:
        """Check that the time books are what the matches add up to."""
        if self.dossier.times is None:
            return
        stored = {row["entrant"]: row for row in self.dossier.times}
        same("the list of entrants", sorted(stored), sorted(self.times))
        for entrant, (decisions, bot_ms, arena_ms) in self.times.items():
            with within(f"entrant {entrant}"):
                row = stored[entrant]
                same("the number of decisions", row["decisions"], decisions)
                for what, right in (("bot_ms", bot_ms), ("arena_ms", arena_ms)):
                    # The first versions of the arena added up fractions of milliseconds.
                    doubt = 0 if float(row[what]).is_integer() else self.matches / 2
                    if abs(row[what] - right) > doubt:
                        same(f"the {what}", row[what], right)

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
                f"{short(stored)}, right {digest})"
            )


def _bye(fixture: FixtureRow) -> FixtureResult:
    """What a bye comes to: nothing was played."""
    return FixtureResult(
        key=fixture.key,
        seats=fixture.seats,
        winner=fixture.seats[0],
        games_won=(0,),
        games_drawn=0,
        points=(0,),
        hands=0,
        hands_won=(0,),
        termination=Termination.BYE,
        games=fixture.games,
    )
