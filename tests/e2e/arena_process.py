"""The real ``arena`` command as a process, for tests that kill and interrupt it."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from arena.bot import Bot, BotServer
from arena.errors import StoreError
from arena.store import Store

PATIENCE_S = 120.0


def arena(
    *arguments: str | Path, timeout: float = PATIENCE_S, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end. ``env``: its environment, ours if None."""
    return subprocess.run(
        [sys.executable, "-m", "arena", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env=env,
    )


def start_arena(*arguments: str | Path, log: Path) -> subprocess.Popen[bytes]:
    """Start a command; what it prints goes to ``log``."""
    with log.open("ab") as file:
        return subprocess.Popen(
            [sys.executable, "-m", "arena", *map(str, arguments)],
            stdout=file,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )


@contextmanager
def served(bots: Sequence[Bot]) -> Iterator[list[str]]:
    """Bots on loopback ports; yields ``--bot`` options for them."""
    with ExitStack() as stack:
        options: list[str] = []
        for bot in bots:
            server = stack.enter_context(BotServer(bot))
            options += ["--bot", f"{bot.name}={server.url}"]
        yield options


@contextmanager
def served_pages(database: Path, log: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The web server of a database and its address; killed at the end."""
    log.write_bytes(b"")
    process = start_arena("serve", "--db", database, "--port", "0", log=log)
    try:
        assert wait_until(lambda: "pages at " in log.read_text(), process), log.read_text()
        yield process, log.read_text().split("pages at ", 1)[1].split()[0]
    finally:
        process.kill()
        process.wait(30)


def children_of(pid: int) -> list[int]:
    """Child processes of a process, from /proc."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


def hands_stored(database: Path) -> int:
    """Number of hands in a database that may not exist yet."""
    try:
        with Store(database, read_only=True) as store:
            row = store.db.conn.execute("SELECT count(*) FROM hands").fetchone()
            return int(row[0])
    except StoreError:
        return 0


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> bool:
    """Wait for a condition in another process's files; False if the process ended before."""
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:
        if condition():
            return True
        if process.poll() is not None:
            return condition()
        time.sleep(0.002)
    raise AssertionError("the condition never came true")


def status_of(address: str, timeout_s: float) -> int:
    """The status of a page, which is read to its end.

    :raises OSError: nobody answers.
    """
    try:
        with urllib.request.urlopen(address, timeout=timeout_s) as answer:
            answer.read()
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
