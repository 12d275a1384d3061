"""What this machine may run short of: open files above all, and memory for connections.

Such an error says nothing about whom one was about to call, so it must never become a bot's fault.
"""

from __future__ import annotations

import errno

from arena.errors import ShortageError

SHORTAGES = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))

ENOUGH_FILES = 4096
"""Open files that play asks for: a connection or two for each bot, many times over."""


def is_shortage(error: BaseException) -> bool:
    """Whether the system could not give this process what anybody else would have got."""
    return isinstance(error, OSError) and error.errno in SHORTAGES


def as_shortage(error: OSError) -> ShortageError:
    """The same, with what can be done about it."""
    return ShortageError(
        f"this machine has run short ({error.strerror}), and no bot is to blame; nothing stored is "
        "lost. Allow more open files (ulimit -n 4096) or play fewer matches at a time"
    )


def ask_for_files(wanted: int = ENOUGH_FILES) -> int:
    """Raise this process's limit of open files to so many, as far as the system lets it.

    The limit that there is now, ``wanted`` where there is none or none is known.
    """
    try:
        import resource
    except ImportError:  # not on every system
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    return soft
