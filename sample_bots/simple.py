"""The well-known simple player of gin rummy.

It takes a discard only if that becomes part of a meld, throws the unmelded card of the highest
value (never the one just taken; chance decides between equals) and knocks as soon as it may.
"""

from arena.bot import BotView, GinBot, run


class Simple(GinBot):
    """Three rules, no memory."""

    name = "simple"
    author = "gin-arena"
    color = "#3b82c4"

    def wanted_discard(self, view: BotView) -> str | None:
        """A discard that becomes part of a meld."""
        for draw, card in view.takeable.items():
            if any(card in meld for meld in view.best_melds([*view.hand, card])):
                return draw
        return None

    def unwanted_card(self, view: BotView) -> str:
        """The dearest card among those in no meld."""
        melded = {card for meld in view.best_melds() for card in meld}
        loose = [card for card in view.discards if card not in melded] or view.discards
        most = max(view.value([card]) for card in loose)
        return view.rng.choice([card for card in loose if view.value([card]) == most])


bot = Simple()

if __name__ == "__main__":
    run(bot)
