"""How the site gets tournaments played: by starting the referee's own command beside it.

The site never plays. It asks a `Control`; the usual one starts ``arena resume NAME`` as a process
of its own, one after the other because a database has one referee. Stopping the site does not stop
the referee, which is in a session of its own; only `ByProcess.close` does.
"""

from __future__ import annotations

import logging
import shlex
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from arena.errors import StoreError
from arena.store import Store
from arena.store.lock import Played, holder, played
from arena.store.rows import TournamentRow, TournamentState

log = logging.getLogger("arena.site.work.control")


class Control(Protocol):
    """Whoever can start a referee."""

    def play(self, tournament: TournamentRow) -> str:
        """See to it that this tournament is played; what will happen, in a sentence."""
        ...

    def awaits(self, tournament_id: str) -> bool:
        """Whether it will be played without anybody doing anything, after another one."""
        ...


class ByHand:
    """Starts nothing and says what to type."""

    def __init__(self, database: Path) -> None:
        self._database = database

    def play(self, tournament: TournamentRow) -> str:
        """The command that plays it."""
        command = shlex.join(["arena", "resume", tournament.name, "--db", self._database.name])
        return f"Start it with: {command}"

    def awaits(self, tournament_id: str) -> bool:
        """Nothing is ever begun here."""
        return False


class ByProcess:
    """Starts ``command ID --db DATABASE`` for one tournament after the other."""

    def __init__(self, database: Path, command: Sequence[str] | None = None) -> None:
        self._database = database
        self._command = list(command or (sys.executable, "-m", "arena", "resume"))
        self._lock = threading.Lock()
        self._waiting: deque[str] = deque()
        self._thread: threading.Thread | None = None
        self._current: str | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def play(self, tournament: TournamentRow) -> str:
        """Queue it; play begins as soon as no other is played by this site."""
        with self._lock:
            current = self._current
        found = played(self._database) if current is None else None
        if found is not None:
            return self._elsewhere(tournament, found)
        with self._lock:
            # The id and not the name: a name may look like an option or like another's address.
            if tournament.id not in self._waiting:
                self._waiting.append(tournament.id)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="control", daemon=True)
                self._thread.start()
                return "Play begins."
            before = [self._current, *self._waiting]
        ahead = [id for id in before[: before.index(tournament.id)] if id is not None]
        if not ahead:
            return "Play goes on." if self._current else "Play begins."
        with Store(self._database, read_only=True) as store:
            names = " and ".join(f"“{store.tournaments.get(id).name}”" for id in ahead)
        verb = "is" if len(ahead) == 1 else "are"
        return f"Play begins when {names} {verb} over or paused."

    def awaits(self, tournament_id: str) -> bool:
        """Whether it waits for the tournaments before it."""
        with self._lock:
            return tournament_id in self._waiting

    def _elsewhere(self, tournament: TournamentRow, found: Played) -> str:
        """What to do while another referee is at work, with the name of what it plays."""
        if found.tournament == tournament.id:
            return f"it is played already, by another referee ({holder(self._database)})."
        name = self._name_of(found.tournament)
        playing = f" with “{name}”" if name else ""
        return (
            f"it cannot begin yet, for another referee is at work{playing} "
            f"({holder(self._database)}). Stop that or wait until it is over, then resume "
            f"“{tournament.name}” here."
        )

    def _name_of(self, id: str | None) -> str | None:
        with Store(self._database, read_only=True) as store:
            return next((row.name for row in store.tournaments.all() if row.id == id), None)

    def _is_to_be_played(self, id: str) -> bool:
        """Whether it was not finished, paused or cancelled while it waited."""
        try:
            with Store(self._database, read_only=True) as store:
                return store.tournaments.get(id).state is TournamentState.RUNNING
        except StoreError:
            return True  # the referee says what is wrong

    def close(self) -> None:
        """Stop waiting; end the referee that this site started, which loses no stored hand.

        A site that is stopped does not call it, for its tournaments go on; tests do.
        """
        with self._lock:
            self._waiting.clear()
            process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
            process.wait(10)
        if self._thread is not None:
            self._thread.join(10)

    def _work(self) -> None:
        while True:
            with self._lock:
                self._current = None
                if not self._waiting:
                    self._thread = None
                    return
                id = self._waiting.popleft()
                self._current = id
            if not self._is_to_be_played(id):
                continue
            command = [*self._command, id, "--db", str(self._database)]
            try:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                )
                _, errors = self._process.communicate()
            except OSError as error:
                log.error("the referee could not be started: %s", error)
                continue
            if self._process.returncode:
                text = errors.decode("utf-8", "replace").strip()[-500:]
                log.error("the referee of %s ended with %d: %s", id,
                          self._process.returncode, text)  # fmt: skip
