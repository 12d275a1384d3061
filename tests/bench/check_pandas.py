"""Reads an exported archive with pandas, through a spreadsheet file and back.

Needs ``pip install pandas openpyxl``, which the arena itself does not. Run with
``python -m tests.bench.check_pandas ARCHIVE.zip``; it ends with an error at the first difference.
"""

from __future__ import annotations

import importlib
import io
import sys
import zipfile
from pathlib import Path
from typing import Any


def main() -> None:
    """Compare tables with lines, as CSV, as JSON and as a workbook."""
    pandas: Any = importlib.import_module("pandas")
    with zipfile.ZipFile(Path(sys.argv[1])) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}

    def frame(name: str) -> Any:
        return pandas.read_csv(io.BytesIO(parts[name]))

    fixtures = frame("fixtures.csv")
    results = pandas.read_json(io.BytesIO(parts["results.jsonl"]), lines=True)
    hands = frame("hands.csv")
    standings = frame("standings.csv")
    meetings = pandas.read_json(io.BytesIO(parts["crosstable.jsonl"]), lines=True)

    assert list(fixtures["match"]) == list(results["match"])
    for seat in (0, 1):
        points = results["points"].map(
            lambda values, seat=seat: values[seat] if seat < len(values) else None
        )
        assert points.equals(fixtures[f"points_{seat}"].astype(points.dtype))
    played = hands.groupby("match")[["points_0", "points_1"]].sum()
    finished = fixtures[fixtures.status == "finished"].set_index("match")
    for match, row in played.iterrows():
        if match in finished.index and finished.loc[match, "termination"] == "normal":
            assert row["points_0"] == finished.loc[match, "points_0"], match
    assert meetings["net_points"].sum() == 0
    for name, table in {"fixtures": fixtures, "hands": hands, "standings": standings}.items():
        book = io.BytesIO()
        table.to_excel(book, index=False)
        book.seek(0)
        again = pandas.read_excel(book)
        pandas.testing.assert_frame_equal(table, again, check_dtype=False)
        print(f"{name}: {len(table)} rows, {len(table.columns)} columns, the same after a workbook")


if __name__ == "__main__":
    main()
