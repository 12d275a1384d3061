"""All bots that played a game, over all tournaments: ratings, records, what each played last.

Adding that up takes time where much was played, so it is kept, and made anew beside the requests.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from arena.fixture import FixtureResult
from arena.rules.games import sides_of
from arena.site.views.snapshot import SMALL
from arena.site.views.snapshots import BREATH, LARGE
from arena.site.work.beside import Beside
from arena.store import Store
from arena.store.pages import Pages
from arena.store.rows import FixtureRow
from arena.tournament.bot_results import Played, played_of
from arena.tournament.match import is_bye, places
from arena.tournament.model import FormatOptions
from arena.tournament.ranking.tally import Tally, add_up
from arena.tournament.statistics.rating import Rating
from arena.tournament.statistics.ratings import rate

log = logging.getLogger("arena.site.views.ranking")


@dataclass(frozen=True, slots=True)
class LastMatch:
    """The match that a bot ended last: where, when, against whom and how, as ``won``, ``drawn`` or
    ``lost``. ``against``: names; ``score``: games of its side and of the other, of two."""

    slug: str
    tournament: str
    fixture_id: str
    at: str
    against: tuple[str, ...]
    outcome: str
    score: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A bot that has entered a tournament of a game. ``rank``: among those with an interval that
    can be compared with most, None for others. Counts are matches."""

    bot_id: int
    rank: int | None
    rating: Rating
    won: int
    drawn: int
    lost: int
    last: LastMatch | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Bots best first, those without a rank last. ``stamp``: what it was made of."""

    stamp: str
    rows: tuple[Ranked, ...]


def ranking_of(store: Store, variant: str) -> Ranking:
    """Add it all up."""
    stamp = Pages(store).variant_stamp(variant)
    bots: set[int] = set()
    results: list[FixtureResult] = []
    records: dict[int, Tally] = defaultdict(Tally)
    last: dict[int, LastMatch] = {}
    fewer = False
    for played in played_of(store, variant):
        options = FormatOptions(**played.tournament.config.get("options", {}))
        fewer = options.fewer_points_win
        ids = {entry.bot_id for entry in played.entries.values()}
        bots |= ids
        own = [result for _, result in played.results]
        results += own
        sides = sides_of(variant, options.table_size)
        for bot, tally in add_up(own, ids, fewer_points_win=fewer, sides=sides).items():
            records[bot].won += tally.won
            records[bot].drawn += tally.drawn
            records[bot].lost += tally.lost
        for row, result in played.results:
            _note(last, played, row, result, fewer)
    sides_at = partial(sides_of, variant)
    rated = rate(bots, results, fewer_points_win=fewer, sides=sides_at).rows
    ranks = _ranks(rated)
    order = sorted(rated, key=lambda one: ranks.get(one.entrant, len(rated) + 1))
    rows = (
        Ranked(
            one.entrant,
            ranks.get(one.entrant),
            one,
            records[one.entrant].won,
            records[one.entrant].drawn,
            records[one.entrant].lost,
            last.get(one.entrant),
        )
        for one in order
    )
    return Ranking(stamp, tuple(rows))


def _ranks(rated: tuple[Rating, ...]) -> dict[int, int]:
    """Places by bot; equal ratings share one. Who has no interval, or cannot be compared with most,
    has none."""
    values = {
        one.entrant: round(one.rating, 3)
        for one in rated
        if one.pool == 0
        and one.rating is not None
        and (one.low is not None or one.high is not None)
    }
    return {bot: 1 + sum(other > own for other in values.values()) for bot, own in values.items()}


def _note(
    last: dict[int, LastMatch],
    played: Played,
    row: FixtureRow,
    result: FixtureResult,
    fewer_points_win: bool,
) -> None:
    """Remember a match for those of its bots that ended none later."""
    at = row.finished_at
    if at is None or is_bye(result):
        return
    tournament = played.tournament
    sides = sides_of(tournament.variant, len(row.seats))
    order = places(result, fewer_points_win)
    for side in sides:
        others = [seat for seat in range(len(row.seats)) if seat not in side]
        for seat in side:
            bot = result.seats[seat]
            if bot in last and last[bot].at >= at:
                continue
            first = order[seat] == 1 and bot not in result.forfeited
            level = len(set(order)) == 1
            last[bot] = LastMatch(
                tournament.slug,
                tournament.name,
                row.id,
                at,
                tuple(played.entries[row.seats[other]].name for other in others),
                "drawn" if first and level else "won" if first else "lost",
                (result.games_won[seat], result.games_won[others[0]]) if len(sides) == 2 else None,
            )


def ranking_at(database: str, variant: str) -> Ranking:
    """The ranking of a game as the database has it now."""
    with Store(Path(database), read_only=True) as store, store.reading():
        return ranking_of(store, variant)


@dataclass(slots=True)
class _Kept:
    ranking: Ranking | None = None
    made_s: float = 0.0
    made_at: float = 0.0
    is_making: bool = False


@dataclass(slots=True)
class Rankings:
    """Keeps the newest ranking of each game. Safe for threads."""

    database: Path
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _kept: dict[str, _Kept] = field(default_factory=dict)
    _pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="ranking")
    )
    _beside: Beside = field(init=False)

    def __post_init__(self) -> None:
        self._beside = Beside(self.database)

    def close(self) -> None:
        """End the work beside the requests."""
        self._beside.close()
        self._pool.shutdown(wait=True, cancel_futures=True)

    @property
    def is_settled(self) -> bool:
        """Whether none is being made."""
        with self._lock:
            return not any(one.is_making for one in self._kept.values())

    def get(self, store: Store, variant: str) -> Ranking | None:
        """The ranking as it stands, or a moment ago where much was played; None before the first.

        Small ones are made at once, as `snapshots` do.
        """
        pages = Pages(store)
        stamp = pages.variant_stamp(variant)
        with self._lock:
            kept = self._kept.setdefault(variant, _Kept())
            if kept.ranking is not None and kept.ranking.stamp == stamp:
                return kept.ranking
            size = pages.variant_matches(variant)
            if size <= SMALL:
                kept.ranking = ranking_of(store, variant)
                return kept.ranking
            rested = time.monotonic() - kept.made_at >= BREATH * kept.made_s
            if rested and not kept.is_making:
                kept.is_making = True
                self._pool.submit(self._make, variant, kept, size > LARGE)
            return kept.ranking

    def _make(self, variant: str, kept: _Kept, is_large: bool) -> None:
        begun = time.monotonic()
        found = None
        try:
            database = str(self.database)
            found = (
                self._beside.call(ranking_at, database, variant)
                if is_large
                else ranking_at(database, variant)
            )
        except Exception:
            log.exception("the ranking of %s could not be made", variant)
        with self._lock:
            kept.made_at = time.monotonic()
            kept.made_s = kept.made_at - begun
            kept.is_making = False
            if found is not None:
                kept.ranking = found
