"""A bot that falls silent does not lose all its matches while it is restarted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from arena.bot import Bot, BotServer
from arena.config import BotSpec, TournamentConfig
from arena.referee.verdicts import Termination
from arena.store import Store
from arena.store.lock import played
from arena.store.rows import FixtureRow, FixtureStatus, TournamentRow, TournamentState
from arena.tournament import lifecycle
from arena.tournament.create import create_tournament
from arena.tournament.dossier import StoredDossier
from arena.tournament.model import FixtureResult, FormatOptions
from arena.tournament.playing import absences, runner
from arena.tournament.playing.play import Stopper, play
from arena.tournament.playing.reporter import Silent
from arena.tournament.verification.verify import verify
from tests.samples import simple
from tests.waiting import wait_until

LOST = (Termination.UNREACHABLE, Termination.DOUBLE_FORFEIT)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Greet often, and look often whether patience is used up."""
    monkeypatch.setattr(absences, "GREET_S", 0.02)
    monkeypatch.setattr(runner, "LOOK_S", 0.02)


class Restarted:
    """A bot whose server can be stopped and started again at its port."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        """Where it listens, if it does."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Come up, or back."""
        self.port = self._stack.enter_context(BotServer(like(1), port=self.port)).port

    def stop(self) -> None:
        """Go down."""
        self._stack.close()


def like(number: int) -> Bot:
    """The simple bot, for a few matches at a time."""
    bot = type(simple.bot)()
    bot.name = f"bot {number}"
    return bot


@pytest.fixture
def shaky() -> Iterator[Restarted]:
    """A bot that can be restarted."""
    bot = Restarted()
    yield bot
    bot.stop()


class Told(Silent):
    """Keeps what the organiser is told, and acts on a match's end or on a message."""

    def __init__(
        self,
        after: int,
        on_match: Callable[[], object],
        word: str = "does not answer; its matches wait",
        on_word: Callable[[], object] = lambda: None,
    ) -> None:
        self.texts: list[str] = []
        self.results: list[FixtureResult] = []
        self.then: tuple[int, Callable[[], object]] = (-1, on_match)
        self._after = after
        self._on_match = on_match
        self._word = word
        self._on_word = on_word

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """Act after so many matches."""
        self.results.append(result)
        if len(self.results) == self._after:
            self._on_match()
        if len(self.results) == self.then[0]:
            self.then[1]()

    def message(self, text: str) -> None:
        """Keep it; act if it is the one."""
        self.texts.append(text)
        if self._word in text:
            self._on_word()


def made(store: Store, shaky: Restarted, stack: ExitStack, **values: object) -> TournamentRow:
    """A tournament of three bots that stay and, as entrant 1, one that may not."""
    others = [stack.enter_context(BotServer(like(number))) for number in (0, 2, 3)]
    specs = [BotSpec(f"bot {n}", other.url) for n, other in zip((0, 2, 3), others, strict=True)]
    specs.insert(1, BotSpec("shaky", shaky.url))
    config = TournamentConfig(
        name="Outage",
        settings={"target": 20},
        bots=tuple(specs),
        **{"options": FormatOptions(games=1, legs=4), **values},  # type: ignore[arg-type]
    )
    return create_tournament(store, config, bytes(range(32)))


def of_shaky(told: Told) -> list[FixtureResult]:
    """The results of the bot that was away."""
    return [result for result in told.results if 1 in result.seats]


def ended(store: Store, row: TournamentRow, told: Told, patience_s: float = 60.0) -> None:
    """Play it to its end, and verify it."""
    state = play(store, row, told, Stopper(), in_flight=4, patience_s=patience_s)
    assert state is TournamentState.FINISHED
    assert verify(StoredDossier(store, row.id)).finished


@pytest.mark.parametrize("format", ["round_robin", "swiss"])
def test_bot_that_comes_back_plays_what_is_left(
    store: Store, shaky: Restarted, format: str
) -> None:
    """Only what was in play when it went down can be lost; the organiser hears of both."""
    told = Told(2, shaky.stop, on_word=shaky.start)
    legs = 4 if format == "round_robin" else 1
    with ExitStack() as stack:
        options = FormatOptions(games=1, legs=legs)
        ended(store, made(store, shaky, stack, format=format, options=options), told)

    assert sum(result.termination in LOST for result in of_shaky(told)) <= 2
    assert [text for text in told.texts if text.startswith("shaky")] == [
        "shaky does not answer; its matches wait",
        "shaky answers again; its matches go on",
    ]


