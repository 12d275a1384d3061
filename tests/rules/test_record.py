"""Records: complete, readable, replayable, and precise about what is wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InvalidRecord
from arena.rules.base import DealPlan, Ending, HandOutcome, Shown
from arena.rules.cards import NAMES, parse_cards
from arena.rules.deal import shuffled
from arena.rules.games import variant_with
from arena.rules.gin.family import FAMILY
from arena.rules.gin.rules import GinRules
from arena.rules.record import (
    HandRecord,
    Play,
    final_hand,
    parse,
    replay,
    result_text,
    verify,
    write,
)
from tests.bench.bench_rules import simple
from tests.rules.build import deck_for
from tests.rules.records import GIN_VARIANTS, played


def without_sentence(record: HandRecord) -> HandRecord:
    """The record as it can be read back."""
    return replace(record, outcome=replace(record.outcome, sentence=""))


@settings(deadline=None, max_examples=200)
@given(
    name=st.sampled_from([variant.name for variant in GIN_VARIANTS]),
    seed=st.integers(0, 2**60),
    dealer=st.integers(0, 1),
)
def test_record_reads_back_and_replays_to_the_same_result(
    name: str, seed: int, dealer: int
) -> None:
    """Written, read, replayed: the same record, the same outcome with its sentence."""
    record = played(name, seed, dealer)
    text = write(record)
    back = parse(text)

    assert back == without_sentence(record)
    assert write(back) == text
    assert verify(back) == record.outcome
    assert "\n" not in text
    assert text.isascii()


def test_changed_settings_travel_with_the_record() -> None:
    """Name and changes name the rules; the replay is played by them."""
    changes: dict[str, object] = {"knock_limit": 3, "big_gin_bonus": None, "undercut_on_tie": False}
    record = played("gin", 5, changes=changes)
    text = write(record)

    assert text.startswith(
        'H1 gin{"big_gin_bonus":null,"knock_limit":3,"undercut_on_tie":false} 0*,1 '
    )
    assert verify(parse(text)) == record.outcome


def test_usual_hand_fits_in_300_bytes() -> None:
    """Ninety of a hundred hands between two simple players are that short."""
    rules = GinRules()
    sizes = []
    for number in range(100):
        deck = shuffled(NAMES, number.to_bytes(4, "big"))
        plan = DealPlan((0, 1), number % 2)
        hand = FAMILY.deal(rules, deck, plan)
        plays = []
        while hand.to_act is not None:
            chosen = simple(hand.view(hand.to_act), hand.legal_actions())
            plays.append(Play(chosen.id))
            hand = hand.apply(chosen)
        assert hand.outcome is not None
        record = HandRecord.of(variant_with("gin"), plan, deck, plays, hand.outcome)
        sizes.append(len(write(record).encode()))

    assert sorted(sizes)[90] <= 300


DECK = deck_for(
    parse_cards("4S5S6S 9C9D9H KCKDKH QD"), parse_cards("AC 3D 5H 7S TC JD QH 2S 4C 6D"), "4D"
)
LINE = (
    f"H1 gin 0,1* {''.join(DECK)} uk!timeout".replace(
        "uk!timeout", "ukQD[4S5S6S,9C9D9H,KCKDKH]!timeout"
    )
    + " = knock 47,0 w0 k0 9C9D9H,KCKDKH,4S5S6S+4D=4 +AC4CTC3D6DJD5HQH2S>7S=51"
)


def test_line_of_a_known_hand() -> None:
    """What a record looks like, character by character."""
    record = parse(LINE)
    outcome = verify(record)

    assert write(record) == LINE
    assert record.plays == (
        Play("draw:discard"),
        Play(
            "knock:QD",
            (("4S", "5S", "6S"), ("9C", "9D", "9H"), ("KC", "KD", "KH")),
            "timeout",
        ),
    )
    assert outcome.sentence == "P0 knocks with 4; P1 lays off 7S, left with 51: 47 points to P0"


def test_replay_yields_every_state() -> None:
    """From the deal to the end, one state more than there are plays."""
    record = played("gin", 3)
    states = list(replay(record))

    assert len(states) == len(record.plays) + 1
    assert [state.turn for state in states] == list(range(len(states)))
    assert states[-1].outcome == final_hand(record).outcome == record.outcome


def test_forfeited_hand_keeps_the_result_of_the_referee() -> None:
    """A hand cut short by a forfeit has no result of its own; its plays are still checked."""
    record = played("gin", 3)
    outcome = HandOutcome(Ending.FORFEIT, (0, 0), 1, (), "")
    cut = replace(record, plays=record.plays[:2], outcome=outcome)

    assert verify(parse(write(cut))) == outcome
    wrong = replace(cut, plays=(Play("draw:stock"),))
    with pytest.raises(InvalidRecord, match="step 1: draw:stock is not allowed"):
        verify(parse(write(wrong)))


def test_actions_of_other_games_travel_by_their_id() -> None:
    """Takes, melds, declarations and jokers need no code of their own."""
    plays = (
        Play("take:3"),
        Play("meld:7H8H9H"),
        Play("add:TH:0", late=True),
        Play("draw:under"),
        Play("discard:JK"),
        Play("draw:stock", fault="reset"),
        Play("declare:7H", (("5H", "JK", "7H"), ("KS", "KD", "KH")), "timeout"),
        Play("drop"),
    )
    outcome = HandOutcome(
        Ending.WRONG_DECLARATION,
        (80, -2, 0),
        None,
        (Shown((), ("JK", "5H"), (), 80), Shown((("5H", "5D", "JK"),), (), (), -2)),
        "",
    )
    record = HandRecord("x", (), DealPlan((2, 0, 1), 1), ("JK", "5H", "5H"), plays, outcome)
    text = write(record)

    assert parse(text) == record
    assert text == (
        "H1 x 2,0*,1 JK5H5H take:3 meld:7H8H9H add:TH:0~ draw:under JK s!reset "
        "declare:7H[5HJK7H,KSKDKH]!timeout drop = "
        "wrong_declaration 80,-2,0 w- +JK5H=80 5H5DJK=-2"
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_line_end_does_not_matter(end: str) -> None:
    """A line from a file may keep its end."""
    assert write(parse(LINE + end)) == LINE


AT_DECK = len("H1 gin 0,1* ") + 1
AT_STEP = AT_DECK + 104 + 1
AT_RESULT = LINE.index(" = ") + 4


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "nothing where the format H1 should stand"),
        ("H2 gin", 1, "'H2' is no format"),
        ("H1", 3, "the line ends where the game"),
        (LINE.replace("gin", "Gin", 1), 4, "'Gin' is no name of a game"),
        (LINE.replace("gin", "gin{", 1), 7, "JSON object"),
        (LINE.replace("gin", "gin[1]", 1), 7, "JSON object"),
        (LINE.replace("gin", "gin" + "[" * 5000, 1), 7, "JSON object"),
        (LINE.replace("0,1*", "0,1"), 8, "exactly one seat"),
        (LINE.replace("0,1*", "0*,1*"), 8, "exactly one seat"),
        (LINE.replace("0,1*", "a,b*"), 8, "are no seats"),
        (LINE.replace("0,1* ", "0,1*  "), 13, "nothing where the deck"),
        (LINE[: AT_DECK + 3] + "XX" + LINE[AT_DECK + 5 :], AT_DECK + 4, "'XX' is no card"),
        (LINE.replace("ukQD", "ukQX"), AT_STEP, "'ukQX' is no action"),
        (LINE.replace("ukQD", "fold"), AT_STEP, "'fold' is no action"),
        (LINE.replace("!timeout", "!"), AT_STEP, "is no step"),
        (LINE.replace("4S5S6S,9C", "4S5S6,9C"), AT_STEP + 9, "'6' is no card"),
        (LINE.replace("4S5S6S,9C", "4S5S6S,,9C"), AT_STEP + 12, "an empty meld"),
        (LINE[: AT_RESULT - 4], AT_RESULT - 3, "the line ends where a step or ="),
        (LINE.replace("= knock", "= won"), AT_RESULT, "'won' is no ending"),
        (LINE.replace("47,0", "47"), AT_RESULT + 6, "points of 1 positions, but 2 played"),
        (LINE.replace("47,0", "47;0"), AT_RESULT + 6, "are no points"),
        (LINE.replace("w0", "w2"), AT_RESULT + 11, "'w2' names no position"),
        (LINE.replace("k0", "k-"), AT_RESULT + 14, "'k-' names no position"),
        (LINE.replace("+4D=4", "+4D"), AT_RESULT + 17, "shows no cards"),
        (LINE + " ", len(LINE) + 2, "nothing where cards shown"),
        (LINE + "\u0665", AT_RESULT + 17 + len("9C9D9H,KCKDKH,4S5S6S+4D=4 "), "shows no cards"),
    ],
)
def test_unreadable_record_names_line_and_column(text: str, column: int, message: str) -> None:
    """The first thing that makes no sense is located exactly."""
    with pytest.raises(InvalidRecord, match=message) as caught:
        parse(text, line=7)

    assert (caught.value.line, caught.value.column) == (7, column)


@settings(max_examples=300, deadline=None)
@given(at=st.integers(0, len(LINE) - 1), letter=st.characters(max_codepoint=0x2FF))
def test_damaged_record_is_refused_or_read_never_a_crash(at: int, letter: str) -> None:
    """One character changed anywhere: `InvalidRecord` and no other error, or it checks out."""
    try:
        record = parse(LINE[:at] + letter + LINE[at + 1 :])
        outcome = verify(record)
    except InvalidRecord:
        return
    assert result_text(outcome) == result_text(record.outcome)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("knock 47,0", "knock 48,0", "the record says 'knock 48,0"),
        ("w0", "w1", "the record says"),
        ("+4D=4", "+4D=5", "the record says"),
        (">7S=51", ">7S=50", "the record says"),
        ("ukQD", "ukKD", "step 2: stated meld"),
        ("ukQD[4S5S6S,9C9D9H,KCKDKH]!timeout", "u", "its steps do not end the hand"),
        ("H1 gin ", "H1 ginn ", "'ginn' is no game; did you mean 'gin'"),
        ("H1 gin ", 'H1 gin{"knock_limit":3} ', "step 2: .*knock limit of this hand is 3"),
        ("H1 gin ", 'H1 gin{"knock_limit":99} ', "knock_limit is 99"),
        ("0,1*", "0,1,2*", "points of 2 positions"),
        ("0,1*", "0,7*", "cannot be dealt: players is 8, but two-handed gin is played by 2"),
        (DECK[0] + DECK[1], DECK[0] + DECK[0], "the deck is not the 52 cards"),
    ],
)
def test_record_that_does_not_check_out(old: str, new: str, message: str) -> None:
    """Changed points, cards, steps or rules are found by playing the hand again."""
    with pytest.raises(InvalidRecord, match=message):
        verify(parse(LINE.replace(old, new, 1)))


def test_result_text_is_what_the_record_says() -> None:
    """The result of an outcome reads as in the line."""
    assert LINE.endswith(" = " + result_text(verify(parse(LINE))))
