"""Swiss: no rematches, byes, seats, score groups, withdrawals, determinism."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from arena.errors import ConfigError
from arena.tournament.formats.swiss import Swiss, usual_rounds
from arena.tournament.formats.swiss_pairing import Field, pair_round
from arena.tournament.match import forfeit_result
from arena.tournament.model import Fixture, FixtureKey, FixtureResult, FormatOptions, Left
from tests.tournament.results import lower_number_wins, play_out, result

SWISS = Swiss()


def by_lot(seed: int) -> random.Random:
    """A generator of its own for each test."""
    return random.Random(seed)


def run(n: int, options: FormatOptions, seed: int) -> tuple[Fixture, ...]:
    """A tournament with random results, draws among them, finished in random order."""
    generator = by_lot(seed)
    results: dict[FixtureKey, FixtureResult] = {}
    while True:
        fixtures = SWISS.fixtures(range(n), options, results)
        todo = [f for f in fixtures if len(f.seats) > 1 and f.key not in results]
        if not todo:
            return fixtures
        generator.shuffle(todo)
        for item in todo:
            winner = generator.choice([*item.seats, None])
            results[item.key] = result(item.seats, winner, key=item.key)


@pytest.mark.parametrize("n", range(2, 65))
def test_nobody_meets_twice_and_byes_go_round(n: int) -> None:
    """The usual number of rounds: no rematch, at most one bye each, seats level by the mirror."""
    fixtures = run(n, FormatOptions(), seed=n)
    first = [f for f in fixtures if f.key.half == 0]
    meetings = Counter(frozenset(f.seats) for f in first if len(f.seats) == 2)
    byes = Counter(f.seats[0] for f in first if len(f.seats) == 1)
    lead = Counter(f.seats[0] for f in fixtures if len(f.seats) == 2)
    lead.subtract(f.seats[1] for f in fixtures if len(f.seats) == 2)

    assert set(meetings.values()) == {1}
    assert max(byes.values(), default=0) <= 1
    assert set(lead.values()) <= {0}
    assert max(f.key.round for f in fixtures) == usual_rounds(n)


@pytest.mark.parametrize(
    ("n", "rounds"), [(5, 5), (6, 5), (7, 7), (9, 9), (10, 9), (16, 9), (33, 8)]
)
def test_seats_and_byes_are_balanced_without_mirrors(n: int, rounds: int) -> None:
    """First seats within two of second seats, byes within one of each other, to the last round."""
    for seed in range(5):
        options = FormatOptions(duplicate=False, rounds=rounds)
        fixtures = run(n, options, seed)
        lead = Counter({entrant: 0 for entrant in range(n)})
        byes = Counter({entrant: 0 for entrant in range(n)})
        for f in fixtures:
            if len(f.seats) == 1:
                byes[f.seats[0]] += 1
            else:
                lead[f.seats[0]] += 1
                lead[f.seats[1]] -= 1

        assert max(abs(value) for value in lead.values()) <= 2
        assert max(byes.values()) - min(byes.values()) <= 1
        if n > rounds:
            assert all(c == 1 for c in Counter(frozenset(f.seats) for f in fixtures).values())


def fewest_rematches(ranking: tuple[int, ...], met: dict[int, frozenset[int]]) -> int:
    """The fewest rematches of any pairing of all, by trying everything."""

    @cache
    def best(left: frozenset[int]) -> int:
        if not left:
            return 0
        first = min(left)
        rest = left - {first}
        return min((o in met[first]) + best(rest - {o}) for o in rest)

    return best(frozenset(ranking))


@pytest.mark.parametrize("seed", range(60))
def test_pairing_has_as_few_rematches_as_possible(seed: int) -> None:
    """Fields of up to ten with random histories, against exhaustive search."""
    generator = by_lot(seed)
    n = generator.choice([4, 6, 8, 10])
    ranking = tuple(range(n))
    met: dict[int, set[int]] = {e: set() for e in ranking}
    for a in ranking:
        for b in range(a):
            if generator.random() < generator.choice([0.3, 0.6, 0.85]):
                met[a].add(b)
                met[b].add(a)
    frozen = {e: frozenset(others) for e, others in met.items()}
    score = {e: n - e - generator.randint(0, 1) * (e % 2) for e in ranking}
    zeros = dict.fromkeys(ranking, 0)
    ranking = tuple(sorted(ranking, key=lambda e: -score[e]))

    pairings = pair_round(Field(ranking, score, frozen, zeros, zeros))

    assert sorted(e for pairing in pairings for e in pairing) == list(range(n))
    rematches = sum(b in frozen[a] for a, b in pairings)
    assert rematches == fewest_rematches(ranking, frozen)


def field(scores: list[int], met: list[tuple[int, int]] = []) -> Field:  # noqa: B006
    """Entrants 0…n-1 with these scores, best first."""
    ranking = tuple(range(len(scores)))
    opponents = {e: frozenset(b if a == e else a for a, b in met if e in (a, b)) for e in ranking}
    zeros = dict.fromkeys(ranking, 0)
    return Field(ranking, dict(enumerate(scores)), opponents, zeros, zeros)


def pairs(field: Field) -> list[set[int]]:
    """The pairings without seats."""
    return [set(pairing) for pairing in pair_round(field)]


def test_upper_half_meets_lower_half_of_a_score_group() -> None:
    """Six level: 1-4, 2-5, 3-6; with an odd group the last one floats down."""
    assert pairs(field([0] * 6)) == [{0, 3}, {1, 4}, {2, 5}]
    assert pairs(field([1, 1, 1, 0, 0, 0])) == [{0, 1}, {2, 3}, {4, 5}]


def test_score_groups_stay_together_where_they_can() -> None:
    """0-2 as wished would leave 1 and 3, who have met: 0-3 keeps the group of four whole."""
    assert pairs(field([2, 2, 2, 2, 0, 0], met=[(1, 3)])) == [{0, 3}, {1, 2}, {4, 5}]


def test_top_gives_way_when_the_rest_could_not_be_paired() -> None:
    """0 wants 1, but only 0 is left for 3: everybody else has met it."""
    assert pairs(field([3, 3, 0, 0], met=[(1, 3), (2, 3)])) == [{0, 3}, {1, 2}]


def test_bye_goes_to_the_last_without_one() -> None:
    """The lowest-ranked with the fewest byes."""
    zeros = dict.fromkeys(range(5), 0)
    nobody = {e: frozenset[int]() for e in range(5)}
    some = Field(tuple(range(5)), zeros, nobody, {**zeros, 4: 1}, zeros)

    assert pair_round(some)[-1] == (3,)


def test_bye_moves_up_when_the_rest_could_not_be_paired() -> None:
    """0 and 1 have met and only 2 is new to both: with the bye for 2 nobody could be paired."""
    assert pairs(field([1, 1, 0], met=[(0, 1)]))[-1] == {1}


def test_bye_is_worth_a_win_in_the_pairing() -> None:
    """Of three, the one with the bye meets the winner next."""
    fixtures, _ = play_out(SWISS, range(3), FormatOptions(rounds=2))
    first = [f.seats for f in fixtures if f.key.round == 1 and f.key.half == 0]
    second = [set(f.seats) for f in fixtures if f.key.round == 2 and f.key.half == 0]

    assert first == [(0, 1), (2,)]
    assert second[0] == {0, 2}


def test_next_round_waits_for_the_last_result() -> None:
    """One result missing: no further round, and the fixtures known so far are unchanged."""
    fixtures = SWISS.fixtures(range(6), FormatOptions(), {})
    results = {f.key: lower_number_wins(f) for f in fixtures[:-1]}

    assert SWISS.fixtures(range(6), FormatOptions(), results) == fixtures
    last = fixtures[-1]
    more = SWISS.fixtures(range(6), FormatOptions(), {**results, last.key: lower_number_wins(last)})
    assert more[: len(fixtures)] == fixtures
    assert {f.key.round for f in more} == {1, 2}


def test_results_in_any_order_give_the_same_rounds() -> None:
    """Only what is known matters, not when it came in."""
    _, results = play_out(SWISS, range(9), FormatOptions())
    items = list(results.items())
    by_lot(3).shuffle(items)

    assert SWISS.fixtures(range(9), FormatOptions(), dict(items)) == SWISS.fixtures(
        range(9), FormatOptions(), results
    )


def test_withdrawn_entrants_are_paired_no_more() -> None:
    """Withdrawn in round 2: its fixtures of that round are forfeits, later ones do not exist."""

    def play(item: Fixture) -> FixtureResult:
        if item.key.round == 2 and 3 in item.seats:
            return forfeit_result(item, [3])
        return lower_number_wins(item)

    fixtures, results = play_out(SWISS, range(8), FormatOptions(rounds=4), play)
    later = [f for f in fixtures if f.key.round > 2]

    assert all(3 not in f.seats for f in later)
    assert sum(len(f.seats) == 1 for f in later) == 2 * 2
    assert sum(3 in r.forfeited for r in results.values()) == 2


def test_everybody_withdrawn_ends_the_tournament() -> None:
    """No field, no further rounds, whenever they left; before the start there are none at all."""

    def walked_out(left: Left) -> set[int]:
        results: dict[FixtureKey, FixtureResult] = {}
        while True:
            fixtures = SWISS.fixtures(range(4), FormatOptions(), results, left)
            open_ = [f for f in fixtures if f.key not in results]
            if not open_:
                return {f.key.round for f in fixtures}
            results |= {f.key: forfeit_result(f, f.seats) for f in open_}

    assert walked_out(dict.fromkeys(range(4), 1)) == {1}
    assert walked_out(dict.fromkeys(range(4), 0)) == set()
    assert walked_out(dict.fromkeys(range(3), 0)) == set()
    assert walked_out(dict.fromkeys(range(2), 1)) == {1, 2}
    assert walked_out({}) == {1, 2}


def test_who_left_between_rounds_is_not_paired_though_its_results_are_all_in() -> None:
    """Its opponent of the next round plays somebody; rounds from before are paired as they were."""
    fixtures, results = play_out(SWISS, range(8), FormatOptions(rounds=2))

    later = SWISS.fixtures(range(8), FormatOptions(rounds=3), results, {3: 2, 6: 2})

    assert later[: len(fixtures)] == fixtures
    assert {e for f in later[len(fixtures) :] for e in f.seats} == {0, 1, 2, 4, 5, 7}


@pytest.mark.parametrize(
    ("n", "rounds", "duplicate"), [(8, 3, True), (9, 4, False), (2, None, True)]
)
def test_total_is_what_is_played(n: int, rounds: int | None, duplicate: bool) -> None:
    """Tables times rounds, twice when mirrored."""
    options = FormatOptions(rounds=rounds, duplicate=duplicate)
    _, results = play_out(SWISS, range(n), options)

    assert len(results) == SWISS.total(n, options)


def test_impossible_rounds_are_refused() -> None:
    """The message names the value."""
    with pytest.raises(ConfigError, match="rounds = 0"):
        SWISS.fixtures(range(4), FormatOptions(rounds=0), {})


@pytest.mark.parametrize(("n", "most"), [(2, 1), (3, 3), (4, 3), (5, 5), (16, 15)])
def test_more_rounds_than_opponents_are_refused(n: int, most: int) -> None:
    """Before anything is played, naming the most that is possible; that many can be played."""
    with pytest.raises(ConfigError, match=f"rounds = {most + 1}: .* can play {most} without"):
        SWISS.fixtures(range(n), FormatOptions(rounds=most + 1), {})
    fixtures = SWISS.fixtures(range(n), FormatOptions(rounds=most), {})

    assert {f.key.round for f in fixtures} == {1}
    assert usual_rounds(n) <= most
