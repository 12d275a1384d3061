"""What grows with the field can be read on a phone, on a screen and on paper."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from arena.site import create_app
from arena.site.serve import SiteServer
from arena.store import Store
from arena.tournament.model import FormatOptions
from tests.site.factories import add_tournament

LAST = ("Ada", "Bertrand", "Charlie", "Dorothea", "Emmeline Pankhurst", "Franz", "Gin", "H")
NAMES = [f"{first}{last}" for first in ("long-winded-", "The ", "x", "Mr ") for last in LAST]
PHONE = {"width": 390, "height": 844}
A4_PX = 1047
"""A landscape page between its margins."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """A site with large fields."""
    path = tmp_path_factory.mktemp("layout") / "arena.db"
    with Store(path) as store:
        add_tournament(store, "Swiss", format="swiss", names=NAMES[:22])
        for name, count in (("Cup", 16), ("Large cup", 32)):
            add_tournament(store, name, format="double_elimination", names=NAMES[:count],
                           options=FormatOptions(best_of=5))  # fmt: skip
    with SiteServer(create_app(path)) as server:
        server.start()
        yield server


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """A page of a phone."""
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


def test_crosstable_keeps_names_and_numbers_in_sight(phone: Page, large: SiteServer) -> None:
    """Scrolled to its end on a phone, a crosstable still shows who a row and a column are."""
    phone.goto(f"{large.address}/t/swiss/crosstable")
    box = phone.locator(".cross-box").first
    box.evaluate("box => { box.scrollIntoView(); box.scrollTo(9999, 9999); }")
    place = box.bounding_box()
    name = box.locator("tbody th").last.bounding_box()
    number = box.locator("thead th").last.bounding_box()

    assert place is not None
    assert name is not None
    assert number is not None
    assert place["x"] <= name["x"] < place["x"] + 60
    assert place["y"] <= number["y"] < place["y"] + 60


def test_crosstable_of_22_fits_a_screen(page: Page, large: SiteServer) -> None:
    """Nothing is cut at 1280, rows are alike, and the header stays when the page is scrolled."""
    page.goto(f"{large.address}/t/swiss/crosstable")
    box = page.locator(".cross-box").first
    wide, room = box.evaluate("box => [box.firstElementChild.offsetWidth, box.clientWidth]")
    heights = box.locator("tbody tr").evaluate_all("rows => rows.map(row => row.offsetHeight)")
    page.evaluate("scrollTo(0, 600)")
    header = box.locator("thead th").first.bounding_box()

    assert wide <= room
    assert max(heights) - min(heights) <= 2
    assert header is not None
    assert header["y"] == 0


def test_double_elimination_of_16_fits_a_screen(page: Page, large: SiteServer) -> None:
    """No part of the bracket has to be scrolled to at 1280, and a box opens its match."""
    page.goto(f"{large.address}/t/cup/bracket")
    boxes = page.locator(".bracket-box")
    over = boxes.evaluate_all("boxes => boxes.map(box => box.scrollWidth - box.clientWidth)")
    page.locator(".tie .box").first.click(position={"x": 5, "y": 5})

    assert len(over) == 3
    assert over == [0, 0, 0]
    page.wait_for_url("**/t/cup/m/*")


@pytest.mark.parametrize("width", [1280, 390])
def test_double_elimination_of_32_can_be_read(page: Page, large: SiteServer, width: int) -> None:
    """No box lies over another or out of its frame, and the frame is scrolled, not the page."""
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{large.address}/t/large-cup/bracket")
    frames = page.locator(".bracket-box").evaluate_all(
        """frames => frames.map((frame) => [...frame.querySelectorAll(".tie .box")].map((box) => {
            const { left, top, right, bottom } = box.getBoundingClientRect();
            const start = frame.getBoundingClientRect().left - frame.scrollLeft;
            const inside = left >= start - 1 && right <= start + frame.scrollWidth + 1;
            return { left, top, right, bottom, inside };
        }))"""
    )
    boxes = [box for frame in frames for box in frame]

    assert [len(frame) for frame in frames] == [31, 30, 2]
    assert all(box["inside"] and box["right"] - box["left"] > 100 for box in boxes)
    for one, other in itertools.combinations(boxes, 2):
        assert (
            one["right"] <= other["left"] or other["right"] <= one["left"]
            or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]
        )  # fmt: skip
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    last = page.locator(".bracket-section .tie .box").nth(60)
    last.scroll_into_view_if_needed()
    last.click()
    page.wait_for_url("**/t/large-cup/m/*")


def test_rounds_of_a_bracket_are_chosen_on_a_phone(phone: Page, large: SiteServer) -> None:
    """Nothing is panned sideways: rounds are below each other, with links to each."""
    phone.goto(f"{large.address}/t/cup/bracket")
    over = phone.locator(".bracket-box").evaluate_all(
        "all => all.map(b => b.scrollWidth - b.clientWidth)"
    )
    phone.locator(".winners .rounds a").last.click()
    heading = phone.get_by_role("heading", name="Winners' final").bounding_box()

    assert over == [0, 0, 0]
    assert heading is not None
    assert 0 <= heading["y"] < 100


@pytest.mark.parametrize("slug", ["swiss", "cup"])
def test_schedule_fits_a_phone(phone: Page, large: SiteServer, slug: str) -> None:
    """Results are in sight without scrolling sideways, and large enough for a finger."""
    phone.goto(f"{large.address}/t/{slug}/schedule")
    results = phone.locator(".schedule a.to")
    boxes = results.evaluate_all("all => all.map(a => a.getBoundingClientRect().toJSON())")

    assert len(boxes) > 20
    assert all(box["right"] <= 390 and box["height"] >= 24 for box in boxes)
    assert not phone.locator("main .scroll").count()


@pytest.mark.parametrize("section", ["crosstable", "bracket"])
def test_paper_cuts_nothing(page: Page, large: SiteServer, section: str) -> None:
    """On a landscape page all columns are there."""
    page.set_viewport_size({"width": A4_PX, "height": 700})
    page.emulate_media(media="print")
    slug = {"crosstable": "swiss", "bracket": "cup"}[section]
    page.goto(f"{large.address}/t/{slug}/{section}")

    assert page.evaluate("document.documentElement.scrollWidth") <= A4_PX


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """A site with tournaments of long names, one of them running."""
    path = tmp_path_factory.mktemp("named") / "arena.db"
    with Store(path) as store:
        add_tournament(store, "W" * 60, names=NAMES[:4])
        add_tournament(store, "A tournament whose name is told in sixty letters and spaces.",
                       names=NAMES[4:8])  # fmt: skip
        add_tournament(store, "On now", names=NAMES[:4], play=3)
    with SiteServer(create_app(path)) as server:
        server.start()
        yield server


@pytest.mark.parametrize("width", [1280, 390])
def test_long_names_of_tournaments_keep_to_their_column(
    page: Page, named: SiteServer, width: int
) -> None:
    """A name is never beside or over the winner, and nothing is wider than the page."""
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(named.address)
    rows = page.locator("table.finished tbody tr").evaluate_all(
        """rows => rows.map((row) => [...row.querySelectorAll("bdi")].slice(0, 2)
            .map((name) => name.getBoundingClientRect().toJSON()))"""
    )

    assert len(rows) == 2
    for name, winner in rows:
        assert name["right"] <= winner["left"]
        assert winner["right"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_only_running_tournament_has_the_whole_width(page: Page, named: SiteServer) -> None:
    """No place is left empty beside its card."""
    page.goto(named.address)
    boxes = [page.locator(what).bounding_box() for what in (".cards", ".cards .panel")]

    assert boxes[0] is not None
    assert boxes[1] is not None
    assert page.locator(".cards .panel").count() == 1
    assert boxes[1]["width"] == boxes[0]["width"]


def test_hands_of_a_match_fit_a_phone(phone: Page, named: SiteServer) -> None:
    """Each side's points and the score are there without scrolling sideways."""
    client = named.app.test_client()
    schedule = client.get(f"/t/{'w' * 60}/schedule.json").get_json()
    phone.goto(named.address + schedule["rounds"][0]["matches"][0]["url"])
    over = phone.locator("main .scroll").evaluate_all("all => all.map(b => b.scrollWidth - 358)")

    assert max(over) <= 0


def test_games_are_named_in_whole_words_on_a_phone(phone: Page, named: SiteServer) -> None:
    """The list of games needs no scrolling, and no name is broken inside a word."""
    phone.goto(f"{named.address}/games")
    over = phone.locator("main .scroll").evaluate_all("all => all.map(b => b.scrollWidth - 358)")
    widths = phone.locator("tbody th a").evaluate_all(
        """links => links.map((link) => {
            const cell = link.closest("th");
            const probe = document.createElement("span");
            document.body.append(probe);
            probe.style.cssText = "position: absolute; white-space: nowrap";
            probe.style.font = getComputedStyle(link).font;
            const words = link.textContent.split(/[\\s\\u2010-]+/).map((word) => {
                probe.textContent = word;
                return probe.getBoundingClientRect().width;
            });
            probe.remove();
            return Math.max(...words) - cell.clientWidth;
        })"""
    )

    assert max(over) <= 0
    assert len(widths) > 20
    assert max(widths) <= 0
