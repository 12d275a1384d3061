"""Stacked hands whose scores were worked out by hand, for scripted whole games.

In each the player at the dealer's left, called first, moves as the name says; everybody passes
the upcard 4H and first draws KS.

Two-handed gin, ten cards, default bonuses:

- ``gin``: first is left with nothing, the other with 7 + 8 + 3 + 5 = 23: 25 + 23 = 48 to first.
- ``knock``: first knocks with 2; the other lays off 7S 8S and keeps 3 + 5 = 8: 6 to first.
- ``undercut``: first knocks with 8, the other lays off 7S and keeps 3 + 2 + 2 = 7: 25 + 1 = 26 to
  the other.
- ``dead``: everybody throws what was drawn until the stock is down to its last cards.

Battle Royal, where 8S may not follow 7S; the third player holds 3S, which fits, and 8 + 8 + 2:

- ``gin``: 40 + 23 + (3 + 8 + 8 + 2 = 21) = 84 to first.
- ``knock``: 16 + 18 - 2 = 32 to first.
- ``shared``: first knocks with 8 against 7 and 7 and loses 20; (8 + 7 - 7) / 2 = 4 to each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.rules.base import DealPlan, Family, Hand, RulesRecord, Sheet
from tests.rules.tables.playing import play, stacked_deck

GIN = "4S5S6S 9C9D9H9S QCQDQH"
KNOCK = "4S5S6S 9C9D9H QCQDQH 2D"
EIGHT = "4S5S6S 9C9D9H QCQDQH 8C"
LEFT = "7S8S KCKDKH ACADAH 3C 5D"
RIGHT = "3S TCTDTH JCJDJH 8D 8H 2C"
SEVEN_LEFT = "7S 3C KCKDKH ACADAH 2D 2H"
SEVEN_RIGHT = "3S TCTDTH JCJDJH 2C 2S 3H"

HOLDINGS = {
    "gin": (GIN, LEFT, RIGHT),
    "knock": (KNOCK, LEFT, RIGHT),
    "undercut": (EIGHT, SEVEN_LEFT),
    "shared": (EIGHT, SEVEN_LEFT, SEVEN_RIGHT),
    "dead": (LEFT, GIN, RIGHT),
}


def scripted(family: Family, rules: RulesRecord, sheet: Sheet, name: str) -> tuple[Sheet, DealPlan]:
    """The sheet after the planned hand went as the name says."""
    plan = sheet.next_deal()
    assert plan is not None
    count = len(plan.seats)
    holdings = HOLDINGS[name][:count]
    by_position = [""] * count
    for step, cards in enumerate(holdings):
        by_position[(plan.dealer + 1 + step) % count] = cards
    deck = stacked_deck(by_position, plan.dealer, "4H", "KS")
    hand: Hand = family.deal(rules, deck, plan)
    hand = play(hand, *["pass"] * count, "draw:stock")
    if name == "dead":
        while hand.to_act is not None:
            hand = hand.apply(hand.legal_actions()[0])
    else:
        hand = play(hand, "knock:KS")
    assert hand.outcome is not None
    return sheet.add(hand.outcome), plan


def play_script(
    family: Family, rules: RulesRecord, sheet: Sheet, names: Sequence[str]
) -> tuple[Sheet, list[tuple[tuple[int, ...], int]]]:
    """The sheet after these hands, with the seats and the dealer's seat of each."""
    plans = []
    for name in names:
        sheet, plan = scripted(family, rules, sheet, name)
        plans.append((plan.seats, plan.seats[plan.dealer]))
    return sheet, plans
