"""Helpers to ask decisions of faulty bots through a lane."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any, cast

from arena.referee.asks import Reply
from arena.wire.crew import Crew
from arena.wire.endpoint import Endpoint
from arena.wire.lane import Lane, Ticket
from arena.wire.messages import BotInfo
from arena.wire.transport import WireOptions
from tests.faulty_bots import FaultyBot

MARGIN_MS = 200.0
"""How late a verdict may come on a busy machine; alone it is a few milliseconds."""


def decision(request_id: str = "m_1-1-1-1") -> dict[str, object]:
    """A decision request that the schema accepts."""
    return _example("decision") | {"request_id": request_id}


def end_payload() -> dict[str, object]:
    """An advisory message that the schema accepts."""
    return _example("end")


def start_payload() -> dict[str, object]:
    """The first advisory message of a match."""
    return _example("start")


@cache
def _example(message: str) -> dict[str, object]:
    folder = files("arena.protocol").joinpath("examples", "valid", message)
    first = min(folder.iterdir(), key=lambda entry: entry.name)
    example: dict[str, object] = json.loads(first.read_text(encoding="utf-8"))
    return example


def first_action(request: dict[str, object]) -> str:
    """The id of its first legal action."""
    legal = cast(list[dict[str, Any]], request["legal"])
    return str(legal[0]["id"])


def info(max_batch: int = 1, max_concurrency: int = 1) -> BotInfo:
    """What a lane has to know about a bot."""
    return BotInfo("Faulty", "tests", "1", ("*",), max_batch, max_concurrency)


class Outcome:
    """Waits for the reply to one ticket and notes when it came."""

    def __init__(self, request_id: str = "m_1-1-1-1", timeout_ms: float = 2000) -> None:
        self.request_id = request_id
        self.timeout_ms = timeout_ms
        self.replies: list[Reply] = []
        self.thread: threading.Thread | None = None
        self._asked = 0.0
        self.took_ms = 0.0
        self._over = threading.Event()

    def ticket(self, pair: str = "") -> Ticket:
        """The ticket; its time starts now."""
        self._asked = time.monotonic()
        request = decision(self.request_id)
        return Ticket(request, self.request_id, self.timeout_ms, pair, self._done)

    def reply(self, timeout_s: float = 10) -> Reply:
        """The reply, as soon as there is one."""
        assert self._over.wait(timeout_s), "the ticket was never done"
        return self.replies[0]

    @property
    def is_over(self) -> bool:
        """Whether the ticket is done."""
        return self._over.is_set()

    def _done(self, reply: Reply) -> None:
        self.took_ms = (time.monotonic() - self._asked) * 1000
        self.thread = threading.current_thread()
        self.replies.append(reply)
        self._over.set()


def lane_to(
    bot: FaultyBot,
    crew: Crew,
    *,
    options: WireOptions | None = None,
    secrets: Sequence[str] = (),
    path: str = "",
) -> Lane:
    """A lane that keeps to what the bot says of itself."""
    return Lane(
        Endpoint.parse(bot.url + path),
        info(bot.max_batch, bot.max_concurrency),
        crew=crew,
        options=options,
        secrets=secrets,
    )


@contextmanager
def full_backlog() -> Iterator[Endpoint]:
    """Somebody who listens and accepts no more connections, so that attempts hang."""
    with socket.socket() as listener, socket.socket() as first, socket.socket() as second:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for sock in (first, second):
            sock.setblocking(False)
            sock.connect_ex(listener.getsockname())
        yield Endpoint.parse(f"http://127.0.0.1:{listener.getsockname()[1]}")


def together(lane: Lane, tickets: Sequence[Ticket]) -> None:
    """Hand in many tickets at once, so that they are waiting together."""
    with lane._crew.lock:  # no thread can take one before all are there
        lane._waiting.extend((ticket, time.monotonic()) for ticket in tickets)
        lane._crew.wake(lane)


def ask(lane: Lane, request_id: str = "m_1-1-1-1", timeout_ms: float = 2000) -> Outcome:
    """Ask one decision and wait for its reply."""
    outcome = Outcome(request_id, timeout_ms)
    lane.ask(outcome.ticket())
    outcome.reply()
    return outcome


def outcomes(count: int, timeout_ms: float = 1000) -> list[Outcome]:
    """Outcomes for tickets with different ids."""
    return [Outcome(f"m_{number}-1-1-1", timeout_ms) for number in range(count)]
