"""What the three kinds of people come for, from start to finish, against real play."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from arena.bot.server import BotServer
from arena.site.serve import SiteServer
from tests.browser.conftest import ORGANISER

PLAY_MS = 60_000


def sign_in(page: Page, site: SiteServer, token: str) -> None:
    """Sign in with a token."""
    page.goto(f"{site.address}/account")
    page.fill("#f-token", token)
    page.press("#f-token", "Enter")
    page.wait_for_url(re.compile(r"/(organise|account)$"))


def submit(page: Page, site: SiteServer, name: str, bot: BotServer) -> str:
    """Register a bot as its author does, and wait for the check to pass; the owner's token."""
    page.goto(f"{site.address}/submit")
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("textbox", name="Address").fill(bot.url)
    page.get_by_role("textbox", name="Author").fill("Ada")
    page.get_by_role("button", name="Register and check").click()
    token = page.locator("code.secret").first.inner_text()
    page.get_by_role("link", name="Watch the check").last.click()
    expect(page.locator(".steps li").first).to_be_visible()
    expect(page.locator(".alert.good")).to_be_visible(timeout=PLAY_MS)
    return token


def test_author_organiser_and_spectator(
    site: SiteServer, page: Page, chromium: Browser, two_bots: tuple[BotServer, BotServer]
) -> None:
    """Two bots are submitted and checked; a tournament is made, started, watched and replayed."""
    token = submit(page, site, "first bot", two_bots[0])
    submit(page, site, "second bot", two_bots[1])
    assert token.startswith("own_")

    sign_in(page, site, ORGANISER)
    page.get_by_role("link", name="New tournament").click()
    page.get_by_role("textbox", name="Name").fill("Evening match")
    for name in ("first bot", "second bot"):
        page.get_by_role("checkbox", name=name).check()
    page.get_by_label("Games of a match").fill("2")
    page.get_by_role("button", name="What will it take?").click()
    expect(page.get_by_text("about 2 matches")).to_be_visible()
    page.get_by_role("button", name="Create it", exact=True).click()
    expect(page.locator(".badge").first).to_have_text("not started")

    watching = chromium.new_context()
    spectator = watching.new_page()
    spectator.goto(f"{site.address}/t/evening-match")
    expect(spectator.locator(".badge").first).to_have_text("not started")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("status")).to_contain_text("Play begins")
    expect(spectator.locator(".badge").first).to_have_text("finished", timeout=PLAY_MS)
    expect(spectator.locator(".progress")).to_contain_text("2 of 2 matches")
    expect(page.locator(".badge").first).to_have_text("finished")
    expect(page.locator(".desk")).to_have_count(0)

    spectator.locator(".matches .to").first.click()
    expect(spectator.get_by_role("heading", name="Game 1")).to_be_visible()
    spectator.get_by_role("link", name="Hand 1").first.click()
    expect(spectator.locator("#table")).to_be_visible()
    watching.close()

    sign_in(page, site, token)
    page.goto(f"{site.address}/bots")
    page.get_by_role("link", name="first bot", exact=True).click()
    expect(page.get_by_role("link", name="Evening match")).to_be_visible()
    page.get_by_role("link", name="Change").click()
    expect(page.get_by_role("textbox", name="Address")).to_have_value(two_bots[0].url)


def test_form_asks_for_what_the_format_has(site: SiteServer, page: Page) -> None:
    """Another format shows other options, and what was typed for the first is not sent."""
    sign_in(page, site, ORGANISER)
    page.goto(f"{site.address}/organise/new")
    expect(page.get_by_label("Legs")).to_be_visible()
    expect(page.get_by_label("Rounds")).to_be_hidden()
    page.get_by_label("Legs").fill("7")
    page.locator("#f-format").select_option("swiss")

    expect(page.get_by_label("Rounds")).to_be_visible()
    expect(page.get_by_label("Legs")).to_be_hidden()
    expect(page.locator("#f-legs")).to_be_disabled()
    expect(page.get_by_label("Play for third place")).to_be_hidden()


def test_hand_is_stepped_through(page: Page, reading: SiteServer) -> None:
    """Buttons, keys, slider and list lead from move to move; the address follows."""
    client = reading.app.test_client()
    schedule = client.get("/t/autumn-league/schedule.json?only=finished").get_json()
    match = client.get(schedule["rounds"][0]["matches"][0]["url"] + ".json").get_json()
    address = match["games"][0]["hands"][0]["url"]
    frames = client.get(f"{address}.json").get_json()["frames"]
    page.goto(f"{reading.address}{address}?move=0")
    at = page.locator("[data-show='at']")
    play = page.locator("[data-go='play']")
    expect(play).to_be_visible()

    page.keyboard.press("ArrowRight")
    expect(at).to_have_text("1")
    page.get_by_role("button", name="On", exact=True).click()
    expect(at).to_have_text("2")
    assert page.url.endswith("?move=2")
    expect(page.locator("[data-show='text']")).to_contain_text(frames[2]["text"])
    page.keyboard.press("End")
    expect(at).to_have_text(str(len(frames) - 1))
    page.locator(".moves a[data-move='3']").click()
    expect(at).to_have_text("3")
    expect(page.locator(".choices li")).to_have_count(len(frames[3]["legal"]))
    page.get_by_role("slider", name="Move", exact=True).fill("5")
    expect(at).to_have_text("5")
    cards = page.locator(".seat[data-position='0'] .held .card")
    held = frames[5]["hands"][0]
    expect(cards).to_have_count(len(held["loose"]) + sum(map(len, held["melds"])))
    page.get_by_label("Speed").select_option("180")
    play.click()
    expect(at).to_have_text(str(len(frames) - 1), timeout=PLAY_MS)


