"""Bots that think for a fixed time and cost next to nothing: many in one process, for benchmarks.

Run with ``python -m tests.bench.thinking_bots COUNT SECONDS``; the first line it prints is a JSON
list of their addresses. It ends with its standard input.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from arena.process import stop_with_stdin
from arena.referee.asks import Answer, Ask
from tests.tournament.functions import knocker

INFO = {
    "protocols": ["1.0"], "name": "thinker", "author": "bench", "version": "1", "games": ["*"],
    "max_batch": 1, "max_concurrency": 16,
}  # fmt: skip
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


async def serve(count: int, think_s: float) -> None:
    """Listen on as many free ports and answer until cancelled."""
    play = knocker()

    def chosen(request: dict[str, Any]) -> dict[str, str]:
        reply = play(Ask(0, request["request_id"], request, 1000.0, ""))
        assert isinstance(reply, Answer)
        return {"id": request["request_id"], "action": reply.action}

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                length = 0
                while (header := await reader.readline()) not in (b"\r\n", b""):
                    name, _, value = header.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                body = await reader.readexactly(length)
                answer = INFO
                if b" /act " in line:
                    asked = json.loads(body)["requests"]
                    await asyncio.sleep(think_s)
                    answer = {"answers": [chosen(request) for request in asked]}
                text = json.dumps(answer).encode()
                writer.write(HEAD % len(text) + text)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    servers = [await asyncio.start_server(connected, "127.0.0.1", 0) for _ in range(count)]
    ports = [server.sockets[0].getsockname()[1] for server in servers]
    print(json.dumps([f"http://127.0.0.1:{port}" for port in ports]), flush=True)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        loop.call_soon_threadsafe(ended.set)

    stop_with_stdin(stop)
    await ended.wait()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2])))
