"""The organiser's desk: what waits for a decision, and the state of every tournament."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from arena.errors import StoreError
from arena.site.auth import leave_notice, organiser_only
from arena.site.http.errors import failure, is_for_programs, refused
from arena.site.http.inputs import sent, text, whole_number
from arena.site.http.reading import store
from arena.site.http.respond import json_answer, urls
from arena.site.http.writing import writing
from arena.site.pages.common import is_idle, state_text, tournament_at
from arena.site.views.parts import STATE_TEXTS, Named
from arena.site.work.control import ByProcess, Control
from arena.site.work.watch import Watch
from arena.store.invites import Invite, Invites
from arena.store.lock import played
from arena.store.rows import BotRow, BotState, TournamentRow, TournamentState
from arena.tokens import hash_token, new_token
from arena.tournament import lifecycle
from arena.tournament.registration import check_startable
from arena.tournament.results import format_of
from arena.tournament.seeding import check_source_is_over

blueprint = Blueprint("organise", __name__, url_prefix="/organise")
blueprint.register_error_handler(StoreError, refused)

MOVES = {
    "open": ("Open for entries", (TournamentState.DRAFT,)),
    "close": ("Close entries", (TournamentState.REGISTRATION,)),
    "start": ("Start", (TournamentState.DRAFT, TournamentState.REGISTRATION)),
    "pause": ("Pause", (TournamentState.RUNNING,)),
    "resume": ("Resume", (TournamentState.PAUSED, TournamentState.RUNNING)),
    "finish": ("End it", (TournamentState.RUNNING, TournamentState.PAUSED)),
    "cancel": (
        "Cancel",
        (
            TournamentState.DRAFT,
            TournamentState.REGISTRATION,
            TournamentState.RUNNING,
            TournamentState.PAUSED,
        ),
    ),
}
"""What can be done to a tournament, and in which states; only what runs on is finished so."""


@dataclass(frozen=True, slots=True)
class Managed:
    """A tournament with the moves that are possible now: (name, text, address)."""

    link: Named
    state: str
    state_text: str
    moves: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A bot that waits to be admitted. ``passed``: its check, None if there was none.

    ``version``: the one that was looked at; a decision is about no other.
    """

    link: Named
    id: int
    version: int
    passed: bool | None
    check_url: str


@dataclass(frozen=True, slots=True)
class DeskPage:
    """Everything an organiser decides."""

    template: ClassVar[str] = "organise.html"
    tournaments: tuple[Managed, ...]
    waiting: tuple[Waiting, ...]
    invites: tuple[Invite, ...]
    said: str | None
    invite: str | None


@dataclass(frozen=True, slots=True)
class ConfirmPage:
    """Asks before something is destroyed. ``word`` is to be typed."""

    template: ClassVar[str] = "confirm.html"
    title: str
    warning: str
    word: str
    action: str
    back: str
    problem: str | None


def control() -> Control:
    """Whoever starts the referee."""
    found: Control = current_app.config["CONTROL"]
    return found


def moves_of(row: TournamentRow, played: bool) -> tuple[tuple[str, str, str], ...]:
    """What can be done to a tournament in its state.

    ``played``: a referee is at work on it; what runs is paused then, and else resumed.
    """
    return tuple(
        (name, title, urls().path(f"/organise/t/{row.slug}/{name}"))
        for name, (title, states) in MOVES.items()
        if row.state in states
        and (name != "finish" or format_of(row).runs_on)
        and (row.state is not TournamentState.RUNNING or name != ("resume" if played else "pause"))
    )


def _desk(said: str | None = None, invite: str | None = None) -> Response:
    waiting = [bot for bot in store().bots.all() if bot.state is BotState.PENDING]
    context = DeskPage(
        tournaments=tuple(
            Managed(
                Named(row.name, urls().tournament(row.slug)),
                row.state,
                state_text(row),
                moves_of(row, played=not is_idle(row)),
            )
            for row in store().tournaments.all()
        ),
        waiting=tuple(_waiting(bot) for bot in waiting),
        invites=tuple(Invites(store()).all()),
        said=said,
        invite=invite,
    )
    answer = Response(render_template(context.template, page=context))
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _waiting(bot: BotRow) -> Waiting:
    return Waiting(
        Named(bot.name, urls().bot(bot.id, bot.name)),
        bot.id,
        bot.version,
        bot.report.get("passed") if bot.report else None,
        urls().bot_section(bot.id, bot.name, "check"),
    )


@blueprint.get("")
@organiser_only
def desk() -> Response:
    """The desk."""
    return _desk()


def tell(text: str, row: TournamentRow | None = None) -> Response | BaseResponse:
    """The answer to a decision: on the tournament's page, or on the desk."""
    if is_for_programs():
        state = {"state": row.state} if row is not None else {}
        return json_answer({"ok": True, "said": text, **state})
    if row is None:
        return _desk(said=text)
    answer = redirect(urls().tournament(row.slug), 303)
    leave_notice(answer, text)
    return answer


@blueprint.post("/t/<slug:slug>/<any(start, pause, resume):move>")
@organiser_only
def move(slug: str, move: str) -> Response | BaseResponse:
    """Start, pause or resume a tournament."""
    row = tournament_at(slug)
    _allow(row, move)
    if move == "pause":
        with writing() as changing:
            lifecycle.pause(changing, row)
        return tell(f"{row.name} is paused; matches in play are finished first.", again(row))
    if move == "start":
        check_source_is_over(store(), row)
        check_startable(store(), row)
    with writing() as changing:
        changing.tournaments.move(row.id, TournamentState.RUNNING, MOVES[move][1])
    said = control().play(again(row))
    if isinstance(control(), ByProcess):
        watch: Watch = current_app.config["WATCH"]
        watch.expect(row.id)
    return tell(f"{row.name}: {said}", again(row))


