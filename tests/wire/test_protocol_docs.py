"""The protocol's README tells the whole contract, and what it shows works as shown."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

import pytest

from arena import __version__
from arena.errors import IllegalAction
from arena.referee.clock import ClockRules
from arena.referee.decision import PROTOCOL
from arena.referee.ids import commitment_of
from arena.referee.moments import deal, moment_of
from arena.referee.verdicts import FaultCode, Termination
from arena.rules.base import ActionKind, Ending, GameEnding, Phase, action
from arena.rules.deal import deal_seed, shuffled
from arena.rules.games import find_variant
from arena.wire import schemas
from arena.wire.budget import HEADER_CAP, REPLY_CAP
from arena.wire.conformance import Options, Status, check
from arena.wire.messages import ReplyItem, parse_act_reply, parse_info
from arena.wire.signing import TOLERANCE_S, Verifier
from arena.wire.strict_json import MAX_DEPTH, MAX_NUMBER
from tests.wire.protocol_examples import README, blocks, examples

FOLDER = files("arena.protocol")
WORDS = set(re.findall(r"`([^`\n]+)`", README))
"""Everything that stands in code font."""


def _names(schema: Any) -> Iterator[str]:
    """Every property name that a schema defines."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from _names(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _names(part)


@pytest.mark.parametrize("name", schemas.documents())
def test_every_schema_and_field_is_documented(name: str) -> None:
    """Its file is named, and so is each of its fields."""
    assert f"{name}.json" in WORDS

    fields = set(_names(schemas.documents()[name]))
    assert fields - WORDS == {"answers", "requests"} & fields
    assert '"answers"' in README
    assert '"requests"' in README


@pytest.mark.parametrize(
    "word",
    [
        *FaultCode,
        *(phase for phase in Phase if phase is not Phase.OVER),
        *ActionKind,
        *Ending,
        *GameEnding,
        *(end for end in Termination if end not in (Termination.WITHDRAWN, Termination.BYE)),
    ],
)
def test_every_code_has_a_row(word: str) -> None:
    """Statuses, phases, actions and endings stand in a table, each with its meaning."""
    rows = [line for line in README.splitlines() if line.startswith("|")]

    assert any(f"`{word}`" in row.split("|")[1] for row in rows), word


def test_every_status_says_what_to_do() -> None:
    """The table of statuses has a remedy in each row, in the order of the code."""
    section = README.partition("### Status codes")[2].partition("###")[0]
    rows = [row.split("|") for row in section.splitlines() if row.startswith("| `")]

    assert [row[1].strip(" `") for row in rows] == [code.value for code in FaultCode]
    assert all(len(row[2].strip()) > 5 and len(row[3].strip()) > 5 for row in rows)


def test_its_links_lead_to_files() -> None:
    """Every link but those into the world is a file beside it, and no schema lacks one."""
    links = set(re.findall(r"\]\(([^)]+)\)", README)) - {"https://www.standardwebhooks.com/"}

    assert {f"schemas/{name}.json" for name in schemas.documents()} < links
    assert {"CHANGELOG.md", "openapi.yaml", "vectors/signing.json"} < links
    for link in links:
        assert FOLDER.joinpath(*link.split("/")).is_file(), link


def test_its_numbers_are_those_of_the_code() -> None:
    """Limits that a bot's author relies on."""
    assert f"more than {REPLY_CAP // 1024} KiB of answer" in README
    assert f"{HEADER_CAP // 1024} KiB of headers" in README
    assert f"more than {TOLERANCE_S} seconds off" in README
    assert f"at most {MAX_DEPTH} levels" in README
    assert MAX_NUMBER == 2**53
    assert "numbers up to 2^53" in README
    assert ClockRules().max_strikes == 3
    assert "With three strikes (`max_strikes`" in README
    assert f"# Bot protocol {PROTOCOL}" in README
    assert f"## {PROTOCOL}\n" in FOLDER.joinpath("CHANGELOG.md").read_text(encoding="utf-8")


MESSAGES = {"GET /": "info", "POST /start": "start", "POST /act": "act_request", "POST /end": "end"}
REPLIES = {"GET /": "info", "POST /act": "act_reply"}


def test_the_exchanges_are_real() -> None:
    """Each HTTP block is well-formed, its length right, its body valid by the schema."""
    call = ""
    seen = []
    for block in blocks("http"):
        head, _, body = block.removesuffix("\n").partition("\n\n")
        first, *lines = head.splitlines()
        headers = dict(line.split(": ", 1) for line in lines)
        if not first.startswith("HTTP/"):
            call = first.removesuffix(" HTTP/1.1")
            seen.append(call)
        if body:
            assert int(headers["Content-Length"]) == len(body.encode())
            table = REPLIES if first.startswith("HTTP/") else MESSAGES
            assert schemas.explain(table[call], json.loads(body)) == ""

    assert seen == list(MESSAGES)


