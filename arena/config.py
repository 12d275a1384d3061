"""What an organiser can choose, checked once and then frozen.

Defaults, then the TOML file, then options of the command line, end in one `TournamentConfig` (see
`arena.config_file`). The whole effective configuration is stored with the tournament.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from arena.errors import ConfigError, RulesError
from arena.names import check_name, name_key
from arena.referee.clock import ClockRules
from arena.rules.base import Variant
from arena.rules.games import variant_with
from arena.tournament.formats.format import Format
from arena.tournament.formats.registry import check_seats, stored_format
from arena.tournament.model import FormatOptions
from arena.wire.addresses import Network

MAX_BOTS = 1024
IN_FLIGHT = 16
"""Matches at a time unless told otherwise."""


class SeedBy(StrEnum):
    """What the places of the entrants follow from, unless from an earlier tournament."""

    GIVEN = "given"
    """The order in which the bots are named, the strongest first."""
    RATINGS = "ratings"
    """Their ratings from all that is in the database of this game; those without one come last."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A contestant as the organiser names it.

    ``endpoint``: ``http(s)://…``, or a bot that the arena starts itself: ``python:FILE.py``,
    ``sample:NAME`` or ``cmd:COMMAND with {port}``. ``secret``: ``whsec_…`` for signed requests.
    """

    name: str
    endpoint: str
    secret: str | None = None


@dataclass(frozen=True, slots=True)
class TournamentConfig:
    """Everything that a tournament is played by."""

    name: str = ""
    format: str = "round-robin"
    rules: str = "gin"
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: FormatOptions = field(default_factory=FormatOptions)
    clock: ClockRules = field(default_factory=ClockRules)
    network: Network = Network.LOCAL
    bots: tuple[BotSpec, ...] = ()
    seeded_from: str | None = None
    """Name of a tournament whose final standings are the seeding; it is played before."""
    seeding: SeedBy = SeedBy.GIVEN
    most_entrants: int | None = None
    """How many bots may be in it while it is open for entries, None for `MAX_BOTS`."""
    patience_s: float | None = None
    """How long a bot that does not answer is waited for, None for as long as usual."""
    all_present: bool = False
    """Whether it begins only when every bot answers its greeting."""
    test: Mapping[str, float] | None = None
    """Bounds, error rates and most pairs of a sequential test, for a comparison of two bots."""
    secret_given: bool | None = None
    """Whether the organiser gave the secret, so that it was not drawn; None: nobody noted it."""

    def variant(self) -> Variant:
        """The game with the organiser's settings.

        :raises InvalidSettings: an unknown game or setting, or an impossible value.
        """
        return variant_with(self.rules, self.settings)

    def find_format(self) -> Format:
        """The format, which for a comparison depends on its test.

        :raises ConfigError: there is no such format, or its test makes none.
        """
        return stored_format(self.format, self.test)

    def to_json(self) -> dict[str, Any]:
        """As the store keeps it: without bots, whose versions are stored as entrants."""
        values = asdict(self)
        del values["bots"]
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> TournamentConfig:
        """What `to_json` wrote.

        :raises ConfigError: it is none of that; a newer version wrote it, or it is damaged.
        """
        try:
            return cls(
                **{
                    **values,
                    "options": FormatOptions(**values["options"]),
                    "clock": ClockRules(**values["clock"]),
                    "network": Network(values["network"]),
                    "seeding": SeedBy(values.get("seeding", SeedBy.GIVEN)),
                }
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"the stored configuration cannot be read: {error!r}") from error


def options_for(config: TournamentConfig, variant: Variant) -> FormatOptions:
    """The format's options with what follows from the game: whether fewer points are better."""
    sheet = variant.family.new_sheet(variant.rules, config.options.table_size, 0)
    return replace(config.options, fewer_points_win=sheet.lower_is_better)


def check_seeding(config: TournamentConfig) -> None:
    """Refuse two sources of a seeding at once.

    :raises ConfigError: saying which.
    """
    if config.seeded_from is not None and config.seeding is not SeedBy.GIVEN:
        raise ConfigError(
            f"seeded_from = {config.seeded_from!r} and seeding = {config.seeding.value!r}: "
            "choose one of them"
        )


def validate(config: TournamentConfig, *, entries_follow: bool = False) -> Variant:
    """Check all of it before any bot is called. Returns the game to be played.

    ``entries_follow``: more bots can enter before it starts, so there need not be enough yet, and
    whether the format can be played by them is found out when it starts.

    :raises ConfigError: naming the field, the value and what to do.
    """
    check_name(config.name, "name")
    check_seeding(config)
    format = config.find_format()
    try:
        variant = config.variant()
    except RulesError as error:
        raise ConfigError(str(error)) from error
    seats = config.options.table_size
    fewest, most = variant.family.players(variant.rules)
    if not fewest <= seats <= most:
        allowed = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise ConfigError(f"table_size = {seats}: {variant.name} is played by {allowed}")
    try:
        variant.family.new_sheet(variant.rules, seats, 0)
    except RulesError as error:
        raise ConfigError(f"table_size = {seats}: {error}") from error
    if len(config.bots) < seats and not entries_follow:
        raise ConfigError(
            f"{len(config.bots)} bot{'s' * (len(config.bots) != 1)} given; "
            f"a tournament of {variant.name} needs at least {seats}: add --bot NAME=URL"
        )
    most = config.most_entrants or MAX_BOTS
    if len(config.bots) > most:
        raise ConfigError(f"{len(config.bots)} bots given; at most {most} are possible")
    check_seats(format, seats)
    seen: dict[str, str] = {}
    for bot in config.bots:
        check_name(bot.name, "bot name")
        key = name_key(bot.name)
        if seen.get(key) == bot.name:
            raise ConfigError(f"two bots are called {bot.name!r}; give one another name")
        if key in seen:
            raise ConfigError(f"bot names {seen[key]!r} and {bot.name!r} look the same; change one")
        seen[key] = bot.name
    if not entries_follow:
        format.fixtures(range(len(config.bots)), config.options, {})
    return variant
