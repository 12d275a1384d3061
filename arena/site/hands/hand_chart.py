"""What changes over the moves of a hand and over the hands of a game, as lines to draw. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from arena.rules.base import Variant
from arena.site.hands.frame import Frame
from arena.site.hands.hand_score import points_of
from arena.site.views.charts import StepChart, step_chart


def deadwood_chart(
    frames: Sequence[Frame], names: Sequence[str], limit: int | None
) -> StepChart | None:
    """The deadwood of every position over the frames of a hand; None without a move.

    ``limit``: the deadwood with which one may knock, None where nobody knocks.
    """
    if len(frames) < 2:
        return None
    return step_chart(
        [
            (name, [frame.hands[position].value for frame in frames])
            for position, name in enumerate(names)
        ],
        limit=None if limit is None else (limit, f"one may knock with {limit} or less"),
    )


def score_chart(
    variant: Variant,
    scores: Sequence[Sequence[Sequence[int]]],
    sides: Sequence[Sequence[int]],
    names: Sequence[str],
) -> StepChart | None:
    """The score of every side over the hands of a game, up to a step after the last, so that it
    can be seen; None before there are two.

    ``scores``: by hand, seat and column of the sheet, whose columns are added up. ``names``: by
    seat.
    """
    if len(scores) < 2:
        return None
    sheet = variant.family.new_sheet(variant.rules, len(names), 0)
    limit = None
    if sheet.target is not None and len(sheet.columns) == 1:
        what = "puts one out" if sheet.lower_is_better else "ends the game"
        limit = (sheet.target, f"{sheet.target} {what}")
    start = [points_of(sheet, seat) for seat in range(len(names))]
    return step_chart(
        [
            (
                " + ".join(names[seat] for seat in side),
                [sum(one[side[0]]) for one in (start, *scores, scores[-1])],
            )
            for side in sides
        ],
        limit=limit,
    )
