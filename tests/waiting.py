"""Waits for what another thread or process does, and fails where it never happens."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], timeout_s: float = 10.0) -> None:
    """Until the condition holds, looked at every few milliseconds."""
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, "the condition never came true"
        time.sleep(0.002)
