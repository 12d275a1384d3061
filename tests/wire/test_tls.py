"""Encrypted calls: verified by name, and under the same deadline."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.referee.asks import Answer
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.client import BotClient
from arena.wire.crew import Crew
from arena.wire.endpoint import Endpoint
from arena.wire.lane import Lane
from arena.wire.transport import WireOptions
from tests.faulty_bots import EXPECTED, Behaviour, FaultyBot
from tests.wire.lanes import MARGIN_MS, ask, info, lane_to

Closing = Callable[[BotClient], BotClient]
FOLDER = Path(__file__).parent / "tls"

FAULTY = (
    Behaviour.SILENT,
    Behaviour.DRIP_HEADERS,
    Behaviour.DRIP_BODY,
    Behaviour.HALF_BODY,
    Behaviour.ENDLESS_BODY,
    Behaviour.ENDLESS_HEADERS,
    Behaviour.CLOSE,
    Behaviour.SHORT_BODY,
)


def server(name: str = "loopback") -> ssl.SSLContext:
    """A bot's side, with one of the two test certificates."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(FOLDER / f"{name}.pem")
    return context


def trusting() -> WireOptions:
    """The arena's side, trusting both test certificates."""
    context = ssl.create_default_context(cafile=str(FOLDER / "loopback.pem"))
    context.load_verify_locations(FOLDER / "other.pem")
    return WireOptions(tls=context)


def test_encrypted_answers_count_and_the_connection_is_kept(crew: Crew) -> None:
    """Five decisions over one TLS connection."""
    with FaultyBot(tls=server()) as bot:
        lane = lane_to(bot, crew, options=trusting())
        for turn in range(5):
            reply = ask(lane, f"m_1-1-1-{turn}", timeout_ms=2000).reply()
            assert isinstance(reply, Answer), reply
        assert bot.connections == 1


@pytest.mark.parametrize("behaviour", FAULTY)
def test_faults_inside_tls_have_the_same_codes_in_time(behaviour: Behaviour, crew: Crew) -> None:
    """The deadline and the caps hold for what is inside the encryption."""
    with FaultyBot(behaviour, tls=server()) as bot:
        outcome = ask(lane_to(bot, crew, options=trusting()), timeout_ms=500)
        fault = outcome.reply()

    assert isinstance(fault, BotFault)
    assert fault.code in {EXPECTED[behaviour], _CUT.get(behaviour)}
    assert outcome.took_ms < 500 + MARGIN_MS


_CUT = {Behaviour.SHORT_BODY: FaultCode.RESET}
"""An end without TLS's closing message is a broken connection, whatever the length says."""


def test_an_unknown_certificate_is_a_tls_fault(crew: Crew) -> None:
    """Verification is always on."""
    with FaultyBot(tls=server()) as bot:
        fault = ask(lane_to(bot, crew), timeout_ms=2000).reply()

    assert isinstance(fault, BotFault)
    assert fault.code is FaultCode.TLS
    assert "certificate" in fault.detail
    assert bot.requests == []


def test_a_certificate_for_another_name_is_a_tls_fault(crew: Crew) -> None:
    """Trusted, but not for this bot."""
    with FaultyBot(tls=server("other")) as bot:
        fault = ask(lane_to(bot, crew, options=trusting()), timeout_ms=2000).reply()

    assert isinstance(fault, BotFault)
    assert fault.code is FaultCode.TLS
    assert bot.requests == []


def test_the_name_is_verified_although_the_address_is_pinned(
    crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection goes to the address looked up, the certificate is for the name."""
    seen: list[str | None] = []
    context = server()
    context.sni_callback = lambda _sock, name, _context: seen.append(name)
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, port, **_: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))],
    )
    with FaultyBot(tls=context) as bot:
        endpoint = Endpoint.parse(f"https://bot.example:{bot.port}")
        lane = Lane(endpoint, info(), crew=crew, options=trusting())
        reply = ask(lane, timeout_ms=2000).reply()

    assert isinstance(reply, Answer), reply
    assert seen == ["bot.example"]
    assert bot.requests[0].headers["host"] == f"bot.example:{bot.port}"


def test_plain_http_where_tls_is_expected_is_a_tls_fault(crew: Crew) -> None:
    """A bot registered as https that speaks http."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            sock, _ = listener.accept()
            with sock:
                sock.recv(100)
                sock.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=serve)
        thread.start()
        port = listener.getsockname()[1]
        lane = Lane(Endpoint.parse(f"https://127.0.0.1:{port}"), info(), crew=crew)
        fault = ask(lane, timeout_ms=2000).reply()
        thread.join(5)

    assert isinstance(fault, BotFault)
    assert fault.code is FaultCode.TLS


@pytest.mark.parametrize("drips", [False, True])
def test_a_handshake_without_end_times_out(drips: bool, crew: Crew) -> None:
    """Nothing after the connection, or a byte of the handshake now and then."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            sock, _ = listener.accept()
            with sock:
                sock.recv(1000)
                # The head of a handshake record that promises 16 kB.
                for byte in b"\x16\x03\x03\x40\x00" + bytes(1000) if drips else b"":
                    try:
                        sock.sendall(bytes([byte]))
                    except OSError:
                        return
                    if over.wait(0.03):
                        return
                over.wait(10)

        thread = threading.Thread(target=serve)
        thread.start()
        port = listener.getsockname()[1]
        lane = Lane(Endpoint.parse(f"https://127.0.0.1:{port}"), info(), crew=crew)
        outcome = ask(lane, timeout_ms=400)
        fault = outcome.reply()
        over.set()
        thread.join(5)

    assert isinstance(fault, BotFault)
    assert (fault.code, "TLS" in fault.detail) == (FaultCode.TIMEOUT, True)
    assert outcome.took_ms < 400 + MARGIN_MS
