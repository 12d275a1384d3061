"""What all tests share: fixtures, and what is said at the end of a run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty database of its own."""
    with Store(tmp_path / "arena.db") as opened:
        yield opened


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the tests that failed in the parallel run of ``tests/run`` and passed alone.

    Such a run is green, but something in it is not reliable.
    """
    passed = [report.nodeid for report in terminalreporter.getreports("passed")]
    if "ARENA_TESTS_ALONE" not in os.environ or not passed:
        return
    terminalreporter.section("failed beside others, passed alone", yellow=True)
    terminalreporter.write_line(
        "The run below counts only what was repeated. Not reliable, and worth a look:"
    )
    for name in passed:
        terminalreporter.write_line(f"  {name}")
