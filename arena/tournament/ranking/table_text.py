"""What is said about a table: its order, its columns, what decided. Pure.

Terminals, pages and their JSON twins take these words from here, so that they say the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import comb

from arena.tournament.formats.format import Format, RankedBy
from arena.tournament.formats.groups import group_rules
from arena.tournament.model import FormatOptions
from arena.tournament.ranking.standings import Row, TableRules
from arena.tournament.ranking.tie_breaks import TieBreak
from arena.tournament.statistics.intervals import Estimate
from arena.tournament.statistics.rating import Rating

MINUS = "\N{MINUS SIGN}"

DEFINITIONS = {
    TieBreak.DIRECT_ENCOUNTER: "points in the matches of the tied against each other; it counts "
    "where all of them have met",
    TieBreak.DIRECT_POINTS: "the tied took as many points from each other; the lead in hand points "
    "in those matches decides",
    TieBreak.GAME_DIFFERENCE: "games won less games lost in the whole tournament",
    TieBreak.SONNEBORN_BERGER: "the points of each opponent, times the share of the match that was "
    "taken from it, added up",
    TieBreak.BUCHHOLZ: "the points of all opponents added up; a bye counts as an opponent with as "
    "many points as oneself",
    TieBreak.SEEDING: "nothing that was played tells them apart; the better seeding is ahead",
    TieBreak.LOT: "nothing that was played tells them apart; the lot comes from the tournament's "
    "secret",
}


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the table and what it means, to be read after a colon."""

    word: str
    meaning: str


@dataclass(frozen=True, slots=True)
class TableText:
    """What there is to say about a table.

    ``order``: the sentence that explains it. ``unit``: what intervals count: ``pairs``, ``tables``
    or ``matches``. ``has_intervals``, ``has_letters``: whether these columns tell rows apart; where
    not, ``remarks`` say in a sentence what all rows would. ``byes_count``: whether a bye gives
    points, and so explains some. ``legend``: what the columns mean, and
    the tie-breaks that decided a place.
    """

    order: str
    unit: str
    has_intervals: bool
    has_letters: bool
    byes_count: bool
    remarks: tuple[str, ...]
    legend: tuple[Term, ...]


_BOUND = (
    "the rating is at least or at most that: of a bot that won or lost everything nobody can say "
    "how much stronger or weaker it is"
)


def table_text(
    format: Format,
    options: FormatOptions,
    rows: Collection[Row],
    ratings: Mapping[int, Rating],
    estimates: Mapping[int, Estimate],
) -> TableText:
    """The words for a whole table; ``rows`` are all its rows, with those of groups."""
    by_rating = format.ranked_by is RankedBy.RATING
    entrants = {row.entrant for row in rows}
    rated = [ratings[one] for one in entrants if one in ratings]
    if by_rating:
        has_intervals = any(one.low is not None or one.high is not None for one in rated)
    else:
        has_intervals = any(
            estimates[one].half_width is not None for one in entrants if one in estimates
        )
    letters = {one.marks for one in rated} - {""}
    unit = unit_of(format, options)
    legend = [
        Term("Points", _points(format, options)),
        Term("Matches, games", "won–drawn–lost"),
        Term("Points a hand", _hand(options)),
    ]
    remarks = []
    if has_intervals:
        legend.append(Term("Interval", _interval(format, options, by_rating)))
    elif any(row.hands for row in rows):
        of = "ratings" if by_rating else "points a hand"
        remarks.append(f"Too few {unit} for intervals of the {of} yet.")
    if len(letters) > 1:
        legend.append(Term("Alike", _letters(rated)))
    elif any(row.hands for row in rows):
        remarks.append(_all_alike(rated))
    if any(one.bound for one in rated):
        legend.append(Term("≥, ≤", _BOUND))
    used = {row.decided_by for row in rows if row.played} - {TieBreak.POINTS_PER_HAND}
    legend += [Term(capital(step.label), DEFINITIONS[step]) for step in TieBreak if step in used]
    return TableText(
        order_text(format, options),
        unit,
        has_intervals,
        len(letters) > 1,
        _byes_count(format, options),
        tuple(remarks),
        tuple(legend),
    )


def order_text(format: Format, options: FormatOptions) -> str:
    """What the order of a tournament's table goes by."""
    match format.ranked_by:
        case RankedBy.RATING:
            return (
                "In order of rating, not of points: some have had easier opponents. "
                "Without a rank: no interval yet, or not yet comparable."
            )
        case RankedBy.BRACKET if format.has_both:
            return (
                "In order of how far each got in the bracket, then of the place in the group; "
                "until the last group is over, in order of points."
            )
        case RankedBy.BRACKET:
            return "In order of how far each got, not of points."
    return points_order(format.table_rules(options))


