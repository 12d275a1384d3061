"""Ratings: finite in every case, right within their intervals, independent of order."""

from __future__ import annotations

import random
import subprocess
import sys
from math import isfinite, log10
from pathlib import Path

import pytest

from arena.tournament.model import Fixture, FixtureKey, FixtureResult, FormatOptions
from arena.tournament.rating import MEAN, Bound, Rating, Ratings
from arena.tournament.ratings import rate
from arena.tournament.round_robin import RoundRobin
from arena.tournament.swiss import Swiss
from tests.tournament.results import result
from tests.tournament.simulation import mirrored_results, one_game, pair_fixtures

A, B, C, D = range(4)


def games(a: int, b: int, won: int, lost: int, drawn: int = 0) -> list[FixtureResult]:
    """So many games of two, one a fixture, in mirrored pairs."""
    outcomes = [a] * won + [b] * lost + [None] * drawn
    fixtures = pair_fixtures(a, b, len(outcomes))
    found = []
    for fixture, winner in zip(fixtures, outcomes, strict=False):
        key = fixture.key._replace(stage=f"{a}-{b}")
        if winner is None:
            found.append(result(fixture.seats, None, games=(0, 0), drawn=1, key=key))
        else:
            found.append(one_game(Fixture(key, fixture.seats, "", 1), winner))
    return found


def row(ratings: Ratings, entrant: int) -> Rating:
    """The row of an entrant."""
    return next(row for row in ratings.rows if row.entrant == entrant)


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


def test_two_groups_with_wins_only_one_way_keep_wide_intervals() -> None:
    """Nobody is unbeaten, but no chain leads up: the gap is not shown as if it were certain."""
    results = [
        *games(A, B, 10, 10),
        *games(C, D, 10, 10),
        *(r for a in (A, B) for b in (C, D) for r in games(a, b, 4, 0)),
    ]
    top = row(rate(range(4), results), A)

    assert top.low is not None
    assert top.high is not None
    assert top.high - top.low > 300


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


def test_pools_that_never_met_are_not_compared() -> None:
    """A and B, C and D: two pools, no likelihood between them, and no letters that differ."""
    ratings = rate(range(4), [*games(A, B, 13, 7), *games(C, D, 12, 8)])

    assert row(ratings, A).pool == row(ratings, B).pool == 0
    assert row(ratings, C).pool == row(ratings, D).pool == 1
    assert ratings.likelihood[A, C] is None
    assert ratings.likelihood[A, B] is not None
    assert [row(ratings, e).marks for e in range(4)] == ["a"] * 4
    assert len(ratings.seat_effects) == 2


def test_bots_without_a_path_between_them_are_not_told_apart_by_letters() -> None:
    """B is apart from A; of C and D nobody knows where they stand beside those."""
    settled, alike = games(A, B, 45, 5), games(C, D, 12, 8)
    equal_pools = rate(range(4), [*settled, *alike])
    larger = rate(range(5), [*settled, *games(B, 4, 12, 8), *alike])

    assert equal_pools.apart == larger.apart == {(A, B)}
    assert [row(equal_pools, e).marks for e in range(4)] == [""] * 4
    assert [row(larger, e).marks for e in range(5)] == ["a", "b", "", "", "ab"]


def test_sixty_equal_bots_share_one_letter() -> None:
    """Three rounds, every match drawn without a difference: eight pools, nothing to tell apart."""
    results: dict[FixtureKey, FixtureResult] = {}
    options = FormatOptions(games=2, rounds=3)
    while new := [f for f in Swiss().fixtures(range(60), options, results) if f.key not in results]:
        for item in new:
            results[item.key] = result(item.seats, None, games=(1, 1), points=(9, 9), key=item.key)
    ratings = rate(range(60), results.values())

    assert len({r.pool for r in ratings.rows}) > 1
    assert {r.marks for r in ratings.rows} == {"a"}


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


@pytest.mark.parametrize(("won", "lost", "shared"), [(26, 24, True), (45, 5, False)])
def test_a_shared_mark_says_that_the_data_cannot_separate(
    won: int, lost: int, shared: bool
) -> None:
    """26-24 over 50 games share a mark; 45-5 do not."""
    ratings = rate([A, B], games(A, B, won, lost))

    assert (row(ratings, A).marks == row(ratings, B).marks) is shared


def league_with_a_hopeless_bot() -> list[FixtureResult]:
    """A is ahead of B and C, who are level; D has lost every game. Ten pairs each, as real ones."""
    return [
        *games(A, B, 15, 5),
        *games(A, C, 15, 5),
        *games(B, C, 10, 10),
        *(found for other in (A, B, C) for found in games(other, D, 20, 0)),
    ]


