"""How long a bot takes: its page and the export count the same times in the same way."""

from __future__ import annotations

from dataclasses import replace

from arena.referee.asks import Answer, Ask, Reply
from arena.referee.players import Player
from arena.site.views.latency import latency, times_of
from arena.store import Store
from arena.tournament.conduct import Conduct, conduct_rows, decisions_in, quantile_ms
from arena.tournament.dossier import StoredDossier
from tests.tournament.functions import enter, knocker, play


def taking(ms: float) -> Player:
    """A knocker that takes so long for each answer."""
    inner = knocker()

    def answer(ask: Ask) -> Reply:
        reply = inner(ask)
        assert isinstance(reply, Answer)
        return replace(reply, elapsed_ms=ms)

    return answer


def test_page_and_export_say_the_same_median() -> None:
    """The least time that half of the decisions did not exceed, be their number odd or even."""
    for times, median, p95 in (
        ([1, 100], 1, 100),
        ([1, 50, 100], 50, 100),
        ([*range(1, 21)], 10, 19),
        ([7], 7, 7),
    ):
        shown = latency([times], 1000)
        assert shown is not None
        assert (shown.median, shown.p95) == (median, p95)
        assert Conduct(times=times).quantile_ms(0.5) == median
        assert quantile_ms(times, 0.95) == p95


def test_answers_within_half_a_millisecond_count_too(store: Store) -> None:
    """They are times like others, on the page and in the export, and the chart shows them."""
    row = enter(store, 2, legs=1)
    play(store, row, [taking(0.2), taking(3.0)])
    played = [fixture for fixture in store.fixtures.of(row.id) if fixture.hands]
    exported = conduct_rows(StoredDossier(store, row.id))

    for entrant, ms in ((0, 0), (1, 3)):
        times = [
            times_of(hand, fixture.seats.index(entrant))
            for fixture in played
            for hand in store.hands.of(fixture.id)
        ]
        shown = latency(times, None)
        assert shown is not None
        assert shown.decisions == exported[entrant]["timed_decisions"] > 10
        assert shown.median == exported[entrant]["latency_p50_ms"] == ms
        assert [one.low for one in shown.bins] == [ms]
        assert len(shown.chart.bars) == 1


def test_a_bot_that_is_not_asked_any_more_took_no_time(store: Store) -> None:
    """The zeros of a seat with strikes are no times."""
    row = enter(store, 2, legs=1)
    play(store, row, [taking(0.2), taking(3.0)])
    fixture = next(one for one in store.fixtures.of(row.id) if one.hands)
    hand = store.hands.of(fixture.id)[0]
    books = tuple([*list(book)[:5], 9, "timeout", 1] for book in hand.books)
    struck = replace(hand, books=books)

    assert {one.ms for one in decisions_in(hand)} == {0, 3}
    assert {one.ms for one in decisions_in(struck)} == {None, 3}
    assert times_of(struck, fixture.seats.index(0)) == []
