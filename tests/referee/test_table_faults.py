"""What follows from wrong answers and from silence: strikes, games lost, forfeits."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from arena.referee.asks import Answer, Ask, Reply
from arena.referee.clock import ClockRules
from arena.referee.match import Step
from arena.referee.players import Player, run_match
from arena.referee.verdicts import NO_CONTACT, BotFault, FaultCode, Termination
from arena.rules.base import Ending
from tests.referee.matches import after, choosing, failing, sensible, setup, watch


def test_best_of_five_of_a_silent_opponent_is_three_games_when_it_answered_once() -> None:
    """A bot that answered once and then dies loses 3–0, exactly three games."""
    dead = after(1, sensible, failing(FaultCode.REFUSED))

    played = watch(setup(games=5, wins_needed=3), [sensible, dead])

    assert played.outcome.winner == 0
    assert played.outcome.games_won == (3, 0)
    assert len(played.games) == 3
    assert played.outcome.termination is Termination.STRIKES


@pytest.mark.parametrize("seat", [0, 1])
def test_unreachable_bot_forfeits_the_match_at_once(seat: int) -> None:
    """A bot that never answered anything loses the match; no further game is tried."""
    players: list[Player] = [sensible, sensible]
    players[seat] = failing(FaultCode.REFUSED)

    played = watch(setup(games=4), players)

    assert played.outcome.winner == 1 - seat
    assert played.outcome.forfeited == (seat,)
    assert played.outcome.termination is Termination.UNREACHABLE
    assert len(played.games) == 1


def test_two_unreachable_bots_are_a_double_forfeit_whatever_the_seats() -> None:
    """Neither dead bot profits from being asked later."""
    dead = failing(FaultCode.REFUSED)

    played = watch(setup(games=4), [dead, dead])

    assert played.outcome.winner is None
    assert played.outcome.forfeited == (0, 1)
    assert played.outcome.games_won == (0, 0)
    assert played.outcome.termination is Termination.DOUBLE_FORFEIT


@pytest.mark.parametrize(
    "action", ["sideways", "", "discard:", "discard:ZZ", "x" * 10_000, "draw:stock\n"]
)
def test_words_outside_the_vocabulary_are_illegal_and_cost_a_strike(action: str) -> None:
    """Whatever is answered, the referee goes on and the fault is `illegal`."""
    played = watch(setup(), [choosing(lambda ask: action), sensible])

    codes = {fault.code for hand in played.hands for fault in hand.faults}
    assert codes == {FaultCode.ILLEGAL}
    assert played.outcome.winner == 1
    assert played.games[0].termination is Termination.STRIKES


def test_illegal_bot_is_not_unreachable_and_plays_every_game() -> None:
    """It answers, only badly: it forfeits game after game, not the match."""
    played = watch(setup(games=3), [choosing(lambda ask: "nonsense"), sensible])

    assert len(played.games) == 3
    assert played.outcome.games_won == (0, 3)
    assert played.outcome.forfeited == ()


@pytest.mark.parametrize(
    "code",
    [
        FaultCode.BAD_STATUS,
        FaultCode.REDIRECT,
        FaultCode.TOO_LARGE,
        FaultCode.BAD_ENCODING,
        FaultCode.BAD_HTTP,
        FaultCode.BAD_JSON,
        FaultCode.SCHEMA,
        FaultCode.UNKNOWN_ID,
    ],
)
def test_bot_whose_every_answer_is_wrong_loses_game_by_game(code: FaultCode) -> None:
    """Somebody is there, so nothing says otherwise: each game is lost by strikes, none skipped."""
    played = watch(setup(games=5, wins_needed=3), [failing(code), sensible])

    assert [game.termination for game in played.games] == [Termination.STRIKES] * 3
    assert played.outcome.games_won == (0, 3)
    assert played.outcome.forfeited == ()
    assert played.outcome.termination is Termination.STRIKES


@pytest.mark.parametrize("code", sorted(NO_CONTACT))
def test_bot_from_which_nothing_comes_back_forfeits_the_match(code: FaultCode) -> None:
    """The games that are left would only cost time."""
    played = watch(setup(games=5, wins_needed=3), [sensible, failing(code)])

    assert len(played.games) == 1
    assert played.outcome.termination is Termination.UNREACHABLE
    assert played.outcome.sentence == "Bob never answered; Ann wins."


@pytest.mark.parametrize("codes", [*permutations([FaultCode.BAD_JSON, FaultCode.REFUSED])])
def test_wrong_answers_win_nothing_from_a_dead_bot(codes: tuple[FaultCode, FaultCode]) -> None:
    """Neither gave a usable answer, so it is a double forfeit whatever the seats."""
    played = watch(setup(games=5), [failing(codes[0]), failing(codes[1])])

    assert played.outcome.termination is Termination.DOUBLE_FORFEIT
    assert played.outcome.winner is None
    assert played.outcome.forfeited == (0, 1)


def test_strikes_start_anew_with_every_game() -> None:
    """Two faults in each of two games lose neither of them."""
    clock = ClockRules(max_strikes=3)
    per_game: dict[int, int] = {}

    def twice_a_game(ask: Ask) -> Reply:
        game = ask.request["game"]
        assert isinstance(game, int)
        per_game[game] = per_game.get(game, 0) + 1
        if per_game[game] <= 2:
            return BotFault(FaultCode.BAD_JSON, "no", 1.0)
        return sensible(ask)

    played = watch(setup(games=2, clock=clock), [twice_a_game, sensible])

    assert all(game.termination is Termination.NORMAL for game in played.games)
    assert sum(len(hand.faults) for hand in played.hands) == 4


def test_melds_that_do_not_hold_are_illegal_and_the_safe_action_is_played() -> None:
    """A knock with a false spread is a strike; the hand goes on."""

    def false_spread(ask: Ask) -> Reply:
        answer = sensible(ask)
        assert isinstance(answer, Answer)
        if answer.action.startswith("knock:"):
            return replace(answer, melds=(("2C", "3D", "4H"),))
        return answer

    played = watch(setup(), [false_spread, sensible])

    faults = [fault for hand in played.hands for fault in hand.faults]
    assert faults
    assert {fault.code for fault in faults} == {FaultCode.ILLEGAL}
    assert {fault.seat for fault in faults} == {0}


def test_forfeited_hand_counts_no_points() -> None:
    """The hand in which a game is forfeited is kept with its record, without points."""
    dead = after(5, sensible, failing(FaultCode.TIMEOUT, 1.0))

    played = watch(setup(), [sensible, dead])

    last = played.hands[-1]
    assert last.ending == Ending.FORFEIT
    assert last.points == (0, 0)
    assert last.winner is None
    assert played.outcome.hands == len(played.hands) - 1


def test_out_seats_are_never_asked_again_in_the_game() -> None:
    """At a table of three the others play on; the struck-out seat gets no further call."""
    dead = after(2, sensible, failing(FaultCode.REFUSED))
    asked: list[int] = []

    def note(step: Step) -> None:
        if isinstance(step, Ask):
            asked.append(step.seat)

    match = setup(rules="cutthroat", names=("Ann", "Bob", "Cid"), target=100)
    outcome = run_match(match, [sensible, sensible, dead], watch=note)

    assert asked.count(2) == 2 + match.clock.max_strikes
    assert outcome.places[2] == 3


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("code", sorted(NO_CONTACT))
def test_dead_seat_costs_its_table_no_game(seat: int, code: FaultCode) -> None:
    """It forfeits the match and comes last; the others play all games and are told apart."""
    players: list[Player] = [sensible] * 3
    players[seat] = failing(code, elapsed_ms=1000.0)
    match = setup(rules="cutthroat", names=("Ann", "Bob", "Cid"), games=3, target=50)

    played = watch(match, players)

    assert len(played.games) == 3
    assert [ask.seat for ask in played.asks].count(seat) == match.clock.max_strikes
    assert played.outcome.forfeited == (seat,)
    assert played.outcome.places[seat] == 3
    assert played.outcome.termination is Termination.UNREACHABLE
    assert all(game.places[seat] == 3 for game in played.games)
    assert played.hands[-1].books[seat].decisions == match.clock.max_strikes


def test_table_with_one_seat_left_is_over() -> None:
    """There is nobody to play the other games against."""
    dead = failing(FaultCode.REFUSED)

    played = watch(
        setup(rules="cutthroat", names=("Ann", "Bob", "Cid"), games=3, target=50),
        [dead, sensible, dead],
    )

    assert len(played.games) == 1
    assert played.outcome.winner == 1
    assert played.outcome.forfeited == (0, 2)
