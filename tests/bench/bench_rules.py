"""How fast the rules engine is; the part ``rules`` of the suite.

Hands a second for two ways of playing (dealing, engine and the players' own thinking, one thread)
and microseconds for the searches that every step rests on, on hands as they come up and on dense
ones, which have the most melds. A random player looks at nothing but what is legal, as those of
the peers do; one that is handed a view for each decision, as a bot is, is measured beside it. So
is the simulator (see `bench_sim`). All figures are processor time, so that other work on the
machine disturbs them little.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from arena.rules.base import Action, DealPlan, Hand, Phase, View
from arena.rules.cards import BIT, NAMES, mask_of
from arena.rules.deal import deal_seed, shuffled
from arena.rules.games import find_variant
from arena.rules.gin.actions import DISCARDS, DRAW_DISCARD, DRAW_STOCK, KNOCKS, PASS
from arena.rules.layoffs import defend
from arena.rules.melds import default_spread, meld_tables
from arena.sim import random_legal
from arena.sim import simple as simulated_simple
from tests.bench.bench_sim import SIM, contest_of_simulator, simulated_hands
from tests.bench.suite import Claim, Contest, Entry, Setting, Side
from tests.bench.suite_peers import COMPILED, OPEN_SPIEL, PETTINGZOO, RLCARD, sides_of

Player = Callable[[Hand, int, tuple[Action, ...]], Action]
"""From a hand, the position to move and its legal actions to one of these."""
TABLES = meld_tables()


def simple(view: View, legal: tuple[Action, ...]) -> Action:
    """Take an upcard that lowers the deadwood, throw the best card, knock when possible."""
    hand = 0
    for name in view.hand:
        hand |= BIT[name]
    if view.phase is Phase.DISCARD:
        drawn = view.drawn
        kept = BIT[drawn] if view.taken and drawn is not None else 0
        left, card = TABLES.best_discard(hand, kept)
        limit = view.knock_limit
        return KNOCKS[card] if limit is not None and left <= limit else DISCARDS[card]
    if len(legal) == 1:
        return legal[0]
    upcard = BIT[view.discard_pile[-1]]
    if TABLES.best_discard(hand | upcard, upcard)[0] < TABLES.deadwood(hand):
        return DRAW_DISCARD
    return PASS if legal[0] is PASS else DRAW_STOCK


def random_player(seed: int) -> Player:
    """A player who does anything that is legal."""
    draw = random.Random(seed).random

    def choose(hand: Hand, position: int, legal: tuple[Action, ...]) -> Action:
        return legal[int(draw() * len(legal))]

    return choose


def seeing(player: Player) -> Player:
    """The same player, handed a view of the hand for each decision."""

    def choose(hand: Hand, position: int, legal: tuple[Action, ...]) -> Action:
        hand.view(position)
        return player(hand, position, legal)

    return choose


def simple_player(hand: Hand, position: int, legal: tuple[Action, ...]) -> Action:
    """Plays as `simple` does."""
    return simple(hand.view(position), legal)


def hands_a_second(players: tuple[Player, Player], seconds: float) -> float:
    """Hands a second, dealing included."""
    variant = find_variant("gin")
    family, rules = variant.family, variant.rules
    deck = family.deck(rules)
    hands = 0
    start = time.process_time()
    while (passed := time.process_time() - start) < seconds:
        order = shuffled(deck, deal_seed(b"bench", "bench", 1, hands))
        hand = family.deal(rules, order, DealPlan((0, 1), hands & 1))
        position = hand.to_act
        while position is not None:
            hand = hand.apply(players[position](hand, position, hand.legal_actions()))
            position = hand.to_act
        hands += 1
    return hands / passed


def microseconds(function: Callable[[int], object], hands: Sequence[int]) -> float:
    """Mean time of a call, in the best of five rounds."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for hand in hands:
            function(hand)
        best = min(best, time.process_time() - start)
    return best / len(hands) * 1e6


def hands_of(count: int, size: int, ranks: str, seed: int) -> list[int]:
    """Random hands of cards of these ranks."""
    rng = random.Random(seed)
    pool = [name for name in NAMES if name[0] in ranks]
    return [mask_of(rng.sample(pool, size)) for _ in range(count)]


def knock_defence(hand: int) -> object:
    """The best answer to a knock on which much can be laid off."""
    return defend(hand, _SHOWN, TABLES, may_lay_off=True)


_SHOWN = default_spread(mask_of(["5H", "6H", "7H", "9C", "9D", "9H"]), TABLES)
_ANY, _DENSE = "A23456789TJQK", "3456"
CORNER = meld_tables("corner", 15)

