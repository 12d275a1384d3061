"""A setting that does nothing would be a lie: each changes what may be done, scored or paid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from arena.errors import RulesError
from arena.referee.asks import Event
from arena.referee.players import Player
from arena.rules.base import Setting
from arena.rules.games import find_variant
from tests.referee.matches import choosing, idle, in_process, sensible, setup, watch
from tests.referee.test_endings import first_of, patient
from tests.samples import mahjong_simple, random_bot

anyhow = in_process(random_bot.bot)
melding = in_process(mahjong_simple.bot)
bold = first_of("big_gin", "double", "accept", "knock")

GAMES: Mapping[str, tuple[int, tuple[Player, ...]]] = {
    "gin": (2, (sensible, bold, patient, anyhow)),
    "mahjong": (2, (melding, anyhow)),
    "cutthroat": (3, (sensible, bold, patient, anyhow)),
    "chouette": (3, (sensible, bold, patient, anyhow)),
    "battle_royal": (3, (sensible, bold, patient, anyhow)),
    "teams": (4, (sensible, bold, patient, anyhow)),
}
"""By game: how many sit at its table, and who plays it; every other one knocks never in every other
match. (What the settings of Indian rummy do is tested with its rules.)"""

CONTEXT: Mapping[str, Mapping[str, Any]] = {
    "oklahoma_ace": {"knock_card_source": "upcard"},
    "spades_double": {"knock_card_source": "upcard"},
    "gin_zero_after_layoff": {"layoff_on_gin": True, "ace_mode": "corner", "hand_size": 7},
    "max_factor": {"doubling": True},
    "hollywood_shutout": {"columns": 3, "target": 20, "max_hands": 30},
    "big_gin_bonus": {"hand_size": 7, "knock_limit": 0, "target": 4000, "max_hands": 60},
    "undercut_on_tie": {"target": 4000, "max_hands": 40},
    "misdeal_if_knockable": {"hand_size": 7, "max_turns": 1, "max_hands": 100},
}
"""What has to be set for a setting to be of use, as its meaning says, or to be of use soon."""

RARE = {"big_gin_bonus", "undercut_on_tie", "misdeal_if_knockable", "gin_zero_after_layoff"}
"""Settings of hands of gin that are tried at a table of two only: the hands are the same at others,
and what they are for does not happen every day."""

OF_MATCHES = {"games_to_win"}
"""What a tournament takes over into its matches."""


def others(setting: Setting) -> Iterator[object]:
    """Values that it may have, but for its own."""
    found = re.match(r"a whole number from (\d+) to (\d+)", setting.allowed)
    if setting.allowed == "true or false":
        yield not setting.default
    elif found:
        low, high = map(int, found.groups())
        own = setting.default if isinstance(setting.default, int) else low
        yield from sorted({low, max(low, own // 3), min(high, own + 5), min(high, 3 * own)} - {own})
    else:
        for word in setting.allowed.removeprefix("one of ").split(", "):
            value = int(word) if word.isdigit() else word
            if value != setting.default:
                yield value


def course(game: str, players: int, who: Player, number: int, changes: Mapping[str, Any]) -> Any:
    """All that was offered, and all that came of it."""
    names = [f"bot {seat}" for seat in range(players)]
    other = choosing(idle) if number % 2 else who
    seats = [other if seat % 2 else who for seat in range(players)]
    match = setup(rules=game, names=names, games=2, deal_key=f"deal {number}", **changes)
    played = watch(match, seats)
    return (
        [ask.request["legal"] for ask in played.asks],
        [note.payload["result"] for note in played.notices if note.event is not Event.START],
    )


def matters(game: str, setting: Setting) -> bool:
    """Whether one of its values makes one of a few matches another."""
    players, bots = GAMES[game]
    if size := re.search(r"_([2-5])$", setting.name):
        players = 2 * int(size[1])  # of teams of so many
    context = {"max_hands": 6, "max_turns": 120, **CONTEXT.get(setting.name, {})}
    known = {one.name for one in find_variant(game).family.settings()}
    context = {name: value for name, value in context.items() if name in known}
    for number in range(6):
        for who in bots:
            before = course(game, players, who, number, context)
            for value in others(setting):
                try:
                    after = course(game, players, who, number, {**context, setting.name: value})
                except RulesError:
                    continue  # not together with the others
                if after != before:
                    return True
    return False


def tried() -> Iterator[tuple[str, str]]:
    """Games and settings."""
    for game in GAMES:
        for setting in find_variant(game).family.settings():
            if setting.name not in OF_MATCHES and (game == "gin" or setting.name not in RARE):
                yield game, setting.name


@pytest.mark.parametrize(("game", "name"), list(tried()))
def test_every_setting_changes_something(game: str, name: str) -> None:
    """What is offered, how hands and games end, or what they score."""
    (setting,) = (one for one in find_variant(game).family.settings() if one.name == name)

    assert matters(game, setting)
