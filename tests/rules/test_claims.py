"""What bots claim to play: a variant by its name, or a family by a name of its own."""

from __future__ import annotations

from arena.rules.games import all_variants, claims_of, families, find_variant


def test_a_name_is_one_variant_and_a_family_has_its_own() -> None:
    """Standard gin alone can be claimed; no name of a game reads like a family's."""
    gin, oklahoma = find_variant("gin"), find_variant("oklahoma")
    names = [name for one in all_variants() for name in claims_of(one)[:-1]]

    assert {"gin", "standard", "gin_family"} <= set(claims_of(gin))
    assert "gin" not in claims_of(oklahoma)
    assert "gin_family" in claims_of(oklahoma)
    assert sum(map(len, families().values())) == len(all_variants())
    assert not set(names) & set(families())
