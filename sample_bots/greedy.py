"""Counts: every draw and discard is the one with the least deadwood to be expected.

Expected is the average over all cards that the next draw may bring. The opponent does not occur
in this bot's mind, and like `simple` it knocks as soon as it may.
"""

from arena.bot import BotView, GinBot, run


class Greedy(GinBot):
    """Looks one draw ahead."""

    name = "greedy"
    author = "gin-arena"
    color = "#2f9e6e"

    def wanted_discard(self, view: BotView) -> str | None:
        """The discard that leaves less deadwood than the stock does on average."""
        best = None
        least = view.expected_deadwood(view.hand)
        for draw, card in view.takeable.items():
            left = min(view.deadwood([*view.without(own), card]) for own in view.hand)
            if left < least:
                best, least = draw, left
        return best

    def unwanted_card(self, view: BotView) -> str:
        """The card after whose loss the least deadwood is to be expected; of equals the dearest."""
        expected = {card: view.expected_deadwood(view.without(card)) for card in view.discards}
        return min(expected, key=lambda card: (expected[card], -view.value([card]), card))


bot = Greedy()

if __name__ == "__main__":
    run(bot)
