"""What `arena deadwood` says, as a value and as text."""

from __future__ import annotations

from typing import Any

from arena.errors import InvalidCards
from arena.rules.cards import INDEX, NAMES, mask_of, names, parse_cards
from arena.rules.games import find_variant
from arena.rules.gin.rules import GinRules
from arena.rules.layoffs import defend
from arena.rules.melds import MeldTables, default_spread, meld_names, meld_tables

MIN_MELD = 3


def report(text: str, knocker: str | None, game: str) -> dict[str, Any]:
    """Deadwood of a hand; with one card more than a hand, the best discard too.

    :raises RulesError: no cards, the wrong number of them, or a game that is not gin.
    """
    rules = find_variant(game).rules
    if not isinstance(rules, GinRules):
        raise InvalidCards(f"{game} has no deadwood as gin has; choose a two-handed gin game")
    tables = meld_tables(rules.ace_mode, rules.ace_deadwood)
    cards = parse_cards(text)
    size = rules.hand_size
    if len(cards) not in (size, size + 1):
        raise InvalidCards(f"{len(cards)} cards given; give {size}, or {size + 1} after a draw")
    mask = mask_of(cards)
    found: dict[str, Any] = {"cards": list(cards), "discard": None}
    if len(cards) == size + 1:
        _, index = tables.best_discard(mask)
        found["discard"] = NAMES[index]
        mask ^= 1 << INDEX[NAMES[index]]
    found |= _spread(mask, tables)
    if knocker is not None:
        found |= _layoff(mask, knocker, tables, rules)
    return found


def _spread(mask: int, tables: MeldTables) -> dict[str, Any]:
    melds = default_spread(mask, tables)
    rest = mask
    for meld in melds:
        rest ^= meld
    return {
        "deadwood": tables.value_of(rest),
        "melds": [list(meld) for meld in meld_names(melds)],
        "unmelded": list(names(rest)),
    }


def _layoff(mask: int, text: str, tables: MeldTables, rules: GinRules) -> dict[str, Any]:
    cards = parse_cards(text)
    if not MIN_MELD <= len(cards) <= rules.hand_size + 1:
        raise InvalidCards(
            f"{len(cards)} cards given for the knocker; give its hand, or only its melds"
        )
    knocker = mask_of(cards)
    if knocker & mask:
        raise InvalidCards(f"{names(knocker & mask)[0]} is in both hands; a pack holds it once")
    shown = default_spread(knocker, tables)
    theirs = tables.deadwood(knocker)
    may = theirs > 0 or rules.layoff_on_gin
    best = defend(mask, shown, tables, may_lay_off=may)
    return {
        "deadwood": best.value,
        "melds": [list(meld) for meld in meld_names(best.melds)],
        "unmelded": list(names(best.deadwood)),
        "layoffs": list(names(best.laid_off)),
        "knocker": {
            "deadwood": theirs,
            "may_knock": theirs <= rules.knock_limit,
            "melds": [list(meld) for meld in meld_names(shown)],
        },
    }


def report_text(found: dict[str, Any]) -> str:
    """The report for a person."""
    lines = []
    if found["discard"]:
        lines.append(f"discard   {found['discard']}")
    lines.append("melds     " + (_groups(found["melds"]) or "none"))
    if "layoffs" in found:
        lines.append("lay off   " + (" ".join(found["layoffs"]) or "nothing"))
    lines.append("unmelded  " + (" ".join(found["unmelded"]) or "none"))
    lines.append(f"deadwood  {found['deadwood']}")
    if "knocker" in found:
        knocker = found["knocker"]
        melds = _groups(knocker["melds"]) or "no melds"
        lines.append(f"knocker   {melds}, deadwood {knocker['deadwood']}")
        if not knocker["may_knock"]:
            lines[-1] += ": too much to knock with"
    return "\n".join(lines)


def _groups(melds: list[list[str]]) -> str:
    return " + ".join(" ".join(meld) for meld in melds)
