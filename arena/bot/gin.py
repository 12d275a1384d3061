"""A frame for bots that play gin in all its forms: answer three questions, and it does the rest.

Which discard do I want, which card do I throw, do I end the hand now. The frame asks them in the
phases of every game whose hands are gin hands: all two-handed variants, three-handed tables, team
play and Battle Royal.
"""

from __future__ import annotations

from arena.bot.base import Bot, Choice, Chosen
from arena.bot.view import BotView

GIN_GAMES = (
    "gin_family",
    "cutthroat_family",
    "chouette_family",
    "teams_family",
    "battle_royal_family",
)
"""The families whose hands are gin hands."""

WORTH_ACCEPTING = 25


class GinBot(Bot):
    """Override `wanted_discard` and `unwanted_card`; the other questions have usable answers."""

    games = GIN_GAMES

    def wanted_discard(self, view: BotView) -> str | None:
        """The id of the draw that takes a discard (a key of ``view.takeable``), None for none."""
        return None

    def unwanted_card(self, view: BotView) -> str:
        """The card to throw, one of ``view.discards``."""
        return view.discards[0]

    def wants_to_knock(self, view: BotView, card: str) -> bool:
        """Whether to knock now; ``card`` is the one whose loss leaves the least deadwood."""
        return True

    def wants_to_double(self, view: BotView) -> bool:
        """Whether to offer to double the stake of the hand."""
        return False

    def accepts_double(self, view: BotView) -> bool:
        """Whether to play on for a doubled stake."""
        return view.deadwood() <= WORTH_ACCEPTING

    def first_upcard(self, view: BotView) -> Chosen:
        """Take the upcard if it is wanted, else pass."""
        return self._double(view) or self.wanted_discard(view) or "pass"

    def forced_stock(self, view: BotView) -> Chosen:
        """The stock."""
        return self._double(view) or "draw:stock"

    def draw(self, view: BotView) -> Chosen:
        """A discard that is wanted, else the stock."""
        return self._double(view) or self.wanted_discard(view) or "draw:stock"

    def last_discard(self, view: BotView) -> Chosen:
        """The last discard may only be taken to knock with; the hand is dead otherwise."""
        return "draw:discard" if view.can("draw:discard") else "pass"

    def answer_double(self, view: BotView) -> Chosen:
        """Accept or refuse."""
        return "accept" if self.accepts_double(view) else "refuse"

    def discard(self, view: BotView) -> Chosen:
        """End the hand if that is possible and wanted, else throw a card."""
        if view.can("big_gin"):
            return "big_gin"
        knocks = [item.card for item in view.actions("knock") if item.card]
        if knocks:
            card = min(knocks, key=lambda one: (view.deadwood_without(one), -view.value([one])))
            if not view.discards or self.wants_to_knock(view, card):
                return Choice(f"knock:{card}", view.best_melds(view.without(card)))
        if not view.discards:
            return view.safe
        card = self.unwanted_card(view)
        if not isinstance(card, str):
            raise TypeError(
                f"unwanted_card() of {self.name} returned {card!r}, not a card"
                f"{'; did you forget `return`?' if card is None else ''}"
            )
        return f"discard:{card}"

    def _double(self, view: BotView) -> str | None:
        return "double" if view.can("double") and self.wants_to_double(view) else None
