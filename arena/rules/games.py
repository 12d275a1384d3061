"""Every game one can choose by name.

A family of games is a module with a tuple ``VARIANTS``; it is added to the registry by its line in
`_FAMILY_MODULES` and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from arena.errors import InvalidSettings
from arena.nearest import did_you_mean
from arena.rules.base import Variant
from arena.rules.gin import family as gin
from arena.rules.indian import family as indian
from arena.rules.settings import parse_setting
from arena.rules.tables import chouette, cutthroat, mahjong, royal, teams
from arena.rules.tables.sides import partners

_FAMILY_MODULES: Final[tuple[Iterable[Variant], ...]] = (
    gin.VARIANTS,
    mahjong.VARIANTS,
    cutthroat.VARIANTS,
    chouette.VARIANTS,
    royal.VARIANTS,
    teams.VARIANTS,
    indian.VARIANTS,
)

FAMILY: Final = "_family"
"""A bot that plays every game of a family claims the family's name with this behind it; a name
without it is one variant's."""

__all__ = ["all_variants", "claims_of", "families", "find_variant", "parse_setting", "sides_of",
           "variant_with"]  # fmt: skip


def _registry() -> dict[str, Variant]:
    known: dict[str, Variant] = {}
    for variants in _FAMILY_MODULES:
        for variant in variants:
            for name in (variant.name, *variant.aliases):
                if name.endswith(FAMILY):
                    raise InvalidSettings(f"{name!r} reads like a family; name the game otherwise")
                if name in known:
                    raise InvalidSettings(f"two games are called {name!r}; rename one of them")
                known[name] = variant
    return known


_BY_NAME: Final = _registry()


def all_variants() -> tuple[Variant, ...]:
    """Every variant once, in the order of the families."""
    return tuple(dict.fromkeys(_BY_NAME.values()))


def families() -> dict[str, tuple[Variant, ...]]:
    """The variants of each family, by what a bot claims that plays them all."""
    found: dict[str, tuple[Variant, ...]] = {}
    for variant in all_variants():
        name = variant.family.name + FAMILY
        found[name] = (*found.get(name, ()), variant)
    return found


def claims_of(variant: Variant) -> tuple[str, ...]:
    """What a bot may claim, beside ``*``, to be one that plays this variant."""
    return (variant.name, *variant.aliases, variant.family.name + FAMILY)


def find_variant(name: str) -> Variant:
    """The variant with this name or alias; capitals, spaces and hyphens do not matter.

    :raises InvalidSettings: there is none; the text suggests the nearest.
    """
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    found = _BY_NAME.get(key)
    if found is None:
        hint = did_you_mean(key, _BY_NAME)
        listed = hint or "; games: " + ", ".join(variant.name for variant in all_variants())
        raise InvalidSettings(f"{name[:40]!r} is no game{listed}", field="variant")
    return found


@lru_cache(maxsize=64)
def sides_of(name: str, seats: int) -> tuple[tuple[int, ...], ...]:
    """The sides of a match of this game by seat, e.g. ``((0, 2), (1, 3))``; whoever plays for
    itself is a side of its own, and so is everybody in a game that is not known."""
    alone = tuple((seat,) for seat in range(seats))
    try:
        return partners(find_variant(name), seats) or alone
    except InvalidSettings:
        return alone


def variant_with(name: str, changes: Mapping[str, object] | None = None) -> Variant:
    """The variant with some settings changed; changes that change nothing are not kept.

    :raises InvalidSettings: unknown variant or setting, value not allowed, or a contradiction.
    """
    variant = find_variant(name)
    if not changes:
        return variant
    rules = variant.family.replace(variant.rules, changes)
    before, after = variant.rules.as_dict(), rules.as_dict()
    kept = tuple(sorted((key, after[key]) for key in changes if after[key] != before[key]))
    return replace(variant, rules=rules, changes=kept)
