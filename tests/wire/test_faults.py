"""Every way in which a bot can fail, over real sockets, each with its own verdict in time."""

from __future__ import annotations

import pytest

from arena.referee.asks import Answer
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.crew import Crew
from tests.faulty_bots import EXPECTED, Behaviour, FaultyBot
from tests.wire.lanes import MARGIN_MS, ask, decision, first_action, lane_to

AMPLE_MS = 5000

REFEREE_JUDGES = {Behaviour.UNKNOWN_ACTION}
"""Answers in order by the protocol; that the action is illegal, the referee finds out."""

FAULTY = sorted(
    behaviour
    for behaviour, code in EXPECTED.items()
    if code is not FaultCode.OK and behaviour not in REFEREE_JUDGES
)
FINE = sorted(behaviour for behaviour, code in EXPECTED.items() if code is FaultCode.OK)


def test_every_behaviour_has_an_expected_code() -> None:
    """A behaviour without an expectation would not be tested."""
    assert set(Behaviour) == set(EXPECTED)


@pytest.mark.parametrize("behaviour", FAULTY)
def test_a_fault_gets_its_code_in_time_and_costs_the_next_call_nothing(
    behaviour: Behaviour, crew: Crew
) -> None:
    """The verdict comes by the deadline; the connection is gone; the next call is clean."""
    with FaultyBot(behaviour, times=1) as bot:
        lane = lane_to(bot, crew)
        # Only where time is to run out is it short, so that a busy machine changes no verdict.
        is_slow = EXPECTED[behaviour] is FaultCode.TIMEOUT
        outcome = ask(lane, "m_1-1-1-1", timeout_ms=300 if is_slow else AMPLE_MS)
        fault = outcome.reply()

        assert isinstance(fault, BotFault)
        assert (EXPECTED[behaviour], behaviour) == (fault.code, behaviour)
        assert not is_slow or 300 <= outcome.took_ms < 300 + MARGIN_MS
        assert 0 <= fault.elapsed_ms <= outcome.timeout_ms

        if behaviour is not Behaviour.DEAF:
            answer = ask(lane, "m_1-1-1-2", AMPLE_MS).reply()
            assert isinstance(answer, Answer)
            assert answer.action == first_action(decision())
            assert bot.requests[-1].connection > bot.requests[0].connection
        assert len(outcome.replies) == 1
        assert bot.hits("/elsewhere") == 0
        lane.close()


@pytest.mark.parametrize("behaviour", FINE)
def test_unusual_but_correct_answers_count(behaviour: Behaviour, crew: Crew) -> None:
    """Three answers in a row, whatever the bot does with the connection between them."""
    with FaultyBot(behaviour) as bot:
        lane = lane_to(bot, crew)
        for turn in (1, 2, 3):
            answer = ask(lane, f"m_1-1-1-{turn}", AMPLE_MS).reply()
            assert isinstance(answer, Answer), answer
            assert answer.action == first_action(decision())
            assert answer.note is None
        lane.close()
