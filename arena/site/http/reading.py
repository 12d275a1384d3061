"""The database as a request sees it: one read-only store, one consistent snapshot.

Opened at first use, in the thread of the request, and closed with it; so no connection is ever
shared between threads, and a page never shows half of a transaction.
"""

from __future__ import annotations

from contextlib import ExitStack

from flask import Flask, current_app, g

from arena.store import Store
from arena.store.pages import Pages


def store() -> Store:
    """This request's store.

    :raises StoreError: there is no database, or it is of another program or version.
    """
    if "store" not in g:
        stack = ExitStack()
        opened = stack.enter_context(Store(current_app.config["DATABASE"], read_only=True))
        stack.enter_context(opened.reading())
        g.store_stack = stack
        g.store = opened
    found: Store = g.store
    return found


def pages() -> Pages:
    """The queries that pages need, over this request's store."""
    return Pages(store())


def close_store(_: BaseException | None = None) -> None:
    """Give the snapshot up and close the file."""
    stack: ExitStack | None = g.pop("store_stack", None)
    g.pop("store", None)
    if stack is not None:
        stack.close()


def init_app(app: Flask) -> None:
    """Close each request's store when it ends."""
    app.teardown_appcontext(close_store)
