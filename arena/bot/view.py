"""One decision request, made comfortable to read.

Everything is computed on first use, so that a bot pays only for what it looks at. Nothing here
knows more than the request says: the cards that nobody has shown stay unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from arena.bot.counting import Counting, counting_for, deck_for
from arena.rules.base import Melds, Shown
from arena.rules.melds import MeldTables


class LegalAction(NamedTuple):
    """Something the bot may do now.

    ``id``: what to answer, e.g. ``discard:7H``. ``kind``: ``discard``. ``card``: the card where
    the action concerns exactly one, else None. ``arg``: the text of the id after the first colon.
    """

    id: str
    kind: str
    card: str | None
    arg: str


class PlayerView(NamedTuple):
    """What everybody may know of one seat.

    ``position``: its place in this hand, None while it sits out. ``cards``: how many it holds.
    ``known``: cards that are certainly among them. ``melds``: its melds on the table.
    ``score``: points in this game.
    """

    seat: int
    position: int | None
    cards: int
    known: tuple[str, ...]
    melds: Melds
    active: bool
    score: int
    hands_won: int
    games_won: int


class BotView:
    """What one bot may know when it has to decide. ``request`` is the decision request itself,
    for anything that has no attribute here."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.request = request
        self.phase: str = request["phase"]

    def __repr__(self) -> str:
        return f"<BotView {self.request_id}: {self.phase}, {' '.join(self.hand)}>"

    @property
    def request_id(self) -> str:
        """Names this decision; the same id always deserves the same answer."""
        return str(self.request["request_id"])

    @property
    def match(self) -> str:
        """The match; several may be in play at once."""
        return str(self.request["match"])

    @property
    def variant(self) -> str:
        """Name of the game, e.g. ``gin``. Prefer `rules`, which has the values in force."""
        return str(self.request["variant"])

    @property
    def rules(self) -> Mapping[str, Any]:
        """Every rule value in force, e.g. ``view.rules["gin_bonus"]``."""
        rules: Mapping[str, Any] = self.request["rules"]
        return rules

    @cached_property
    def hand(self) -> tuple[str, ...]:
        """Own cards, the one just drawn included."""
        return tuple(self.request["cards"])

    @property
    def drawn(self) -> str | None:
        """The card just drawn or taken, after a draw."""
        drawn: str | None = self.request["drawn"]
        return drawn

    @property
    def taken(self) -> bool:
        """Whether `drawn` came from the discard pile."""
        return bool(self.request["taken"])

    @property
    def upcard(self) -> str | None:
        """Top of the discard pile."""
        upcard: str | None = self.request["upcard"]
        return upcard

    @property
    def discard_pile(self) -> Sequence[str]:
        """The pile, bottom first."""
        pile: Sequence[str] = self.request["discard_pile"]
        return pile

    @property
    def stock_count(self) -> int:
        """Cards left in the stock."""
        return int(self.request["stock_count"])

    @property
    def knock_limit(self) -> int | None:
        """Most deadwood to knock with in this hand; None where there is no knocking."""
        limit: int | None = self.request["knock_limit"]
        return limit

    @property
    def knock_card(self) -> str | None:
        """The card that was turned for the knock limit: the first upcard of Oklahoma, or a separate
        card that is out of play; None where no card sets the limit."""
        card: str | None = self.request["knock_card"]
        return card

    @property
    def multiplier(self) -> int:
        """Factor on the score of this hand."""
        return int(self.request["multiplier"])

    @property
    def wild(self) -> str | None:
        """The wild rank of Indian rummy."""
        wild: str | None = self.request["wild"]
        return wild

    @property
    def position(self) -> int:
        """Own place in this hand."""
        return int(self.request["position"])

    @property
    def seat(self) -> int:
        """Own place in the match."""
        return int(self.request["seat"])

    @property
    def turn(self) -> int:
        """Decisions taken in this hand so far, by everybody."""
        return int(self.request["turn"])

    @property
    def log(self) -> Sequence[Mapping[str, Any]]:
        """What happened in this hand: ``{"position": 1, "action": "draw:stock"}``, oldest first."""
        log: Sequence[Mapping[str, Any]] = self.request["log"]
        return log

    @cached_property
    def rng(self) -> Random:
        """Random numbers that depend on the request id alone: asked again, the same answer."""
        return Random(self.request_id)

    @cached_property
    def legal(self) -> tuple[LegalAction, ...]:
        """Everything allowed now. The first is always safe."""
        return tuple(
            LegalAction(item["id"], item["kind"], item.get("card"), item["id"].partition(":")[2])
            for item in self.request["legal"]
        )

    @property
    def safe(self) -> str:
        """Id of the first legal action: never wrong, never costly."""
        return str(self.request["legal"][0]["id"])

    def actions(self, kind: str) -> list[LegalAction]:
        """The legal actions of one kind, e.g. ``view.actions("knock")``."""
        return [item for item in self.legal if item.kind == kind]

    @cached_property
    def discards(self) -> tuple[str, ...]:
        """The cards that may be thrown."""
        return tuple(item.card for item in self.actions("discard") if item.card)

    def can(self, id: str) -> bool:
        """Whether this very action is legal, e.g. ``view.can("draw:discard")``."""
        return any(item["id"] == id for item in self.request["legal"])

    @cached_property
    def takeable(self) -> Mapping[str, str]:
        """The discards that may be taken now: action id -> card, e.g. ``draw:discard`` -> ``5C``.

        In Battle Royal there may be a second one below the top (``draw:under``).
        """
        pile = self.discard_pile
        places = {"draw:discard": 1, "draw:under": 2}
        return {id: pile[-depth] for id, depth in places.items() if self.can(id)}

    @cached_property
    def players(self) -> tuple[PlayerView, ...]:
        """Every seat of the game, by seat."""
        return tuple(
            PlayerView(
                player["seat"],
                player["position"],
                player["cards"],
                tuple(player["known"]),
                tuple(tuple(meld) for meld in player["melds"]),
                player["active"],
                player["score"],
                player["hands_won"],
                player["games_won"],
            )
            for player in self.request["players"]
        )

    @property
    def me(self) -> PlayerView:
        """The own seat."""
        return next(player for player in self.players if player.seat == self.seat)

    @cached_property
    def opponents(self) -> tuple[PlayerView, ...]:
        """The others who play this hand, from the left of the bot round the table."""
        others = [p for p in self.players if p.seat != self.seat and p.position is not None]
        count = len(others) + 1
        return tuple(sorted(others, key=lambda p: ((p.position or 0) - self.position) % count))

    @property
    def known_opponent_cards(self) -> tuple[str, ...]:
        """Cards that opponents certainly hold."""
        return tuple(card for player in self.opponents for card in player.known)

    @cached_property
    def unseen(self) -> tuple[str, ...]:
        """Cards that may be anywhere: in the stock or in the others' hands. With two packs a name
        may occur twice."""
        left = Counter(deck_for(self.rules))
        left.subtract(self._out_of_play)
        left.subtract(self.hand)
        left.subtract(self.discard_pile)
        for player in self.players:
            left.subtract(player.known if player.seat != self.seat else ())
            for meld in player.melds:
                left.subtract(meld)
        return tuple(left.elements())

    @property
    def _out_of_play(self) -> Sequence[str]:
        """Cards that were turned and that nobody can get."""
        separate = self.rules.get("knock_card_source") == "separate"
        turned = (self.request["wild_card"], self.knock_card if separate else None)
        return [card for card in turned if card is not None]

    @cached_property
    def _counting(self) -> Counting:
        return counting_for(self.rules)

    @property
    def tables(self) -> MeldTables:
        """The meld tables of the rules in force, for bots that count many hands as bit masks."""
        return self._counting.tables

    def value(self, cards: Sequence[str]) -> int:
        """Points of loose cards under the rules in force."""
        return self._counting.value(cards)

    def deadwood(self, cards: Sequence[str] | None = None) -> int:
        """Least deadwood of these cards, or of the hand. Games without gin melds: see `rules`."""
        return self._counting.deadwood(self.hand if cards is None else cards)

    def best_melds(self, cards: Sequence[str] | None = None) -> Melds:
        """Melds that leave the least deadwood of these cards, or of the hand."""
        return self._counting.melds(self.hand if cards is None else cards)

    def defence(self, melds: Melds, cards: Sequence[str] | None = None) -> Shown:
        """What these cards, or the hand, could do against a knock with these melds: own melds and
        lay-offs that together leave the least. ``Shown(melds, deadwood, laid_off, value)``."""
        return self._counting.defence(self.hand if cards is None else cards, melds)

    def without(self, card: str) -> list[str]:
        """The hand without one card of this name."""
        rest = list(self.hand)
        rest.remove(card)
        return rest

    def deadwood_without(self, card: str) -> int:
        """Least deadwood of the hand after throwing this card."""
        return self._counting.deadwood(self.without(card))

    def expected_deadwood(self, cards: Sequence[str]) -> float:
        """Least deadwood of these cards after one more draw from the stock and the best discard,
        averaged over all cards that may be drawn."""
        return self._counting.expected_deadwood(cards, self.unseen)

    @cached_property
    def deadwood_after(self) -> Mapping[str, int]:
        """For each card that may be thrown, the least deadwood of the rest."""
        return {card: self.deadwood_without(card) for card in self.discards}
