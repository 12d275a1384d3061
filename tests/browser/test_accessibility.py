"""axe-core finds nothing on any page, in light and dark; nothing scrolls sideways; keys suffice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.site.serve import SiteServer
from tests.browser.conftest import ARTIFACTS, ORGANISER

AXE = (Path(__file__).parents[1] / "data" / "axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDTHS = (1280, 390, 360)

PAGES = {
    "home": "/",
    "tournament": "/t/autumn-league",
    "running": "/t/sunday-table",
    "groups": "/t/groups",
    "crosstable": "/t/autumn-league/crosstable",
    "strength": "/t/autumn-league/strength",
    "notable": "/t/autumn-league/notable",
    "conduct": "/t/autumn-league/conduct",
    "schedule": "/t/sunday-table/schedule",
    "fairness": "/t/autumn-league/fairness",
    "bracket": "/t/winter-cup/bracket",
    "entries": "/t/spring-league/entries",
    "double": "/t/double-trouble/bracket",
    "match": "MATCH",
    "hand": "HAND",
    "showdown": "SHOWDOWN",
    "table of four": "BAZAAR",
    "bots": "/bots",
    "bot": "BOT",
    "games": "/games",
    "game": "/games/oklahoma",
    "protocol": "/protocol",
    "search": "/search?q=a",
    "submit": "/submit",
    "account": "/account",
    "about": "/about",
    "api": "/api",
    "missing": "/no/such/page",
    "organise": "/organise",
    "new tournament": "/organise/new",
    "entrants": "/organise/t/spring-league/entrants",
    "cancel": "/organise/t/sunday-table/cancel",
}


@pytest.fixture(scope="module")
def addresses(reading: SiteServer) -> dict[str, str]:
    """The address of each page."""
    client = reading.app.test_client()

    def first_match(slug: str) -> str:
        schedule = client.get(f"/t/{slug}/schedule.json?only=finished").get_json()
        return str(schedule["rounds"][0]["matches"][0]["url"])

    def first_hand(slug: str) -> str:
        games = client.get(f"{first_match(slug)}.json").get_json()["games"]
        return str(games[0]["hands"][0]["url"])

    shown = first_hand("autumn-league")
    last = len(client.get(f"{shown}.json").get_json()["frames"]) - 1
    special = {
        "MATCH": first_match("autumn-league"),
        "HAND": f"{shown}?move=4",
        "SHOWDOWN": f"{shown}?move={last}",
        "BAZAAR": first_hand("bazaar"),
        "BOT": client.get("/bots.json").get_json()["bots"][0]["url"],
    }
    return {name: special.get(address, address) for name, address in PAGES.items()}


@pytest.fixture(scope="module", params=["light", "dark"])
def watcher(
    request: pytest.FixtureRequest, chromium: Browser, reading: SiteServer
) -> Iterator[Page]:
    """The organiser's browser in one colour scheme, with scripts of a test allowed."""
    context = chromium.new_context(color_scheme=request.param, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{reading.address}/account")
    page.fill("#f-token", ORGANISER)
    page.press("#f-token", "Enter")
    page.wait_for_url("**/organise")
    yield page
    context.close()


@pytest.mark.parametrize("name", list(PAGES))
def test_page_is_accessible(
    name: str, watcher: Page, reading: SiteServer, addresses: dict[str, str]
) -> None:
    """No violation of WCAG 2.2 AA or good practice, and no sideways scrolling at any width."""
    is_dark = watcher.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    scheme = "dark" if is_dark else "light"
    ARTIFACTS.mkdir(exist_ok=True)
    watcher.set_viewport_size({"width": WIDTHS[0], "height": 900})
    watcher.goto(reading.address + addresses[name])
    watcher.add_script_tag(content=AXE)
    for width in WIDTHS:
        watcher.set_viewport_size({"width": width, "height": 900})
        wide = watcher.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (name, width, wide)
        if width != WIDTHS[-1]:
            shot = ARTIFACTS / f"{name.replace(' ', '-')}-{width}-{scheme}.png"
            watcher.screenshot(path=str(shot), full_page=True)
    found = watcher.evaluate(
        "only => axe.run({runOnly: only, resultTypes: ['violations']})",
        # In the dark only colours can be different.
        {"type": "rule", "values": ["color-contrast"]} if is_dark else RULES,
    )
    problems = [
        (violation["id"], node["target"], node["failureSummary"])
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
    assert not problems


def test_long_and_foreign_names_are_whole(page: Page, reading: SiteServer) -> None:
    """A name of 64 letters can be read in full, and one from right to left keeps to itself."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"{reading.address}/t/autumn-league")

    names = page.locator("table.standings tbody th bdi").all_inner_texts()

    assert "W" * 64 in names
    assert "مرحبا بالعالم" in names
    box = page.locator("table.standings tbody th bdi", has_text="W" * 64).bounding_box()
    assert box is not None
    assert box["height"] > 30


def test_everything_is_reached_with_the_keyboard(page: Page, reading: SiteServer) -> None:
    """The first stop leads past the navigation; what has the focus can be seen."""
    page.goto(reading.address)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    focused = page.evaluate("document.activeElement.closest('main') !== null")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")

    assert focused
    assert outline != "none"


def test_dates_are_in_the_readers_zone(chromium: Browser, reading: SiteServer) -> None:
    """The same moment in Tokyo and in UTC; without a script it says UTC."""
    texts = {}
    for zone in ("Asia/Tokyo", "UTC"):
        context = chromium.new_context(timezone_id=zone, locale="en-GB")
        page = context.new_page()
        page.goto(f"{reading.address}/t/autumn-league")
        texts[zone] = page.locator("time").first.inner_text()
        context.close()
    plain = chromium.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(f"{reading.address}/t/autumn-league")
    texts["none"] = page.locator("time").first.inner_text()
    plain.close()

    assert texts["Asia/Tokyo"] != texts["UTC"]
    assert texts["none"].endswith("UTC")


def test_nothing_moves_for_those_who_asked_for_calm(
    chromium: Browser, reading: SiteServer, addresses: dict[str, str]
) -> None:
    """With reduced motion no animation runs."""
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(reading.address + addresses["hand"])
    page.locator(".replay [data-go='play']").wait_for(state="visible")
    page.keyboard.press("ArrowRight")
    running = page.evaluate("document.getAnimations().length")
    context.close()

    assert running == 0


def test_print_leaves_out_what_paper_cannot_use(page: Page, reading: SiteServer) -> None:
    """Standings print without navigation."""
    page.goto(f"{reading.address}/t/autumn-league")
    page.emulate_media(media="print")

    expect(page.locator("header.site nav")).to_be_hidden()
    expect(page.locator("table.standings")).to_be_visible()


SMALL = """() => {
  const inText = (link) => {
    const around = link.closest("p, dd, figcaption, li");
    const own = around ? [...around.childNodes].filter((node) => node.nodeType === 3) : [];
    return own.map((node) => node.textContent.trim()).join("").length > 12;
  };
  const found = [];
  for (const node of document.querySelectorAll("a:not(.skip), button, summary, input, select")) {
    const box = node.getBoundingClientRect();
    if (!box.width || !box.height || getComputedStyle(node).visibility === "hidden") continue;
    if (box.width >= 24 && box.height >= 24 || inText(node)) continue;
    found.push([node.outerHTML.slice(0, 120), box.width, box.height]);
  }
  return found;
}"""


def test_what_can_be_tapped_is_large_enough(
    chromium: Browser, reading: SiteServer, addresses: dict[str, str]
) -> None:
    """On a phone every link, button and field is 24 pixels high and wide, but in a sentence."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(f"{reading.address}/account")
    page.fill("#f-token", ORGANISER)
    page.press("#f-token", "Enter")
    page.wait_for_url("**/organise")
    small = {}
    for name, address in addresses.items():
        page.goto(reading.address + address)
        if found := page.evaluate(SMALL):
            small[name] = found
    context.close()

    assert small == {}
