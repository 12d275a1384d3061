"""Ratings: finite in every case, independent of order, on one scale, and quickly made."""

from __future__ import annotations

import random
import subprocess
import sys
from math import isfinite, log10
from pathlib import Path

import pytest

from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.model import FixtureKey, FixtureResult, FormatOptions
from arena.tournament.statistics.rating import MEAN, Bound, Rating, Ratings
from arena.tournament.statistics.ratings import rate
from tests.tournament.rated import A, B, C, D, games, row
from tests.tournament.results import result
from tests.tournament.simulation import mirrored_results, one_game, pair_fixtures


def all_finite(ratings: Ratings) -> bool:
    """No number of the value is infinite or not a number."""
    numbers = [x for r in ratings.rows for x in (r.rating, r.low, r.high)]
    numbers += list(ratings.likelihood.values())
    numbers += [x for s in ratings.seat_effects for x in (s.points, s.low, s.high)]
    return all(x is None or isfinite(x) for x in numbers)


def test_unbeaten_and_winless_stay_finite_and_are_marked_as_bounds() -> None:
    """A wins 30 of 30, D loses 30 of 30: finite, with an interval open to one side."""
    results = [
        *games(A, B, 15, 0),
        *games(A, C, 15, 0),
        *games(B, D, 15, 0),
        *games(C, D, 15, 0),
        *games(B, C, 8, 7),
    ]
    ratings = rate(range(4), results)
    best, worst = row(ratings, A), row(ratings, D)

    assert all_finite(ratings)
    assert (best.bound, worst.bound) == (Bound.AT_LEAST, Bound.AT_MOST)
    assert best.high is None
    assert best.low is not None
    assert best.low < (best.rating or 0)
    assert worst.low is None
    assert worst.high is not None
    assert row(ratings, B).bound is None
    assert [r.entrant for r in ratings.rows] == [A, B, C, D]


@pytest.mark.parametrize(
    "results",
    [[], games(A, B, 1, 0), [result((A, B), A, games=(0, 0), hands=0, forfeited=(B,))]],
    ids=["none", "one", "forfeit only"],
)
def test_nothing_is_shown_from_no_or_one_game(results: list[FixtureResult]) -> None:
    """0 games, 1 game: None instead of infinite values."""
    ratings = rate([A, B], results)

    assert all(r.rating is None and r.low is None and r.high is None for r in ratings.rows)
    assert set(ratings.likelihood.values()) == {None}


def test_all_games_drawn_gives_equal_ratings_without_an_interval() -> None:
    """All hands dead: nothing varies, so nothing tells how uncertain it is."""
    ratings = rate([A, B], games(A, B, 0, 0, 20))

    assert [r.rating for r in ratings.rows] == pytest.approx([MEAN, MEAN])
    assert all(r.low is None and r.high is None for r in ratings.rows)
    assert all_finite(ratings)


def test_a_draw_counts_as_half_a_win() -> None:
    """Two draws are worth as much as a win and a defeat."""
    drawn = row(rate([A, B], games(A, B, 10, 4, 6)), A)
    decided = row(rate([A, B], games(A, B, 13, 7)), A)

    # Not to the digit, as the draws do not fall on the same seats.
    assert drawn.rating == pytest.approx(decided.rating, abs=1.5)
    assert drawn.games_won == 13


def test_four_hundred_points_are_odds_of_ten_to_one() -> None:
    """300 wins and 100 defeats are odds of three to one, but for the prior."""
    ratings = rate([A, B], games(A, B, 300, 100))
    gap = (row(ratings, A).rating or 0) - (row(ratings, B).rating or 0)

    assert gap == pytest.approx(400 * log10(3), abs=1.5)


def test_order_of_results_does_not_matter_and_the_mean_is_anchored() -> None:
    """Shuffled results give the same to nine digits; the mean of the pool is 1500."""
    generator = random.Random(4)
    fixtures = RoundRobin().fixtures(range(6), FormatOptions(legs=3), {})
    results = mirrored_results(generator, [0.3 * e for e in range(6)], fixtures)
    before = rate(range(6), results)
    generator.shuffle(results)
    after = rate(range(6), results)

    for entrant in range(6):
        assert row(after, entrant).rating == pytest.approx(row(before, entrant).rating, abs=1e-9)
    assert sum(r.rating or 0 for r in before.rows) / 6 == pytest.approx(MEAN, abs=1e-9)


def test_a_result_delivered_twice_changes_nothing() -> None:
    """Results are kept by key."""
    once = games(A, B, 13, 7)
    stored = {r.key: r for r in [*once, *once]}

    assert rate([A, B], stored.values()) == rate([A, B], once)


def test_partners_are_not_compared() -> None:
    """A wins with B, with C and with D: that it was level with each of them brings it no nearer to
    them, though all four have played in every match."""
    results = [
        result(
            (A, mate, *others),
            games=[1, 1, 0, 0],
            points=[150, 150, 0, 0],
            places=[1, 1, 3, 3],
            key=FixtureKey("tables", 1, slot),
        )
        for slot, (mate, *others) in enumerate([(B, C, D), (C, D, B), (D, B, C)] * 4)
    ]
    sides = ((0, 1), (2, 3))
    apart, together = rate(range(4), results, sides=lambda seats: sides), rate(range(4), results)

    def lead(ratings: Ratings) -> float:
        one, other = row(ratings, A).rating, row(ratings, B).rating
        assert one is not None
        assert other is not None
        return one - other

    assert lead(apart) > lead(together) + 100
    assert row(apart, B).rating == pytest.approx(row(apart, D).rating)


