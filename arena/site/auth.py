"""Who is looking, and whether a form was really sent from here.

Tokens are long random texts. The database and the server's configuration hold only their SHA-256;
a browser holds the token itself in a cookie that scripts cannot read, so nothing has to be kept on
the server and signing out works everywhere at once by giving a bot a new token. Programs send
``Authorization: Bearer TOKEN`` instead, without a cookie, and then need no CSRF token.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

from flask import Flask, Response, abort, current_app, g, request
from werkzeug.wrappers import Response as BaseResponse

from arena.site.http.reading import store
from arena.store.rows import BotRow
from arena.tokens import hash_token, is_same

COOKIE: Final = "arena_tokens"
CSRF_COOKIE: Final = "arena_csrf"
CSRF_FIELD: Final = "csrf"
NOTICE_COOKIE: Final = "arena_notice"
NOTICE_AGE: Final = 60
MOST_TOKENS: Final = 10
OUT_OF_DATE: Final = "This form is out of date. Go back, load the page again, and send it again."
NO_TOKEN: Final = (
    "Send a JSON object (Content-Type: application/json), with Authorization: Bearer TOKEN where "
    "the call needs one; forms without the token of their page are not taken. The calls are at "
    "/api."
)
MAX_AGE: Final = 30 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks. ``tokens`` are those sent; ``bearer``: by a header, not by a cookie."""

    organiser: bool = False
    tokens: tuple[str, ...] = ()
    bearer: bool = False

    @property
    def hashes(self) -> frozenset[str]:
        """The hashes of the tokens sent."""
        return frozenset(map(hash_token, self.tokens))

    def owns(self, bot: BotRow) -> bool:
        """Whether one of the tokens is this bot's."""
        return any(is_same(bot.owner_hash, token) for token in self.tokens)


NOBODY: Final = Viewer()


def _sent_tokens() -> tuple[tuple[str, ...], bool]:
    header = request.headers.get("Authorization", "")
    if header.startswith("Bearer "):
        return (header.removeprefix("Bearer ").strip(),), True
    if request.is_json:
        return (), False  # another site could send the cookie along, but never the header
    cookie = request.cookies.get(COOKIE, "")
    return tuple(token for token in cookie.split(".")[:MOST_TOKENS] if token), False


def refuse_large() -> None:
    """No address takes more than the limit, not even one that would not look at it."""
    if (request.content_length or 0) > current_app.config["MAX_CONTENT_LENGTH"]:
        abort(413)


def identify() -> None:
    """Find out who asks; runs before every request."""
    tokens, bearer = _sent_tokens()
    organiser_hash = current_app.config["ORGANISER_TOKEN_HASH"]
    organiser = any(is_same(organiser_hash, token) for token in tokens)
    g.viewer = Viewer(organiser, tokens, bearer)
    shown = (*tokens, request.cookies.get(NOTICE_COOKIE, ""))
    g.viewer_stamp = hash_token(".".join(shown))[:16] if tokens else ""


def viewer() -> Viewer:
    """Who asks."""
    found: Viewer = g.get("viewer") or NOBODY
    return found


def remember(response: BaseResponse, tokens: Iterable[str]) -> None:
    """Keep these tokens in the browser, the newest first; none signs out."""
    kept = list(dict.fromkeys(tokens))[:MOST_TOKENS]
    if kept:
        _set_cookie(response, COOKIE, ".".join(kept))
    else:
        response.delete_cookie(COOKIE, path=_path())


def _path() -> str:
    return f"{current_app.config['URLS'].root}/"


def _set_cookie(response: BaseResponse, name: str, value: str, max_age: int = MAX_AGE) -> None:
    response.set_cookie(
        name,
        value,
        max_age=max_age,
        path=_path(),
        httponly=True,
        samesite="Strict",
        secure=is_secure(),
    )


def is_secure() -> bool:
    """Whether browsers reach the site over TLS."""
    return request.is_secure or current_app.config["URLS"].base.startswith("https:")


