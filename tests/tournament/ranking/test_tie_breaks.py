"""Equal points: what decides, in which order, and that it is named."""

from __future__ import annotations

from arena.tournament.model import Fixture, FixtureKey
from arena.tournament.ranking.standings import (
    TableRules,
    standings,
)
from arena.tournament.ranking.tie_breaks import SWISS_CHAIN, TieBreak, drawn_lot
from tests.tournament.results import bye_result, result
from tests.tournament.tabling import NAMES, RULES, SECRET, A, B, C, D, order, table


def test_a_cycle_of_three_is_decided_by_the_chain() -> None:
    """A>B>C>A and all beat D: the direct encounter's points decide, D is fourth."""
    cycle = [
        result((A, B), A, points=(110, 20)),
        result((B, C), B, points=(105, 90)),
        result((C, A), C, points=(101, 80)),
    ]
    rows = table([*cycle, *(result((x, D), x) for x in (A, B, C))])

    assert order(rows) == [A, C, B, D]
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert [row.decided_by for row in rows] == [TieBreak.DIRECT_POINTS] * 3 + [None]


def test_all_meetings_count_in_the_direct_encounter() -> None:
    """A beats B by 10, B beats A by 60: B is ahead."""
    rows = table(
        [
            result((A, B), A, points=(100, 90), key=FixtureKey("x", 1, 1)),
            result((B, A), B, points=(100, 40), key=FixtureKey("x", 1, 1, 1)),
        ]
    )

    assert order(rows)[:2] == [B, A]
    assert [row.decided_by for row in rows[:2]] == [TieBreak.DIRECT_POINTS] * 2


def test_direct_encounter_is_the_reason_only_where_it_was_not_level() -> None:
    """Level on points: B won the match of the two, and hand points had no say."""
    rows = table([result((A, B), B), result((A, C), A)])

    assert order(rows)[:2] == [B, A]
    assert [row.decided_by for row in rows[:2]] == [TieBreak.DIRECT_ENCOUNTER] * 2


def test_direct_encounter_is_skipped_unless_all_tied_have_met() -> None:
    """A and B have not met: the game difference decides."""
    rows = table([result((A, C), A, games=(3, 2)), result((B, D), B, games=(3, 0))])

    assert order(rows)[:2] == [B, A]
    assert rows[0].decided_by == TieBreak.GAME_DIFFERENCE


def test_the_chain_starts_again_for_those_still_level() -> None:
    """Four level; one has met none of the others and is ahead by games; then the cycle of the
    other three is decided by their direct encounter, which had to be skipped at first."""
    results = [
        result((A, B), A, points=(100, 20)),
        result((B, D), B, points=(100, 50)),
        result((D, A), D, points=(100, 90)),
        result((C, 4), C, games=(2, 0)),
    ]
    rows = standings({**NAMES, 4: "eve"}, results, RULES, SECRET)

    assert [(row.entrant, row.decided_by) for row in rows[:4]] == [
        (C, TieBreak.GAME_DIFFERENCE),
        (A, TieBreak.DIRECT_POINTS),
        (B, TieBreak.DIRECT_POINTS),
        (D, TieBreak.DIRECT_POINTS),
    ]


def test_sonneborn_berger_values_wins_against_the_strong() -> None:
    """Level on points and games and not having met: who beat the stronger opponent is ahead."""
    rows = standings(
        {**NAMES, 4: "eve"},
        [result((A, C), A), result((B, D), B), result((D, 4), D)],
        RULES,
        SECRET,
    )

    assert order(rows)[:1] == [B]
    assert dict(rows[0].tie_breaks)[TieBreak.SONNEBORN_BERGER] == 1.0
    assert rows[0].decided_by == TieBreak.SONNEBORN_BERGER


def test_buchholz_counts_a_bye_as_an_equal_opponent() -> None:
    """In a Swiss table a bye is a win, and an opponent with one's own points."""
    bye = bye_result(Fixture(FixtureKey("swiss", 1, 2), (A,), "swiss/1/2", 0))
    rules = TableRules(chain=SWISS_CHAIN, bye_points=1.0)
    rows = standings(NAMES, [bye, result((B, C), B)], rules, SECRET)

    ann = next(row for row in rows if row.entrant == A)

    assert (ann.match_points, ann.played, ann.byes, ann.games, ann.hands) == (1.0, 0, 1, 0, 0)
    assert dict(ann.tie_breaks)[TieBreak.BUCHHOLZ] == 1.0


def test_a_bye_counts_nothing_in_a_league() -> None:
    """No points, no match, no games."""
    bye = Fixture(FixtureKey("round_robin", 1, 1), (A,), "round_robin/1/1", 0)
    rows = table([bye_result(bye)])

    ann = next(row for row in rows if row.entrant == A)

    assert (ann.match_points, ann.played, ann.games, ann.hands, ann.byes) == (0.0, 0, 0, 0, 1)


def test_untouched_entrants_are_ordered_by_the_drawn_lot() -> None:
    """Nothing played: the lot decides, and another secret draws another order."""
    orders = {
        tuple(order(standings(NAMES, [], RULES, secret.to_bytes(32)))) for secret in range(60)
    }
    rows = table([])

    assert order(rows) == sorted(NAMES, key=lambda e: drawn_lot(SECRET, NAMES[e]), reverse=True)
    assert {row.decided_by for row in rows} == {TieBreak.LOT}
    assert len(orders) > 15
    assert all(row.points_per_hand is None for row in rows)


def test_the_drawn_lot_is_the_same_in_every_process() -> None:
    """A fixed value: no hash of the interpreter is involved."""
    assert drawn_lot(SECRET, "ann") == 0x9419A5951A5F47E9
    assert drawn_lot(SECRET, "ann") != drawn_lot(SECRET, "bob")
