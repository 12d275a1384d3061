"""The last picture of a hand agrees with its result: melds, layoffs in their places, counts."""

from __future__ import annotations

import pytest

from arena.rules.base import ActionKind, Ending, action
from arena.rules.deal import shuffled
from arena.rules.games import find_variant
from arena.rules.melds import meld_tables
from arena.rules.record import HandRecord, Play, parse
from arena.site.hands.hand_chart import deadwood_chart, score_chart
from arena.site.hands.replay import deadwood_text, frames
from arena.site.hands.showdown import placed, result_text
from arena.store import Store
from arena.tournament.model import FormatOptions
from tests.site.playing import play

LOW = meld_tables("low", 1)
CORNER = meld_tables("corner", 15)


def test_layoffs_extend_the_melds_they_fit() -> None:
    """A fourth of a rank, a card at either end, and one that needs another beside it."""
    melds = (("4H", "5H", "6H"), ("9C", "9D", "9H"))

    assert placed(melds, ("9S", "3H", "2H", "7H"), LOW) == (
        ("2H", "3H", "4H", "5H", "6H", "7H"),
        ("9C", "9D", "9H", "9S"),
    )


def test_card_that_fits_two_melds_leaves_room_for_the_others() -> None:
    """The eight could join the set, but the nine needs it on the run."""
    melds = (("8C", "8D", "8S"), ("5H", "6H", "7H"))

    assert placed(melds, ("8H", "9H"), LOW) == (
        ("8C", "8D", "8S"),
        ("5H", "6H", "7H", "8H", "9H"),
    )


def test_layoffs_go_round_the_corner() -> None:
    """An ace and a two go on after the king."""
    assert placed((("JS", "QS", "KS"),), ("2S", "AS"), CORNER) == (("JS", "QS", "KS", "AS", "2S"),)


def test_points_have_words() -> None:
    """Points of winners and losers, and penalties where fewer are better."""
    assert result_text(Ending.KNOCK, 27) == "+27 points"
    assert result_text(Ending.KNOCK, 0) == "no points"
    assert result_text(Ending.UNDERCUT, -10) == "−10 points"
    assert result_text(Ending.DECLARED, 1) == "1 penalty point"


def test_deadwood_tells_what_the_best_throw_leaves() -> None:
    """After a draw a card is still to be thrown; a throw is compared with the best one."""
    assert deadwood_text(ActionKind.DRAW, 72, 64, True) == "72 → 64 after the best throw"
    assert deadwood_text(ActionKind.DISCARD, 64, 72, False) == "72, the best leaves 64"
    assert deadwood_text(ActionKind.DISCARD, 64, 64, False) == "64, the best throw"
    assert deadwood_text(ActionKind.PASS, 30, 30, False) == "30"


@pytest.mark.parametrize(
    ("rules", "seats"),
    [("gin", 2), ("round_the_corner", 2), ("battle_royal", 3), ("mahjong", 2), ("teams", 4),
     ("indian_points", 3), ("indian_pool_101", 4)],
)  # fmt: skip
def test_showdown_agrees_with_the_result(rules: str, seats: int, store: Store) -> None:
    """Every card shown lies in the last frame once, layoffs on melds; counts are the referee's."""
    options = FormatOptions(games=1, table_size=seats, fewer_points_win="indian" in rules)
    id = play(
        store, "one", [f"bot {n}" for n in range(seats)], rules=rules, matches=1,
        format="tables" if seats > 2 else "round-robin", options=options,
    )  # fmt: skip
    rows = [hand for f in store.fixtures.of(id) for hand in store.hands.of(f.id)]

    assert rows
    for row in rows:
        record = parse(row.record)
        made, outcome = frames(record, row.times, names=["a", "b", "c", "d"])
        last = made[-1]
        assert last.showdown
        assert last.action is None
        held = [
            card
            for one in last.hands
            for card in (*one.loose, *(c for meld in (*one.melds, *one.table) for c in meld))
        ]
        before = [
            card
            for one in made[-2].hands
            for card in (*one.loose, *(c for meld in (*one.melds, *one.table) for c in meld))
        ]
        assert sorted(held) == sorted(before)
        for one, shown in zip(last.hands, outcome.shown, strict=True):
            assert one.value == shown.value
            assert one.laid_off == shown.laid_off
        laid_on = sorted(card for one in last.hands for card in one.laid_on)
        assert laid_on == sorted(card for one in last.hands for card in one.laid_off)


