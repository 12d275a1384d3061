"""Databases on network shares, and files that are no longer there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.store import Store, store
from arena.store.lock import sole_referee
from arena.store.places import identity, is_shared, others_may_read

MOUNTS = r"""
22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
30 22 0:40 / /mnt rw - tmpfs none rw
31 30 0:41 / /mnt/share rw,relatime shared:1 - nfs4 server:/export rw
32 30 0:42 / /mnt/my\040disk rw - cifs //nas/me rw
33 31 0:43 / /mnt/share/local rw - xfs /dev/sdb1 rw
34 22 0:44 / /mnt/over rw - nfs server:/a rw
35 22 0:45 / /mnt/over rw - btrfs /dev/sdc1 rw
nonsense
"""


@pytest.mark.parametrize(
    ("path", "shared"),
    [
        ("/home/me/arena.db", False),
        ("/mnt/share/arena.db", True),
        ("/mnt/share/deep/down/arena.db", True),
        ("/mnt/shared/arena.db", False),
        ("/mnt/share/local/arena.db", False),
        ("/mnt/my disk/arena.db", True),
        ("/mnt/over/arena.db", False),
    ],
)
def test_share_is_told_by_the_mount_that_holds_the_file(
    tmp_path: Path, path: str, shared: bool
) -> None:
    """The deepest mount counts, and of several over each other the last."""
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS)

    assert is_shared(Path(path), mounts) is shared


def test_system_that_does_not_tell_counts_as_local(tmp_path: Path) -> None:
    """No list of mounts, no share."""
    assert not is_shared(tmp_path / "arena.db", tmp_path / "none")


def test_database_on_a_share_uses_no_write_ahead_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was made on a local disk is changed over when it is opened on the share."""
    path = tmp_path / "arena.db"
    with Store(path) as local:
        assert local.query("PRAGMA journal_mode")[0][0] == "wal"
    monkeypatch.setattr(store, "is_shared", lambda path: True)

    with Store(path) as shared:
        assert shared.query("PRAGMA journal_mode")[0][0] == "delete"
        shared.bots.add("a", "http://127.0.0.1:1")
        with Store(path, read_only=True) as reader:
            assert [bot.name for bot in reader.bots.all()] == ["a"]
        assert shared.damage() is None


def test_replaced_file_is_noticed_before_anything_is_written(tmp_path: Path) -> None:
    """A copy put in its place is not the file that is open."""
    path, other = tmp_path / "arena.db", tmp_path / "other.db"
    with Store(path) as opened:
        before = identity(path)
        Store(other).close()
        other.replace(path)
        assert identity(path) not in (before, None)

        with pytest.raises(StoreError, match="moved, deleted or replaced"):
            opened.bots.add("a", "http://127.0.0.1:1")


def modes(folder: Path) -> dict[str, int]:
    """The permissions of every file in a folder."""
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


@pytest.mark.skipif(os.name != "posix", reason="permissions are of another kind here")
def test_new_database_is_for_its_owner_only(tmp_path: Path) -> None:
    """So is what SQLite keeps beside it, whatever new files are usually allowed."""
    before = os.umask(0)
    try:
        with Store(tmp_path / "arena.db") as opened:
            opened.bots.add("Keen", "http://127.0.0.1:1")
            assert modes(tmp_path) == dict.fromkeys(
                ("arena.db", "arena.db-wal", "arena.db-shm"), 0o600
            )
        (tmp_path / "link.db").symlink_to(tmp_path / "far.db")
        with Store(tmp_path / "link.db"):
            assert stat.S_IMODE((tmp_path / "far.db").stat().st_mode) == 0o600
    finally:
        os.umask(before)


@pytest.mark.skipif(os.name != "posix", reason="permissions are of another kind here")
@pytest.mark.parametrize(("mode", "others"), [(0o600, False), (0o640, True), (0o604, True)])
def test_permissions_of_a_database_are_its_owners_choice(
    tmp_path: Path, mode: int, others: bool
) -> None:
    """They are left as they are, and told."""
    path = tmp_path / "arena.db"
    with Store(path):
        pass
    path.chmod(mode)
    with Store(path) as opened:
        opened.bots.add("Keen", "http://127.0.0.1:1")

    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert others_may_read(path) is others
    assert not others_may_read(tmp_path / "none.db")


@pytest.mark.skipif(os.name != "posix", reason="permissions are of another kind here")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_lock_of_a_database_is_for_those_who_may_use_it(tmp_path: Path, mode: int) -> None:
    """Whoever could open it could keep others from playing; nothing depends on the umask, not even
    where another was in force when the lock was made."""
    path = tmp_path / "arena.db"
    with Store(path):
        pass
    (tmp_path / "arena.db-lock").touch(0o666)
    path.chmod(mode)
    before = os.umask(0)
    try:
        with sole_referee(path, "t_1"):
            names = ("arena.db", "arena.db-lock", "arena.db-holder")
            assert modes(tmp_path) == dict.fromkeys(names, mode)
    finally:
        os.umask(before)


def test_database_in_memory_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name is no file's name."""
    monkeypatch.chdir(tmp_path)
    with Store(":memory:") as opened:
        opened.bots.add("Keen", "http://127.0.0.1:1")

    assert list(tmp_path.iterdir()) == []
