"""What stands in for workers where none are needed."""

from __future__ import annotations


class Steady:
    """The part of a pool that has nothing to tell: nobody comes or goes, and it is never lost."""

    def refresh(self) -> list[str]:
        """Nothing new."""
        return []

    def is_healthy(self) -> bool:
        """Always."""
        return True

    def is_lost(self) -> bool:
        """Never."""
        return False

    def shun(self, worker: str) -> None:
        """There is no other."""