def test_wrong_declaration_stays_open_as_it_was_grouped() -> None:
    """Every card of the offender is shown once, in the groups it stated, from then to the end."""
    variant = find_variant("indian_points")
    deck = shuffled(variant.family.deck(variant.rules), b"wrong")
    sheet = variant.family.new_sheet(variant.rules, 2, 0)
    plan = sheet.next_deal()
    assert plan is not None
    hand = variant.family.deal(variant.rules, deck, plan)
    offender = hand.to_act
    assert offender is not None
    hand = hand.apply(action("draw:stock"))
    cards = hand.view(offender).hand
    melds = (cards[1:4],)
    declared = f"declare:{cards[0]}"
    hand = hand.apply(action(declared), melds)
    assert hand.outcome is not None
    plays = [Play("draw:stock"), Play(declared, melds)]
    made, outcome = frames(HandRecord.of(variant, plan, deck, plays, hand.outcome), (1, 1))

    assert outcome.ending is Ending.WRONG_DECLARATION
    for frame in made[-2:]:
        held = frame.hands[offender]
        assert held.table == ()
        assert [sorted(meld) for meld in held.melds] == [sorted(melds[0])]
        assert sorted((*held.melds[0], *held.loose)) == sorted(cards[1:])
    assert made[-1].hands[offender].result == f"{outcome.points[offender]} penalty points"


def test_chart_goes_with_the_frames() -> None:
    """A line for each position from the first count to the last, down where the deadwood falls."""
    variant = find_variant("gin")
    deck = shuffled(variant.family.deck(variant.rules), b"chart")
    sheet = variant.family.new_sheet(variant.rules, 2, 0)
    plan = sheet.next_deal()
    assert plan is not None
    hand = variant.family.deal(variant.rules, deck, plan)
    plays = []
    while hand.to_act is not None:
        play = Play(hand.safe_action()[0].id)
        hand = hand.apply(action(play.action))
        plays.append(play)
    assert hand.outcome is not None
    made, _ = frames(HandRecord.of(variant, plan, deck, plays, hand.outcome), ())
    chart = deadwood_chart(made, ["ann", "bob"], 10)

    assert chart is not None
    assert chart.width == (len(made) - 1) * chart.unit
    assert 300 < chart.width <= 600
    for position, (name, line) in enumerate(zip(("ann", "bob"), chart.lines, strict=True)):
        first, last = made[0].hands[position].value, made[-1].hands[position].value
        assert line.text == f"{name} from {first} to {last}"
        assert line.path.endswith(f"H{chart.width}")
        start = float(line.path[1:].split("H")[0].split("V")[0].split()[1])
        assert (line.end > start) == (last < first)
    assert chart.limit is not None
    assert 0 < chart.limit < chart.height
    assert deadwood_chart(made[:1], ["ann", "bob"], 10) is None


def test_score_of_a_game_is_drawn_from_its_start_to_its_end() -> None:
    """A line for each side: chips begin with what everybody has, partners have one line."""
    gin, teams = find_variant("gin"), find_variant("teams")
    deals = find_variant("indian_deals_2")
    sides = ((0, 2), (1, 3))
    game = score_chart(gin, [((17,), (0,)), ((17,), (108,))], ((0,), (1,)), ["ann", "bob"])
    team = score_chart(teams, [((0,), (9,)) * 2, ((4,), (9,)) * 2], sides, ["a", "b", "c", "d"])
    chips = score_chart(deals, [((150,), (170,))] * 2, ((0,), (1,)), ["ann", "bob"])

    assert game is not None
    assert [line.text for line in game.lines] == ["ann from 0 to 17", "bob from 0 to 108"]
    assert (game.width, game.unit, game.limit_text) == (600, 200, "100 ends the game")
    assert game.lines[1].path.startswith("M0 ")
    assert game.lines[1].path.endswith("H600")
    assert game.limit is not None
    assert game.lines[1].end < game.limit < game.lines[0].end
    assert team is not None
    assert [line.text for line in team.lines] == ["a + c from 0 to 4", "b + d from 0 to 9"]
    assert chips is not None
    assert chips.lines[0].text == "ann from 160 to 150"
    assert score_chart(gin, [((17,), (0,))], ((0,), (1,)), ["ann", "bob"]) is None
