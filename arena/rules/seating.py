"""Who may sit down, and how one pack is dealt round a table.

Shared by the games that are not plain two-handed gin. Nothing here scores or shuffles.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import InvalidCards, InvalidSettings
from arena.rules.cards import FULL_DECK, NAMES, card_index, mask_of


def check_seats(game: str, players: int, allowed: tuple[int, int], first_dealer: int) -> None:
    """Refuse a number of players that the game does not take, and a dealer who is none of them.

    :raises InvalidSettings: naming the number and what is allowed.
    """
    least, most = allowed
    if not least <= players <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise InvalidSettings(
            f"players is {players}, but {game} is played by {wanted}", field="players"
        )
    if not 0 <= first_dealer < players:
        raise InvalidSettings(
            f"first_dealer is {first_dealer}, but must be a seat from 0 to {players - 1}",
            field="first_dealer",
        )


def deal_round(
    deck: Sequence[str], hand_size: int, positions: int, dealer: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Hands by position as masks, and the rest of the pack as card indexes, top first.

    Cards go out one at a time from the top, beginning at the dealer's left.

    :raises InvalidCards: the deck is not the 52 cards, each once.
    """
    if mask_of(deck) != FULL_DECK:
        raise InvalidCards(f"the deck has {len(deck)} cards; it must be all {len(NAMES)}, once")
    order = tuple(card_index(name) for name in deck)
    hands = [0] * positions
    for turn in range(hand_size * positions):
        hands[(dealer + 1 + turn) % positions] |= 1 << order[turn]
    return tuple(hands), order[hand_size * positions :]
