"""The rules of each game in a few sentences, for the command line and the pages.

The sentences are made from the values in force, so that a text never says another rule than the
one that is refereed. A family adds its function to `_TEXTS`; tests ask for
every variant's text, and that every setting is said in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from arena.rules.base import Variant
from arena.rules.gin.text import gin_paragraphs
from arena.rules.indian.text import indian_paragraphs
from arena.rules.tables import texts as table_texts

Values = Mapping[str, Any]


def rule_text(variant: Variant) -> tuple[str, ...]:
    """The rules of a variant as paragraphs, first the play, then the score."""
    paragraphs = _TEXTS[variant.family.name](variant.rules.as_dict())
    return tuple(" ".join(filter(None, sentences)) for sentences in paragraphs)


def points_text(variant: Variant) -> str:
    """How the points of a game follow from those of its hands; empty where they are their sum."""
    said = _POINTS.get(variant.family.name)
    return said(variant.rules.as_dict()) if said is not None else ""


def reversal_text(variant: Variant) -> str:
    """What to say of a game whose winner has fewer points, or fewer with bonuses, than the loser;
    empty where neither can be, or where fewer are better."""
    rules = variant.rules.as_dict()
    if "line_bonus" not in rules:
        return ""
    if rules.get("columns") == 3:
        return "Who closed more columns wins; points and totals do not decide."
    if rules.get("forfeit_margin") is not None:
        margin = rules["forfeit_margin"]
        return f"The target decides, and a lead of exactly {margin} loses; bonuses are extra."
    return "The target decides; bonuses are extra."


_TEXTS: Final[Mapping[str, Callable[[Values], Iterator[list[str]]]]] = {
    "gin": gin_paragraphs,
    "mahjong": table_texts.mahjong,
    "cutthroat": table_texts.cutthroat,
    "chouette": table_texts.chouette,
    "teams": table_texts.teams,
    "battle_royal": table_texts.battle_royal,
    "indian": indian_paragraphs,
}


def _gin_points(rules: Values) -> str:
    if rules.get("columns") == 3:
        return (
            "The points of a game are those of all three columns: a player's first win counts in "
            "one, the second in two, later ones in all. Who closed more columns wins, even with "
            "fewer points."
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
