"""What the check tells those who write their first bot: one mistake, one reason, the right fix."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer

import orjson
import pytest

from arena.bot import BotServer, BotView, FunctionBot
from arena.wire.conformance import Options, Status, Step, check, passed, report_text


class Handler(BaseHTTPRequestHandler):
    """A first bot: it knows `GET /` and `POST /act`, and nothing else."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    page = orjson.dumps(FunctionBot(lambda view: view.safe, name="first", games=["gin"]).info())

    def do_GET(self) -> None:
        """Say who it is."""
        self._reply(200, self.page)

    def do_POST(self) -> None:
        """Answer decisions with the first legal action."""
        body = orjson.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/act":
            return self._reply(404, b"{}")
        answers = [
            {"id": request["request_id"], "action": request["legal"][0]["id"]}
            for request in body["requests"]
        ]
        return self._reply(200, orjson.dumps({"answers": answers}))

    def _reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


class WebPage(Handler):
    """No bot at all."""

    page = b"<!doctype html><title>My page</title>"


@contextmanager
def serving(
    handler: type[Handler], server: type[HTTPServer] = ThreadingHTTPServer
) -> Iterator[str]:
    """The authority of such a server."""
    with server(("127.0.0.1", 0), handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,))
        thread.start()
        yield f"127.0.0.1:{listening.server_address[1]}"
        listening.shutdown()
        thread.join()


def failed(steps: list[Step]) -> list[Step]:
    """Those that failed."""
    return [step for step in steps if step.status is Status.FAILED]


def test_a_bot_without_advisory_calls_is_ready_and_told_once() -> None:
    """The protocol promises that it loses nothing."""
    with serving(Handler) as authority:
        only = Options(only=("Advisory calls", "After the match"))
        steps = list(check(f"http://{authority}", only))

    assert passed(steps)
    text = report_text(steps)
    assert text.count("the bot does not serve advisory calls") == 1
    assert "The bot is ready to play." in text


def test_a_server_for_one_connection_at_a_time_is_named() -> None:
    """The usual first server of Python, and what to take instead."""
    with serving(Handler, HTTPServer) as authority:
        steps = list(check(f"http://{authority}", Options(only=("Contact",))))

    (step,) = [step for step in steps if step.title.startswith("accepts a second connection")]
    assert step.status is Status.FAILED
    assert step.detail == "no answer on one connection while another is open"
    assert "ThreadingHTTPServer" in step.fix


def test_a_web_page_is_one_failure_and_not_nine_missing_fields() -> None:
    """What is no JSON has no fields to complain of."""
    with serving(WebPage) as authority:
        steps = list(check(f"http://{authority}", Options(only=("Information",))))

    fields = [step for step in steps if step.title.startswith("field ")]
    assert {step.status for step in fields} == {Status.SKIPPED}
    assert any("JSON" in step.detail for step in failed(steps))


def test_https_to_a_plain_bot_says_to_write_http() -> None:
    """The commonest slip with an address."""
    with serving(Handler) as authority:
        steps = list(check(f"https://{authority}"))

    (step,) = failed(steps)
    assert "write http:// instead of https://" in step.fix


def test_a_host_that_nobody_knows_is_a_matter_of_its_name() -> None:
    """Nothing to start, nothing to listen."""
    (step,) = failed(list(check("http://no-such-bot.invalid:8001")))

    assert "compare the host name" in step.fix


def test_a_decision_that_is_left_out_is_not_a_wrong_id() -> None:
    """A bot of the SDK answers the others of a batch when its code raises in one."""

    def sometimes(view: BotView) -> str:
        if view.phase == "discard":
            raise IndexError("none")
        return view.safe

    with BotServer(FunctionBot(sometimes, games=["gin"])) as server:
        steps = list(check(server.url, Options(only=("Batches",))))

    fixes = {step.fix for step in failed(steps)}
    assert any("raised an exception" in fix for fix in fixes)
    assert not any("repeat the request_id" in fix for fix in fixes)


@pytest.mark.parametrize("wrong", [{"action": {"id": "pass"}}, {"choice": "pass"}, "pass"])
def test_one_wrong_shape_is_one_reason(wrong: object) -> None:
    """However it is worded for one decision, a batch, or a batch of two."""

    class Misshapen(Handler):
        def do_POST(self) -> None:
            body = orjson.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answers = [
                {"id": request["request_id"], **wrong} if isinstance(wrong, dict) else wrong
                for request in body.get("requests", [])
            ]
            self._reply(200, orjson.dumps({"answers": answers}))

    with serving(Misshapen) as authority:
        only = Options(only=("Decisions by phase", "Batches"))
        steps = list(check(f"http://{authority}", only))

    assert len(failed(steps)) > 3
    assert len({step.cause for step in failed(steps)}) == 1


def test_the_first_bot_of_this_file_is_a_bot() -> None:
    """Its decisions are good: all that the tests above find is what they changed."""
    with serving(Handler) as authority:
        steps = list(check(f"http://{authority}", Options(only=("Decisions by phase", "Batches"))))

    assert failed(steps) == []