def test_everybody_can_know_for_whom_all_waits(store: Store, shaky: Restarted) -> None:
    """For all bots until they have been greeted, for nobody while something is played, and for the
    silent one once nothing else is left."""
    seen: list[tuple[str, ...]] = []

    def awaited() -> tuple[str, ...]:
        found = played(store.path)
        return found.awaited if found is not None else ()

    def come_back() -> None:
        wait_until(lambda: awaited() == ("shaky",), 30)
        seen.append(awaited())
        shaky.start()

    def go_away() -> None:
        seen.append(awaited())
        shaky.stop()

    watcher = threading.Thread(target=come_back)
    told = Told(2, go_away, on_word=watcher.start)
    told.started = lambda total, finished: seen.append(awaited())  # type: ignore[method-assign]
    with ExitStack() as stack:
        ended(store, made(store, shaky, stack), told)
    watcher.join()

    assert seen == [("bot 0", "shaky", "bot 2", "bot 3"), (), ("shaky",)]
    assert played(store.path) is None


def test_round_of_a_ladder_waits_for_its_bots(store: Store, shaky: Restarted) -> None:
    """The next is paired when all its results are there, as without an outage."""
    with ExitStack() as stack:
        row = made(store, shaky, stack, format="ladder")
        told = Told(2, shaky.stop, on_word=shaky.start)
        told.then = (20, lambda: lifecycle.pause(store, row))
        assert play(store, row, told, Stopper(), in_flight=4) is TournamentState.PAUSED

    verify(StoredDossier(store, row.id))
    assert sum(result.termination in LOST for result in of_shaky(told)) <= 2


def test_bot_that_never_comes_back_forfeits_when_nothing_else_is_left(
    store: Store, shaky: Restarted
) -> None:
    """All other matches are played before; then it has its patience, and the run ends."""
    told = Told(2, shaky.stop)
    with ExitStack() as stack:
        ended(store, made(store, shaky, stack), told, patience_s=0.3)

    last = max(at for at, result in enumerate(told.results) if 1 not in result.seats)
    assert sum(result.termination in LOST for result in told.results[:last]) <= 2
    assert all(result.termination in LOST for result in told.results[last + 1 :])
    assert len(told.results[last:]) > 15
    said = [text for text in told.texts if text.startswith("shaky")]
    assert said[0] == "shaky does not answer; its matches wait"
    assert said[1:] == [
        "shaky has not answered for 0.3 s in which nothing else was left to play; until it does "
        "its matches are forfeits"
    ]


def test_later_rounds_do_not_wait_again(store: Store, shaky: Restarted) -> None:
    """A bot that is down for good uses up its patience once, not once a round."""
    shaky.stop()
    told = Told(99, lambda: None)
    with ExitStack() as stack:
        row = made(store, shaky, stack, format="swiss", options=FormatOptions(games=1, rounds=3))
        ended(store, row, told, patience_s=0.3)

    assert sum("has not answered for" in text for text in told.texts) == 1
    assert all(result.termination in LOST for result in of_shaky(told))


def test_bot_that_was_given_up_is_there_again_when_it_answers(
    store: Store, shaky: Restarted
) -> None:
    """Its matches of later rounds are played, and the organiser hears of it."""
    shaky.stop()
    told = Told(99, lambda: None, "has not answered for", shaky.start)
    with ExitStack() as stack:
        row = made(store, shaky, stack, format="swiss", options=FormatOptions(games=1, rounds=3))
        ended(store, row, told, patience_s=0.2)

    assert of_shaky(told)[-1].termination not in LOST
    assert "shaky answers again; its matches go on" in told.texts


def test_without_patience_nothing_waits(store: Store, shaky: Restarted) -> None:
    """Then a bot that is down loses its matches as their turn comes."""
    shaky.stop()
    told = Told(99, lambda: None)
    with ExitStack() as stack:
        ended(store, made(store, shaky, stack), told, patience_s=0.0)

    assert {result.termination for result in of_shaky(told)} == {Termination.UNREACHABLE}


def test_bot_that_is_taken_out_is_not_waited_for(store: Store, shaky: Restarted) -> None:
    """Its matches that wait are forfeits at once, of a bot that has left."""
    with ExitStack() as stack:
        row = made(store, shaky, stack)
        told = Told(2, shaky.stop, on_word=lambda: lifecycle.withdraw(store, row, "shaky"))
        ended(store, row, told)

    left = [result for result in of_shaky(told) if result.termination == Termination.WITHDRAWN]
    assert len(left) >= 15


def test_run_that_is_stopped_while_matches_wait_goes_on_later(
    store: Store, shaky: Restarted
) -> None:
    """What was set aside is open in the store, and played by the next run."""
    stopper = Stopper()
    told = Told(2, shaky.stop, on_word=stopper.stop)
    with ExitStack() as stack:
        row = made(store, shaky, stack)
        state = play(store, row, told, stopper, in_flight=4)
        assert state is TournamentState.RUNNING
        assert store.fixtures.count(row.id, FixtureStatus.PENDING) > 20

        shaky.start()
        ended(store, store.tournaments.get(row.id), told)

    assert sum(result.termination in LOST for result in of_shaky(told)) <= 2
