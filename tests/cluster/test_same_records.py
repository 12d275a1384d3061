"""Wherever a tournament is played, its records are the same byte for byte."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from arena.cluster.orders import Report, Sealed
from arena.cluster.pool import DaskPool
from arena.store import Store
from arena.tournament.dossier import StoredDossier
from arena.tournament.verification.verify import verify
from tests.cluster.processes import entered, far, field, played, records, served

FORMATS: dict[str, dict[str, Any]] = {
    "round_robin": {"games": 1},
    "single_elimination": {"best_of": 3},
    "swiss": {"games": 1, "rounds": 2},
}


class Listening:
    """A pool that looks into every order on its way."""

    def __init__(self, pool: DaskPool) -> None:
        self.pool = pool
        self.out: set[str] = set()
        self.chunks: list[list[str]] = []
        self.together: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.pool, name)

    def submit(self, name: str, sealed: Sealed) -> Future[Report]:
        """Note which deals are under way at the same time."""
        deals = [bout.row.deal_key for bout in sealed.open().bouts]
        self.chunks.append(deals)
        self.together += [deal for deal in deals if deal in self.out or deals.count(deal) > 1]
        self.out.update(deals)
        future = self.pool.submit(name, sealed)
        future.add_done_callback(lambda _: self.out.difference_update(deals))
        return future


@pytest.mark.parametrize("format", FORMATS)
def test_cluster_and_one_machine_leave_the_same_records(
    pool: DaskPool, tmp_path: Path, format: str
) -> None:
    """Leagues, brackets and Swiss: fixtures, games, hands, sentences and counts agree."""
    listening = Listening(pool)
    with (
        Store(tmp_path / "here.db") as here,
        Store(tmp_path / "far.db") as there,
        served(field()) as bots,
    ):
        played(here, entered(here, bots, format=format, **FORMATS[format]))
        row = entered(there, bots, format=format, **FORMATS[format])
        remarks = played(there, row, far(listening))

        assert records(there) == records(here)
        assert verify(StoredDossier(there, row.id)).finished
    assert remarks == []
    assert listening.together == []
    assert len(listening.chunks) > 2


def test_half_played_match_goes_on_from_its_hands(pool: DaskPool, tmp_path: Path) -> None:
    """What one machine began the cluster ends: stored hands are not played again."""
    asked: list[int] = []
    bots_here = field()
    with (
        Store(tmp_path / "here.db") as here,
        Store(tmp_path / "far.db") as there,
        served(bots_here) as bots,
    ):
        whole = entered(here, bots, games=2)
        played(here, whole)
        row = entered(there, bots, games=2)
        half = here.fixtures.of(whole.id)[0]
        there.fixtures.add(row.id, half.id, half.fixture, position=0)
        there.fixtures.start(half.id)
        for hand in here.hands.of(half.id)[:3]:
            there.hands.add(hand)
        asked = [len(bot.requests) for bot in bots_here]
        played(there, row, far(pool))

        assert records(there) == records(here)
    again = [len(bot.requests) - before for bot, before in zip(bots_here, asked, strict=True)]
    assert sum(again) < sum(asked)


def test_long_matches_come_back_in_legs(pool: DaskPool, tmp_path: Path) -> None:
    """Ended with every hand in play, matches go on elsewhere and leave the same records."""
    listening = Listening(pool)
    with (
        Store(tmp_path / "here.db") as here,
        Store(tmp_path / "far.db") as there,
        served(field()) as bots,
    ):
        played(here, entered(here, bots, games=3, duplicate=False))
        row = entered(there, bots, games=3, duplicate=False)
        played(there, row, far(listening, leg_s=0.01))

        assert records(there) == records(here)
        assert verify(StoredDossier(there, row.id)).finished
    matches = len({deal for deals in listening.chunks for deal in deals})
    assert sum(map(len, listening.chunks)) > matches + 3
