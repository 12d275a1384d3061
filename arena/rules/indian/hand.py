"""One deal of 13-card Indian rummy, turn by turn.

A turn is a draw (or a drop before it) and then a discard or a declaration. Cards that somebody
takes from the open pile, throws or declares are public, everything else is not; a `View` is built
from public facts and one position's own cards only.

A deal ends after at most ``2 * positions * max_turns`` decisions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import IllegalAction, InvalidCards
from arena.rules.base import (
    Action,
    ActionKind,
    HandOutcome,
    Melds,
    Phase,
    PositionView,
    View,
    action,
)
from arena.rules.cards import RANKS
from arena.rules.indian import moves
from arena.rules.indian.cards import (
    NAMES,
    VALUES,
    Cards,
    face_of,
    is_joker,
    names_of,
    without,
)
from arena.rules.indian.points import parse_groups
from arena.rules.indian.state import State, can_drop, can_take, can_throw

DRAW_STOCK: Final = action("draw:stock")
DRAW_DISCARD: Final = action("draw:discard")
DROP: Final = action("drop")
MISS: Final = action("miss")
"""A missed turn: never offered, but the referee plays it and records hold it."""

_DISCARDS: Final = tuple(action(f"discard:{name}") for name in NAMES)
_DECLARES: Final = tuple(action(f"declare:{name}") for name in NAMES)


@dataclass(frozen=True, slots=True)
class IndianHand:
    """One deal in progress; see `base.Hand`."""

    state: State

    @property
    def to_act(self) -> int | None:
        """The position to move, None when the deal is over."""
        return self.state.to_act

    @property
    def turn(self) -> int:
        """Number of decisions taken."""
        return self.state.turn

    @property
    def phase(self) -> Phase:
        """`Phase.DRAW` (one may drop too), `Phase.DISCARD` (or declare), `Phase.OVER`."""
        return self.state.phase

    @property
    def outcome(self) -> HandOutcome | None:
        """How it ended, once it is over. Points are penalties."""
        return self.state.outcome

    def legal_actions(self) -> tuple[Action, ...]:
        """Everything the player to move may do, the safest first.

        Before the draw that is a draw from the stock. After it, the card just drawn from the
        stock goes; where that is a joker or comes from the open pile, the dearest other card.
        Every card can be declared, rightly or wrongly.
        """
        state, at = self.state, self.state.to_act
        if at is None:
            return ()
        if state.phase is Phase.DRAW:
            offered = ((DRAW_STOCK, state.stock), (DRAW_DISCARD, can_take(state)))
            draws = tuple(one for one, allowed in offered if allowed)
            return (*draws, DROP) if can_drop(state, at) else draws
        held = sorted(set(state.places[at].cards))
        throws = [face for face in held if can_throw(state, at, face)]
        first = self._safe_throw(throws)
        throws.remove(first)
        return (
            _DISCARDS[first],
            *[_DISCARDS[face] for face in throws],
            *[_DECLARES[face] for face in held],
        )

    def apply(self, action: Action, melds: Melds | None = None) -> IndianHand:
        """The deal after the player to move did this.

        ``melds``: how a declaration groups the cards that stay; left out, their best grouping. A
        declaration that is not valid as grouped costs its player the deal. ``miss`` is accepted
        though it is never offered.

        :raises IllegalAction: not allowed now, or melds of cards that the player does not hold.
        """
        state, at = self.state, self.state.to_act
        if at is None:
            raise IllegalAction(f"{action.id} is not allowed: the hand is over")
        if action is MISS:
            return IndianHand(moves.miss(state, at))
        if state.phase is Phase.DRAW:
            if action is DRAW_STOCK and state.stock:
                return IndianHand(moves.draw_stock(state, at))
            if action is DRAW_DISCARD and can_take(state):
                return IndianHand(moves.draw_discard(state, at))
            if action is DROP and can_drop(state, at):
                return IndianHand(moves.drop(state, at))
        elif action.kind is ActionKind.DISCARD:
            face = self._held(at, action.arg)
            if can_throw(state, at, face):
                return IndianHand(moves.discard(state, at, face))
        elif action.kind is ActionKind.DECLARE:
            face = self._held(at, action.arg)
            groups = None if melds is None else self._groups(at, face, melds)
            return IndianHand(moves.declare(state, at, face, groups))
        offered = ", ".join(one.id for one in self.legal_actions())
        raise IllegalAction(f"{action.id} is not allowed now; allowed: {offered}")

    def miss(self) -> IndianHand:
        """The deal after the player to move missed the turn; the same as applying ``miss``.

        A card is drawn from the stock and thrown; if the draw was made before, the drawn card is
        thrown. As many misses in a row as ``miss_limit`` take the player out of the deal with
        ``miss_points``. A turn that the player ends with an own discard breaks the row. In the
        public log a miss is the draw and the throw.

        :raises IllegalAction: the hand is over.
        """
        return self.apply(MISS)

    def view(self, position: int) -> View:
        """What this position may know now."""
        state = self.state
        drawn = state.drawn if position == state.to_act else None
        wild = state.deal.grouping.wild
        return View(
            position=position,
            dealer=state.deal.dealer,
            turn=state.turn,
            phase=state.phase,
            hand=names_of(state.places[position].cards),
            drawn=None if drawn is None else NAMES[drawn],
            taken=drawn is not None and state.taken,
            discard_pile=names_of(state.pile),
            stock_count=len(state.stock),
            knock_limit=None,
            multiplier=1,
            wild=None if wild is None else RANKS[wild],
            positions=tuple(
                PositionView(len(place.cards), names_of(place.known), place.laid, place.active)
                for place in state.places
            ),
            log=state.log,
            wild_card=NAMES[state.deal.shown],
        )

    def safe_action(self) -> tuple[Action, Melds | None]:
        """A missed turn, which is what the rules of this game make of silence."""
        return MISS, None

    def cards_by_place(self) -> Mapping[str, tuple[str, ...]]:
        """Where every card of the deck is. Not for players."""
        state = self.state
        hands = {f"hand{at}": names_of(place.cards) for at, place in enumerate(state.places)}
        return hands | {
            "stock": names_of(state.stock),
            "discard": names_of(state.pile),
            "finish": names_of(state.finish),
            "wild": (NAMES[state.deal.shown],),
        }

    def _safe_throw(self, throws: Sequence[int]) -> int:
        wild, drawn = self.state.deal.grouping.wild, self.state.drawn
        if drawn is not None and not self.state.taken and not is_joker(drawn, wild):
            return drawn
        naturals = [face for face in throws if not is_joker(face, wild)]
        return max(naturals or throws, key=lambda face: (VALUES[face], -face))

    def _held(self, at: int, name: str) -> int:
        """The face of a card in hand.

        :raises IllegalAction: no card, or not held.
        """
        try:
            face = face_of(name)
        except InvalidCards as error:
            raise IllegalAction(str(error)) from None
        if face not in self.state.places[at].cards:
            raise IllegalAction(f"{name} is not in the hand")
        return face

    def _groups(self, at: int, face: int, melds: Melds) -> tuple[Cards, ...]:
        """The groups of a declaration by faces.

        :raises IllegalAction: a name is no card, a group is empty, or a card is not there.
        """
        try:
            groups = parse_groups(melds)
        except InvalidCards as error:
            raise IllegalAction(f"melds: {error}") from None
        if not all(groups):
            raise IllegalAction("melds: a group is empty; leave it out")
        stated = Counter(card for group in groups for card in group)
        stated.subtract(without(self.state.places[at].cards, face))
        over = sorted(card for card, count in stated.items() if count > 0)
        if over:
            raise IllegalAction(
                f"melds: {NAMES[over[0]]} is stated more often than it is among the cards left"
                f" when {NAMES[face]} finishes"
            )
        return groups
