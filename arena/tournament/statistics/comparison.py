"""A match of two bots that goes on until a sequential test has decided. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.errors import ConfigError
from arena.tournament.formats.format import Format
from arena.tournament.formats.schedule import gone, paired_round
from arena.tournament.model import NOBODY, Fixture, FormatOptions, Left, Results
from arena.tournament.statistics.sprt import (
    Decision,
    RunningTest,
    SprtSettings,
    SprtState,
    pair_scores,
    sprt,
)

STAGE = "comparison"

MOST_PAIRS = 5000
"""So many pairs end a comparison undecided unless told otherwise."""


class Comparison(Format):
    """A format for two entrants, in blocks of mirrored pairs.

    Within a block all first halves come before all second halves, so that a deal is not met again
    at once; the test is looked at after each block. ``most_pairs`` ends it undecided.
    """

    name = STAGE
    title = "Comparison"
    summary = "Comparison: two bots until it is clear which is better"
    description = "two bots until a sequential test has decided which is better"
    uses = ("games", "duplicate")

    def __init__(
        self, settings: SprtSettings, block: int = 16, most_pairs: int = MOST_PAIRS
    ) -> None:
        self.settings = settings
        self.block = block
        self.most_pairs = most_pairs

    @classmethod
    def of(cls, test: Mapping[str, float]) -> Comparison:
        """The comparison that was stored: bounds and error rates, and perhaps ``most_pairs``.

        :raises ConfigError: the numbers make no test.
        """
        most = int(test.get("most_pairs", MOST_PAIRS))
        bounds = {name: value for name, value in test.items() if name != "most_pairs"}
        return cls(SprtSettings(**bounds), most_pairs=most)

    def fixtures(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        left: Left = NOBODY,
    ) -> tuple[Fixture, ...]:
        """The blocks so far; one more while the test is undecided and both are there.

        :raises ConfigError: unless there are exactly two entrants and mirrored pairs.
        """
        if len(seeding) != 2 or not options.duplicate:
            raise ConfigError("a comparison needs exactly 2 entrants and duplicate = true")
        fixtures: list[Fixture] = []
        # One test that goes on from block to block: there may be hundreds of them, and the runner
        # asks after nearly every match.
        test = RunningTest(self.settings)
        number = 0
        while number * self.block < self.most_pairs and not gone(left, number + 1):
            number += 1
            first = tuple(seeding)
            size = min(self.block, self.most_pairs - (number - 1) * self.block)
            pairings = [first[::-1] if slot % 2 else first for slot in range(size)]
            block = paired_round(STAGE, number, pairings, options)
            fixtures += block
            if not all(fixture.key in results for fixture in block):
                break
            scores = pair_scores((results[fixture.key] for fixture in block), *seeding)
            if test.take(scores) is not Decision.GO_ON:
                break
        return tuple(fixtures)

    def state(self, seeding: Sequence[int], results: Results) -> SprtState:
        """Where the test stands, for the first entrant against the second."""
        own = [result for key, result in results.items() if key.stage == STAGE]
        return sprt(pair_scores(own, *seeding), self.settings)

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """Depends on the results."""
        return None
