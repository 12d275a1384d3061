"""Whole matches of every larger table under the referee: who is asked, and what he is told."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from arena.referee.asks import Answer, Ask, Reply
from arena.referee.match import GamePlayed, HandPlayed, MatchOutcome, Step
from arena.referee.players import run_match
from arena.referee.verdicts import BotFault, FaultCode
from arena.rules.base import Variant
from arena.rules.games import find_variant, variant_with
from arena.rules.record import parse, replay, verify
from arena.rules.tables import chouette, cutthroat, mahjong, royal, teams
from tests.referee.matches import seeded

CARD = re.compile(r"(?<![A-Za-z0-9_])[A2-9TJQK][CDHS](?![A-Za-z])|(?<=[CDHS])[A2-9TJQK][CDHS]")
SEATS = [
    ("mahjong", 2),
    ("battle_royal", 3),
    ("cutthroat", 3),
    ("chouette", 3),
    ("chouette", 6),
    ("teams", 4),
    ("teams_tedesco", 6),
    ("teams_round_the_corner", 10),
]
each_table = pytest.mark.parametrize(("name", "players"), SEATS)


class Watched:
    """A match between random bots, with every request that went out, hand by hand."""

    def __init__(
        self,
        variant: Variant,
        players: int,
        seed: int,
        games: int = 1,
        broken: int | None = None,
    ) -> None:
        self.broken = broken
        self.hands: list[HandPlayed] = []
        self.games: list[GamePlayed] = []
        self.asks: list[list[Ask]] = [[]]
        self.rng = Random(seed)
        setup = seeded(variant, players, seed, games)
        self.outcome: MatchOutcome = run_match(setup, [self.answer] * players, watch=self.watch)

    def answer(self, ask: Ask) -> Reply:
        """Melds, deep draws and knocks are preferred; a broken bot refuses every call."""
        self.asks[-1].append(ask)
        if ask.seat == self.broken:
            return BotFault(FaultCode.REFUSED, "nobody listens")
        legal: Any = ask.request["legal"]
        keen = [each for each in legal if each["kind"] in ("meld", "add", "take", "knock")]
        choice = self.rng.choice(keen if keen and self.rng.random() < 0.7 else legal)
        return Answer(choice["id"], elapsed_ms=1.0)

    def watch(self, step: Step) -> None:
        """Keep finished hands and games."""
        if isinstance(step, HandPlayed):
            self.hands.append(step)
            self.asks.append([])
        if isinstance(step, GamePlayed):
            self.games.append(step)


def short(name: str, max_hands: int) -> Variant:
    """The variant with games of few hands."""
    return variant_with(name, {"max_hands": max_hands})


def cards_in(value: object) -> set[str]:
    """Every card that a JSON text names, alone or inside an action's id."""
    return set(CARD.findall(json.dumps(value)))


def test_the_scan_finds_cards_wherever_they_stand() -> None:
    """Alone, in ids, and in rows; field names and words are no cards."""
    found = cards_in({"a": ["7H"], "id": "meld:2C3C4C", "add": "add:KD:0", "dealt_as": "known"})
    assert found == {"7H", "2C", "3C", "4C", "KD"}


@each_table
def test_only_seats_that_play_a_hand_are_asked(name: str, players: int) -> None:
    """Idle seats get no request, and in every request they show no cards."""
    watched = Watched(short(name, 2), players, 1, games=2)
    assert len(watched.games) == 2
    idle_seen = False
    for hand, asks in zip(watched.hands, watched.asks, strict=False):
        seats = parse(hand.record).plan.seats
        assert {ask.seat for ask in asks} <= set(seats)
        for ask in asks:
            request: Any = ask.request
            assert request["players"][ask.seat]["position"] == request["position"]
            for player in request["players"]:
                if player["seat"] not in seats:
                    idle_seen = True
                    assert player["position"] is None
                    assert (player["cards"], player["known"], player["active"]) == (0, [], False)
    assert idle_seen == (name not in ("mahjong", "battle_royal"))


@pytest.mark.parametrize(
    ("name", "players"), [("battle_royal", 3), ("cutthroat", 3), ("mahjong", 2)]
)
def test_a_bot_that_is_out_of_the_game_is_not_asked_again(name: str, players: int) -> None:
    """Three strikes; at a larger table the others then play on against its safe actions."""
    broken = Watched(short(name, 1), players, 6).asks[0][0].seat
    watched = Watched(short(name, 4), players, 6, broken=broken)
    asked = [ask.seat for asks in watched.asks for ask in asks]
    assert asked.count(broken) == 3
    last = max(at for at, seat in enumerate(asked) if seat == broken)
    assert (len(asked) > last + 20) == (players > 2)
    assert watched.games[0].places[broken] == players
    assert broken not in watched.games[0].winners


@each_table
def test_no_request_names_a_card_the_seat_may_not_know(name: str, players: int) -> None:
    """Against the true state of every decision: other hands and the stock never appear."""
    watched = Watched(short(name, 2), players, 2)
    decisions = 0
    for hand, asks in zip(watched.hands, watched.asks, strict=False):
        states = list(replay(parse(hand.record)))
        for ask, state in zip(asks, states, strict=False):
            request: Any = ask.request
            decisions += 1
            position = request["position"]
            assert position == state.to_act
            places = state.cards_by_place()
            view = state.view(position)
            public = {card for each in view.positions for card in each.known}
            hidden = set(places["stock"]) | {
                card
                for at in range(len(view.positions))
                if at != position
                for card in places[f"hand{at}"]
            }
            # the log is public: it may name cards that have since come back into a hand
            logged = cards_in(request["log"])
            told = cards_in({key: value for key, value in request.items() if key != "log"})
            assert not told & (hidden - public)
            assert not logged & set(places["stock"])
    assert decisions > 20


@each_table
def test_records_replay_to_the_same_result(name: str, players: int) -> None:
    """Every hand verifies from its line of text alone."""
    for hand in Watched(short(name, 2), players, 3).hands:
        record = parse(hand.record)
        assert verify(record).points == hand.points
        assert record.outcome.ending == hand.ending


@each_table
def test_equal_secrets_and_answers_give_equal_matches(name: str, players: int) -> None:
    """Nothing but secret and answers decides."""
    first, second = (Watched(short(name, 1), players, 4) for _ in range(2))
    assert [hand.record for hand in first.hands] == [hand.record for hand in second.hands]
    assert first.outcome == second.outcome


@each_table
def test_places_name_every_seat(name: str, players: int) -> None:
    """Standings can place all seats; those of a winning side share the first place."""
    for game in Watched(short(name, 1), players, 5, games=2).games:
        assert len(game.places) == len(game.points) == players
        assert min(game.places) == 1
        assert all(game.places[seat] == 1 for seat in game.winners)


def test_every_variant_can_be_found_by_name() -> None:
    """The registry knows the larger tables and their aliases."""
    groups: Sequence[Sequence[Variant]] = (
        mahjong.VARIANTS,
        royal.VARIANTS,
        chouette.VARIANTS,
        cutthroat.VARIANTS,
        teams.VARIANTS,
    )
    for variant in (one for group in groups for one in group):
        assert all(find_variant(name) is variant for name in (variant.name, *variant.aliases))
