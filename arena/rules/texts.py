"""The rules of each game in a few sentences, for the command line and the pages.

The sentences are made from the values in force, so that a text never says another rule than the
one that is refereed. A family adds its function to `_TEXTS`; a test asks for every variant's text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from arena.rules.base import Variant

Values = Mapping[str, Any]


def rule_text(variant: Variant) -> tuple[str, ...]:
    """The rules of a variant as paragraphs, first the play, then the score."""
    paragraphs = _TEXTS[variant.family.name](variant.rules.as_dict())
    return tuple(" ".join(filter(None, sentences)) for sentences in paragraphs)


def points_text(variant: Variant) -> str:
    """How the points of a game follow from those of its hands; empty where they are their sum."""
    said = _POINTS.get(variant.family.name)
    return said(variant.rules.as_dict()) if said is not None else ""


def _gin(rules: Values) -> Iterator[list[str]]:
    size = rules["hand_size"]
    yield [
        f"Two players get {size} cards each from a pack of 52.",
        "The next card is turned: the upcard, first card of the discard pile; the rest is "
        "the stock.",
        "The non-dealer may take the upcard, then the dealer; if both pass, the non-dealer "
        "draws from "
        "the stock."
        if rules["knock_card_source"] != "separate"
        else "A separate card sets the knock limit, and the discard pile starts empty.",
        "A turn is a draw, of the top of the stock or of the discard pile, and a discard.",
        ""
        if rules["redraw_discard"]
        else "A card just taken from the discard pile may not be thrown in the same turn.",
    ]
    yield [
        "Melds are three or four cards of a rank, or three and more in a row of a suit;",
        "the ace is low."
        if rules["ace_mode"] == "low"
        else "runs go round the corner, so that K-A-2 is one.",
        f"Loose cards are deadwood: an ace counts {rules['ace_deadwood']}, faces and tens 10.",
        _knocking(rules),
        "The defender lays off cards on the knocker's melds, "
        + ("even on gin." if rules["layoff_on_gin"] else "but not on gin."),
        f"A hand is dead when {rules['wall_cards']} cards are left in the stock after a discard"
        + (
            ", unless the opponent knocks with that discard."
            if rules["wall_rule"] == "opponent_may_knock"
            else "."
        ),
    ]
    yield list(_gin_score(rules))


def _knocking(rules: Values) -> str:
    if rules["knock_limit"] == 0 and rules["knock_card_source"] == "none":
        return "There is no knocking: only gin, no deadwood at all, ends a hand."
    if rules["knock_card_source"] == "none":
        return f"One may knock with {rules['knock_limit']} or less after the discard."
    ace = "gin only" if rules["oklahoma_ace"] == "gin" else "1"
    return (
        "One may knock with at most the value of the card that was turned: faces 10, "
        f"an ace means {ace}."
    )


def _gin_score(rules: Values) -> Iterator[str]:
    yield "A knock scores the difference of the deadwood;"
    yield (
        f"gin scores {rules['gin_bonus']} and the defender's deadwood"
        + (
            f", big gin (all cards melded, no discard) {rules['big_gin_bonus']}."
            if rules["big_gin_bonus"] is not None
            else "."
        )
    )
    tie = "no more" if rules["undercut_on_tie"] else "less"
    yield (
        f"A defender with {tie} deadwood than the knocker undercuts and scores "
        f"{rules['undercut_bonus']} and the difference."
    )
    if rules["spades_double"]:
        yield "When the card that was turned is a spade, everything in the hand counts double."
    if rules["doubling"]:
        yield (
            "Before drawing one may offer to double the stake of the hand, up to "
            f"{rules['max_factor']} times; who refuses gives the hand away."
        )
    if rules.get("columns") == 3:
        yield (
            "Three columns are played at once: a player's first win counts in one, the second in "
            "two, later ones in all."
        )
    if "target" in rules:
        what = "a column" if rules.get("columns") == 3 else "the game"
        yield f"The first to {rules['target']} points wins {what}."
    yield (
        f"At the end of the game the winner adds {rules['game_bonus']}, and everybody "
        f"{rules['line_bonus']} for each hand won; these never help to reach the target."
    )


def _mahjong(rules: Values) -> Iterator[list[str]]:
    yield [
        "Two players get ten cards each; the upcard is offered as in gin. Nobody knocks.",
        "A turn is a draw, of the stock or of one or several cards of the discard pile; who takes "
        "several has to meld the deepest of them in the same turn.",
        "Then melds may be laid on the table and cards added to any meld there; then one card is "
        "thrown.",
    ]
    yield [
        f"Who has no card left has gone gin: the hand is over, with {rules['gin_bonus']} points.",
        "Cards on the table count for whoever laid them, cards in hand against their holder: "
        "2 to 9 "
        f"{rules['low_points']} each, ten to king {rules['high_points']}, aces "
        f"{rules['ace_points']}.",
        f"The first to {rules['target']} points wins.",
    ]


def _cutthroat(rules: Values) -> Iterator[list[str]]:
    yield [
        "Three players, two of whom play a hand of gin while the third sits out and sees nothing.",
        "The loser of a hand sits out the next; who sat out deals to the winner.",
        f"The first to {rules['target']} points wins, and each pair settles the difference.",
    ]
    yield from _gin(rules)


def _chouette(rules: Values) -> Iterator[list[str]]:
    yield [
        "One player, the box, plays hands of gin against the captain of all others.",
        "The captain stays after a win and goes to the end of the queue after a loss.",
        f"There are two scores, box and team; the first to {rules['target']} wins, and the box "
        "settles with each partner. The box moves on with every game.",
    ]
    yield from _gin(rules)


def _teams(rules: Values) -> Iterator[list[str]]:
    yield [
        "Two teams, in turn around the table; each member plays a hand of gin against one "
        "opponent.",
        "The difference of the teams' points goes to the team with more, as one hand won.",
        f"Teams of two play to {rules['target_2']}, of three to {rules['target_3']}, of four to "
        f"{rules['target_4']}.",
    ]
    yield from _gin(rules)


def _battle_royal(rules: Values) -> Iterator[list[str]]:
    yield [
        "Three players get ten cards each. The upcard is offered in turn; then one draws from the "
        "stock, or the latest discard of either opponent if it still lies there.",
        f"One may knock with {rules['knock_limit']} or less; both others lay off single cards on "
        "the knocker's own melds.",
    ]
    yield [
        "A knocker with the lowest count scores the others' counts less its own.",
        f"If another ties or beats it, the knocker loses {rules['beaten_knocker']} and the lowest "
        "other scores instead.",
        f"Gin scores {rules['gin_bonus']} and both counts. The first to {rules['target']} wins.",
    ]


def _indian(rules: Values) -> Iterator[list[str]]:
    yield [
        "Two to six players get 13 cards each from two packs with printed jokers; one card "
        "is shown "
        "and all cards of its rank are jokers too.",
        "A turn is a draw from the stock or the open pile and a discard.",
        "One declares by putting a card aside and showing the other 13 in groups: sequences of a "
        "suit and sets of a rank, jokers filling places.",
        f"At least {rules['min_sequences']} groups must be sequences, {rules['min_pure']} of them "
        "pure, without a joker standing for another card.",
    ]
    yield [
        "The winner has 0; others count their ungrouped cards, faces and aces 10, jokers nothing, "
        f"and all cards without a pure and a second sequence, at most {rules['cap']}.",
        f"A wrong declaration costs {rules['wrong_declaration']}.",
        "Nobody may drop out."
        if rules["first_drop"] is None
        else f"Dropping out costs {rules['first_drop']} before the first draw and "
        f"{rules['middle_drop']} later.",
        f"{rules['miss_limit']} missed turns in a row end the deal for a player, at "
        f"{rules['miss_points']}.",
    ]
    yield [_INDIAN_FORMS[rules["format"]].format(**rules)]


_INDIAN_FORMS: Final = {
    "points": "One deal is played; its winner takes the points of all others.",
    "pool": "Deals go on; who reaches {pool_limit} points is out, and the last one in wins.",
    "deals": "{deals} deals are played for chips; the deal's winner takes each loser's points in "
    "chips, and most chips win.",
}

_TEXTS: Final[Mapping[str, Callable[[Values], Iterator[list[str]]]]] = {
    "gin": _gin,
    "mahjong": _mahjong,
    "cutthroat": _cutthroat,
    "chouette": _chouette,
    "teams": _teams,
    "battle_royal": _battle_royal,
    "indian": _indian,
}


def _gin_points(rules: Values) -> str:
    if rules.get("columns") == 3:
        return (
            "The points of a game are those of all three columns: a player's first win counts in "
            "one, the second in two, later ones in all."
        )
    if rules.get("game_target") is not None:
        return "The points of a game hold the bonuses of each play to the target."
    return ""


def _chouette_points(rules: Values) -> str:
    return "The captain plays for all partners, who share one score and win together."


def _teams_points(rules: Values) -> str:
    return "When all members have played, the difference goes to the team with more points."


def _indian_points(rules: Values) -> str:
    return {
        "points": "A hand shows what each bot counts; its winner gains that of all others.",
        "pool": "",
        "deals": f"Every bot begins with {rules['cap'] * rules['deals']} chips. A hand shows what "
        "each counts; its winner takes so many chips from each.",
    }[rules["format"]]


_POINTS: Final[Mapping[str, Callable[[Values], str]]] = {
    "gin": _gin_points,
    "chouette": _chouette_points,
    "teams": _teams_points,
    "indian": _indian_points,
}
