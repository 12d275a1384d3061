"""What counts of a match that one of its bots left before the end: all that was played. Pure.

The hands are those that are finished, the games those that were decided; the hand points of the
game that was broken off stay as they stood. No game is invented: the forfeit decides the match, not
the games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena.referee.asks import Ask
from arena.referee.match import GamePlayed, HandPlayed, MatchOutcome, MatchSetup
from arena.referee.score import MatchScore
from arena.referee.table import play_match, recorded
from arena.rules.base import Ending
from arena.rules.deal import first_dealer
from arena.rules.record import verify
from arena.tournament.match import forfeit_result
from arena.tournament.model import Fixture, FixtureResult


def referee_again(
    setup: MatchSetup, hands: Sequence[HandPlayed]
) -> tuple[list[GamePlayed], MatchOutcome | None]:
    """The games that these hands make, and the outcome, None where the match goes on after them.

    :raises RulesError: a hand cannot have been played so.
    """
    games: list[GamePlayed] = []
    match = play_match(setup, hands)
    try:
        while True:
            event = next(match)
            if isinstance(event, GamePlayed):
                games.append(event)
            elif isinstance(event, Ask):
                return games, None
    except StopIteration as end:
        outcome: MatchOutcome = end.value
        return games, outcome


def left_result(
    fixture: Fixture,
    setup: MatchSetup,
    hands: Sequence[HandPlayed],
    games: Sequence[GamePlayed],
    missing: Sequence[int],
) -> FixtureResult:
    """The result of a match that these entrants left after these hands, which made these games.

    :raises RulesError: a hand cannot have been played so.
    """
    nothing = forfeit_result(fixture, missing)
    if not hands:
        return nothing
    score = MatchScore(setup)
    for game in games:
        score.add_game(game, ())
    points = list(score.points)
    variant, seats = setup.variant, len(setup.names)
    dealer = (first_dealer(setup.secret, setup.deal_key, seats) + len(games)) % seats
    sheet = variant.family.new_sheet(variant.rules, seats, dealer)
    for hand in hands:
        record = recorded(hand.record)
        if record.outcome.ending is Ending.FORFEIT:
            continue
        score.add_hand(record.plan, record.outcome)
        if hand.game > len(games):
            sheet = sheet.add(verify(record, sheet))
    points = [before + line.points for before, line in zip(points, sheet.lines, strict=True)]
    return replace(
        nothing,
        games_won=tuple(score.games_won),
        games_drawn=score.games_drawn,
        points=tuple(points),
        hands=score.hands,
        hands_won=tuple(score.hands_won),
        hand_diffs=tuple(score.hand_diffs),
    )
