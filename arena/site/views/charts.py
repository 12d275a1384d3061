"""Geometry of the charts: numbers in, coordinates out, so that templates only write them down.

Pure. Every chart has a text beside it that says the same, for those who cannot see it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

PLACES = 1
"""Decimals of a coordinate."""

FENCE = 6.0
"""Outliers are so many times as far from the middle as half of the means are."""

MOST_OUTLIERS = 0.1
"""If a larger share of the means is far outside, they are a group of their own, to be seen."""

STEPS_WIDTH = 600

LEAST_FENCED = 4
"""With fewer means nobody can say which of them is the outlier."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values to coordinates. ``ticks``: round values inside the range."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...] = ()

    def __call__(self, value: float) -> float:
        """The coordinate of a value, kept inside the drawing."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + min(max(share, 0.0), 1.0) * (self.end - self.start), PLACES)


def step_of(span: float, count: int) -> float:
    """A round step (1, 2 or 5 times a power of ten) that divides a span into about so many."""
    raw = span / max(count, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw)


def scale(
    values: Iterable[float | None],
    start: float,
    end: float,
    *,
    include: float | None = None,
    ticks: int = 4,
) -> Scale:
    """A scale over these values, with a little room; None and infinities are left out."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    if include is not None:
        known.append(include)
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    if low == high:
        low, high = low - 1, high + 1
    room = 0.04 * (high - low)
    low, high = low - room, high + room
    step = step_of(high - low, ticks)
    first = math.ceil(low / step)
    marks = tuple(round(step * number, 10) for number in range(first, math.floor(high / step) + 1))
    return Scale(low, high, start, end, marks)


def whisker_scale(
    intervals: Iterable[tuple[float | None, float | None, float | None]],
    start: float,
    end: float,
    *,
    include: float | None = None,
) -> Scale:
    """A scale for (mean, low, high) each that no few outliers stretch: they are off the drawing.

    Outliers are a few whose means are much farther from the middle than half of all are, and than
    their intervals reach.
    """
    rows = [row for row in intervals if row[0] is not None]
    means = [mean for mean, _, _ in rows if mean is not None]
    if len(means) >= LEAST_FENCED:
        middle = median(means)
        halves = [(high - low) / 2 for _, low, high in rows if low is not None and high is not None]
        width = max(median(abs(mean - middle) for mean in means), median(halves or [0.0]))
        near = [row for row in rows if abs((row[0] or 0.0) - middle) <= FENCE * width]
        if len(rows) - len(near) <= max(1, MOST_OUTLIERS * len(rows)):
            rows = near
    return scale((value for row in rows for value in row), start, end, include=include)


@dataclass(frozen=True, slots=True)
class Whisker:
    """An interval as a line with a dot: ``x`` the estimate, ``x1`` to ``x2`` the interval.

    An end that is open goes to the edge and is marked so. ``beyond``: ``low`` or ``high`` where
    the estimate is off the drawing to that side. ``zero``: where the reference line is.
    """

    x: float
    x1: float
    x2: float
    open_low: bool
    open_high: bool
    beyond: str | None
    zero: float | None
    text: str


def whisker(
    at: Scale, mean: float, low: float | None, high: float | None, zero: float | None, text: str
) -> Whisker:
    """The drawing of one interval on a scale that its neighbours share."""
    return Whisker(
        x=at(mean),
        x1=at.start if low is None else at(low),
        x2=at.end if high is None else at(high),
        open_low=low is None,
        open_high=high is None,
        beyond="low" if mean < at.low else "high" if mean > at.high else None,
        zero=None if zero is None else at(zero),
        text=text,
    )


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram with what it stands for."""

    x: float
    y: float
    width: float
    height: float
    text: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bars over an axis; ``line`` is where a limit lies, None when it is off the drawing."""

    width: int
    height: int
    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    line: float | None
    line_text: str


def log_histogram(
    counts: Sequence[tuple[float, float, int]],
    *,
    width: int = 560,
    height: int = 150,
    limit: tuple[float, str] | None = None,
    label: str = "ms",
) -> Histogram:
    """A histogram over a logarithmic axis: (from, to, count) each.

    What begins at 0, for which the axis has no place, is drawn from half of where it ends.
    """
    shown = [row for row in counts if row[2]]
    low = min((row[0] or row[1] / 2 for row in shown), default=1.0)
    high = max([*(row[1] for row in shown), limit[0] * 1.15 if limit else 10.0])
    at = Scale(math.log10(low), math.log10(max(high, low * 10)), 8, width - 8)
    top = max((row[2] for row in shown), default=1)
    floor = height - 22
    bars = []
    for start, stop, count in shown:
        left, right = at(math.log10(start or stop / 2)), at(math.log10(stop))
        tall = round((floor - 14) * count / top, PLACES)
        text = f"{start:g} to {stop:g} {label}: {count}"
        bars.append(Bar(left, floor - tall, max(1.0, right - left - 1), tall, text))
    ticks = []
    power = math.ceil(math.log10(low))
    while 10.0**power <= max(high, low * 10):
        ticks.append((at(power), f"{10.0**power:g}"))
        power += 1
    line = at(math.log10(limit[0])) if limit else None
    return Histogram(width, height, tuple(bars), tuple(ticks), line, limit[1] if limit else "")


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A value over steps. ``path`` is SVG; ``end``: height of its last point; ``text`` says it."""

    path: str
    end: float
    text: str


@dataclass(frozen=True, slots=True)
class StepChart:
    """Lines over steps, each ``unit`` wide. ``limit``: height of a value that means something."""

    width: int
    unit: int
    height: int
    lines: tuple[ChartLine, ...]
    ticks: tuple[tuple[float, str], ...]
    limit: float | None
    limit_text: str


def step_chart(
    rows: Sequence[tuple[str, Sequence[int]]],
    *,
    height: int = 120,
    margin: int = 8,
    limit: tuple[int, str] | None = None,
) -> StepChart:
    """Lines of as many values each, with the names of what they are of.

    However few steps there are, the drawing is about `STEPS_WIDTH` wide: browsers blur one that
    they have to stretch a lot.
    """
    steps = max(len(values) for _, values in rows) - 1
    unit = max(1, STEPS_WIDTH // max(1, steps))
    levels = [value for _, values in rows for value in values]
    up = scale(levels, height - margin, margin, include=0, ticks=3)
    lines = []
    for name, values in rows:
        heights = [up(value) for value in values]
        path = [f"M0 {heights[0]:g}"]
        for at in range(1, len(heights)):
            if heights[at] != heights[at - 1]:
                path.append(f"H{at * unit}V{heights[at]:g}")
        path.append(f"H{steps * unit}")
        text = f"{name} from {values[0]} to {values[-1]}"
        lines.append(ChartLine("".join(path), heights[-1], text))
    return StepChart(
        width=steps * unit,
        unit=unit,
        height=height,
        lines=tuple(lines),
        ticks=tuple((up(tick), f"{tick:g}") for tick in up.ticks if tick >= min(0, *levels)),
        limit=None if limit is None else up(limit[0]),
        limit_text="" if limit is None else limit[1],
    )
