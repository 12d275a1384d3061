"""What the blueprints share: finding things by address, and snapshots of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from flask import abort, current_app, redirect

from arena.errors import InvalidSettings, RulesError
from arena.rules.base import Variant
from arena.rules.games import find_variant, variant_with
from arena.site.hands.hand_score import running
from arena.site.http.reading import pages, store
from arena.site.http.respond import unchanged, urls, wants_json
from arena.site.views.parts import INTERRUPTED, STATE_TEXTS, WAITING, MatchLine, match_line
from arena.site.views.snapshot import Snapshot
from arena.site.views.snapshots import Snapshots
from arena.site.work.control import Control
from arena.site.work.watch import Watch
from arena.store.rows import FixtureRow, FixtureStatus, TournamentRow, TournamentState

PLAYABLE = (TournamentState.RUNNING, TournamentState.PAUSED)
"""Matches may be in play, those of a paused one to their end."""

AT_ONCE = 5_000
"""Matches that a page of many tournaments reads at once, of those not read yet."""


def tournament_at(slug: str) -> TournamentRow:
    """The tournament at this address, or 404."""
    found = store().tournaments.by_slug(slug)
    if found is None:
        abort(404, "There is no tournament at this address.")
    return found


def variant_at(name: str, address: Callable[[str], str]) -> Variant:
    """The game of this name, or 404. An alias leads to where its name is: ``address`` of it."""
    try:
        variant = find_variant(name)
    except InvalidSettings:
        abort(404, "There is no game of this name.")
    if variant.name != name:
        right = address(variant.name)
        abort(redirect(urls().twin(right) if wants_json() else right, 301))
    return variant


def snapshot_of(tournament: TournamentRow) -> Snapshot:
    """The tournament with all that its pages show."""
    snapshots: Snapshots = current_app.config["SNAPSHOTS"]
    found = snapshots.get(store(), tournament)
    if is_idle(found.tournament):
        return found.idle
    awaited = awaited_in(found.tournament)
    return found.waiting_for(awaited) if awaited else found


def at_hand(tournaments: Iterable[TournamentRow]) -> dict[str, Snapshot]:
    """Of several tournaments those that are read already or quickly, by id.

    The others are prepared beside the requests: a page of many large tournaments shows at first
    what it can, and all of them a little later.
    """
    snapshots: Snapshots = current_app.config["SNAPSHOTS"]
    room, found = AT_ONCE, {}
    for row in tournaments:
        if not snapshots.holds(row.id):
            size, _ = pages().fixture_counts(row.id)
            if size > room:
                snapshots.prepare(row.id)
                continue
            room -= size
        found[row.id] = snapshot_of(row)
    return found


def is_idle(tournament: TournamentRow) -> bool:
    """Whether it could be played and nobody plays it, whatever else is played."""
    watch: Watch = current_app.config["WATCH"]
    control: Control = current_app.config["CONTROL"]
    if tournament.state not in PLAYABLE:
        return False
    if watch.plays(tournament.id) or control.awaits(tournament.id):
        return False
    watch.begin(tournament.id, tournament.started_at)
    return not watch.plays(tournament.id)


def awaited_in(tournament: TournamentRow) -> tuple[str, ...]:
    """The bots that have to answer before its referee plays anything."""
    watch: Watch = current_app.config["WATCH"]
    return () if tournament.over else watch.awaited(tournament.id)


def state_text(tournament: TournamentRow) -> str:
    """The state of a tournament for people."""
    if tournament.state is TournamentState.RUNNING and is_idle(tournament):
        return INTERRUPTED
    if awaited_in(tournament):
        return WAITING
    return STATE_TEXTS[tournament.state]


def line_of(snapshot: Snapshot, row: FixtureRow) -> MatchLine:
    """A fixture as lists show it, one in play with the score so far."""
    if row.status is not FixtureStatus.PLAYING or snapshot.tournament.over:
        return match_line(urls(), snapshot, row)
    games = store().fixtures.games(row.id)
    hands = [hand for hand in store().hands.of(row.id) if hand.game > len(games)]
    variant = variant_of(snapshot.tournament)
    scores = running(variant, hands, len(row.seats)) if variant is not None else ()
    return match_line(urls(), snapshot, row, games, scores[-1] if scores else ())


def variant_of(tournament: TournamentRow) -> Variant | None:
    """The game with its rules as they are played there, None if this arena does not know it."""
    try:
        return variant_with(tournament.variant, tournament.config.get("settings") or {})
    except RulesError:
        return None


def snapshot_at(slug: str) -> Snapshot:
    """The tournament at this address with all that its pages show, or 404."""
    return snapshot_of(tournament_at(slug))


def fixture_of(tournament: TournamentRow, fixture_id: str) -> FixtureRow:
    """A fixture of this tournament, or 404."""
    found = store().fixtures.get(fixture_id)
    if found is None or found.tournament_id != tournament.id:
        abort(404, "This tournament has no such match.")
    return found


__all__ = [
    "at_hand",
    "awaited_in",
    "fixture_of",
    "is_idle",
    "line_of",
    "snapshot_at",
    "snapshot_of",
    "state_text",
    "tournament_at",
    "unchanged",
    "variant_of",
]
