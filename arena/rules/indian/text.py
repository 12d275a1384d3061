"""The rules of Indian rummy in sentences, made from the values in force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from arena.rules.indian.rules import Format

Values = Mapping[str, Any]


def indian_paragraphs(rules: Values) -> Iterator[list[str]]:
    """The deal and a turn, declarations, points, and what a game is."""
    yield list(_play(rules))
    yield list(_declaring(rules))
    yield list(_points(rules))
    yield list(_GAMES[rules["format"]](rules))


def _counted(count: int, one: str, more: str) -> str:
    return f"one {one}" if count == 1 else f"{count} {more}"


_OPEN_JOKER: Final = {
    "opening_only": "A joker may be taken from the open pile only if it is the card that opened it",
    "always": "A joker may be taken from the open pile",
    "never": "A joker may not be taken from the open pile",
}


def _play(rules: Values) -> Iterator[str]:
    fewest, most = rules["min_players"], rules["max_players"]
    players = str(fewest) if fewest == most else f"{fewest} to {most}"
    packs = _counted(rules["packs"], "pack", "packs")
    printed = rules["printed_jokers"]
    jokers = _counted(printed, "printed joker", "printed jokers") if printed else "no printed joker"
    yield f"{players} players get {rules['hand_size']} cards each from {packs} with {jokers}."
    shown = ""
    if printed:
        what = "aces are" if rules["shown_joker"] == "aces_wild" else "no rank is"
        shown = f" (if it is a printed joker, {what} wild)"
    yield (
        "The next card opens the open pile, and the one after it is shown: all cards of its rank "
        f"are jokers too{shown}."
    )
    yield "A turn is a draw from the stock or the open pile, and a discard."
    may = "may" if rules["redraw_discard"] else "may not"
    yield (
        f"{_OPEN_JOKER[rules['open_joker']]}; a card just taken from it {may} be thrown in the "
        "same turn."
    )
    yield "When the stock is empty, the open pile below its top card is shuffled and becomes it."


def _declaring(rules: Values) -> Iterator[str]:
    ace = (
        "the ace is low or high, but never in the middle"
        if rules["ace"] == "both_ends"
        else "the ace is low"
    )
    yield (
        f"One declares by putting a card aside and showing the other {rules['hand_size']} in "
        "groups: sequences of a suit, and sets of a rank in different suits, of three cards and "
        f"more; {ace}."
    )
    alone = "no group" if rules["min_natural"] else "a group"
    yield f"Jokers fill any place; printed jokers alone are {alone}."
    runs, pure = rules["min_sequences"], rules["min_pure"]
    if not runs:
        yield "No group needs to be a sequence."
    else:
        groups = "group must be a sequence" if runs == 1 else "groups must be sequences"
        yield (
            f"At least {runs} {groups}, {pure} of them pure."
            if pure
            else (f"At least {runs} {groups}, pure or not.")
        )
    own = "a joker" if not rules["wild_natural_pure"] else "a joker standing for another card"
    yield f"A pure sequence is one without {own}."
    judged = "as it is grouped" if rules["judge"] == "as_grouped" else "by its best grouping"
    yield f"A declaration is judged {judged}."


def _points(rules: Values) -> Iterator[str]:
    needed = " (all cards where the sequences are missing)" if rules["min_sequences"] else ""
    yield (
        f"The winner has 0; others count the cards that their best grouping leaves over{needed}: "
        f"faces, tens and aces 10, other cards their number, jokers nothing, at most "
        f"{rules['cap']}."
    )
    yield (
        f"A wrong declaration costs {rules['wrong_declaration']} and the deal; the others play on, "
        "and the last one left wins it."
    )
    first, middle = rules["first_drop"], rules["middle_drop"]
    if first is None:
        yield "Nobody may drop out."
    elif middle is None:
        yield f"Dropping out costs {first} and is allowed before the first draw only."
    else:
        yield f"Dropping out costs {first} before the first draw and {middle} later."
    missed = _counted(rules["miss_limit"], "missed turn ends", "missed turns in a row end")
    yield f"{missed.capitalize()} the deal for a player, at {rules['miss_points']}."
    yield (
        f"When a player has had {_counted(rules['max_turns'], 'turn', 'turns')} and nobody has "
        "won, the deal is void: nothing in it counts, not even what wrong declarations, drops and "
        "missed turns would have cost."
    )


def _one_deal(rules: Values) -> Iterator[str]:
    yield "One deal is played; its winner takes the points of all others and wins the game."
    if rules["max_hands"] == 1:
        yield "If it is void, the game is a draw."
    else:
        yield f"A void deal is dealt again; after {rules['max_hands']} such the game is a draw."


def _pool(rules: Values) -> Iterator[str]:
    yield f"Deals go on; who reaches {rules['pool_limit']} points is out, and the last one in wins."
    yield (
        f"After {_counted(rules['max_hands'], 'deal', 'deals')}, void ones included, the fewest "
        "points of those still in win, and equal ones draw."
    )


def _chips(rules: Values) -> Iterator[str]:
    deals = _counted(rules["deals"], "deal", "deals")
    verb = "is" if rules["deals"] == 1 else "are"
    yield (
        f"{deals.capitalize()} {verb} played for chips, of which everybody begins with "
        f"{rules['cap'] * rules['deals']}; the deal's winner takes each loser's points in chips, "
        "and most chips win."
    )
    yield (
        "Those who tie for most play further deals among themselves, up to "
        f"{_counted(rules['max_hands'], 'deal', 'deals')} in all; then the game is a draw."
    )


_GAMES: Final = {
    Format.POINTS.value: _one_deal,
    Format.POOL.value: _pool,
    Format.DEALS.value: _chips,
}