def test_the_answer_shown_answers_the_decision_shown() -> None:
    """Its id is the request's, its action is legal, its melds are held."""
    bodies = [block.partition("\n\n")[2] for block in blocks("http")]
    request = next(json.loads(body)["requests"][0] for body in bodies if '"requests"' in body)
    legal = {request["request_id"]: [one["id"] for one in request["legal"]]}

    for body in bodies:
        if '"action": "knock' in body and '"legal"' not in body:
            (item,) = parse_act_reply(body.encode(), list(legal), legal).values()
            assert isinstance(item, ReplyItem)
            assert {card for meld in item.melds or () for card in meld} < set(request["cards"])


@contextmanager
def _served(source: str) -> Iterator[int]:
    """The README's bot on a free port."""
    names: dict[str, Any] = {}
    *code, last = source.strip().splitlines()
    assert last.startswith("ThreadingHTTPServer((")
    exec("\n".join(code), names)
    server = names["ThreadingHTTPServer"](("127.0.0.1", 0), names["Bot"])
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_bot_shown_plays() -> None:
    """It says what it is and answers every example request, on one connection."""
    with _served(blocks("python")[0]) as port:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        line.request("GET", "/")
        assert parse_info(line.getresponse().read()).name == "First"
        for example in examples("valid"):
            if example.message in ("start", "end"):
                line.request("POST", f"/{example.message}", json.dumps(example.value))
                reply = line.getresponse()
                assert (reply.status, reply.read()) == (200, b"")
            if example.message == "act_request":
                requests = example.value["requests"]  # type: ignore[index]
                line.request("POST", "/act", json.dumps(example.value))
                legal = {ask["request_id"]: [o["id"] for o in ask["legal"]] for ask in requests}
                found = parse_act_reply(line.getresponse().read(), list(legal), legal)
                assert all(isinstance(item, ReplyItem) for item in found.values())
        line.close()


