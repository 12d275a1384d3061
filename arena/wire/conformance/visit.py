"""The state of one conformance run: the bot, its connection, what was asked and answered last.

Decisions are asked through the client that real matches use. What every check needs is here; the
checks themselves are in the modules beside it.
"""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import count
from statistics import median
from typing import Any, NamedTuple

import orjson

from arena.referee.decision import PROTOCOL
from arena.referee.moments import Moment
from arena.referee.verdicts import BotFault
from arena.rules.base import Variant
from arena.rules.games import all_variants, claims_of
from arena.wire import messages
from arena.wire.client import BotClient, Received
from arena.wire.conformance import framing
from arena.wire.conformance.gist import gist
from arena.wire.conformance.positions import Found, explore
from arena.wire.conformance.raw import RawAnswer, RawConnection
from arena.wire.conformance.remedies import CONTRADICTED
from arena.wire.conformance.steps import Options, StepFailed, StepSkipped
from arena.wire.endpoint import Endpoint
from arena.wire.messages import BotInfo, ReplyItem
from arena.wire.signing import Signer
from arena.wire.strict_json import excerpt

SHOWN_BYTES = 6000
"""Most of a request or an answer that a step shows."""
GREETING_MS = 5000.0
RAW_MS = 3000.0
EXPLORED_HANDS = 8


Shown = tuple[tuple[str, str, bytes] | None, Mapping[str, Any] | None, str]
"""A request line and body, the decision it is about, and the answer as text."""


class Check(NamedTuple):
    """One step to be made: its section and title, what to do when it does not pass, how to do it.

    ``run`` returns the detail of a passed step or raises a `steps` exception or a `BotFault`.
    """

    section: str
    title: str
    fix: str
    run: Callable[[Visit], str]


