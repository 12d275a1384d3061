"""How a deal ends: what each position shows, counts and is told.

Points are penalties: 0 for the winner, the capped count of the best grouping for who lost in play,
the fixed penalty for who left the deal. The referee finds every loser's best grouping.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.rules.base import Ending, HandOutcome, Melds, Shown
from arena.rules.indian.cards import Cards, faces_of, names_of, value_of
from arena.rules.indian.points import best_grouping
from arena.rules.indian.state import Deal, Place


def declared(deal: Deal, places: Sequence[Place], winner: int, melds: Melds) -> HandOutcome:
    """A valid declaration of all cards in these groups."""
    shown = [_shown(deal, place) for place in places]
    shown[winner] = Shown(melds, (), (), 0)
    points = tuple(
        0 if at == winner else _points(deal, place, shown[at]) for at, place in enumerate(places)
    )
    sentence = f"P{winner} declares a valid hand"
    return HandOutcome(
        Ending.DECLARED,
        points,
        winner,
        tuple(shown),
        _with_losers(sentence, places, points, winner),
        knocker=winner,
    )


def wrongly_declared(
    deal: Deal, places: Sequence[Place], offender: int, why: str, winner: int
) -> HandOutcome:
    """A wrong declaration that left one player."""
    sentence = f"P{offender} declares wrongly ({why}), so P{winner} wins"
    return _last(deal, places, winner, Ending.WRONG_DECLARATION, sentence, offender)


def last_player(deal: Deal, places: Sequence[Place], winner: int) -> HandOutcome:
    """All others dropped, or missed too many turns."""
    sentence = f"P{winner} is the last player left"
    return _last(deal, places, winner, Ending.LAST_PLAYER, sentence, None)


def void(deal: Deal, places: Sequence[Place], ending: Ending, why: str) -> HandOutcome:
    """Nobody won and nothing counts, penalties of those who left included, and that is said."""
    left = "" if all(place.active for place in places) else ", and no penalty in it counts"
    return HandOutcome(
        ending,
        (0,) * len(places),
        None,
        tuple(_shown(deal, place) for place in places),
        f"{why}; the deal is void{left}",
    )


def _last(
    deal: Deal,
    places: Sequence[Place],
    winner: int,
    ending: Ending,
    sentence: str,
    offender: int | None,
) -> HandOutcome:
    points = tuple(place.penalty or 0 for place in places)
    shown = tuple(_shown(deal, place) for place in places)
    told = _with_losers(sentence, places, points, winner)
    return HandOutcome(ending, points, winner, shown, told, knocker=offender)


def _points(deal: Deal, place: Place, shown: Shown) -> int:
    if place.penalty is not None:
        return place.penalty
    return min(deal.rules.cap, shown.value)


def _shown(deal: Deal, place: Place) -> Shown:
    """A hand laid open: as declared, at its best grouping, or ungrouped where it was dropped."""
    if place.laid:
        loose = _rest(place)
        return Shown(place.laid, names_of(loose), (), value_of(loose, deal.grouping.wild))
    if not place.active:
        value = value_of(place.cards, deal.grouping.wild)
        return Shown((), names_of(place.cards), (), value)
    grouping = best_grouping(place.cards, deal.grouping)
    return Shown(grouping.melds, names_of(grouping.loose), (), grouping.points)


def _rest(place: Place) -> Cards:
    """Cards that a wrong declaration left out of its groups."""
    left = list(place.cards)
    for group in place.laid:
        for face in faces_of(group):
            left.remove(face)
    return tuple(left)


def _with_losers(sentence: str, places: Sequence[Place], points: Sequence[int], winner: int) -> str:
    told = [
        f"P{at} {points[at]}" + (f" ({place.left})" if place.left else "")
        for at, place in enumerate(places)
        if at != winner
    ]
    return f"{sentence}: {', '.join(told)}"
