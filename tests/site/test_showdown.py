"""The last picture of a hand agrees with its result: melds, layoffs in their places, counts."""

from __future__ import annotations

import pytest

from arena.rules.base import ActionKind, Ending
from arena.rules.melds import meld_tables
from arena.rules.record import parse
from arena.site.replay import deadwood_text, frames
from arena.site.showdown import placed, result_text
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