class Visit:
    """One run against one bot."""

    def __init__(self, endpoint: Endpoint, options: Options) -> None:
        self.endpoint = endpoint
        self.options = options
        self.signer = Signer(options.secret) if options.secret else None
        self.client = BotClient(endpoint, options.wire, self.signer)
        self.client.keep_bytes()
        self.blocked = ""
        """Why nothing more can be checked, if so."""
        self.info: BotInfo | None = None
        self.raw_info: dict[str, Any] = {}
        """What ``GET /`` answered, though it may break the schema."""
        self.is_informed = False
        """Whether that was a JSON object at all."""
        self.latencies_ms: list[float] = []
        """Of every single decision asked through the client."""
        self.elapsed_ms = 0.0
        """Of the last call through the client."""
        self.pauses_ms: list[float] = []
        """How long the body came after the headers, in every single decision."""
        self.doing = ""
        """The step that is being made."""
        self.decisions = 0
        """How many were asked so far."""
        self.answer = ""
        """The last answer as printable text, as far as it came."""
        self._last: tuple[str, str, bytes] | None = None
        self._asked: Mapping[str, Any] | None = None
        self._matches = count(1)
        self._ends = time.monotonic() + options.limit_s

    def report(self) -> None:
        """Say what is being done, to whoever wants to know."""
        if self.options.progress is not None:
            self.options.progress(f"{self.doing} ({self.decisions} decisions so far)")

    def close(self) -> None:
        """Close the connection."""
        self.client.close()

    @property
    def is_late(self) -> bool:
        """Whether the time of the whole run is used up."""
        return time.monotonic() > self._ends

    @property
    def left_s(self) -> float:
        """What is left of it, in seconds."""
        return max(0.0, self._ends - time.monotonic())

    @property
    def pace_s(self) -> float:
        """What a single decision usually takes, in seconds; 0 before the first."""
        return median(self.latencies_ms) / 1000 if self.latencies_ms else 0.0

    def affordable(self, part: float, most: int, least: int = 2) -> int:
        """How many decisions fit in this part of the whole time, at the pace that was seen."""
        if not self.pace_s:
            return most
        fitting = int(part * self.options.limit_s / self.pace_s)
        return min(most, max(least, fitting))

    def get(self, path: str = "/") -> Received:
        """GET through the client.

        :raises BotFault: no good answer.
        """
        return self._note("GET", path, b"", lambda: self.client.get(path, GREETING_MS))

    def post(self, path: str, body: bytes, *, any_success: bool = False) -> Received:
        """POST through the client, within the deadline.

        :raises BotFault: no good answer in time.
        """
        allowance = (float(self.options.deadline_ms),)
        return self._note(
            "POST",
            path,
            body,
            lambda: self.client.post(path, body, allowance, any_success=any_success),
        )

    def _note(self, method: str, path: str, body: bytes, call: Callable[[], Received]) -> Received:
        self._last, self._asked, self.answer = (method, path, body), None, ""
        try:
            received = call()
        except BotFault as fault:
            raise self._explained(fault) from None
        finally:
            came = framing.joined(self.client.came)
            self.answer = framing.shown(came, SHOWN_BYTES) if came else ""
        self.elapsed_ms = received.elapsed_ms
        return received

    def _explained(self, fault: BotFault) -> BotFault:
        """The fault with what is wrong with the bytes that came, if they contradict themselves."""
        wrong = None
        if fault.code in CONTRADICTED:
            wrong = framing.misframed(framing.joined(self.client.came))
        if wrong is None:
            return fault
        return BotFault(fault.code, f"{fault.detail}; {wrong.detail}", fault.elapsed_ms)

    def ask(
        self, moments: Sequence[Moment], extra: Mapping[str, object] | None = None
    ) -> dict[str, ReplyItem | BotFault]:
        """Ask for decisions in one request, and judge each answer by the rules.

        ``extra``: fields to add to every decision, as a later protocol might have.

        :raises BotFault: no good answer to the request as a whole.
        """
        requests = [{**moment.request, **(extra or {})} for moment in moments]
        if extra:
            body = orjson.dumps({"protocol": PROTOCOL, "requests": requests, **extra})
        else:
            body = messages.act_body(requests)
        self.decisions += len(moments)
        self.report()
        try:
            received = self.post("/act", body)
        finally:
            self._asked = requests[0]
        if len(moments) == 1:
            self.latencies_ms.append(received.elapsed_ms)
            self.pauses_ms.append(framing.pause_before_body_ms(self.client.came))
        replies = messages.parse_act_reply(received.body, [moment.id for moment in moments])
        return {moment.id: self._ruled(moment, replies[moment.id]) for moment in moments}

    def _ruled(self, moment: Moment, reply: ReplyItem | BotFault) -> ReplyItem | BotFault:
        """The reply, or a fault when the rules refuse it."""
        if isinstance(reply, BotFault):
            return self._explained(reply)
        return moment.fault_of(reply.action, reply.melds) or reply

    def must_answer(
        self, moments: Sequence[Moment], extra: Mapping[str, object] | None = None
    ) -> list[ReplyItem]:
        """Ask in one request; every answer must be legal.

        :raises StepFailed: one is not, or there is no good answer to the request as a whole.
        """
        try:
            replies = self.ask(moments, extra)
        except BotFault as fault:
            others = f" and {len(moments) - 1} more" if len(moments) > 1 else ""
            raise StepFailed(f"{where(moments[0])}{others}: {fault}", fault) from None
        good: list[ReplyItem] = []
        for moment in moments:
            reply = replies[moment.id]
            if isinstance(reply, BotFault):
                self._asked = moment.request
                raise StepFailed(f"{where(moment)}: {reply}", reply)
            good.append(reply)
        return good

    def raw(self, method: str, path: str, body: bytes = b"", **headers: str) -> RawAnswer:
        """One exchange on a new connection, whatever the answer.

        :raises StepFailed: there is none.
        """
        self._last, self._asked, self.answer = (method, path, body), None, ""
        try:
            with self.connect() as connection:
                answer = connection.call(method, path, body, **headers)
        except (BotFault, OSError, http.client.HTTPException) as error:
            fault = error if isinstance(error, BotFault) else None
            raise StepFailed(f"no answer: {_reason(error)}", fault) from None
        self.answer = show_answer(answer)
        return answer

    def connect(self) -> RawConnection:
        """A connection of its own, signed like real calls."""
        return RawConnection(self.endpoint, self.options.wire, RAW_MS, self.signer)

    def saw(self, method: str, path: str, body: bytes, answer: str) -> None:
        """Note an exchange that a check made itself."""
        self._last, self._asked, self.answer = (method, path, body), None, answer

    def asked_elsewhere(self, moment: Moment, fault: BotFault) -> None:
        """Note a decision that was asked, without an answer worth showing, over other lines."""
        self.saw("POST", "/act", messages.act_body([moment.request]), f"({fault})")
        self._asked = moment.request

    def kept(self) -> Shown:
        """The last exchange, to be shown although others follow."""
        return self._last, self._asked, self.answer

    def show_again(self, kept: Shown) -> None:
        """Let an exchange be the last one."""
        self._last, self._asked, self.answer = kept

    def exchange(self) -> str:
        """The last request, what matters of it first, and what came back, as printable text."""
        if self._last is None:
            return ""
        method, path, body = self._last
        about = gist(self._asked) if self._asked is not None else []
        lines = [f"> {method} {path}", *(f"> {line}" for line in about), f"> {_shown(body)}"]
        return self.endpoint.redact("\n".join([*lines, self.answer or "(nothing came back)"]))

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """The games that the bot claims, gin if it claims none that is known."""
        info = self.info
        claimed = tuple(
            variant
            for variant in all_variants()
            if info is not None and info.plays(*claims_of(variant))
        )
        return claimed or all_variants()[:1]

    @cached_property
    def positions(self) -> tuple[Found, ...]:
        """Decisions of every kind that the claimed games have."""
        begun = time.monotonic()
        deadline = self.options.deadline_ms
        dealt = tuple(
            found
            for variant in self.variants
            for found in explore(variant, EXPLORED_HANDS, deadline)
        )
        self._ends += time.monotonic() - begun  # the bot is not to pay for that
        return dealt

    def some(self, most: int) -> list[Moment]:
        """Some positions, as different as possible, of different games and matches."""
        if not self.positions:
            raise StepSkipped("no position of the claimed games was found")
        step = max(1, len(self.positions) // most)
        return [found.moment for found in self.positions[::step]][:most]

    def fresh(self, moments: Iterable[Moment]) -> list[Moment]:
        """The same positions as if they belonged to other matches, under ids of their own."""
        renewed = []
        for moment in moments:
            match = f"m_check{next(self._matches)}"
            turn = moment.request["turn"]
            request = {**moment.request, "match": match, "request_id": f"{match}-1-1-{turn}"}
            renewed.append(moment._replace(request=request))
        return renewed


def where(moment: Moment) -> str:
    """Which decision it is, in short."""
    request = moment.request
    return f"{request['variant']}, phase {request['phase']}, {moment.id}"


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


def _shown(body: bytes) -> str:
    return excerpt(body, SHOWN_BYTES) if body else "(no body)"


def show_answer(answer: RawAnswer) -> str:
    """An answer as printable text."""
    head = f"< {answer.status} {answer.reason}"
    lines = [f"< {name}: {text}" for name, text in answer.headers.items()]
    shown = [excerpt(line.encode("utf-8", "replace"), 200) for line in [head, *lines[:20]]]
    return "\n".join([*shown, f"< {_shown(answer.body)}"])
