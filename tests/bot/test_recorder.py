"""Decisions that were kept can be asked again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import requests

from arena.bot import Bot, BotServer, BotView, run
from arena.bot.recorder import Recorder
from arena.referee.moments import deal, moment_of
from arena.rules.games import find_variant

FULL = Path("/dev/full")


def asked(url: str, count: int) -> tuple[int, list[dict[str, Any]]]:
    """Ask for so many decisions in one request; its status and the decisions."""
    moments = [
        moment_of(*deal(find_variant("gin"), 2, f"{n}", match=f"m_{n}")) for n in range(count)
    ]
    decisions = [moment.request for moment in moments]
    body = {"protocol": "1.0", "requests": decisions}
    return requests.post(f"{url}/act", json=body, timeout=5).status_code, decisions


def kept(path: Path) -> list[dict[str, Any]]:
    """What the file has."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_decision_is_a_line_that_is_a_test(tmp_path: Path) -> None:
    """Added to what was there, as it was asked and answered."""
    path, bot = tmp_path / "asked.jsonl", Bot()
    for _ in range(2):
        with BotServer(bot, record=path) as server:
            status, decisions = asked(server.url, 3)
            assert status == 200
    lines = kept(path)

    assert [line["request"] for line in lines] == decisions * 2
    for line in lines:
        assert line["error"] is None
        assert line["answer"]["id"] == line["request"]["request_id"]
        assert bot.choose(BotView(line["request"])) == line["answer"]["action"]


def test_what_a_bot_raised_is_kept_with_its_request(tmp_path: Path) -> None:
    """Those are the requests that an author wants most."""

    def broken(view: BotView) -> str:
        if view.match == "m_1":
            raise ValueError("no plan \ud800")
        return view.safe

    path = tmp_path / "asked.jsonl"
    with BotServer(broken, record=path) as server:
        status, _ = asked(server.url, 2)
    fine, failed = kept(path)

    assert status == 200
    assert (fine["error"], fine["answer"]["action"]) == (None, "pass")
    assert (failed["error"], failed["answer"]) == ("ValueError: no plan ?", None)
    assert failed["request"]["match"] == "m_1"


def test_a_file_that_cannot_be_opened_is_told_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the bot listens."""
    with pytest.raises(SystemExit) as left:
        run(Bot(), ["--record", str(tmp_path / "none" / "asked.jsonl")])

    assert left.value.code == 2
    assert "cannot be kept in" in capsys.readouterr().err


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
def test_a_full_disk_costs_no_decision(capsys: pytest.CaptureFixture[str]) -> None:
    """It is said once, and nothing more is kept."""
    with BotServer(Bot(), record=FULL) as server:
        assert asked(server.url, 2)[0] == 200
        assert asked(server.url, 2)[0] == 200

    assert capsys.readouterr().err.count("warning: requests are kept no more in /dev/full") == 1


def test_an_answer_that_is_no_json_is_kept_as_an_error(tmp_path: Path) -> None:
    """The recorder raises nothing of its own."""
    recorder = Recorder(tmp_path / "asked.jsonl")
    recorder.keep({"request_id": "a"}, {"action": "\ud800"})
    recorder.close()
    recorder.keep({"request_id": "b"}, {"action": "pass"})
    (line,) = kept(tmp_path / "asked.jsonl")

    assert (line["request"], line["answer"]) == ({"request_id": "a"}, None)
    assert line["error"].startswith("an answer that cannot be sent")
