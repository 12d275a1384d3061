"""The sample bots play legally, alike when asked alike, and each better than the one before."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from arena.bot import Bot, FunctionBot, answer
from arena.bot.practice import DuelResult, duel, play_hand
from arena.rules.base import Ending, Variant
from arena.rules.games import all_variants, claims_of
from arena.wire.conformance.positions import explore
from arena.wire.messages import BotInfo

NAMES = sorted(
    module.name
    for module in pkgutil.iter_modules(importlib.import_module("arena.sample_bots").__path__)
)
SAFE: Bot = FunctionBot(lambda view: view.safe)

LADDER = (("random_bot", "simple", 20), ("simple", "greedy", 600), ("greedy", "keen", 200))
"""Weaker bot, stronger bot, and how many mirrored pairs it takes to tell them apart."""


def bot_of(name: str) -> Bot:
    """The bot of a sample module."""
    bot = importlib.import_module(f"arena.sample_bots.{name}").bot
    assert isinstance(bot, Bot)
    return bot


def plays(bot: Bot, variant: Variant) -> bool:
    """Whether the bot claims the game."""
    info = BotInfo(bot.name, bot.author, bot.version, tuple(bot.games), 1, 1)
    return info.plays(*claims_of(variant))


def claimed(name: str) -> list[Variant]:
    """The games that a sample bot claims."""
    return [variant for variant in all_variants() if plays(bot_of(name), variant)]


@pytest.mark.parametrize("name", NAMES)
def test_every_claimed_game_is_played_to_its_end_legally(name: str) -> None:
    """The bot on all seats of every game that it claims; an illegal action would raise."""
    bot = bot_of(name)
    variants = claimed(name)

    assert variants
    for variant in variants:
        players = variant.family.players(variant.rules)[0]
        outcome = play_hand([bot] * players, variant, "legal", match="m_legal")
        assert outcome.ending is not Ending.FORFEIT


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_position_is_answered_twice_alike_and_legally(name: str) -> None:
    """Positions that the bot's own play would not lead to, asked twice."""
    bot = bot_of(name)
    for variant in claimed(name):
        for found in explore(variant, 8):
            first, again = (answer(bot, found.moment.request) for _ in range(2))
            assert first == again
            found.moment.after(str(first["action"]), first.get("melds"))  # type: ignore[arg-type]


def test_every_game_has_a_sample_bot_that_plays_it_sensibly() -> None:
    """Leaving the random bot aside, nobody needs to write a bot before trying a game."""
    sensible = [bot_of(name) for name in NAMES if name != "random_bot"]
    orphans = [
        variant.name
        for variant in all_variants()
        if not any(plays(bot, variant) for bot in sensible)
    ]

    assert orphans == []


@pytest.mark.parametrize(("weaker", "stronger", "pairs"), LADDER)
def test_each_bot_beats_the_one_before(weaker: str, stronger: str, pairs: int) -> None:
    """The 95 % interval of the points a mirrored pair lies above zero."""
    result = duel(bot_of(stronger), bot_of(weaker), pairs=pairs)

    assert result.low > 0, str(result)


def test_a_bot_without_luck_scores_nothing_against_itself() -> None:
    """Mirrored pairs of a bot that uses no random numbers cancel out to the point."""
    assert duel(bot_of("greedy"), bot_of("greedy"), pairs=10) == DuelResult(
        10, 0.0, 0.0, 0.0, 20, (10, 10)
    )


@pytest.mark.parametrize(
    ("name", "variant", "pairs"),
    [
        ("mahjong_simple", "mahjong", 20),
        ("simple", "straight", 20),
        ("greedy", "tedesco", 20),
        ("keen", "doubling", 20),
        ("keen", "seven_card", 20),
    ],
)
def test_other_games_are_played_better_than_by_chance(name: str, variant: str, pairs: int) -> None:
    """Far better than the random bot, in games that differ most from the standard one."""
    result = duel(bot_of(name), bot_of("random_bot"), variant, pairs=pairs)

    assert result.low > 0, str(result)


def test_battle_royal_is_won_against_two_that_draw_and_throw() -> None:
    """At a table for three the counting bot takes most of the points."""
    (royal,) = [one for one in all_variants() if one.family.name == "battle_royal"]
    points = [0, 0, 0]
    for number in range(12):
        seats = [SAFE, SAFE, SAFE]
        seats[number % 3] = bot_of("greedy")
        outcome = play_hand(seats, royal, f"royal {number // 3}", match=f"m_{number}")
        for position, score in enumerate(outcome.points):
            points[(position - number) % 3] += score

    assert points[0] > 100
    assert points[0] > max(points[1:])


def test_indian_rummy_is_declared_rightly() -> None:
    """Against a bot that only draws and throws, most deals end with a valid declaration."""
    (points,) = [one for one in all_variants() if one.name == "indian_points"]
    endings = [
        play_hand([bot_of("indian_simple"), SAFE], points, str(number), match=f"m_{number}").ending
        for number in range(8)
    ]

    assert Ending.WRONG_DECLARATION not in endings
    assert endings.count(Ending.DECLARED) >= 4
