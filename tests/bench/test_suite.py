"""The benchmark suite's own arithmetic, and that everything it lists exists."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from tests.bench.__main__ import main
from tests.bench.suite import Claim, Contest, Entry, Result, Setting, Side, run, run_all
from tests.bench.suite_entries import CONTESTS, REPORTS
from tests.bench.suite_peers import PEERS, SCRIPTS
from tests.bench.suite_report import as_json, claims_of, compared, save, table_of


def result(ours: Sequence[float], theirs: Sequence[float], *claims: Claim) -> Result:
    """Two sides of a contest in which more is better."""
    return Result("speed", "hands/s", True, {"ours": ours, "theirs": theirs}, claims)


def text_of(table: Table) -> str:
    """A table as it is printed."""
    out = io.StringIO()
    Console(file=out, width=200).print(table)
    return out.getvalue()


def test_sides_take_turns() -> None:
    """A B A B, so that a slow spell of the machine hits both."""
    order: list[str] = []

    def measure(name: str, figure: float) -> Side:
        def taken(seconds: float) -> float:
            order.append(name)
            return figure * seconds

        return Side(name, taken)

    found = run(Contest("c", "s", [measure("a", 1.0), measure("b", 2.0)], seconds=0.5, rounds=2))

    assert order == ["a", "b", "a", "b"]
    assert found.figures == {"a": [0.5, 0.5], "b": [1.0, 1.0]}


@pytest.mark.parametrize(
    ("claim", "value", "holds"),
    [
        (Claim("ours", "theirs", least=2), 2.5, True),
        (Claim("ours", "theirs", least=3), 2.5, False),
        (Claim("ours", least=10), 10.0, True),
        (Claim("ours", most=9), 10.0, False),
        (Claim("ours", "somebody", least=2), None, None),
    ],
)
def test_claims_are_about_medians(claim: Claim, value: float | None, holds: bool | None) -> None:
    """One wild figure changes nothing; a side that is missing is no failure."""
    found = result([10, 10, 1000], [4, 4, 1])

    assert found.value(claim) == value
    assert found.holds(claim) is holds


def test_tables_show_ratios_to_the_first_side() -> None:
    """Times the first side's median, for every other side."""
    found = result([1000, 1200, 1100], [100, 100, 110], Claim("ours", "theirs", least=8))

    assert "11.0 ×" in text_of(table_of(found))
    assert "ours / theirs ≥ 8 times" in text_of(claims_of([found]))
    assert "reached" in text_of(claims_of([found]))


def test_a_run_is_compared_with_an_earlier_one(tmp_path: Path) -> None:
    """Only a change beyond the earlier spread, and beyond a tenth, is called one."""
    save(tmp_path / "old.json", as_json([result([100, 104], [50, 60])], quick=True, left_out=[]))
    old = json.loads((tmp_path / "old.json").read_text())
    now = as_json([result([50, 51], [54, 56])], quick=True, left_out=[])

    lines = text_of(compared(now, old)).splitlines()

    assert any("ours" in line and "-50%" in line and "WORSE" in line for line in lines)
    assert not any("theirs" in line and ("WORSE" in line or "better" in line) for line in lines)


def test_less_is_better_where_it_is() -> None:
    """Of microseconds fewer are better."""
    slow = Result("cost", "us", False, {"ours": [10.0, 11.0]})
    fast = Result("cost", "us", False, {"ours": [5.0, 5.0]})

    table = compared(
        as_json([fast], quick=True, left_out=[]), as_json([slow], quick=True, left_out=[])
    )
    assert "better" in text_of(table)


def test_what_an_entry_needs_is_there_while_it_runs() -> None:
    """Its context is open for all its contests and closed afterwards."""
    events: list[str] = []

    def measure(seconds: float) -> float:
        events.append("measured")
        return seconds

    @contextmanager
    def prepare(setting: Setting) -> Iterator[list[Contest]]:
        events.append("open")
        setting.left_out.append("a peer")
        yield [Contest("c", "s", [Side("a", measure)], rounds=1)]
        events.append("closed")

    setting = Setting()
    found = list(run_all([Entry("e", "an entry", prepare)], setting, lambda _: None))

    assert events == ["open", "measured", "closed"]
    assert [each.contest for each in found] == ["c"]
    assert setting.left_out == ["a peer"]


def test_everything_listed_exists(capsys: pytest.CaptureFixture[str]) -> None:
    """Reports are scripts of this folder, and peers have theirs."""
    assert main(["--list"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in [*CONTESTS, *REPORTS])
    assert [name for name in REPORTS if find_spec(f"tests.bench.bench_{name}") is None] == []
    assert [peer.script for peer in PEERS if not (SCRIPTS / f"{peer.script}.py").exists()] == []


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """And the names that there are, are given."""
    with pytest.raises(SystemExit):
        main(["rulez"])
    assert "rules" in capsys.readouterr().err
