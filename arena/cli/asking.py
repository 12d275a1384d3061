"""Asks a bot the decisions of a recorded hand again, and compares its answers with what was played.

Over the calls that matches use, but outside any match: nothing is stored and nothing counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.errors import UsageError
from arena.referee.moments import HandName, Moment, moments_of
from arena.referee.verdicts import BotFault, FaultCode
from arena.rules.record import parse, sheets, variant_of
from arena.wire import messages
from arena.wire.client import BotClient
from arena.wire.endpoint import Endpoint
from arena.wire.messages import ReplyItem
from arena.wire.signing import Signer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.rules.base import Sheet
    from arena.rules.record import HandRecord, Play
    from arena.store.rows import GameRow, HandRow

_ABSENT = {FaultCode.REFUSED, FaultCode.DNS, FaultCode.TLS, FaultCode.BLOCKED_ADDRESS}
"""Nobody is there: asking on would tell the same of every decision."""


class Before(NamedTuple):
    """Where a hand stood: its name, the score of its game and of its match before it."""

    name: HandName = HandName()
    sheet: Sheet | None = None
    games_won: tuple[int, ...] = ()


def before(
    name: HandName, hands: Sequence[HandRow], games: Sequence[GameRow], seats: int
) -> Before:
    """Where a stored hand stood, as far as the hands and games of its match tell.

    :raises RulesError: a record of its game does not fit the rules.
    """
    game = [parse(row.record) for row in hands if row.game == name.game]
    found = sheets(variant_of(game[0]), game, seats)
    numbers = [row.number for row in hands if row.game == name.game]
    won = [0] * seats
    for row in games:
        if row.number < name.game and row.winner is not None:
            won[row.winner] += 1
    sheet = found[numbers.index(name.number)] if found else None
    return Before(name, sheet, tuple(won))


def asked_again(
    record: HandRecord,
    seat: int,
    where: Before,
    url: str,
    secret: str | None = None,
    deadline_ms: int = 1000,
) -> Iterator[tuple[int, dict[str, Any]]]:
    """For each decision that this seat had, its turn from 0 and what the bot at ``url`` answers.

    The answer has ``action``, ``melds`` and ``note``, or ``fault`` and ``detail``; ``same`` says
    whether it leads where the move led that was played.

    :raises InvalidRecord: the record cannot be played again.
    :raises UsageError: nobody sat there, or the bot does not answer at all.
    """
    if seat not in record.plan.seats:
        raise UsageError(f"nobody at seat {seat} played this hand")
    endpoint = Endpoint.parse(url)
    client = BotClient(endpoint, signer=Signer(secret) if secret else None)
    try:
        for moment, play in moments_of(
            record,
            where.name,
            sheet=where.sheet,
            games_won=where.games_won,
            deadline_ms=deadline_ms,
        ):
            if moment.request["seat"] == seat:
                found = _compared(moment, play, _asked(client, moment))
                if found["detail"]:
                    found["detail"] = endpoint.redact(found["detail"])
                yield moment.request["turn"], found
    finally:
        client.close()


def _asked(client: BotClient, moment: Moment) -> ReplyItem | BotFault:
    """The bot's answer, or what is wrong with it.

    :raises UsageError: nobody listens.
    """
    allowance = (float(moment.request["deadline_ms"]),)
    try:
        received = client.post("/act", messages.act_body([moment.request]), allowance)
    except BotFault as fault:
        if fault.code in _ABSENT:
            raise UsageError(f"the bot that is to be asked: {fault}") from None
        return fault
    reply = messages.parse_act_reply(received.body, [moment.id])[moment.id]
    if isinstance(reply, BotFault):
        return reply
    return moment.fault_of(reply.action, reply.melds) or reply


def _compared(moment: Moment, play: Play, reply: ReplyItem | BotFault) -> dict[str, Any]:
    if isinstance(reply, BotFault):
        failed: Mapping[str, Any] = {"fault": reply.code.value, "detail": reply.detail}
        return {"action": None, "melds": None, "note": None, **failed, "same": False}
    same = reply.action == play.action
    if same and reply.melds != play.melds:
        # Other melds of the same cards matter only where they change how the hand ends.
        now, then = (moment.after(play.action, one.melds) for one in (reply, play))
        same = now.outcome == then.outcome
    return {
        "action": reply.action,
        "melds": reply.melds,
        "note": reply.note,
        "fault": None,
        "detail": None,
        "same": same,
    }
