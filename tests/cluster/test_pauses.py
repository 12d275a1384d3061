"""A paused tournament on a cluster: what is in play is finished, and the run ends."""

from __future__ import annotations

import threading
from pathlib import Path

from arena.store import Store
from arena.store.rows import FixtureStatus, TournamentState
from arena.tournament import lifecycle
from arena.tournament.playing.play import Stopper, play
from arena.tournament.playing.reporter import Silent
from tests.cluster.processes import Watched, entered, far, served
from tests.cluster.stand_ins import Near
from tests.samples import simple

LONG_S = 30.0


def test_match_that_rests_between_legs_is_finished_after_a_pause(tmp_path: Path) -> None:
    """It goes on in further chunks until it is over; then the run ends, and nothing new begins."""
    path = tmp_path / "far.db"
    asked = threading.Event()

    def pause(request_id: str) -> None:
        if asked.is_set():
            return
        asked.set()
        with Store(path) as store:
            (row,) = store.tournaments.all()
            lifecycle.pause(store, row)

    bots = [Watched("ann", simple.bot, pause), Watched("bob", simple.bot)]
    stopper = Stopper()
    with Store(path) as store, served(bots) as specs, Near() as near:
        row = entered(store, specs, games=2, duplicate=True)
        bound = threading.Timer(LONG_S, stopper.stop)
        bound.start()
        state = play(store, row, Silent(), stopper, in_flight=4, elsewhere=far(near, leg_s=0.01))
        bound.cancel()
        statuses = [fixture.status for fixture in store.fixtures.of(row.id)]

    assert state is TournamentState.PAUSED
    assert sorted(statuses) == [FixtureStatus.FINISHED, FixtureStatus.PENDING]
    assert near.sent > 1, "the match was over in one leg"
    assert not stopper.stopped, "the run had to be stopped"
