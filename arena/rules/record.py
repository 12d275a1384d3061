"""Records of hands: one line of text each (see `record_text` for the grammar), and their replay.

A record is read with `parse`, written with `write`, played again with `replay` and checked with
`verify`. All of it goes through the variant's family, so it works for every game there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.errors import InvalidRecord, InvalidSettings, RulesError
from arena.rules.base import Ending, Hand, HandOutcome, Sheet, Variant, action
from arena.rules.games import variant_with
from arena.rules.record_text import FORMAT, HandRecord, Play, parse, result_text, write

__all__ = [
    "FORMAT",
    "HandRecord",
    "Play",
    "final_hand",
    "parse",
    "replay",
    "result_text",
    "sheets",
    "variant_of",
    "verify",
    "write",
]


def variant_of(record: HandRecord) -> Variant:
    """The variant that was played, with its changed settings.

    :raises InvalidRecord: there is no such variant, or its settings do not hold.
    """
    try:
        return variant_with(record.variant, dict(record.changes))
    except InvalidSettings as error:
        raise InvalidRecord(str(error), column=len(FORMAT) + 2) from error


def replay(record: HandRecord, sheet: Sheet | None = None) -> Iterator[Hand]:
    """Every state of the hand, from the deal to the end of the record.

    ``sheet``: the score before this hand, where the family deals by it; a new one if left out.

    :raises InvalidRecord: the deck cannot be dealt, or a step is not allowed where it stands.
    """
    variant = variant_of(record)
    family, rules = variant.family, variant.rules
    if sorted(record.deck) != sorted(family.deck(rules)):
        raise InvalidRecord(
            f"the deck is not the {len(family.deck(rules))} cards of {variant.name}"
        )
    try:
        if sheet is None:
            fewest, _ = family.players(rules)
            sheet = family.new_sheet(rules, max(fewest, max(record.plan.seats) + 1), 0)
        hand = family.deal(rules, record.deck, record.plan)
    except RulesError as error:
        raise InvalidRecord(f"the hand cannot be dealt: {error}") from error
    yield hand
    for number, play in enumerate(record.plays, 1):
        try:
            hand = hand.apply(action(play.action), play.melds)
        except RulesError as error:
            raise InvalidRecord(f"step {number}: {error}", column=play.column) from error
        yield hand


def final_hand(record: HandRecord, sheet: Sheet | None = None) -> Hand:
    """The last state of the hand.

    :raises InvalidRecord: as `replay`.
    """
    *_, last = replay(record, sheet)
    return last


def verify(record: HandRecord, sheet: Sheet | None = None) -> HandOutcome:
    """Play the hand again and compare its result with the one recorded.

    Returns the result, with its sentence. A forfeit is the referee's doing, so there only the
    steps are checked.

    :raises InvalidRecord: the hand cannot be played again, or ends otherwise.
    """
    found = final_hand(record, sheet).outcome
    if record.outcome.ending is Ending.FORFEIT:
        return record.outcome
    said = result_text(record.outcome)
    if found is None:
        raise InvalidRecord(f"the record says {said!r}, but its steps do not end the hand")
    if result_text(found) != said:
        raise InvalidRecord(f"the record says {said!r}, but the replay {result_text(found)!r}")
    return found


def opening_sheet(variant: Variant, first: HandRecord, seats: int) -> Sheet | None:
    """The empty sheet of the game that began with this hand, None if it can begin with none such.

    Who deals first is drawn for each match; the first hand shows it.
    """
    for dealer in range(seats):
        sheet = variant.family.new_sheet(variant.rules, seats, dealer)
        if sheet.next_deal() == first.plan:
            return sheet
    return None


def sheets(variant: Variant, hands: Sequence[HandRecord], seats: int) -> tuple[Sheet, ...]:
    """The sheet before the first of a game's hands, and after each; none if they do not fit.

    A forfeited hand counts nothing.

    :raises RulesError: the rules refuse one of them.
    """
    sheet = opening_sheet(variant, hands[0], seats) if hands else None
    if sheet is None:
        return ()
    made = [sheet]
    for hand in hands:
        if sheet.next_deal() != hand.plan:
            return ()
        if hand.outcome.ending is not Ending.FORFEIT:
            sheet = sheet.add(hand.outcome)
        made.append(sheet)
    return tuple(made)
