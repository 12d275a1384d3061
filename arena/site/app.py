"""The application factory."""

from __future__ import annotations

import hashlib
import importlib.resources
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask, send_from_directory
from flask.typing import ResponseReturnValue
from jinja2 import StrictUndefined
from werkzeug.routing import BaseConverter

from arena import __version__
from arena.site import auth, errors, formatting, headers, reading
from arena.site.cards import card_colour, card_label, card_rank, card_suit
from arena.site.checks import Checks
from arena.site.control import ByHand, Control
from arena.site.limits import Limiter
from arena.site.pages import BLUEPRINTS
from arena.site.snapshots import Snapshots
from arena.site.urls import Urls

MAX_BODY = 64 * 1024
"""Bytes that any request may carry."""


class SlugConverter(BaseConverter):
    """A word of an address: ASCII letters, digits and single hyphens."""

    regex = "[a-z0-9]+(?:-[a-z0-9]+)*"


class IdConverter(BaseConverter):
    """An opaque id."""

    regex = "[A-Za-z0-9_-]{1,64}"


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
    stamps = static_stamps(web / "static")
    app.config.update(
        DATABASE=Path(database),
        ORGANISER_TOKEN_HASH=organiser_token_hash,
        PUBLIC=public,
        MAX_CONTENT_LENGTH=MAX_BODY,
        MAX_FORM_MEMORY_SIZE=MAX_BODY,
        URLS=Urls(root, base, stamps),
        BUILD=build_stamp(web, stamps),
        SNAPSHOTS=Snapshots(),
        CHECKS=Checks(Path(database), public=public),
        CONTROL=control or ByHand(Path(database)),
        LOGINS=Limiter(burst=10, every_s=20),
        SUBMISSIONS=Limiter(burst=6, every_s=60),
        STATIC=web / "static",
    )
    app.url_map.converters.update(slug=SlugConverter, id=IdConverter)
    app.url_map.strict_slashes = False
    init_templates(app)
    reading.init_app(app)
    errors.init_app(app)
    auth.init_app(app)
    app.after_request(headers.protect)
    app.add_url_rule("/static/<path:name>", "static", static_file)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app


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
        plural=formatting.plural,
        moment=formatting.moment,
        duration=formatting.duration,
        words=formatting.words,
        sentence=formatting.sentence,
        card_colour=card_colour,
        card_label=card_label,
        card_rank=card_rank,
        card_suit=card_suit,
    )
    environment.globals.update(url=app.config["URLS"], dash=formatting.DASH, version=__version__)


def static_file(name: str) -> ResponseReturnValue:
    """A style sheet, script or picture. Names carry a hash, so browsers may keep them."""
    from flask import current_app, request

    response = send_from_directory(current_app.config["STATIC"], name)
    if "v" in request.args:
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


def static_stamps(folder: Path) -> tuple[tuple[str, str], ...]:
    """Each static file's name with a short hash of its content."""
    return tuple(
        (
            file.relative_to(folder).as_posix(),
            hashlib.sha256(file.read_bytes()).hexdigest()[:10],
        )
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    )


def build_stamp(web: Path, stamps: tuple[tuple[str, str], ...]) -> str:
    """Changes with the program, its templates and its static files; part of every validator."""
    digest = hashlib.sha256(f"{__version__}{stamps}".encode())
    for file in sorted((web / "templates").rglob("*.html")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:10]
