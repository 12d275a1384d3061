"""The deadwood of every position over the moves of a hand, as lines to draw. Pure.

A frame is one unit wide, so that the number of a frame is its place in the drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.site.hands.frame import Frame
from arena.site.views.charts import scale

HEIGHT = 120
MARGIN = 8


@dataclass(frozen=True, slots=True)
class DeadwoodLine:
    """One position's line. ``path`` is SVG; ``end``: height of its last point; ``text`` says it."""

    path: str
    end: float
    text: str


@dataclass(frozen=True, slots=True)
class DeadwoodChart:
    """Lines by position, ``width`` frames wide. ``limit``: height of the deadwood to knock with."""

    width: int
    height: int
    lines: tuple[DeadwoodLine, ...]
    ticks: tuple[tuple[float, str], ...]
    limit: float | None
    limit_text: str


def deadwood_chart(
    frames: Sequence[Frame], names: Sequence[str], limit: int | None
) -> DeadwoodChart | None:
    """The chart of a hand with at least one move, None without one.

    ``limit``: the deadwood with which one may knock, None where nobody knocks.
    """
    if len(frames) < 2:
        return None
    values = [hand.value for frame in frames for hand in frame.hands]
    up = scale(values, HEIGHT - MARGIN, MARGIN, include=0, ticks=3)
    lines = []
    for position, name in enumerate(names):
        heights = [up(frame.hands[position].value) for frame in frames]
        steps = [f"M0 {heights[0]:g}"]
        for at in range(1, len(heights)):
            if heights[at] != heights[at - 1]:
                steps.append(f"H{at}V{heights[at]:g}")
        steps.append(f"H{len(heights) - 1}")
        first, last = frames[0].hands[position].value, frames[-1].hands[position].value
        lines.append(DeadwoodLine("".join(steps), heights[-1], f"{name} from {first} to {last}"))
    return DeadwoodChart(
        width=len(frames) - 1,
        height=HEIGHT,
        lines=tuple(lines),
        ticks=tuple((up(tick), f"{tick:g}") for tick in up.ticks if tick >= 0),
        limit=None if limit is None else up(limit),
        limit_text="" if limit is None else f"one may knock with {limit} or less",
    )
