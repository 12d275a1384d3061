"""Gets the bots of a tournament ready to be asked: processes started, lanes open, greeted once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field

from arena.attendant import Attended, close_all
from arena.config import TournamentConfig
from arena.errors import ConfigError, TooFewAnswer
from arena.launch import OwnedBot, is_owned
from arena.process import Interrupted, never
from arena.referee.verdicts import BotFault
from arena.rules.base import Variant
from arena.rules.games import claims_of
from arena.store import Store
from arena.store.rows import BotRow, EntrantRow, EntrantState, TournamentRow
from arena.tournament.playing.contact import HttpContact, greet
from arena.tournament.playing.reporter import Reporter
from arena.wire.crew import Crew
from arena.wire.endpoint import Endpoint
from arena.wire.greeting import UNKNOWN
from arena.wire.lane import Lane
from arena.wire.messages import BotInfo
from arena.wire.transport import WireOptions

SHOWN = 8
"""So many bots are named in one line."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """An entrant that has been greeted: all that is needed to ask it, from anywhere.

    ``answers``: whether it answered the greeting.
    """

    number: int
    name: str
    endpoint: Endpoint
    info: BotInfo
    secrets: tuple[str, ...] = field(repr=False)
    answers: bool

    def lane(self, crew: Crew, options: WireOptions) -> Lane:
        """A lane to it. Whoever opens it closes it."""
        return Lane(self.endpoint, self.info, crew=crew, options=options, secrets=self.secrets)


@contextmanager
def contestants(
    store: Store,
    tournament: TournamentRow,
    reporter: Reporter,
    on_error: Callable[[BaseException], None],
    on_absence: Callable[[float], None],
    stopping: Callable[[], bool] = never,
    *,
    all_present: bool = False,
) -> Iterator[Mapping[int, HttpContact]]:
    """Whoever answers in this tournament through lanes of this process, by entrant.

    ``on_error`` is told about bugs of the arena's own that come up while a bot is called,
    ``on_absence`` for how many seconds this process was stopped.

    :raises ConfigError: a bot cannot be started, or does not play this game.
    :raises Interrupted: the arena is to stop, so that bots are not awaited any more.
    """
    options = WireOptions(network=TournamentConfig.from_json(tournament.config).network)
    with ExitStack() as stack:
        present, attended = stack.enter_context(
            _called(store, tournament, reporter, stopping, all_present)
        )
        crew = Crew(on_error=on_error, on_absence=on_absence)
        stack.callback(crew.close)
        contacts = {
            one.number: HttpContact(one.lane(crew, options), attended.get(one.number))
            for one in present
        }
        for contact in contacts.values():
            stack.callback(contact.lane.close)
        yield contacts


@contextmanager
def roll_call(
    store: Store,
    tournament: TournamentRow,
    reporter: Reporter,
    stopping: Callable[[], bool] = never,
    *,
    all_present: bool = False,
) -> Iterator[list[Contestant]]:
    """Start the bots that are the arena's own, and greet all; the own ones are looked after
    meanwhile and ended afterwards.

    A bot that does not answer its greeting is entered all the same, be it the arena's own: it may
    come up, and if it does not, it loses its own matches and nobody else's. Where fewer than two
    answer there is nobody to lose to, and nothing is played. ``all_present``: nor unless all do.

    :raises ConfigError: a bot cannot be started, or does not play this game.
    :raises TooFewAnswer: fewer than two of those that have not left the tournament answer.
    :raises Interrupted: the arena is to stop, so that bots are not awaited any more.
    """
    with _called(store, tournament, reporter, stopping, all_present) as (present, _):
        yield present


@contextmanager
def _called(
    store: Store,
    tournament: TournamentRow,
    reporter: Reporter,
    stopping: Callable[[], bool],
    all_present: bool,
) -> Iterator[tuple[list[Contestant], Mapping[int, Attended]]]:
    """As `roll_call`, and by the entrant's number who looks after each that the arena started."""
    config = TournamentConfig.from_json(tournament.config)
    variant = config.variant()
    options = WireOptions(network=config.network)
    attended: dict[int, Attended] = {}
    with ExitStack() as stack:
        stack.callback(lambda: close_all(attended.values()))
        entrants = store.tournaments.entrants(tournament.id)
        bots = [store.bots.by_version(entrant.bot_version_id) for entrant in entrants]
        _start(bots, attended, stopping, reporter)
        endpoints = [
            Endpoint.parse(attended[at].bot.url if at in attended else bot.endpoint)
            for at, bot in enumerate(bots)
        ]
        infos = _greet_all(bots, endpoints, options, stopping)
        present = [
            Contestant(
                entrant.number,
                entrant.name,
                endpoint,
                _checked(store, entrant, info, variant, reporter),
                _secrets(bot),
                answers=isinstance(info, BotInfo),
            )
            for entrant, bot, endpoint, info in zip(entrants, bots, endpoints, infos, strict=True)
        ]
        _require_answers(store, tournament, entrants, present, all_present)
        for one in attended.values():
            one.watch()
        yield present, attended


