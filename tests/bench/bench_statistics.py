"""Proves the statistics by simulation: coverage of intervals, error rates of tests.

Run it with ``python tests/bench/bench_statistics.py [RUNS]``: 2,000 tournaments a line (a quarter
for 16 bots), some minutes. Each line prints what came out and its limits; the exit code
is 1 when a figure is outside. Coverage must lie between 93 and 97 %; error rates may exceed 5 % by
four standard errors of the simulation.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from arena.tournament.formats.ladder import Ladder
from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.formats.swiss import Swiss
from arena.tournament.model import FixtureKey, FixtureResult, FormatOptions
from arena.tournament.ranking.standings import TableRules, standings
from arena.tournament.statistics.intervals import points_per_hand
from arena.tournament.statistics.odds import game_chance
from arena.tournament.statistics.rating import MEAN, SCALE, Rating
from arena.tournament.statistics.ratings import rate
from arena.tournament.statistics.second_look import second_look
from arena.tournament.statistics.sprt import Decision, SprtSettings, sprt
from tests.tournament.results import result
from tests.tournament.simulation import (
    by_rounds,
    mirrored_results,
    pair_values,
    points_league,
    unlike_opponents,
)

Line = tuple[str, float, float, float]
"""What, the figure, and its limits."""


def margin(share: float, trials: int) -> float:
    """Four standard errors of a share."""
    return 4 * sqrt(share * (1 - share) / trials)


def unpaired(results: list[FixtureResult]) -> list[FixtureResult]:
    """The same results as if no two fixtures had anything to do with each other."""
    return [
        replace(r, key=FixtureKey("apart", r.key.round, 2 * r.key.slot + r.key.half))
        for r in results
    ]


def truths(rows: Sequence[Rating], strengths: Sequence[float]) -> dict[int, float]:
    """The true ratings: 1500 is the mean of those that have both won and lost."""
    core = [row.entrant for row in rows if row.bound is None]
    core = core if len(core) > 1 else [row.entrant for row in rows]
    mean = sum(strengths[entrant] for entrant in core) / len(core)
    return {e: MEAN + SCALE * (strength - mean) for e, strength in enumerate(strengths)}


def rating_coverage(runs: int) -> Iterator[Line]:
    """95 % intervals of ratings, correlated halves; and their length without the pairs."""
    for n, legs, gap in (
        (2, 50, 1.2), (4, 10, 1.2), (8, 5, 1.2), (16, 2, 1.2),
        (4, 5, 1.2), (16, 1, 1.2), (4, 10, 5.0), (8, 5, 6.0),
    ):  # fmt: skip
        strengths = [gap * (e / (n - 1) - 0.5) for e in range(n)]
        fixtures = RoundRobin().fixtures(range(n), FormatOptions(legs=legs), {})
        hits = total = 0
        paired_length = unpaired_length = 0.0
        share = runs if n < 16 else runs // 4
        for seed in range(share):
            results = mirrored_results(random.Random(seed), strengths, fixtures)
            rows = rate(range(n), results).rows
            truth = truths(rows, strengths)
            for row in rows:
                low = row.low if row.low is not None else -1e9
                high = row.high if row.high is not None else 1e9
                hits += low <= truth[row.entrant] <= high
                total += 1
                paired_length += min(high - low, 2000)
            if seed % 10 == 0:
                for row in rate(range(n), unpaired(results)).rows:
                    low = row.low if row.low is not None else -1e9
                    high = row.high if row.high is not None else 1e9
                    unpaired_length += 10 * min(high - low, 2000)
        what = f"ratings, {n:2} bots, {legs:2} legs, {SCALE * gap:4.0f} apart: coverage"
        # A little more than 97 % from few pairs of single games, which have few values to take.
        yield what, hits / total, 0.93, 0.97 if legs * (n - 1) > 15 else 0.98
        if gap < 2:
            length = paired_length / unpaired_length
            yield what.replace("coverage", "length by unpaired"), length, 0.70, 0.95


def coverage_of_paired_by_results(runs: int) -> Iterator[Line]:
    """95 % intervals of ratings where results decide who meets whom: luck adds up there.

    They are rather too wide than too narrow, the more so the more alike the bots are.
    """
    for format, n, rounds, gap in (
        (Swiss(), 8, 5, 0.0), (Swiss(), 8, 5, 1.2), (Swiss(), 16, 5, 1.2), (Swiss(), 16, 7, 0.0),
        (Swiss(), 16, 7, 3.0), (Swiss(), 32, 9, 0.0), (Swiss(), 32, 9, 1.2), (Swiss(), 64, 9, 0.6),
        (Ladder(), 10, 12, 1.1), (Ladder(), 10, 40, 0.0),
    ):  # fmt: skip
        strengths = [gap * (e / (n - 1) - 0.5) for e in range(n)]
        options = FormatOptions(games=1, rounds=rounds)
        hits = total = 0
        for seed in range(max(5, 10 * runs // (n * rounds))):
            results = by_rounds(format, strengths, options, random.Random(seed), rounds=rounds)
            rows = rate(range(n), results).rows
            truth = truths(rows, strengths)
            for row in rows:
                if row.low is not None or row.high is not None:
                    low = row.low if row.low is not None else -1e9
                    high = row.high if row.high is not None else 1e9
                    hits += low <= truth[row.entrant] <= high
                    total += 1
        what = f"ratings, {format.name}, {n:2} bots, {rounds:2} rounds, {SCALE * gap:3.0f} apart"
        yield f"{what}: coverage", hits / total, 0.93, 1.0


def points_coverage(runs: int) -> Iterator[Line]:
    """95 % intervals of points per hand; the luck of a deal cancels between its halves."""
    for pairs in (5, 15, 60):
        hits = 0
        for seed in range(runs):
            generator = random.Random(seed)
            results = []
            for slot in range(pairs):
                luck = generator.gauss(0, 100)
                for half, seats in enumerate(((0, 1), (1, 0))):
                    hands = generator.randint(6, 14)
                    noise = luck * (1, -1)[half] + generator.gauss(0, 9 * sqrt(hands))
                    lead = round(0.7 * hands + noise)
                    points = (lead, 0) if half == 0 else (0, lead)
                    key = FixtureKey("p", slot, 1, half)
                    results.append(result(seats, None, points=points, hands=hands, key=key))
            estimate = points_per_hand(results)[0]
            assert estimate.low is not None
            assert estimate.high is not None
            hits += estimate.low <= 0.7 <= estimate.high
        yield f"points per hand, {pairs:2} pairs: coverage", hits / runs, 0.93, 0.97


def points_of_unlike_opponents(runs: int) -> Iterator[Line]:
    """95 % intervals where opponents are far apart: each met twice, five times, often; or once.

    Where all meet once, what they are worth comes from everybody's results.
    """
    for edges, legs in (
        ([-58, -40, -10, -4, 0, 6, 9, 12], 2),
        ([-58, -4, 6], 5),
        ([-58, 3], 30),
    ):
        hits = 0
        for seed in range(runs):
            results, truth = unlike_opponents(random.Random(seed), edges, legs)
            estimate = points_per_hand(results)[0]
            hits += (estimate.low or -1e9) <= truth <= (estimate.high or 1e9)
        what = f"points, {len(edges)} unlike opponents, {legs:2} legs: coverage"
        yield what, hits / runs, 0.93, 0.97
    for n in (8, 16):
        values = [12 * (e / (n - 1)) - (40 if e == 0 else 0) for e in range(n)]
        fixtures = RoundRobin().fixtures(range(n), FormatOptions(), {})
        hits = 0
        for seed in range(runs // 8):
            table = points_per_hand(points_league(random.Random(seed), values, fixtures))
            for entrant, estimate in table.items():
                truth = (n * values[entrant] - sum(values)) / (n - 1)
                hits += (estimate.low or -1e9) <= truth <= (estimate.high or 1e9)
        what = f"points, {n:2} unlike bots, one leg: coverage"
        yield what, hits / (runs // 8 * n), 0.93, 0.97


def false_separations(runs: int) -> Iterator[Line]:
    """How often equal bots are shown as separated: at most 5 % of the fields.

    Also beside a bot that is much weaker, which is apart from all of them with certainty.
    """
    for n, legs, weak in ((2, 5, 0), (4, 5, 0), (6, 6, 0), (12, 1, 0), (5, 5, 1)):
        strengths = [-4.0] * weak + [0.0] * (n - weak)
        fixtures = RoundRobin().fixtures(range(n), FormatOptions(legs=legs), {})
        found = apart = 0
        for seed in range(runs):
            results = mirrored_results(random.Random(seed), strengths, fixtures)
            marks = {row.entrant: row.marks for row in rate(range(n), results).rows}
            found += len({marks[entrant] for entrant in range(weak, n)}) > 1
            apart += bool(weak) and not any(set(marks[0]) & set(marks[e]) for e in range(1, n))
        beside = " and a weak one" if weak else ""
        what = f"marks, {n - weak:2} equal bots{beside}: false separation"
        yield what, found / runs, 0.0, 0.05 + margin(0.05, runs)
        if weak:
            yield what.replace("false separation", "the weak one apart"), apart / runs, 0.95, 1.0


def sprt_errors(runs: int) -> Iterator[Line]:
    """Wrong decisions at both hypotheses, and how many pairs it took."""
    for gap in (100, 40):
        settings = SprtSettings(game_chance(0), game_chance(gap))
        for elo, wrong in ((0, Decision.HIGH), (gap, Decision.LOW)):
            errors = pairs = 0
            for seed in range(runs):
                values = islice(pair_values(random.Random(seed), game_chance(elo)), 20_000)
                state = sprt(values, settings)
                errors += state.decision is wrong
                pairs += state.pairs
            what = f"SPRT 0 to {gap} at {elo}, {pairs / runs:.0f} pairs: errors"
            yield what, errors / runs, 0.0, 0.05 + margin(0.05, runs)


def second_look_errors(runs: int) -> Iterator[Line]:
    """Fields of five honest bots with an alarm, and of one cheat in five that is found.

    The luck of the deal counts twice in the difference of the halves, so that only a large gain
    shows in 48 pairs.
    """
    for gain, least, most in ((0.0, 0.0, 0.05 + margin(0.05, runs)), (10.0, 0.8, 1.0)):
        found = 0
        for seed in range(runs):
            generator = random.Random(seed)
            results = []
            for number in range(120):
                a, b = [(a, b) for a in range(5) for b in range(a)][number % 10]
                luck = generator.gauss(0, 80)
                order = (a, b) if number // 10 % 2 else (b, a)
                for half, seats in enumerate((order, order[::-1])):
                    lead = 30 + luck + generator.gauss(0, 40)
                    if half and 2 in seats:
                        lead += 10 * gain * (1 if seats[0] == 2 else -1)
                    key = FixtureKey("r", number, 1, half)
                    results.append(result(seats, None, points=(round(lead), 0), hands=10, key=key))
            alarms = {look.entrant for look in second_look(results) if look.stands_out}
            found += bool(alarms) if gain == 0 else alarms == {2}
        what = "honest field: alarm" if gain == 0 else "cheat, 10 points a hand: found"
        yield f"second look, {what}", found / runs, least, most


def table_order(runs: int) -> Iterator[Line]:
    """Random tables with many ties, five times as many as runs, in random order of the input."""
    differing = 0
    for seed in range(5 * runs):
        generator = random.Random(seed)
        n = generator.randint(2, 7)
        names = {entrant: f"bot {entrant}" for entrant in range(n)}
        results = [
            result(
                (a, b),
                generator.choice((a, b, None)),
                games=(generator.randint(0, 1), generator.randint(0, 1)),
                points=(generator.randint(0, 2), generator.randint(0, 2)),
                hands=3,
                key=FixtureKey("t", a, b),
            )
            for a in range(n)
            for b in range(a)
            if generator.random() < 0.8
        ]
        before = standings(names, results, TableRules(), b"secret")
        generator.shuffle(results)
        shuffled = dict(sorted(names.items(), key=lambda item: generator.random()))
        differing += standings(shuffled, results, TableRules(), b"secret") != before
    yield f"{5 * runs} tables in random order: differing", float(differing), 0.0, 0.0


def main() -> int:
    """Print every line; 1 when a figure is outside its limits."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    start = time.monotonic()
    failed = 0
    for bench in (
        rating_coverage,
        coverage_of_paired_by_results,
        points_coverage,
        points_of_unlike_opponents,
        false_separations,
        sprt_errors,
        second_look_errors,
        table_order,
    ):
        for what, figure, low, high in bench(runs):
            verdict = "ok" if low <= figure <= high else "OUTSIDE"
            failed += verdict != "ok"
            print(f"{what:54} {figure:7.4f}  limits {low:.3f} to {high:.3f}  {verdict}", flush=True)
    print(f"{runs} runs a line, {time.monotonic() - start:.0f} s")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
