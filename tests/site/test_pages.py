"""Every page: it is there, says what it is, has its twin, and can be asked for again cheaply."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from arena.site import create_app
from arena.store import Store
from arena.store.rows import BotState, FixtureStatus, TournamentState
from tests.site.crawling import crawl, links

PAGES = (
    "/",
    "/t/autumn-league",
    "/t/autumn-league/crosstable",
    "/t/autumn-league/strength",
    "/t/autumn-league/notable",
    "/t/autumn-league/conduct",
    "/t/autumn-league/schedule",
    "/t/autumn-league/fairness",
    "/t/winter-cup",
    "/t/winter-cup/bracket",
    "/t/double-trouble/bracket",
    "/t/groups",
    "/t/groups/bracket",
    "/bots",
    "/bots/1-keen",
    "/games",
    "/games/oklahoma",
    "/protocol",
    "/search?q=gin",
    "/about",
    "/api",
)


@pytest.mark.parametrize("address", PAGES)
def test_page_and_twin(client: FlaskClient, address: str) -> None:
    """A page is there, names its JSON twin, and the twin is strict JSON that says ok."""
    answer = client.get(address)
    html = answer.get_data(as_text=True)
    twin = re.search(r'<link rel="alternate" type="application/json" href="([^"]+)"', html)

    assert answer.status_code == 200
    assert answer.mimetype == "text/html"
    assert twin is not None
    found = client.get(twin[1].replace("&amp;", "&"))
    assert found.status_code == 200
    assert found.get_json()["ok"] is True
    assert found.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("address", PAGES)
def test_page_says_what_it_is(client: FlaskClient, address: str) -> None:
    """Title, description, one first heading, a language, and link previews."""
    html = client.get(address).get_data(as_text=True)

    assert re.search(r"<title>[^<]{3,} · Gin Arena</title>", html)
    assert re.search(r'<meta name="description" content="[^"]{10,}">', html)
    assert re.search(r'<meta property="og:title" content="[^"]{3,}">', html)
    assert '<html lang="en">' in html
    assert len(re.findall(r"<h1[ >]", html)) == 1


@pytest.mark.parametrize("address", PAGES)
def test_page_is_light_and_loads_nothing_from_elsewhere(client: FlaskClient, address: str) -> None:
    """A page with its style and scripts is under 100 kB, and names no other host to load from."""
    html = client.get(address).get_data(as_text=True)
    loaded = re.findall(r'(?:<script[^>]* src|<link[^>]*stylesheet"? href)="([^"]+)"', html)
    size = len(html.encode()) + sum(len(client.get(one).get_data()) for one in set(loaded))

    assert size < 100_000
    assert all(one.startswith("/static/") for one in loaded)
    assert not re.findall(r'<(?:script|img|iframe|link rel="stylesheet")[^>]*https?://', html)
    assert "style=" not in html
    assert not re.findall(r"<script(?![^>]* src=)[^>]*>", html)


@pytest.mark.parametrize("address", [page for page in PAGES if not page.startswith("/search")])
def test_asking_again_costs_nothing(client: FlaskClient, address: str) -> None:
    """The same body twice, and 304 for a reader who has it."""
    first = client.get(address)
    second = client.get(address)
    again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})

    assert first.get_data() == second.get_data()
    assert again.status_code == 304
    assert again.get_data() == b""


def test_every_link_leads_somewhere(client: FlaskClient) -> None:
    """From the front page no link is dead, CSV and hands included."""
    bodies = crawl(client)

    assert sum(".csv" in address for address in bodies) >= 3
    assert any(re.search(r"/m/m_[a-z2-7]+/1-1$", address) for address in bodies)
    assert len(bodies) > 60


def test_entity_tag_changes_with_a_result(database: Path) -> None:
    """After a new result the old copy is no longer good."""
    client = create_app(database).test_client()
    before = client.get("/t/sunday-table")
    with Store(database) as store:
        row = store.tournaments.by_slug("sunday-table")
        assert row is not None
        pending = [f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.PENDING]
        store.fixtures.start(pending[0].id)

    after = client.get("/t/sunday-table", headers={"If-None-Match": before.headers["ETag"]})

    assert after.status_code == 200
    assert after.headers["ETag"] != before.headers["ETag"]


def test_each_match_is_in_exactly_one_state(client: FlaskClient) -> None:
    """The lists of pending, playing, finished and void matches do not overlap and miss none."""
    lists = {
        state: client.get(f"/t/sunday-table/schedule.json?only={state}").get_json()
        for state in ("pending", "playing", "finished", "void")
    }
    ids = [
        match["id"]
        for schedule in lists.values()
        for round_ in schedule["rounds"]
        for match in round_["matches"]
    ]

    assert len(ids) == len(set(ids)) == 56


def test_counts_agree_between_pages_and_database(client: FlaskClient, played: Path) -> None:
    """Won, drawn and lost matches of a table are twice the matches that were played."""
    page = client.get("/t/sunday-table.json").get_json()
    matches = sum(line["won"] + line["drawn"] + line["lost"] for line in page["standings"])
    games = sum(
        line["games_won"] + line["games_drawn"] + line["games_lost"] for line in page["standings"]
    )
    with Store(played, read_only=True) as store:
        row = store.tournaments.by_slug("sunday-table")
        assert row is not None
        results = [f.result for f in store.fixtures.of(row.id) if f.result is not None]

    assert matches == 2 * len(results) == 2 * page["head"]["finished"]
    assert games == 2 * sum(sum(result.games_won) + result.games_drawn for result in results)


def test_winner_is_the_same_in_database_json_and_page(client: FlaskClient, played: Path) -> None:
    """Winner, seat and name of each match agree everywhere."""
    with Store(played, read_only=True) as store:
        row = store.tournaments.by_slug("autumn-league")
        assert row is not None
        names = {entrant.number: entrant.name for entrant in store.tournaments.entrants(row.id)}
        stored = {fixture.id: fixture for fixture in store.fixtures.of(row.id)}
    schedule = client.get("/t/autumn-league/schedule.json").get_json()

    matches = [match for round_ in schedule["rounds"] for match in round_["matches"]]

    assert len(matches) == 56
    for match in matches:
        fixture = stored[match["id"]]
        assert [seat["name"] for seat in match["seats"]] == [names[e] for e in fixture.seats]
        assert [seat["score"] for seat in match["seats"]] == list(fixture.games_won)
        winners = [seat["name"] for seat in match["seats"] if seat["won"]]
        assert winners == ([names[fixture.winner]] if fixture.winner is not None else [])


def test_links_of_a_match_open_that_match(client: FlaskClient) -> None:
    """Every match of the schedule opens with the same bots and result as its row."""
    schedule = client.get("/t/sunday-table/schedule.json?only=finished").get_json()
    for round_ in schedule["rounds"]:
        for match in round_["matches"]:
            opened = client.get(f"{match['url']}.json").get_json()["match"]
            assert opened == match


def test_unknown_numbers_are_dashes_and_null(database: Path) -> None:
    """Before the first hand there is a dash on the page and null in the JSON, never NaN."""
    with Store(database) as store:
        row = store.tournaments.by_slug("spring-league")
        assert row is not None
        store.tournaments.set_state(row.id, TournamentState.RUNNING)
    client = create_app(database).test_client()
    page = client.get("/t/spring-league")
    twin = client.get("/t/spring-league.json")

    assert "–" in page.get_data(as_text=True)
    assert "nan" not in page.get_data(as_text=True).lower().replace("finance", "")
    assert b"NaN" not in twin.get_data()
    assert all(line["points_per_hand"] is None for line in twin.get_json()["standings"])
    assert all(line["rating"] is None for line in twin.get_json()["standings"])


def test_bye_is_shown_as_one_and_counts_nothing(client: FlaskClient) -> None:
    """In a bracket of six the two best have byes that are no match and no game."""
    bracket = client.get("/t/winter-cup/bracket.json").get_json()
    byes = [m for m in bracket["sections"][0]["rounds"][0]["matches"] if m["state"] == "bye"]
    table = client.get("/t/winter-cup.json").get_json()

    assert len(byes) == 2
    assert {side["seeding"] for bye in byes for side in bye["sides"] if side["name"]} == {1, 2}
    assert all(bye["url"] is None for bye in byes)
    assert table["head"]["total"] == 6


def test_box_of_a_bracket_is_the_link_to_its_match(client: FlaskClient) -> None:
    """The whole of it; a bye is no match and says so once."""
    page = client.get("/t/winter-cup/bracket.json").get_json()
    matches = [m for s in page["sections"] for column in s["rounds"] for m in column["matches"]]
    html = client.get("/t/winter-cup/bracket").get_data(as_text=True)
    boxes = re.findall(r'<li class="tie \w+"><(?:a|div) class="box"(?: href="([^"]+)")?', html)
    bye = html.split('<li class="tie bye">')[1].split("</li>")[0]

    assert boxes == [match["url"] or "" for match in matches]
    assert bye.count(">bye<") == 1


def test_finished_bracket_names_its_champion(client: FlaskClient) -> None:
    """On its own page as on the overview."""
    overview = client.get("/t/double-trouble.json").get_json()
    bracket = client.get("/t/double-trouble/bracket.json").get_json()

    assert bracket["winners"] == overview["winners"] != []
    assert 'class="champion"' in client.get("/t/double-trouble/bracket").get_data(as_text=True)


def test_open_places_of_a_bracket_are_to_be_decided(client: FlaskClient) -> None:
    """A place that nobody has reached says who may come, and never shows a bye."""
    bracket = client.get("/t/winter-cup/bracket.json").get_json()
    final = bracket["sections"][0]["rounds"][-1]["matches"][0]

    assert final["state"] in ("open", "ready")
    assert all(side["name"] or side["text"].startswith("Winner of") for side in final["sides"])


def test_bracket_page_is_only_for_brackets(client: FlaskClient) -> None:
    """A league has no bracket page."""
    assert client.get("/t/autumn-league/bracket").status_code == 404


def test_old_address_of_a_bot_leads_to_the_right_one(client: FlaskClient) -> None:
    """The number finds a bot; the words after it are put right."""
    answer = client.get("/bots/1-wrong")

    assert answer.status_code == 301
    assert answer.headers["Location"].endswith("/bots/1-keen")


def test_alias_of_a_game_leads_to_its_page(client: FlaskClient) -> None:
    """A game has one address."""
    answer = client.get("/games/oklahoma_gin")

    assert answer.status_code == 301
    assert answer.headers["Location"].endswith("/games/oklahoma")


def test_site_works_below_a_path(played: Path) -> None:
    """Behind a proxy that serves it below a path every address carries that path."""
    app = create_app(played, base_url="https://example.org/arena")
    for stripped in (True, False):
        path = "/t/autumn-league" if stripped else "/arena/t/autumn-league"
        html = app.test_client().get(path).get_data(as_text=True)
        inner = [one for one in links(html) if one.startswith("/")]
        assert inner
        assert all(one.startswith("/arena/") for one in inner)
        assert 'content="https://example.org/arena/t/autumn-league"' in html


def test_missing_database_is_a_clear_answer(tmp_path: Path) -> None:
    """Without a database every page says so with 503, and no path of the server."""
    app: Flask = create_app(tmp_path / "none.db")
    answer = app.test_client().get("/")

    assert answer.status_code == 503
    assert "Retry-After" in answer.headers
    assert str(tmp_path) not in answer.get_data(as_text=True)
    assert app.test_client().get("/health").status_code == 503


@pytest.mark.parametrize("address", ["/bots", "/bots/1-keen", "/bots/1-keen.json"])
def test_entity_tag_changes_with_a_profile(app: Flask, database: Path, address: str) -> None:
    """Home page, author, state, and what the bot says of itself: each gives another tag."""
    client = app.test_client()
    tags = [client.get(address).headers["ETag"]]
    with Store(database) as store:
        bot = store.bots.by_name("keen")
        assert bot is not None
        steps: tuple[Callable[[], None], ...] = (
            lambda: store.bots.set_profile(bot.id, homepage="https://a.example", author=None),
            lambda: store.bots.set_profile(bot.id, homepage="https://b.example", author=None),
            lambda: store.bots.set_profile(bot.id, homepage="https://b.example", author="Ada"),
            lambda: store.bots.set_info(bot.version_id, {"games": ["gin"]}),
            lambda: store.bots.set_state(bot.id, BotState.RETIRED),
        )
        for step in steps:
            step()
            answer = client.get(address, headers={"If-None-Match": tags[-1]})
            assert answer.status_code == 200
            tags.append(answer.headers["ETag"])

    assert len(set(tags)) == len(tags)
    assert client.get(address, headers={"If-None-Match": tags[-1]}).status_code == 304


def test_strength_says_what_it_rests_on(client: FlaskClient) -> None:
    """The mean, what letters, numbers and colours compare; too few pairs are called so."""
    page = client.get("/t/autumn-league/strength").get_data(as_text=True)
    few = client.get("/t/winter-cup").get_data(as_text=True)

    assert "the mean of the bots that have both won and lost" in page
    assert "prior" not in page
    assert "compares ratings, all bots at once" in page
    assert "Each number is about these two bots alone" in page
    assert "Points a hand are another measure" in page
    assert "Too few matches for intervals" in few


def test_colours_and_letters_say_the_same(client: FlaskClient) -> None:
    """A likelihood is green or red exactly where the two bots have no letter in common."""
    html = client.get("/t/autumn-league/strength").get_data(as_text=True)
    cells = re.findall(r'<td class="num c chance( win| loss|)">', html)
    twin = client.get("/t/autumn-league/strength.json").get_json()
    marks = [set(line["marks"]) for line in twin["lines"]]
    expected = [
        "" if marks[one] & marks[other] else " win" if chance > 0.5 else " loss"
        for one, line in enumerate(twin["chances"])
        for other, chance in enumerate(line["chances"])
        if chance is not None
    ]

    assert cells == expected
    assert {" win", " loss", ""} == set(cells)


def test_latest_results_say_where_they_were_played(client: FlaskClient) -> None:
    """Each with its tournament, whose page is a click away."""
    latest = client.get("/index.json").get_json()["latest"]
    html = client.get("/").text.split('id="latest"')[1]

    assert len(latest) > 1
    for one in latest:
        assert one["match"]["url"].startswith(one["tournament"]["url"] + "/m/")
        assert (
            f'<a href="{one["tournament"]["url"]}"><bdi>{one["tournament"]["name"]}</bdi>' in html
        )


def test_fairness_says_when_a_bot_stands_out_and_what_is_mirrored(client: FlaskClient) -> None:
    """Where no deals are played again it speaks of no pairs."""
    league, table, cup = (
        client.get(f"/t/{slug}/fairness").text for slug in ("autumn-league", "bazaar", "winter-cup")
    )

    assert "all 8 are looked at together" in league
    assert "mirrored pairs" in league
    assert "mirrored" not in cup.split("Do the seats matter?")[1].split("</p>")[0]
    assert "No deal is played a second time" in table
