"""The two kinds of calls that a lane has made: requests for decisions, and advisory messages.

Whoever runs them calls `start` and `look`, which never wait, and `finish`; see `watch.Call`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from arena.referee.asks import Answer, Reply
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire import messages, tells
from arena.wire.budget import Cancelled
from arena.wire.tickets import Ticket, Verdict
from arena.wire.watch import Stage

if TYPE_CHECKING:
    from arena.wire.client import BotClient, Received
    from arena.wire.crew import Crew
    from arena.wire.lane import Lane


class _Posted:
    """What both kinds have in common: one POST through a client."""

    __slots__ = ("_client", "_failure", "_lane")

    def __init__(self, lane: Lane, client: BotClient) -> None:
        self._lane = lane
        self._client = client
        self._failure: Exception | None = None

    def _begun(self, send: Callable[[], bool]) -> Stage:
        """The stage after sending; a failure waits for `_received`."""
        try:
            return Stage.AWAITED if send() else Stage.SLOW
        except Exception as error:
            self._failure = error
            return Stage.COMPLETE

    def look(self, *, is_readable: bool) -> Stage:
        """Read what has come."""
        is_whole = self._client.line.look(is_readable=is_readable)
        if is_whole is None:
            return Stage.AWAITED
        return Stage.COMPLETE if is_whole else Stage.SLOW

    def _received(self) -> Received:
        if self._failure is not None:
            raise self._failure
        return self._client.finish()

    @property
    def descriptor(self) -> int:
        """Of the socket."""
        return self._client.line.descriptor

    @property
    def ends(self) -> float:
        """When the next allowance is used up."""
        return self._client.ends


class Request(_Posted):
    """One request for decisions, from the batch to the last ticket."""

    __slots__ = ("_crew", "_open")

    def __init__(
        self, lane: Lane, crew: Crew, client: BotClient, batch: list[tuple[Ticket, float]]
    ) -> None:
        super().__init__(lane, client)
        self._crew = crew
        self._open = {ticket.request_id: (ticket, ready) for ticket, ready in batch}

    def start(self) -> Stage:
        """Make the body, and send it."""
        return self._begun(self._send)

    def _send(self) -> bool:
        tickets = [ticket for ticket, _ in self._open.values()]
        body = messages.act_body([ticket.request for ticket in tickets])
        allowances = sorted({ticket.timeout_ms for ticket in tickets})
        return self._client.start("/act", body, allowances, self._expire)

    def finish(self) -> None:
        """Get the answer and settle every ticket."""
        verdicts: dict[str, Verdict] = {}
        received: Received | None = None
        try:
            received = self._received()
            verdicts = self._judge(received)
        except BotFault as fault:
            verdicts = {id: self._lane.redacted(fault) for id in self._open}
        except Cancelled:
            pass  # the lane is closing: its tickets are dropped
        finally:
            # Whoever sent one wrong answer may have sent more; nobody reads them.
            if any(isinstance(verdict, BotFault) for verdict in verdicts.values()):
                self._client.close()
            self._lane.release(self._client, verdicts)
        self._crew.settling(lambda: self._settle(verdicts, received))

    def _judge(self, received: Received) -> dict[str, Verdict]:
        """What the answer means for each decision that has not timed out meanwhile."""
        elapsed_ms = received.elapsed_ms
        verdicts: dict[str, Verdict] = {}
        for id, item in messages.parse_act_reply(received.body, list(self._open)).items():
            allowance_ms = self._open[id][0].timeout_ms
            if elapsed_ms > allowance_ms:
                verdicts[id] = _out_of_time(allowance_ms)
            elif isinstance(item, BotFault):
                item.elapsed_ms = elapsed_ms
                verdicts[id] = self._lane.redacted(item)
            else:
                verdicts[id] = item
        return verdicts

    def _settle(self, verdicts: Mapping[str, Verdict], received: Received | None) -> None:
        for id, verdict in verdicts.items():
            ticket, ready = self._open[id]
            if isinstance(verdict, BotFault) or received is None:
                self._finish(ticket, cast(BotFault, verdict))
                continue
            overhead_s = received.started - ready + self._crew.clock.now() - received.ended
            # The clock may have stepped back, see `presence`.
            overhead_ms = max(0.0, overhead_s * 1000)
            self._finish(ticket, Answer(*verdict, received.elapsed_ms, overhead_ms))

    def _finish(self, ticket: Ticket, reply: Reply) -> None:
        try:
            ticket.done(reply)
        except BaseException as error:
            self._crew.report(error)  # one match's bug must not cost the others their answers

    def _expire(self, allowance_ms: float) -> None:
        """Let go of the decisions whose allowance is used up; the call goes on for the others.

        Settled here, a match's own work would be charged to the bot for all the others.
        """
        ids = [id for id, (ticket, _) in self._open.items() if ticket.timeout_ms <= allowance_ms]
        over = [self._open.pop(id)[0] for id in ids]
        faults = {id: _out_of_time(allowance_ms) for id in ids}

        def settle() -> None:
            for ticket, fault in zip(over, faults.values(), strict=True):
                if not self._lane.is_closed:
                    self._finish(ticket, fault)

        self._lane.settle_aside(faults, lambda: self._crew.settling(settle))


class Message(_Posted):
    """One advisory message. It never counts against the bot."""

    __slots__ = ("_path", "_payload")

    def __init__(
        self, lane: Lane, client: BotClient, path: str, payload: Mapping[str, object]
    ) -> None:
        super().__init__(lane, client)
        self._path = path
        self._payload = payload

    def start(self) -> Stage:
        """Make the body, and send it."""
        stage = self._begun(self._send)
        # After the first message to a path `finish` makes a call of its own.
        is_first = stage is Stage.AWAITED and self._path not in self._lane.in_step
        return Stage.SLOW if is_first else stage

    def _send(self) -> bool:
        body_of = messages.start_body if self._path == "/start" else messages.end_body
        allowances = (tells.TELL_TIMEOUT_MS,)
        return self._client.start(self._path, body_of(self._payload), allowances, any_success=True)

    def finish(self) -> None:
        """Get the answer, which means nothing."""
        in_step = self._lane.in_step
        arrived = False
        try:
            self._received()
            arrived = True
            if self._path not in in_step:
                in_step[self._path] = self._is_in_step()
            if not in_step[self._path]:
                self._client.close()
        except (BotFault, Cancelled):
            pass  # advisory: counted below, and nothing else follows from it
        finally:
            self._lane.told(self._client, arrived=arrived)

    def _is_in_step(self) -> bool:
        """Whether the connection can be used again after an advisory message.

        A handler that answers without reading the body leaves it on the connection, where it would
        be taken for the start of the next request and cost the bot a decision.
        """
        try:
            messages.parse_info(self._client.get("/", tells.TELL_TIMEOUT_MS).body)
        except BotFault:
            return False
        return True


def _out_of_time(allowance_ms: float) -> BotFault:
    return BotFault(
        FaultCode.TIMEOUT, f"no complete answer within {allowance_ms:.0f} ms", allowance_ms
    )
