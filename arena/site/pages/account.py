"""Signing in with a token, and out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, current_app, redirect, render_template
from werkzeug.wrappers import Response as BaseResponse

from arena.site.auth import remember, viewer
from arena.site.http.inputs import sent, text
from arena.site.http.reading import store
from arena.site.http.respond import urls
from arena.site.views.parts import Named
from arena.tokens import hash_token, is_same

blueprint = Blueprint("account", __name__)


@dataclass(frozen=True, slots=True)
class AccountPage:
    """The form to sign in, and what one is signed in for."""

    template: ClassVar[str] = "account.html"
    organiser: bool
    bots: tuple[Named, ...]
    problem: str | None


def _page(problem: str | None = None, status: int = 200) -> Response:
    owned = {
        bot.id: Named(bot.name, urls().bot(bot.id, bot.name))
        for hash_ in viewer().hashes
        for bot in store().bots.by_owner(hash_)
    }
    context = AccountPage(viewer().organiser, tuple(owned.values()), problem)
    answer = Response(render_template(context.template, page=context), status)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.get("/account")
def account() -> Response:
    """Sign in, or see what one is signed in for."""
    return _page()


@blueprint.post("/account")
def sign_in() -> Response | BaseResponse:
    """Remember a token in this browser, if it is worth anything."""
    current_app.config["LOGINS"].check()
    token = text(sent(("token", "csrf")), "token", 200)
    organiser = is_same(current_app.config["ORGANISER_TOKEN_HASH"], token)
    if not token or not (organiser or store().bots.by_owner(hash_token(token))):
        return _page("This token is not known here.", 403)
    answer = redirect(urls().page("organise" if organiser else "account"), 303)
    remember(answer, (token, *viewer().tokens))
    return answer


@blueprint.post("/account/leave")
def sign_out() -> BaseResponse:
    """Forget all tokens in this browser."""
    answer = redirect(urls().home(), 303)
    remember(answer, ())
    return answer
