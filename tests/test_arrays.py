"""How numpy is loaded: one thread, and nothing of that reaches the programs that are started."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.arrays import LIMITS

SHOW = """
import os
from pathlib import Path
from arena.arrays import LIMITS, load_numpy
load_numpy()
import numpy as np
np.linalg.inv(np.eye(300) + np.ones((300, 300)))
print(len(list(Path("/proc/self/task").iterdir())), [os.environ.get(name) for name in LIMITS])
"""


def shown(**environment: str) -> str:
    """What the program prints under an environment without limits but these."""
    kept = {name: value for name, value in os.environ.items() if name not in LIMITS}
    done = subprocess.run(
        [sys.executable, "-c", SHOW],
        env={**kept, **environment}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc")
def test_algebra_has_one_thread_and_the_environment_stays() -> None:
    """Bots that the arena starts may use all cores."""
    assert shown() == "1 [None, None, None]"


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc")
def test_who_has_said_how_many_threads_is_obeyed() -> None:
    """An organiser with cores to spare."""
    assert shown(OPENBLAS_NUM_THREADS="2").endswith("['2', None, None]")
