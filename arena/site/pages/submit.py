"""Submitting a bot: the form, the registration, and the check that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from flask import Blueprint, Response, current_app, render_template

from arena.errors import ConfigError
from arena.site.auth import remember, viewer
from arena.site.http.errors import failure, is_for_programs
from arena.site.http.inputs import flag, sent, text, web_address
from arena.site.http.limits import Limiter
from arena.site.http.nearby import is_here
from arena.site.http.respond import json_answer, urls
from arena.site.http.writing import writing
from arena.site.work.checks import Checks
from arena.store.invites import Invites
from arena.store.rows import BotRow, BotState
from arena.tokens import hash_token, new_token
from arena.wire.endpoint import Endpoint
from arena.wire.signing import new_secret, secret_key

blueprint = Blueprint("submit", __name__)

FIELDS = ("name", "endpoint", "author", "homepage", "secret", "new_secret", "invite", "csrf")


@dataclass(frozen=True, slots=True)
class SubmitPage:
    """The form with what was typed, and what is wrong with it.

    ``needs_invite``: without an invitation nothing that this reader sends is taken.
    """

    template: ClassVar[str] = "submit.html"
    values: Mapping[str, str]
    problem: str | None
    public: bool
    needs_invite: bool


@dataclass(frozen=True, slots=True)
class RegisteredPage:
    """Shown once: the owner's token and, if the arena made one, the signing secret."""

    template: ClassVar[str] = "registered.html"
    name: str
    url: str
    check_url: str
    token: str
    secret: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A registration that was read and found in order."""

    name: str
    endpoint: str
    author: str | None
    homepage: str | None
    secret: str | None
    made_secret: bool
    invite: str


def checks() -> Checks:
    """The checks of this site."""
    found: Checks = current_app.config["CHECKS"]
    return found


def signing_secret(values: Mapping[str, Any]) -> tuple[str | None, bool]:
    """The secret given or made, and whether it was made here.

    :raises ConfigError: it is no secret.
    """
    if flag(values, "new_secret"):
        return new_secret(), True
    given = text(values, "secret", 200)
    if given:
        secret_key(given)
    return given or None, False


def endpoint_of(values: Mapping[str, Any]) -> str:
    """The bot's address in its one reading.

    :raises ConfigError: it is none; the text does not repeat it.
    """
    return Endpoint.parse(text(values, "endpoint")).url


def read_entry(values: Mapping[str, Any]) -> Entry:
    """A registration from what was sent.

    :raises ConfigError: naming the field and the fix.
    """
    secret, made = signing_secret(values)
    return Entry(
        name=text(values, "name", 200),
        endpoint=endpoint_of(values),
        author=text(values, "author", 64) or None,
        homepage=web_address(text(values, "homepage", 500), "homepage"),
        secret=secret,
        made_secret=made,
        invite=text(values, "invite", 200),
    )


def needs_invite() -> bool:
    """Whether the arena would call what only its machine can reach for somebody from elsewhere."""
    return not (current_app.config["PUBLIC"] or viewer().organiser or is_here())


@blueprint.get("/submit")
def form() -> Response:
    """The form."""
    return _form({}, None, 200)


def _form(values: Mapping[str, Any], problem: str | None, status: int) -> Response:
    typed = {name: str(values.get(name, "")) for name in FIELDS if name not in ("secret", "csrf")}
    context = SubmitPage(typed, problem, current_app.config["PUBLIC"], needs_invite())
    answer = Response(render_template(context.template, page=context), status)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.post("/submit")
def submit() -> Response:
    """Register a bot and begin to check it, unless it cannot know its secret yet.

    What is refused for what was typed is no registration; it counts as any other change.
    """
    current_app.config["CHANGES"].check()
    values = sent(FIELDS)
    token = new_token("own")
    try:
        entry = read_entry(values)
        if needs_invite() and not entry.invite:
            return _refuse(values)
        bot, accept = _registered(entry, token)
    except ConfigError as error:
        return failure(422, str(error)) if is_for_programs() else _form(values, str(error), 422)
    # A bot without the secret that was made this moment would refuse every call of the check.
    started = not entry.made_secret and checks().start(bot, accept=accept)
    url = urls().bot(bot.id, bot.name)
    check_url = urls().bot_section(bot.id, bot.name, "check")
    shown = entry.secret if entry.made_secret else None
    if is_for_programs():
        return json_answer(
            {"ok": True, "id": bot.id, "name": bot.name, "url": url, "check": f"{check_url}.json",
             "checking": started, "owner_token": token, "secret": shown}, 201
        )  # fmt: skip
    context = RegisteredPage(bot.name, url, check_url, token, shown)
    answer = Response(render_template(context.template, page=context), 201)
    answer.headers["Cache-Control"] = "no-store"
    remember(answer, (token, *viewer().tokens))
    return answer


def _registered(entry: Entry, token: str) -> tuple[BotRow, bool]:
    """`register`, counted as a registration if it is one."""
    limiter: Limiter = current_app.config["SUBMISSIONS"]
    limiter.check()
    try:
        return register(entry, token)
    except ConfigError:
        limiter.give_back()
        raise


def _refuse(values: Mapping[str, Any]) -> Response:
    problem = (
        "invite: from another machine a bot is taken with an invitation only; the organiser makes "
        "them at /organise"
    )
    return failure(403, problem) if is_for_programs() else _form(values, problem, 403)


def register(entry: Entry, token: str) -> tuple[BotRow, bool]:
    """Store a bot as pending. Returns it and whether passing the check admits it.

    On a public site that takes an invitation; without one the organiser decides.

    :raises ConfigError: the name is taken, too like another's or unfit, or the invitation is none.
    """
    with writing() as store, store.transaction():
        invited = bool(entry.invite)
        if invited and not Invites(store).use(hash_token(entry.invite), entry.name):
            raise ConfigError("invite: this invitation is not known, or was used before")
        bot = store.bots.add(
            entry.name,
            entry.endpoint,
            secret=entry.secret,
            owner_hash=hash_token(token),
            homepage=entry.homepage,
            author=entry.author,
            state=BotState.PENDING,
        )
    return bot, invited or not current_app.config["PUBLIC"]
