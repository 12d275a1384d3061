"""What goes out is checked and strict JSON; what comes in becomes values."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest

from arena.referee.asks import Answer
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.messages import (
    BotInfo,
    ReplyItem,
    act_body,
    end_body,
    parse_act_reply,
    parse_info,
    start_body,
)
from arena.wire.schemas import InvalidMessage
from tests.wire.protocol_examples import Example, examples

START = cast(dict[str, Any], next(one.value for one in examples("valid") if one.message == "start"))
A, B, C = "m_a-1-1-0", "m_b-1-1-0", "m_c-1-1-0"


def said(value: object, *ids: str, **more: Any) -> dict[str, ReplyItem | BotFault]:
    """What a reply with this value says about these requests."""
    return parse_act_reply(json.dumps(value).encode(), ids or (A,), **more)


def code(verdict: ReplyItem | BotFault) -> FaultCode:
    """The code of a verdict that must be a fault."""
    assert isinstance(verdict, BotFault)
    assert verdict.detail
    return verdict.code


def valid(message: str) -> list[Example]:
    """The valid examples of a message."""
    return [example for example in examples("valid") if example.message == message]


@pytest.mark.parametrize("example", valid("act_request"), ids=repr)
def test_requests_travel_as_they_are(example: Example) -> None:
    """The body of a request is the example, read back by any JSON parser."""
    request = cast(dict[str, Any], example.value)

    assert json.loads(act_body(request["requests"])) == request


@pytest.mark.parametrize("example", [*valid("start"), *valid("end")], ids=repr)
def test_advice_travels_as_it_is(example: Example) -> None:
    """So do the bodies of the advisory calls."""
    body_of = start_body if example.message == "start" else end_body

    assert json.loads(body_of(cast(dict[str, Any], example.value))) == example.value


def test_nothing_invalid_leaves() -> None:
    """A message that its schema forbids is the arena's own bug and is never sent."""
    request = cast(dict[str, Any], valid("act_request")[0].value)["requests"][0]

    for wrong in (
        [],
        [request] * 65,
        [{**request, "stock": ["2C"]}],
        [{**request, "deadline_ms": 0}],
    ):
        with pytest.raises(InvalidMessage, match="act_request"):
            act_body(wrong)
    with pytest.raises(InvalidMessage, match="'protocol' is missing"):
        start_body({key: value for key, value in START.items() if key != "protocol"})
    with pytest.raises(InvalidMessage, match="'event', 'game' and 7 more are missing"):
        end_body({})


def test_rules_that_are_known_to_be_valid_hide_nothing() -> None:
    """An object is checked once; what is wrong beside it, or with another, is still found."""
    request = cast(dict[str, Any], valid("act_request")[0].value)["requests"][0]
    for _ in range(2):
        assert json.loads(act_body([request]))["requests"] == [request]

    for wrong in (
        {**request, "turn": -1},
        {**request, "rules": {**request["rules"], "Not a name": 1}},
        {name: value for name, value in request.items() if name != "rules"},
    ):
        with pytest.raises(InvalidMessage, match="act_request"):
            act_body([request, wrong])


def test_info_becomes_a_value() -> None:
    """Everything a bot says of itself, numbers as integers and the colour in lower case."""
    info = {
        **{"protocols": ["1.1", "1.0"], "name": "N", "author": "A", "version": "2"},
        **{"games": ["gin", "indian"], "max_batch": 8.0, "max_concurrency": 2},
        **{"color": "#AABBCC", "homepage": "https://example.org/"},
    }

    found = parse_info(json.dumps(info).encode())

    assert found == BotInfo(
        name="N",
        author="A",
        version="2",
        games=("gin", "indian"),
        max_batch=8,
        max_concurrency=2,
        protocols=("1.1", "1.0"),
        color="#aabbcc",
        homepage="https://example.org/",
    )
    assert type(found.max_batch) is int
    assert found.plays("oklahoma", "gin")
    assert not found.plays("mahjong")


@pytest.mark.parametrize("example", valid("info"), ids=repr)
def test_valid_info_is_understood(example: Example) -> None:
    """Whatever the schema allows, the code accepts."""
    info = parse_info(json.dumps(example.value).encode())

    assert info.name == cast(dict[str, Any], example.value)["name"]


