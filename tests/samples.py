"""The sample bots as they are when installed: `arena` is the only root of imports.

In the checkout their folder is not below ``arena``, where type checkers would look for them.
"""

from __future__ import annotations

import importlib
from typing import Protocol, cast

from arena.bot import Bot


class Sample(Protocol):
    """The module of a sample bot."""

    bot: Bot


def _sample(name: str) -> Sample:
    return cast(Sample, importlib.import_module(f"arena.sample_bots.{name}"))


greedy = _sample("greedy")
indian_simple = _sample("indian_simple")
mahjong_simple = _sample("mahjong_simple")
random_bot = _sample("random_bot")
simple = _sample("simple")
