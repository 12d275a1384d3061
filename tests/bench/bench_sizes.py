"""How long large tournaments take with bots that are functions, and how much memory.

Run with ``python -m tests.bench.bench_sizes``; ``--bots 16`` for a quick look. Each part is a
process of its own, so that its highest memory is its own. Bots answer at once and think little:
what is measured is the arena.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arena.config import BotSpec, TournamentConfig
from arena.store import Store
from arena.store.rows import TournamentRow
from arena.tournament.create import create_tournament
from arena.tournament.dossier import StoredDossier
from arena.tournament.model import FormatOptions
from arena.tournament.playing.runner import Runner
from arena.tournament.results import entrant_names, standings_of, stored_results
from arena.tournament.statistics.ratings import rate
from arena.tournament.verification.verify import verify
from tests.tournament.functions import answering, knocker

SECRET = bytes(range(32))
PARTS = {
    "round_robin": (64, FormatOptions(games=1)),
    "double_elimination": (128, FormatOptions(best_of=1)),
}


def create(store: Store, format: str, bots: int, options: FormatOptions) -> TournamentRow:
    """A tournament of this size, not yet played."""
    config = TournamentConfig(
        name=f"{format} of {bots}",
        format=format,
        settings={"target": 100},
        options=options,
        bots=tuple(BotSpec(f"bot {n}", "http://127.0.0.1:9") for n in range(bots)),
    )
    return create_tournament(store, config, SECRET)


def play(path: Path, format: str, bots: int) -> None:
    """Play one tournament and print what it took."""
    with Store(path) as store:
        row = create(store, format, bots, PARTS[format][1])
        began, worked = time.perf_counter(), time.process_time()
        with answering([knocker(n % 40) for n in range(bots)]) as contacts:
            Runner(store, row, contacts).run()
        took, worked = time.perf_counter() - began, time.process_time() - worked
        hands = store.db.conn.execute("SELECT count(*) FROM hands").fetchone()[0]
        fixtures = len(store.fixtures.of(row.id))
        print(
            f"{format}, {bots} bots: {fixtures:,} fixtures, {hands:,} hands in {took:.1f} s "
            f"({worked:.1f} s of one core, {hands / worked:,.0f} hands a second of it); "
            f"{_memory_mb():.0f} MB at most"
        )
    size = path.stat().st_size
    print(f"  file {size / 1e6:.1f} MB, {size / hands:.0f} bytes/hand with everything")


def recompute(path: Path) -> None:
    """Standings, ratings and verification of a played tournament."""
    with Store(path, read_only=True) as store:
        (row,) = store.tournaments.all()
        began = time.process_time()
        standings_of(store, row)
        tabled = time.process_time()
        rate(list(entrant_names(store, row.id)), stored_results(store, row.id).values())
        rated = time.process_time()
        print(f"  standings {tabled - began:.2f} s, ratings {rated - tabled:.2f} s of one core")
        began = time.process_time()
        found = verify(StoredDossier(store, row.id))
        took = time.process_time() - began
        print(
            f"  verify {took:.1f} s of one core: {found.hands / took:,.0f} hands/s; "
            f"{_memory_mb():.0f} MB at most"
        )


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Run every part, or the one that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, help="another size")
    parser.add_argument("--part", choices=PARTS, help="only this")
    parser.add_argument("--profile", choices=("play", "recompute"), help="of --part")
    parser.add_argument("--step", choices=("play", "recompute"), help=argparse.SUPPRESS)
    parser.add_argument("--db", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        bots = options.bots or PARTS[options.part][0]
        call = play if options.step == "play" else recompute
        arguments = (options.db, options.part, bots) if options.step == "play" else (options.db,)
        if options.profile == options.step:
            profile = cProfile.Profile()
            profile.runcall(call, *arguments)
            pstats.Stats(profile).sort_stats("tottime").print_stats(35)
        else:
            call(*arguments)
        return
    for part in [options.part] if options.part else PARTS:
        with tempfile.TemporaryDirectory() as folder:
            for step in ("play", "recompute"):
                command = [sys.executable, "-m", "tests.bench.bench_sizes", "--part", part]
                command += ["--step", step, "--db", str(Path(folder) / "sizes.db")]
                command += ["--bots", str(options.bots)] if options.bots else []
                command += ["--profile", options.profile] if options.profile else []
                subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
