"""The SDK for bot authors: subclass `Bot` or write one function, then `run` it.

::

    from arena.bot import Bot, BotView, run

    class Careful(Bot):
        name = "careful"
        games = ["gin"]

        def discard(self, view: BotView) -> str:
            knocks = view.actions("knock")
            return knocks[0].id if knocks else view.safe

    if __name__ == "__main__":
        run(Careful())

It imports little, so that a bot starts at once; the conformance check loads only when asked for.
"""

from arena.bot.base import Bot, Choice, Chosen, FunctionBot, answer, as_bot, from_function
from arena.bot.command import SECRET_VARIABLE, run
from arena.bot.gin import GinBot
from arena.bot.server import BotServer, serve
from arena.bot.view import BotView, LegalAction, PlayerView
from arena.rules.base import Shown

__all__ = [
    "SECRET_VARIABLE",
    "Bot",
    "BotServer",
    "BotView",
    "Choice",
    "Chosen",
    "FunctionBot",
    "GinBot",
    "LegalAction",
    "PlayerView",
    "Shown",
    "answer",
    "as_bot",
    "from_function",
    "run",
    "serve",
]
