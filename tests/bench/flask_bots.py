"""A bot as most people would write one: Flask on waitress, with the simple player to decide.

Run as ``python -m tests.bench.flask_bots --port PORT``. It costs what a web framework costs,
several times as much as a bot of the SDK.
"""

from __future__ import annotations

import argparse
from typing import Any

from flask import Flask, request
from waitress import serve

from arena.bot.base import answer
from tests.samples import simple

THREADS = 5
"""One more than the referee's calls in flight, as in the SDK."""


def app() -> Flask:
    """The bot as a web application."""
    flask = Flask("flask_bots")

    @flask.get("/")
    def info() -> dict[str, object]:
        return simple.bot.info()

    @flask.post("/act")
    def act() -> dict[str, object]:
        asked: list[dict[str, Any]] = request.get_json()["requests"]
        return {"answers": [answer(simple.bot, one) for one in asked]}

    @flask.post("/start")
    @flask.post("/end")
    def told() -> dict[str, object]:
        request.get_json()
        return {"ok": True}

    return flask


def main() -> None:
    """Serve until the process is stopped."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    serve(app(), host="127.0.0.1", port=parser.parse_args().port, threads=THREADS)


if __name__ == "__main__":
    main()