def test_partners_have_one_rating_and_no_game_lost() -> None:
    """A and C win every match together: their draws with each other are no losses."""
    results = [
        result(
            seats,
            games=[int(e in (A, C)) for e in seats],
            points=[150 * (e in (A, C)) for e in seats],
            places=[1 if e in (A, C) else 3 for e in seats],
            key=FixtureKey("tables", 1, 1, half),
        )
        for half, seats in enumerate([(A, B, C, D), (B, C, D, A), (C, D, A, B), (D, A, B, C)])
    ]
    ratings = rate(range(4), results)

    assert row(ratings, A).rating == pytest.approx(row(ratings, C).rating)
    assert [row(ratings, e).bound for e in range(4)] == [
        Bound.AT_LEAST, Bound.AT_MOST, Bound.AT_LEAST, Bound.AT_MOST,
    ]  # fmt: skip
    assert {(r.games, r.games_won) for r in ratings.rows} == {(4, 4), (4, 0)}


def test_who_loses_with_a_partner_that_forfeits_was_ahead_of_nobody() -> None:
    """That the partner is placed behind it is no comparison, and its rating is a bound still."""
    results = [
        result(
            (A, B, C, D),
            games=[0, 1, 0, 1],
            points=[0, 150, 0, 150],
            places=[3, 1, 3, 1],
            forfeited=[A],
            key=FixtureKey("tables", 1, slot),
        )
        for slot in range(6)
    ]
    ratings = rate(range(4), results, sides=lambda seats: ((0, 2), (1, 3)))

    assert [row(ratings, e).bound for e in (B, C, D)] == [
        Bound.AT_LEAST, Bound.AT_MOST, Bound.AT_LEAST,
    ]  # fmt: skip


def test_entrants_without_a_game_are_listed_last_without_numbers() -> None:
    """They belong to no pool."""
    ratings = rate(range(3), games(A, B, 13, 7))

    assert ratings.rows[-1] == Rating(C, None, None, None, None, 0, 0.0, 0, None, "")


def test_disqualified_entrants_count_for_nobody() -> None:
    """Their results are left out."""
    results = [*games(A, B, 13, 7), *games(C, A, 20, 0)]

    assert row(rate(range(3), results, void={C}), A).rating == pytest.approx(
        row(rate([A, B], results[:20]), A).rating
    )


def test_the_first_seat_is_rated_apart() -> None:
    """Seat 0 wins four games of five between equals: all of it is the seat's."""
    fixtures = pair_fixtures(A, B, 100)
    results = [one_game(f, f.seats[0] if f.key.round % 5 else f.seats[1]) for f in fixtures]
    ratings = rate([A, B], results)
    (effect,) = ratings.seat_effects

    assert effect.points == pytest.approx(400 * log10(4), abs=5)
    assert effect.low is not None
    assert effect.low > 100
    assert row(ratings, A).rating == pytest.approx(MEAN, abs=1e-6)


def test_larger_tables_are_rated_by_who_came_before_whom() -> None:
    """Places 1, 2, 3 are three comparisons; no seat effect is claimed."""
    results = [
        result((A, B, C), A, games=(1, 0, 0), places=(1, 2, 3), key=FixtureKey("t", 1, slot, half))
        for slot in range(10)
        for half in range(2)
    ]
    results += [
        result((A, B, C), C, games=(0, 0, 1), places=(3, 2, 1), key=FixtureKey("t", 2, slot))
        for slot in range(5)
    ]
    ratings = rate(range(3), results)

    assert [r.entrant for r in ratings.rows] == [A, B, C]
    assert ratings.seat_effects[0].points is None
    assert row(ratings, A).pairs == 15
    assert row(ratings, A).games == 25


def test_two_hundred_bots_are_rated_quickly() -> None:
    """A full mirrored round robin of 200: well under two seconds of processor time."""
    code = (
        "import random, time\n"
        "from arena.tournament.model import FormatOptions\n"
        "from arena.tournament.statistics.ratings import rate\n"
        "from arena.tournament.formats.round_robin import RoundRobin\n"
        "from tests.tournament.simulation import mirrored_results\n"
        "fixtures = RoundRobin().fixtures(range(200), FormatOptions(), {})\n"
        "results = mirrored_results(random.Random(1), [0.02 * e for e in range(200)], fixtures)\n"
        "start = time.process_time()\n"
        "ratings = rate(range(200), results)\n"
        "print(time.process_time() - start)\n"
    )
    seconds = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
        # One thread, so that waiting threads of the algebra library are not counted as work.
        env={"OPENBLAS_NUM_THREADS": "1"},
    ).stdout

    assert float(seconds) < 2.0


def test_start_up_does_not_load_numpy() -> None:
    """Formats, standings and plans come without it."""
    code = (
        "import sys\n"
        "import arena.tournament.formats.registry, arena.tournament.ranking.standings\n"
        "import arena.tournament.statistics.planning\n"
        "import arena.tournament.statistics.ratings, arena.tournament.formats.bracket_tree\n"
        "print('numpy' in sys.modules)\n"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout

    assert loaded.strip() == "False"
