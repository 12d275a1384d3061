"""The course of a match: who has won, what time is allowed, and what bots are told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.referee.asks import Ask, Reply
from arena.referee.clock import ClockRules
from arena.referee.verdicts import FaultCode, Termination
from arena.rules.base import Ending
from tests.referee.matches import (
    Steady,
    after,
    answering,
    choosing,
    failing,
    in_process,
    sensible,
    setup,
    watch,
)


def test_match_of_games_is_won_by_more_games() -> None:
    """Three games are all played and the larger number wins."""
    played = watch(setup(games=3), [sensible, sensible])

    assert len(played.games) == 3
    assert sum(played.outcome.games_won) == 3
    winner = played.outcome.winner
    assert winner is not None
    assert played.outcome.games_won[winner] >= 2
    assert played.outcome.termination is Termination.NORMAL


def test_best_of_five_stops_when_decided() -> None:
    """With three wins needed, nothing is played after the third win."""
    played = watch(setup(games=5, wins_needed=3, target=50), [sensible, sensible])

    assert max(played.outcome.games_won) == 3
    assert len(played.games) == sum(played.outcome.games_won)


def test_late_answer_inside_the_bank_counts() -> None:
    """The bank pays for lateness, the next request says so, and no strike is given."""
    clock = ClockRules(deadline_ms=100, bank_ms=60_000)

    def slow(ask: Ask) -> Reply:
        return answering(ask, 150.0)

    played = watch(setup(clock=clock), [slow, sensible])

    assert not any(hand.faults for hand in played.hands)
    mine = [ask.request for ask in played.asks if ask.seat == 0]
    assert mine[0]["bank_ms"] == 60_000
    assert mine[1]["bank_ms"] == 59_950
    assert mine[1]["last_status"] == "late"
    assert mine[1]["last_latency_ms"] == 150


def test_answer_beyond_deadline_and_bank_is_a_timeout_and_is_not_played() -> None:
    """Even an answer that did arrive is not used when it came too late."""
    clock = ClockRules(deadline_ms=100, bank_ms=100)

    def too_slow(ask: Ask) -> Reply:
        return answering(ask, 201.0)

    played = watch(setup(clock=clock), [too_slow, sensible])

    faults = [fault for hand in played.hands for fault in hand.faults]
    assert {fault.code for fault in faults} == {FaultCode.TIMEOUT}
    assert played.outcome.winner == 1
    book = played.hands[-1].books[0]
    assert book.bank_ms == 0
    assert book.bot_ms == pytest.approx(200 + 100 + 100)


def test_every_seat_gets_exactly_one_end_of_match_with_result_and_reason() -> None:
    """The winner too learns that its opponent died."""
    dead = after(3, sensible, failing(FaultCode.RESET))

    played = watch(setup(), [sensible, dead])

    ends = [notice for notice in played.notices if notice.payload.get("event") == "match"]
    assert [notice.seat for notice in ends] == [0, 1]
    for notice in ends:
        result = notice.payload["result"]
        assert isinstance(result, dict)
        assert result["winner"] == 0
        assert result["ending"] == "strikes"
        assert result["sentence"]


def test_bots_are_told_their_own_faults_only() -> None:
    """The end of a hand carries the faults of the seat it goes to."""
    once = after(1, failing(FaultCode.BAD_STATUS), sensible)

    played = watch(setup(), [sensible, once])

    for notice in played.notices:
        if notice.payload.get("event") == "hand" and notice.seat == 0:
            assert notice.payload["faults"] == []
    told = [
        notice.payload["faults"]
        for notice in played.notices
        if notice.payload.get("event") == "hand" and notice.seat == 1
    ]
    assert told[0] == [{"code": "bad_status", "detail": "it was told to fail"}]


def test_passive_bots_end_by_the_written_limits() -> None:
    """Two bots that never knock cannot hold up a tournament."""

    def passive(ask: Ask) -> str:
        legal: list[dict[str, str]] = ask.request["legal"]  # type: ignore[assignment]
        taking = [one["id"] for one in legal if one["id"] == "draw:discard"]
        throws = [one["id"] for one in legal if one["kind"] == "discard"]
        return (taking or throws or [legal[0]["id"]])[0]

    played = watch(setup(max_hands=3, max_turns=30), [choosing(passive), choosing(passive)])

    assert played.outcome.winner is None
    assert played.outcome.termination is Termination.DRAW
    assert played.outcome.games_drawn == 1
    assert {hand.ending for hand in played.hands} == {Ending.DEAD_TURNS}


def test_mirrored_matches_of_one_bot_cancel_out_exactly() -> None:
    """A deterministic bot against itself scores exactly zero over the pair, hand by hand."""
    first = setup(games=2)
    second = replace(first, match="m_other", names=("Bob", "Ann"))
    half = watch(first, [in_process(Steady()), in_process(Steady())])
    other = watch(second, [in_process(Steady()), in_process(Steady())])

    # Ann sits in seat 0 of one half and in seat 1 of the other.
    assert half.outcome.hand_diffs
    assert all(
        mine - theirs == 0
        for mine, theirs in zip(half.outcome.hand_diffs, other.outcome.hand_diffs, strict=True)
    )
