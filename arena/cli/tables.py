"""Tables and brackets on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.cli.field import field_lines
from arena.store import Store
from arena.store.rows import TournamentRow
from arena.tournament.formats.bracket_tree import MatchState
from arena.tournament.formats.format import RankedBy
from arena.tournament.ranking.standings import Presence, Row, Winners
from arena.tournament.ranking.table_text import TableText, halves, reason_text
from arena.tournament.registration import BEFORE
from arena.tournament.results import (
    GroupTable,
    Strength,
    entrant_names,
    finished_winners,
    format_of,
    groups_of,
    standings_of,
    strength_of,
    text_of,
)
from arena.tournament.statistics.intervals import Estimate
from arena.tournament.statistics.rating import Bound, Rating


def print_standings(to: Console, store: Store, tournament: TournamentRow, title: str) -> None:
    """A tournament's table, before it those of its groups, and, once it is finished, who won it; of
    one that has not begun, who is in it."""
    names = entrant_names(store, tournament.id)
    strength = strength_of(store, tournament)
    rows = standings_of(store, tournament, strength)
    groups = groups_of(store, tournament)
    text = text_of(tournament, rows, strength, groups)
    if tournament.state in BEFORE:
        for said in (
            *field_lines(store, tournament),
            f"Its table will be {text.order[0].lower()}{text.order[1:]}",
        ):
            to.print(Text(said))
        return
    for group in groups:
        own = replace(
            text, order=group.order, has_intervals=False, has_letters=False, remarks=(), legend=()
        )
        to.print(standings_table(group.name, group.rows, names, _played_there(group), own))
    by_rating = format_of(tournament).ranked_by is RankedBy.RATING
    to.print(standings_table(title, rows, names, strength, text, by_rating=by_rating))
    line = winner_line(finished_winners(tournament, rows), names)
    if line is not None:
        to.print(Text(line))


def _played_there(group: GroupTable) -> Strength:
    """Points a hand in the group alone, as all other numbers of its table are; ratings are of the
    whole tournament and stand in the other table."""
    means = {row.entrant: row.points_per_hand for row in group.rows}
    return Strength({one: Estimate(mean, None, None, 0, 0) for one, mean in means.items()}, {})


def standings_table(
    title: str,
    rows: Sequence[Row],
    names: Mapping[int, str],
    strength: Strength,
    text: TableText,
    *,
    by_rating: bool = False,
) -> Table:
    """A tournament's table for a terminal, with what is said about it underneath."""
    said = [text.order, *(f"{term.word}: {term.meaning}." for term in text.legend), *text.remarks]
    caption = Text("\n".join(said))
    table = Table(
        title=Text(title), title_justify="left", title_style="bold",
        caption=caption, caption_justify="left",
    )  # fmt: skip
    for heading in ("#", "Bot"):
        table.add_column(heading, justify="right" if heading == "#" else "left", overflow="fold")
    between = ("Interval",) if text.has_intervals else ()
    first = ("Rating", *between) if by_rating else ("Points",)
    is_rated = bool(strength.ratings)
    last = ("Points", "Points a hand") if by_rating else ("Points a hand", "Rating")[: 1 + is_rated]
    for heading in (*first, "W–D–L", "Games", "Hands", *last):
        table.add_column(heading, justify="right")
    if text.has_letters:
        table.add_column("Alike")
    table.add_column("Ranked" if by_rating else "Decided by")
    for row in rows:
        rating = strength.ratings.get(row.entrant)
        hand = _points(strength.points.get(row.entrant))
        points, rated = halves(row.match_points), _rating(rating)
        table.add_row(
            "–" if row.rank is None else str(row.rank),
            Text(names[row.entrant]),
            *((rated, *(_between(rating) for _ in between)) if by_rating else (points,)),
            f"{row.won}–{row.drawn}–{row.lost}",
            f"{row.games_won}–{row.games_drawn}–{row.games_lost}",
            str(row.hands),
            *((points, hand) if by_rating else (hand, rated)[: 1 + is_rated]),
            *([(rating.marks if rating else "") or "–"] if text.has_letters else []),
            _ranked(row) if by_rating else _decided(row, names),
        )
    return table


def winner_line(winners: Winners, names: Mapping[int, str]) -> str | None:
    """Who won a finished tournament, or why nobody did; None while it is not finished."""
    if winners.reason is not None:
        return f"winner: – ({winners.reason})"
    if not winners.entrants:
        return None
    return f"winner: {' + '.join(names[entrant] for entrant in winners.entrants)}"


def _ranked(row: Row) -> str:
    if row.rank is None and row.presence is Presence.PLAYING:
        return "no interval yet"
    return _presence(row)


def _decided(row: Row, names: Mapping[int, str]) -> Text:
    found = [reason_text(row) or _presence(row)]
    if row.partners:
        found.append(f"partner of {' and '.join(names[other] for other in row.partners)}")
    return Text("; ".join(filter(None, found)))


def _between(rating: Rating | None) -> str:
    """The interval of a rating."""
    if rating is None or (rating.low is None and rating.high is None):
        return "–"
    low = "" if rating.low is None else f"{rating.low:.0f}"
    high = "" if rating.high is None else f"{rating.high:.0f}"
    return f"{low}…{high}"


def bracket_table(found: Mapping[str, Any]) -> Table:
    """A bracket for a terminal; ``found`` is what `bracket_json` makes."""
    title = Text(f"{found['tournament']} ({found['state']})")
    caption = "Favourite: the better rated, and its chance to win the match; – where not rated."
    table = Table(title=title, title_justify="left", title_style="bold", caption=caption)
    for heading in ("Match", "One", "Other"):
        table.add_column(heading, overflow="fold")
    table.add_column("Games", justify="right")
    table.add_column("Favourite", overflow="fold")
    for match in found["matches"]:
        one, other = match["sides"]
        played = one["games"] is not None and other["games"] is not None
        table.add_row(
            Text(match["label"]),
            _side(one, match),
            _side(other, match),
            f"{one['games']}–{other['games']}" if played else _unplayed(match),
            _favourite(match),
        )
    return table


def _unplayed(match: Mapping[str, Any]) -> str:
    """What stands instead of a score."""
    return str(match["note"]) if match["state"] == MatchState.NOT_NEEDED else ""


def _side(side: Mapping[str, Any], match: Mapping[str, Any]) -> Text:
    if side["name"] is None:
        return Text(side["text"], style="dim")
    won = match["winner"] == side["name"]
    return Text(f"{side['name']} ({side['seeding']})", style="bold" if won else "")


def _favourite(match: Mapping[str, Any]) -> Text:
    if match["favourite"] is not None:
        return Text(f"{match['favourite']} {100 * match['chance']:.0f} %")
    return Text("–" if all(side["name"] for side in match["sides"]) else "")


def _points(estimate: Estimate | None) -> str:
    if estimate is None or estimate.mean is None:
        return "–"
    half = "" if estimate.half_width is None else f" ± {estimate.half_width:.1f}"
    return f"{estimate.mean:+.1f}{half}"


def _rating(rating: Rating | None) -> str:
    if rating is None or rating.rating is None:
        return "–"
    sign = {None: "", Bound.AT_LEAST: "≥ ", Bound.AT_MOST: "≤ "}[rating.bound]
    return f"{sign}{rating.rating:.0f}"


def _presence(row: Row) -> str:
    return "" if row.presence is Presence.PLAYING else row.presence.value
