"""What a bot author writes: a class with one method a phase, or a single function.

Every method receives a `BotView` and returns an action id, a `LegalAction` or a `Choice`. A bot
keeps no state between calls: requests of several matches arrive at once, in any order and
perhaps twice, so whatever it needs it finds in the view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, ClassVar, NamedTuple

from arena.bot.view import BotView, LegalAction
from arena.errors import UsageError
from arena.rules.base import Melds, Phase


class Choice(NamedTuple):
    """An answer with more than an action.

    ``melds``: how to lay the cards down with ``knock``, ``big_gin`` or ``declare``; left out, the
    referee uses the default spread. ``note``: up to 256 characters, kept with the hand.
    """

    action: str
    melds: Melds | None = None
    note: str | None = None


Chosen = str | LegalAction | Choice
"""What a bot's method may return."""


class Bot:
    """Override the methods of the phases you care about; the others play safe.

    ``name``, ``author``, ``version``: shown to people. ``games``: names of variants or families
    it plays, ``*`` for all. ``max_batch``: most decisions in one request, 1…64.
    ``max_concurrency``: most requests at the same time, 1…16. ``color``: ``#rrggbb``.
    ``homepage``: an address for people.
    """

    name: str = "unnamed bot"
    author: str = "anonymous"
    version: str = "1.0"
    games: Sequence[str] = ("*",)
    max_batch: int = 16
    max_concurrency: int = 4
    color: str | None = None
    homepage: str | None = None

    PHASES: ClassVar[frozenset[str]] = frozenset(set(Phase) - {Phase.OVER})
    """The phases of the protocol; each is answered by the method of its name."""

    def choose(self, view: BotView) -> Chosen:
        """The answer to one decision. Calls the method of the phase; a phase that this version of
        the SDK does not know gets the first legal action, which is always safe."""
        if view.phase not in self.PHASES:
            return view.safe
        chosen: Chosen = getattr(self, view.phase)(view)
        return chosen

    def first_upcard(self, view: BotView) -> Chosen:
        """Take the first upcard (``draw:discard``) or ``pass``."""
        return view.safe

    def first_upcard_dealer(self, view: BotView) -> Chosen:
        """The same question after the others passed."""
        return self.first_upcard(view)

    def forced_stock(self, view: BotView) -> Chosen:
        """Everybody passed: only the stock is left."""
        return view.safe

    def draw(self, view: BotView) -> Chosen:
        """Draw from the stock or a discard; in some games offer a double, or drop."""
        return view.safe

    def discard(self, view: BotView) -> Chosen:
        """Discard, knock, or declare, with the card drawn in hand."""
        return view.safe

    def answer_double(self, view: BotView) -> Chosen:
        """``accept`` or ``refuse`` a doubled stake."""
        return view.safe

    def last_discard(self, view: BotView) -> Chosen:
        """The stock is used up: take the last discard in order to knock, or ``pass``."""
        return view.safe

    def meld(self, view: BotView) -> Chosen:
        """Put melds or single cards on the table, then discard."""
        return view.safe

    def started(self, match: Mapping[str, Any]) -> None:
        """A match begins (the body of ``POST /start``). Advisory: it may never come."""

    def ended(self, event: Mapping[str, Any]) -> None:
        """A hand, game or match ended (the body of ``POST /end``). Advisory as well."""

    def info(self) -> dict[str, object]:
        """What ``GET /`` answers."""
        info: dict[str, object] = {
            "protocols": ["1.0"],
            "name": self.name,
            "author": self.author,
            "version": self.version,
            "games": list(self.games),
            "max_batch": self.max_batch,
            "max_concurrency": self.max_concurrency,
        }
        if self.color is not None:
            info["color"] = self.color
        if self.homepage is not None:
            info["homepage"] = self.homepage
        return info


NEAR_HOOK = 0.75
"""How alike a method's name and a hook's must be, from 0 to 1, for the one to be pointed out."""

_DETAILS = {"author", "version", "games", "max_batch", "max_concurrency", "color", "homepage"}


