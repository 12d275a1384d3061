"""Sockets to serve at."""

from __future__ import annotations

import pytest

from arena.errors import ConfigError
from arena.listening import listen


def test_port_in_use_is_one_sentence() -> None:
    """The fix is named."""
    with listen("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=rf"port {port} is in use; .*--port"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["a..b", "192.0.2.1", "x" * 64])
def test_host_that_is_none_of_ours_is_one_sentence(host: str) -> None:
    """Also one that cannot even be written as a name of a host."""
    with pytest.raises(ConfigError, match=rf"cannot listen on {host} port 0: .*--host"):
        listen(host, 0)
