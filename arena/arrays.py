"""Loads numpy for statistics: on one core, and only when it is needed.

By default its linear algebra spreads over all cores. Of matrices as small as those of a tournament
that takes twice the processor time, and on a busy machine, where its threads wait for each other,
ten times as long. How numpy counts its threads is decided by the environment at the moment it is
loaded; the programs that the arena starts must not inherit that.
"""

from __future__ import annotations

import os
import sys
import threading

LIMITS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_lock = threading.Lock()


def load_numpy() -> None:
    """Load numpy if nobody has yet; who has said how many threads it may have is obeyed."""
    if "numpy" in sys.modules:
        return
    with _lock:
        ours = [name for name in LIMITS if name not in os.environ]
        os.environ.update(dict.fromkeys(ours, "1"))
        try:
            import numpy  # noqa: F401
        finally:
            for name in ours:
                del os.environ[name]
