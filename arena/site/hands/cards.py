"""How a card is written for people: ``7H`` is ``7♥``, "seven of hearts". Pure."""

from __future__ import annotations

RANKS = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king",
}  # fmt: skip
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
PIPS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
JOKER = "JK"


def card_label(card: str) -> str:
    """``seven of hearts``; the card as it is when it is none."""
    if card == JOKER:
        return "joker"
    if len(card) == 2 and card[0] in RANKS and card[1] in SUITS:
        return f"{RANKS[card[0]]} of {SUITS[card[1]]}"
    return card


def card_rank(card: str) -> str:
    """The rank as printed on the card: ``10`` for T."""
    if card == JOKER:
        return "★"
    return "10" if card[:1] == "T" else card[:1]


def card_suit(card: str) -> str:
    """The suit as a pip, empty for a joker."""
    return "" if card == JOKER else PIPS.get(card[1:2], "")


def card_text(card: str) -> str:
    """``7♥``, as running text writes it."""
    return card_rank(card) + card_suit(card)


def card_colour(card: str) -> str:
    """The style class of the suit; the pip says the same without colour."""
    return "joker" if card == JOKER else SUITS.get(card[1:2], "unknown")
