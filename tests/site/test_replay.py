"""Replays: every game, every card in its place, every choice that there was."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from arena.rules.base import Ending, HandOutcome, action
from arena.rules.games import all_variants, find_variant
from arena.rules.record import parse
from arena.site import create_app
from arena.site.hands.frame import Frame
from arena.site.hands.replay import frames, isolate, text_of, with_names
from arena.store import Store
from arena.store.rows import HandRow
from arena.tournament.model import FormatOptions
from tests.site.playing import play

SEATS = {"gin": 2, "mahjong": 2, "battle_royal": 3, "cutthroat": 3, "chouette": 4, "teams": 4}


def hands(store: Store, tournament_id: str) -> list[HandRow]:
    """All hands of a tournament."""
    return [h for f in store.fixtures.of(tournament_id) for h in store.hands.of(f.id)]


def all_cards(frame: Frame) -> list[str]:
    """Every card that can be seen in a frame."""
    seen = [*frame.discard]
    for _, cards in frame.places:
        seen += cards
    for held in frame.hands:
        seen += [*held.loose, *(card for meld in (*held.melds, *held.table) for card in meld)]
    return seen


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        *(("indian_points", seats) for seats in (2, 3, 4, 5, 6)),
        ("indian_pool_101", 3),
        *((variant.name, SEATS[variant.family.name])
          for variant in all_variants() if variant.family.name in SEATS),
    ],
)  # fmt: skip
def test_every_game_can_be_replayed(rules: str, seats: int, store: Store) -> None:
    """Cards are conserved in every frame, and legal actions hold the one that was taken."""
    fewer = find_variant(rules).family.name == "indian"
    id = play(
        store, "one", [f"bot {n}" for n in range(seats)], rules=rules,
        format="tables" if seats > 2 else "round-robin",
        options=FormatOptions(games=1, table_size=seats, fewer_points_win=fewer), matches=1,
    )  # fmt: skip
    found = hands(store, id)[:4]

    assert found
    for row in found:
        record = parse(row.record)
        made, outcome = frames(record, row.times)
        deck = Counter(record.deck)
        assert len(made) == len(record.plays) + 1 + made[-1].showdown
        assert made[-1].showdown == bool(outcome.shown)
        assert outcome.ending == row.ending
        for frame in made:
            seen = Counter(all_cards(frame))
            assert sum(seen.values()) + frame.stock == len(record.deck)
            assert not seen - deck
            assert len(frame.hands) == len(record.plan.seats)
        for frame in made[1 : len(record.plays) + 1]:
            assert frame.position is not None
            assert frame.action in frame.legal or frame.fault is not None
            assert frame.before is not None
            assert frame.after is not None


def test_deadwood_falls_and_the_time_is_told(client: FlaskClient) -> None:
    """A draw never leaves more deadwood than before; times are those of the record."""
    page = client.get(f"{first_hand(client, 'autumn-league')}.json").get_json()
    draws = [f for f in page["frames"] if (f["action"] or "").startswith("draw:")]

    assert draws
    assert all(frame["after"] <= frame["before"] for frame in draws)
    assert all(frame["ms"] is None or frame["ms"] > 0 for frame in page["frames"])
    assert page["frames"][0]["action"] is None


def first_hand(client: FlaskClient, slug: str) -> str:
    """The address of the first hand of a tournament that is open to everybody."""
    schedule = client.get(f"/t/{slug}/schedule.json?only=finished").get_json()
    for played in (line for part in schedule["rounds"] for line in part["matches"]):
        match = client.get(played["url"] + ".json").get_json()
        for hand in (hand for game in match["games"] for hand in game["hands"]):
            if hand["url"]:
                return str(hand["url"])
    raise AssertionError(f"no hand of {slug} is open")


def test_link_to_a_move_shows_that_move(client: FlaskClient) -> None:
    """Without a script the same links lead from move to move; odd numbers show the deal."""
    address = first_hand(client, "autumn-league")
    html = client.get(f"{address}?move=3").get_data(as_text=True)

    assert 'href="?move=2" data-go="back"' in html
    assert 'data-move="3" aria-current="step"' in html
    for odd in ("", "?move=99999", "?move=-1", "?move=x", "?move=٣"):
        html = client.get(f"{address}{odd}").get_data(as_text=True)
        assert 'data-move="0" aria-current="step"' in html


def test_result_is_told_in_a_sentence_with_names(client: FlaskClient) -> None:
    """The sentence names the bots, not positions, and shows cards with their pips."""
    for slug in ("autumn-league", "bazaar", "royal-evening", "mahjong-night"):
        page = client.get(f"{first_hand(client, slug)}.json").get_json()
        ending = page["ending"]
        assert ending["sentence"]
        assert not re.search(r"\bP[0-9]", ending["sentence"])
        if ending["winner"] is not None:
            winner = page["players"][ending["winner"]]["name"]
            assert isolate(winner) in ending["sentence"]


def test_names_in_sentences_are_not_replaced_again() -> None:
    """A bot called P1 or 7H stays what it is; right-to-left names are set apart."""
    names = ["P1", "7H", "مرحبا"]

    assert with_names("P0 beats P1 with 7H; P2, P9", names) == (
        "P1 beats 7H with 7♥; \u2068مرحبا\u2069, P9"
    )


def test_every_action_has_words() -> None:
    """Each kind of action reads as a sentence's end."""
    texts = {
        "draw:stock": "draws from the stock",
        "draw:discard": "takes the upcard from the discard pile",
        "draw:under": "takes the discard of the player before last",
        "take:1": "takes 1 card from the discard pile",
        "take:3": "takes 3 cards from the discard pile",
        "meld:7H8H9H": "lays down 7♥ 8♥ 9♥",
        "add:TH:0": "adds 10♥ to a meld on the table",
        "discard:AS": "throws A♠",
        "knock:KD": "knocks, throwing K♦",
        "declare:JK": "declares, finishing with ★",
        "big_gin": "goes big gin",
        "double": "offers to double",
        "accept": "accepts the double",
        "refuse": "refuses the double",
        "drop": "drops out of the hand",
        "pass": "passes",
    }

    assert {id: text_of(action(id)) for id in texts} == texts
    assert text_of(action("draw:stock"), ["9H"]) == "draws 9♥ from the stock"


def test_record_that_cannot_be_played_is_shown_as_it_is(database: Path) -> None:
    """A damaged record costs the picture, not the page."""
    with Store(database) as store:
        row = store.tournaments.by_slug("autumn-league")
        assert row is not None
        fixture = store.fixtures.of(row.id)[0]
        with store.transaction() as conn:
            conn.execute(
                "UPDATE hands SET record = 'H1 <b>broken' WHERE fixture ="
                " (SELECT serial FROM fixtures WHERE id = ?)",
                [fixture.id],
            )
    answer = create_app(database).test_client().get(f"/t/autumn-league/m/{fixture.id}/1-1")
    html = answer.get_data(as_text=True)

    assert answer.status_code == 200
    assert "cannot be replayed" in html
    assert "H1 &lt;b&gt;broken" in html


def test_outcome_of_a_forfeit_needs_no_cards() -> None:
    """A hand that ended by forfeit has an ending without a showdown."""
    from arena.site.hands.replay import ending_of

    found = ending_of(HandOutcome(Ending.FORFEIT, (0, 0), 1, (), "P0 forfeits"), ["a", "b"])

    assert found.sentence == "a forfeits"
    assert found.shown == ()
