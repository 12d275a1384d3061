"""Bots that fail lose their own games over real sockets, and cost nobody else anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.bot import BotServer
from arena.config import BotSpec, TournamentConfig
from arena.referee.clock import ClockRules
from arena.referee.verdicts import FaultCode, Termination
from arena.store import Store
from arena.store.rows import FixtureRow, FixtureStatus, TournamentRow, TournamentState
from arena.tournament.create import create_tournament
from arena.tournament.dossier import StoredDossier
from arena.tournament.model import FormatOptions
from arena.tournament.playing.play import Stopper, play
from arena.tournament.playing.reporter import Silent
from arena.tournament.results import standings_of
from arena.tournament.verification.verify import verify
from tests.faulty_bots import EXPECTED, Behaviour, FaultyBot
from tests.samples import random_bot, simple

CLOCK = ClockRules(deadline_ms=300, bank_ms=200, max_strikes=2)


def tournament(
    store: Store, bots: Sequence[BotSpec], format: str = "round_robin", **options: object
) -> TournamentRow:
    """Play a tournament to its end."""
    config = TournamentConfig(
        name="Trouble",
        format=format,
        settings={"target": 50},
        options=FormatOptions(**options),  # type: ignore[arg-type]
        clock=CLOCK,
        bots=tuple(bots),
    )
    made = create_tournament(store, config, b"\1" * 32)
    assert play(store, made, Silent(), Stopper(), patience_s=0.1) is TournamentState.FINISHED
    return store.tournaments.get(made.id)


def between(fixtures: Sequence[FixtureRow], *entrants: int) -> list[FixtureRow]:
    """The fixtures in which exactly these sit."""
    return [row for row in fixtures if set(row.seats) == set(entrants)]


ONE_FOR_EACH_CODE: dict[FaultCode, Behaviour] = {
    code: behaviour
    for behaviour, code in EXPECTED.items()
    if code not in (FaultCode.OK, FaultCode.LATE)
}


@pytest.mark.parametrize("code", sorted(ONE_FOR_EACH_CODE), ids=str)
def test_each_fault_is_stored_with_its_own_code_and_loses_only_its_own_games(
    store: Store, code: FaultCode
) -> None:
    """Whatever a bot does to the wire, the others' match is played and the result is final."""
    with (
        BotServer(simple.bot) as good,
        BotServer(random_bot.bot) as other,
        FaultyBot(ONE_FOR_EACH_CODE[code], drip_s=0.02) as bad,
    ):
        made = tournament(
            store,
            [BotSpec("good", good.url), BotSpec("other", other.url), BotSpec("bad", bad.url)],
            games=1,
            duplicate=False,
        )

    fixtures = store.fixtures.of(made.id)
    assert {row.status for row in fixtures} <= {FixtureStatus.FINISHED, FixtureStatus.BYE}
    (fair,) = between(fixtures, 0, 1)
    assert fair.termination == Termination.NORMAL
    assert not store.hands.faults(fair.id)
    assert set(store.hands.fault_counts(made.id)) == {(2, code)}
    for row in between(fixtures, 0, 2) + between(fixtures, 1, 2):
        assert row.winner in (0, 1)
        assert row.sentence
    assert verify(StoredDossier(store, made.id)).finished


def test_bot_that_is_down_from_the_start_forfeits_its_matches(store: Store) -> None:
    """Refused connections end each of its matches at once, as unreachable."""
    with BotServer(simple.bot) as good, BotServer(random_bot.bot) as other:
        with FaultyBot(listens=False) as down:
            made = tournament(
                store,
                [BotSpec("good", good.url), BotSpec("other", other.url), BotSpec("down", down.url)],
                games=2,
            )

    fixtures = store.fixtures.of(made.id)
    for row in fixtures:
        if 2 in row.seats and len(row.seats) == 2:
            assert row.termination == Termination.UNREACHABLE
            assert row.forfeited == (2,)
            assert row.winner != 2
    table = standings_of(store, made)
    assert [row.entrant for row in table][-1] == 2


def test_two_bots_that_are_down_play_a_double_forfeit_and_the_bracket_goes_on(
    store: Store,
) -> None:
    """Both dead bots of a semi-final are out, and the other semi-final's winner wins."""
    with BotServer(simple.bot) as good, BotServer(random_bot.bot) as other:
        with FaultyBot(listens=False) as one, FaultyBot(listens=False) as two:
            made = tournament(
                store,
                # 1 v 4 and 2 v 3: the two that are down meet.
                [
                    BotSpec("good", good.url),
                    BotSpec("down 1", one.url),
                    BotSpec("down 2", two.url),
                    BotSpec("other", other.url),
                ],
                format="single_elimination",
                best_of=3,
            )

    fixtures = store.fixtures.of(made.id)
    (dead,) = between(fixtures, 1, 2)
    assert dead.termination == Termination.DOUBLE_FORFEIT
    assert dead.winner is None
    assert made.state is TournamentState.FINISHED
    assert standings_of(store, made)[0].entrant == 0


def test_bot_that_dies_in_mid_game_loses_and_its_opponent_hears_of_it(store: Store) -> None:
    """The survivor gets exactly one end of match with the result."""
    with FaultyBot() as good, FaultyBot(Behaviour.RESET, after=3) as dying:
        tournament(
            store,
            [BotSpec("good", good.url), BotSpec("dying", dying.url)],
            games=1,
            duplicate=False,
        )
        ends = [
            request.json
            for request in good.requests
            if request.path == "/end" and request.json["event"] == "match"
        ]

    assert len(ends) == 1
    assert ends[0]["result"]["ending"] in ("strikes", "unreachable")


def test_failing_bot_does_not_fill_the_disk(store: Store, tmp_path: Path) -> None:
    """Faults are kept short and end with the strikes, however many games are played."""
    with BotServer(simple.bot) as good, FaultyBot(Behaviour.HTML) as bad:
        made = tournament(
            store, [BotSpec("good", good.url), BotSpec("bad", bad.url)], games=20, duplicate=False
        )

    (row,) = store.fixtures.of(made.id)
    faults = store.hands.faults(row.id)
    assert len(faults) <= 20 * CLOCK.max_strikes
    assert max(len(fault.detail) for fault in faults) <= 400
