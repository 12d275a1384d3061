"""How certain ratings are: intervals, likelihoods and marks agree and claim no more than known."""

from __future__ import annotations

import random

import pytest

from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.formats.swiss import Swiss
from arena.tournament.model import FixtureKey, FixtureResult, FormatOptions
from arena.tournament.statistics.rating import MEAN
from arena.tournament.statistics.ratings import rate
from tests.tournament.rated import A, B, C, D, games, row
from tests.tournament.results import result
from tests.tournament.simulation import mirrored_results


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
