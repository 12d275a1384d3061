"""A sensible player of Mahjong gin: everything that can lie on the table goes there at once.

Cards on the table count for it, cards in hand against it. It takes discards when they bring more
to the table than they leave in hand, and throws the dearest card that nothing is built on.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from arena.bot import Bot, BotView, Chosen, LegalAction, run
from arena.rules.cards import RANKS

PARTNER = 4
"""Points by which a card is worth keeping for each card in hand that may become its meld."""


class MahjongSimple(Bot):
    """Lays, adds, throws; no memory."""

    name = "mahjong simple"
    author = "gin-arena"
    games = ("mahjong_family",)
    color = "#1f8a8a"

    def first_upcard(self, view: BotView) -> Chosen:
        """Take the upcard if it can be laid down."""
        return "draw:discard" if gain(view, 1) > 0 else "pass"

    def draw(self, view: BotView) -> Chosen:
        """As many discards as bring most, else the stock."""
        depths = {item.id: int(item.arg) for item in view.actions("take")}
        if view.can("draw:discard"):
            depths["draw:discard"] = 1
        best = max(depths, key=lambda id: gain(view, depths[id]), default=None)
        return best if best is not None and gain(view, depths[best]) > 0 else "draw:stock"

    def meld(self, view: BotView) -> Chosen:
        """Lay the dearest meld, else add the dearest card, else throw one."""
        melds = view.actions("meld")
        if melds:
            planned = {"".join(meld) for meld in view.best_melds()}
            best = [item for item in melds if item.arg in planned] or melds
            return max(best, key=lambda item: points(cards_of(item), view.rules))
        additions = view.actions("add")
        if additions:
            return max(additions, key=lambda item: points([item.arg[:2]], view.rules))
        return f"discard:{unwanted(view)}"


def cards_of(item: LegalAction) -> list[str]:
    """The cards of a ``meld`` action."""
    return [item.arg[at : at + 2] for at in range(0, len(item.arg), 2)]


def points(cards: Sequence[str], rules: Mapping[str, Any]) -> int:
    """What cards count in this game."""
    worth = {"A": rules["ace_points"], **dict.fromkeys("23456789", rules["low_points"])}
    return sum(int(worth.get(card[0], rules["high_points"])) for card in cards)


def gain(view: BotView, depth: int) -> int:
    """Points that the top discards bring to the table at once, less what they leave in hand."""
    taken = list(view.discard_pile[-depth:])
    before, after = melded(view, view.hand), melded(view, [*view.hand, *taken])
    if not set(taken) & set(after):
        return 0
    laid = points(after, view.rules) - points(before, view.rules)
    kept = [card for card in taken if card not in after]
    return laid - points(kept, view.rules)


def melded(view: BotView, cards: Sequence[str]) -> list[str]:
    """The cards that could lie on the table: in melds of these cards, or added to others'."""
    own = [card for meld in view.best_melds(cards) for card in meld]
    fits = [card for card in cards if card not in own and fits_table(view, card)]
    return own + fits


def fits_table(view: BotView, card: str) -> bool:
    """Whether the card extends a meld on the table."""
    for player in view.players:
        for meld in player.melds:
            same_rank = all(one[0] == card[0] for one in meld)
            if same_rank and len(meld) == 3:
                return True
            if not same_rank and meld[0][1] == card[1]:
                ranks = [RANKS.index(one[0]) for one in meld]
                if RANKS.index(card[0]) in (min(ranks) - 1, max(ranks) + 1):
                    return True
    return False


def unwanted(view: BotView) -> str:
    """The dearest card to keep, less what it may become together with others."""

    def worth(card: str) -> tuple[int, str]:
        partners = sum(
            other != card
            and (
                other[0] == card[0]
                or (other[1] == card[1] and abs(RANKS.index(other[0]) - RANKS.index(card[0])) <= 2)
            )
            for other in view.hand
        )
        return PARTNER * partners - points([card], view.rules), card

    return min(view.discards, key=worth)


bot = MahjongSimple()

if __name__ == "__main__":
    run(bot)
