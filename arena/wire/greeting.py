"""What a bot says of itself, asked once and outside any match."""

from __future__ import annotations

from arena.referee.verdicts import BotFault
from arena.wire.endpoint import Endpoint
from arena.wire.lane import Lane
from arena.wire.messages import BotInfo
from arena.wire.transport import WireOptions

UNKNOWN = BotInfo("unknown", "", "", ("*",), max_batch=1, max_concurrency=1)
"""What is assumed of a bot that could not be greeted."""


def greeting(
    endpoint: str, secret: str | None = None, options: WireOptions | None = None
) -> BotInfo | None:
    """The answer to ``GET /``, None if there is none as it should be.

    :raises ConfigError: the endpoint is no address.
    """
    secrets = (secret,) if secret else ()
    lane = Lane(Endpoint.parse(endpoint), UNKNOWN, options=options, secrets=secrets)
    try:
        return lane.warm_up()
    except BotFault:
        return None
    finally:
        lane.close()
