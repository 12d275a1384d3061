"""A bracket as pages draw it: sections of rounds of matches, in the order of the tree. Pure.

Nothing is decided here: `bracket_tree` says who is where; this adds names, links and live states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.errors import DamagedError
from arena.site.urls import Urls
from arena.site.views.parts import bot
from arena.site.views.snapshot import Snapshot
from arena.store.rows import FixtureRow, FixtureStatus
from arena.tournament.formats.bracket_tree import (
    BracketTree,
    MatchState,
    TreeMatch,
    TreeSide,
    bracket_tree,
)
from arena.tournament.formats.schedule import series
from arena.tournament.model import FixtureKey
from arena.tournament.statistics.odds import Favourite, favourite

SECTION_TITLES = {
    "winners": "Winners' bracket",
    "losers": "Losers' bracket",
    "final": "Grand final",
    "grand_final": "Grand final",
}
STATE_TEXTS = {
    MatchState.OPEN: "to be decided",
    MatchState.READY: "to be played",
    MatchState.PLAYED: "finished",
    MatchState.BYE: "bye",
    MatchState.VOID: "void: nobody goes on",
}


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One side of a match. ``text`` stands in where there is no bot: a bye, or who may come."""

    name: str | None
    url: str | None
    text: str
    seeding: int | None
    score: int | None
    won: bool
    out: bool


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of the tree. ``state``: open, ready, playing, interrupted, played, bye, void or
    not_needed.

    ``favourite``: who was rated better when the tournament began, and its chance to win (see
    `arena.tournament.statistics.odds`); None where a side is open or a rating is not known.
    """

    label: str
    url: str | None
    state: str
    state_text: str
    note: str
    sides: tuple[BracketSide, BracketSide]
    favourite: Favourite | None


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A column. ``halving``: two of its matches lead to one of the next column."""

    title: str
    halving: bool
    matches: tuple[BracketMatch, ...]


@dataclass(frozen=True, slots=True)
class BracketSection:
    """A part of the bracket with columns of its own."""

    key: str
    title: str
    rounds: tuple[BracketRound, ...]


def sections(urls: Urls, snapshot: Snapshot) -> tuple[BracketSection, ...]:
    """The whole bracket, decided or not; nothing while there are too few bots for one."""
    if not snapshot.fixtures and not snapshot.format.fits(snapshot.seeding, snapshot.options):
        return ()
    tree = bracket_tree(snapshot.format, snapshot.seeding, snapshot.options, snapshot.by_key)
    rows = {row.key: row for row in snapshot.valid}
    grouped: dict[str, list[Sequence[TreeMatch]]] = {}
    for column in tree.rounds:
        grouped.setdefault(column.stage, []).append(column.matches)
    drawn = [
        BracketSection(stage, SECTION_TITLES.get(stage, ""), _rounds(urls, snapshot, columns, rows))
        for stage, columns in grouped.items()
    ]
    if tree.third_place is not None:
        only = [(tree.third_place,)]
        drawn.append(BracketSection("third_place", "", _rounds(urls, snapshot, only, rows)))
    return tuple(drawn)


def champion(snapshot: Snapshot) -> int | None:
    """The entrant that won the bracket, None until it is decided, or if it is damaged."""
    tree = _tree(snapshot)
    return None if tree is None else tree.champion


def contenders(snapshot: Snapshot) -> frozenset[int]:
    """The entrants in the bracket who may still win it; nobody if it is damaged."""
    tree = _tree(snapshot)
    return frozenset() if tree is None else tree.contenders


def _tree(snapshot: Snapshot) -> BracketTree | None:
    """The bracket once it has matches, None if it is damaged."""
    if not snapshot.fixtures:
        return None
    try:
        return bracket_tree(snapshot.format, snapshot.seeding, snapshot.options, snapshot.by_key)
    except DamagedError:
        return None


def _rounds(
    urls: Urls,
    snapshot: Snapshot,
    columns: Sequence[Sequence[TreeMatch]],
    rows: Mapping[FixtureKey, FixtureRow],
) -> tuple[BracketRound, ...]:
    after = [*columns[1:], ()]
    return tuple(
        BracketRound(
            round_title([match.label for match in matches]),
            len(matches) == 2 * len(following),
            tuple(_match(urls, snapshot, match, rows.get(match.key)) for match in matches),
        )
        for matches, following in zip(columns, after, strict=True)
    )


def round_title(labels: Sequence[str]) -> str:
    """The title of a column from the labels of its matches: ``Semi-finals``."""
    label = labels[0]
    if ", match" in label:
        return label.split(", match")[0]
    if len(labels) == 1:
        return label
    return f"{label.rstrip('0123456789 ')}s"


def _match(
    urls: Urls, snapshot: Snapshot, match: TreeMatch, row: FixtureRow | None
) -> BracketMatch:
    state, text = str(match.state), STATE_TEXTS.get(match.state, match.note)
    playing = row is not None and row.status is FixtureStatus.PLAYING
    undecided = match.state in (MatchState.OPEN, MatchState.READY)
    if undecided and snapshot.tournament.over:
        text = "not played"
    elif playing and match.state is MatchState.READY:
        state, text = ("playing", "playing now")
        if snapshot.is_idle or snapshot.awaited:
            state, text = ("interrupted", "waiting" if snapshot.awaited else "interrupted")
    linked = row is not None and len(row.seats) > 1
    return BracketMatch(
        label=match.label,
        url=urls.match(snapshot.tournament.slug, row.id) if row is not None and linked else None,
        state=state,
        state_text=text,
        note="" if match.note == text or match.state is MatchState.BYE else match.note,
        sides=(
            _side(urls, snapshot, match, match.sides[0]),
            _side(urls, snapshot, match, match.sides[1]),
        ),
        favourite=_favourite(snapshot, match),
    )


def _favourite(snapshot: Snapshot, match: TreeMatch) -> Favourite | None:
    one, other = (
        None if side.entrant is None else snapshot.entrants[side.entrant].rating
        for side in match.sides
    )
    return favourite(one, other, *series(snapshot.options))


def _side(urls: Urls, snapshot: Snapshot, match: TreeMatch, side: TreeSide) -> BracketSide:
    if side.entrant is None:
        return BracketSide(None, None, side.text, None, None, False, False)
    link = bot(urls, snapshot, side.entrant)
    done = match.state in (MatchState.PLAYED, MatchState.VOID)
    return BracketSide(
        name=link.name,
        url=link.url,
        text="",
        seeding=side.seed,
        score=side.games,
        won=side.is_winner and done,
        out=done and not side.is_winner,
    )
