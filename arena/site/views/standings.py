"""The table of a tournament as pages show it. Pure.

Words for tie-breaks are those of the terminal, so that both give the same reason for a place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.site.urls import Urls
from arena.site.views.bracket_view import champion
from arena.site.views.charts import Scale, Whisker, whisker, whisker_scale
from arena.site.views.formatting import number, signed
from arena.site.views.parts import Named, bot
from arena.site.views.snapshot import Snapshot
from arena.tournament.ranking.standings import OPEN_PLACE, Presence, Row, Winners
from arena.tournament.ranking.table_text import TableText, reason_text, table_text
from arena.tournament.results import finished_winners, state_in
from arena.tournament.statistics.intervals import Estimate
from arena.tournament.statistics.rating import Rating


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A line of the table. ``net_points``: the leads in points over each opponent, added up.

    ``presence``: ``withdrawn``, ``disqualified``, or ``playing`` while the tournament is played,
    else the tournament's state.

    ``low`` and ``high``: 95 % interval of the points a hand, from ``pairs`` mirrored pairs. The
    same for ``rating``; ``bound`` says ``at_least`` or ``at_most`` for the unbeaten and the
    winless. Bots that share a letter of ``marks`` cannot be told apart. ``partners``: who always
    played together with it and has the same rank. ``faults``: decisions that the referee made for
    it; ``by_strikes``: matches it lost that such faults ended. Unknown numbers are None.
    """

    rank: int | None
    bot: Named
    entrant: int
    presence: str
    match_points: float
    played: int
    won: int
    drawn: int
    lost: int
    byes: int
    forfeits: int
    games_won: int
    games_drawn: int
    games_lost: int
    hands: int
    hands_won: int
    net_points: int
    points_per_hand: float | None
    low: float | None
    high: float | None
    pairs: int
    rating: float | None
    rating_low: float | None
    rating_high: float | None
    bound: str | None
    marks: str
    decided: str | None
    partners: tuple[str, ...]
    faults: int | None
    by_strikes: int
    points_drawn: Whisker | None
    rating_drawn: Whisker | None


WHISKER = (4, 96)
"""Where the drawing of an interval begins and ends, in percent of its width."""


def table(
    urls: Urls,
    snapshot: Snapshot,
    rows: Sequence[Row] | None = None,
    faults: Mapping[int, int] | None = None,
) -> tuple[StandingLine, ...]:
    """The standings, best first; ``rows`` are those of a group instead of all.

    ``faults``: how many each entrant has, where that was looked up.
    """
    ratings = {row.entrant: row for row in snapshot.known.ratings}
    estimates = snapshot.known.estimates
    hand_scale = whisker_scale(
        ((e.mean, e.low, e.high) for e in estimates.values() if e.low is not None),
        *WHISKER,
        include=0,
    )
    rating_scale = whisker_scale(((r.rating, r.low, r.high) for r in ratings.values()), *WHISKER)
    return tuple(
        _line(urls, snapshot, row, estimates.get(row.entrant, NO_ESTIMATE), ratings[row.entrant],
              hand_scale, rating_scale, faults)
        for row in (snapshot.known.rows if rows is None else rows)
    )  # fmt: skip


NO_ESTIMATE = Estimate(None, None, None, 0, 0)


def _line(
    urls: Urls,
    snapshot: Snapshot,
    row: Row,
    estimate: Estimate,
    rating: Rating,
    hand_scale: Scale,
    rating_scale: Scale,
    faults: Mapping[int, int] | None,
) -> StandingLine:
    reason = reason_text(row)
    return StandingLine(
        rank=row.rank,
        bot=bot(urls, snapshot, row.entrant),
        entrant=row.entrant,
        presence=state_in(row, snapshot.tournament.state),
        match_points=row.match_points,
        played=row.played,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        byes=row.byes,
        forfeits=row.forfeits,
        games_won=row.games_won,
        games_drawn=row.games_drawn,
        games_lost=row.games_lost,
        hands=row.hands,
        hands_won=row.hands_won,
        net_points=row.net_points,
        points_per_hand=row.points_per_hand,
        low=estimate.low,
        high=estimate.high,
        pairs=estimate.pairs,
        rating=rating.rating,
        rating_low=rating.low,
        rating_high=rating.high,
        bound=rating.bound,
        marks=rating.marks,
        decided=f"by {reason}" if reason else None,
        partners=tuple(snapshot.names[other] for other in row.partners),
        faults=None if faults is None else faults.get(row.entrant, 0),
        by_strikes=snapshot.strikes.get(row.entrant, 0),
        points_drawn=_points_drawn(hand_scale, estimate),
        rating_drawn=_rating_drawn(rating_scale, rating),
    )


def _points_drawn(at: Scale, estimate: Estimate) -> Whisker | None:
    if estimate.mean is None or estimate.low is None or estimate.high is None:
        return None
    text = f"between {signed(estimate.low, 2)} and {signed(estimate.high, 2)} points a hand"
    return whisker(at, estimate.mean, estimate.low, estimate.high, 0, text)


def _rating_drawn(at: Scale, rating: Rating) -> Whisker | None:
    if rating.rating is None or (rating.low is None and rating.high is None):
        return None
    low, high = rating.low, rating.high
    if low is None or high is None:
        text = f"at most {number(high)}" if low is None else f"at least {number(low)}"
    else:
        text = f"between {number(low)} and {number(high)}"
    return whisker(at, rating.rating, low, high, None, text)


def text_of(snapshot: Snapshot) -> TableText:
    """What is said about the table of a tournament, and of its groups."""
    known = snapshot.known
    return table_text(
        snapshot.format,
        snapshot.options,
        (*known.rows, *(row for _, rows in known.groups for row in rows)),
        {row.entrant: row for row in known.ratings},
        known.estimates,
    )


def won_by(snapshot: Snapshot) -> Winners:
    """Who won a tournament, or why nobody did, once it is finished."""
    found = finished_winners(snapshot.tournament, snapshot.known.rows)
    if found.entrants and snapshot.format.has_bracket and champion(snapshot) is None:
        return Winners((), OPEN_PLACE)
    return found


def ranked(snapshot: Snapshot) -> list[Row]:
    """The rows of those who count, in the order of the table."""
    return [row for row in snapshot.known.rows if row.presence is not Presence.DISQUALIFIED]
