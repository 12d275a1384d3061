"""The advisory messages: a match begins; a hand, game or match ended and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arena.referee.asks import Event, Notice
from arena.referee.decision import PROTOCOL
from arena.referee.match import Fault, GamePlayed, MatchOutcome, MatchSetup
from arena.rules.base import DealPlan, HandOutcome, Sheet

MAX_FAULTS = 100
MAX_DETAIL = 500


def start_notices(setup: MatchSetup) -> Iterator[Notice]:
    """One ``/start`` a seat."""
    for seat in range(len(setup.names)):
        yield Notice(
            seat,
            Event.START,
            {
                "protocol": PROTOCOL,
                "tournament": setup.tournament,
                "match": setup.match,
                "variant": setup.variant.name,
                "rules": setup.variant.rules.as_dict(),
                "seat": seat,
                "players": [{"seat": i, "name": name} for i, name in enumerate(setup.names)],
                "games": setup.games,
                "wins_needed": setup.wins_needed,
                "deadline_ms": setup.clock.deadline_ms,
                "bank_ms": setup.clock.bank_ms,
            },
        )


def hand_notices(
    setup: MatchSetup,
    game: int,
    number: int,
    plan: DealPlan,
    outcome: HandOutcome,
    sheet: Sheet,
    faults: Sequence[Fault],
) -> Iterator[Notice]:
    """One ``/end`` a seat that played the hand, with all cards of the hand."""
    shown = [
        {
            "seat": plan.seats[position],
            "position": position,
            "melds": [list(meld) for meld in cards.melds],
            "deadwood": list(cards.deadwood),
            "laid_off": list(cards.laid_off),
            "value": cards.value,
        }
        for position, cards in enumerate(outcome.shown)
    ]
    points = [0] * len(setup.names)
    for position, scored in enumerate(outcome.points):
        points[plan.seats[position]] = scored
    result = {
        "ending": outcome.ending.value,
        "sentence": outcome.sentence,
        "points": points,
        "winner": None if outcome.winner is None else plan.seats[outcome.winner],
        "knocker": None if outcome.knocker is None else plan.seats[outcome.knocker],
    }
    scores = [line.points for line in sheet.lines]
    for seat in plan.seats:
        yield _end(
            setup, Event.HAND, game, number, seat, result, shown, _mine(faults, seat), scores
        )


def game_notices(
    setup: MatchSetup, played: GamePlayed, games_won: Sequence[int]
) -> Iterator[Notice]:
    """One ``/end`` a seat."""
    result: dict[str, object] = {
        "ending": (played.ending or played.termination).value,
        "sentence": played.sentence,
        "points": list(played.totals),
        "winner": played.winners[0] if len(played.winners) == 1 else None,
        "games_won": list(games_won),
    }
    if played.settlement:
        result["settlement"] = list(played.settlement)
    for seat in range(len(setup.names)):
        yield _end(setup, Event.GAME, played.number, None, seat, result, [], [], played.points)


def match_notices(setup: MatchSetup, outcome: MatchOutcome) -> Iterator[Notice]:
    """One ``/end`` a seat."""
    result = {
        "ending": outcome.termination.value,
        "sentence": outcome.sentence,
        "points": list(outcome.points),
        "winner": outcome.winner,
        "games_won": list(outcome.games_won),
    }
    for seat in range(len(setup.names)):
        yield _end(setup, Event.MATCH, None, None, seat, result, [], [], outcome.points)


def _mine(faults: Sequence[Fault], seat: int) -> list[dict[str, str]]:
    """A bot is told its own faults only."""
    return [
        {"code": fault.code.value, "detail": fault.detail[:MAX_DETAIL]}
        for fault in faults
        if fault.seat == seat
    ][:MAX_FAULTS]


def _end(
    setup: MatchSetup,
    event: Event,
    game: int | None,
    hand: int | None,
    seat: int,
    result: Mapping[str, object],
    shown: Sequence[Mapping[str, object]],
    faults: Sequence[Mapping[str, object]],
    scores: Sequence[int],
) -> Notice:
    return Notice(
        seat,
        event,
        {
            "protocol": PROTOCOL,
            "tournament": setup.tournament,
            "match": setup.match,
            "event": event.value,
            "game": game,
            "hand": hand,
            "seat": seat,
            "variant": setup.variant.name,
            "result": result,
            "shown": shown,
            "faults": faults,
            "scores": list(scores),
        },
    )
