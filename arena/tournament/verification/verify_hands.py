"""Checks single hands: the deck, the record against the row, faults, times and notes. Pure.

That the play of a hand leads to its result is checked where its match is refereed again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from arena.errors import RulesError
from arena.referee.match import MatchSetup
from arena.referee.table import recorded
from arena.rules.deal import deal_seed, shuffled
from arena.rules.record import replay
from arena.store.rows import FixtureRow, HandRow, RawRow
from arena.tournament.verification.mismatch import Mismatch, same


def check_hand(hand: HandRow, setup: MatchSetup) -> None:
    """The record is of this game, with the deck that the secret gives, and says what the row says.

    That the play leads to its result is checked where the match is refereed again.
    """
    record = recorded(hand.record)
    variant = setup.variant
    seed = deal_seed(setup.secret, setup.deal_key, hand.game, hand.number)
    same("the game", record.variant, variant.name)
    same("the settings", dict(record.changes), dict(variant.changes))
    same("the deck", record.deck, shuffled(variant.family.deck(variant.rules), seed))
    same("the ending", hand.ending, record.outcome.ending.value)
    same("the points", hand.points, record.outcome.points)
    winner = record.outcome.winner
    same("the winner", hand.winner, None if winner is None else record.plan.seats[winner])
    same("the number of times", len(hand.times), len(record.plays))
    for turn, (play, took_ms) in enumerate(zip(record.plays, hand.times, strict=True)):
        limit_ms = setup.clock.deadline_ms
        if play.fault is None and (took_ms < limit_ms if play.late else took_ms > limit_ms):
            late = "late" if play.late else "in time"
            raise Mismatch(f"turn {turn} is marked as {late}, but took {took_ms} of {limit_ms} ms")
    for turn, _ in hand.notes:
        if not 0 <= turn < len(record.plays):
            raise Mismatch(f"a note is to turn {turn}, but there are {len(record.plays)}")


def check_faults(fixture: FixtureRow, hands: Sequence[HandRow], stored: Sequence[RawRow]) -> None:
    """The faults are those that the records of the hands show."""
    columns = ("game", "hand", "turn", "code", "entrant")
    found = [tuple(row[column] for column in columns) for row in stored]
    shown = [fault for hand in hands for fault in _shown_faults(fixture, hand)]
    for one, right in zip_longest(found, shown):
        if one is None or right is None or one[: len(right)] != right:
            same("the fault (game, hand, turn, code, entrant)", one, right)


def _shown_faults(fixture: FixtureRow, hand: HandRow) -> Iterator[tuple[object, ...]]:
    """Game, hand, turn, code and entrant of each fault in the record. The last is left out where a
    hand by itself does not say who was to move."""
    record = recorded(hand.record)
    faults = [(turn, play.fault) for turn, play in enumerate(record.plays) if play.fault]
    if not faults:
        return
    try:
        acting = [hand.to_act for hand in replay(record)]
    except RulesError:
        acting = []
    for turn, code in faults:
        position = acting[turn] if acting else None
        who = () if position is None else (fixture.seats[record.plan.seats[position]],)
        yield (hand.game, hand.number, turn, code, *who)