def _require_answers(
    store: Store,
    tournament: TournamentRow,
    entrants: Sequence[EntrantRow],
    present: Sequence[Contestant],
    all_present: bool,
) -> None:
    """Play no tournament of forfeits.

    Bots that have left the tournament need not answer.

    :raises TooFewAnswer: fewer than two of the others answer, though there are two or more; or,
        with ``all_present``, not all of them.
    """
    playing = {row.number for row in entrants if row.state is EntrantState.PLAYING}
    silent = [one for one in present if one.number in playing and not one.answers]
    enough = not silent if all_present else len(playing) - len(silent) >= 2
    if len(playing) < 2 or enough:
        return
    named = _said_of("Silent:", [f"{one.name} ({one.endpoint.label})" for one in silent])
    so = "and all have to be present" if all_present else "so there is nothing to play"
    raise TooFewAnswer(
        f"only {len(playing) - len(silent)} of {len(playing)} bots answer, {so}. "
        f"{named}. Start them, see that they can be reached, and run the tournament again",
        leave=tournament.name if tournament.started_at is not None else None,
        database=store.path,
        enough=len(playing) - len(silent) >= 2,
    )


def _said_of(what: str, bots: Sequence[str]) -> str:
    """A line that is about these bots, of which not all are named where they are many."""
    more = len(bots) - SHOWN
    return f"{what} {', '.join(bots[:SHOWN])}{f' and {more} more' if more > 0 else ''}"


def _start(
    bots: Sequence[BotRow],
    attended: dict[int, Attended],
    stopping: Callable[[], bool],
    reporter: Reporter,
) -> None:
    """Start the bots of our own, all at the same time, and enter each under its place in the list.

    :raises ConfigError: one cannot be started.
    """

    def start(at: int) -> None:
        bot = bots[at]
        process = OwnedBot(bot.name, bot.endpoint, secret=bot.secret, stopping=stopping)
        attended[at] = Attended(process, reporter.message)

    with ThreadPoolExecutor(max_workers=8) as starters:
        own = [at for at, bot in enumerate(bots) if is_owned(bot.endpoint)]
        for _ in starters.map(start, own):
            pass
    processes = [attended[at].bot for at in own]
    for process in processes:
        if process.silence:
            reporter.message(process.silence)
    if listening := [f"{one.what} on {one.url}" for one in processes if not one.silence]:
        reporter.message(_said_of("started", sorted(listening)))


def _secrets(bot: BotRow) -> tuple[str, ...]:
    return tuple(secret for secret in (bot.secret, bot.old_secret) if secret)


def _greet_all(
    bots: list[BotRow],
    endpoints: list[Endpoint],
    options: WireOptions,
    stopping: Callable[[], bool],
) -> list[BotInfo | BotFault]:
    """What each bot says of itself, several asked at a time."""
    with ExitStack() as stack:
        # Entered first and so left last: once the lanes are closed no greeter waits for a bot.
        greeters = stack.enter_context(ThreadPoolExecutor(max_workers=8))
        # One for all: each crew has descriptors of its own, and there may be a thousand bots.
        crew = Crew(1)
        stack.callback(crew.close)
        lanes = [
            Lane(endpoint, UNKNOWN, crew=crew, options=options, secrets=_secrets(bot))
            for bot, endpoint in zip(bots, endpoints, strict=True)
        ]
        for lane in lanes:
            stack.callback(lane.close)
        waiting = [greeters.submit(_greet_once, lane) for lane in lanes]
        while not all(greeting.done() for greeting in waiting):
            wait(waiting, timeout=0.05)
            if stopping():
                raise Interrupted("the bots' greetings were no longer awaited")
        return [greeting.result() for greeting in waiting]


def _greet_once(lane: Lane) -> BotInfo | BotFault:
    """Greet a bot over a connection that is not kept."""
    try:
        return greet(lane)
    finally:
        lane.close()


def _checked(
    store: Store,
    entrant: EntrantRow,
    info: BotInfo | BotFault,
    variant: Variant,
    reporter: Reporter,
) -> BotInfo:
    if isinstance(info, BotFault):
        reporter.message(f"{entrant.name} does not answer ({info.code}: {info.detail})")
        return UNKNOWN
    if not info.plays(*claims_of(variant)):
        raise ConfigError(
            f"bot {entrant.name!r} does not play {variant.name}; "
            f"it plays: {', '.join(info.games)}. Leave it out or choose another game; a bot for "
            f"all games of this family says {claims_of(variant)[-1]!r}"
        )
    store.bots.set_info(entrant.bot_version_id, asdict(info))
    return info
