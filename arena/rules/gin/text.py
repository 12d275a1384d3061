"""The rules of two-handed gin in sentences, made from the values in force.

The games of three and more that are played with hands of gin take their hands, and what is added
at the end, from here; a setting that a game does not have is not in its values and not mentioned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from arena.rules.gin.scoring import REFUSED_DOUBLE_POINTS
from arena.rules.race import SUDDEN_DEATH_HANDS

Values = Mapping[str, Any]


def gin_paragraphs(rules: Values) -> Iterator[list[str]]:
    """Two-handed gin: the deal, the melds, what a hand scores, what a game is."""
    yield [*deal_of(rules), dealing(rules)]
    yield list(melding(rules))
    yield list(hand_score(rules))
    yield list(game_score(rules, f"{rules['target']} points"))


def deal_of(rules: Values) -> Iterator[str]:
    """The deal and a turn."""
    yield f"Two players get {rules['hand_size']} cards each from a pack of 52."
    stock = "the rest is the stock"
    if rules["two_ended_stock"]:
        stock += ", of which the dealer draws the bottom card and the other player the top one"
    if rules["knock_card_source"] == "separate":
        yield f"A separate card is turned, which nobody gets; {stock}."
        yield "The discard pile starts empty, and the non-dealer draws first, from the stock."
    else:
        yield f"The next card is turned: the upcard, first card of the discard pile; {stock}."
        yield (
            "The non-dealer may take the upcard, then the dealer; if both pass, the non-dealer "
            "draws from the stock."
        )
    yield "A turn is a draw, of the stock or of the top of the discard pile, and a discard."
    yield redrawing(rules)
    if rules["misdeal_if_knockable"]:
        yield "A hand is void when a player could knock with the cards dealt."


def redrawing(rules: Values) -> str:
    """Whether a card that was taken may go back at once."""
    may = "may" if rules["redraw_discard"] else "may not"
    return f"A card just taken from the discard pile {may} be thrown in the same turn."


_DEALS_NEXT: Final = {
    "alternate": "The deal alternates",
    "winner": "The winner of a {hand} deals the next one",
    "loser": "The loser of a {hand} deals the next one, so that its winner moves first",
}
_DEALS_AGAIN: Final = {"same": "the same {player} deals again", "alternate": "the other one deals"}


def dealing(rules: Values, player: str = "player", hand: str = "hand") -> str:
    """Who deals the next hand. ``player``, ``hand``: what deals, and what is dealt for."""
    following = _DEALS_NEXT[rules["dealer_next"]]
    again = _DEALS_AGAIN[rules["dealer_after_dead"]]
    text = f"{following}; after a {{hand}} that nobody won {again}."
    return text.format(player=player, hand=hand)


def melding(rules: Values) -> Iterator[str]:
    """Melds, deadwood, knocking, laying off, and dead hands."""
    yield melds_and_deadwood(rules)
    yield _knocking(rules)
    if rules["layoff_on_gin"]:
        yield "The defender lays off cards on the knocker's melds, even on gin."
        if rules["gin_zero_after_layoff"] == "no_score":
            yield "Nobody scores for gin when that rids the defender of all deadwood."
        else:
            yield "Gin scores its bonus even when that rids the defender of all deadwood."
    else:
        yield "The defender lays off cards on the knocker's melds, but not on gin."
    unless = rules["wall_rule"] == "opponent_may_knock"
    yield dead_hands(rules, ", unless the opponent knocks with that discard" if unless else "")


def melds_and_deadwood(rules: Values) -> str:
    """What melds are and what loose cards count."""
    ace = (
        "the ace is low"
        if rules["ace_mode"] == "low"
        else "runs go round the corner, so that K-A-2 is one"
    )
    return (
        f"Melds are three or four cards of a rank, or three and more in a row of a suit; {ace}. "
        f"Loose cards are deadwood: an ace counts {rules['ace_deadwood']}, faces and tens 10, "
        "others their number."
    )


def dead_hands(rules: Values, unless: str = "") -> str:
    """When a hand ends without a score."""
    return (
        f"A hand is dead, and nobody scores, when {_stock_left(rules['wall_cards'])} after a "
        f"discard{unless}, or when {rules['max_turns']} turns have been played."
    )


def _stock_left(count: int) -> str:
    return "one card is left in the stock" if count == 1 else f"{count} cards are left in the stock"


def _only_gin(rules: Values) -> bool:
    return bool(rules["knock_limit"] == 0 and rules["knock_card_source"] == "none")


def _knocking(rules: Values) -> str:
    if _only_gin(rules):
        return "There is no knocking: only gin, no deadwood at all, ends a hand."
    if rules["knock_card_source"] == "none":
        return f"One may knock with {rules['knock_limit']} or less after the discard."
    card = "the upcard of the deal" if rules["knock_card_source"] == "upcard" else "the card turned"
    ace = "gin only" if rules["oklahoma_ace"] == "gin" else "1"
    return f"One may knock with at most the value of {card}: faces mean 10, an ace means {ace}."


def hand_score(rules: Values) -> Iterator[str]:
    """What a hand scores, and for whom."""
    big = rules["big_gin_bonus"]
    yield (
        f"Gin scores {rules['gin_bonus']} and the defender's deadwood"
        + ("." if big is None else f"; big gin, all cards melded and none thrown, scores {big}.")
    )
    if not _only_gin(rules):
        yield "A knock scores the difference of the deadwood."
        tie, nobody = (
            ("no more", "")
            if rules["undercut_on_tie"]
            else ("less", "; with as much nobody scores")
        )
        yield (
            f"A defender with {tie} deadwood than the knocker undercuts and scores "
            f"{rules['undercut_bonus']} and the difference{nobody}."
        )
    if rules["spades_double"]:
        card = "card turned" if rules["knock_card_source"] == "separate" else "upcard of the deal"
        yield f"When the {card} is a spade, everything in the hand counts double."
    if rules["doubling"]:
        yield (
            "Before drawing one may offer to double the stake of the hand, to at most "
            f"{rules['max_factor']} times the points; the first offer is free to both, the next to "
            "whoever accepted the last."
        )
        yield (
            "A refusal ends the hand: who offered scores "
            f"{REFUSED_DOUBLE_POINTS} and what the other has more in deadwood, without laying off, "
            "times the stake before the offer."
        )


def game_score(rules: Values, goal: str) -> Iterator[str]:
    """What a game is, and what is added at its end. ``goal``: what has to be reached."""
    margin = rules.get("forfeit_margin")
    if rules["columns"] == 3:
        yield from _hollywood(rules, goal)
        what = "column"
    elif rules.get("game_target") is not None:
        yield (
            f"The first to {goal} wins that play; both add their points of it, with bonuses, to "
            "their game scores, and the next play starts from 0."
        )
        yield (
            "The game ends with the play in which a game score reaches "
            f"{rules['game_target']}: the higher wins, and level scores play on."
        )
        what = "play"
    else:
        yield f"The first to {goal} wins the game."
        what = "game"
    if margin is not None:
        yield f"Who would win but is ahead by exactly {margin} points loses instead."
    yield from closing_bonuses(rules, what)
    yield at_the_limit(rules, "in more columns, or then in points," if what == "column" else "")
    if rules.get("games_to_win", 1) > 1:
        yield f"{rules['games_to_win']} games win a match where the tournament says nothing else."


def _hollywood(rules: Values, goal: str) -> Iterator[str]:
    yield (
        f"Three columns are played at once, each to {goal}: a first win counts in one, the second "
        "in two, later ones in all."
    )
    if rules["hollywood_shutout"] == "next_open":
        yield "Who has no win in a column when it closes starts in the next open one instead."
    else:
        yield "What should count in a column that has closed is lost there."
    yield (
        "When all columns are closed, whoever closed more of them wins the game; the totals "
        "decide nothing, and the loser's may be higher."
    )


def closing_bonuses(rules: Values, what: str = "game", loser: str = "the loser") -> Iterator[str]:
    """What is added at the end of a game, a column or a play. ``loser``: who may be shut out."""
    game, line = rules["game_bonus"], rules["line_bonus"]
    winner, in_it = ("the winner", "") if what == "game" else ("its winner", " in it")
    end = f"at the end of {'the' if what == 'game' else 'each'} {what}"
    parts = [f"{winner} adds {game}"] if game else []
    if line:
        parts.append(f"everybody adds {line} for each hand won{in_it}")
    if parts:
        yield (f"{end.capitalize()} {', and '.join(parts)}; this helps nobody to win the {what}.")
    else:
        yield f"No bonus is added {end}."
    yield _shutout(rules, f"If {loser} has won no hand{in_it}")


_SHUT_OUT: Final = {
    "double_hand_points": "the winner's hand points count double",
    "double_points_and_game": "the winner's hand points and the bonus of the winner count double",
    "game_bonus_200": "the bonus of the winner is 200 instead",
    "extra_100": "the winner adds 100 more",
}


def _shutout(rules: Values, case: str) -> str:
    """What a shutout is worth; empty where it is worth nothing."""
    worth = _SHUT_OUT.get(rules.get("shutout", "none"))
    return f"{case} (a shutout), {worth}." if worth else ""


def at_the_limit(rules: Values, how: str = "") -> str:
    """What happens when the hands are used up. ``how``: in what one may be ahead."""
    hands = "one hand" if rules["max_hands"] == 1 else f"{rules['max_hands']} hands"
    ahead = f"is ahead {how}" if how else "is ahead"
    return (
        f"After {hands} whoever {ahead} wins; if nobody is, up to {SUDDEN_DEATH_HANDS} more decide,"
        " and then it is a draw."
    )
