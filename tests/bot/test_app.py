"""The protocol's four calls, without a socket."""

from __future__ import annotations

import io
from collections.abc import Callable, Generator, Mapping
from typing import Any

import orjson
import pytest

from arena.bot import Bot, BotView, FunctionBot
from arena.bot.app import BotApp
from arena.wire.signing import Signer, Verifier, new_secret
from tests.bot.calling import act, call

Requests = Callable[..., dict[str, Any]]


@pytest.fixture
def app() -> BotApp:
    """A bot that always plays safe."""
    return BotApp(FunctionBot(lambda view: view.safe, name="safe"))


def test_root_tells_what_the_bot_is(app: BotApp) -> None:
    """GET / answers the information; HEAD the same without a body."""
    reply = call(app, "/")
    head = call(app, "/", REQUEST_METHOD="HEAD")

    assert (reply.status, reply.json["name"]) == (200, "safe")
    assert reply.headers["Content-Type"] == "application/json"
    assert (head.status, head.body) == (200, b"")
    assert head.headers["Content-Length"] == str(len(reply.body))


def test_every_request_of_a_batch_is_answered_in_order(app: BotApp, make_request: Requests) -> None:
    """A batch has one answer a request, each with its id."""
    names = [f"r-{number}" for number in range(64)]

    reply = act(app, *[make_request(request_id=name) for name in names])

    assert reply.status == 200
    assert [answer["id"] for answer in reply.json["answers"]] == names


def test_fields_of_a_later_protocol_are_ignored(app: BotApp, make_request: Requests) -> None:
    """Unknown fields change nothing."""
    assert act(app, make_request(weather="rain")).status == 200


def test_start_and_end_reach_the_bot() -> None:
    """Both advisory calls hand over their bodies and answer 200."""
    seen: list[Any] = []

    class Listener(Bot):
        def started(self, match: Mapping[str, Any]) -> None:
            seen.append(("start", match["match"]))

        def ended(self, event: Mapping[str, Any]) -> None:
            seen.append(("end", event["event"]))

    app = BotApp(Listener())

    assert call(app, "/start", b'{"protocol":"1.0","match":"m_1"}').status == 200
    assert call(app, "/end", b'{"protocol":"1.0","event":"hand"}').status == 200
    assert seen == [("start", "m_1"), ("end", "hand")]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"requests":NaN}', "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[]", "must be a JSON object"),
        (b"{}", "requests must be a list"),
        (b'{"requests":[]}', "requests must be a list"),
        (b'{"requests":{}}', "requests must be a list"),
        (b'{"requests":[1]}', "must be an object"),
        (b'{"requests":[%b1]}' % (b"1," * 64), "holds 65 decisions; send at most 64"),
        (b'{"requests":[{}]}', "request_id"),
        (b'{"requests":[{"request_id":7,"legal":[1]}]}', "request_id"),
        (b'{"requests":[{"request_id":"r"}]}', "legal"),
        (b'{"protocol":"2.0","requests":[]}', "'2.0' is unknown"),
        (b'{"protocol":1,"requests":[]}', "1 is unknown"),
    ],
)
def test_broken_bodies_are_refused_with_the_reason(app: BotApp, body: bytes, why: str) -> None:
    """Garbage is the sender's fault: 400 and a sentence, as JSON."""
    reply = call(app, "/act", body)

    assert reply.status == 400
    assert why in reply.json["error"]
    assert reply.json["ok"] is False


def test_other_paths_and_methods_are_refused(app: BotApp) -> None:
    """404 for unknown paths, 405 with Allow for the wrong method."""
    assert call(app, "/move", b"{}").status == 404
    wrong = call(app, "/act")

    assert (wrong.status, wrong.headers["Allow"]) == (405, "POST")
    assert call(app, "/", b"{}").status == 405


@pytest.mark.parametrize("path", ["/", "/start", "/act", "/end", "/move"])
def test_the_body_is_read_and_its_size_limited_on_every_path(path: str) -> None:
    """413 wherever it is sent, and not a byte stays behind for the next request."""
    app = BotApp(FunctionBot(lambda view: view.safe), max_body=1000)
    stream = io.BytesIO(b"x" * 200_000)

    reply = call(app, path, b"x", CONTENT_LENGTH="200000", **{"wsgi.input": stream})

    assert reply.status == 413
    assert stream.read() == b""


