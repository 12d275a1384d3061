"""The only place for persistence: one SQLite file, through sqlite-utils.

`Store` (in ``store.store``) opens the file; the other modules hold what can be asked of it, a
topic each: `bots`, `tournaments`, `fixtures`, `hands`. Rows come back as the frozen values of
``store.rows``. WAL mode: readers never block, one writing process plays (see ``store.lock``).
"""

from arena.store.store import Store

__all__ = ["Store"]
