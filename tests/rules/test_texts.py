"""Every game has its rules in words, and the words follow the settings."""

from __future__ import annotations

import pytest

from arena.rules.games import all_variants, find_variant, variant_with
from arena.rules.texts import points_text, rule_text


@pytest.mark.parametrize("name", [variant.name for variant in all_variants()])
def test_every_game_has_a_text_of_whole_sentences(name: str) -> None:
    """No empty paragraph, no doubled space, an end to every sentence."""
    text = rule_text(find_variant(name))

    assert len(text) >= 2
    for paragraph in text:
        assert paragraph.endswith(".")
        assert "  " not in paragraph
        assert "{" not in paragraph


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"gin_bonus": 20}, "Gin scores 20"),
        ({"undercut_on_tie": False}, "less deadwood"),
        ({"big_gin_bonus": None}, "defender's deadwood. A knock"),
        ({"target": 500}, "first to 500"),
        ({"knock_limit": 0}, "no knocking"),
        ({"layoff_on_gin": True}, "even on gin"),
        ({"wall_rule": "opponent_may_knock"}, "unless the opponent knocks"),
    ],
)
def test_text_follows_the_settings(changes: dict[str, object], words: str) -> None:
    """What is refereed is what is written."""
    assert words in " ".join(rule_text(variant_with("gin", changes)))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gin", ""),
        ("cutthroat", ""),
        ("battle_royal", ""),
        ("mahjong", ""),
        ("indian_pool_101", ""),
        ("indian_points", "its winner gains that of all others"),
        ("indian_deals_2", "begins with 160 chips"),
        ("hollywood", "all three columns"),
        ("teams", "the team with more points"),
        ("chouette", "share one score"),
    ],
)
def test_points_are_explained_where_hands_do_not_add_up(name: str, words: str) -> None:
    """Nothing is said where the points of a game are the sum of those of its hands."""
    said = points_text(find_variant(name))

    assert words in said
    assert bool(words) == bool(said)