def test_a_winless_bot_is_apart_from_those_that_beat_it() -> None:
    """Nobody shares its mark, the likelihoods say the same, and so do the intervals."""
    ratings = rate(range(4), league_with_a_hopeless_bot())
    worst = row(ratings, D)

    for other in (A, B, C):
        assert not set(row(ratings, other).marks) & set(worst.marks)
        assert (ratings.likelihood[other, D] or 0) > 0.999
        assert (row(ratings, other).low or 0) > (worst.high or 9999)


def test_a_winless_bot_makes_the_others_ratings_no_less_certain() -> None:
    """How weak it is nobody knows; what the others are worth among themselves stays known."""
    everything = league_with_a_hopeless_bot()
    among = [r for r in everything if D not in r.seats]
    beside, alone = rate(range(4), everything), rate(range(3), among)

    for entrant in (A, B, C):
        one, other = row(beside, entrant), row(alone, entrant)
        assert one.rating == pytest.approx(other.rating, abs=3)
        assert (one.high or 0) - (one.low or 0) == pytest.approx(
            (other.high or 0) - (other.low or 0), rel=0.1
        )
    assert sum(row(beside, e).rating or 0 for e in (A, B, C)) / 3 == pytest.approx(MEAN)


def test_marks_never_separate_what_likelihood_or_intervals_leave_open() -> None:
    """Forty random fields: two without a common letter are apart at 95 % by themselves too."""
    for seed in range(40):
        generator = random.Random(seed)
        n = generator.randint(3, 7)
        strengths = [generator.gauss(0, 1.5) for _ in range(n)]
        fixtures = RoundRobin().fixtures(range(n), FormatOptions(legs=generator.randint(2, 8)), {})
        ratings = rate(range(n), mirrored_results(generator, strengths, fixtures))
        for (a, b), chance in ratings.likelihood.items():
            is_apart = not set(row(ratings, a).marks) & set(row(ratings, b).marks)
            assert is_apart is ((min(a, b), max(a, b)) in ratings.apart)
            if is_apart:
                assert chance is not None
                assert max(chance, 1 - chance) > 0.975


@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_too_few_pairs_give_no_interval(pairs: int) -> None:
    """A cup of four: ratings in order, but no interval, no likelihood, nothing about the seat."""
    results = [
        result(seats, seats[0], games=(3, 1), key=FixtureKey("cup", 1, slot))
        for slot, seats in enumerate([(A, D), (B, C), (A, B), (C, D)][: pairs + 1])
    ]
    ratings = rate(range(4), results)

    assert all(r.rating is not None and (r.low, r.high) == (None, None) for r in ratings.rows[:2])
    assert set(ratings.likelihood.values()) == {None}
    assert {s.points for s in ratings.seat_effects} == {None}


def test_likelihoods_of_a_pair_add_up_to_one() -> None:
    """And the stronger-looking one has the larger."""
    ratings = rate([A, B], games(A, B, 30, 20))
    up, down = ratings.likelihood[A, B], ratings.likelihood[B, A]

    assert up is not None
    assert down is not None
    assert up + down == pytest.approx(1)
    assert 0.5 < up < 0.999


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


def test_intervals_cover_the_truth_and_know_about_mirrors() -> None:
    """95 % intervals of 150 simulated tournaments; narrower than if halves were independent."""
    strengths = [-0.6, -0.2, 0.2, 0.6]
    fixtures = RoundRobin().fixtures(range(4), FormatOptions(legs=10), {})
    hits = total = 0
    width = {-0.45: 0.0, 0.0: 0.0}
    for correlation in width:
        for seed in range(150):
            results = mirrored_results(
                random.Random(seed), strengths, fixtures, correlation=correlation
            )
            for r in rate(range(4), results).rows:
                assert r.low is not None
                assert r.high is not None
                truth = MEAN + 400 / 2.302585 * strengths[r.entrant]
                hits += r.low <= truth <= r.high
                total += 1
                width[correlation] += r.high - r.low

    # Four standard errors around 95 %; the bench runs the full size.
    assert 0.92 <= hits / total <= 0.985
    assert width[-0.45] < 0.92 * width[0.0]


def test_two_hundred_bots_are_rated_quickly() -> None:
    """A full mirrored round robin of 200: well under two seconds of processor time."""
    code = (
        "import random, time\n"
        "from arena.tournament.model import FormatOptions\n"
        "from arena.tournament.ratings import rate\n"
        "from arena.tournament.round_robin import RoundRobin\n"
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
        cwd=Path(__file__).parents[2],
        # One thread, so that waiting threads of the algebra library are not counted as work.
        env={"OPENBLAS_NUM_THREADS": "1"},
    ).stdout

    assert float(seconds) < 2.0


def test_start_up_does_not_load_numpy() -> None:
    """Formats, standings and plans come without it."""
    code = (
        "import sys\n"
        "import arena.tournament.formats, arena.tournament.standings, arena.tournament.planning\n"
        "import arena.tournament.ratings, arena.tournament.bracket_tree\n"
        "print('numpy' in sys.modules)\n"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout

    assert loaded.strip() == "False"
