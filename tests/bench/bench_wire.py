"""What calling a bot costs, and how late verdicts on hostile bots are.

Run with ``python -m tests.bench.bench_wire`` (``--quick`` for a minute less). Compare figures of
one run with each other; absolute ones depend on the machine and on what else it does.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import socket
import statistics
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing.connection import Connection

import requests

from arena.referee.asks import Answer
from arena.referee.verdicts import BotFault
from arena.wire.client import BotClient
from arena.wire.crew import Crew
from arena.wire.endpoint import Endpoint
from arena.wire.lane import Lane
from tests.faulty_bots import EXPECTED, Behaviour, FaultyBot
from tests.wire.lanes import Outcome, decision, info

BODY = b"x" * 841
"""As long as a typical decision request of a peer; the bots of the first part do not read it."""
ANSWER = b'{"answers":[{"id":"m_1-1-1-1","action":"pass"}]}'
HOSTILE = (
    Behaviour.SILENT,
    Behaviour.DRIP_HEADERS,
    Behaviour.DRIP_BODY,
    Behaviour.DRIP_CHUNKS,
    Behaviour.DRIP_INTERIM,
    Behaviour.DRIP_TRAILERS,
    Behaviour.HALF_BODY,
    Behaviour.NO_LENGTH_OPEN,
    Behaviour.ENDLESS_BODY,
    Behaviour.INTERIM_FLOOD,
)
DEADLINE_MS = 100.0


def plain_bot(ready: Connection) -> None:
    """The fastest bot there is: a thread a connection, a fixed answer; echoes ids of decisions."""

    def serve(sock: socket.socket) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with sock, sock.makefile("rb") as stream:
            while stream.readline():
                length = 0
                while line := stream.readline().strip():
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                body = stream.read(length)
                answer = ANSWER
                if body.startswith(b"{"):
                    asked = json.loads(body)["requests"]
                    answers = [{"id": one["request_id"], "action": "pass"} for one in asked]
                    answer = json.dumps({"answers": answers}).encode()
                head = (
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
                )
                sock.sendall(head % len(answer) + b"\r\n" + answer)

    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        ready.send(listener.getsockname()[1])
        while True:
            sock, _ = listener.accept()
            threading.Thread(target=serve, args=(sock,), daemon=True).start()


def cpu_us(call: Callable[[], object], calls: int) -> float:
    """Processor time of this thread for one call, in microseconds."""
    for _ in range(20):
        call()
    began = time.thread_time()
    for _ in range(calls):
        call()
    return (time.thread_time() - began) / calls * 1e6


def compare_clients(port: int, calls: int) -> None:
    """The same call through clients of growing comfort; medians of interleaved runs."""
    url = f"http://127.0.0.1:{port}/act"
    bare = http.client.HTTPConnection("127.0.0.1", port)
    ours = BotClient(Endpoint.parse(f"http://127.0.0.1:{port}"))
    session = requests.Session()
    session.trust_env = False

    def by_http_client() -> None:
        bare.request("POST", "/act", BODY, {"Content-Type": "application/json"})
        bare.getresponse().read()

    clients: dict[str, Callable[[], object]] = {
        "http.client": by_http_client,
        "ours": lambda: ours.post("/act", BODY, (1000,)),
        "requests.Session": lambda: session.post(url, BODY, timeout=1),
    }
    rounds: dict[str, list[float]] = {name: [] for name in clients}
    for _ in range(5):
        for name, call in clients.items():
            rounds[name].append(cpu_us(call, calls))
    base = statistics.median(rounds["http.client"])
    print("client CPU a call")
    for name, times in rounds.items():
        cost = statistics.median(times)
        print(f"  {name:18} {cost:7.1f} us  {cost / base:5.2f} x http.client")
    bare.close()
    ours.close()
    session.close()


def compare_limits(port: int, calls: int) -> None:
    """What deadline and caps cost: our client against itself with the limits taken out."""
    from arena.wire import deadline

    client = BotClient(Endpoint.parse(f"http://127.0.0.1:{port}"))
    guarded: list[float] = []
    unguarded: list[float] = []

    def send(self: deadline.DeadlineSocket, data: bytes) -> None:
        self._sock.setblocking(True)
        self._sock.sendall(data)

    def receive(self: deadline.DeadlineSocket, buffer: bytearray) -> int:
        self._sock.setblocking(True)
        return self._sock.recv_into(buffer)

    kept = deadline.DeadlineSocket.sendall, deadline.DeadlineSocket.recv_into
    for _ in range(7):
        guarded.append(cpu_us(lambda: client.post("/act", BODY, (1000,)), calls))
        deadline.DeadlineSocket.sendall = send  # type: ignore[method-assign]
        deadline.DeadlineSocket.recv_into = receive  # type: ignore[method-assign,assignment]
        unguarded.append(cpu_us(lambda: client.post("/act", BODY, (1e9,)), calls))
        deadline.DeadlineSocket.sendall, deadline.DeadlineSocket.recv_into = kept  # type: ignore[method-assign]
    extra = statistics.median(guarded) / statistics.median(unguarded) - 1
    print(f"deadline and byte count: {extra:+.1%} CPU a call")
    client.close()


def throughput(port: int, decisions: int) -> None:
    """Decisions a second through two lanes that answer each other, as matches do."""
    print("decisions a second, referee's part only (two lanes, valid 7 kB requests)")
    for concurrency, batch, matches in (
        (1, 1, 1),
        (1, 1, 16),
        (8, 1, 16),
        (1, 16, 16),
        (4, 16, 64),
    ):
        crew = Crew()
        about = info(batch, concurrency)
        lanes = [Lane(Endpoint.parse(f"http://127.0.0.1:{port}"), about, crew=crew) for _ in "ab"]
        left = [decisions]
        over = threading.Event()
        overheads: list[float] = []

        def play(
            match: int,
            turn: int,
            lanes: list[Lane] = lanes,
            left: list[int] = left,
            over: threading.Event = over,
            overheads: list[float] = overheads,
        ) -> None:
            outcome = Outcome(f"m_{match}-1-1-{turn}", 5000)

            def done(reply: object) -> None:
                assert isinstance(reply, Answer), reply
                overheads.append(reply.overhead_ms)
                left[0] -= 1
                if left[0] > 0:
                    play(match, turn + 1)
                else:
                    over.set()

            lanes[turn % 2].ask(outcome.ticket()._replace(done=done))

        began, used = time.monotonic(), time.process_time()
        for match in range(matches):
            play(match, 0)
        over.wait(120)
        took, used = time.monotonic() - began, time.process_time() - used
        crew.close()
        print(
            f"  concurrency {concurrency}, batch {batch:2}, matches {matches:2}:"
            f" {decisions / took:7.0f}/s, {used / decisions * 1e6:5.0f} us CPU,"
            f" overhead p50 {statistics.median(overheads):.2f} ms"
        )


def quantiles(values: list[float]) -> str:
    """Median and the 99th of a hundred."""
    ordered = sorted(values)
    return f"p50 {statistics.median(ordered):6.2f}  p99 {ordered[int(len(ordered) * 0.99)]:6.2f} ms"


def overshoot(calls: int) -> None:
    """How late the verdict on each hostile kind of bot is, one call at a time."""
    print(f"verdict later than the deadline of {DEADLINE_MS:.0f} ms (faults found early: its time)")
    for behaviour in HOSTILE:
        with FaultyBot(behaviour, drip_s=0.01) as bot:
            client = BotClient(Endpoint.parse(bot.url))
            late: list[float] = []
            for _ in range(calls):
                began = time.monotonic()
                try:
                    client.post("/act", b'{"requests": []}', (DEADLINE_MS,))
                    raise SystemExit(f"{behaviour} was taken for an answer")
                except BotFault as fault:
                    late.append((time.monotonic() - began) * 1000)
                    if fault.code is not EXPECTED[behaviour]:
                        raise SystemExit(f"{behaviour}: {fault}") from fault
            client.close()
        timed = [took - DEADLINE_MS for took in late] if min(late) >= DEADLINE_MS else late
        print(f"  {behaviour:16} {quantiles(timed)}")


def crowd(seconds: float) -> None:
    """16 calls in flight, four of the bots hostile: who is late, and do good bots lose time?"""
    hostile = (
        Behaviour.SILENT,
        Behaviour.DRIP_BODY,
        Behaviour.DRIP_HEADERS,
        Behaviour.ENDLESS_BODY,
    )
    kinds = [*hostile, *[Behaviour.SLOW] * 4]
    with ExitStack() as stack:
        crew = Crew()
        stack.callback(crew.close)
        bots = [
            stack.enter_context(FaultyBot(kind, max_concurrency=2, drip_s=0.01, delay_s=0.02))
            for kind in kinds
        ]
        lanes = [Lane(Endpoint.parse(bot.url), info(1, 2), crew=crew) for bot in bots]
        ends = time.monotonic() + seconds
        late: list[float] = []
        good: list[float] = []
        lost = [0]

        def play(number: int, slot: int, turn: int) -> None:
            outcome = Outcome(f"m_{number}{slot}-1-1-{turn}", 200)

            def done(reply: object) -> None:
                if isinstance(reply, Answer):
                    good.append(reply.elapsed_ms - 20)
                elif kinds[number] is Behaviour.SLOW:
                    lost[0] += 1
                elif isinstance(reply, BotFault) and reply.elapsed_ms >= 200:
                    late.append((time.monotonic() - asked) * 1000 - 200)
                if time.monotonic() < ends:
                    play(number, slot, turn + 1)

            asked = time.monotonic()
            lanes[number].ask(outcome.ticket()._replace(done=done))

        for number in range(len(kinds)):
            for slot in range(2):
                play(number, slot, 0)
        time.sleep(seconds)
        for lane in lanes:
            lane.drain()
        print("16 in flight, 4 hostile bots of 8 (bots in this very process, limit 200 ms)")
        print(f"  hostile verdicts late  {quantiles(late)}  ({len(late)})")
        print(
            f"  good answers over 20 ms {quantiles(good)}  ({len(good)}), lost on time: {lost[0]}"
        )


def main() -> None:
    """Run every part and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer calls, rougher figures")
    quick = parser.parse_args().quick
    here, there = multiprocessing.Pipe()
    bot = multiprocessing.get_context("spawn").Process(target=plain_bot, args=(there,), daemon=True)
    bot.start()
    try:
        port: int = here.recv()
        print(f"Python {sys.version.split()[0]}, requests {requests.__version__}")
        compare_clients(port, 300 if quick else 2000)
        compare_limits(port, 300 if quick else 2000)
        decision()
        throughput(port, 1000 if quick else 6000)
        overshoot(10 if quick else 50)
        crowd(2 if quick else 8)
    finally:
        bot.terminate()
        bot.join()


if __name__ == "__main__":
    main()
