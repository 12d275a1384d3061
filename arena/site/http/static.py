"""Static files, read once: they are few and small, and a name that is not there is not there.

Addresses carry a hash of the content, so browsers keep a file for as long as it is the same.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from flask import Flask, Response, abort, current_app, request

TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
"""Kinds of files. Those of the system may be other ones, with which browsers run no script."""


@dataclass(frozen=True, slots=True)
class File:
    """A file with its kind and the hash of its content."""

    data: bytes
    kind: str
    stamp: str


def load(folder: Path) -> dict[str, File]:
    """Every file below a folder by its name there."""
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            kind = TYPES.get(path.suffix, "application/octet-stream")
            stamp = hashlib.sha256(data).hexdigest()[:10]
            files[path.relative_to(folder).as_posix()] = File(data, kind, stamp)
    return files


def serve_file(name: str) -> Response:
    """A style sheet, script or picture."""
    files: dict[str, File] = current_app.config["STATIC"]
    file = files.get(name)
    if file is None:
        abort(404)
    response = Response(file.data, mimetype=file.kind)
    response.set_etag(file.stamp)
    if request.args.get("v") == file.stamp:
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    response.make_conditional(request)
    return response


def init_app(app: Flask) -> None:
    """Serve the files below ``/static/``."""
    app.add_url_rule("/static/<path:name>", "static", serve_file)
