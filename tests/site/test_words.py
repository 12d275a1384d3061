"""How numbers, cards, charts and tables are written."""

from __future__ import annotations

import math

import pytest

from arena.csvs import csv_text, safe
from arena.site.hands.cards import card_label, card_text
from arena.site.http.page_cache import PageCache, Recent
from arena.site.markdown import render
from arena.site.urls import Urls
from arena.site.views.charts import log_histogram, scale, whisker
from arena.site.views.formatting import (
    duration,
    halves,
    isolated,
    moment,
    number,
    percent,
    plural,
    signed,
    words,
)
from arena.site.views.options_text import options_text
from arena.tournament.formats.tables import Tables
from arena.tournament.model import FormatOptions


@pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf])
def test_numbers_that_are_none_are_dashes(value: float | None) -> None:
    """No NaN and no infinity is ever printed."""
    assert number(value) == signed(value) == percent(value) == duration(value) == "–"
    assert halves(value) == "–"


@pytest.mark.parametrize(
    ("value", "places", "plain", "with_sign"),
    [
        (1234567, 0, "1\u202f234\u202f567", "+1\u202f234\u202f567"),
        (-1234.5, 1, "−1\u202f234.5", "−1\u202f234.5"),
        (0, 0, "0", "0"),
        (-0.001, 2, "0.00", "0.00"),
        (0.001, 2, "0.00", "0.00"),
        (0.5, 2, "0.50", "+0.50"),
    ],
)
def test_numbers_as_written(value: float, places: int, plain: str, with_sign: str) -> None:
    """Groups of three, a real minus sign, no sign on what is written as zero."""
    assert number(value, places) == plain
    assert signed(value, places) == with_sign


def test_match_points_as_written() -> None:
    """Halves are halves."""
    assert [halves(v) for v in (0, 0.5, 1, 1.5, 12.5, 0.25)] == ["0", "½", "1", "1½", "12½", "0.25"]


def test_small_words() -> None:
    """Plurals, times, moments, codes."""
    assert [plural(n, "match") for n in (0, 1, 2)] == ["0 matches", "1 match", "2 matches"]
    assert [duration(ms) for ms in (0, 7, 2.55, 850, 2400, 200_000, 7_500_000)] == [
        "0 ms", "7 ms", "2.5 ms", "850 ms", "2.4 s", "3 min 20 s", "2 h 5 min",
    ]  # fmt: skip
    assert moment("2026-11-29T20:40:00.123Z") == "29 Nov 2026, 20:40 UTC"
    assert words("double_forfeit") == "double forfeit"


def test_cards_have_names() -> None:
    """Each card has a text alternative."""
    assert card_label("TS") == "ten of spades"
    assert card_label("JK") == "joker"
    assert card_text("AH") == "A♥"


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@x", "\tx", "\rx", "\nx", ' "=x', "＝x"])
def test_formulas_are_made_plain(text: str) -> None:
    """An apostrophe stands before them."""
    assert safe(text) == f"'{text}"


def test_plain_values_stay() -> None:
    """Numbers, ordinary texts and nothing are left alone."""
    assert [safe(v) for v in ("Ada", -5, -1.5, 2.0, None, "a=b")] == ["Ada", -5, -1.5, 2, "", "a=b"]
    assert csv_text(["=h"], [["a,b"]]) == '\'=h\r\n"a,b"\r\n'


def test_scales_hold_everything_and_have_round_ticks() -> None:
    """Also for one value, none, and values that are none."""
    at = scale([3.0, 7.0, None, math.inf], 0, 100, include=0)
    assert 0 <= at(0) < at(3) < at(7) <= 100
    assert at.ticks == (0.0, 2.0, 4.0, 6.0)
    for odd in ([], [5.0], [None]):
        alone = scale(odd, 0, 100)
        assert 0 <= alone(5.0) <= 100


