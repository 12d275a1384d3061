"""The one place where the store reads the wall clock, for time stamps only."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """This moment in UTC, ISO 8601 with milliseconds: ``2026-11-29T20:40:00.123Z``."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
