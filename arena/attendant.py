"""Looks after the bots that the arena started: one that ends in mid-tournament is started again.

At the same place, so that whoever asks it notices no more than a gap: a call that failed because
the bot had ended is told as failed only when it is up again, so that the next call reaches it, and
a match loses a strike and not all its games within milliseconds. A bot that keeps ending is given
up, so that the arena does not start programs for ever.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable

from arena.errors import UsageError
from arena.launch import OwnedBot
from arena.process import Interrupted, stop_all

MOST_RESTARTS, WITHIN_S = 5, 600.0
"""So often a bot is started again in so many seconds; then it is given up."""

PAUSE_S = 1.0
"""How long to wait after a start that failed."""

LINGER_S = 0.5
"""A bot that still runs so long after a call has failed did not fail by ending."""

AGAIN = "it is started once more"
GIVEN_UP = (
    f"that was too often within {WITHIN_S / 60:.0f} minutes, so it is not started again and its "
    "matches will be lost, unless play is stopped, the bot is mended and play resumed"
)

Held = Callable[[], None]
"""Tells of a call that has failed."""


class Attended:
    """A bot and the thread that looks after it. ``say`` is told what an organiser should know."""

    def __init__(self, bot: OwnedBot, say: Callable[[str], None]) -> None:
        self.bot = bot
        self._say = say
        self._inbox: queue.SimpleQueue[Held | None] = queue.SimpleQueue()
        """Calls that have failed; None when the bot has ended, or the arena is to stop."""
        self._ends: deque[float] = deque(maxlen=MOST_RESTARTS + 1)
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._is_watched = False
        self._thread = threading.Thread(
            target=self._attend, name=f"attendant of {bot.what}", daemon=True
        )

    def watch(self) -> None:
        """From now on start it again when it ends."""
        self._is_watched = True
        self.bot.when_ended(self._ended)
        self._thread.start()

    def after(self, told: Held) -> None:
        """Have a failed call told: soon, or if the bot has ended, once it is up again."""
        with self._lock:
            if self._is_watched:
                self._inbox.put(told)
                return
        told()

    def close(self) -> None:
        """Start it no more; whoever has it stopped then waits with `join`."""
        self._closing.set()
        self._ended()

    def join(self) -> None:
        """Wait for the thread."""
        if self._thread.is_alive():
            self._thread.join()

    def _ended(self) -> None:
        self._inbox.put(None)

    def _attend(self) -> None:
        held: list[Held] = []
        while True:
            try:
                told = self._inbox.get(timeout=LINGER_S if held else None)
            except queue.Empty:
                pass  # it runs, and so failed for another reason
            else:
                if told is not None:
                    held.append(told)
                    continue
                if not self._start_again():
                    break
            _tell(held)
            held.clear()
        with self._lock:
            self._is_watched = False
        while not self._inbox.empty():
            if (told := self._inbox.get()) is not None:
                held.append(told)
        if not self._closing.is_set():
            _tell(held)

    def _start_again(self) -> bool:
        """Whether it is up again, or was to be; else it is given up, or the arena is to stop."""
        ending, said = self.bot.ending, self.bot.printed
        self.bot.stop()  # whoever is left of its process group would keep its port
        while not self._closing.is_set():
            self._ends.append(time.monotonic())
            if len(self._ends) > MOST_RESTARTS and self._ends[-1] - self._ends[0] < WITHIN_S:
                self._say(f"{self.bot.what} {ending}; {GIVEN_UP}; {said}")
                return False
            self._say(f"{self.bot.what} {ending}; {AGAIN}; {said}")
            try:
                self._replace()
                return True
            except Interrupted:
                return False
            except UsageError as error:
                ending, said = "could not be started", str(error)
                self._closing.wait(PAUSE_S)
        return False

    def _replace(self) -> None:
        """Start it in the place of the one that ended.

        :raises UsageError: it cannot be.
        :raises Interrupted: the arena is to stop.
        """
        self.bot = self.bot.again(self._closing.is_set)
        if self.bot.silence:
            self._say(self.bot.silence)
        self.bot.when_ended(self._ended)


def _tell(held: Iterable[Held]) -> None:
    for told in held:
        told()


def close_all(attended: Iterable[Attended]) -> None:
    """End these bots, at the price of one wait."""
    listed = list(attended)
    for one in listed:
        one.close()
    # Those that were just being started are stopped by who started them, or are here then.
    for one in listed:
        one.join()
    stop_all(one.bot for one in listed)
