"""What a bot's owner may do: see the check, test again, change, renew, retire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from flask import Blueprint, Response, current_app, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from arena.errors import ConfigError
from arena.site.auth import owned_bot, remember, viewer
from arena.site.http.errors import failure, is_for_programs
from arena.site.http.inputs import sent, text, web_address
from arena.site.http.reading import store
from arena.site.http.respond import json_answer, page, route, urls
from arena.site.http.writing import writing
from arena.site.pages.submit import checks, endpoint_of, signing_secret
from arena.store.invites import Invites
from arena.store.rows import BotRow, BotState
from arena.tokens import hash_token, new_token
from arena.wire.conformance.report import by_cause, ranges

blueprint = Blueprint("owner", __name__, url_prefix="/bots/<count:bot_id>-<slug:slug>")

MANY_CHECKS = "Many bots are being checked. Try again in a few minutes."


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step of the check. ``exchange``: what was sent and answered, where that helps. ``cause``:
    the same text for steps that did not pass for the same reason."""

    number: int
    section: str
    title: str
    status: str
    detail: str
    fix: str
    exchange: str
    cause: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """Steps that did not pass for one reason; ``first`` stands for all. ``numbers``: ``3, 5-8``."""

    first: StepLine
    count: int
    numbers: str


@dataclass(frozen=True, slots=True)
class CheckPage:
    """The check of a bot: in progress, finished, or not made yet."""

    template: ClassVar[str] = "check.html"
    live: ClassVar[Mapping[str, str]] = {"check": "_check.html"}
    name: str
    url: str
    edit_url: str
    state: str
    running: bool
    done: int
    total: int
    passed: bool | None
    error: str | None
    counts: Mapping[str, int]
    troubles: tuple[Trouble, ...]
    steps: tuple[StepLine, ...]


@dataclass(frozen=True, slots=True)
class EditPage:
    """What can be changed. ``endpoint`` is shown to the owner only."""

    template: ClassVar[str] = "edit.html"
    name: str
    url: str
    check_url: str
    state: str
    version: int
    endpoint: str
    homepage: str
    author: str
    signed: bool
    problem: str | None
    said: str | None
    token: str | None
    secret: str | None


def _step(values: Mapping[str, Any]) -> StepLine:
    return StepLine(*(values.get(name, "") for name in StepLine.__slots__))


def _troubles(steps: Sequence[StepLine]) -> tuple[Trouble, ...]:
    """What is to be mended, failures first and each cause once."""
    return tuple(
        Trouble(group[0], len(group), ranges([step.number for step in group]))
        for group in by_cause(steps)
    )


def check_context(bot: BotRow) -> CheckPage:
    """The check as it stands."""
    running = checks().running(bot.version_id)
    report = bot.report or {}
    if running is not None:
        steps = tuple(
            StepLine(s.number, s.section, s.title, s.status, s.detail, s.fix, s.exchange, s.cause)
            for s in running.steps
        )
    else:
        steps = tuple(_step(values) for values in report.get("steps", ()))
    counts: dict[str, int] = {}
    for step in steps:
        counts[step.status] = counts.get(step.status, 0) + 1
    return CheckPage(
        name=bot.name,
        url=urls().bot(bot.id, bot.name),
        edit_url=urls().bot_section(bot.id, bot.name, "edit"),
        state=bot.state,
        running=running is not None,
        done=len(steps),
        total=running.total if running is not None else len(steps),
        passed=None if running is not None or not report else bool(report.get("passed")),
        error=report.get("error") if running is None else None,
        counts=counts,
        troubles=_troubles(steps),
        steps=steps,
    )


@blueprint.before_request
def limit_changes() -> None:
    """Whatever changes something can be done only so often."""
    if request.method == "POST":
        current_app.config["CHANGES"].check()


def limit_checks(bot: BotRow) -> None:
    """Checks call hosts that anybody may have named: only so often by a sender, and for a bot.

    Not by the owner's token, which its owner may renew; every bot has its own.
    """
    current_app.config["SUBMISSIONS"].check(f"bot {bot.id}")


@route(blueprint, "/check")
def check(bot_id: int, slug: str) -> Response:
    """The steps of the check, those in progress as they finish."""
    return page(check_context(owned_bot(bot_id)))


@blueprint.post("/check")
def check_again(bot_id: int, slug: str) -> Response | BaseResponse:
    """Test again."""
    bot = owned_bot(bot_id)
    # For each bot, whoever asks: neighbours behind one address take nothing of it, and its owner,
    # who may renew the token, gains nothing by that.
    current_app.config["RETESTS"].check_keys(f"bot {bot.id}")
    admitted = bot.state is BotState.ACCEPTED or not current_app.config["PUBLIC"]
    admitted = admitted or is_first_of_invited(bot)
    if not checks().start(bot, accept=admitted and bot.state is not BotState.RETIRED):
        return failure(503, MANY_CHECKS)
    return _done(bot, "check")