def test_the_bot_shown_passes_the_check_fast_and_quietly(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No warning, nothing printed, and no call waits for an acknowledgement."""
    with _served(blocks("python")[0]) as port:
        sections = ("Advisory calls", "Robustness", "Batches", "Speed", "HTTP", "After the match")
        steps = list(check(f"http://127.0.0.1:{port}", Options(only=sections)))
    speed = next(step for step in steps if step.section == "Speed")

    assert {step.status for step in steps} == {Status.PASSED, Status.SKIPPED}, steps
    assert float(speed.detail.split("median ")[1].split()[0]) < 20
    assert capsys.readouterr() == ("", "")


def test_the_headers_shown_name_this_version() -> None:
    """What the arena calls itself is what it sends."""
    assert set(re.findall(r"^User-Agent: (.*)$", README, re.MULTILINE)) == {
        f"gin-arena/{__version__}"
    }


def test_the_deal_shown_is_the_arenas() -> None:
    """Three lines in any language redo a deal."""
    deck = find_variant("gin").family.deck(find_variant("gin").rules)
    names: dict[str, Any] = {"hmac": hmac, "hashlib": hashlib, "deck": deck}
    names |= {"secret": bytes(32), "deal_key": "é|1", "game": 3, "hand": 9}

    exec(blocks("python")[1], names)

    assert names["seed"] == deal_seed(bytes(32), "é|1", 3, 9)
    assert tuple(names["cards"]) == shuffled(deck, names["seed"])


def test_indian_rummy_is_dealt_and_reshuffled_as_told() -> None:
    """The open card, the wild joker, who moves first, and the order of a pile that comes back."""
    variant = find_variant("indian_pool_101")
    deck = shuffled(variant.family.deck(variant.rules), b"seed")
    sheet = variant.family.new_sheet(variant.rules, 6, 2)
    plan = sheet.next_deal()
    assert plan is not None
    hand = variant.family.deal(variant.rules, deck, plan)
    dealt = 6 * 13
    assert hand.to_act == (plan.dealer + 1) % 6
    assert hand.cards_by_place()["discard"] == (deck[dealt],)
    assert hand.view(0).wild_card == deck[dealt + 1]
    assert hand.cards_by_place()["stock"] == deck[dealt + 2 :]

    while hand.view(0).stock_count:
        hand = hand.apply(action("draw:stock"))
        thrown, before = hand.legal_actions()[0], hand
        if before.view(0).stock_count:
            hand = before.apply(thrown)
    names: dict[str, Any] = {"hashlib": hashlib, "deck": deck, "k": 1}
    names["pile"] = before.cards_by_place()["discard"]
    exec(blocks("python")[2], names)

    after = before.apply(thrown).cards_by_place()
    assert after["stock"] == tuple(names["stock"])
    assert after["discard"] == (thrown.arg,)


def test_a_separate_knock_card_is_the_last_of_the_deck() -> None:
    """It lies in no stock; the discard pile is empty."""
    variant = find_variant("oklahoma_separate")
    deck = shuffled(variant.family.deck(variant.rules), b"seed")
    sheet = variant.family.new_sheet(variant.rules, 2, 0)
    plan = sheet.next_deal()
    assert plan is not None
    hand = variant.family.deal(variant.rules, deck, plan)

    assert hand.view(0).knock_card == deck[-1]
    assert hand.cards_by_place()["stock"] == deck[20:-1]
    assert hand.view(0).discard_pile == ()


def test_groups_of_a_declaration_mean_what_is_told() -> None:
    """An empty list groups nothing, which is a wrong declaration; an empty group is no answer."""
    variant = find_variant("indian_points")
    deck = shuffled(variant.family.deck(variant.rules), b"seed")
    sheet = variant.family.new_sheet(variant.rules, 2, 0)
    plan = sheet.next_deal()
    assert plan is not None
    hand = variant.family.deal(variant.rules, deck, plan).apply(action("draw:stock"))
    declare = next(one for one in hand.legal_actions() if one.kind is ActionKind.DECLARE)

    def answer(melds: object) -> ReplyItem | object:
        body = json.dumps({"id": "m-1-1-1", "action": declare.id, "melds": melds}).encode()
        return parse_act_reply(body, ["m-1-1-1"], {"m-1-1-1": [declare.id]})["m-1-1-1"]

    nothing = answer([])
    assert isinstance(nothing, ReplyItem)
    wrong = hand.apply(declare, nothing.melds).outcome
    assert wrong is not None
    assert (wrong.ending, max(wrong.points)) == (Ending.WRONG_DECLARATION, 80)
    assert getattr(answer([[]]), "code", None) is FaultCode.SCHEMA
    with pytest.raises(IllegalAction, match="more often than it is among the cards left"):
        hand.apply(declare, ((declare.arg,) * 3,))


VECTORS = json.loads(FOLDER.joinpath("vectors", "deals.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["variant"]))
def test_the_deal_vectors_hold(vector: dict[str, Any]) -> None:
    """Secret, commitment, deal seed and order of the deck belong together."""
    secret = bytes.fromhex(vector["secret"])
    variant = find_variant(vector["variant"])
    seed = deal_seed(secret, vector["deal_key"], vector["game"], vector["hand"])

    assert commitment_of(secret) == vector["commitment"] == hashlib.sha256(secret).hexdigest()
    assert seed.hex() == vector["seed"]
    assert "".join(shuffled(variant.family.deck(variant.rules), seed)) == vector["cards"]


def test_the_signature_shown_verifies() -> None:
    """The worked example is accepted by the arena's own verifier."""
    names: dict[str, Any] = {"base64": base64, "hmac": hmac}
    exec(blocks("python")[3], names)
    id, stamp, _ = names["text"].decode().split(".", 2)
    secret = re.findall(r"whsec_[A-Za-z0-9+/=]+", blocks("python")[3])[0]
    headers = {"webhook-id": id, "webhook-timestamp": stamp}

    verifier = Verifier(secret, now=lambda: float(stamp))
    found = verifier.verify(headers | {"webhook-signature": names["signature"]}, names["body"])

    assert found == id


def test_the_fields_of_a_decision_stand_in_its_order() -> None:
    """The table follows the message, so that both can be read side by side."""
    section = README.partition("| field of a decision |")[2].partition("\n\n")[0]
    cells = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]

    listed = [word for cell in cells for word in re.findall(r"`(\w+)`", cell)]
    assert listed == list(schemas.documents()["decision"]["properties"])


def test_a_declaration_that_would_be_wrong_is_legal_and_said_to_be() -> None:
    """Every card may be declared with; that is told where it says that legal is all one needs."""
    variant = find_variant("indian_points")
    hand, context = deal(variant, 2, "declared", match="m_declared")
    moment = moment_of(moment_of(hand, context).after("draw:stock"), context)
    declared = {action.arg for action in moment.legal if action.kind is ActionKind.DECLARE}

    assert declared == set(moment.request["cards"])
    assert "**whether the thirteen hold or not**" in README
    assert "must not declare" in README
