"""The end of a two-handed gin hand: what is shown, who scores, and the sentence about it.

Pure functions from cards to a `HandOutcome`; how play got there is `gin`'s business.
"""

from __future__ import annotations

from typing import Final

from arena.rules.base import Ending, HandOutcome, Shown
from arena.rules.cards import names
from arena.rules.gin.rules import GinRules
from arena.rules.gin.scoring import HandScore, score_knock, score_refused_double
from arena.rules.layoffs import Defence, defend
from arena.rules.melds import MeldTables, default_spread, meld_names


def settle_knock(
    rules: GinRules,
    tables: MeldTables,
    knocker: int,
    hands: tuple[int, int],
    spread: tuple[int, ...],
    *,
    big_gin: bool,
    multiplier: int,
) -> HandOutcome:
    """The outcome when this position shows these melds; hands are what is left after the discard.

    The defender's melds and layoffs are the best there are.
    """
    loose = hands[knocker]
    for meld in spread:
        loose ^= meld
    deadwood = tables.value_of(loose)
    defence = defend(
        hands[1 - knocker],
        spread,
        tables,
        may_lay_off=deadwood > 0 or rules.layoff_on_gin,
    )
    score = score_knock(
        rules,
        deadwood,
        defence.value,
        big_gin=big_gin,
        laid_off=defence.laid_off != 0,
        multiplier=multiplier,
    )
    mine = Shown(meld_names(spread), names(loose), (), deadwood)
    theirs = Shown(
        meld_names(defence.melds), names(defence.deadwood), names(defence.laid_off), defence.value
    )
    if score.knocker or score.ending in (Ending.GIN, Ending.BIG_GIN, Ending.KNOCK):
        winner: int | None = knocker
    else:
        winner = 1 - knocker if score.ending is Ending.UNDERCUT else None
    return HandOutcome(
        ending=score.ending,
        points=(score.knocker, score.defender) if knocker == 0 else (score.defender, score.knocker),
        winner=winner,
        shown=(mine, theirs) if knocker == 0 else (theirs, mine),
        sentence=_knock_sentence(knocker, deadwood, defence, score, multiplier),
        knocker=knocker,
    )


_WON = {
    Ending.KNOCK: "{points} to P{knocker}",
    Ending.GIN: "{points} to P{knocker}",
    Ending.BIG_GIN: "{points} to P{knocker}",
    Ending.UNDERCUT: "undercut, {points} to P{defender}",
    Ending.TIE: "a tie, nobody scores",
    Ending.GIN_LAID_OFF: "nobody scores",
}


def _knock_sentence(
    knocker: int, deadwood: int, defence: Defence, score: HandScore, multiplier: int
) -> str:
    if score.ending is Ending.BIG_GIN:
        opening = f"P{knocker} has big gin"
    elif deadwood == 0:
        opening = f"P{knocker} goes gin"
    else:
        opening = f"P{knocker} knocks with {deadwood}"
    defender = 1 - knocker
    if defence.laid_off:
        laid = " ".join(names(defence.laid_off))
        answer = f"P{defender} lays off {laid}, left with {defence.value}"
    else:
        answer = f"P{defender} is left with {defence.value}"
    points = _points(max(score.knocker, score.defender))
    result = _WON[score.ending].format(points=points, knocker=knocker, defender=defender)
    times = f" (score times {multiplier})" if multiplier > 1 else ""
    return f"{opening}; {answer}: {result}{times}"


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"


def settle_refused_double(
    tables: MeldTables, offerer: int, hands: tuple[int, int], factor: int
) -> HandOutcome:
    """The outcome when an offer to double was refused; ``factor`` is in force before the offer."""
    shown = (_at_best(hands[0], tables), _at_best(hands[1], tables))
    points = score_refused_double(shown[offerer].value, shown[1 - offerer].value, factor)
    return HandOutcome(
        ending=Ending.DOUBLE_REFUSED,
        points=(points, 0) if offerer == 0 else (0, points),
        winner=offerer,
        shown=shown,
        sentence=(
            f"P{1 - offerer} refuses P{offerer}'s double, holding {shown[1 - offerer].value} "
            f"against {shown[offerer].value}: {_points(points)} to P{offerer}"
        ),
    )


DEAD_SENTENCES: Final = {
    Ending.DEAD_STOCK: "The stock is down to its last cards: a dead hand, nobody scores",
    Ending.DEAD_TURNS: "The turn limit is reached: a dead hand, nobody scores",
    Ending.MISDEAL: "A player could have knocked with the cards dealt: a misdeal, nobody scores",
}
"""About a hand that nobody won."""


def settle_dead(tables: MeldTables, ending: Ending, hands: tuple[int, int]) -> HandOutcome:
    """The outcome of a hand that nobody won."""
    return HandOutcome(
        ending=ending,
        points=(0, 0),
        winner=None,
        shown=(_at_best(hands[0], tables), _at_best(hands[1], tables)),
        sentence=DEAD_SENTENCES[ending],
    )


def _at_best(hand: int, tables: MeldTables) -> Shown:
    spread = default_spread(hand, tables)
    loose = hand
    for meld in spread:
        loose ^= meld
    return Shown(meld_names(spread), names(loose), (), tables.value_of(loose))
