"""Which addresses may be called, and that the address checked is the one called."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable

import pytest

from arena.referee.verdicts import BotFault, FaultCode
from arena.wire import addresses
from arena.wire.addresses import Address, Network, Resolver, is_public, require_allowed
from arena.wire.budget import Budget
from arena.wire.client import BotClient
from arena.wire.endpoint import Endpoint
from arena.wire.transport import WireOptions
from tests.faulty_bots import Behaviour, FaultyBot

Closing = Callable[[BotClient], BotClient]

PUBLIC = ["1.1.1.1", "8.8.8.8", "193.0.0.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"]
REFUSED = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.5",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:a00:1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "3fff::1",
    "2606:4700::5efe:7f00:1",
    "2606:4700::200:5efe:a00:1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]


@pytest.mark.parametrize("text", PUBLIC)
def test_global_addresses_are_public(text: str) -> None:
    """Addresses of the open internet."""
    assert is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("text", REFUSED)
def test_every_other_address_is_refused_in_public_mode(text: str) -> None:
    """B151 and relatives: private, shared, reserved, and addresses that hold another one."""
    assert not is_public(ipaddress.ip_address(text))
    with pytest.raises(BotFault) as caught:
        require_allowed([Address(0, text, 80)], Network.PUBLIC)
    assert caught.value.code is FaultCode.BLOCKED_ADDRESS
    require_allowed([Address(0, text, 80)], Network.LOCAL)


@pytest.mark.parametrize("text", REFUSED)
def test_a_literal_in_the_url_is_refused_without_a_packet(
    text: str, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check holds for addresses written in the URL too; no socket is made."""
    monkeypatch.setattr(socket, "socket", _forbidden)
    host = f"[{text}]" if ":" in text else text
    client = closing(
        BotClient(Endpoint.parse(f"http://{host}:9/"), WireOptions(network=Network.PUBLIC))
    )
    with pytest.raises(BotFault) as caught:
        client.post("/act", b"{}", (500,))
    assert caught.value.code is FaultCode.BLOCKED_ADDRESS


def test_one_bad_address_among_good_ones_refuses_the_name(
    closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every answer of the resolver has to pass."""
    _resolves(monkeypatch, ["8.8.8.8", "10.0.0.1"])
    monkeypatch.setattr(socket, "socket", _forbidden)
    client = closing(
        BotClient(Endpoint.parse("http://bot.example"), WireOptions(network=Network.PUBLIC))
    )
    with pytest.raises(BotFault) as caught:
        client.post("/act", b"{}", (500,))
    assert caught.value.code is FaultCode.BLOCKED_ADDRESS
    assert "10.0.0.1" not in caught.value.detail


def test_a_name_that_moves_inwards_is_refused_at_the_next_connection(
    closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B156: a public address first, a private one at the second look-up."""
    # Stands for a public address: the test cannot leave the machine.
    monkeypatch.setattr(addresses, "is_public", lambda address: str(address) == "127.0.0.1")
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, port, **_: _rows(next(answers), port))
    with FaultyBot(Behaviour.ANSWER_THEN_CLOSE) as bot:
        endpoint = Endpoint.parse(f"http://bot.example:{bot.port}")
        client = closing(BotClient(endpoint, WireOptions(network=Network.PUBLIC)))
        client.post("/act", b'{"requests": []}', (1000,))
        assert client.line.peer == Address(socket.AF_INET, "127.0.0.1", bot.port)
        client.close()
        monkeypatch.setattr(socket, "socket", _forbidden)
        with pytest.raises(BotFault) as caught:
            client.post("/act", b'{"requests": []}', (1000,))
        monkeypatch.undo()

    assert caught.value.code is FaultCode.BLOCKED_ADDRESS
    assert len(bot.requests) == 1
    assert bot.requests[0].headers["host"] == f"bot.example:{bot.port}"


def test_the_name_is_looked_up_once_for_a_connection(
    closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody asks again between the check and the connection."""
    asked: list[str] = []
    with FaultyBot() as bot:

        def lookup(host: str, port: int, **_: object) -> object:
            asked.append(host)
            return _rows(["127.0.0.1"], port)

        monkeypatch.setattr(socket, "getaddrinfo", lookup)
        client = closing(BotClient(Endpoint.parse(f"http://bot.example:{bot.port}")))
        for _ in range(3):
            client.post("/act", b'{"requests": []}', (1000,))

    assert asked == ["bot.example"]


def test_the_next_address_is_tried_when_the_first_refuses(
    closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name with two addresses, of which only the second listens."""
    _resolves(monkeypatch, ["127.0.0.9", "127.0.0.1"])
    with FaultyBot() as bot:
        client = closing(BotClient(Endpoint.parse(f"http://bot.example:{bot.port}")))
        assert client.post("/act", b'{"requests": []}', (1000,)).body


def test_a_name_that_no_codec_takes_is_a_dns_fault() -> None:
    """Whatever the system's resolver raises is a verdict."""
    budget = Budget()
    budget.begin((1000,))
    with pytest.raises(BotFault) as caught:
        Resolver().addresses("a" * 64 + "..x", 80, budget.left_s)
    assert caught.value.code is FaultCode.DNS


def _rows(hosts: list[str], port: int) -> list[object]:
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port)) for host in hosts]


def _resolves(monkeypatch: pytest.MonkeyPatch, hosts: list[str]) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, port, **_: _rows(hosts, port))


def _forbidden(*_: object, **__: object) -> None:
    raise AssertionError("no socket may be made")