SEARCHES: dict[str, tuple[Callable[[int], object], int, str]] = {
    "least deadwood of 10 cards": (TABLES.deadwood, 10, _ANY),
    "best discard of 11 cards": (TABLES.best_discard, 11, _ANY),
    "default spread of 10 cards": (lambda hand: default_spread(hand, TABLES), 10, _ANY),
    "defence against a knock": (knock_defence, 10, _ANY),
    "least deadwood of 10, dense": (TABLES.deadwood, 10, _DENSE),
    "best discard of 11, dense": (TABLES.best_discard, 11, _DENSE),
    "default spread of 10, dense": (lambda hand: default_spread(hand, TABLES), 10, _DENSE),
    "least deadwood of 10, dense corner": (CORNER.deadwood, 10, "QKA2"),
    "best discard of 11, dense corner": (CORNER.best_discard, 11, "QKA2"),
}
"""What is searched, the cards of a hand, and the ranks that it is drawn from."""

RANDOM, SIMPLE, SEARCH = "random v random", "simple v simple", "searches"
ARENA, WITH_VIEWS = "gin-arena", "gin-arena with views"


def search_sides() -> list[Side]:
    """The searches, each on its own hands."""
    return [
        Side(name, partial(_search, function, hands_of(2000, size, ranks, size)))
        for name, (function, size, ranks) in SEARCHES.items()
    ]


def _search(function: Callable[[int], object], hands: Sequence[int], seconds: float) -> float:
    return microseconds(function, hands)


def _rate(players: Callable[[], tuple[Player, Player]], seconds: float) -> float:
    return hands_a_second(players(), seconds)


def two_random() -> tuple[Player, Player]:
    """Two random players, the same ones each time."""
    return random_player(1), random_player(2)


def two_seeing() -> tuple[Player, Player]:
    """The same, each handed a view for each decision."""
    return seeing(random_player(1)), seeing(random_player(2))


def two_simple() -> tuple[Player, Player]:
    """Two players that think as the sample bot `simple` does."""
    return simple_player, simple_player


PLAYERS = {"random": two_random, "random-with-views": two_seeing, "simple": two_simple}
"""Who plays, by what a process with compiled rules is asked for."""


@contextmanager
def contests(setting: Setting) -> Iterator[list[Contest]]:
    """Hands a second beside the peers, and the searches."""
    wanted = [
        (COMPILED, RANDOM, "random"),
        (COMPILED, RANDOM, "random-with-views"),
        (COMPILED, SIMPLE, "simple"),
        (OPEN_SPIEL, RANDOM, "random-clone"),
        (OPEN_SPIEL, RANDOM, "random-new-state"),
        (RLCARD, RANDOM, "random-engine"),
        (RLCARD, RANDOM, "random-run"),
        (PETTINGZOO, RANDOM, "random"),
        (OPEN_SPIEL, SIMPLE, "simple-clone"),
        (OPEN_SPIEL, SIMPLE, "simple-new-state"),
        (RLCARD, SIMPLE, "simple-run"),
    ]
    rounds, seconds = setting.rounds(5), setting.seconds(1.5, 0.5)
    with sides_of(setting, wanted) as peers:
        yield [
            Contest(
                RANDOM,
                "hands/s",
                [
                    Side(ARENA, partial(_rate, two_random)),
                    Side(WITH_VIEWS, partial(_rate, two_seeing)),
                    Side(SIM, partial(simulated_hands, random_legal)),
                    *peers(RANDOM),
                ],
                [
                    Claim(ARENA, least=5000),
                    Claim(COMPILED.title, least=5000),
                    Claim(ARENA, "OpenSpiel clone", least=1),
                ],
                seconds,
                rounds,
            ),
            Contest(
                SIMPLE,
                "hands/s",
                [
                    Side(ARENA, partial(_rate, two_simple)),
                    Side(SIM, partial(simulated_hands, simulated_simple)),
                    *peers(SIMPLE),
                ],
                [Claim(ARENA, least=3000), Claim(ARENA, "OpenSpiel clone", least=1)],
                seconds,
                rounds,
            ),
            contest_of_simulator(rounds, seconds),
            Contest(
                SEARCH,
                "us",
                search_sides(),
                [
                    Claim("least deadwood of 10 cards", most=3),
                    Claim("best discard of 11 cards", most=12),
                    Claim("least deadwood of 10, dense", most=30),
                    Claim("best discard of 11, dense", most=30),
                ],
                rounds=setting.rounds(5),
                more_is_better=False,
            ),
        ]


ENTRY = Entry("rules", "the rules engine, in process, one thread", contests)
