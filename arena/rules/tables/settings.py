"""Rule settings of games whose hands are two-handed gin but whose table is larger.

Such rules are a `GinRules` record for the hands and a few settings of the table. To people and
bots they are one flat list: the settings of gin that make sense at this table, then its own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from arena.rules.gin.rules import ROWS as GIN_ROWS
from arena.rules.gin.rules import GinRules, replace_rules
from arena.rules.settings import Row, check_names, check_values, whole


@dataclass(frozen=True, slots=True)
class CutthroatRules:
    """Settings of Cutthroat: those of the hands, target and bonuses, and the table's own.

    The deal follows from who won, so gin's settings about the next dealer are not part of it; nor
    are score sheets that exist only between two.

    :raises InvalidSettings: a value is not allowed.
    """

    gin: GinRules = field(default_factory=GinRules)
    shutout_bonus: int = 100

    def __post_init__(self) -> None:
        check_values({"shutout_bonus": self.shutout_bonus}, CUTTHROAT_OWN)

    def as_dict(self) -> dict[str, object]:
        """Every setting by name; values are JSON-able."""
        return _shown(self.gin, CUTTHROAT_ROWS) | {"shutout_bonus": self.shutout_bonus}

    def replaced(self, changes: Mapping[str, object]) -> CutthroatRules:
        """The rules with these settings changed.

        :raises InvalidSettings: an unknown setting, a value not allowed, or a contradiction.
        """
        of_gin, own = _split(changes, CUTTHROAT_ROWS, CUTTHROAT_OWN)
        gin = replace_rules(self.gin, of_gin)
        return dataclasses.replace(self, gin=gin, **own)  # type: ignore[arg-type]


CUTTHROAT_OWN: Final = (
    whole(
        "shutout_bonus",
        "what a player who won no hand pays the winner besides the difference of their totals",
        0,
        10_000,
    ),
)
_NOT_IN_CUTTHROAT: Final = frozenset(
    {
        "dealer_next",
        "dealer_after_dead",
        "shutout",
        "forfeit_margin",
        "columns",
        "hollywood_shutout",
        "game_target",
        "games_to_win",
    }
)
CUTTHROAT_ROWS: Final[tuple[Row, ...]] = (
    *(row for row in GIN_ROWS if row.name not in _NOT_IN_CUTTHROAT),
    *CUTTHROAT_OWN,
)


@dataclass(frozen=True, slots=True)
class TeamRules:
    """Settings of team play: those of gin, and target and sweep bonus by size of the teams.

    :raises InvalidSettings: a value is not allowed.
    """

    gin: GinRules = field(default_factory=GinRules)
    target_2: int = 150
    target_3: int = 175
    target_4: int = 175
    target_5: int = 200
    sweep_2: int = 0
    sweep_3: int = 0
    sweep_4: int = 0
    sweep_5: int = 0

    def __post_init__(self) -> None:
        check_values(self._own(), TEAM_OWN)

    def _own(self) -> dict[str, object]:
        return {row.name: getattr(self, row.name) for row in TEAM_OWN}

    def as_dict(self) -> dict[str, object]:
        """Every setting by name; values are JSON-able."""
        return _shown(self.gin, TEAM_ROWS) | self._own()

    def replaced(self, changes: Mapping[str, object]) -> TeamRules:
        """The rules with these settings changed.

        :raises InvalidSettings: an unknown setting, a value not allowed, or a contradiction.
        """
        of_gin, own = _split(changes, TEAM_ROWS, TEAM_OWN)
        gin = replace_rules(self.gin, of_gin)
        return dataclasses.replace(self, gin=gin, **own)  # type: ignore[arg-type]

    def target_of(self, members: int) -> int:
        """Points that win a game, or close a column, between teams of so many."""
        return (self.target_2, self.target_3, self.target_4, self.target_5)[members - 2]

    def sweep_of(self, members: int) -> int:
        """Bonus on a team hand in which every member won."""
        return (self.sweep_2, self.sweep_3, self.sweep_4, self.sweep_5)[members - 2]


TEAM_SIZES: Final = (2, 3, 4, 5)
TEAM_OWN: Final[tuple[Row, ...]] = (
    *(
        whole(f"target_{size}", f"points that win between teams of {size}", 1, 100_000)
        for size in TEAM_SIZES
    ),
    *(
        whole(f"sweep_{size}", f"bonus when all {size} members of a team win", 0, 10_000)
        for size in TEAM_SIZES
    ),
)
_NOT_IN_TEAMS: Final = frozenset({"target", "game_target", "forfeit_margin", "games_to_win"})
TEAM_ROWS: Final[tuple[Row, ...]] = (
    *(row for row in GIN_ROWS if row.name not in _NOT_IN_TEAMS),
    *TEAM_OWN,
)


def _shown(gin: GinRules, rows: tuple[Row, ...]) -> dict[str, object]:
    known = {row.name for row in rows}
    return {name: value for name, value in gin.as_dict().items() if name in known}


def _split(
    changes: Mapping[str, object], rows: tuple[Row, ...], own: tuple[Row, ...]
) -> tuple[dict[str, object], dict[str, object]]:
    """The changes that concern the hands, and those that concern the table.

    :raises InvalidSettings: a name is in neither.
    """
    check_names(changes, rows)
    table = {row.name for row in own}
    return (
        {name: value for name, value in changes.items() if name not in table},
        {name: value for name, value in changes.items() if name in table},
    )
