"""A bot that sends whatever bytes it is told to."""

from __future__ import annotations

from arena.referee.verdicts import BotFault
from arena.wire.client import BotClient, Received
from arena.wire.endpoint import Endpoint
from tests.faulty_bots import FaultyBot, Talk

GOOD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNKED += b"1;a=b\r\n{\r\n1\r\n}\r\n0\r\nX: y\r\n\r\n"
AMPLE_MS = 5000


class Parrot:
    """A bot that sends what it is told to and closes."""

    def __init__(self) -> None:
        self.says = b""
        self.bot = FaultyBot(self._act, on=("/act",))

    def _act(self, talk: Talk) -> None:
        talk.keep = False
        talk.send(self.says)

    def answer(self, data: bytes) -> Received | BotFault:
        """What the client makes of these bytes."""
        self.says = data
        client = BotClient(Endpoint.parse(self.bot.url))
        try:
            return client.post("/act", b"{}", (AMPLE_MS,))
        except BotFault as fault:
            return fault
        finally:
            client.close()
