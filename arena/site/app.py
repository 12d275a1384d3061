"""The application factory."""

from __future__ import annotations

import hashlib
import importlib.resources
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask
from jinja2 import StrictUndefined
from werkzeug.routing import BaseConverter

from arena import __version__
from arena.site import auth
from arena.site.hands.cards import card_colour, card_label, card_rank, card_suit
from arena.site.http import access, errors, headers, reading, static
from arena.site.http.limits import Limiter
from arena.site.http.page_cache import PageCache, Recent
from arena.site.pages import BLUEPRINTS
from arena.site.urls import Urls
from arena.site.views import formatting
from arena.site.views.faults import ANCHOR, fault_meaning
from arena.site.views.ranking import Rankings
from arena.site.views.snapshots import Snapshots
from arena.site.work.checks import Checks
from arena.site.work.control import ByHand, Control
from arena.site.work.watch import Watch

MAX_BODY = 128 * 1024
"""Bytes that any request may carry."""


if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class SlugConverter(BaseConverter):
    """A word of an address: ASCII letters, digits and single hyphens."""

    regex = "[a-z0-9]+(?:-[a-z0-9]+)*"


class IdConverter(BaseConverter):
    """An opaque id."""

    regex = "[A-Za-z0-9_-]{1,64}"


class CountConverter(BaseConverter):
    """A whole number that any database can hold."""

    regex = "[0-9]{1,9}"

    def to_python(self, value: str) -> int:
        """The number."""
        return int(value)


def create_app(
    database: Path,
    *,
    organiser_token_hash: str | None = None,
    base_url: str | None = None,
    public: bool = False,
    control: Control | None = None,
) -> Flask:
    """The site over one database, which need not exist yet.

    ``organiser_token_hash``: see `auth.hash_token`; without it nobody can organise.
    ``base_url``: the address that readers use when a reverse proxy stands in front.
    ``public``: strangers may register bots only with the organiser's approval, and bots may have
    public addresses only. ``control``: starts the referee; without one the organiser is told what
    to type.
    """
    web = Path(str(importlib.resources.files("arena.web")))
    app = Flask(
        "arena.site",
        root_path=str(web),
        template_folder=str(web / "templates"),
        static_folder=None,
    )
    parts = urlsplit(base_url or "")
    root = parts.path.rstrip("/")
    base = f"{parts.scheme}://{parts.netloc}" if base_url else ""
    files = static.load(web / "static")
    stamps = tuple((name, file.stamp) for name, file in files.items())
    app.config.update(
        ORGANISER_TOKEN_HASH=organiser_token_hash,
        PUBLIC=public,
        MAX_CONTENT_LENGTH=MAX_BODY,
        MAX_FORM_MEMORY_SIZE=MAX_BODY,
        URLS=Urls(root, base, stamps),
        BUILD=build_stamp(web, stamps),
        STATIC=files,
        **_over_database(Path(database), public, control),
        **_limiters(public),
    )
    app.url_map.converters.update(slug=SlugConverter, id=IdConverter, count=CountConverter)
    app.url_map.strict_slashes = False
    # Else twin slashes lead by a redirect to whatever host the reader named.
    app.url_map.merge_slashes = False
    init_templates(app)
    reading.init_app(app)
    access.init_app(app)  # first registered, so last to see an answer
    app.before_request(headers.begin)
    errors.init_app(app)
    auth.init_app(app)
    app.after_request(headers.protect)
    static.init_app(app)
    if root:
        app.wsgi_app = BelowRoot(app.wsgi_app, root)  # type: ignore[method-assign]
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app


def _over_database(database: Path, public: bool, control: Control | None) -> dict[str, object]:
    """What reads the database, watches it, or starts work on it."""
    return {
        "DATABASE": database,
        "SNAPSHOTS": Snapshots(database),
        "RANKINGS": Rankings(database),
        "WATCH": Watch(database),
        "PAGES": PageCache(),
        "LATENCIES": Recent(5_000),
        "CHECKS": Checks(database, public=public),
        "CONTROL": control or ByHand(database),
    }


def _limiters(public: bool) -> dict[str, Limiter]:
    """How often visitors may do what costs something."""
    burst, every_s = (6, 60) if public else (30, 5)
    return {
        "LOGINS": Limiter(burst=10, every_s=20),
        "SUBMISSIONS": Limiter(burst=burst, every_s=every_s),
        "RETESTS": Limiter(burst=burst, every_s=every_s),
        "CHANGES": Limiter(burst=30, every_s=10),
    }


class BelowRoot:
    """Takes the path that a reverse proxy serves the site under off the address, if it is there."""

    def __init__(self, app: WSGIApplication, root: str) -> None:
        self._app = app
        self._root = root

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Hand the request on."""
        path = environ.get("PATH_INFO", "")
        if path == self._root or path.startswith(f"{self._root}/"):
            environ["PATH_INFO"] = path[len(self._root) :] or "/"
        return self._app(environ, start_response)


def init_templates(app: Flask) -> None:
    """Jinja with autoescape for whatever the file is called, and no silent blanks."""
    app.jinja_options = {"autoescape": True, "undefined": StrictUndefined}
    environment = app.jinja_env
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.filters.update(
        number=formatting.number,
        signed=formatting.signed,
        halves=formatting.halves,
        percent=formatting.percent,
        chance=formatting.chance,
        plural=formatting.plural,
        moment=formatting.moment,
        day=formatting.day,
        duration=formatting.duration,
        words=formatting.words,
        sentence=formatting.sentence,
        isolated=formatting.isolated,
        fault_meaning=fault_meaning,
        card_colour=card_colour,
        card_label=card_label,
        card_rank=card_rank,
        card_suit=card_suit,
    )
    environment.globals.update(
        url=app.config["URLS"],
        dash=formatting.DASH,
        version=__version__,
        codes=app.config["URLS"].page("protocol") + f"#{ANCHOR}",
    )


def build_stamp(web: Path, stamps: tuple[tuple[str, str], ...]) -> str:
    """Changes with the program, its templates and its static files; part of every validator."""
    digest = hashlib.sha256(f"{__version__}{stamps}".encode())
    for file in sorted((web / "templates").rglob("*.html")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:10]
