"""The rules of the games around gin in sentences, made from the values in force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena.rules.gin.text import (
    Values,
    at_the_limit,
    closing_bonuses,
    dead_hands,
    deal_of,
    dealing,
    game_score,
    gin_paragraphs,
    hand_score,
    melding,
    melds_and_deadwood,
    redrawing,
)
from arena.rules.tables.settings import TEAM_SIZES


def cutthroat(rules: Values) -> Iterator[list[str]]:
    """Cutthroat."""
    yield [
        "Three players, two of whom play a hand of gin while the third sits out and sees nothing.",
        "The loser of a hand sits out the next; who sat out deals to the winner.",
        "After a hand that nobody won the same two play again, with the same dealer.",
    ]
    yield list(deal_of(rules))
    yield list(melding(rules))
    yield list(hand_score(rules))
    fee = rules.get("shutout_bonus")
    yield [
        f"The first to {rules['target']} points wins the game.",
        *closing_bonuses(rules),
        "Each pair settles the difference of these totals.",
        f"Who has won no hand pays the winner {fee} more." if fee else "",
        at_the_limit(rules),
    ]


def chouette(rules: Values) -> Iterator[list[str]]:
    """Chouette."""
    yield [
        "One player, the box, plays hands of gin against the captain of all others.",
        "The captain stays after a win and after a hand that nobody won, and goes to the end of "
        "the queue after a loss.",
        "There are two scores, box and team, as of two players; the box settles the difference of "
        "their totals with each partner.",
        "The box moves on with every game.",
    ]
    yield from gin_paragraphs(rules)


_SIZES: Final = {2: "two", 3: "three", 4: "four", 5: "five"}


def teams(rules: Values) -> Iterator[list[str]]:
    """Team play."""
    targets = [f"{rules[f'target_{size}']} for teams of {_SIZES[size]}" for size in TEAM_SIZES]
    sweeps = [
        f"{rules[f'sweep_{size}']} when all {_SIZES[size]}"
        for size in TEAM_SIZES
        if rules[f"sweep_{size}"]
    ]
    yield [
        "Two teams, in turn around the table; each member plays a hand of gin against one "
        "opponent.",
        "The difference of the teams' points goes to the team with more, as one hand won.",
        f"That team adds {_listed(sweeps)} of its members have won." if sweeps else "",
        f"The target is {_listed(targets)}.",
        dealing(rules, "team", "team hand"),
    ]
    yield list(deal_of(rules))
    yield list(melding(rules))
    yield list(hand_score(rules))
    yield list(game_score(rules, "the target"))


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def battle_royal(rules: Values) -> Iterator[list[str]]:
    """Battle Royal."""
    stays = rules["dealer_after_dead"] == "same"
    yield [
        f"Three players get {rules['hand_size']} cards each; the next card is the upcard, the rest "
        "is the stock.",
        "The upcard is offered in turn; if all pass, the first player draws from the stock.",
        "A turn is a draw, of the stock or of the latest discard of either opponent if it still "
        "lies there, and a discard.",
        redrawing(rules),
        "The deal moves to the left"
        + (", but stays after a dead hand." if stays else ", also after a dead hand."),
    ]
    knock = (
        f"One may knock with {rules['knock_limit']} or less after the discard"
        if rules["knock_limit"]
        else "There is no knocking: only gin, no deadwood at all, ends a hand"
    )
    yield [
        melds_and_deadwood(rules),
        f"{knock}; both others lay off single cards on the knocker's own melds, but not on gin.",
        dead_hands(rules),
    ]
    yield [
        f"Gin scores {rules['gin_bonus']} and both other counts.",
        "A knocker with the lowest count scores the others' counts less its own.",
        f"If another ties or beats it, the knocker loses {rules['beaten_knocker']} and the lowest "
        "other scores the other two counts less its own instead; two who are level share that.",
    ]
    yield [
        f"The first to {rules['target']} points wins the game.",
        *closing_bonuses(rules, loser="a player who settles with the winner"),
        "Each pair settles the difference of its totals.",
        at_the_limit(rules),
    ]


def mahjong(rules: Values) -> Iterator[list[str]]:
    """Mahjong gin."""
    corner = rules["ace_mode"] == "corner"
    two_ended = rules["two_ended_stock"]
    yield [
        f"Two players get {rules['hand_size']} cards each; the upcard is offered as in gin. Nobody "
        "knocks.",
        "The dealer draws the bottom card of the stock, the other player the top one."
        if two_ended
        else "",
        "A turn is a draw, of the stock or of one or several cards of the discard pile; who takes "
        "several has to meld the deepest of them in the same turn.",
        "A single card that was taken may not be thrown in the same turn.",
        "Then melds may be laid on the table and cards added to any meld there; then one card is "
        "thrown.",
        "Melds are three or four cards of a rank, or three and more in a row of a suit; "
        + ("runs go round the corner, so that K-A-2 is one." if corner else "the ace is low."),
    ]
    tables = rules["mahjong_dead_hand"] == "tables"
    yield [
        f"Who has no card left has gone gin: the hand is over, with {rules['gin_bonus']} points.",
        "Cards on the table count for whoever laid them, cards in hand against their holder: "
        f"2 to 9 count {rules['low_points']} each, ten to king {rules['high_points']}, aces "
        f"{rules['ace_points']}.",
        (
            f"A hand is dead when the stock is down to {rules['wall_cards']} after a discard, or "
            f"when {rules['max_turns']} turns have been played: "
        )
        + ("cards are counted without a bonus." if tables else "nobody scores."),
        "The deal alternates; after a hand that nobody won the same player deals again.",
    ]
    yield [
        f"The first to {rules['target']} points wins the game; if both pass it in one hand, the "
        "higher does, and level scores play on.",
        at_the_limit(rules),
    ]
