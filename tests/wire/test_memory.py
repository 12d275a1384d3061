"""However much a bot sends, the arena holds little of it."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack

import pytest

from tests.faulty_bots import Behaviour, FaultyBot

LARGE = (
    Behaviour.GZIP_BOMB,
    Behaviour.DEEP,
    Behaviour.ENDLESS_BODY,
    Behaviour.ENDLESS_CHUNKS,
    Behaviour.ENDLESS_HEADER_LINE,
    Behaviour.ENDLESS_HEADERS,
    Behaviour.ENDLESS_TRAILERS,
    Behaviour.HUGE_CHUNK,
    Behaviour.HUGE_INTEGER,
    Behaviour.HUGE_LENGTH,
    Behaviour.HUGE_NOTE,
    Behaviour.INTERIM_FLOOD,
)
MOST_KB = 20_000

CALLER = """
import resource, sys
from arena.referee.verdicts import BotFault
from arena.wire import messages
from arena.wire.client import BotClient
from arena.wire.endpoint import Endpoint

def call(url):
    client = BotClient(Endpoint.parse(url))
    try:
        body = client.post("/act", b'{"requests": [{"request_id": "x"}]}', (2000,)).body
        messages.parse_act_reply(body, ["x"])
    except BotFault:
        pass
    client.close()

call(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for url in sys.argv[2:]:
    for _ in range(3):
        call(url)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in kB on Linux only")
def test_memory_stays_bounded_whatever_bots_send() -> None:
    """B037 and relatives: the peak of a process that calls every bot three times."""
    with ExitStack() as stack:
        bots = [stack.enter_context(FaultyBot(one)) for one in (Behaviour.GOOD, *LARGE)]
        done = subprocess.run(
            [sys.executable, "-c", CALLER, *(bot.url for bot in bots)],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert all(bot.hits("/act") >= 3 for bot in bots[1:])

    assert int(done.stdout) < MOST_KB
