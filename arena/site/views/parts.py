"""The pieces that several pages show: frozen values made from a snapshot.

Everything here may be seen by anybody. A tournament's secret appears only when it is over.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from arena.errors import InvalidSettings
from arena.rules.games import find_variant, sides_of
from arena.site.urls import Urls
from arena.site.views.formatting import plural, words
from arena.site.views.snapshot import Snapshot
from arena.store.pages import Progress
from arena.store.rows import FixtureRow, FixtureStatus, GameRow, TournamentRow, TournamentState
from arena.tournament.results import format_of

STATE_TEXTS = {
    TournamentState.DRAFT: "not started",
    TournamentState.REGISTRATION: "open for entries",
    TournamentState.RUNNING: "running",
    TournamentState.PAUSED: "paused",
    TournamentState.FINISHED: "finished",
    TournamentState.CANCELLED: "cancelled",
}

STATUS_TEXTS = {
    FixtureStatus.PENDING: "to be played",
    FixtureStatus.PLAYING: "playing",
    FixtureStatus.FINISHED: "finished",
    FixtureStatus.VOID: "void",
    FixtureStatus.BYE: "bye",
}
INTERRUPTED = "interrupted"
"""Of a tournament that runs and of a match in play: nobody plays them at the moment."""
WAITING = "waiting"
"""Of both: its referee is at work and waits for bots to answer."""


@dataclass(frozen=True, slots=True)
class Named:
    """Something with a name and a page of its own."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Head:
    """What stands at the top of every page of a tournament, and on its card on the home page.

    Counts are matches. ``total`` is None while the number depends on results. ``round_text``: of a
    Swiss, where it is. ``hint``: what to do about a tournament that is ``interrupted``.
    ``awaited``: the bots that have to answer before anything is played, while it waits for them.
    """

    name: str
    slug: str
    url: str
    state: str
    state_text: str
    interrupted: bool
    hint: str | None
    awaited: tuple[str, ...]
    format: str
    runs_on: bool
    variant: str
    variant_url: str
    entrants: int
    finished: int
    playing: int
    total: int | None
    round_text: str | None
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
    """One side of a match. ``score`` is games won, ``points`` hand points, so far in play.

    ``in_game``: points, by column, in the game that is being played, None where none is or its
    hands do not tell.
    """

    name: str
    url: str | None
    entrant: int | None
    score: int | None
    points: int | None
    won: bool
    forfeited: bool
    in_game: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A fixture in a list. ``sides``: indices of ``seats``, partners in one group, everybody else
    in a group of its own."""

    id: str
    url: str
    label: str
    status: str
    status_text: str
    seats: tuple[Seat, ...]
    sides: tuple[tuple[int, ...], ...]
    games: int
    wins_needed: int | None
    hands: int
    termination: str | None
    sentence: str | None
    started_at: str | None
    finished_at: str | None
    replay: int


def tabs(urls: Urls, tournament: TournamentRow) -> tuple[tuple[str, Named], ...]:
    """The sections of a tournament in the order in which they are shown.

    Before its start there is nothing to see in some, which have addresses all the same.
    """
    slug = tournament.slug
    before = tournament.state in (TournamentState.DRAFT, TournamentState.REGISTRATION)
    found = [("overview", Named("Overview", urls.tournament(slug)))]
    if format_of(tournament).has_bracket:
        found.append(("bracket", Named("Bracket", urls.section(slug, "bracket"))))
    if before:
        found.append(("entries", Named("Entries", urls.section(slug, "entries"))))
    else:
        found += [
            ("crosstable", Named("Crosstable", urls.section(slug, "crosstable"))),
            ("strength", Named("Strength", urls.section(slug, "strength"))),
        ]
    found += [
        ("schedule", Named("Schedule", urls.section(slug, "schedule"))),
        *(
            []
            if before
            else [
                ("notable", Named("Notable hands", urls.section(slug, "notable"))),
                ("conduct", Named("Conduct", urls.section(slug, "conduct"))),
            ]
        ),
        ("fairness", Named("Rules and fairness", urls.section(slug, "fairness"))),
    ]
    return tuple(found)


def game(urls: Urls, variant: str) -> Named:
    """A game by its title, with the page of its rules."""
    try:
        found = find_variant(variant)
    except InvalidSettings:
        return Named(words(variant), urls.game(variant))
    return Named(found.title, urls.game(found.name))


def head(
    urls: Urls,
    tournament: TournamentRow,
    entrants: int,
    progress: Progress,
    total: int | None,
    *,
    round_text: str | None = None,
    is_idle: bool = False,
    awaited: tuple[str, ...] = (),
) -> Head:
    """The head of a tournament. ``is_idle``: nobody plays it; ``awaited``: bots it waits for."""
    interrupted = is_idle and tournament.state is TournamentState.RUNNING
    rules = game(urls, tournament.variant)
    return Head(
        name=tournament.name,
        slug=tournament.slug,
        url=urls.tournament(tournament.slug),
        state=tournament.state,
        state_text=INTERRUPTED
        if interrupted
        else WAITING
        if awaited
        else STATE_TEXTS[tournament.state],
        interrupted=interrupted,
        awaited=awaited,
        hint=f"arena resume {shlex.quote(tournament.name)}" if interrupted else None,
        format=words(tournament.format),
        runs_on=format_of(tournament).runs_on,
        variant=rules.name,
        variant_url=rules.url,
        entrants=entrants,
        finished=progress.finished,
        playing=0 if is_idle or awaited or tournament.over else progress.playing,
        total=total,
        round_text=round_text,
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
    count = snapshot.matches.count
    progress = Progress(
        count(FixtureStatus.PENDING),
        count(FixtureStatus.PLAYING),
        count(FixtureStatus.FINISHED),
        snapshot.matches.hands,
        snapshot.as_of,
    )
    entrants = len(snapshot.entrants)
    return head(
        urls,
        snapshot.tournament,
        entrants,
        progress,
        snapshot.total,
        round_text=_round_text(snapshot),
        is_idle=snapshot.is_idle,
        awaited=snapshot.awaited,
    )


def _round_text(snapshot: Snapshot) -> str | None:
    """``round 3 of 4`` where rounds are paired one after the other, once it has begun."""
    rounds = snapshot.format.rounds(len(snapshot.entrants), snapshot.options)
    if rounds is None or not snapshot.valid:
        return None
    if snapshot.tournament.over:
        return plural(rounds, "round")
    return f"round {snapshot.valid[-1].key.round} of {rounds}"


def bot(urls: Urls, snapshot: Snapshot, entrant: int) -> Named:
    """An entrant's name with the profile of its bot."""
    entry = snapshot.entries[entrant]
    return Named(snapshot.names[entrant], urls.bot(entry.bot_id, entry.name))


