"""Matches for the referee's tests: setups, players that behave and players that do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from arena.bot import Bot, BotView, answer
from arena.referee.asks import Answer, Ask, Notice, Reply
from arena.referee.clock import ClockRules
from arena.referee.match import GamePlayed, HandPlayed, MatchOutcome, MatchSetup, Step
from arena.referee.players import Player, run_match
from arena.referee.verdicts import BotFault, FaultCode
from arena.rules.base import Variant
from arena.rules.games import variant_with
from tests.samples import simple

SECRET = bytes(range(32))

THREE = ("Ann", "Bob", "Cay")


def setup(
    *,
    rules: str = "gin",
    games: int = 1,
    wins_needed: int | None = None,
    clock: ClockRules | None = None,
    deal_key: str = "test",
    names: Sequence[str] = ("Ann", "Bob"),
    **settings: object,
) -> MatchSetup:
    """A match between ``names``, with these rule settings changed."""
    return MatchSetup(
        tournament="t_test",
        match="m_test",
        variant=variant_with(rules, settings),
        names=tuple(names),
        games=games,
        wins_needed=wins_needed,
        secret=SECRET,
        deal_key=deal_key,
        clock=clock or ClockRules(),
    )


def seeded(variant: Variant, players: int, seed: int, games: int = 1) -> MatchSetup:
    """A match at a table of so many, whose deals follow from a number."""
    return MatchSetup(
        tournament="t_1",
        match="m_1",
        variant=variant,
        names=tuple(f"bot {seat}" for seat in range(players)),
        games=games,
        wins_needed=None,
        secret=seed.to_bytes(32, "big"),
        deal_key="1-2",
        clock=ClockRules(),
    )


def in_process(bot: Bot) -> Player:
    """A bot of the SDK in this process, answering in a millisecond."""

    def player(ask: Ask) -> Answer:
        reply = answer(bot, ask.request)
        melds = reply.get("melds")
        assert melds is None or isinstance(melds, tuple)
        return Answer(str(reply["action"]), melds, elapsed_ms=1.0)

    return player


sensible = in_process(simple.bot)
"""The simple sample bot. Its ties are broken by the request id."""


class Steady(Bot):
    """Knocks as soon as it may and else keeps the least deadwood. Draws no lots."""

    def discard(self, view: BotView) -> str:
        """The first knock, or the discard that leaves least."""
        knocks = view.actions("knock")
        after = view.deadwood_after
        return knocks[0].id if knocks else f"discard:{min(after, key=after.__getitem__)}"


def failing(code: FaultCode, elapsed_ms: float = 0.0) -> Player:
    """A bot whose every call fails in this way."""

    def player(ask: Ask) -> Reply:
        return BotFault(code, "it was told to fail", elapsed_ms)

    return player


def after(calls: int, first: Player, then: Player) -> Player:
    """One player for so many calls, another from then on."""
    seen = 0

    def player(ask: Ask) -> Reply:
        nonlocal seen
        seen += 1
        return first(ask) if seen <= calls else then(ask)

    return player


@dataclass
class Watched:
    """A match that was played, with everything that the referee yielded."""

    outcome: MatchOutcome
    steps: list[Step] = field(default_factory=list)

    @property
    def hands(self) -> list[HandPlayed]:
        """Its hands in order."""
        return [step for step in self.steps if isinstance(step, HandPlayed)]

    @property
    def games(self) -> list[GamePlayed]:
        """Its games in order."""
        return [step for step in self.steps if isinstance(step, GamePlayed)]

    @property
    def asks(self) -> list[Ask]:
        """Every decision that was asked for."""
        return [step for step in self.steps if isinstance(step, Ask)]

    @property
    def notices(self) -> list[Notice]:
        """Every advisory message."""
        return [step for step in self.steps if isinstance(step, Notice)]


def watch(
    match: MatchSetup, players: Sequence[Player], history: Sequence[HandPlayed] = ()
) -> Watched:
    """Play a match and keep all steps."""
    steps: list[Step] = []
    outcome = run_match(match, players, history, steps.append)
    return Watched(outcome, steps)


def choosing(pick: Callable[[Ask], str]) -> Player:
    """A bot that answers the action id that a function picks."""
    return lambda ask: Answer(pick(ask), elapsed_ms=1.0)


def answering(ask: Ask, elapsed_ms: float) -> Reply:
    """A sensible answer that took so long."""
    reply = sensible(ask)
    assert isinstance(reply, Answer)
    return replace(reply, elapsed_ms=elapsed_ms)


def idle(ask: Ask) -> str:
    """The safe action: never a knock."""
    legal: list[dict[str, str]] = ask.request["legal"]  # type: ignore[assignment]
    return legal[0]["id"]
