"""What all checks in tests share."""

from __future__ import annotations

import pytest

from arena.wire.conformance import edges


@pytest.fixture(autouse=True)
def _no_long_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause of the keep-alive step is shortened."""
    monkeypatch.setattr(edges, "IDLE_S", 0.05)
