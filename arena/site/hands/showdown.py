"""The last picture of a hand: what everybody shows, with every layoff on the meld it extends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch

from arena.rules.base import Ending, Hand, HandOutcome, Melds, Shown
from arena.rules.cards import mask_of
from arena.rules.indian.cards import faces_of
from arena.rules.indian.hand import IndianHand
from arena.rules.melds import MeldTables, open_ends
from arena.site.hands.arrange import as_laid, by_suit, by_worth, grouped, tables_of
from arena.site.hands.frame import Frame, HandOf
from arena.site.views.formatting import MINUS, plural

COUNTED = (Ending.DECLARED, Ending.WRONG_DECLARATION, Ending.LAST_PLAYER)
"""Endings after which points are penalties."""


def showdown(last: Frame, hand: Hand, outcome: HandOutcome, sentence: str) -> Frame:
    """The frame after the ``last`` one, of a hand that is over and whose cards were shown.

    ``sentence`` tells the result, with names.
    """
    tables, places = tables_of(hand), hand.cards_by_place()
    hands = []
    for position, (held, one) in enumerate(zip(last.hands, outcome.shown, strict=True)):
        on_table = f"table{position}" in places
        theirs = {
            card
            for at, other in enumerate(outcome.shown)
            if at != position
            for card in other.laid_off
        }
        melds = one.melds
        # Where melds come to the table during play, what was added to them lies there already.
        if position == outcome.knocker and tables is not None and not on_table:
            melds = placed(melds, sorted(theirs), tables)
        hands.append(
            HandOf(
                melds=() if on_table else melds,
                loose=one.deadwood,
                table=melds if on_table else (),
                value=one.value,
                active=held.active,
                laid_on=tuple(card for meld in melds for card in meld if card in theirs),
                laid_off=one.laid_off,
                result=result_text(outcome.ending, outcome.points[position]),
            )
        )
    return replace(
        last, action=None, position=None, text=f"{sentence}.", legal=(), before=None, after=None,
        deadwood=None, ms=None, fault=None, late=False, note=None, moved=None, to_act=None,
        hands=tuple(hands), showdown=True,
    )  # fmt: skip


def result_text(ending: Ending, points: int) -> str:
    """What a hand gave a position: ``+27 points``, ``no points``, ``27 penalty points``."""
    if not points:
        return "no points"
    if ending in COUNTED:
        return plural(points, "penalty point")
    return f"{'+' if points > 0 else MINUS}{plural(abs(points), 'point')}"


def placed(melds: Melds, cards: Sequence[str], tables: MeldTables) -> Melds:
    """These melds with the cards that others laid off on them, each where it fits.

    A card may need another one of them beside it: the first way that finds room for all is taken.
    What fits nowhere, which the rules exclude, is left out.
    """
    masks = tuple(mask_of(meld) for meld in melds)
    found = _room(masks, tuple(mask_of([card]) for card in cards), tables.ace_mode)
    return tuple(as_laid(meld) for meld in found or masks)


def _room(melds: tuple[int, ...], cards: tuple[int, ...], ace_mode: str) -> tuple[int, ...] | None:
    if not cards:
        return melds
    for card in cards:
        rest = tuple(other for other in cards if other != card)
        for at, meld in enumerate(melds):
            if open_ends(meld, ace_mode) & card:
                extended = (*melds[:at], meld | card, *melds[at + 1 :])
                found = _room(extended, rest, ace_mode)
                if found is not None:
                    return found
    return None


@singledispatch
def in_order(hand: Hand, shown: Shown) -> Shown:
    """What a position showed, its cards in the order of the replay."""
    tables = tables_of(hand)
    if tables is None:
        return shown
    return shown._replace(
        melds=tuple(as_laid(mask_of(meld)) for meld in shown.melds),
        deadwood=by_worth(shown.deadwood, tables),
    )


@in_order.register
def _of_indian(hand: IndianHand, shown: Shown) -> Shown:
    rules = hand.state.deal.grouping
    loose = by_suit(faces_of(shown.deadwood), rules.wild)
    return shown._replace(melds=grouped(shown.melds, rules), deadwood=loose)
