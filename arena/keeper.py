"""Runs a program that knows nothing of the arena, and ends it when the arena is gone.

``python -m arena.keeper COMMAND…``: standard input stays open as long as the arena lives; when it
ends, however the arena ended, the whole process group is ended too.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from arena.process import SIGNALLED, STOP_WITH_STDIN, stop_with_stdin

GRACE_SECONDS = 1.0
"""How long the program may take to end when asked to."""


def main() -> None:
    """Run the command of the arguments and exit with its status, or as a shell does when a signal
    ended it."""
    # The program's own standard input is empty: it must not take its end for ours.
    environment = {name: value for name, value in os.environ.items() if name != STOP_WITH_STDIN}
    try:
        program = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, env=environment)
    except OSError as error:
        sys.exit(f"{sys.argv[1]} cannot be started: {error.strerror}")

    def end() -> None:
        program.terminate()
        ends = time.monotonic() + GRACE_SECONDS
        while program.poll() is None and time.monotonic() < ends:
            time.sleep(0.02)
        os.killpg(0, signal.SIGKILL)

    stop_with_stdin(end)
    status = program.wait()
    # As a shell does with a program that was ended by a signal.
    sys.exit(status if status >= 0 else SIGNALLED - status)


if __name__ == "__main__":
    main()
