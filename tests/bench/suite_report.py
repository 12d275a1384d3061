"""Results of the benchmark suite as a table, as JSON, and beside those of an earlier run."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.bench.suite import Result

NOTED = 1.1
"""A change of a median by less than this factor is not worth a word, even outside the spread."""

LIBRARIES = ("orjson", "jsonschema-rs", "requests", "waitress", "sqlite-utils")


def figure(value: float) -> str:
    """Three digits that matter, and thousands by commas."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def table_of(result: Result) -> Table:
    """One contest: medians, spread, and each side against the first."""
    table = Table(title=f"{result.contest} ({result.unit})", title_justify="left")
    table.add_column("")
    for name in ("median", "lowest", "highest", "to the first"):
        table.add_column(name, justify="right")
    names = list(result.figures)
    for name in names:
        values = result.figures[name]
        ratio = result.median(names[0]) / result.median(name)
        table.add_row(
            name,
            figure(result.median(name)),
            figure(min(values)),
            figure(max(values)),
            "" if name == names[0] else f"{figure(ratio)} ×",
        )
    return table


def claims_of(results: Sequence[Result]) -> Table:
    """All claims with what was found."""
    table = Table(title="Goals", title_justify="left")
    for name in ("contest", "goal", "found", ""):
        table.add_column(name)
    words = {True: "reached", False: "missed", None: "not measured"}
    for result in results:
        for claim in result.claims:
            value = result.value(claim)
            found = "" if value is None else figure(value)
            table.add_row(result.contest, str(claim), found, words[result.holds(claim)])
    return table


def as_json(results: Sequence[Result], *, quick: bool, left_out: Sequence[str]) -> dict[str, Any]:
    """Everything that a later run can be compared with."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "quick": quick,
        "machine": {
            "system": platform.platform(),
            "processor": processor(),
            "cores": os.cpu_count(),
            "python": sys.version.split()[0],
            "libraries": {name: version(name) for name in LIBRARIES},
        },
        "left_out": list(left_out),
        "contests": {
            result.contest: {
                "unit": result.unit,
                "more_is_better": result.more_is_better,
                "sides": {
                    name: {"median": result.median(name), "figures": list(values)}
                    for name, values in result.figures.items()
                },
                "goals": [
                    {"goal": str(claim), "found": result.value(claim), "holds": result.holds(claim)}
                    for claim in result.claims
                ],
            }
            for result in results
        },
    }


def processor() -> str:
    """The name of the processor, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor()


def compared(now: Mapping[str, Any], before: Mapping[str, Any]) -> Table:
    """Both runs side by side. Marked: a median that moved out of the other run's spread."""
    table = Table(title=f"Compared with {before['date']}", title_justify="left")
    table.add_column("")
    for name in ("before", "now", "change", ""):
        table.add_column(name, justify="right")
    for contest, found in now["contests"].items():
        earlier = before["contests"].get(contest, {"sides": {}})["sides"]
        for side, figures in found["sides"].items():
            if side not in earlier:
                continue
            old, new = earlier[side]["median"], figures["median"]
            table.add_row(
                f"{contest}: {side}",
                figure(old),
                figure(new),
                f"{new / old - 1:+.0%}",
                _verdict(earlier[side]["figures"], new, old, found["more_is_better"]),
            )
    return table


def _verdict(spread: Sequence[float], new: float, old: float, more_is_better: bool) -> str:
    if min(spread) <= new <= max(spread) or max(new / old, old / new) < NOTED:
        return ""
    return "better" if (new > old) == more_is_better else "WORSE"


def print_all(console: Console, results: Sequence[Result], left_out: Sequence[str]) -> None:
    """The goals, and what was left out. The contests were printed as they came."""
    if any(result.claims for result in results):
        console.print(claims_of(results))
    for sentence in left_out:
        console.print(f"left out: {sentence}")


def save(path: Path, document: Mapping[str, Any]) -> None:
    """Write a run's JSON."""
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
