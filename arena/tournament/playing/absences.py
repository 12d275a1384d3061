"""Bots that have fallen silent: their matches wait while others are played.

A bot that is down loses a match within milliseconds, so a short outage would cost it all of its
matches. Therefore whoever gave no answer when it was asked last in a match is greeted, now and
then, until it answers; its other matches wait as long. Only once nothing else is left to play
does this use up its patience, and when that is gone its matches are played, and forfeited, without
further waiting. The results of other matches are the same in whatever order they are played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from arena.errors import ShortageError

PATIENCE_S = 60.0
"""So long a silent bot is waited for once nothing else is left to play."""

GREET_S = 1.0
"""How often a silent bot is greeted at first; later every tenth of the time that it was away."""

SELDOM = 10
"""At most so many times `GREET_S` lie between two greetings."""

MOST_STEP_S = 5.0
"""No more counts as waiting between two looks: longer, and the arena itself was stopped."""

GREETERS = 8


@dataclass(slots=True)
class _Absence:
    """``since``: by the monotonic clock, like ``greet_at``. ``told``: the organiser knows of it."""

    since: float
    greet_at: float
    greeting: bool = False
    told: bool = False


class Absences:
    """All calls come from one thread, the runner's, in which ``post`` has things done.

    ``answers``: greets an entrant, from any thread; None if it cannot be greeted now. ``say``: told
    what an organiser should know of an entrant. ``patience_s``: 0 to wait for nobody.
    """

    def __init__(
        self,
        answers: Callable[[int], bool | None],
        post: Callable[[Callable[[], None]], None],
        say: Callable[[int, str], None],
        patience_s: float | None = None,
    ) -> None:
        self._answers = answers
        self._post = post
        self._say = say
        self._patience_s = PATIENCE_S if patience_s is None else patience_s
        self._absent: dict[int, _Absence] = {}
        self._waited_s: dict[int, float] = {}
        """Patience used up; a bot has it back when it has played a match."""
        self._looked_at: float | None = None
        self._greeters: ThreadPoolExecutor | None = None

    @property
    def awaited(self) -> frozenset[int]:
        """Entrants whose matches are not to be begun now."""
        return frozenset(entrant for entrant in self._absent if self._has_patience(entrant))

    def doubt(self, entrants: Collection[int]) -> None:
        """These gave no answer: greet them before they are asked again."""
        now = time.monotonic()
        for entrant in entrants:
            self._absent.setdefault(entrant, _Absence(now, now))

    def played(self, entrants: Collection[int]) -> None:
        """These have played a match, and are there if nobody doubts it."""
        for entrant in entrants if self._waited_s else ():
            if entrant not in self._absent:
                self._waited_s.pop(entrant, None)

    def look(self, *, idle: bool) -> None:
        """Greet who is to be greeted. ``idle``: nothing is left to play but matches that wait."""
        now = time.monotonic()
        if idle and self._looked_at is not None:
            self._wait(min(now - self._looked_at, MOST_STEP_S))
        self._looked_at = now if idle else None
        for entrant, absence in self._absent.items():
            if not absence.greeting and now >= absence.greet_at:
                absence.greeting = True
                self._greeters = self._greeters or ThreadPoolExecutor(GREETERS, "greeter")
                self._greeters.submit(self._greet, entrant)

    def stop(self) -> None:
        """Greet nobody any more."""
        if self._greeters is not None:
            self._greeters.shutdown(wait=False, cancel_futures=True)

    def _has_patience(self, entrant: int) -> bool:
        return self._waited_s.get(entrant, 0.0) < self._patience_s

    def _wait(self, seconds: float) -> None:
        for entrant in self.awaited:
            self._waited_s[entrant] = self._waited_s.get(entrant, 0.0) + seconds
            if not self._has_patience(entrant):
                self._say(
                    entrant,
                    f"has not answered for {self._patience_s:g} s in which nothing else was left "
                    "to play; until it does its matches are forfeits",
                )

    def _greet(self, entrant: int) -> None:
        """In a thread of its own."""
        try:
            answers = self._answers(entrant)
        except ShortageError:
            answers = None  # play will say so
        except BaseException as error:
            self._post(_raising(error))
            return
        self._post(lambda: self._greeted(entrant, answers))

    def _greeted(self, entrant: int, answers: bool | None) -> None:
        absence = self._absent[entrant]
        if answers:
            del self._absent[entrant]
            if absence.told:
                self._say(entrant, "answers again; its matches go on")
            return
        now = time.monotonic()
        absence.greeting = False
        absence.greet_at = now + min(max(GREET_S, (now - absence.since) / 10), SELDOM * GREET_S)
        if answers is False and not absence.told:
            absence.told = True
            waits = self._has_patience(entrant)
            meanwhile = "its matches wait" if waits else "until it does its matches are forfeits"
            self._say(entrant, f"does not answer; {meanwhile}")


def _raising(error: BaseException) -> Callable[[], None]:
    def end() -> None:
        raise error

    return end
