"""Which bots answer this machine, and which workers do not reach those that do."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from arena.cluster.orders import Unreached
from arena.cluster.pool import Pool
from arena.errors import ClusterError
from arena.referee.verdicts import BotFault
from arena.tournament.playing.contestants import Contestant
from arena.wire.addresses import Network
from arena.wire.crew import Crew
from arena.wire.transport import WireOptions

MOST_STRIKES = 3
"""A worker that could so often not reach a bot which this machine reaches gets no more chunks."""


class Reach:
    """``silent``: entrants that did not answer this machine's latest greeting. ``say`` is told
    what an organiser should know."""

    def __init__(
        self,
        contestants: Mapping[int, Contestant],
        network: Network,
        pool: Pool,
        say: Callable[[str], None],
    ) -> None:
        self.silent = {number for number, one in contestants.items() if not one.answers}
        self._contestants = contestants
        self._network = network
        self._pool = pool
        self._say = say
        self._strikes: dict[str, int] = {}

    def answers(self, entrant: int) -> bool:
        """Greet it from this machine, from any thread."""
        crew = Crew(1)
        lane = self._contestants[entrant].lane(crew, WireOptions(network=self._network))
        try:
            lane.warm_up()
        except BotFault:
            self.silent.add(entrant)
            return False
        finally:
            crew.close()
        self.silent.discard(entrant)
        return True

    def down(self, report: Unreached) -> set[int]:
        """Those whom this machine does not reach either. A worker that does not reach the others
        is given no more chunks after a while.

        :raises ClusterError: no worker is left.
        """
        down = {entrant for entrant in report.entrants if not self.answers(entrant)}
        reached = set(report.entrants) - down
        if not reached:
            return down
        strikes = self._strikes[report.worker] = self._strikes.get(report.worker, 0) + 1
        if strikes >= MOST_STRIKES:
            self._shun(report.worker, reached)
        return down

    def has_played(self, worker: str) -> None:
        """This worker reached all bots of a chunk."""
        self._strikes.pop(worker, None)

    def _shun(self, worker: str, reached: set[int]) -> None:
        names = ", ".join(sorted(self._contestants[entrant].name for entrant in reached))
        self._pool.shun(worker)
        self._say(
            f"worker {worker} does not reach {names}, which this machine does; "
            "it gets nothing more to play"
        )
        if not self._pool.workers():
            raise ClusterError(
                f"no worker reaches {names}, but this machine does; register bots by an "
                "address that holds on every machine"
            )
