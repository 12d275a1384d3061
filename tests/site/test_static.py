"""Static files: scripts, style sheets and pictures with the kinds that browsers want."""

from __future__ import annotations

import mimetypes
from importlib.resources import files
from pathlib import Path

import pytest

from arena.site.http.static import TYPES, load

FOLDER = Path(str(files("arena.web"))) / "static"


def test_kinds_do_not_depend_on_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a system takes scripts for plain text, browsers still get scripts."""
    monkeypatch.setattr(mimetypes, "guess_type", lambda *_: ("text/plain", None))
    kinds = {name: file.kind for name, file in load(FOLDER).items()}

    assert kinds["site.js"] == "text/javascript"
    assert kinds["site.css"] == "text/css"
    assert kinds["icon.svg"] == "image/svg+xml"
    assert kinds["screenshot.png"] == "image/png"


def test_every_file_has_a_kind() -> None:
    """A file of a new kind needs a line in the table."""
    assert {Path(name).suffix for name in load(FOLDER)} <= set(TYPES)
