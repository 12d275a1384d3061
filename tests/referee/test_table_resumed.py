"""Matches that were broken off after any hand end as if nothing had happened."""

from __future__ import annotations

from arena.referee.asks import Ask, Reply
from arena.referee.clock import ClockRules
from arena.referee.verdicts import FaultCode
from arena.rules.base import Ending
from tests.referee.matches import after, answering, failing, sensible, setup, watch


def test_match_resumed_after_any_hand_ends_the_same() -> None:
    """Hands that were stored are not asked for again, and the rest is the same to the letter."""
    match = setup(games=3, target=60)
    whole = watch(match, [sensible, sensible])

    for kept in range(len(whole.hands) + 1):
        resumed = watch(match, [sensible, sensible], whole.hands[:kept])
        assert resumed.outcome == whole.outcome
        assert resumed.games == whole.games
        assert [hand.record for hand in resumed.hands] == [
            hand.record for hand in whole.hands[kept:]
        ]


def test_match_resumed_after_a_forfeited_game_goes_on_with_the_next() -> None:
    """A forfeit survives a crash of the referee."""
    match = setup(games=3)
    flaky = after(5, sensible, failing(FaultCode.RESET))
    whole = watch(match, [sensible, flaky])
    forfeited = next(i for i, hand in enumerate(whole.hands) if hand.ending == Ending.FORFEIT)

    resumed = watch(match, [sensible, failing(FaultCode.RESET)], whole.hands[: forfeited + 1])

    assert resumed.games[0] == whole.games[0]
    assert resumed.outcome.games_won == (3, 0)
    assert min(hand.game for hand in resumed.hands) == whole.hands[forfeited].game + 1


def test_bank_survives_a_crash() -> None:
    """The first request after resuming carries what the bank held, not a fresh one."""
    clock = ClockRules(deadline_ms=100, bank_ms=60_000)
    match = setup(clock=clock)

    def slow(ask: Ask) -> Reply:
        return answering(ask, 110.0)

    whole = watch(match, [slow, slow])
    resumed = watch(match, [slow, slow], whole.hands[:1])

    first = next(ask for ask in resumed.asks if ask.seat == 0)
    assert first.request["bank_ms"] == int(whole.hands[0].books[0].bank_ms)
    assert whole.hands[0].books[0].bank_ms < 60_000


def test_table_with_a_dead_seat_resumed_after_any_hand_ends_the_same() -> None:
    """Also between two games, where other seats' strikes are forgotten."""
    match = setup(rules="cutthroat", names=("Ann", "Bob", "Cid"), games=3, target=50)
    players = [sensible, failing(FaultCode.REFUSED), sensible]
    whole = watch(match, players)

    for stored in range(1, len(whole.hands) + 1):
        assert watch(match, players, whole.hands[:stored]).outcome == whole.outcome
