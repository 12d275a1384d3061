"""For load balancers and people who watch a server."""

from __future__ import annotations

from flask import Blueprint, Response

from arena import __version__
from arena.site.http.reading import pages
from arena.site.http.respond import json_answer

blueprint = Blueprint("health", __name__)


@blueprint.get("/health")
def health() -> Response:
    """200 when the database can be read, else 503 in the usual error shape."""
    pages().revisions()
    return json_answer({"ok": True, "version": __version__})
