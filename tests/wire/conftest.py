"""What the tests of the wire share: lanes and clients that are closed again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from arena.wire.client import BotClient
from arena.wire.crew import Crew


@pytest.fixture
def crew() -> Iterator[Crew]:
    """Threads for lanes; fails the test if a callback raised."""
    errors: list[BaseException] = []
    one = Crew(on_error=errors.append)
    yield one
    one.close()
    assert errors == []


@pytest.fixture
def closing() -> Iterator[Callable[[BotClient], BotClient]]:
    """Registers clients that have to be closed after the test."""
    clients: list[BotClient] = []

    def register(client: BotClient) -> BotClient:
        clients.append(client)
        return client

    yield register
    for client in clients:
        client.close()


@pytest.fixture(autouse=True)
def _no_threads_left() -> Iterator[None]:
    """A test leaves no thread of the arena behind, look-ups that hang excepted."""
    yield
    left = [thread for thread in threading.enumerate() if thread.name.startswith("arena-call")]
    for thread in left:
        thread.join(2)
    assert not any(thread.is_alive() for thread in left)
