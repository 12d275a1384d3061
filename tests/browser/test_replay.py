"""The replay of a hand: keys, touch, the list and the graph follow; it fits a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from arena.site.serve import SiteServer

HandUrls = list[str]


@pytest.fixture(scope="module")
def hands(reading: SiteServer) -> HandUrls:
    """The addresses of the hands of a two-handed match."""
    client = reading.app.test_client()
    schedule = client.get("/t/autumn-league/schedule.json?only=finished").get_json()
    match = client.get(schedule["rounds"][0]["matches"][0]["url"] + ".json").get_json()
    return [str(hand["url"]) for game in match["games"] for hand in game["hands"]]


def frames_of(reading: SiteServer, url: str) -> list[dict[str, Any]]:
    """The frames of a hand, from the twin of its page."""
    found: list[dict[str, Any]] = reading.app.test_client().get(f"{url}.json").get_json()["frames"]
    return found


def at(page: Page) -> Locator:
    """The number of the move that is shown."""
    return page.locator("[data-show='at']")


def opened(page: Page, address: str) -> None:
    """Open a hand and wait until its script runs."""
    page.goto(address)
    expect(page.locator("[data-go='play']")).to_be_visible()


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """A page on a telephone with a touch screen."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    yield context.new_page()
    context.close()


def inside(list_: Locator) -> bool:
    """Whether the row of the move that is shown can be seen in the list."""
    return bool(
        list_.evaluate(
            """list => {
              const box = list.getBoundingClientRect();
              const row = list.querySelector("[aria-current]").getBoundingClientRect();
              return row.top >= box.top - 1 && row.bottom <= box.bottom + 1;
            }"""
        )
    )


def test_list_follows_the_move(page: Page, reading: SiteServer, hands: HandUrls) -> None:
    """Its row is in view after many steps, and where a link leads to a late move."""
    url = max(hands[:12], key=lambda one: len(frames_of(reading, one)))
    last = len(frames_of(reading, url)) - 1
    opened(page, f"{reading.address}{url}")
    moves = page.locator(".moves ol")
    moves.evaluate("list => { list.style.maxHeight = '12rem'; }")
    for _ in range(last):
        page.keyboard.press("ArrowRight")
        assert inside(moves)
    opened(page, f"{reading.address}{url}?move={last}")

    assert inside(moves)
    assert page.evaluate("scrollY") == 0


def test_space_plays_wherever_the_reader_was(
    page: Page, reading: SiteServer, hands: HandUrls
) -> None:
    """After a click on a button, on a row and on the slider it plays, and the page stays."""
    page.set_viewport_size({"width": 1280, "height": 500})
    play = page.locator("[data-go='play']")
    opened(page, f"{reading.address}{hands[0]}")
    for press in ("button[data-go='on']", ".moves a[data-move='2']", "input[data-go='to']"):
        page.locator(press).click()
        before = page.evaluate("scrollY")
        page.keyboard.press(" ")
        expect(play).to_have_attribute("aria-label", "Pause")
        page.keyboard.press(" ")
        expect(play).to_have_attribute("aria-label", "Play")
        assert page.evaluate("scrollY") == before, press


def test_button_reached_with_the_keyboard_is_pressed(
    page: Page, reading: SiteServer, hands: HandUrls
) -> None:
    """Space on a focused button does what the button says."""
    opened(page, f"{reading.address}{hands[0]}")
    page.locator("button[data-go='last']").focus()
    page.keyboard.press(" ")

    expect(at(page)).to_have_text(str(len(frames_of(reading, hands[0])) - 1))
    expect(page.locator("[data-go='play']")).to_have_attribute("aria-label", "Play")


