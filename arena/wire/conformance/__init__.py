"""The conformance check: is a bot fit to play, and if not, what exactly is to be mended.

Numbered steps over the same client that real matches use, with positions that come from really
dealing and playing. Nothing is stored, and nothing a bot answers can do more than fail a step.
"""

from arena.wire.conformance.report import passed, report_json, report_text, verdict
from arena.wire.conformance.run import all_checks, check
from arena.wire.conformance.show import Progress, show
from arena.wire.conformance.steps import Opponent, Options, Status, Step

__all__ = [
    "Opponent",
    "Options",
    "Progress",
    "Status",
    "Step",
    "all_checks",
    "check",
    "passed",
    "report_json",
    "report_text",
    "show",
    "verdict",
]