def seat(
    urls: Urls,
    snapshot: Snapshot,
    row: FixtureRow,
    number: int,
    games: Sequence[GameRow] = (),
    in_game: Sequence[tuple[int, ...]] = (),
) -> Seat:
    """One side of a fixture."""
    entrant = row.seats[number]
    link = bot(urls, snapshot, entrant)
    score = points = None
    if row.status is FixtureStatus.PLAYING and not snapshot.tournament.over:
        score = sum(game.winner == number for game in games)
        points = sum(game.points[number] for game in games)
    elif row.status is FixtureStatus.FINISHED and row.games_won:
        score = row.games_won[number]
        points = row.points[number] if row.points else None
    return Seat(
        name=link.name,
        url=link.url,
        entrant=entrant,
        score=score,
        points=points,
        won=row.status is FixtureStatus.FINISHED and _has_won(row, number),
        forfeited=entrant in row.forfeited,
        in_game=in_game[number] if in_game else None,
    )


def _has_won(row: FixtureRow, number: int) -> bool:
    """Whether a seat has won its match, alone or with its partners."""
    shared = row.places and row.places.count(1) < len(row.places)
    return row.winner == row.seats[number] or bool(
        row.winner is None and shared and row.places and row.places[number] == 1
    )


def status_of(snapshot: Snapshot, row: FixtureRow) -> tuple[str, str]:
    """The state of a fixture for programs and for people."""
    if row.status in (FixtureStatus.PENDING, FixtureStatus.PLAYING):
        if snapshot.tournament.over:
            return FixtureStatus.PENDING, "not played"
        if row.status is FixtureStatus.PLAYING and (snapshot.is_idle or snapshot.awaited):
            return INTERRUPTED, WAITING if snapshot.awaited else INTERRUPTED
    return row.status, STATUS_TEXTS[row.status]


def match_line(
    urls: Urls,
    snapshot: Snapshot,
    row: FixtureRow,
    games: Sequence[GameRow] = (),
    in_game: Sequence[tuple[int, ...]] = (),
) -> MatchLine:
    """A fixture as lists show it. ``games``: those of a match in play that are over; ``in_game``:
    points by seat and column in the one being played."""
    status, status_text = status_of(snapshot, row)
    return MatchLine(
        id=row.id,
        url=urls.match(snapshot.tournament.slug, row.id),
        label=row.label or f"{words(row.key.stage)}, round {row.key.round}",
        status=status,
        status_text=status_text,
        seats=tuple(seat(urls, snapshot, row, at, games, in_game) for at in range(len(row.seats))),
        sides=sides_of(snapshot.tournament.variant, len(row.seats)),
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
