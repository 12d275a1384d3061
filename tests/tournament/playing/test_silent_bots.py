"""A run with nobody to beat is refused; one bot that is down costs itself alone."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count, islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.cli.advice import advised
from arena.config import BotSpec, TournamentConfig
from arena.errors import ConfigError, TooFewAnswer
from arena.store import Store
from arena.store.rows import EntrantState, TournamentRow, TournamentState
from arena.tournament import lifecycle
from arena.tournament.create import create_tournament
from arena.tournament.playing.contestants import roll_call
from arena.tournament.playing.reporter import Silent
from tests.faulty_bots import FaultyBot


@pytest.fixture
def bots() -> Iterator[tuple[str, str, str]]:
    """Addresses of a bot that answers, of another, and of one that is down."""
    with ExitStack() as stack:
        yield (
            stack.enter_context(FaultyBot()).url,
            stack.enter_context(FaultyBot()).url,
            stack.enter_context(FaultyBot(listens=False)).url,
        )


def entered(store: Store, *urls: str) -> TournamentRow:
    """A tournament of bots a, b, c at these addresses."""
    specs = tuple(BotSpec(name, url) for name, url in zip("abc", urls, strict=False))
    return create_tournament(store, TournamentConfig("Silence", bots=specs), bytes(32))


def limit_for(spare: int) -> int:
    """The limit of descriptors under which this process can open so many more files."""
    taken = {int(entry) for entry in os.listdir("/dev/fd")}
    free = (number for number in count() if number not in taken)
    return next(islice(free, spare, None))


def test_one_bot_that_is_down_stops_nobody(store: Store, bots: tuple[str, str, str]) -> None:
    """Two others answer: all three are there."""
    with roll_call(store, entered(store, *bots), Silent()) as present:
        assert [one.answers for one in present] == [True, True, False]


def test_large_field_needs_few_descriptors(store: Store, bots: tuple[str, str, str]) -> None:
    """Many systems allow a process 256 files, an arena has up to 1,024 bots: no bot has its own
    while it is not being greeted."""
    up, other, down = bots
    specs = (
        BotSpec("up", up),
        BotSpec("other", other),
        *(BotSpec(f"silent {number}", f"{down}/{number}") for number in range(100)),
    )
    row = create_tournament(store, TournamentConfig("Many", bots=specs), bytes(32))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

    resource.setrlimit(resource.RLIMIT_NOFILE, (limit_for(50), hard))
    try:
        with roll_call(store, row, Silent()) as present:
            answering = [one.name for one in present if one.answers]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert len(present) == len(specs)
    assert answering == ["up", "other"]


def test_with_one_answering_nothing_is_played(store: Store, bots: tuple[str, str, str]) -> None:
    """The silent one is named with its address, and what to do."""
    up, _, down = bots

    with (
        pytest.raises(ConfigError, match=r"only 1 of 2 bots answer.*Silent: b \("),
        roll_call(store, entered(store, up, down), Silent()),
    ):
        pass


def test_who_has_left_need_not_answer(store: Store, bots: tuple[str, str, str]) -> None:
    """The last one left gets its walk-overs, whether it answers or not."""
    up, other, down = bots
    row = entered(store, up, other, down)
    lifecycle.withdraw(store, row, "b")
    with pytest.raises(ConfigError, match="only 1 of 2"), roll_call(store, row, Silent()):
        pass
    lifecycle.withdraw(store, row, "c")

    states = [one.state for one in store.tournaments.entrants(row.id)]
    assert states.count(EntrantState.PLAYING) == 1
    with roll_call(store, row, Silent()) as present:
        assert len(present) == 3


def test_begun_tournament_tells_how_silent_bots_can_leave(
    store: Store, bots: tuple[str, str, str]
) -> None:
    """The command is named as a shell wants it; one that never began is just run again."""
    up, _, down = bots
    row = entered(store, up, down)
    with pytest.raises(TooFewAnswer) as before, roll_call(store, row, Silent()):
        pass
    store.tournaments.set_state(row.id, TournamentState.RUNNING)
    row = store.tournaments.get(row.id)
    with pytest.raises(TooFewAnswer) as begun, roll_call(store, row, Silent()):
        pass
    withdrawn = CliRunner().invoke(
        cli, ["withdraw", "Silence", "b", "--yes", "--db", str(store.path)]
    )

    assert "withdraw" not in advised(before.value)
    assert f"arena withdraw Silence BOT --db {store.path}" in advised(begun.value)
    assert withdrawn.exit_code == 0
    with roll_call(store, row, Silent()) as present:
        assert len(present) == 2


def test_refused_run_leaves_no_tournament(tmp_path: Path, bots: tuple[str, str, str]) -> None:
    """Nothing is stored that would look like a result."""
    path = tmp_path / "arena.db"
    down = bots[2]
    arguments = ["run", "--bot", f"a={down}", "--bot", f"b={down}", "--db", str(path)]

    refused = CliRunner().invoke(cli, arguments)

    assert isinstance(refused.exception, ConfigError)
    assert "only 0 of 2 bots answer" in str(refused.exception)
    with Store(path) as store:
        assert store.tournaments.all() == []


@pytest.mark.parametrize("command", ["run", "resume"])
def test_all_can_be_required_to_be_there(
    tmp_path: Path, bots: tuple[str, str, str], command: str
) -> None:
    """Then one silent bot keeps a tournament from beginning, or from going on; it is named."""
    path = tmp_path / "arena.db"
    arguments = [f"--bot={name}={url}" for name, url in zip("abc", bots, strict=True)]
    if command == "resume":
        with Store(path) as store:
            store.tournaments.set_state(entered(store, *bots).id, TournamentState.RUNNING)
        arguments = []

    refused = CliRunner().invoke(cli, [command, "--all-present", *arguments, "--db", str(path)])

    assert isinstance(refused.exception, ConfigError)
    assert "only 2 of 3 bots answer, and all have to be present. Silent: c" in str(
        refused.exception
    )
    with Store(path) as store:
        assert len(store.tournaments.all()) == (command == "resume")


class _Said(Silent):
    """Keeps what an organiser is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def message(self, text: str) -> None:
        """One more."""
        self.lines.append(text)


def test_bots_that_the_arena_starts_are_told_in_one_line(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With where they listen; of a large field the rest is counted."""
    monkeypatch.setattr("arena.tournament.playing.contestants.SHOWN", 2)
    said = _Said()

    with roll_call(store, entered(store, *["sample:simple"] * 3), said) as present:
        a, b, _ = (one.endpoint.url for one in present)

    assert said.lines == [f"started bot 'a' on {a}, bot 'b' on {b} and 1 more"]