def again(row: TournamentRow) -> TournamentRow:
    """The tournament as it is now."""
    return store().tournaments.get(row.id)


def _allow(row: TournamentRow, move: str) -> None:
    title, states = MOVES[move]
    if row.state not in states:
        abort(409, f"{title} is not possible: the tournament is {STATE_TEXTS[row.state]}.")


def _confirm(
    title: str, warning: str, word: str, back: str, problem: str | None = None
) -> Response:
    context = ConfirmPage(title, warning, word, urls().root + request.path, back, problem)
    return Response(render_template(context.template, page=context), 422 if problem else 200)


@blueprint.route("/t/<slug:slug>/cancel", methods=["GET", "POST"])
@organiser_only
def cancel(slug: str) -> Response | BaseResponse:
    """End a tournament for good; its name must be typed."""
    row = tournament_at(slug)
    _allow(row, "cancel")
    warning = (
        "No more will be played, and the secret of its deals is published. "
        "This cannot be taken back. What was played stays on the pages."
    )
    asked = _unconfirmed_name(row, f"Cancel {row.name}?", warning)
    if asked is not None:
        return asked
    with writing() as changing:
        lifecycle.cancel(changing, row)
    return tell(f"{row.name} is cancelled.", again(row))


@blueprint.route("/t/<slug:slug>/finish", methods=["GET", "POST"])
@organiser_only
def finish(slug: str) -> Response | BaseResponse:
    """End a ladder with its round in play; its name must be typed."""
    row = tournament_at(slug)
    _allow(row, "finish")
    warning = (
        "The round in play is its last: when that has been played, the table is final and the "
        "secret of its deals is published. This cannot be taken back."
    )
    asked = _unconfirmed_name(row, f"End {row.name}?", warning)
    if asked is not None:
        return asked
    with writing() as changing:
        lifecycle.finish(changing, row)
    row = again(row)
    said = "is finished" if row.over else "ends when its round in play has been played"
    return tell(f"{row.name} {said}.", row)


def _unconfirmed_name(row: TournamentRow, title: str, warning: str) -> Response | None:
    """The question whose answer is the tournament's name; None if that was sent."""
    back = urls().tournament(row.slug)
    return _unconfirmed(title, warning, back, row.name, "the tournament's name")


def _unconfirmed(
    title: str, warning: str, back: str, word: str, what: str | None = None
) -> Response | None:
    """The question that is answered by typing a word; None if it was sent.

    ``what``: what the word is, where it is not to be named.
    """
    if request.method == "GET":
        return _confirm(title, warning, word, back)
    if text(sent(("confirm", "csrf")), "confirm", 200) == word:
        return None
    problem = f"confirm: type {what or word}"
    if is_for_programs():
        return failure(422, problem)
    return _confirm(title, warning, word, back, problem)


@blueprint.route("/t/<slug:slug>/void/<id:fixture_id>", methods=["GET", "POST"])
@organiser_only
def void(slug: str, fixture_id: str) -> Response | BaseResponse:
    """Take a match out of every count and have it played again with other deals."""
    row = tournament_at(slug)
    fixture = store().fixtures.get(fixture_id)
    if fixture is None or fixture.tournament_id != row.id:
        abort(404, "This tournament has no such match.")
    refusal = why_not_void(row)
    if refusal:
        abort(409, refusal)
    back = urls().match(slug, fixture.id)
    title = "Declare this match void?"
    warning = (
        "It counts for nobody any more, stays visible as void, and is played again with other "
        "deals when the tournament is resumed."
    )
    others = len(lifecycle.void_together(store(), fixture)) - 1
    if others:
        warning += " So " + (
            "is the match with its seats swapped, which has the same deals: both of a pair must "
            "be played with equal cards."
            if others == 1
            else f"are the {others} other seat orders of its table, which have the same deals: all "
            "must be played with equal cards."
        )
    asked = _unconfirmed(title, warning, back, "void")
    if asked is not None:
        return asked
    with writing() as changing:
        lifecycle.void(changing, fixture.id)
    return redirect(back, 303) if not is_for_programs() else json_answer({"ok": True})


def why_not_void(row: TournamentRow) -> str | None:
    """Why no match of a tournament can be declared void now, None if one can."""
    if row.over:
        return "The tournament is over and its secret is public, so nothing can be played again."
    found = played(current_app.config["DATABASE"])
    if row.state is TournamentState.RUNNING and found and found.tournament in (row.id, None):
        return "Pause the tournament first."
    return None


@blueprint.post("/bots/<count:bot_id>/<any(accept, refuse):verdict>")
@organiser_only
def admit(bot_id: int, verdict: str) -> Response | BaseResponse:
    """Admit a bot that waits, or turn it away; ``version`` is the one that was looked at."""
    version = whole_number(sent(("version", "csrf")), "version")
    bot = store().bots.by_id(bot_id)
    if bot is None:
        abort(404, "There is no such bot.")
    with writing() as changing:
        decide = changing.bots.admit if verdict == "accept" else changing.bots.turn_away
        done = version == bot.version and decide(bot_id, bot.version_id)
    if not done:
        abort(409, f"{bot.name} does not wait with version {version} any more. Look at it again.")
    return tell(f"{bot.name} is {'admitted' if verdict == 'accept' else 'turned away'}.")


@blueprint.post("/invites")
@organiser_only
def invite() -> Response | BaseResponse:
    """Make an invitation; its token is shown once."""
    note = text(sent(("note", "csrf")), "note", 80)
    token = new_token("inv")
    with writing() as changing:
        Invites(changing).add(hash_token(token), note)
    if is_for_programs():
        return json_answer({"ok": True, "invite": token}, 201)
    return _desk(said="An invitation, good for one bot:", invite=token)
