"""Tables: points, forfeits, byes, partners, and that input order never matters."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament import match
from arena.tournament.model import FixtureKey, FixtureResult
from arena.tournament.ranking.standings import (
    BY_LOT,
    NO_HAND,
    Presence,
    TableRules,
    Winners,
    standings,
    winners_of,
)
from arena.tournament.ranking.tally import crosstable
from arena.tournament.ranking.tie_breaks import PLAIN_CHAIN, SWISS_CHAIN, TieBreak
from tests.tournament.results import result
from tests.tournament.tabling import NAMES, RULES, SECRET, A, B, C, D, order, table


def test_wins_count_one_and_draws_a_half() -> None:
    """Match points, and every count in its own unit."""
    rows = table([result((A, B), A, games=(3, 1), points=(700, 400), hands=31), result((A, C))])

    first = rows[0]

    assert (first.entrant, first.match_points) == (A, 1.5)
    assert (first.played, first.won, first.drawn, first.lost) == (2, 1, 1, 0)
    assert (first.games, first.games_won, first.games_drawn, first.games_lost) == (4, 3, 0, 1)
    assert (first.hands, first.points, first.net_points) == (41, 700, 300)
    assert first.points_per_hand == pytest.approx(300 / 41)
    assert first.decided_by is None


def test_wins_draws_and_losses_are_twice_the_fixtures() -> None:
    """Each fixture is counted once for each of its two entrants."""
    generator = random.Random(5)
    results = [
        result((a, b), generator.choice([a, b, None]), key=FixtureKey("x", a, b))
        for a in range(4)
        for b in range(4)
        if a != b
    ]

    rows = table(results)

    assert sum(row.won + row.drawn + row.lost for row in rows) == 2 * len(results)
    assert sum(row.won for row in rows) == sum(row.lost for row in rows)
    assert sum(row.match_points for row in rows) == len(results)


def test_forfeit_and_double_forfeit_are_lost() -> None:
    """Who forfeits gets nothing; of two that forfeit neither wins."""
    rows = table(
        [
            result((A, B), A, games=(0, 0), hands=0, forfeited=(B,)),
            result((C, D), None, games=(0, 0), hands=0, forfeited=(C, D)),
        ]
    )
    by_entrant = {row.entrant: row for row in rows}

    assert [by_entrant[e].match_points for e in (A, B, C, D)] == [1, 0, 0, 0]
    assert [by_entrant[e].lost for e in (A, B, C, D)] == [0, 1, 1, 1]
    assert [by_entrant[e].drawn for e in (A, B, C, D)] == [0, 0, 0, 0]
    assert [by_entrant[e].forfeits for e in (A, B, C, D)] == [0, 1, 1, 1]
    assert all(row.games == 0 for row in rows)


def test_swapping_seats_of_a_double_forfeit_changes_nothing() -> None:
    """Both unreachable: the same table whoever sat where."""
    key = FixtureKey("x", 1, 1)
    one = table([result((A, B), None, forfeited=(A, B), hands=0, key=key)])
    other = table([result((B, A), None, forfeited=(A, B), hands=0, key=key)])

    assert one == other


def test_withdrawn_keeps_its_place_and_disqualified_is_taken_out() -> None:
    """A withdrawn entrant is marked; a disqualified one has no rank and its results are void."""
    results = [result((A, B), A), result((A, C), A), result((D, A), D), result((D, B), D)]
    rows = table(results, withdrawn={A}, disqualified={D})
    by_entrant = {row.entrant: row for row in rows}

    assert (by_entrant[A].rank, by_entrant[A].presence) == (1, Presence.WITHDRAWN)
    assert (by_entrant[A].match_points, by_entrant[A].lost, by_entrant[A].byes) == (2, 0, 1)
    assert rows[-1].entrant == D
    assert (rows[-1].rank, rows[-1].presence) == (None, Presence.DISQUALIFIED)


def test_the_same_result_twice_in_a_store_counts_once() -> None:
    """Results are kept by key, so a repeated delivery is a no-op."""
    once = {item.key: item for item in [result((A, B), A)]}
    again = {**once, **{item.key: item for item in [result((A, B), A)]}}

    assert table(list(once.values())) == table(list(again.values()))


def test_fewer_points_are_better_where_points_are_penalties() -> None:
    """Level on match points: the entrant with fewer penalty points is ahead."""
    results = [
        result((A, B), None, games=(1, 1), points=(120, 90)),
    ]
    rules = TableRules(fewer_points_win=True)

    rows = standings({A: "ann", B: "bob"}, results, rules, SECRET)

    assert order(rows) == [B, A]
    assert rows[0].points_per_hand == pytest.approx(3.0)


def test_tables_of_three_score_one_for_each_opponent_left_behind() -> None:
    """Places 1, 2, 3 give 2, 1, 0; a tie shares; a forfeit gives nothing."""
    assert match.match_points(result((A, B, C), C, games=(1, 0, 2))) == (1.0, 0.0, 2.0)
    assert match.match_points(result((A, B, C), A, places=(1, 2, 2))) == (2.0, 0.5, 0.5)
    assert match.match_points(result((A, B, C), A, forfeited=(B, C))) == (2.0, 0.0, 0.0)
    lower = result((A, B, C), None, games=(1, 1, 1), points=(80, 20, 40))
    assert match.places(lower, fewer_points_win=True) == (3, 1, 2)
    assert match.places(lower) == (1, 3, 2)
    assert match.net_points(lower) == (100, -80, -20)


def test_seats_that_share_the_first_place_with_some_others_have_won() -> None:
    """Partners at a table of four win and lose together; only a match all level is drawn."""
    won = result((A, B, C, D), games=(1, 0, 1, 0), places=(1, 3, 1, 3), key=FixtureKey("t", 1, 1))
    level = result((A, B, C, D), games=(1, 1, 1, 1), places=(1,) * 4, key=FixtureKey("t", 1, 2))
    lines = {row.entrant: (row.won, row.drawn, row.lost) for row in table([won, level])}

    assert lines == {A: (1, 1, 0), C: (1, 1, 0), B: (0, 1, 1), D: (0, 1, 1)}


def test_crosstable_adds_up_all_meetings() -> None:
    """Both directions, opposite signs."""
    cells = crosstable(
        [
            result((A, B), A, points=(100, 90), key=FixtureKey("x", 1, 1)),
            result((B, A), B, points=(100, 40), key=FixtureKey("x", 1, 1, 1)),
        ],
        NAMES,
    )

    assert set(cells) == {(A, B), (B, A)}
    assert (cells[A, B].meetings, cells[A, B].won, cells[A, B].lost) == (2, 1, 1)
    assert (cells[A, B].net_points, cells[B, A].net_points) == (-50, 50)


@st.composite
def tournaments(draw: st.DrawFn) -> list[FixtureResult]:
    """Partly played double round robins of up to six with many ties."""
    n = draw(st.integers(2, 6))
    pairs = [(a, b, half) for a in range(n) for b in range(a) for half in (0, 1)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True))
    results = []
    for a, b, half in chosen:
        winner = draw(st.sampled_from([a, b, None]))
        games = draw(st.tuples(st.integers(0, 2), st.integers(0, 2)))
        points = draw(st.tuples(st.integers(0, 3), st.integers(0, 3)))
        gone = draw(st.sampled_from([(), (), (), (a,), (a, b)]))
        key = FixtureKey("x", a, b, half)
        results.append(
            result((a, b), winner, games=games, points=points, hands=3, forfeited=gone, key=key)
        )
    return results


@settings(max_examples=150, deadline=None)
@given(
    tournaments(), st.randoms(use_true_random=False), st.sampled_from([PLAIN_CHAIN, SWISS_CHAIN])
)
def test_order_does_not_depend_on_the_order_of_the_input(
    results: list[FixtureResult], generator: random.Random, chain: tuple[TieBreak, ...]
) -> None:
    """Shuffled results, renumbered entrants: the same names in the same order, a total one."""
    rules = TableRules(chain=chain)
    names = {entrant: f"bot {entrant}" for entrant in range(6)}
    renumbered = list(range(6))
    generator.shuffle(renumbered)
    moved = [
        result(
            [renumbered[e] for e in item.seats],
            None if item.winner is None else renumbered[item.winner],
            games=item.games_won,
            points=item.points,
            hands=item.hands,
            forfeited=[renumbered[e] for e in item.forfeited],
            key=item.key,
        )
        for item in results
    ]
    generator.shuffle(moved)

    before = standings(names, results, rules, SECRET)
    after = standings({renumbered[e]: name for e, name in names.items()}, moved, rules, SECRET)

    by_number = {renumbered[e]: name for e, name in names.items()}
    assert [names[row.entrant] for row in before] == [by_number[row.entrant] for row in after]
    assert [row.decided_by for row in before] == [row.decided_by for row in after]
    assert [row.rank for row in before] == list(range(1, 7))


def partnership(seats: tuple[int, ...], winners: tuple[int, ...], slot: int = 1) -> FixtureResult:
    """A match of two games between two teams of two, won 2-0."""
    side = [entrant in winners for entrant in seats]
    return result(
        seats,
        games=[2 * won for won in side],
        points=[170 if won else 40 for won in side],
        places=[1 if won else 3 for won in side],
        key=FixtureKey("tables", 1, slot),
    )


def test_partners_who_always_played_together_share_their_place() -> None:
    """Nothing was played that could tell them apart, so no lot does; the team has won."""
    rows = table([partnership((A, B, C, D), (A, C)), partnership((B, C, D, A), (A, C), 2)])

    assert [(row.rank, row.entrant, row.partners, row.decided_by) for row in rows] == [
        (1, A, (C,), None),
        (1, C, (A,), None),
        (3, B, (D,), None),
        (3, D, (B,), None),
    ]
    assert {(row.games, row.games_won + row.games_lost) for row in rows} == {(4, 4)}
    assert winners_of(rows) == Winners((A, C), None)


def test_level_teams_are_told_apart_by_one_lot_for_each_team() -> None:
    """One match each: the lot orders teams, it does not part partners, and nobody has won."""
    rows = table([partnership((A, B, C, D), (A, C)), partnership((B, C, D, A), (B, D), 2)])

    assert [row.rank for row in rows] == [1, 1, 3, 3]
    assert {frozenset(order(rows)[:2]), frozenset(order(rows)[2:])} == {
        frozenset((A, C)),
        frozenset((B, D)),
    }
    assert winners_of(rows) == Winners((), BY_LOT)


def test_partners_who_change_are_ranked_each_for_itself() -> None:
    """A wins with C and with B: it is first, they are not its partners."""
    rows = table([partnership((A, B, C, D), (A, C)), partnership((A, C, B, D), (A, B), 2)])

    assert (rows[0].rank, rows[0].entrant, rows[0].partners) == (1, A, ())
    assert [row.rank for row in rows] == [1, 2, 3, 4]


def test_game_that_one_of_two_partners_was_out_of_is_one_game() -> None:
    """A and C win three of five at once, the first of them without A."""
    won = result((A, B, C, D), games=[2, 0, 3, 0], points=[9, 0, 9, 0], places=[2, 3, 1, 3])
    rules = replace(RULES, sides=((0, 2), (1, 3)))

    rows = standings(dict(enumerate("abcd")), [replace(won, games=5)], rules, SECRET)

    counts = {row.entrant: (row.games_won, row.games_lost) for row in rows}
    assert counts == {A: (2, 1), B: (0, 3), C: (3, 0), D: (0, 3)}


def test_who_drew_all_with_each_other_is_no_team() -> None:
    """Two bots that drew their match are in an order drawn by lot, and neither has won."""
    rows = standings({A: "ann", B: "bob"}, [result((A, B), points=(9, 9))], RULES, SECRET)

    assert [(row.rank, row.decided_by) for row in rows] == [(1, TieBreak.LOT), (2, TieBreak.LOT)]
    assert winners_of(rows) == Winners((), BY_LOT)


def test_nobody_wins_without_a_hand() -> None:
    """A double forfeit, or everybody else gone."""
    both = [result((A, B), None, hands=0, games=(0, 0), forfeited=(A, B))]
    gone = [result((A, B), A, hands=0, games=(0, 0), forfeited=(B,))]

    for played in (both, gone):
        rows = standings({A: "ann", B: "bob"}, played, RULES, SECRET)
        assert winners_of(rows) == Winners((), NO_HAND)