class FunctionBot(Bot):
    """A bot made of one function that answers every phase."""

    def __init__(
        self, function: Callable[[BotView], Chosen], *, name: str | None = None, **details: Any
    ) -> None:
        self._function = function
        self.name = name or self.function_name.replace("_", " ")
        for field, value in details.items():
            if field not in _DETAILS:
                raise TypeError(f"{field!r} is no detail of a bot; see arena.bot.Bot")
            setattr(self, field, value)

    @property
    def function_name(self) -> str:
        """What the function is called in its author's file."""
        return getattr(self._function, "__name__", "function")

    def choose(self, view: BotView) -> Chosen:
        """Ask the function."""
        return self._function(view)

    __call__ = choose


def from_function(
    name: str | None = None, **details: Any
) -> Callable[[Callable[[BotView], Chosen]], FunctionBot]:
    """Decorator that turns a function into a bot: ``@from_function(name="mine", games=["gin"])``.

    ``details`` are the attributes of `Bot`.
    """

    def wrap(function: Callable[[BotView], Chosen]) -> FunctionBot:
        return FunctionBot(function, name=name, **details)

    return wrap


def as_bot(player: Bot | Callable[[BotView], Chosen]) -> Bot:
    """The bot itself, or a bot made of the function.

    :raises UsageError: it is a class instead of a bot, or a detail of the bot is of a wrong kind.
    """
    if isinstance(player, type):
        raise UsageError(f"{player.__name__} is a class; make a bot of it: {player.__name__}()")
    bot = player if isinstance(player, Bot) else FunctionBot(player)
    if isinstance(bot.games, str):
        raise UsageError(
            f"games of {bot.name} is the text {bot.games!r}, which would be taken letter by "
            f"letter; write games = ({bot.games!r},)"
        )
    return bot


def answer(bot: Bot, request: Mapping[str, Any]) -> dict[str, object]:
    """The answer object for one decision request, as it travels.

    :raises TypeError: the bot returned something that is no answer.
    """
    chosen = bot.choose(BotView(request))
    reply: dict[str, object] = {"id": request["request_id"]}
    if isinstance(chosen, str):
        reply["action"] = chosen
    elif isinstance(chosen, LegalAction):
        reply["action"] = chosen.id
    elif isinstance(chosen, Choice):
        reply["action"] = chosen.action
        if chosen.melds is not None:
            reply["melds"] = chosen.melds
        if chosen.note is not None:
            reply["note"] = chosen.note[:256]
    elif chosen is None:
        asked = _method(bot, request["phase"])
        raise TypeError(f"{asked}() of {bot.name} returned None; did you forget `return`?")
    else:
        asked = _method(bot, request["phase"])
        raise TypeError(
            f"{asked}() of {bot.name} returned {chosen!r}; "
            "return an action id, a LegalAction or a Choice"
        )
    return reply


def _method(bot: Bot, phase: str) -> str:
    """Name of the method of the bot's author that answered."""
    if isinstance(bot, FunctionBot):
        return bot.function_name
    kind = type(bot)
    if kind.choose is not Bot.choose or phase not in Bot.PHASES:
        return "choose"
    if phase == "first_upcard_dealer" and kind.first_upcard_dealer is Bot.first_upcard_dealer:
        return "first_upcard"
    return phase


def misspelt_hooks(bot: Bot) -> list[str]:
    """A sentence for each public method of the author's that nobody will call although its name
    is nearly that of a method of `Bot` or `GinBot`."""
    ours = [kind for kind in type(bot).__mro__ if kind.__module__.startswith("arena.bot.")]
    known = {name for kind in ours for name, one in vars(kind).items() if callable(one)}
    known = {name for name in known if not name.startswith("_")}
    own = {
        name: kind
        for kind in type(bot).__mro__
        if kind not in ours and kind is not object
        for name, one in vars(kind).items()
        if isinstance(one, FunctionType) and not name.startswith("_") and name not in known
    }
    if not own:
        return []
    # Imported here since most bots have no method of their own, and start sooner without it.
    from arena.nearest import did_you_mean

    hints = {name: did_you_mean(name, known, NEAR_HOOK) for name in own}
    return [
        f"{own[name].__name__}.{name} is no method that the arena calls{hint}"
        for name, hint in hints.items()
        if hint
    ]