def swipe(page: Page, start: tuple[float, float], by: tuple[float, float]) -> None:
    """Draw a finger over the screen."""
    session = page.context.new_cdp_session(page)
    x, y = start
    session.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    for step in range(1, 6):
        point = {"x": x + by[0] * step / 5, "y": y + by[1] * step / 5}
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_table_is_swiped_and_tapped(phone: Page, reading: SiteServer, hands: HandUrls) -> None:
    """To the left is on, to the right is back; up and down scrolls; halves are tapped."""
    opened(phone, f"{reading.address}{hands[0]}?move=3")
    box = phone.locator("#table").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    swipe(phone, (x + 60, y), (-120, 8))
    expect(at(phone)).to_have_text("4")
    swipe(phone, (x - 60, y), (120, -8))
    expect(at(phone)).to_have_text("3")
    phone.touchscreen.tap(box["x"] + box["width"] - 12, y)
    expect(at(phone)).to_have_text("4")
    phone.touchscreen.tap(box["x"] + 12, y)
    expect(at(phone)).to_have_text("3")
    swipe(phone, (x, y + 60), (5, -140))
    expect(at(phone)).to_have_text("3")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_table_and_controls_fit_a_phone(
    phone: Page, reading: SiteServer, hands: HandUrls, width: int, height: int
) -> None:
    """What is said, the whole table and the controls are on one screen, upright and on its side."""
    phone.set_viewport_size({"width": width, "height": height})
    for move in (0, 7, len(frames_of(reading, hands[0])) - 1):
        opened(phone, f"{reading.address}{hands[0]}?move={move}")
        boxes = phone.evaluate(
            """() => [".says .move", "#table", ".controls"].map((part) => {
              const box = document.querySelector(part).getBoundingClientRect();
              return [box.left, box.top, box.right, box.bottom];
            })"""
        )
        for left, top, right, bottom in boxes:
            assert 0 <= left <= right <= width, (move, boxes)
            assert 0 <= top <= bottom <= height, (move, boxes)
        assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_showdown_places_layoffs(page: Page, reading: SiteServer) -> None:
    """The last frame shows who won, what was laid off and where, and the points."""
    client = reading.app.test_client()
    schedule = client.get("/t/autumn-league/schedule.json?only=finished").get_json()
    matches = [line["url"] for part in schedule["rounds"] for line in part["matches"]]
    urls = (
        hand["url"]
        for match in matches
        for game in client.get(f"{match}.json").get_json()["games"]
        for hand in game["hands"]
        if hand["url"]
    )
    ends = ((url, frames_of(reading, url)[-1]) for url in urls)
    url, last = next(end for end in ends if any(one["laid_off"] for one in end[1]["hands"]))
    opened(page, f"{reading.address}{url}")
    expect(page.locator(".card.laid")).to_have_count(0)
    page.keyboard.press("End")

    laid = [card for one in last["hands"] for card in one["laid_off"]]
    expect(page.locator(".meld .card.laid")).to_have_count(len(laid))
    for position, one in enumerate(last["hands"]):
        seat = page.locator(f".seat[data-position='{position}']")
        expect(seat.locator(".worth")).to_have_text(f"deadwood {one['value']} {one['result']}")
        expect(seat.locator(".laid-off .card")).to_have_count(len(one["laid_off"]))
    expect(page.locator(".says .move")).to_have_text(last["text"])


def test_graph_leads_to_a_move(page: Page, reading: SiteServer, hands: HandUrls) -> None:
    """A click goes to the move there; with the focus, arrows do."""
    last = len(frames_of(reading, hands[0])) - 1
    opened(page, f"{reading.address}{hands[0]}")
    graph = page.get_by_role("slider", name=re.compile("Move on the graph"))
    graph.scroll_into_view_if_needed()
    box = graph.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 4 / last, box["y"] + 30)
    expect(at(page)).to_have_text("4")
    graph.focus()
    page.keyboard.press("ArrowUp")
    expect(at(page)).to_have_text("5")
    page.keyboard.press("End")

    expect(at(page)).to_have_text(str(last))
    expect(graph).to_have_attribute("aria-valuenow", str(last))


def test_graph_is_a_picture_without_scripts(
    chromium: Browser, reading: SiteServer, hands: HandUrls
) -> None:
    """It says from what to what the deadwood of each bot went."""
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{reading.address}{hands[0]}?move=2")
    picture = page.get_by_role("img", name=re.compile("Deadwood over the moves: .* from [0-9]+ to"))

    expect(picture).to_be_visible()
    expect(page.locator(".go-on")).to_be_hidden()
    context.close()


def test_play_goes_on_into_the_next_hand(page: Page, reading: SiteServer, hands: HandUrls) -> None:
    """Where one asked for it, the next hand begins to play after the end of this one."""
    last = len(frames_of(reading, hands[0])) - 1
    opened(page, f"{reading.address}{hands[0]}?move={last - 1}")
    page.get_by_label("Speed").select_option("180")
    page.get_by_label("Go on into the next hand").check()
    page.locator("[data-go='play']").click()
    page.wait_for_url(re.compile(re.escape(hands[1])))

    expect(page.locator("[data-go='play']")).to_have_attribute("aria-label", "Pause")
    expect(page.get_by_label("Go on into the next hand")).to_be_checked()
    expect(at(page)).not_to_have_text("0")
    page.keyboard.press(" ")
    expect(page.locator("[data-go='play']")).to_have_attribute("aria-label", "Play")
    assert re.search(r"\?move=\d+$", page.url)
