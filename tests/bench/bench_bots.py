"""How strong and fast the sample bots are: ``python -m tests.bench.bench_bots [PAIRS] [GAMES]``.

Strength: points a mirrored pair of hands with a 95 % interval, and games to the target won, of
each bot against the one before. Speed: microseconds of processor time for a decision, what the
SDK adds to a bot that does not think, and decisions a second over loopback.
"""

from __future__ import annotations

import importlib
import io
import math
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import orjson

from arena.bot import Bot, BotServer, FunctionBot, answer
from arena.bot.app import BotApp
from arena.bot.practice import duel
from arena.referee.decision import HandContext
from arena.referee.moments import Moment, moment_of
from arena.rules.base import Variant
from arena.rules.deal import deal_seed, shuffled
from arena.rules.games import find_variant
from arena.wire.client import BotClient
from arena.wire.conformance.positions import explore
from arena.wire.endpoint import Endpoint
from arena.wire.messages import act_body

LADDER = ("random_bot", "simple", "greedy", "keen")
SECRET = b"bench of the bots"


def bot_of(name: str) -> Bot:
    """A sample bot."""
    bot = importlib.import_module(f"arena.sample_bots.{name}").bot
    assert isinstance(bot, Bot)
    return bot


def game(bots: Sequence[Bot], variant: Variant, key: str, first_dealer: int) -> int | None:
    """The seat that wins one game to the target, None for a draw."""
    family, rules = variant.family, variant.rules
    sheet = family.new_sheet(rules, 2, first_dealer)
    number = 0
    while (plan := sheet.next_deal()) is not None:
        number += 1
        deck = shuffled(family.deck(rules), deal_seed(SECRET, key, 1, number))
        context = HandContext(
            "t_bench",
            f"m_{key}",
            1,
            number,
            variant.name,
            rules.as_dict(),
            plan,
            sheet.lines,
            sheet.columns,
            sheet.target,
            (0, 0),
        )
        hand = family.deal(rules, deck, plan)
        while hand.to_act is not None:
            moment = moment_of(hand, context)
            reply: dict[str, Any] = answer(bots[plan.seats[hand.to_act]], moment.request)
            hand = moment.after(reply["action"], reply.get("melds"))
        assert hand.outcome is not None
        sheet = sheet.add(hand.outcome)
    return sheet.winners[0] if len(sheet.winners) == 1 else None


def games_won(one: Bot, other: Bot, pairs: int) -> str:
    """Share of games that the first bot wins, each deal played from both seats."""
    variant = find_variant("gin")
    won, decided = 0, 0
    for pair in range(pairs):
        for half in (0, 1):
            seats = (one, other) if half == 0 else (other, one)
            winner = game(seats, variant, f"{pair}", pair % 2)
            decided += winner is not None
            won += winner == half
    share = won / max(1, decided)
    error = 1.96 * math.sqrt(share * (1 - share) / max(1, decided))
    return f"{share:.1%} ± {error:.1%} of {decided} games to 100"


def strength(pairs: int, games: int) -> None:
    """Each bot against the one before, and the strongest against the well-known simple player."""
    for weaker, stronger in [*pairwise(LADDER), ("simple", "keen")]:
        one, other = bot_of(stronger), bot_of(weaker)
        print(f"{stronger} v {weaker}: {duel(one, other, pairs=pairs)}", flush=True)
        if weaker != "random_bot":
            print(f"{stronger} v {weaker}: {games_won(one, other, games // 2)}", flush=True)


def microseconds(work: Callable[[], object], times: int) -> float:
    """Processor time of one call."""
    begin = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - begin) / times * 1e6


def positions(variant: str) -> list[Moment]:
    """Decisions of one game."""
    return [found.moment for found in explore(find_variant(variant), 8)]


def thinking() -> None:
    """Processor time of a decision, averaged over positions of every kind."""
    for name, variant in (
        *((name, "gin") for name in LADDER),
        ("mahjong_simple", "mahjong"),
        ("indian_simple", "indian_points"),
    ):
        bot, asked = bot_of(name), positions(variant)
        for moment in asked:
            answer(bot, moment.request)
        times = max(1, 400 // len(asked))
        spent = [microseconds(partial(answer, bot, one.request), times) for one in asked]
        print(f"{name}: {sum(spent) / len(asked):.0f} µs a decision of {variant}")


def overhead() -> None:
    """What the SDK costs beside the server and the bot's thoughts."""
    app = BotApp(FunctionBot(lambda view: view.safe))
    moment = max(positions("gin"), key=lambda one: len(one.legal))
    for size in (1, 16):
        body = act_body([moment.request] * size)
        environ = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": "/act",
            "CONTENT_LENGTH": str(len(body)),
        }

        def serve(body: bytes = body, environ: dict[str, str] = environ) -> object:
            request = {**environ, "wsgi.input": io.BytesIO(body)}
            return app(request, lambda status, headers: None)

        print(
            f"SDK: {microseconds(serve, 4000):.0f} µs for a request of {size} ({len(body)} bytes)"
        )


def sockets(seconds: float = 2.0) -> None:
    """Decisions a second over loopback with one connection, client and server in one process."""
    moment = positions("gin")[0]
    with BotServer(FunctionBot(lambda view: view.safe, max_batch=64)) as server:
        client = BotClient(Endpoint.parse(server.url))
        for size in (1, 16):
            body = act_body([moment.request] * size)
            calls, begin = 0, time.perf_counter()
            while (spent := time.perf_counter() - begin) < seconds:
                received = client.post("/act", body, (5000.0,))
                calls += 1
            assert len(orjson.loads(received.body)["answers"]) == size
            print(f"sockets: {calls * size / spent:,.0f} decisions a second in requests of {size}")
        client.close()


def main() -> None:
    """Print everything."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    thinking()
    overhead()
    sockets()
    strength(pairs, games)


if __name__ == "__main__":
    main()
