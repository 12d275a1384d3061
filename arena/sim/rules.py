"""The rules that the simulator can play: standard gin, with other numbers.

What needs other phases or other melds than the standard game stays with the rules engine.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from arena.errors import InvalidSettings
from arena.rules.gin.rules import GinRules

_STANDARD: Final = GinRules()
_FREE: Final = {
    *("hand_size", "knock_limit", "ace_deadwood", "gin_bonus", "big_gin_bonus", "undercut_bonus"),
    *("undercut_on_tie", "wall_cards", "two_ended_stock", "max_turns"),
    # What happens between hands is no business of a hand.
    *("dealer_next", "dealer_after_dead", "target", "game_bonus", "line_bonus", "shutout"),
    *("forfeit_margin", "columns", "hollywood_shutout", "game_target", "max_hands"),
    *("games_to_win", "max_factor", "oklahoma_ace", "gin_zero_after_layoff"),
}


@dataclass(frozen=True, slots=True)
class SimRules:
    """Rules that have been found playable. ``gin``: all settings.

    :raises InvalidSettings: a setting changes more than a number.
    """

    gin: GinRules = _STANDARD

    def __post_init__(self) -> None:
        for field in fields(GinRules):
            value, standard = getattr(self.gin, field.name), getattr(_STANDARD, field.name)
            if field.name not in _FREE and value != standard:
                raise InvalidSettings(
                    f"the simulator plays {field.name} = {standard!r} only, not {value!r}; "
                    "use arena.rules for this game",
                    field=field.name,
                )