def test_open_interval_goes_to_the_edge() -> None:
    """An unbeaten bot's interval has no upper end."""
    drawn = whisker(scale([1, 2, 3], 0, 100), 2, 1, None, None, "text")

    assert drawn.open_high
    assert not drawn.open_low
    assert drawn.x2 == 100


def test_histogram_draws_every_count_and_the_limit() -> None:
    """A bar for each bin that is not empty, and a line where the deadline lies."""
    chart = log_histogram([(1, 2, 5), (2, 4, 0), (4, 8, 10)], limit=(1000, "deadline"))

    assert len(chart.bars) == 2
    assert chart.line is not None
    assert max(bar.height for bar in chart.bars) == chart.bars[1].height
    assert all(0 <= bar.x <= chart.width and bar.y >= 0 for bar in chart.bars)
    assert log_histogram([]).bars == ()


def test_our_texts_keep_their_links_and_show_html_as_text() -> None:
    """Relative links lead below the folder; headings can be linked to; no raw HTML."""
    text = "# Title\n\n## A part\n\n[x](schemas/a.json) [y](https://e.org) <b>no</b>\n\n## A part\n"
    found = render(text, "/protocol/")

    assert found.title == "Title"
    assert 'href="/protocol/schemas/a.json"' in found.html
    assert 'href="https://e.org"' in found.html
    assert "&lt;b&gt;" in found.html
    assert [one.anchor for one in found.headings] == ["a-part", "a-part-1"]


def test_addresses_of_names_are_safe() -> None:
    """Whatever a bot is called, its address is made of letters, digits and hyphens."""
    urls = Urls("/root", "https://e.org")

    assert urls.bot(7, "<a/../b?c#d>") == "/root/bots/7-a-b-c-d"
    assert urls.bot(8, "深紅") == "/root/bots/8-bot"
    assert urls.twin("/") == "/index.json"
    assert urls.twin("/t/x", "page=2") == "/t/x.json?page=2"


def test_pages_are_kept_within_bounds() -> None:
    """The ones that were not asked for the longest make room; what is too large is not kept."""
    cache = PageCache(most_bytes=8_000)
    for key in range(20):
        cache.put(str(key), b"x" * 900, "text/html")
        cache.get("0")

    assert cache.get("0") is not None
    assert cache.get("1") is None
    assert cache.get("19") is not None
    cache.put("large", b"x" * 1_001, "text/html")
    assert cache.get("large") is None


def test_values_are_made_once_while_they_are_kept() -> None:
    """A key is asked for again without being made again."""
    recent: Recent[int] = Recent(most=2)
    made = []

    def get(key: int) -> int:
        def make() -> int:
            made.append(key)
            return key

        return recent.get(key, make)

    assert [get(key) for key in (1, 1, 2, 1, 3, 2)] == [1, 1, 2, 1, 3, 2]
    assert made == [1, 2, 3, 2]


@pytest.mark.parametrize(
    ("size", "all_orders", "said"),
    [
        (3, False, "the same deals 6 times, every seat order"),
        (4, False, "the same deals 4 times, every bot on every seat once"),
        (4, True, "the same deals 24 times, every seat order"),
    ],
)
def test_seat_orders_of_a_table_are_said_as_they_are_played(
    size: int, all_orders: bool, said: str
) -> None:
    """Rotations are not called every order."""
    options = FormatOptions(table_size=size, all_orders=all_orders)

    assert dict(options_text(Tables(), options, {}))["Mirrored"] == said


def test_names_in_sentences_keep_their_direction_to_themselves() -> None:
    """Whole names, the longer first, whatever is in them; the rest is escaped as it was."""
    said = isolated("مرحبا بك beats a<b 1–0, ann too & ann b.", ["مرحبا بك", "a<b", "ann", "ann b"])

    assert said == (
        "<bdi>مرحبا بك</bdi> beats <bdi>a&lt;b</bdi> 1–0, <bdi>ann</bdi> too &amp; "
        "<bdi>ann b</bdi>."
    )
    assert isolated("ann & bob", []) == "ann &amp; bob"
    assert isolated("rooster", ["r"]) == "rooster"