def csrf_token() -> str:
    """The token for a form of this page; its twin goes into a cookie with the answer."""
    if "csrf" not in g:
        sent = request.cookies.get(CSRF_COOKIE, "")
        g.csrf = sent if len(sent) >= 32 else secrets.token_urlsafe(24)
        g.csrf_is_new = g.csrf != sent
    found: str = g.csrf
    return found


def keep_csrf(response: Response) -> Response:
    """Set the twin of the form's token."""
    if g.get("csrf_is_new"):
        _set_cookie(response, CSRF_COOKIE, g.csrf)
    if g.get("notice_is_said"):
        response.delete_cookie(NOTICE_COOKIE, path=_path())
    if g.get("viewer") and g.viewer.tokens:
        response.headers["Cache-Control"] = "private, no-cache"
    return response


def leave_notice(response: BaseResponse, text: str) -> None:
    """What the next page is to say, once, to whoever sent a form."""
    _set_cookie(response, NOTICE_COOKIE, quote(text[:500]), NOTICE_AGE)


def notice() -> str | None:
    """What was left for this page to say; it is said once."""
    left = request.cookies.get(NOTICE_COOKIE)
    if not left or not viewer().tokens:
        return None
    g.notice_is_said = True
    return unquote(left)[:500]


def _own_origins() -> set[str]:
    base = current_app.config["URLS"].base
    return {request.host, urlsplit(base).netloc} if base else {request.host}


def check_origin() -> None:
    """Refuse whatever changes something and was not sent from this site.

    Two checks, each enough by itself: browsers say where a form comes from, and a form repeats a
    secret from a cookie that no other site can read.
    """
    if request.method in ("GET", "HEAD", "OPTIONS") or viewer().bearer:
        return
    if request.routing_exception is not None:
        return  # there is nothing here, or nothing that takes this method
    origin = request.headers.get("Origin")
    if origin is not None and not _is_own(origin):
        abort(403, "This form was sent from another site.")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403, "This form was sent from another site.")
    if request.is_json:
        return  # other sites may not send JSON here, and a cookie would not count
    cookie = request.cookies.get(CSRF_COOKIE, "")
    field = request.form.get(CSRF_FIELD, "")
    if len(cookie) < 32 or not hmac.compare_digest(cookie.encode(), field.encode()):
        abort(403, OUT_OF_DATE if is_a_form() else NO_TOKEN)


def _is_own(origin: str) -> bool:
    try:
        return urlsplit(origin).netloc in _own_origins()
    except ValueError:
        return False


def is_a_form() -> bool:
    """Whether a browser sends this, or something that has filled in a form of ours."""
    by_browser = "Sec-Fetch-Site" in request.headers or "text/html" in request.headers.get(
        "Accept", ""
    )
    return by_browser or CSRF_FIELD in request.form


def organiser_only(view: Callable[..., Any]) -> Callable[..., Any]:
    """Only for the organiser: 401 for strangers, 403 for owners of bots."""

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        require_organiser()
        return view(*args, **kwargs)

    return guarded


def require_organiser() -> None:
    """Refuse everybody but the organiser."""
    if not viewer().organiser:
        abort(403 if viewer().tokens else 401, "This needs the organiser's token. Sign in first.")


def owned_bot(bot_id: int) -> BotRow:
    """The bot, if the viewer owns it or is the organiser; else 404, 401 or 403."""
    bot = store().bots.by_id(bot_id)
    if bot is None:
        abort(404, "There is no bot at this address.")
    if not (viewer().organiser or viewer().owns(bot)):
        abort(403 if viewer().tokens else 401, "This needs the owner's token of this bot.")
    return bot


def init_app(app: Flask) -> None:
    """Identify before, and check, every request."""
    app.before_request(refuse_large)
    app.before_request(identify)
    app.before_request(check_origin)
    app.after_request(keep_csrf)
    app.jinja_env.globals.update(csrf_token=csrf_token, notice=notice, viewer=viewer)
