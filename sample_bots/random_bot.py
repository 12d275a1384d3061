"""Plays any legal action with equal probability. The weakest contestant: everybody should win."""

from arena.bot import Bot, BotView, LegalAction, run


class RandomBot(Bot):
    """Any legal action, in every phase of every game."""

    name = "random"
    author = "gin-arena"
    color = "#8a8f98"

    def choose(self, view: BotView) -> LegalAction:
        """One of the legal actions, the same one for the same request."""
        return view.rng.choice(view.legal)


bot = RandomBot()

if __name__ == "__main__":
    run(bot)