@pytest.mark.parametrize("length", ["-5", "ten", "1e3", "９"])
def test_a_nonsense_content_length_is_refused(app: BotApp, length: str) -> None:
    """A server that passes such a header on gets a 400."""
    assert call(app, "/act", b"{}", CONTENT_LENGTH=length).status == 400


def test_a_body_shorter_than_announced_is_refused(app: BotApp) -> None:
    """Half a body is no request."""
    assert call(app, "/act", b"{}", CONTENT_LENGTH="100").status == 400


@pytest.mark.parametrize("error", [ValueError, SystemExit, KeyboardInterrupt, RecursionError])
def test_a_raising_bot_answers_500_and_logs(
    error: type[BaseException], make_request: Requests, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the bot raises stays inside the request; the trace is on stderr."""

    def broken(view: BotView) -> str:
        raise error("no idea")

    reply = act(BotApp(FunctionBot(broken)), make_request())

    assert reply.status == 500
    assert error.__name__ in reply.json["error"]
    assert "in broken" in capsys.readouterr().err


def test_one_failing_decision_does_not_spoil_the_batch(
    make_request: Requests, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others are answered; the failing one is missing and logged."""

    def touchy(view: BotView) -> str:
        if view.request_id == "bad":
            raise ValueError("touchy")
        return view.safe

    requests = [make_request(request_id=name) for name in ("a", "bad", "b")]
    reply = act(BotApp(FunctionBot(touchy)), *requests)

    assert reply.status == 200
    assert [answer["id"] for answer in reply.json["answers"]] == ["a", "b"]
    assert capsys.readouterr().err.count("ValueError: touchy") == 1


def test_an_illegal_choice_is_sent_and_told_to_the_author(
    make_request: Requests, capsys: pytest.CaptureFixture[str]
) -> None:
    """The referee judges it; the author reads on stderr which decision it was."""
    reply = act(BotApp(FunctionBot(lambda view: "fly", name="flyer")), make_request())

    assert reply.json["answers"][0]["action"] == "fly"
    assert "flyer (mistake 1) chose 'fly', not legal in m_1-1-3-12" in capsys.readouterr().err


def test_a_copy_is_answered_until_an_answer_was_sent(make_request: Requests) -> None:
    """The arena comes again with the same id when the connection broke before the answer."""
    secret = new_secret()
    app = BotApp(FunctionBot(lambda view: view.safe), verifier=Verifier(secret))
    body = orjson.dumps({"protocol": "1.0", "requests": [make_request()]})
    signed = {
        "HTTP_" + name.upper().replace("-", "_"): text
        for name, text in Signer(secret).headers(body).items()
    }
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": "/act", "CONTENT_LENGTH": str(len(body))}
    broken = app(
        {**environ, **signed, "wsgi.input": io.BytesIO(body)}, lambda status, headers: None
    )
    assert isinstance(broken, Generator)
    next(broken)
    assert call(app, "/act", body, **signed).status == 401
    broken.close()  # as a server does that finds the connection gone

    assert call(app, "/act", body, **signed).status == 200
    assert call(app, "/act", body, **signed).status == 401


def test_with_a_secret_only_signed_requests_are_answered(make_request: Requests) -> None:
    """Unsigned, wrongly signed and repeated calls are refused; the information stays open."""
    secret, other = new_secret(), new_secret()
    app = BotApp(FunctionBot(lambda view: view.safe), verifier=Verifier(secret))
    body = orjson.dumps({"protocol": "1.0", "requests": [make_request()]})

    def signed_by(signer: Signer, signed: bytes = body) -> dict[str, str]:
        headers = signer.headers(signed)
        return {"HTTP_" + name.upper().replace("-", "_"): text for name, text in headers.items()}

    good = signed_by(Signer(secret))
    statuses = [
        call(app, "/act", body).status,
        call(app, "/act", body, **signed_by(Signer(other))).status,
        call(app, "/act", body, **signed_by(Signer(secret), b"{}")).status,
        call(app, "/act", body, **good).status,
        call(app, "/act", body, **good).status,
        call(app, "/act", body, **signed_by(Signer(other, secret))).status,
        call(app, "/").status,
    ]

    assert statuses == [401, 401, 401, 200, 401, 200, 200]
