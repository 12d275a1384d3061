"""What the arena starts itself: bots that are not addresses, and the web server of the demo.

A bot's endpoint may be written ``sample:NAME`` (a contestant that ships with the arena),
``python:FILE.py`` (a file that serves a bot with the SDK) or ``cmd:COMMAND`` in which ``{port}``
stands for a free port. Everything else is an address that somebody else looks after.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import shlex
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from arena.errors import ConfigError, UsageError
from arena.nearest import did_you_mean
from arena.process import Child, NotReady, never

START_SECONDS = 20.0
"""How long a started program may take until it answers."""

UNTOLD = (
    "the command was told no port: write {port} where it belongs, as in cmd:node bot.js --port "
    "{port}, or let the bot print `listening on http://HOST:PORT`"
)
_SCHEMES = ("sample:", "python:", "cmd:")
_LISTENING = re.compile(r"listening on (http://\S+)\s")
_PAGES = re.compile(r"pages at (http://\S+)\s")
_telling = threading.Lock()
_told: set[int] = set()


def is_owned(endpoint: str) -> bool:
    """Whether the arena starts this bot itself."""
    return endpoint.startswith(_SCHEMES)


class OwnedBot(Child):
    """A bot process of the arena. ``url`` is where it answers.

    One that runs but does not answer in time is nobody's fault but its own: ``silence`` says so
    then, and ``url`` is where it was told to listen, or, if it was to say itself, where nobody
    listens. ``port``: where it is to listen, a free one if None; not for a command that takes none.

    :raises UsageError: it cannot be started or ends at once; the text ends with the last of its
        output.
    :raises Interrupted: the arena is to stop.
    """

    def __init__(
        self,
        name: str,
        endpoint: str,
        *,
        secret: str | None = None,
        start_s: float = START_SECONDS,
        stopping: Callable[[], bool] = never,
        port: int | None = None,
    ) -> None:
        self._ways = (name, endpoint, secret, start_s)
        command, port = _command(endpoint, port)
        # Always set: a secret in the environment of the arena is not this bot's.
        environment = {"ARENA_BOT_SECRET": secret or ""}
        self.silence: str | None = None
        self._nobody: socket.socket | None = None
        super().__init__(f"bot {name!r}", command, environment=environment, stopping=stopping)
        try:
            self.url = f"http://127.0.0.1:{port}"
            if port is None:
                self.url = self.wait_for(_LISTENING, start_s)[1]
            else:
                self.wait_until(lambda: _accepts(port), start_s)
        except NotReady:
            told = f"{UNTOLD}; " if port is None and endpoint.startswith("cmd:") else ""
            self.silence = f"{self.what} was not ready within {start_s:.0f} s; {told}{self.printed}"
            if port is None:
                self._nobody = _bound_port()
                self.url = f"http://127.0.0.1:{_number(self._nobody)}"
        except UsageError as error:
            self.stop()
            if endpoint.startswith("python:") and self.status == 0:
                raise UsageError(f"{error}; a bot's file ends with run(…)") from None
            raise
        except BaseException:
            self.stop()
            raise

    def again(self, stopping: Callable[[], bool] = never) -> OwnedBot:
        """The same bot, started again at the same address, after it has ended and was stopped.

        :raises UsageError: it cannot be started, ends at once, or listens elsewhere now.
        :raises Interrupted: the arena is to stop.
        """
        name, endpoint, secret, start_s = self._ways
        port = urlsplit(self.url).port
        bot = OwnedBot(name, endpoint, secret=secret, start_s=start_s, stopping=stopping, port=port)
        if bot.url != self.url and not bot.silence:
            bot.stop()
            raise UsageError(
                f"{bot.what} listens on {bot.url} now, but is called on {self.url}; {UNTOLD}"
            )
        # One that was not ready in time may yet come up there, and it is called there still.
        bot.url = self.url
        return bot

    def stop(self) -> None:
        """End the whole process group and wait for it."""
        super().stop()
        if self._nobody is not None:
            self._nobody.close()


class PagesProcess(Child):
    """The web server of a database as a process of its own. ``url`` is its address.

    :raises UsageError: it cannot serve; the text says why, for example that the port is in use.
    """

    def __init__(self, database: Path, port: int) -> None:
        command = [sys.executable, "-m", "arena", "serve", "--db", str(database)]
        super().__init__("the web server", [*command, "--port", str(port)])
        try:
            self.url = self.wait_for(_PAGES, START_SECONDS)[1]
        except UsageError as error:
            self.stop()
            found = re.search(r"^error: (.*)$", self.output(), re.MULTILINE)
            raise UsageError(found[1] if found else str(error)) from None
        except BaseException:
            self.stop()
            raise


def sample_names() -> list[str]:
    """Names of the Python contestants that ship with the arena."""
    package = importlib.import_module("arena.sample_bots")
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__))


def resolved(endpoint: str, folder: Path) -> str:
    """The endpoint with a bot's file as an absolute path, so that it can be started from anywhere.

    ``folder``: what a relative path is relative to.
    """
    scheme, _, rest = endpoint.partition(":")
    if scheme != "python":
        return endpoint
    return f"python:{(folder / Path(rest).expanduser()).resolve()}"


def check_owned(endpoint: str) -> None:
    """Refuse what could not be started, before anything is.

    :raises ConfigError: no such sample bot or file, or no command.
    """
    scheme, _, rest = endpoint.partition(":")
    if scheme == "sample" and rest not in sample_names():
        hint = did_you_mean(rest, sample_names()) or f"; there are: {', '.join(sample_names())}"
        raise ConfigError(f"no sample bot {rest!r}{hint}")
    if scheme == "python" and not Path(rest).is_file():
        raise ConfigError(f"no file {rest}; python: takes the path of a bot's file")
    if scheme == "cmd":
        _words(rest)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"cmd:{command}: {error}; quote it as for a shell") from error
    if not words:
        raise ConfigError("cmd: takes a command, for example cmd:node bot.js --port {port}")
    return words


def _command(endpoint: str, port: int | None) -> tuple[list[str], int | None]:
    """The command line, and the port where it was told to listen (None: it will say).

    ``port``: where it has to be, None for anywhere.
    """
    check_owned(endpoint)
    scheme, _, rest = endpoint.partition(":")
    if scheme == "sample":
        return [sys.executable, "-m", "arena", "bot", rest, "--port", str(port or 0)], None
    if scheme == "python":
        return [sys.executable, rest, "--port", str(port or 0)], None
    words = [sys.executable, "-m", "arena.keeper", *_words(rest)]
    if not any("{port}" in word for word in words):
        return words, None
    port = port or _free_port()
    return [word.replace("{port}", str(port)) for word in words], port


def _free_port() -> int:
    """A port that nobody was told before: bots that start at once must not share one."""
    with _telling:
        while True:
            with _bound_port() as probe:
                port = _number(probe)
            if port not in _told:
                _told.add(port)
                return port


def _bound_port() -> socket.socket:
    """A port of this machine that is taken while the socket is open, and refuses connections."""
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    return taken


def _number(taken: socket.socket) -> int:
    port: int = taken.getsockname()[1]
    return port


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=0.2).close()
        return True
    except OSError:
        return False
