"""Where matches are played: in this process, or elsewhere.

The runner decides what may be played; a venue plays it and brings the results back to the runner's
thread. A venue knows nothing of schedules and standings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from arena.errors import ArenaError
from arena.referee.asks import Ask, Notice, Reply
from arena.referee.match import HandPlayed, MatchSetup
from arena.referee.verdicts import BotFault
from arena.store import Store
from arena.store.rows import FixtureRow
from arena.tournament.model import FixtureResult
from arena.tournament.playing.drive import Contact, Drive, stored_hands
from arena.tournament.playing.ledger import Ledger, StoreLedger
from arena.tournament.playing.load import Load, Turns

Post = Callable[[Callable[[], None]], None]
"""Has something done in the runner's thread, soon; what that raises ends the run."""

Landed = Callable[[FixtureRow, FixtureResult, str], None]
"""Takes a match's result and its sentence, in the runner's thread, once a match."""

Unheard = Callable[[Collection[int], Sequence[FixtureRow]], None]
"""Told, in the runner's thread, of entrants that gave no answer lately; the matches are given back:
they were to be played and are not now, to be offered again some time."""

Opened = Callable[[FixtureRow], tuple[Ledger, Sequence[HandPlayed]]]
"""Opens the ledger of a match that begins; gives the hands that were played of it before. Raises
NotToBePlayed."""


class NotToBePlayed(ArenaError):
    """The match was voided, or its tournament paused or ended, since the runner looked."""


class Venue(Protocol):
    """Plays matches. All calls come from the runner's thread."""

    def begin(self, post: Post, landed: Landed, unheard: Unheard) -> None:
        """Get ready; called once, before anything else."""
        ...

    def answers(self, entrant: int) -> bool | None:
        """Whether it answers a greeting, asked in any thread; None if it cannot be greeted now."""
        ...

    def room(self, waiting: int) -> int:
        """How many more matches it takes now, when so many wait."""
        ...

    def start(self, row: FixtureRow, setup: MatchSetup) -> bool:
        """Play a match. False if it cannot be now though there is room: offer another.

        :raises NotToBePlayed: it is not open any more; do not offer it again.
        """
        ...

    def flush(self) -> None:
        """No more is offered until something has landed; what was begun goes on."""
        ...

    def stop(self) -> None:
        """Let go of everything in play: its results are dropped."""
        ...


@dataclass(frozen=True, slots=True)
class _InTurn:
    """Asks a bot for one match, whenever it is the match's turn."""

    contact: Contact
    match: str
    turns: Turns
    entrant: int
    lost: set[int]

    def ask(self, ask: Ask, done: Callable[[Reply], None]) -> None:
        heard = partial(self._heard, done)
        self.turns.ask(self.match, partial(self.contact.ask, ask, heard))

    def _heard(self, done: Callable[[Reply], None], reply: Reply) -> None:
        if isinstance(reply, BotFault):
            self.lost.add(self.entrant)
        else:
            self.lost.discard(self.entrant)
        done(reply)

    def tell(self, notice: Notice) -> None:
        self.contact.tell(notice)

    def answers(self) -> bool | None:
        return self.contact.answers()


class Here:
    """This process. ``say`` is told when it plays fewer or more matches at a time.

    ``contacts``: who answers for each entrant, by number. ``silent``: entrants that have not
    answered their greeting.
    """

    def __init__(
        self,
        contacts: Mapping[int, Contact],
        opened: Opened,
        load: Load,
        say: Callable[[str], None],
        silent: Collection[int] = (),
    ) -> None:
        self._contacts = contacts
        self._opened = opened
        self._load = load
        self._say = say
        self._turns = Turns(load.limit)
        self._drives: dict[str, Drive] = {}
        self._silent = silent
        self._lost: set[int] = set()
        """Entrants whose latest call failed."""

    def begin(self, post: Post, landed: Landed, unheard: Unheard) -> None:
        """Remember whom to tell."""
        self._post = post
        self._landed = landed
        self._unheard = unheard
        unheard(self._silent, ())

    def answers(self, entrant: int) -> bool | None:
        """Greet it here."""
        return self._contacts[entrant].answers()

    def room(self, waiting: int) -> int:
        """As many as do not make the arena itself late."""
        return self._load.limit - len(self._drives)

    def start(self, row: FixtureRow, setup: MatchSetup) -> bool:
        """Begin the match, or go on with it; not if one of its bots holds half of all matches.

        So a bot that thinks long in every one of its matches does not keep the others from playing
        theirs.
        """
        if len(self._contacts) > 2 and self._crowded(row):
            return False
        ledger, history = self._opened(row)
        drive = Drive(
            row,
            setup,
            [
                _InTurn(self._contacts[entrant], row.id, self._turns, entrant, self._lost)
                for entrant in row.seats
            ],
            ledger,
            lambda drive, error: self._post(partial(self._land, drive, error)),
            self._note,
            history,
        )
        self._drives[row.id] = drive
        self._turns.enter(row.id)
        drive.start()
        return True

    def _note(self, overhead_ms: float) -> None:
        """One call's overhead, in whatever thread brought its reply.

        What follows from it follows at once: long matches may not land for hours.
        """
        self._load.note(overhead_ms)
        sentence = self._load.adapt()
        if sentence:
            self._turns.resize(self._load.limit)
            # The runner's thread wakes with it, and may start more.
            self._post(partial(self._say, sentence))

    def _crowded(self, row: FixtureRow) -> bool:
        half = max(1, self._load.limit // 2)
        return any(
            sum(seat in drive.fixture.seats for drive in self._drives.values()) >= half
            for seat in row.seats
        )

    def flush(self) -> None:
        """Everything has been started already."""

    @property
    def in_play(self) -> int:
        """How many matches are in flight."""
        return len(self._drives)

    def rest(self) -> None:
        """Have every match end with its hand in play; those that are not over then never land."""
        for drive in self._drives.values():
            drive.rest()

    def stop(self) -> None:
        """Drop the next reply of every match."""
        for drive in self._drives.values():
            drive.stop()

    def _land(self, drive: Drive, error: BaseException | None) -> None:
        if error is not None:
            raise error
        del self._drives[drive.fixture.id]
        self._turns.leave(drive.fixture.id)
        if drive.result is not None:
            self._unheard(self._lost.intersection(drive.fixture.seats), ())
            self._landed(drive.fixture, drive.result, drive.sentence)


def in_store(store: Store) -> Opened:
    """Ledgers that write to this store; opening one marks the fixture as being played."""

    def opened(row: FixtureRow) -> tuple[Ledger, Sequence[HandPlayed]]:
        if not store.fixtures.start(row.id):
            raise NotToBePlayed(f"match {row.id} is not to be played now")
        return StoreLedger(store, row), stored_hands(store, row.id)

    return opened
