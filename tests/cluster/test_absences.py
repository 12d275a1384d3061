"""On a cluster too the matches of a bot that falls silent wait until it answers."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from arena.bot import BotServer
from arena.config import BotSpec
from arena.referee.verdicts import Termination
from arena.store import Store
from arena.store.rows import FixtureRow, TournamentState
from arena.tournament.dossier import StoredDossier
from arena.tournament.model import FixtureResult
from arena.tournament.playing import absences, runner
from arena.tournament.playing.play import Stopper, play
from arena.tournament.verification.verify import verify
from tests.cluster.processes import Remarks, entered, far
from tests.cluster.stand_ins import Near
from tests.samples import simple


class Outage(Remarks):
    """Takes a bot down when its first match has been played, and up again when that is noticed."""

    def __init__(self, down: ExitStack, port: int, *, comes_back: bool) -> None:
        super().__init__()
        self.down = down
        self.port = port
        self.comes_back = comes_back
        self.played_first = False

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """Go down once."""
        if 1 in fixture.seats and not self.played_first:
            self.played_first = True
            self.down.close()

    def message(self, text: str) -> None:
        """Come up, where it does."""
        super().message(text)
        if self.comes_back and "its matches wait" in text:
            self.down.enter_context(BotServer(simple.bot, port=self.port))


@pytest.mark.parametrize("comes_back", [True, False])
def test_matches_of_a_silent_bot_wait(
    store: Store, monkeypatch: pytest.MonkeyPatch, comes_back: bool
) -> None:
    """The chunk in which it falls silent gives the others back; only what was begun is lost."""
    monkeypatch.setattr(absences, "GREET_S", 0.02)
    monkeypatch.setattr(runner, "LOOK_S", 0.02)
    with ExitStack() as stack, ExitStack() as down, Near() as near:
        others = [stack.enter_context(BotServer(simple.bot)) for _ in range(2)]
        shaky = down.enter_context(BotServer(simple.bot))
        specs = [BotSpec("a", others[0].url), BotSpec("b", shaky.url), BotSpec("c", others[1].url)]
        row = entered(store, specs, games=1, legs=6)
        told = Outage(down, shaky.port, comes_back=comes_back)
        state = play(
            store, row, told, Stopper(), in_flight=2, elsewhere=far(near, target_s=0.1),
            patience_s=60.0 if comes_back else 0.3,
        )  # fmt: skip

    assert state is TournamentState.FINISHED
    assert verify(StoredDossier(store, row.id)).finished
    fixtures = store.fixtures.of(row.id)
    lost = [one for one in fixtures if one.termination == Termination.UNREACHABLE]
    assert all(one.forfeited == (1,) for one in lost)
    assert "b does not answer; its matches wait" in told.texts
    if comes_back:
        assert "b answers again; its matches go on" in told.texts
        assert len(lost) <= 4
    else:
        assert len(lost) >= 12
