"""The published test vectors of Battle Royal, Cutthroat, Chouette and Mahjong gin."""

from __future__ import annotations

from typing import Any

import pytest

from arena.rules.cards import mask_of
from arena.rules.gin.rules import GinRules
from arena.rules.melds import meld_tables, stated_spread
from arena.rules.race import Race
from arena.rules.tables.chouette import chouette_net, new_chouette_sheet
from arena.rules.tables.cutthroat import FAMILY as CUTTHROAT
from arena.rules.tables.cutthroat import CutthroatSheet, cutthroat_net, cutthroat_totals
from arena.rules.tables.mahjong_rules import MahjongRules, hand_score
from arena.rules.tables.royal_rules import RoyalRules
from arena.rules.tables.royal_showdown import settle_royal
from arena.rules.tables.settings import CutthroatRules
from tests.rules.tables.playing import seat_outcome
from tests.rules.vectors import case_id, cases


@pytest.mark.parametrize("case", cases("battle_royal"), ids=case_id)
def test_battle_royal_counts_and_scores(case: Any) -> None:
    """Every position's count after direct layoffs, and what each scores."""
    given = case["input"]
    seats = list(given["hands"])
    hands = [mask_of(given["hands"][seat]) for seat in seats]
    knocker = seats.index(given["knocker"])
    rules = RoyalRules()
    spread = stated_spread(hands[knocker], given["melds_shown"], meld_tables())
    outcome = settle_royal(rules, hands, knocker, spread)
    counts = {seat: outcome.shown[at].value for at, seat in enumerate(seats)}
    assert counts == case["expected"]["counts"]
    assert dict(zip(seats, outcome.points, strict=True)) == case["expected"]["scores"]
    assert (outcome.ending == "gin") == given["gin"]


SETTLED = [case for case in cases("cutthroat") if "points" in case["input"]]
SEATED = [case for case in cases("cutthroat") if "draw" in case["input"]]
CAPTAINS = [case for case in cases("chouette") if "queue" in case["input"]]
PAID = [case for case in cases("chouette") if "partners" in case["input"]]


@pytest.mark.parametrize("case", SETTLED, ids=case_id)
def test_cutthroat_settlement(case: Any) -> None:
    """Totals and net payments, which sum to nothing."""
    given, expected = case["input"], case["expected"]
    seats = list(given["points"])
    args = (
        CutthroatRules(),
        [given["points"][seat] for seat in seats],
        [given["hands_won"][seat] for seat in seats],
        seats.index(given["winner"]),
    )
    assert dict(zip(seats, cutthroat_totals(*args), strict=True)) == expected["totals"]
    net = cutthroat_net(*args)
    assert dict(zip(seats, net, strict=True)) == expected["net"]
    assert sum(net) == 0


@pytest.mark.parametrize("case", SETTLED, ids=case_id)
def test_cutthroat_sheet_shows_the_settlement(case: Any) -> None:
    """A sheet with those points gives the same totals and payments."""
    given, expected = case["input"], case["expected"]
    seats = list(given["points"])
    points = tuple(given["points"][seat] for seat in seats)
    hands_won = tuple(given["hands_won"][seat] for seat in seats)
    winner = seats.index(given["winner"])
    before = tuple(won - (seat == winner) for seat, won in enumerate(hands_won))
    race = Race(100, 100, (0, 0, 0), before).post(points, (winner,))
    sheet = CutthroatSheet(race, CutthroatRules(), dealer=0, other=1)
    assert sheet.winners == (winner,)
    assert [line.total for line in sheet.lines] == list(expected["totals"].values())
    assert sheet.settlement() == tuple(expected["net"].values())


@pytest.mark.parametrize("case", SEATED, ids=case_id)
def test_cutthroat_seating(case: Any) -> None:
    """Who plays, who deals and who sits out, hand after hand."""
    draw = case["input"]["draw"]
    seats = [draw["low"], draw["second"], draw["high"]]
    sheet = CUTTHROAT.new_sheet(CutthroatRules(), 3, seats.index(draw["second"]))
    found = []
    for winner in [*case["input"]["hand_winners"], "end"]:
        plan = sheet.next_deal()
        assert plan is not None
        found.append(
            {
                "players": sorted(seats[seat] for seat in plan.seats),
                "dealer": seats[plan.seats[plan.dealer]],
                "idle": seats[sheet.idle],
            }
        )
        if winner != "end":
            seat = None if winner is None else seats.index(winner)
            sheet = sheet.add(seat_outcome(sheet, seat, 5))
    assert found == case["expected"]["seats"]


@pytest.mark.parametrize("case", CAPTAINS, ids=case_id)
def test_chouette_captains(case: Any) -> None:
    """The captain goes to the end of the queue after a loss only."""
    queue = case["input"]["queue"]
    sheet = new_chouette_sheet(GinRules(), len(queue) + 1, 0)
    captains = [queue[sheet.captain - 1]]
    for result in case["input"]["results"]:
        seat = {"box": 0, "team": sheet.captain, None: None}[result]
        sheet = sheet.add(seat_outcome(sheet, seat, 5))
        captains.append(queue[sheet.captain - 1])
    assert captains == case["expected"]["captains"]


@pytest.mark.parametrize("case", PAID, ids=case_id)
def test_chouette_settlement(case: Any) -> None:
    """Every partner settles the whole difference with the box."""
    given = case["input"]
    box, partner = chouette_net(given["box_total"], given["team_total"], given["partners"])
    assert box == case["expected"]["box"]
    assert partner == case["expected"]["each_partner"]
    assert box + partner * given["partners"] == 0


@pytest.mark.parametrize("case", cases("mahjong"), ids=case_id)
def test_mahjong_hand_score(case: Any) -> None:
    """Cards on the table less cards in hand, with the bonus for gin."""
    given = case["input"]
    score = hand_score(
        MahjongRules(), mask_of(given["table"]), mask_of(given["hand"]), gin=given["gin"]
    )
    assert score == case["expected"]["score"]


def test_every_vector_is_used() -> None:
    """No vector of Cutthroat and Chouette is skipped by the filters above."""
    used = [case["id"] for case in (*SETTLED, *SEATED, *CAPTAINS, *PAID)]
    assert sorted(used) == sorted(case["id"] for case in cases("cutthroat", "chouette"))