def is_first_of_invited(bot: BotRow) -> bool:
    """Whether this is the check that its invitation leads to, put off for its secret."""
    if bot.report is not None or bot.version != 1:
        return False
    return any(invite.used_by == bot.name for invite in Invites(store()).all())


def _done(bot: BotRow, section: str, **extra: Any) -> Response | BaseResponse:
    where = urls().bot_section(bot.id, bot.name, section)
    if is_for_programs():
        return json_answer({"ok": True, "url": where, **extra})
    return redirect(where, 303)


def _edit(
    bot: BotRow,
    *,
    problem: str | None = None,
    said: str | None = None,
    token: str | None = None,
    secret: str | None = None,
    status: int = 200,
) -> Response:
    context = EditPage(
        name=bot.name,
        url=urls().bot(bot.id, bot.name),
        check_url=urls().bot_section(bot.id, bot.name, "check"),
        state=bot.state,
        version=bot.version,
        endpoint=bot.endpoint if viewer().owns(bot) else "",
        homepage=bot.homepage or "",
        author=bot.author or "",
        signed=bot.secret is not None,
        problem=problem,
        said=said,
        token=token,
        secret=secret,
    )
    if is_for_programs():
        if problem:
            return failure(status, problem)
        return json_answer({"ok": True, "said": said, "owner_token": token, "secret": secret})
    answer = Response(render_template(context.template, page=context), status)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.get("/edit")
def edit(bot_id: int, slug: str) -> Response:
    """The forms of the owner."""
    return _edit(owned_bot(bot_id))


@blueprint.post("/edit")
def change(bot_id: int, slug: str) -> Response:
    """Change author, home page and address; another address is a new version."""
    bot = owned_bot(bot_id)
    values = sent(("endpoint", "homepage", "author", "csrf"))
    try:
        endpoint = endpoint_of(values) if text(values, "endpoint") else bot.endpoint
        # A program may send only what it changes; a form sends everything.
        homepage, author = bot.homepage, bot.author
        if "homepage" in values:
            homepage = web_address(text(values, "homepage", 500), "homepage")
        if "author" in values:
            author = text(values, "author", 64) or None
    except ConfigError as error:
        return _edit(bot, problem=str(error), status=422)
    if endpoint != bot.endpoint:
        limit_checks(bot)
    with writing() as store, store.transaction():
        store.bots.set_profile(bot.id, homepage=homepage, author=author)
        if endpoint != bot.endpoint:
            # As it is by now: the organiser may have decided about it since the form was read.
            changed = store.bots.new_version(bot.id, endpoint, secret=bot.secret)
            if changed.state is BotState.ACCEPTED and current_app.config["PUBLIC"]:
                store.bots.set_state(bot.id, BotState.PENDING)
    changed = owned_bot(bot_id)
    if changed.version == bot.version:
        return _edit(changed, said="Saved.")
    begun = checks().start(changed, accept=not current_app.config["PUBLIC"])
    then = "It is being checked." if begun else f"It is not checked yet. {MANY_CHECKS}"
    return _edit(changed, said=f"Saved as version {changed.version}. {then}")


@blueprint.post("/secret")
def rotate(bot_id: int, slug: str) -> Response:
    """Give the bot another signing secret; the one before stays valid beside it."""
    bot = owned_bot(bot_id)
    values = sent(("secret", "new_secret", "csrf"))
    try:
        secret, made = signing_secret(values)
    except ConfigError as error:
        return _edit(bot, problem=str(error), status=422)
    if secret is None:
        return _edit(bot, problem="secret: give one, or let the arena make one", status=422)
    with writing() as store:
        store.bots.set_secrets(bot.version_id, secret, bot.secret)
    said = "Requests are signed with the new secret, and with the old one beside it."
    return _edit(owned_bot(bot_id), said=said, secret=secret if made else None)


@blueprint.post("/token")
def renew_token(bot_id: int, slug: str) -> Response:
    """Give the bot another owner's token."""
    bot = owned_bot(bot_id)
    token = new_token("own")
    with writing() as store:
        store.bots.set_owner(bot.id, hash_token(token))
    kept = [old for old in viewer().tokens if hash_token(old) != bot.owner_hash]
    answer = _edit(bot, said="The token before is worth nothing any more.", token=token)
    if not viewer().bearer:
        remember(answer, (token, *kept) if viewer().owns(bot) else kept)
    return answer


@blueprint.post("/retire")
def retire(bot_id: int, slug: str) -> Response:
    """Take the bot out of new tournaments; its record stays. Asked for by its name."""
    bot = owned_bot(bot_id)
    if text(sent(("name", "csrf")), "name", 200) != bot.name:
        return _edit(bot, problem="name: type the bot's name to retire it", status=422)
    with writing() as store:
        store.bots.set_state(bot.id, BotState.RETIRED)
    return _edit(owned_bot(bot_id), said="Retired. Its record stays where it is.")
