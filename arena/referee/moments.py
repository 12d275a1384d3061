"""Single decisions outside a match: of a hand dealt for the purpose, or of one that was recorded.

Whoever checks bots, practises with them or asks one about a hand that it lost needs decisions as a
match words them, without playing one. They are made by the rules and by `decision`, never by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from arena.errors import IllegalAction, InvalidRecord
from arena.referee.decision import GameContext, HandContext, decision
from arena.referee.refusals import offered
from arena.referee.verdicts import BotFault, FaultCode
from arena.rules.base import Action, Hand, Melds, Sheet, Variant
from arena.rules.deal import deal_seed, shuffled
from arena.rules.record import HandRecord, Play, replay, variant_of

SECRET: Final = b"positions of the conformance check"
NOT_ASKED: Final = "out"
"""The fault in a record where the referee played for a seat that it asked no more."""


class HandName(NamedTuple):
    """Which hand of which match it is: what its request ids are made of."""

    match: str = "m_replay"
    game: int = 1
    number: int = 1


class Moment(NamedTuple):
    """A decision of a hand: the state, the request that its player gets, and what is legal."""

    hand: Hand
    request: dict[str, Any]
    legal: tuple[Action, ...]

    @property
    def id(self) -> str:
        """The request id."""
        return str(self.request["request_id"])

    def after(self, action_id: str, melds: Melds | None = None) -> Hand:
        """The hand after this answer.

        :raises IllegalAction: the answer is not allowed.
        """
        return self.hand.apply(offered(action_id, self.legal, self.request), melds)

    def fault_of(self, action_id: str, melds: Melds | None = None) -> BotFault | None:
        """What the rules say against this answer, None if nothing."""
        try:
            action = offered(action_id, self.legal, self.request)
        except IllegalAction as error:
            return BotFault(FaultCode.ILLEGAL, str(error))
        try:
            self.hand.apply(action, melds)
        except IllegalAction as error:
            return BotFault(FaultCode.ILLEGAL, f"{action_id}: {error}")
        return None

    def by_seat(self) -> Moment:
        """The same decision in a match of this seat's own.

        Whoever asks one bot for all sides of a hand needs it: in one match a bot has one seat, and
        an id stands for one decision.
        """
        request = self.request
        match = f"{request['match']}-seat{request['seat']}"
        named = {
            "match": match,
            "request_id": request["request_id"].replace(request["match"], match),
        }
        return self._replace(request={**request, **named})


def deal(
    variant: Variant,
    players: int,
    deal_key: str,
    *,
    match: str,
    deck: Sequence[str] | None = None,
    secret: bytes = SECRET,
) -> tuple[Hand, HandContext]:
    """The first hand of a game in which the last seat deals, and what requests say about it.

    ``deck``: the order of the cards, top first, instead of a shuffled one.
    """
    family, rules = variant.family, variant.rules
    sheet = family.new_sheet(rules, players, players - 1)
    plan = sheet.next_deal()
    assert plan is not None
    if deck is None:
        deck = shuffled(family.deck(rules), deal_seed(secret, deal_key, 1, 1))
    context = HandContext(
        tournament="t_check",
        match=match,
        game=1,
        hand=1,
        variant=variant.name,
        rules=rules.as_dict(),
        plan=plan,
        lines=sheet.lines,
        columns=sheet.columns,
        target=sheet.target,
        games_won=(0,) * players,
    )
    return family.deal(rules, deck, plan), context


def moment_of(hand: Hand, context: HandContext, deadline_ms: float = 1000) -> Moment:
    """The decision that is wanted now; the hand must not be over."""
    assert hand.to_act is not None
    legal = hand.legal_actions()
    clock = GameContext(context, deadline_ms, 0.0)
    return Moment(hand, decision(hand.view(hand.to_act), legal, clock), legal)


def moments_of(
    record: HandRecord,
    name: HandName | None = None,
    *,
    sheet: Sheet | None = None,
    games_won: Sequence[int] = (),
    deadline_ms: float = 1000,
) -> Iterator[tuple[Moment, Play]]:
    """Every decision that was asked in a recorded hand, with what was played.

    Beside what a record does not hold, requests are those of the match: ``name`` gives them their
    ids, ``sheet`` the score before the hand and ``games_won`` that of the match (nothing yet where
    they are left out); the clock is a new one.

    :raises InvalidRecord: the record cannot be played again.
    """
    variant = variant_of(record)
    seats = max(variant.family.players(variant.rules)[0], max(record.plan.seats) + 1)
    before = sheet or variant.family.new_sheet(variant.rules, seats, 0)
    match, game, number = name or HandName()
    context = HandContext(
        tournament="t_replay",
        match=match,
        game=game,
        hand=number,
        variant=variant.name,
        rules=variant.rules.as_dict(),
        plan=record.plan,
        lines=before.lines,
        columns=before.columns,
        target=before.target,
        games_won=tuple(games_won) or (0,) * seats,
    )
    for play, hand in zip(record.plays, replay(record, sheet), strict=False):
        if hand.to_act is None:
            raise InvalidRecord("its plays go on after the end of the hand", column=play.column)
        if play.fault != NOT_ASKED:
            yield moment_of(hand, context, deadline_ms), play
