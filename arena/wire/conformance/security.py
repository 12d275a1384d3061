"""Checks: a bot that has a signing secret plays for the arena only."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from arena.wire import messages
from arena.wire.conformance.raw import RawAnswer
from arena.wire.conformance.steps import StepFailed, StepSkipped, StepWarning
from arena.wire.conformance.visit import Check, Visit, show_answer
from arena.wire.signing import TOLERANCE_S, Signer, new_secret

SIGNATURES = "Signatures"

Headers = dict[str, str]


def checks() -> Iterator[Check]:
    """The checks in their order."""
    yield Check(
        SIGNATURES,
        "a signed request is answered",
        "compare the secrets on both sides; the signature is over ID.TIMESTAMP.BODY, bytes as sent",
        _accepted,
    )
    yield Check(
        SIGNATURES,
        "one good signature among several is enough",
        "try each entry of webhook-signature: there are two while a secret is being changed",
        _two_signatures,
    )
    refuse = "answer 401 to requests that are not signed with the secret"
    yield Check(SIGNATURES, "an unsigned request is refused", refuse, _refuses(_unsigned))
    yield Check(SIGNATURES, "another secret is refused", refuse, _refuses(_other_secret))
    yield Check(
        SIGNATURES,
        "a changed body is refused",
        "compute the signature over the bytes of the body as they came",
        _refuses(_other_body),
    )
    yield Check(
        SIGNATURES,
        "a stale request is refused",
        f"refuse a webhook-timestamp more than {TOLERANCE_S} s off",
        _refuses(_stale),
    )
    yield Check(
        SIGNATURES,
        "a repeated request is refused",
        f"remember each webhook-id for {TOLERANCE_S} s and refuse it the second time",
        _replayed,
    )


def _body(visit: Visit) -> bytes:
    return messages.act_body([visit.some(1)[0].request])


def _secret(visit: Visit) -> str:
    if visit.options.secret is None:
        raise StepSkipped("no signing secret was given")
    return visit.options.secret


def _send(visit: Visit, body: bytes, headers: Headers) -> RawAnswer:
    """A decision with exactly these signature headers."""
    with visit.connect() as connection:
        head = connection.head("POST", "/act", body)
        kept = [
            line for line in head.split(b"\r\n") if line and not line.lower().startswith(b"webhook")
        ]
        signed = [f"{name}: {text}".encode("latin-1") for name, text in headers.items()]
        connection.send(b"\r\n".join([*kept, *signed, b"", b""]) + body)
        answer = connection.receive()
    visit.saw("POST", "/act", body, show_answer(answer))
    return answer


def _accepted(visit: Visit) -> str:
    _secret(visit)
    visit.must_answer(visit.some(1))
    return ""


def _two_signatures(visit: Visit) -> str:
    signer = Signer(new_secret(), _secret(visit))
    body = _body(visit)
    answer = _send(visit, body, signer.headers(body))
    if answer.status != 200:
        raise StepWarning(f"status {answer.status}")
    return ""


def _refuses(headers_of: Callable[[str, bytes], Headers]) -> Callable[[Visit], str]:
    def run(visit: Visit) -> str:
        secret, body = _secret(visit), _body(visit)
        answer = _send(visit, body, headers_of(secret, body))
        if answer.status < 400:
            raise StepFailed(f"status {answer.status}: anybody can ask the bot to play")
        if answer.status >= 500:
            raise StepWarning(f"status {answer.status}")
        return f"status {answer.status}"

    return run


def _unsigned(secret: str, body: bytes) -> Headers:
    return {}


def _other_secret(secret: str, body: bytes) -> Headers:
    return Signer(new_secret()).headers(body)


def _other_body(secret: str, body: bytes) -> Headers:
    return Signer(secret).headers(body.replace(b"m_", b"n_", 1))


def _stale(secret: str, body: bytes) -> Headers:
    return Signer(secret).headers_for("msg_stale", int(time.time()) - TOLERANCE_S - 60, body)


def _replayed(visit: Visit) -> str:
    signer, body = Signer(_secret(visit)), _body(visit)
    headers = signer.headers(body)
    first, second = (_send(visit, body, headers) for _ in range(2))
    if first.status != 200:
        raise StepFailed(f"status {first.status} already the first time")
    if second.status < 400:
        raise StepWarning(f"status {second.status} the second time")
    return f"status {second.status} the second time"
