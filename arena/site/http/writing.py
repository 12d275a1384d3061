"""Short writes by the site: registrations and an organiser's decisions.

The referee is another process; SQLite queues the two. A store for writing is open only as long as
the change takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask import current_app

from arena.site.http.reading import close_store
from arena.store import Store


@contextmanager
def writing() -> Iterator[Store]:
    """A store to write to. The request's reading snapshot ends, for it would be out of date.

    :raises StoreError: the database cannot be written.
    """
    close_store()
    with Store(current_app.config["DATABASE"]) as store:
        yield store