def group_order_text(seeding: Sequence[int], options: FormatOptions) -> str:
    """What the order in a group goes by, and who goes on from it."""
    on = "The first goes" if options.advance == 1 else f"The first {options.advance} go"
    return f"{on} on to the bracket. {points_order(group_rules(seeding, options))}"


def points_order(rules: TableRules) -> str:
    """The order of a table by points, or their share: its tie-breaks, one after the other."""
    *first, last = (step.label for step in rules.chain)
    what, equal = "points", "points"
    if rules.champion is not None:
        what = "the share of points taken from the champion, who stands where that is a half"
        equal = "shares"
    return f"In order of {what}; equal {equal} by {', then '.join(first)}, at last by {last}."


def reason_text(row: Row) -> str | None:
    """What decided a place and the value there, to be read after "by": ``Buchholz 17½``."""
    if row.decided_by is None or not row.played:
        return None
    value = value_text(row.decided_by, row.decided_value)
    return f"{row.decided_by.label}\N{NO-BREAK SPACE}{value}" if value else row.decided_by.label


def value_text(step: TieBreak, value: float | None) -> str:
    """The value of a tie-break: points with halves, differences with their sign."""
    if value is None:
        return ""
    if step in (TieBreak.DIRECT_POINTS, TieBreak.GAME_DIFFERENCE, TieBreak.POINTS_PER_HAND):
        places = 2 if step is TieBreak.POINTS_PER_HAND else 0
        return f"{value:+.{places}f}".replace("-", MINUS)
    return halves(value)


def halves(value: float) -> str:
    """Match points: ``3``, ``3½``; others with two decimals at most."""
    whole, rest = divmod(value, 1)
    if rest == 0.5:
        return f"{whole:.0f}½" if whole else "½"
    return f"{value:.2f}".rstrip("0").rstrip(".")


def unit_of(format: Format, options: FormatOptions) -> str:
    """What intervals count: results that share their deals are one."""
    if not options.duplicate or "duplicate" not in format.uses:
        return "matches"
    return "tables" if format.many_seats else "pairs"


def unit_text(format: Format, options: FormatOptions) -> str:
    """The same in full, to be read after "intervals count"."""
    match unit_of(format, options):
        case "matches":
            return "matches, not single games"
        case "tables":
            return (
                "tables with all their seat orders, not single games, because those share the "
                "luck of the deals"
            )
    also = " (in the bracket, matches)" if format.has_both else ""
    return (
        f"mirrored pairs of matches{also}, not single games, because both halves of a pair share "
        "their luck"
    )


def capital(text: str) -> str:
    """The text with a capital at its start."""
    return text[:1].upper() + text[1:]


def _points(format: Format, options: FormatOptions) -> str:
    if format.many_seats:
        return "for each match 1 for every opponent left behind, ½ for every opponent tied with"
    bye = ", 1 for a bye" if _byes_count(format, options) else ""
    return f"1 for a match won, ½ for a match drawn{bye}"


def _byes_count(format: Format, options: FormatOptions) -> bool:
    return format.table_rules(options).bye_points > 0


def _hand(options: FormatOptions) -> str:
    lead = "the lead in hand points over each opponent, added up, for each hand played"
    if options.fewer_points_win:
        return f"{lead}; hand points are penalties, so who has fewer leads"
    return lead


def _interval(format: Format, options: FormatOptions, by_rating: bool) -> str:
    what = "rating" if by_rating else "points a hand"
    return f"95% interval of the {what}; it counts {unit_text(format, options)}"


def _letters(rated: Sequence[Rating]) -> str:
    said = (
        f"ratings of all {len(rated)} compared at once; bots with a letter in common are not told "
        "apart by the games they won and lost. Points a hand are another measure and can differ "
        "where letters do not"
    )
    if any(not one.marks for one in rated):
        said += ". –: too little played, or not comparable yet"
    return said


def _all_alike(rated: Sequence[Rating]) -> str:
    """The sentence instead of letters that are all the same."""
    count = sum(bool(one.marks) for one in rated)
    if count < 2:
        return "Too little was played to say who is stronger."
    of = "" if count == len(rated) else f" of the {count} that can be compared yet"
    pairs = f"all {comb(count, 2)} pairs compared at once" if count > 2 else "by their ratings"
    return (
        f"No two bots{of} are told apart by the games they won and lost, {pairs}. Points a hand "
        "are another measure and can differ all the same."
    )
