"""13-card Indian rummy for two to six players: cards, groups, counting, deals, sheets.

`VARIANTS` is what the registry of games reads; bots count their hands with `best_throw`,
`best_grouping` and `kinds`, under the rules that `group_rules_of` reads from a request.
"""

from __future__ import annotations

from arena.rules.indian.family import FAMILY, VARIANTS
from arena.rules.indian.groups import GroupRules, Kind, Reason, Verdict, judge, kinds
from arena.rules.indian.hand import MISS, IndianHand
from arena.rules.indian.points import (
    Grouping,
    Throw,
    best_grouping,
    best_throw,
    least_points,
    throws,
)
from arena.rules.indian.rules import IndianRules, group_rules_of
from arena.rules.indian.sheet import IndianSheet

__all__ = [
    "FAMILY",
    "MISS",
    "VARIANTS",
    "GroupRules",
    "Grouping",
    "IndianHand",
    "IndianRules",
    "IndianSheet",
    "Kind",
    "Reason",
    "Throw",
    "Verdict",
    "best_grouping",
    "best_throw",
    "group_rules_of",
    "judge",
    "kinds",
    "least_points",
    "throws",
]
