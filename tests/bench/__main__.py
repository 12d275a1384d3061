"""The benchmark suite: ``python -m tests.bench``.

Without names it runs the contests of every part and prints medians, spreads, ratios and goals.
Figures of one run can be compared with each other; those of two runs only on one machine, and
better by their ratios. ``--quick`` takes at most two minutes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from tests.bench.suite import Setting, run_all
from tests.bench.suite_entries import CONTESTS, REPORTS
from tests.bench.suite_peers import PEERS
from tests.bench.suite_report import as_json, compared, print_all, save, table_of


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for. 1 if a goal was missed and ``--strict`` was given."""
    options = _options(arguments)
    console = Console()
    if options.list:
        _list(console)
        return 0
    if options.peers:
        for peer in PEERS:
            if not peer.is_ready:
                console.print(f"installing {peer.title} into {peer.folder}")
                peer.install()
    names = options.names or list(CONTESTS)
    for name in [name for name in names if name in REPORTS]:
        console.rule(f"{name}: {REPORTS[name].title}")
        _run_report(name, quick=options.quick)
    return _run_contests(console, options, [name for name in names if name in CONTESTS])


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"contests: {', '.join(CONTESTS)}; reports of their own: {', '.join(REPORTS)}",
    )
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds")
    parser.add_argument("--peers", action="store_true", help="install missing peers first")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="with an earlier --json FILE")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a goal was missed")
    parser.add_argument("--list", action="store_true", help="say what there is and stop")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in {*CONTESTS, *REPORTS}]
    if unknown:
        parser.error(f"there is no {unknown[0]!r}; choose from {', '.join([*CONTESTS, *REPORTS])}")
    return options


def _list(console: Console) -> None:
    for name, entry in CONTESTS.items():
        console.print(f"{name:<12} {entry.title}")
    for name, report in REPORTS.items():
        console.print(f"{name:<12} {report.title} (on request)")


def _run_report(name: str, *, quick: bool) -> None:
    report = REPORTS[name]
    more = report.quick if quick else report.full
    subprocess.run([sys.executable, "-m", f"tests.bench.bench_{name}", *more], check=True)


def _run_contests(console: Console, options: argparse.Namespace, names: Sequence[str]) -> int:
    setting = Setting(quick=options.quick)
    start = time.monotonic()
    results = []
    progress = Console(stderr=True)
    with progress.status("") as status:
        for result in run_all([CONTESTS[name] for name in names], setting, status.update):
            results.append(result)
            console.print(table_of(result))
    print_all(console, results, setting.left_out)
    document = as_json(results, quick=options.quick, left_out=setting.left_out)
    if options.compare:
        console.print(compared(document, json.loads(options.compare.read_text(encoding="utf-8"))))
    if options.json:
        save(options.json, document)
    machine = document["machine"]
    console.print(
        f"{document['date']}, {machine['processor']}, {machine['cores']} cores, Python "
        f"{machine['python']}; took {time.monotonic() - start:.0f} s"
    )
    missed = any(result.holds(claim) is False for result in results for claim in result.claims)
    return 1 if missed and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