@pytest.mark.parametrize(
    "example", [one for one in examples("invalid") if one.message == "info"], ids=repr
)
def test_invalid_info_is_refused(example: Example) -> None:
    """Whatever the schema forbids, the code refuses, with a sentence."""
    with pytest.raises(BotFault, match=r".+; .+") as caught:
        parse_info(json.dumps(example.value).encode())

    beyond = "1e308" in example.name  # which strict JSON refuses before the schema is asked
    assert caught.value.code is (FaultCode.BAD_JSON if beyond else FaultCode.SCHEMA)


def test_star_plays_everything() -> None:
    """A bot that says `*` plays whatever it is asked."""
    assert BotInfo("N", "A", "1", ("*",), 1, 1).plays("anything")


def test_an_answer_becomes_an_item() -> None:
    """Action, melds as tuples, and the note."""
    reply = {
        "answers": [
            {"id": A, "action": "knock:KS", "melds": [["7H", "8H", "9H"]], "note": "6 left"}
        ]
    }

    assert said(reply) == {A: ReplyItem("knock:KS", (("7H", "8H", "9H"),), "6 left")}


def test_an_item_makes_an_answer_of_the_referee() -> None:
    """The fields of an item are those of the referee's answer, in its order."""
    answer = Answer(*ReplyItem("pass", None, "hm"), elapsed_ms=3.0)

    assert (answer.action, answer.melds, answer.note) == ("pass", None, "hm")


def test_a_bare_answer_will_do() -> None:
    """For one decision the list may be left out."""
    assert said({"id": A, "action": "pass"}) == {A: ReplyItem("pass", None, None)}


def test_null_is_the_same_as_leaving_out() -> None:
    """Languages that write absent values as null need no special care."""
    reply = {"id": A, "action": "pass", "melds": None, "note": None}

    assert said(reply) == {A: ReplyItem("pass", None, None)}


def test_no_melds_is_another_thing_than_melds_left_out() -> None:
    """An empty list shows everything as deadwood."""
    assert said({"id": A, "action": "knock:KS", "melds": []}) == {
        A: ReplyItem("knock:KS", (), None)
    }


def test_the_order_of_answers_is_free() -> None:
    """Verdicts come in the order of the requests."""
    found = said({"answers": [{"id": B, "action": "pass"}, {"id": A, "action": "drop"}]}, A, B)

    assert list(found.items()) == [
        (A, ReplyItem("drop", None, None)),
        (B, ReplyItem("pass", None, None)),
    ]


@pytest.mark.parametrize(
    "broken",
    [
        {"id": B},
        {"id": B, "action": None},
        {"id": B, "action": []},
        {"id": B, "action": 7},
        {"id": B, "action": ""},
        {"id": B, "action": "x" * 10_000},
        {"id": B, "action": "pass", "meld": []},
        {"id": B, "action": "pass", "note": "x" * 257},
        {"id": B, "action": "knock:KS", "melds": [["5H\n"]]},
        {"id": B, "action": "knock:KS", "melds": "7H8H9H"},
    ],
)
def test_a_malformed_answer_costs_only_its_own_decision(broken: object) -> None:
    """The others of the batch are played."""
    found = said({"answers": [{"id": A, "action": "pass"}, broken]}, A, B)

    assert found[A] == ReplyItem("pass", None, None)
    assert code(found[B]) is FaultCode.SCHEMA


def test_a_missing_answer_is_an_unknown_id() -> None:
    """What nobody answered is named."""
    found = said({"answers": [{"id": A, "action": "pass"}]}, A, B)

    assert found[A] == ReplyItem("pass", None, None)
    assert code(found[B]) is FaultCode.UNKNOWN_ID
    assert B in str(found[B])


def test_an_answer_to_another_question_is_an_unknown_id() -> None:
    """The answer of the previous turn is not taken for one of this, and the sentence shows it."""
    strays: list[str] = []

    found = said({"id": C, "action": "pass"}, A, strays=strays)

    assert code(found[A]) is FaultCode.UNKNOWN_ID
    assert C in str(found[A])
    assert strays == [C]


def test_an_answer_too_many_changes_nothing() -> None:
    """It is only reported."""
    strays: list[str] = []
    reply = {"answers": [{"id": C, "action": "pass"}, {"id": A, "action": "pass"}]}

    assert said(reply, A, strays=strays) == {A: ReplyItem("pass", None, None)}
    assert strays == [C]


