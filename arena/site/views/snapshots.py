"""A tournament as its pages see it, shared by all readers.

Two parts of different cost: the matches (`Snapshot`), brought up to date by the rows that changed
since the last look, and what they add up to (`figures`). Small tournaments are always up to date.
The figures of a large one are computed beside the requests, so that no reader waits for them.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import StoreError
from arena.site.views.figures import Figures
from arena.site.views.snapshot import Snapshot, take, with_figures
from arena.site.work.beside import Beside
from arena.store import Store
from arena.store.rows import TournamentRow

log = logging.getLogger("arena.site.views.snapshots")

KEPT = 64
"""Tournaments whose snapshots stay in memory."""

WARMED = 16
"""Tournaments that are read when a server starts."""

LARGE = 5_000
"""The figures of more matches are made by another process."""

BREATH = 6
"""After making figures for a while they are left alone for so many times as long."""

MATCHES_BREATH = 20
"""The same for reading the list of matches."""

LOOK_S = 0.5
"""A large tournament's list is read at most so often; pages made meanwhile serve all who come."""


@dataclass(slots=True)
class _Kept:
    """The newest snapshot of a tournament and what it cost."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    snapshot: Snapshot | None = None
    matches_s: float = 0.0
    matches_at: float = 0.0
    figures_s: float = 0.0
    figures_at: float = 0.0
    is_making: bool = False
    is_behind: bool = False


class Snapshots:
    """Keeps the newest snapshot of each tournament. Safe for threads."""

    def __init__(self, database: Path) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="figures")
        self._beside = Beside(database)
        self._database = database
        self._preparing: set[str] = set()

    def close(self) -> None:
        """End the work beside the requests."""
        self._beside.close()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def warm(self, database: Path) -> None:
        """Take the snapshots that the first readers will ask for, so that they need not wait."""
        try:
            with Store(database, read_only=True) as store:
                rows = store.tournaments.all()
                for row in sorted(rows, key=lambda row: row.over)[:WARMED]:
                    self.get(store, row)
        except StoreError:
            log.debug("nothing to warm up yet")

    def get(self, store: Store, tournament: TournamentRow) -> Snapshot:
        """The tournament as it stands, or as it stood a moment ago where it is large."""
        kept = self._entry(tournament.id)
        found = kept.snapshot
        if found is not None and not found.is_small and kept.lock.locked():
            # Somebody brings it up to date; so many need not wait for that.
            kept.is_behind = True
            return found
        with kept.lock:
            found = kept.snapshot
            kept.is_behind = False
            if found is None or self._may_read(kept, found, tournament):
                begun = time.monotonic()
                found = take(store, tournament, found)
                kept.matches_at = time.monotonic()
                kept.matches_s = kept.matches_at - begun
                figures = kept.snapshot.figures if kept.snapshot is not None else None
                found = self._with_figures(kept, found, figures)
                kept.snapshot = found
            elif found.known.revision != found.tournament.revision:
                self._make_soon(kept, found)
            return found

    def holds(self, id: str) -> bool:
        """Whether there is a snapshot of a tournament already."""
        with self._lock:
            kept = self._kept.get(id)
        return kept is not None and kept.snapshot is not None

    def prepare(self, id: str) -> None:
        """Take a snapshot beside the requests: whoever asks later need not wait for it."""
        with self._lock:
            if id in self._preparing:
                return
            self._preparing.add(id)
        self._pool.submit(self._prepare, id)

    def _prepare(self, id: str) -> None:
        try:
            with Store(self._database, read_only=True) as store:
                self.get(store, store.tournaments.get(id))
        except Exception:
            log.exception("%s could not be prepared", id)
        finally:
            with self._lock:
                self._preparing.discard(id)

    @property
    def is_settled(self) -> bool:
        """Whether nobody was shown less than there is."""
        with self._lock:
            kept = list(self._kept.values())
            if self._preparing:
                return False
        return not any(
            one.is_behind
            or one.is_making
            or (one.snapshot and one.snapshot.known.revision != one.snapshot.tournament.revision)
            for one in kept
        )

    def _entry(self, id: str) -> _Kept:
        with self._lock:
            kept = self._kept.setdefault(id, _Kept())
            self._kept.move_to_end(id)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return kept

    @staticmethod
    def _may_read(kept: _Kept, found: Snapshot, tournament: TournamentRow) -> bool:
        """Whether there is something new, and it is time to look."""
        if found.tournament == tournament:
            return False
        quick = found.is_small or found.tournament.state is not tournament.state
        pause = max(LOOK_S, MATCHES_BREATH * kept.matches_s)
        rested = time.monotonic() - kept.matches_at >= pause
        kept.is_behind = not (quick or rested)
        return not kept.is_behind

    def _with_figures(self, kept: _Kept, found: Snapshot, figures: Figures | None) -> Snapshot:
        """Figures at once where they are quick or there are none; else the old ones for now."""
        if figures is not None and not found.is_small:
            older = with_figures(found, figures)
            self._make_soon(kept, older)
            return older
        begun = time.monotonic()
        made = found.make_figures()
        kept.figures_at = time.monotonic()
        kept.figures_s = kept.figures_at - begun
        return with_figures(found, made)

    def _make_soon(self, kept: _Kept, found: Snapshot) -> None:
        rested = time.monotonic() - kept.figures_at >= BREATH * kept.figures_s
        if kept.is_making or not rested:
            return
        kept.is_making = True
        self._pool.submit(self._make, kept, found)

    def _make(self, kept: _Kept, found: Snapshot) -> None:
        try:
            begun = time.monotonic()
            if len(found.fixtures) > LARGE:
                made = self._beside.figures(found.tournament.id)
            else:
                made = found.make_figures()
            taken = time.monotonic() - begun
        except Exception:
            log.exception("the figures of %s could not be made", found.tournament.id)
            with kept.lock:
                kept.is_making = False
                kept.figures_at = time.monotonic()
            return
        with kept.lock:
            kept.figures_s, kept.figures_at = taken, time.monotonic()
            kept.is_making = False
            if kept.snapshot is not None:
                kept.snapshot = with_figures(kept.snapshot, made)
