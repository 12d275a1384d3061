"""The way to one bot: decisions wait here, travel in batches, and come back one by one.

A `Lane` knows the protocol's rules of the road: how many requests at a time and how many decisions
in one the bot takes, which decisions may not travel together, and that advisory messages never
count. It judges answers only as far as the protocol does; whether an action is legal is for the
referee.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from arena.referee.verdicts import BotFault, FaultCode
from arena.wire import messages
from arena.wire.budget import Cancelled
from arena.wire.calls import Message, Request
from arena.wire.crew import Crew, Job
from arena.wire.endpoint import Endpoint
from arena.wire.messages import BotInfo
from arena.wire.signing import Signer
from arena.wire.tells import Tells
from arena.wire.tickets import LaneStats, Ticket, Verdict
from arena.wire.transport import WireOptions
from arena.wire.watch import Call

if TYPE_CHECKING:
    from arena.wire.client import BotClient

__all__ = ["Lane", "LaneStats", "Ticket"]

TELL_EVERY = 4
"""At the latest after so many requests for decisions an advisory message gets its turn."""


class Lane:
    """All calls to one bot.

    Without a ``crew`` the lane has one of its own. ``secrets``: the bot's signing secrets, none,
    one, or two while it changes from the old to the new.

    The allowance of a request with several decisions is that of each decision: when the shortest
    is used up, only the decisions with that allowance have timed out, and another thread sees to
    it at once that their tickets are done; the call goes on for the others.

    The arena's own time around a call begins when the bot could be asked: while as many requests
    are under way as it takes, it is itself what the next decisions wait for.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        info: BotInfo,
        *,
        crew: Crew | None = None,
        options: WireOptions | None = None,
        secrets: Iterable[str] = (),
    ) -> None:
        # Not at the top: commands that call no bot do not pay for the HTTP library. Not later: the
        # first call would wait for it.
        from arena.wire.client import BotClient

        keys = tuple(secrets)
        self.endpoint = endpoint
        self.info = info
        self.stats = LaneStats()
        self.queued = False
        self.in_flight = 0
        self._own_crew = crew is None
        self._crew = crew or Crew(info.max_concurrency)
        signer = Signer(*keys) if keys else None
        self._new_client = partial(
            BotClient, endpoint, options or WireOptions(), signer, self._crew.clock.now
        )
        self._waiting: deque[tuple[Ticket, float]] = deque()
        self._tells = Tells(self.stats)
        self._asks_since_tell = 0
        self.in_step: dict[str, bool] = {}
        """By path of advisory messages: whether a connection can be used again after one."""
        self._slot_since = 0.0
        self._free: list[BotClient] = []
        self._busy: set[BotClient] = set()
        self._closed = False
        self._crew.enter(self)

    def ask(self, ticket: Ticket) -> None:
        """Ask for a decision. After `close` tickets are dropped."""
        asked = self._crew.clock.now()
        with self._crew.lock:
            if self._closed:
                return
            self._waiting.append((ticket, asked))
            if self.wants_more():
                self._crew.wake(self)

    def tell(self, path: str, payload: Mapping[str, object]) -> None:
        """Send an advisory message to ``/start`` or ``/end``, some time, in order.

        It never counts against the bot. Only one is under way at a time, and decisions go first.
        """
        with self._crew.lock:
            if self._closed:
                return
            self._tells.add(path, payload)
            if self.wants_more():
                self._crew.wake(self)

    def warm_up(self, timeout_ms: float = 5000) -> BotInfo:
        """Greet the bot outside any clock, so that the first decision finds a connection.

        Returns what the bot says of itself now. If all its connections are busy it needs no
        greeting, and what is known of it is returned.

        :raises BotFault: it does not answer as a bot does.
        """
        with self._crew.lock:
            if self._closed or self.in_flight >= self.info.max_concurrency:
                return self.info
            client = self._seize()
            self.in_flight += 1
        try:
            return messages.parse_info(client.get("/", timeout_ms).body)
        except BotFault as fault:
            raise self.redacted(fault) from None
        except Cancelled:
            raise BotFault(FaultCode.RESET, "the arena closed the connection") from None
        finally:
            with self._crew.lock:
                self._give_back(client)
                self.in_flight -= 1
                if self.wants_more():
                    self._crew.wake(self)

    def drain(self, timeout_s: float = 5.0) -> bool:
        """Wait until nothing waits or is under way, advisory messages included; False if not."""
        ends = time.monotonic() + timeout_s
        while time.monotonic() < ends:
            with self._crew.lock:
                if not self.in_flight and not self._waiting and self._tells.is_empty():
                    return True
            time.sleep(0.005)
        return False

    def close(self) -> None:
        """Drop what waits, end what is under way, close the connections. No ticket is done."""
        with self._crew.lock:
            self._closed = True
            self._waiting.clear()
            self._tells.clear()
        ends = time.monotonic() + 2.0
        while True:
            with self._crew.lock:
                for client in self._busy:
                    client.abort()
                if not self._busy:
                    break
            if time.monotonic() > ends:
                break
            time.sleep(0.005)
        for client in self._free:
            client.close()
        self._free.clear()
        self._crew.leave(self)
        if self._own_crew:
            self._crew.close()  # which finds no open lane any more

    def wants_more(self) -> bool:
        """Whether `take` would return a call. With the crew's lock held."""
        if self._closed or self.in_flight >= self.info.max_concurrency:
            return False
        return bool(self._waiting) or self._tells.is_ready()

    def take(self) -> Call | None:
        """The next call. With the crew's lock held."""
        if not self.wants_more():
            return None
        is_turn = not self._waiting or self._asks_since_tell >= TELL_EVERY
        if self._tells.is_ready() and is_turn:
            self._asks_since_tell = 0
            path, payload = self._tells.take()
            return Message(self, self._seize(), path, payload)
        self._asks_since_tell += 1
        batch = [(ticket, self._ready_since(asked)) for ticket, asked in self._batch()]
        return Request(self, self._crew, self._seize(), batch)

    def _batch(self) -> list[tuple[Ticket, float]]:
        """The tickets of the next request, oldest first, no two of one pair."""
        waiting, most = self._waiting, self.info.max_batch
        if most == 1 or len(waiting) == 1:
            return [waiting.popleft()]
        batch: list[tuple[Ticket, float]] = []
        left: list[tuple[Ticket, float]] = []
        pairs: set[str] = set()
        while waiting and len(batch) < most:
            entry = waiting.popleft()
            pair = entry[0].pair
            if pair and pair in pairs:
                left.append(entry)
            else:
                pairs.add(pair)
                batch.append(entry)
        waiting.extendleft(reversed(left))
        return batch

    def _ready_since(self, asked: float) -> float:
        """Since when a decision that is about to be sent could have been sent: as soon as it was
        asked, or since the bot takes another request. The wait before that is counted apart.
        """
        ready = max(asked, self._slot_since)
        self.stats.queued_ms += (ready - asked) * 1000
        return ready

    def _seize(self) -> BotClient:
        client = self._free.pop() if self._free else self._new_client()
        self._busy.add(client)
        return client

    def _give_back(self, client: BotClient) -> None:
        """A call is over. To be called before it is taken from `in_flight`."""
        if self.in_flight >= self.info.max_concurrency:
            self._slot_since = self._crew.clock.now()
        self._busy.discard(client)
        self.stats.retries += client.line.retries
        client.line.retries = 0
        if self._closed:
            client.close()
        else:
            self._free.append(client)

    def release(self, client: BotClient, verdicts: Mapping[str, Verdict]) -> None:
        """A call for decisions is over; its connection is free for the next."""
        with self._crew.lock:
            self.stats.calls += 1
            self.stats.count(verdicts)
            self._give_back(client)
            self._crew.finished(self)

    def told(self, client: BotClient, *, arrived: bool) -> None:
        """A call with an advisory message is over; its connection is free for the next."""
        with self._crew.lock:
            self._tells.over(arrived=arrived)
            self._give_back(client)
            self._crew.finished(self)

    def settle_aside(self, verdicts: Mapping[str, Verdict], settle: Job) -> None:
        """Count decisions whose call is not over, and have another thread settle them."""
        with self._crew.lock:
            self.stats.count(verdicts)
            self._crew.hand_over(settle)

    @property
    def is_busy(self) -> bool:
        """Whether as many calls are under way as the bot takes."""
        return self.in_flight >= self.info.max_concurrency

    @property
    def is_closed(self) -> bool:
        """Whether no ticket is to be done any more."""
        return self._closed

    def redacted(self, fault: BotFault) -> BotFault:
        """The fault without this bot's secrets, should its own answer have repeated them."""
        return BotFault(fault.code, self.endpoint.redact(fault.detail), fault.elapsed_ms)
