"""The well-known simple player of gin rummy.

It takes the upcard only if that becomes part of a meld, throws the unmelded card of the highest
value (never the one just taken) and knocks as soon as it may.
"""

from arena.bot import Bot, BotView, Choice, Chosen, run


class Simple(Bot):
    """Three rules, no memory."""

    name = "simple"
    author = "gin-arena"
    games = ("gin",)
    color = "#3b82c4"

    def first_upcard(self, view: BotView) -> Chosen:
        """Take the upcard if it fits."""
        return "draw:discard" if upcard_melds(view) else "pass"

    def draw(self, view: BotView) -> Chosen:
        """The upcard if it fits, else the stock."""
        return "draw:discard" if upcard_melds(view) else "draw:stock"

    def discard(self, view: BotView) -> Chosen:
        """Big gin, or knock with the least deadwood, or throw the dearest loose card."""
        if view.can("big_gin"):
            return "big_gin"
        knocks = view.actions("knock")
        if knocks:
            card = min((item.card for item in knocks if item.card), key=view.deadwood_without)
            rest = [other for other in view.hand if other != card]
            return Choice(f"knock:{card}", view.best_melds(rest))
        return f"discard:{dearest_loose_card(view)}"


def upcard_melds(view: BotView) -> bool:
    """Whether the upcard would be part of a meld in the best arrangement."""
    upcard = view.upcard
    if upcard is None or not view.can("draw:discard"):
        return False
    return any(upcard in meld for meld in view.best_melds([*view.hand, upcard]))


def dearest_loose_card(view: BotView) -> str:
    """The card of the highest value among those in no meld; chance decides between equals."""
    allowed = [item.card for item in view.actions("discard") if item.card]
    melded = {card for meld in view.best_melds() for card in meld}
    loose = [card for card in allowed if card not in melded] or allowed
    most = max(view.value([card]) for card in loose)
    return view.rng.choice([card for card in loose if view.value([card]) == most])


bot = Simple()

if __name__ == "__main__":
    run(bot)
