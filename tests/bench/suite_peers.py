"""Other people's programs, each in a virtual environment of its own, never in ours; and ours,
installed with compiled rules.

The environments are made on request under a folder that git ignores. A peer runs as a process that
takes lines ``WHAT SECONDS`` and answers each with a figure; see the scripts in ``peers``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.cluster.identity import rules_hash
from tests.bench.suite import Setting, Side

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".peers"
SCRIPTS = Path(__file__).parent / "peers"
READY = "ready"
"""A file that is written into an environment once everything is installed in it."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A program to compare with.

    ``needs``: requirements; the first names the environment unless ``name`` does. ``compiled``:
    whether ours is to be compiled, if it is among them.
    """

    script: str
    title: str
    needs: tuple[str, ...]
    name: str = ""
    compiled: bool = False

    @property
    def folder(self) -> Path:
        """Where its environment is."""
        return FOLDER / (self.name or self.needs[0].replace("==", "-"))

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""
        return self.folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"

    @property
    def is_ready(self) -> bool:
        """Whether its environment is complete."""
        return (self.folder / READY).exists()

    def install(self) -> None:
        """Make its environment. Takes minutes and downloads from the package index.

        :raises subprocess.CalledProcessError: it cannot be installed here.
        """
        subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)
        subprocess.run(
            [self.python, "-m", "pip", "install", "--quiet", *self.needs],
            env={**os.environ, "ARENA_COMPILED": "1" if self.compiled else "0"},
            check=True,
        )
        (self.folder / READY).write_text("\n".join(self.needs) + "\n")


OPEN_SPIEL = Peer("open_spiel_peer", "OpenSpiel", ("open_spiel==2.0.2",))
RLCARD = Peer("rlcard_peer", "RLCard", ("rlcard==1.2.0",))
PETTINGZOO = Peer(
    "pettingzoo_peer", "PettingZoo", ("pettingzoo==1.26.1", "rlcard==1.2.0", "pygame")
)
KAGGLE = Peer("kaggle_peer", "kaggle-environments", ("kaggle-environments==1.33.2",))
COMPILED = Peer(
    "compiled_rules",
    "gin-arena compiled",
    (str(ROOT),),
    # A change of the rules wants a new environment.
    f"compiled-{rules_hash(ROOT / 'arena')[:12]}",
    compiled=True,
)
PEERS = (COMPILED, OPEN_SPIEL, RLCARD, PETTINGZOO, KAGGLE)


class Running:
    """A peer's process."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._process = subprocess.Popen(
            [peer.python, SCRIPTS / f"{peer.script}.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def figure(self, what: str, seconds: float) -> float:
        """Let it measure something.

        :raises RuntimeError: it ended, or answered with no number.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{what} {seconds}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        try:
            return float(answer)
        except ValueError:
            raise RuntimeError(f"{self._peer.title} answered {answer!r} to {what!r}") from None

    def stop(self) -> None:
        """End it; it ends by itself when its input does."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


@contextmanager
def sides_of(
    setting: Setting, wanted: Iterable[tuple[Peer, str, str]]
) -> Iterator[Callable[[str], list[Side]]]:
    """Start the peers that are installed. ``wanted``: peer, contest, what to measure for it.

    Gives a function from a contest to the peers' sides in it.
    """
    wanted = list(wanted)
    running: dict[Peer, Running] = {}
    with ExitStack() as stack:
        for peer in dict.fromkeys(peer for peer, _, _ in wanted):
            if peer.is_ready:
                running[peer] = Running(peer)
                stack.callback(running[peer].stop)
            else:
                setting.left_out.append(f"{peer.title}: no environment; make it with --peers")

        def sides(contest: str) -> list[Side]:
            return [
                Side(_title(peer, what), _measure(running[peer], what))
                for peer, place, what in wanted
                if place == contest and peer in running
            ]

        yield sides


def _title(peer: Peer, what: str) -> str:
    _, _, how = what.partition("-")
    return f"{peer.title} {how.replace('-', ' ')}".strip()


def _measure(running: Running, what: str) -> Callable[[float], float]:
    return lambda seconds: running.figure(what, seconds)