def test_two_answers_to_one_question_count_for_none() -> None:
    """Even equal ones: which was meant is not for the arena to guess."""
    reply = {"answers": [{"id": A, "action": "pass"}] * 2 + [{"id": B, "action": "pass"}]}

    found = said(reply, A, B)

    assert code(found[A]) is FaultCode.SCHEMA
    assert "two answers" in str(found[A])
    assert found[B] == ReplyItem("pass", None, None)


def test_three_answers_are_no_better_than_two() -> None:
    """The third does not bring the first back."""
    found = said({"answers": [{"id": A, "action": "pass"}] * 3}, A)

    assert code(found[A]) is FaultCode.SCHEMA


@pytest.mark.parametrize(
    "nameless", [7, None, [], {}, {"action": "pass"}, {"id": 7, "action": "x"}]
)
def test_an_answer_without_a_name_is_a_breach_of_the_schema(nameless: object) -> None:
    """Not merely missing: the author is told what is wrong with it."""
    found = said({"answers": [nameless]}, A)

    assert code(found[A]) is FaultCode.SCHEMA
    assert "answers/0" in str(found[A])


@pytest.mark.parametrize(
    "reply",
    [
        None,
        [],
        "pass",
        7,
        True,
        {},
        {"answers": None},
        {"answers": {}},
        {"answers": []},
        {"answers": [{"id": A, "action": "pass"}], "note": "x"},
        {"answers": [{"id": A, "action": "pass"}] * 65},
    ],
)
def test_a_reply_without_answers_costs_every_decision(reply: object) -> None:
    """The envelope is wrong, so nothing in it can be trusted."""
    found = said(reply, A, B)

    assert [code(verdict) for verdict in found.values()] == [FaultCode.SCHEMA] * 2
    assert found[A] is not found[B]


def test_a_word_that_is_no_action_is_illegal_only_where_legal_is_known() -> None:
    """Well-formed but not offered: for the referee to judge, or here when told what was legal."""
    reply = {"id": A, "action": "discard:7K"}

    assert said(reply) == {A: ReplyItem("discard:7K", None, None)}
    found = said(reply, A, legal_by_id={A: ["draw:stock", "discard:7D"]})
    assert code(found[A]) is FaultCode.ILLEGAL
    assert "did you mean 'discard:7D'?" in str(found[A])


@pytest.mark.parametrize("action", ["sideways", "pass\n", "PASS", " pass", "discard:5H\n", "\0"])
def test_an_action_is_legal_letter_by_letter(action: str) -> None:
    """No trimming, no other case, no line break."""
    found = said({"id": A, "action": action}, A, legal_by_id={A: {"pass", "discard:5H"}})

    assert code(found[A]) is FaultCode.ILLEGAL
    assert "\n" not in str(found[A])


def test_notes_are_one_printable_line() -> None:
    """Line breaks, control and direction marks become spaces; letters and symbols stay."""
    found = said({"id": A, "action": "pass", "note": "a\nb\0c\u202ed ♠ é"})

    assert found[A] == ReplyItem("pass", None, "a b c d ♠ é")


@pytest.mark.parametrize("example", valid("act_reply"), ids=repr)
def test_valid_replies_are_understood(example: Example) -> None:
    """Whatever the schema allows, the code accepts: every answer in it has its item."""
    reply = cast(dict[str, Any], example.value)
    answers = reply.get("answers", [reply])

    found = said(reply, *(answer["id"] for answer in answers))

    assert [verdict.action for verdict in found.values() if isinstance(verdict, ReplyItem)] == [
        answer["action"] for answer in answers
    ]


@pytest.mark.parametrize(
    "example", [one for one in examples("invalid") if one.message == "act_reply"], ids=repr
)
def test_invalid_replies_cost_something(example: Example) -> None:
    """Whatever the schema forbids is a fault of some decision, never an exception."""
    found = said(example.value, "m_k7q2mzx4p6ryt3ab-1-3-12")

    nobody = example.name in ("id-empty.json", "id-too-long.json")
    expected = FaultCode.UNKNOWN_ID if nobody else FaultCode.SCHEMA
    assert [code(verdict) for verdict in found.values()] == [expected]
