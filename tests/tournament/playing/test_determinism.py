"""The same schedules, tables and ratings in every process, whatever the hash seed."""

from __future__ import annotations

from tests.hash_seeds import outputs

CODE = """
import hashlib, random
from arena.tournament.ranking.final_table import tournament_table
from arena.tournament.formats.registry import FORMATS
from arena.tournament.model import FormatOptions
from arena.tournament.statistics.ratings import rate
from tests.tournament.simulation import mirrored_results

seen = []
names = {e: f"bot {e}" for e in range(7)}
for name, format in FORMATS.items():
    options = FormatOptions(games=1, table_size=3 if name == "tables" else 2)
    results = {}
    for _ in range(6):
        fixtures = format.fixtures(range(7), options, results)
        seen.append(fixtures)
        todo = [f for f in fixtures if f.key not in results and len(f.seats) == 2]
        generator = random.Random(len(results))
        for item in mirrored_results(generator, [0.3 * e for e in range(7)], todo):
            results[item.key] = item
    seen.append(tournament_table(format, range(7), options, results, names, b"secret"))
    ratings = rate(range(7), results.values())
    seen.append([(r.entrant, r.marks, r.rating and round(r.rating, 6)) for r in ratings.rows])
print(hashlib.sha256(repr(seen).encode()).hexdigest())
"""


def test_output_does_not_depend_on_the_hash_seed() -> None:
    """Three processes with different hash seeds agree to the byte."""
    digests = outputs(CODE)

    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64
