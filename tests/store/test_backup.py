"""Copies of a database that is in use."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.errors import StoreError
from arena.store import Store
from arena.store.backup import backup
from arena.tournament.dossier import StoredDossier
from arena.tournament.verification.verify import verify
from tests.tournament.functions import enter, knocker, play


def test_copies_made_during_play_are_whole_and_can_be_played_on(
    store: Store, tmp_path: Path
) -> None:
    """Each verifies as far as it goes, and ends like the original when it is resumed."""
    players = [knocker(9 * number) for number in range(5)]
    row = enter(store, len(players), legs=2)
    referee = threading.Thread(target=lambda: play(store, row, players))
    referee.start()
    copies: list[Path] = []
    with Store(store.path, read_only=True) as reader:
        while referee.is_alive():
            copies.append(tmp_path / f"copy{len(copies)}.db")
            backup(reader, copies[-1])
            referee.join(0.1)
    counts = []
    for path in copies:
        with Store(path) as copy:
            assert copy.damage() is None
            counts.append(verify(StoredDossier(copy, row.id)).hands)
    with Store(copies[len(copies) // 2]) as copy:
        if not copy.tournaments.get(row.id).over:
            play(copy, row, players)
        copied = [hand.record for f in copy.fixtures.of(row.id) for hand in copy.hands.of(f.id)]

    assert counts == sorted(counts)
    assert copied == [h.record for f in store.fixtures.of(row.id) for h in store.hands.of(f.id)]
    assert not list(tmp_path.glob(".copy*"))


def test_copy_never_takes_the_place_of_a_file(store: Store, tmp_path: Path) -> None:
    """What is there stays; a folder that is not there is named; nothing is left behind."""
    path = tmp_path / "there.db"
    path.write_text("precious")

    with pytest.raises(StoreError, match=r"there\.db exists"):
        backup(store, path)
    with pytest.raises(StoreError, match="No such file or directory; make room"):
        backup(store, tmp_path / "none" / "copy.db")

    assert path.read_text() == "precious"
    assert sorted(file.name for file in tmp_path.iterdir() if "copy" in file.name) == []


def test_copy_is_for_its_owner_only(store: Store, tmp_path: Path) -> None:
    """It holds the bots' secrets."""
    backup(store, tmp_path / "copy.db")

    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600


def test_command_names_the_copy_by_the_time_in_a_folder(store: Store, tmp_path: Path) -> None:
    """And by the given name elsewhere."""
    store.bots.add("a", "http://127.0.0.1:1")
    folder, new = tmp_path / "backups", tmp_path / "new"
    folder.mkdir()

    for target in (str(folder), str(tmp_path / "one.db"), f"{new}/"):
        done = CliRunner().invoke(cli, ["backup", target, "--db", str(store.path)])
        assert done.exit_code == 0, done.output

    (copy,) = new.iterdir()
    (copy,) = folder.iterdir()
    assert copy.name.startswith("arena-20")
    with Store(copy, read_only=True) as opened:
        assert [bot.name for bot in opened.bots.all()] == ["a"]


def test_verification_during_play_sees_one_moment(store: Store) -> None:
    """However much is stored meanwhile, what it looks at fits together."""
    players = [knocker(9 * number) for number in range(6)]
    row = enter(store, len(players), "double_elimination", best_of=3)
    referee = threading.Thread(target=lambda: play(store, row, players))
    referee.start()
    found = []
    while referee.is_alive():
        found.append(CliRunner().invoke(cli, ["verify", str(store.path)]))
    found.append(CliRunner().invoke(cli, ["verify", str(store.path)]))

    assert [done.output for done in found if done.exit_code] == []
    assert "verified (finished)" in found[-1].output