def test_keys_lead_from_hand_to_hand(page: Page, reading: SiteServer) -> None:
    """A hand opens at its deal; N and P are the next and the one before."""
    client = reading.app.test_client()
    schedule = client.get("/t/autumn-league/schedule.json?only=finished").get_json()
    match = client.get(schedule["rounds"][0]["matches"][0]["url"] + ".json").get_json()
    first, second = [reading.address + hand["url"] for hand in match["games"][0]["hands"][:2]]
    page.goto(first)
    expect(page.locator("[data-go='play']")).to_be_visible()
    expect(page.locator("[data-show='at']")).to_have_text("0")
    page.keyboard.press("n")
    page.wait_for_url(re.compile(re.escape(second)))
    expect(page.locator("[data-go='play']")).to_be_visible()
    page.keyboard.press("p")

    page.wait_for_url(re.compile(re.escape(first)))


def test_last_move_says_that_the_hand_is_over(page: Page, reading: SiteServer) -> None:
    """A step further stays there, and the page leads to the next hand, or back to the match."""
    client = reading.app.test_client()
    schedule = client.get("/t/autumn-league/schedule.json?only=finished").get_json()
    match = client.get(schedule["rounds"][0]["matches"][0]["url"] + ".json").get_json()
    first, second, *_, last = [hand["url"] for game in match["games"] for hand in game["hands"]]
    end = len(client.get(f"{first}.json").get_json()["frames"]) - 1
    over = page.get_by_text("The hand is over.")
    page.goto(f"{reading.address}{first}?move={end - 1}")
    expect(page.locator("[data-go='play']")).to_be_visible()
    expect(over).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")

    expect(page.locator("[data-show='at']")).to_have_text(str(end))
    expect(over).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(over).to_be_hidden()
    page.keyboard.press("End")
    over.get_by_role("link", name="Next hand").click()
    page.wait_for_url(re.compile(re.escape(second)))
    page.goto(f"{reading.address}{last}?move=9999")
    expect(over).to_be_hidden()
    page.keyboard.press("End")
    expect(over.get_by_role("link", name="All hands of the match")).to_be_visible()


def test_replay_works_without_scripts(chromium: Browser, reading: SiteServer) -> None:
    """The links of the replay load one move each."""
    client = reading.app.test_client()
    schedule = client.get("/t/autumn-league/schedule.json?only=finished").get_json()
    match = client.get(schedule["rounds"][0]["matches"][0]["url"] + ".json").get_json()
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(reading.address + match["games"][0]["hands"][0]["url"] + "?move=1")
    page.get_by_role("link", name="On", exact=True).click()

    expect(page.locator("[data-show='at']")).to_have_text("2")
    expect(page.locator("[data-go='play']")).to_be_hidden()
    context.close()


def test_script_and_server_draw_the_same_table(page: Page, reading: SiteServer) -> None:
    """What the script draws for a move is what the server sends for it."""
    client = reading.app.test_client()
    for slug in ("autumn-league", "bazaar", "mahjong-night", "royal-evening"):
        schedule = client.get(f"/t/{slug}/schedule.json?only=finished").get_json()
        match = client.get(schedule["rounds"][0]["matches"][0]["url"] + ".json").get_json()
        address = reading.address + match["games"][0]["hands"][0]["url"]
        last = (
            len(client.get(f"{address.removeprefix(reading.address)}.json").get_json()["frames"])
            - 1
        )
        for move in (8, last):
            page.goto(f"{address}?move={move}")
            expect(page.locator("[data-go='play']")).to_be_visible()
            parts = ["#table", ".says", ".decision"]
            sent = [page.locator(part).aria_snapshot() for part in parts]
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("ArrowRight")
            drawn = [page.locator(part).aria_snapshot() for part in parts]
            assert drawn == sent, (slug, move)


def test_page_stays_current_and_keeps_its_place(
    page: Page, site: SiteServer, two_bots: tuple[BotServer, BotServer]
) -> None:
    """A reader who tabbed to a link still has it after an update."""
    from arena.store import Store
    from tests.site.playing import create, play

    with Store(site.app.config["DATABASE"]) as store:
        play(store, "League", ["a", "b", "c", "d"], matches=4)
        page.goto(f"{site.address}/t/league")
        link = page.locator("table.standings a").first
        link.focus()
        href = link.get_attribute("href")
        row = store.tournaments.by_slug("league")
        assert row is not None
        before = page.locator(".progress").inner_text()
        pending = [f for f in store.fixtures.of(row.id) if f.status == "pending"]
        store.fixtures.start(pending[0].id)
        create(store, "Another", ["a", "b"])
        expect(page.locator("[data-live='now']")).to_contain_text("Interrupted", timeout=20_000)
        assert page.evaluate("document.activeElement.getAttribute('href')") == href
        assert page.locator(".progress").inner_text() == before
