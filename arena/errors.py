"""Every error the arena raises on purpose, in one tree; those that several parts share are here.

ArenaError
├── RulesError (also ValueError)   something about a game is wrong
│   ├── InvalidAction              not an action at all ("discard:1X")
│   ├── IllegalAction              an action, but not allowed now
│   ├── InvalidCards               not cards, or not a possible hand
│   ├── InvalidSettings            an impossible or unknown rule setting
│   └── InvalidRecord              a hand record that cannot be read (line and column)
├── UsageError                     the person at the keyboard must change something; exit code 2
│   ├── ConfigError                a tournament file or option
│   │   ├── InvalidEndpoint        the address of a bot (wire.endpoint)
│   │   └── TooFewAnswer           bots are silent, so that there is nothing to play
│   ├── StoreError                 the database: foreign, newer, locked, read-only, full
│   │   ├── DamagedError           what it holds of a tournament contradicts itself
│   │   ├── NameTaken              a tournament of that name is in it
│   │   └── PlayedElsewhere        another process plays on it
│   ├── ClusterError               the cluster: not there, lost, or running other code
│   ├── ShortageError              the machine: too few open files, too little memory
│   └── NotReady                   a child process was not ready in time (process)
├── BotFault                       a contestant misbehaved (referee.verdicts, with its code)
├── BadSignature                   a request is not signed as it should be (wire.signing)
├── InvalidMessage                 the arena was about to send what it must not (wire.schemas)
├── StrictJsonError                a text is no strict JSON (wire.strict_json)
├── Interrupted                    waiting was given up because the arena is to stop (process)
├── NotToBePlayed                  a match that waited was voided or halted (tournament.venue)
└── Mismatch                       a tournament is not what it says (tournament.verify)

Rules errors and contestants' faults never share a type: the first are the caller's bugs, the
second are results. What a module raises for itself alone is not listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class ArenaError(Exception):
    """Base of every error raised on purpose. Its text says what to do next."""


class RulesError(ArenaError, ValueError):
    """Something about a game is wrong."""


class InvalidAction(RulesError):
    """The text names no action of any game."""


class IllegalAction(RulesError):
    """The action exists but is not allowed in this position."""


class InvalidCards(RulesError):
    """The text names no cards, or the cards cannot be a hand."""


class InvalidSettings(RulesError):
    """A rule setting is unknown, of the wrong type, out of range, or contradicts another."""

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class InvalidRecord(RulesError):
    """A hand record cannot be read.

    ``line`` and ``column`` are 1-based positions in the text that was read.
    """

    def __init__(self, message: str, *, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column


class UsageError(ArenaError):
    """The person at the keyboard must change something. The command exits with code 2.

    The text names no commands, as pages show it too; `arena.cli.advice` adds them. ``resume``: the
    database with which play goes on once that is changed, None where it has not begun.
    """

    def __init__(self, text: str, *, resume: Path | None = None) -> None:
        super().__init__(text)
        self.resume = resume


class ConfigError(UsageError):
    """A tournament file, option or registration is wrong; the text names the field and the fix."""


class TooFewAnswer(ConfigError):
    """Too many bots are silent. ``leave``: the tournament that they can leave, if it has begun.
    ``enough``: whether those that answer could begin without them."""

    def __init__(
        self, text: str, *, leave: str | None, database: Path, enough: bool = False
    ) -> None:
        super().__init__(text)
        self.leave = leave
        self.enough = enough
        self.database = database


class StoreError(UsageError):
    """The database cannot be used as asked: foreign, newer, locked, read-only or full."""


class DamagedError(StoreError):
    """What is stored of a tournament contradicts itself; the text says where and may be shown."""


class NameTaken(StoreError):
    """There is a tournament of this name already."""


class PlayedElsewhere(StoreError):
    """Another process plays on this database."""

    def __init__(self, text: str, database: Path) -> None:
        super().__init__(text)
        self.database = database


class ClusterError(UsageError):
    """The cluster cannot be used, or was lost in mid-play; the text says what to do next."""


class ShortageError(UsageError):
    """This machine has run short of something, and no bot is to blame."""
