"""What travels between coordinator and workers: plain values, and a wrapper that shows nothing.

Orders carry the tournament's secret and the bots' addresses and keys. A cluster prints arguments
in its logs and on its dashboards, so they travel sealed.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass

from arena.cluster.identity import Identity
from arena.referee.match import HandPlayed, MatchSetup
from arena.store.rows import FixtureRow
from arena.tournament.playing.contestants import Contestant
from arena.tournament.playing.ledger import Begun, Played
from arena.wire.addresses import Network


@dataclass(frozen=True, slots=True, repr=False)
class Bout:
    """A match to be played. ``history``: the hands of it that are stored already."""

    row: FixtureRow
    setup: MatchSetup
    history: tuple[HandPlayed, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Order:
    """A chunk of matches with all that is needed to play them.

    ``parallel``: matches at a time in the process that plays it, those of other chunks included.
    ``contestants``: those who sit in them; each may be called as often at a time as its
    ``info.max_concurrency`` says here, which is this chunk's share of what the bot allows.
    ``silent``: entrants that do not answer the coordinator either; they are asked all the same.
    ``leg_s``: after so many seconds no match begins another hand.
    """

    bouts: tuple[Bout, ...]
    contestants: tuple[Contestant, ...]
    silent: frozenset[int]
    network: Network
    parallel: int
    leg_s: float


class Sealed:
    """An order that prints as nothing but its size."""

    __slots__ = ("_data",)

    def __init__(self, order: Order) -> None:
        self._data = pickle.dumps(order)

    def open(self) -> Order:
        """The order."""
        order = pickle.loads(self._data)
        assert isinstance(order, Order)
        return order

    def __repr__(self) -> str:
        return f"<sealed order, {len(self._data)} bytes>"


@dataclass(frozen=True, slots=True)
class Finished:
    """A chunk was played for so many seconds, some matches to their end, some not.

    ``remarks``: what an organiser should know. ``silent``: entrants that gave no answer any more,
    so that their other matches of the chunk were not begun.
    """

    worker: str
    played: tuple[Played, ...]
    begun: tuple[Begun, ...]
    seconds: float
    remarks: tuple[str, ...] = ()
    silent: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Refused:
    """A worker runs other code and has played nothing."""

    worker: str
    identity: Identity


@dataclass(frozen=True, slots=True)
class Unreached:
    """A worker could not reach these entrants and has played nothing."""

    worker: str
    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A fault of the arena itself came up on a worker; ``text`` is its traceback."""

    worker: str
    text: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """Nobody waits for the chunk any more; its play was ended."""

    worker: str


Report = Finished | Refused | Unreached | Broken | Dropped
