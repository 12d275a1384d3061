"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty database of its own."""
    with Store(tmp_path / "arena.db") as opened:
        yield opened
