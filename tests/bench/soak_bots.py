"""The bots of the soak, as two processes: ``python -m tests.bench.soak_bots honest|faulty``.

Prints one JSON line, names to addresses, and serves until its standard input ends. Honest bots
play soundly and think for a while. Of the faulty ones each fails in its own way, some always, some
now and then; those that stall write to the file given by ``--log`` how many milliseconds after
the deadline the arena broke each call off.
"""

from __future__ import annotations

import argparse
import json
import random
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from arena.bot import Bot, BotServer, BotView
from arena.bot.base import Chosen
from tests.faulty_acts import ACTS, Act, good
from tests.faulty_behaviours import EXPECTED, Behaviour
from tests.faulty_bots import FaultyBot
from tests.faulty_talk import Gone, Talk, http
from tests.samples import simple

THINKS_S = (0.03, 0.06)
"""The least and the most that an honest bot thinks of a decision."""

FORGET_S = 10.0
"""How often faulty bots forget what they were asked: they remember every request otherwise."""

TIMEOUTS = {b for b in Behaviour if b in EXPECTED and EXPECTED[b].value == "timeout"}
RUBBISH = tuple(
    b for b in Behaviour
    if b not in TIMEOUTS and EXPECTED[b].value != "ok" and b is not Behaviour.ENDLESS_BODY
)  # fmt: skip


class Thinker(Bot):
    """The sample bot ``simple`` with a name of its own, that takes its time."""

    games = simple.bot.games
    max_batch = 1
    max_concurrency = 2

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: BotView) -> Chosen:
        """The sample bot's choice, after a while."""
        time.sleep(random.uniform(*THINKS_S))
        return simple.bot.choose(view)


class Log:
    """Notes how long after the deadline calls were broken off."""

    def __init__(self, path: Path, deadline_ms: float) -> None:
        self._path, self._deadline_ms = path, deadline_ms
        self._lock = threading.Lock()

    def note(self, began: float) -> None:
        """A call that came at ``began`` has just been broken off."""
        late = (time.monotonic() - began) * 1000 - self._deadline_ms
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(f"{late:.3f}\n")

    def hang(self, talk: Talk) -> None:
        """Say no more and wait until the other side gives up."""
        began = time.monotonic()
        while not talk.bot.stopping.is_set():
            readable, _, _ = select.select([talk.sock], [], [], 0.5)
            if readable and _is_closed(talk.sock):
                self.note(began)
                raise Gone
        raise Gone

    def half(self, talk: Talk) -> None:
        """Half an answer, then nothing."""
        talk.send(http(talk.good())[:-12])
        self.hang(talk)


def _is_closed(sock: socket.socket) -> bool:
    try:
        return not sock.recv(1, socket.MSG_PEEK)
    except OSError:
        return True


def every(number: int, act: Act) -> Act:
    """A good bot that does this with each so-many-th request."""
    asked = count(1)
    return lambda talk: act(talk) if next(asked) % number == 0 else good(talk)


def late(seconds: float) -> Act:
    """Right answers that come too late."""

    def act(talk: Talk) -> None:
        talk.pause(seconds)
        good(talk)

    return act


def rubbish() -> Act:
    """A different kind of broken answer each time."""
    turn = count()
    return lambda talk: ACTS[RUBBISH[next(turn) % len(RUBBISH)]](talk)


def faulty(log: Log, deadline_ms: float) -> dict[str, Act]:
    """Each faulty bot's way to answer decisions."""
    return {
        "Silent": log.hang,
        "Forgetful": every(40, log.hang),
        "Breaks off": every(25, log.half),
        "Drips": every(20, ACTS[Behaviour.DRIP_BODY]),
        "Rubbish": every(3, rubbish()),
        "Huge": ACTS[Behaviour.ENDLESS_BODY],
        "Late": every(30, late(1.3 * deadline_ms / 1000)),
    }


def serve_honest(names: Sequence[str], stack: ExitStack) -> dict[str, str]:
    """Start honest bots of these names."""
    return {name: stack.enter_context(BotServer(Thinker(name))).url for name in names}


def serve_faulty(acts: dict[str, Act], stack: ExitStack) -> list[FaultyBot]:
    """Start the faulty bots."""
    return [
        stack.enter_context(FaultyBot(act, name=name, max_concurrency=2, drip_s=0.1))
        for name, act in acts.items()
    ]


def until_told(meanwhile: Callable[[], None]) -> None:
    """Return when standard input ends; call ``meanwhile`` now and then."""
    while not select.select([sys.stdin], [], [], FORGET_S)[0]:
        meanwhile()


def main() -> None:
    """Serve one of the two groups."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("group", choices=["honest", "faulty"])
    parser.add_argument("--names", nargs="*", default=[])
    parser.add_argument("--deadline-ms", type=float, default=1500.0)
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    with ExitStack() as stack:
        if options.group == "honest":
            print(json.dumps(serve_honest(options.names, stack)), flush=True)
            until_told(lambda: None)
            return
        log = Log(options.log, options.deadline_ms)
        bots = serve_faulty(faulty(log, options.deadline_ms), stack)
        print(json.dumps({bot.name: bot.url for bot in bots}), flush=True)

        def forget() -> None:
            for bot in bots:
                bot.requests.clear()

        until_told(forget)


if __name__ == "__main__":
    main()
