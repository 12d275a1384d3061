"""Decisions a second of kaggle-environments' gin rummy with two agents over HTTP.

Runs in its own environment. The agents are processes of their own that answer with the first
legal action.
"""

from __future__ import annotations

import importlib
import json
import multiprocessing
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from typing import Any


class Agent(BaseHTTPRequestHandler):
    """Answers one observation."""

    def do_POST(self) -> None:
        """Choose; -1 while the other one is to move."""
        data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        legal = data["state"]["observation"].get("legalActions") or [-1]
        body = json.dumps({"action": {"submission": legal[0]}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def serve(ready: Connection) -> None:
    """One agent's process."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Agent)
    ready.send(server.server_address[1])
    server.serve_forever()


def main() -> None:
    """Start the agents and measure as asked."""
    out = sys.stdout
    sys.stdout = sys.stderr  # the library prints when it is imported
    kaggle: Any = importlib.import_module("kaggle_environments")
    spawn = multiprocessing.get_context("spawn")
    urls = []
    for _ in range(2):
        here, there = spawn.Pipe()
        spawn.Process(target=serve, args=(there,), daemon=True).start()
        urls.append(f"http://127.0.0.1:{here.recv()}/")
    for line in sys.stdin:
        _, duration = line.split()
        decisions, start = 0, time.perf_counter()
        while (passed := time.perf_counter() - start) < float(duration):
            env = kaggle.make("open_spiel_gin_rummy", configuration={"includeLegalActions": True})
            env.run(urls)
            # The first two states are before anybody was asked.
            decisions += len(env.steps) - 2
        print(decisions / passed, file=out, flush=True)


if __name__ == "__main__":
    main()
