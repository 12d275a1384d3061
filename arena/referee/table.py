"""The referee: plays a match as a generator, without I/O, clock or randomness of its own.

It yields an `Ask` for every decision and is sent an `Answer` or a `BotFault`; it yields notices,
finished hands and finished games and is sent None. Whoever drives it makes the calls, measures
the time and stores what is yielded.

Order of verdicts on a reply: a failed call is a fault with its own code; an answer later than
deadline and bank is `TIMEOUT`; an action that was not offered, or melds that do not hold, is
`ILLEGAL`; everything else is played. After a fault the safe action is played for the bot and it
gets a strike; with `max_strikes` in one game it is out of that game and is not asked again.

- Two seats: the game is forfeited to the other, once the other has answered at least one call of
  the match as it should (so that of two dead bots neither profits from being asked later).
- More seats: the others play on against its safe actions; it is placed last.
- A seat that is out of a game and has never answered in the match, not even wrongly, forfeits the
  match. If no seat has given a usable answer by then, all of them do.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from arena.errors import IllegalAction, InvalidRecord
from arena.referee.asks import Answer, Ask, Reply
from arena.referee.clock import Book
from arena.referee.decision import GameContext, HandContext, decision, request_id
from arena.referee.match import (
    Fault,
    GamePlayed,
    HandPlayed,
    MatchSetup,
    Refereeing,
    Step,
)
from arena.referee.notices import game_notices, hand_notices, match_notices, start_notices
from arena.referee.refusals import offered
from arena.referee.score import MatchScore, forfeited_hand, game_played
from arena.referee.verdicts import BotFault, FaultCode
from arena.rules.base import DealPlan, Ending, Hand, HandOutcome, Sheet, Variant
from arena.rules.deal import deal_seed, first_dealer, shuffled
from arena.rules.record import HandRecord, Play, parse, verify, write


def play_match(setup: MatchSetup, history: Sequence[HandPlayed] = ()) -> Refereeing:
    """Referee a match. ``history``: its hands that were stored before a crash, in order."""
    return _Match(setup).play(history)


@dataclass(slots=True)
class _Trace:
    """What is noted down while a hand is played."""

    plays: list[Play] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)


class _Match:
    def __init__(self, setup: MatchSetup) -> None:
        self.setup = setup
        self.seats = range(len(setup.names))
        self.books = [Book(bank_ms=float(setup.clock.bank_ms)) for _ in self.seats]
        self.score = MatchScore(setup)

    def play(self, history: Sequence[HandPlayed]) -> Refereeing:
        yield from start_notices(self.setup)
        game = 0
        while not self.score.over:
            game += 1
            stored = [hand for hand in history if hand.game == game]
            played = yield from self._game(game, stored)
            self.score.add_game(played, self._silent())
            yield played
            yield from game_notices(self.setup, played, self.score.games_won)
        outcome = self.score.outcome()
        yield from match_notices(self.setup, outcome)
        return outcome

    def _silent(self) -> list[int]:
        """Seats that forfeit the match by what they have done, or not done, in it so far."""
        useless = [seat for seat in self._out() if not self.books[seat].answered]
        if len(useless) == len(self.seats):
            return useless
        return [seat for seat in useless if not self.books[seat].reached]

    def _out(self) -> list[int]:
        """Seats that are out of the running game."""
        limit = self.setup.clock.max_strikes
        return [seat for seat in self.seats if self.books[seat].strikes >= limit]

    def _forfeited(self) -> bool:
        """Whether the running game cannot go on."""
        out = self._out()
        if not out:
            return False
        if len(self.seats) > 2 or len(out) > 1:
            return len(out) == len(self.seats)
        return self.books[1 - out[0]].answered

    def _game(
        self, game: int, stored: Sequence[HandPlayed]
    ) -> Generator[Step, Reply | None, GamePlayed]:
        setup = self.setup
        seats = len(self.seats)
        dealer = (first_dealer(setup.secret, setup.deal_key, seats) + game - 1) % seats
        sheet = setup.variant.family.new_sheet(setup.variant.rules, seats, dealer)
        self.books = [
            book if seat in self.score.silent else replace(book, strikes=0)
            for seat, book in enumerate(self.books)
        ]
        number = 0
        for hand in stored:
            number = hand.number
            self.books = list(hand.books)
            sheet = self._count(sheet, _outcome_of(hand, sheet))
        while not self._forfeited():
            plan = sheet.next_deal()
            if plan is None:
                break
            number += 1
            sheet = yield from self._hand(game, number, plan, sheet)
        return game_played(setup, game, number, sheet, self._out())

    def _count(self, sheet: Sheet, outcome: HandOutcome) -> Sheet:
        """The sheet with this hand, and the match's own counts; a forfeited hand counts nothing."""
        if outcome.ending is Ending.FORFEIT:
            return sheet
        plan = sheet.next_deal()
        assert plan is not None
        self.score.add_hand(plan, outcome)
        return sheet.add(outcome)

    def _hand(
        self, game: int, number: int, plan: DealPlan, sheet: Sheet
    ) -> Generator[Step, Reply | None, Sheet]:
        setup = self.setup
        family, rules = setup.variant.family, setup.variant.rules
        deck = shuffled(family.deck(rules), deal_seed(setup.secret, setup.deal_key, game, number))
        hand = family.deal(rules, deck, plan)
        context = HandContext(
            tournament=setup.tournament,
            match=setup.match,
            game=game,
            hand=number,
            variant=setup.variant.name,
            rules=_rules_of(setup.variant),
            plan=plan,
            lines=sheet.lines,
            columns=sheet.columns,
            target=sheet.target,
            games_won=tuple(self.score.games_won),
        )
        trace = _Trace()
        while hand.to_act is not None and not self._forfeited():
            seat = plan.seats[hand.to_act]
            if self.books[seat].strikes >= setup.clock.max_strikes:
                hand, play = _safe(hand)
                trace.times.append(0)
            else:
                hand, play = yield from self._decide(hand, seat, context, trace)
                trace.times.append(self.books[seat].last_latency_ms or 0)
            trace.plays.append(play)
        outcome = hand.outcome or forfeited_hand(plan, setup.names, self._out())
        sheet = self._count(sheet, outcome)
        yield HandPlayed(
            game,
            number,
            write(HandRecord.of(setup.variant, plan, deck, trace.plays, outcome)),
            outcome.ending.value,
            None if outcome.winner is None else plan.seats[outcome.winner],
            outcome.points,
            tuple(trace.times),
            tuple(self.books),
            tuple(trace.faults),
            tuple(trace.notes),
        )
        yield from hand_notices(setup, game, number, plan, outcome, sheet, trace.faults)
        return sheet

    def _decide(
        self, hand: Hand, seat: int, context: HandContext, trace: _Trace
    ) -> Generator[Step, Reply | None, tuple[Hand, Play]]:
        """Ask the seat to move and play what follows from its reply."""
        clock = self.setup.clock
        book = self.books[seat]
        position = context.plan.seats.index(seat)
        legal = hand.legal_actions()
        request = decision(
            hand.view(position),
            legal,
            GameContext(
                context, clock.deadline_ms, book.bank_ms, book.last_latency_ms, book.last_status
            ),
        )
        reply = yield Ask(
            seat,
            request_id(context.match, context.game, context.hand, hand.turn),
            request,
            book.allowance_ms(clock),
            self.setup.deal_key,
        )
        assert reply is not None
        fault: BotFault
        if isinstance(reply, Answer):
            charged, status = book.charge(reply.elapsed_ms, reply.overhead_ms, clock)
            if status is FaultCode.TIMEOUT:
                fault = BotFault(status, "answered after its deadline and bank", reply.elapsed_ms)
            else:
                try:
                    chosen = offered(reply.action, legal, request)
                    after = hand.apply(chosen, reply.melds)
                except IllegalAction as error:
                    fault = BotFault(FaultCode.ILLEGAL, str(error), reply.elapsed_ms)
                    book = replace(book, answered=True, reached=True)
                else:
                    self.books[seat] = charged
                    if reply.note:
                        trace.notes.append((hand.turn, reply.note))
                    return after, Play(chosen.id, reply.melds, late=status is FaultCode.LATE)
        else:
            fault = reply
        self.books[seat] = book.fail(fault.code, fault.elapsed_ms, clock)
        trace.faults.append(Fault(seat, hand.turn, fault.code, fault.detail, fault.elapsed_ms))
        return _safe(hand, fault.code.value)


@lru_cache(maxsize=64)
def _rules_of(variant: Variant) -> dict[str, object]:
    """The rules as requests carry them: one object for all hands, which is checked once."""
    return variant.rules.as_dict()


def _safe(hand: Hand, code: str = "out") -> tuple[Hand, Play]:
    """Play the safe action for a seat that failed, or that is out and not asked any more."""
    chosen, melds = hand.safe_action()
    return hand.apply(chosen, melds), Play(chosen.id, melds, code)


@lru_cache(maxsize=256)
def recorded(record: str) -> HandRecord:
    """A record, read; remembered, since whoever verifies a match reads its records before.

    :raises InvalidRecord: it cannot be read.
    """
    return parse(record)


def _outcome_of(stored: HandPlayed, sheet: Sheet) -> HandOutcome:
    """The outcome of a stored hand, by playing its record again.

    :raises InvalidRecord: it is not the hand that comes next, or it does not end as it says.
    """
    record = recorded(stored.record)
    plan = sheet.next_deal()
    if record.plan != plan:
        raise InvalidRecord(f"{record.plan} was recorded, but {plan} comes next")
    return verify(record, sheet)
