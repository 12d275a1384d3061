"""The pieces that several pages show: frozen values made from a snapshot.

Everything here may be seen by anybody. A tournament's secret appears only when it is over.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.site.formatting import plural, words
from arena.site.snapshots import Snapshot
from arena.site.urls import Urls
from arena.store.pages import Progress
from arena.store.rows import FixtureRow, FixtureStatus, TournamentRow, TournamentState

STATE_TEXTS = {
    TournamentState.DRAFT: "not started",
    TournamentState.REGISTRATION: "open for entries",
    TournamentState.RUNNING: "running",
    TournamentState.PAUSED: "paused",
    TournamentState.FINISHED: "finished",
    TournamentState.CANCELLED: "cancelled",
}
BRACKETS = ("single_elimination", "double_elimination", "groups")
"""Formats with a bracket."""

STATUS_TEXTS = {
    FixtureStatus.PENDING: "to be played",
    FixtureStatus.PLAYING: "playing",
    FixtureStatus.FINISHED: "finished",
    FixtureStatus.VOID: "void",
    FixtureStatus.BYE: "bye",
}


@dataclass(frozen=True, slots=True)
class Named:
    """Something with a name and a page of its own."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Head:
    """What stands at the top of every page of a tournament, and on its card on the home page.

    Counts are matches. ``total`` is None while the number depends on results.
    """

    name: str
    slug: str
    url: str
    state: str
    state_text: str
    format: str
    variant: str
    entrants: int
    finished: int
    playing: int
    total: int | None
    hands: int
    revision: int
    created_at: str
    started_at: str | None
    finished_at: str | None
    as_of: str | None
    tabs: tuple[tuple[str, Named], ...]
    """Key of the section and its link."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a match. ``score`` is games won, ``points`` hand points."""

    name: str
    url: str | None
    entrant: int | None
    score: int | None
    points: int | None
    won: bool
    forfeited: bool


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A fixture in a list."""

    id: str
    url: str
    label: str
    status: str
    status_text: str
    seats: tuple[Seat, ...]
    games: int
    wins_needed: int | None
    hands: int
    termination: str | None
    sentence: str | None
    started_at: str | None
    finished_at: str | None
    replay: int


def tabs(urls: Urls, tournament: TournamentRow) -> tuple[tuple[str, Named], ...]:
    """The sections of a tournament in the order in which they are shown."""
    slug = tournament.slug
    found = [("overview", Named("Overview", urls.tournament(slug)))]
    if tournament.format.replace("-", "_") in BRACKETS:
        found.append(("bracket", Named("Bracket", urls.section(slug, "bracket"))))
    found += [
        ("crosstable", Named("Crosstable", urls.section(slug, "crosstable"))),
        ("strength", Named("Strength", urls.section(slug, "strength"))),
        ("schedule", Named("Schedule", urls.section(slug, "schedule"))),
        ("fairness", Named("Rules and fairness", urls.section(slug, "fairness"))),
    ]
    return tuple(found)


def head(
    urls: Urls, tournament: TournamentRow, entrants: int, progress: Progress, total: int | None
) -> Head:
    """The head of a tournament."""
    return Head(
        name=tournament.name,
        slug=tournament.slug,
        url=urls.tournament(tournament.slug),
        state=tournament.state,
        state_text=STATE_TEXTS[tournament.state],
        format=words(tournament.format),
        variant=words(tournament.variant),
        entrants=entrants,
        finished=progress.finished,
        playing=progress.playing if not tournament.over else 0,
        total=total,
        hands=progress.hands,
        revision=tournament.revision,
        created_at=tournament.created_at,
        started_at=tournament.started_at,
        finished_at=tournament.finished_at,
        as_of=progress.as_of or tournament.created_at,
        tabs=tabs(urls, tournament),
    )


def snapshot_head(urls: Urls, snapshot: Snapshot) -> Head:
    """The head made from a snapshot."""
    counts = snapshot.counts
    progress = Progress(
        counts[FixtureStatus.PENDING],
        counts[FixtureStatus.PLAYING],
        counts[FixtureStatus.FINISHED],
        snapshot.hands,
        snapshot.as_of,
    )
    return head(urls, snapshot.tournament, len(snapshot.entrants), progress, snapshot.total)


def bot(urls: Urls, snapshot: Snapshot, entrant: int) -> Named:
    """An entrant's name with the profile of its bot."""
    entry = snapshot.entries[entrant]
    return Named(snapshot.names[entrant], urls.bot(entry.bot_id, entry.name))


def seat(urls: Urls, snapshot: Snapshot, row: FixtureRow, number: int) -> Seat:
    """One side of a fixture."""
    entrant = row.seats[number]
    link = bot(urls, snapshot, entrant)
    played = bool(row.games_won) and row.status is FixtureStatus.FINISHED
    return Seat(
        name=link.name,
        url=link.url,
        entrant=entrant,
        score=row.games_won[number] if played else None,
        points=row.points[number] if played and row.points else None,
        won=row.winner == entrant and row.status is FixtureStatus.FINISHED,
        forfeited=entrant in row.forfeited,
    )


def match_line(urls: Urls, snapshot: Snapshot, row: FixtureRow) -> MatchLine:
    """A fixture as lists show it."""
    status = row.status
    if status is FixtureStatus.PLAYING and snapshot.tournament.over:
        status = FixtureStatus.PENDING
    return MatchLine(
        id=row.id,
        url=urls.match(snapshot.tournament.slug, row.id),
        label=row.label or f"{words(row.key.stage)}, round {row.key.round}",
        status=status,
        status_text=STATUS_TEXTS[status],
        seats=tuple(seat(urls, snapshot, row, number) for number in range(len(row.seats))),
        games=row.games,
        wins_needed=row.wins_needed,
        hands=row.hands,
        termination=row.termination,
        sentence=row.sentence,
        started_at=row.started_at,
        finished_at=row.finished_at,
        replay=row.replay,
    )


def series_text(games: int, wins_needed: int | None) -> str:
    """``best of 5`` or ``2 games``."""
    return f"best of {games}" if wins_needed else plural(games, "game")
