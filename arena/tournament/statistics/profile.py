"""How much less likely the results are under other strengths than those that fit best. Pure.

The usual interval takes the likelihood for a parabola about its top. Of an entrant that has lost
everything it is none: its strength may be as low as one likes but not as high, and the parabola is
so flat that nothing at all would seem to be known. So the likelihood itself is followed, as far as
the strengths of the one or two in question go, and only its scale is taken from the covariance,
which knows about all the others. Where the likelihood is a parabola the two are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.tournament.statistics.bradley_terry import PRIOR_GAMES, Fit, Observation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

STEPS = 201
"""Common strengths that are tried for two entrants, between the two and a little beyond."""

FARTHEST = 20.0
HALVINGS = 30
"""Reaches are sought up to the first, in log-odds, and found to some millionths of a point."""


class Profile:
    """The likelihood about a fit, all strengths but one or two held."""

    def __init__(self, fit: Fit, observations: Sequence[Observation]) -> None:
        import numpy as np

        self._fit = fit
        size = len(fit.strengths)
        first = np.array([o.first for o in observations])
        second = np.array([o.second for o in observations])
        played = np.array([o.weight for o in observations])
        weight = played + fit.added
        share = (np.array([o.share for o in observations]) * played + fit.added / 2) / weight
        seated = np.array([o.seated for o in observations])
        # For each seat (1 first, -1 second, 0 where it is nothing): games and wins, row by column.
        self._tables: list[tuple[float, Floats, Floats]] = []
        for sign in (1, -1, 0):
            rows, columns, won = (second, first, 1 - share) if sign < 0 else (first, second, share)
            kinds = [(rows, columns, won)]
            if sign == 0:
                kinds.append((second, first, 1 - share))
            games, wins = np.zeros((size, size)), np.zeros((size, size))
            here = seated == (sign != 0)
            for row, column, part in kinds:
                np.add.at(games, (row[here], column[here]), weight[here])
                np.add.at(wins, (row[here], column[here]), (weight * part)[here])
            if games.any():
                self._tables.append((sign * fit.seat, games, wins))

    def roots(self) -> Floats:
        """For each ordered pair how many standard deviations the first seems ahead.

        The root of twice the loss of log-likelihood if both were equally strong, as if games were
        independent.
        """
        import numpy as np

        strengths, size = self._fit.strengths, len(self._fit.strengths)
        common = np.linspace(strengths.min() - 1, strengths.max() + 1, STEPS)
        loss = [
            np.logaddexp(0, common[None, :] - strengths[:, None] + lead)
            for lead, _, _ in self._tables
        ]
        gain = [common[None, :] - strengths[:, None] + lead for lead, _, _ in self._tables]
        whole = _prior(common)[None, :] + sum(
            wins @ gained - games @ lost
            for (_, games, wins), gained, lost in zip(self._tables, gain, loss, strict=True)
        )
        top = self._at(strengths)
        roots = np.zeros((size, size))
        for a in range(size - 1):
            others = slice(a + 1, size)
            level = whole[a] + whole[others]
            fitted = top[a].sum() + top[others].sum(axis=1) - top[a, others]
            fitted += _prior(strengths[a]) + _prior(strengths[others])
            for (lead, games, wins), gained, lost in zip(self._tables, gain, loss, strict=True):
                # Their own games: the chance does not depend on a common strength.
                level -= (
                    wins[a, others, None] * gained[others] - games[a, others, None] * lost[others]
                )
                level -= wins[others, a, None] * gained[a] - games[others, a, None] * lost[a]
                own = wins[a, others] * lead - games[a, others] * np.logaddexp(0, lead)
                level += own[:, None]
            gap = strengths[a] - strengths[others]
            deviance = np.maximum(0, 2 * (fitted - _tops(level)))
            scale = self._pair_scale(a, others)
            roots[a, others] = np.sign(gap) * np.sqrt(deviance * scale)
            roots[others, a] = -roots[a, others]
        return roots

    def reaches(self, variances: Floats, distances: Floats) -> tuple[Floats, Floats]:
        """How far below and above each strength lies what is so many deviations less likely.

        ``variances``: of the strengths, from which the scale is taken; ``distances``: by strength.
        """
        import numpy as np

        strengths = self._fit.strengths
        precision = np.diagonal(self._fit.information)[:-1]
        allowed = distances**2 * variances * precision / 2
        top = self._at(strengths).sum(axis=1) + _prior(strengths)
        found = []
        for sign in (-1, 1):
            low, high = np.zeros(len(strengths)), np.full(len(strengths), FARTHEST)
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                moved = strengths + sign * middle
                inside = top - self._at(moved).sum(axis=1) - _prior(moved) < allowed
                low, high = np.where(inside, middle, low), np.where(inside, high, middle)
            found.append(low)
        return found[0], found[1]

    def _at(self, strengths: Floats) -> Floats:
        """Log-likelihood of each row's games with each column, the rows having these strengths."""
        import numpy as np

        found = np.zeros((len(strengths), len(strengths)))
        for lead, games, wins in self._tables:
            odds = strengths[:, None] - self._fit.strengths[None, :] + lead
            found += wins * odds - games * np.logaddexp(0, odds)
        return found

    def _pair_scale(self, a: int, others: slice) -> Floats:
        """The variance of differences with all others held, by the whole variance."""
        import numpy as np

        information, covariance = self._fit.information[:-1, :-1], self._fit.covariance[:-1, :-1]
        own, theirs = information[a, a], np.diagonal(information)[others]
        between = -information[a, others]
        held = (own + theirs - 2 * between) / (own * theirs - between**2)
        spread = np.diagonal(covariance)
        return np.asarray(held / (spread[a] + spread[others] - 2 * covariance[a, others]))


def _prior(strengths: Floats) -> Floats:
    """What `bradley_terry.fit` adds for everybody."""
    import numpy as np

    return np.asarray(PRIOR_GAMES * (0.5 * strengths - np.logaddexp(0, strengths)))


def _tops(curves: Floats) -> Floats:
    """The top of each row, by the parabola through its largest value and both neighbours."""
    import numpy as np

    at = np.clip(curves.argmax(axis=1), 1, curves.shape[1] - 2)
    rows = np.arange(len(curves))
    before, middle, after = (curves[rows, at + step] for step in (-1, 0, 1))
    bend = np.minimum(before - 2 * middle + after, -1e-12)
    return np.asarray(middle - (after - before) ** 2 / (8 * bend))
