"""What must never happen: markup from names, changes by strangers, secrets on pages."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import sqlite3
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from arena.config import BotSpec, TournamentConfig
from arena.site import create_app
from arena.store import Store
from arena.tournament.create import create_tournament
from tests.site.conftest import ORGANISER, Browser
from tests.site.crawling import crawl
from tests.site.factories import HOSTILE

CHANGING = ("POST", "PUT", "PATCH", "DELETE")


@pytest.fixture(scope="module")
def hostile_pages(hostile: Path) -> dict[str, str]:
    """Every page of a site full of hostile names."""
    return crawl(create_app(hostile).test_client())


def fingerprint(database: Path) -> str:
    """The content of every table."""
    conn = sqlite3.connect(database)
    try:
        digest = hashlib.sha256()
        tables = conn.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
        for (table,) in tables.fetchall():
            for row in conn.execute(f'SELECT * FROM "{table}" ORDER BY 1, 2'):
                digest.update(repr(row).encode())
        return digest.hexdigest()
    finally:
        conn.close()


def address_of(rule: Rule) -> str:
    """An address that a rule matches."""
    values = {
        "slug": "sunday-table", "fixture_id": "m_abc", "bot_id": "1", "game": "1", "number": "1",
        "name": "x", "move": "start", "verdict": "accept",
    }  # fmt: skip
    return re.sub(r"<(?:[^:<>]+:)?([a-z_]+)>", lambda found: values[found[1]], rule.rule)


def test_hostile_names_are_text_on_every_page(hostile_pages: dict[str, str]) -> None:
    """No name becomes a tag, an attribute, or template code, and none is escaped twice."""
    seen = dict.fromkeys(HOSTILE, 0)
    for address, body in hostile_pages.items():
        if not body.startswith("<!doctype"):
            continue
        assert "<img src=x" not in body, address
        assert "<script>alert" not in body, address
        assert not re.search(r"[\s\"']onerror\s*=", re.sub(r">[^<]*<|\"[^\"]*\"", "", body))
        assert "&amp;amp;" not in body, address
        assert "&amp;#39;" not in body, address
        text = unescape(re.sub(r"<[^>]+>", "", body))
        for name in HOSTILE:
            seen[name] += name in text
        assert "49" not in re.findall(r"<bdi>([^<]*)</bdi>", body), address

    assert all(count >= 3 for count in seen.values()), seen


def test_hostile_names_survive_in_addresses(hostile_pages: dict[str, str]) -> None:
    """Addresses are made of slugs and numbers only."""
    for address in hostile_pages:
        assert re.fullmatch(r"[A-Za-z0-9_./?=&%+-]*", address), address


def test_names_that_begin_like_formulas_are_plain_in_csv(hostile: Path) -> None:
    """A spreadsheet runs nothing; the JSON twin keeps the name as it is."""
    client = create_app(hostile).test_client()
    for table in ("standings", "crosstable", "schedule"):
        body = client.get(f"/t/autumn-league/{table}.csv").get_data(as_text=True)
        cells = [cell for row in csv.reader(io.StringIO(body)) for cell in row]
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "@", "\t", "\r")]
        assert any(cell.startswith("'=HYPERLINK(1)") for cell in cells)
    names = [
        line["bot"]["name"] for line in client.get("/t/autumn-league.json").get_json()["standings"]
    ]
    assert "=HYPERLINK(1)" in names


def test_numbers_in_csv_stay_numbers(client: FlaskClient) -> None:
    """A negative number gets no apostrophe."""
    body = client.get("/t/autumn-league/standings.csv").get_data(as_text=True)
    rows = list(csv.DictReader(io.StringIO(body)))

    assert any(float(row["net_points"]) < 0 for row in rows)


def test_every_template_escapes_whatever_it_is_called(reading_app: Flask) -> None:
    """Autoescape does not hang on a file's name, and nothing undefined is silently blank."""
    with reading_app.test_request_context("/"):
        for name in ("x.html", "x.txt", "x.j2", None):
            template = reading_app.jinja_env.from_string("{{ name }}")
            template.name = name
            assert template.render(name="<b>") == "&lt;b&gt;"
    for name in reading_app.jinja_env.list_templates():
        source, _, _ = reading_app.jinja_env.loader.get_source(  # type: ignore[union-attr]
            reading_app.jinja_env, name
        )
        safe = re.findall(r"\|\s*safe", source)
        assert not safe or name == "_macros.html", name
        assert "autoescape" not in source


def test_nothing_can_be_changed_without_a_token(app: Flask, database: Path) -> None:
    """Every route, every changing method, form and JSON: refused, and nothing has changed."""
    before = fingerprint(database)
    client = app.test_client()
    open_ = {"/submit", "/account", "/account/leave"}
    tried = 0
    for rule in app.url_map.iter_rules():
        address = address_of(rule)
        for method in CHANGING:
            for sent in ({"data": {"name": "x"}}, {"json": {"name": "x"}}):
                answer = client.open(address, method=method, **sent)  # type: ignore[arg-type]
                allowed = (400, 401, 403, 404, 405, 415) + ((422, 429) if address in open_ else ())
                if address == "/account/leave" and "json" in sent:
                    continue  # signing out harms nobody
                assert answer.status_code in allowed, (method, address, answer.status_code)
                tried += 1

    assert tried > 200
    assert fingerprint(database) == before


def test_no_get_changes_anything(app: Flask, database: Path, organiser: Browser) -> None:
    """Not even the organiser changes something by following links."""
    before = fingerprint(database)
    crawl(organiser.client, starts=("/", "/organise", "/organise/new", "/account", "/submit"))
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()):
            organiser.client.get(address_of(rule))

    assert fingerprint(database) == before


def test_five_megabytes_are_too_much_everywhere(app: Flask) -> None:
    """413 on every route, also where nobody would look at the body."""
    client = app.test_client()
    body = b"x" * (5 * 1024 * 1024)
    for rule in app.url_map.iter_rules():
        for method in ("GET", "POST", "PUT"):
            answer = client.open(address_of(rule), method=method, data=body)
            assert answer.status_code == 413, (method, rule.rule)
    assert client.post("/no/such/place", data=body).status_code == 413


def test_page_about_protection_names_the_limit_in_force(app: Flask) -> None:
    """And says when cards are shown, as `deals_are_open` decides."""
    html = app.test_client().get("/about").get_data(as_text=True)

    assert f"larger than {app.config['MAX_CONTENT_LENGTH'] // 1024} KiB" in html
    assert "when nobody can be dealt them again" in html


def test_deeply_nested_json_is_refused(app: Flask) -> None:
    """A hundred thousand brackets are bad JSON, not a fault of the server."""
    for body in (b"[" * 100_000, b'{"name": NaN}', b'{"name":1,"name":2}', b"\xff", b'"text"'):
        answer = app.test_client().post(
            "/submit", data=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 400, body[:20]
        assert answer.get_json()["ok"] is False


@pytest.mark.parametrize(
    "address",
    [
        "/static/..%2f..%2fetc%2fpasswd",
        "/static/%2fetc/passwd",
        "/static//etc/passwd",
        "/protocol/..%2f..%2fetc%2fpasswd",
        "/protocol/../../etc/passwd",
        "/protocol/%2e%2e/README.md",
        "/protocol/__init__.py",
        "/t/..%2f/m/x",
        "//etc/passwd",
        "/t/autumn-league/m/..%2f..%2fx",
        "/games/..%2f..%2fetc",
    ],
)
def test_paths_lead_nowhere_else(client: FlaskClient, address: str) -> None:
    """No route takes ../ or an absolute path."""
    assert client.get(address).status_code in (404, 308)


def secrets_of(database: Path) -> dict[str, str]:
    """What nobody may see: endpoints, signing secrets, secrets of running tournaments."""
    with Store(database, read_only=True) as store:
        running = [row for row in store.tournaments.all() if not row.over]
        found = {f"secret of {row.name}": row.secret for row in running}
    found |= {"user": "user:pw", "token": "TOKEN", "key": "key=K", "port": "127.0.0.1:9"}
    return found


def test_no_secret_reaches_a_reader(client: FlaskClient, played: Path) -> None:
    """Pages, twins and tables hold no endpoint, and no secret of a tournament that still runs."""
    bodies = crawl(client)
    hidden = secrets_of(played)

    assert len(hidden) > 6
    for address, body in bodies.items():
        if address.startswith(("/protocol", "/submit", "/api", "/account")):
            continue  # examples of addresses, not those of bots
        for what, text in hidden.items():
            assert text not in body, (what, address)


def test_detail_of_a_fault_is_not_public(client: FlaskClient, played: Path) -> None:
    """The reason code is; the text, which may name a host, is for the owner."""
    with Store(played, read_only=True) as store:
        row = store.tournaments.by_slug("autumn-league")
        assert row is not None
        faulty = [f.id for f in store.fixtures.of(row.id) if store.hands.faults(f.id)]
    assert faulty

    body = client.get(f"/t/autumn-league/m/{faulty[0]}.json").get_data(as_text=True)

    assert json.loads(body)["faults"][0]["code"] == "timeout"
    assert "10.0.0.9" not in body


def test_secret_is_published_when_it_is_over(client: FlaskClient, played: Path) -> None:
    """The commitment always, the secret at the end, and the one is the hash of the other."""
    over = client.get("/t/autumn-league/fairness.json").get_json()
    running = client.get("/t/sunday-table/fairness.json").get_json()

    assert hashlib.sha256(bytes.fromhex(over["secret"])).hexdigest() == over["commitment"]
    assert len(over["digest"]) == 64
    assert running["secret"] is None
    assert running["digest"] is None
    assert len(running["commitment"]) == 64


@pytest.mark.parametrize(
    ("given", "said"),
    [(None, "The arena drew this secret"), (bytes(32), "The organiser gave this secret")],
)
def test_page_says_who_chose_the_secret(store: Store, given: bytes | None, said: str) -> None:
    """Whoever gave it could know the deals before they were played."""
    bots = tuple(BotSpec(name, "http://127.0.0.1:9") for name in ("keen", "greedy"))
    create_tournament(store, TournamentConfig(name="Secrets", bots=bots), given)
    client = create_app(store.path).test_client()

    assert client.get("/t/secrets/fairness.json").get_json()["secret_given"] is (given is not None)
    assert said in client.get("/t/secrets/fairness").get_data(as_text=True)


def test_hand_in_play_is_nowhere(client: FlaskClient, played: Path) -> None:
    """A match in play shows the hands that are over and nothing of the one in play."""
    schedule = client.get("/t/sunday-table/schedule.json?only=playing").get_json()
    match = schedule["rounds"][0]["matches"][0]
    with Store(played, read_only=True) as store:
        over = {(hand.game, hand.number) for hand in store.hands.of(match["id"])}
    page = client.get(f"{match['url']}.json").get_json()
    shown = {(game["number"], hand["number"]) for game in page["games"] for hand in game["hands"]}
    last = max(over, default=(1, 0))

    assert shown == over
    assert client.get(f"{match['url']}/{last[0]}-{last[1] + 1}.json").status_code == 404


def test_headers_forbid_what_pages_do_not_need(client: FlaskClient) -> None:
    """A strict policy on every answer, errors included."""
    for address in ("/", "/bots.json", "/no/such/page", "/static/site.css"):
        headers = client.get(address).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"


def test_no_cache_gives_one_reader_the_answer_of_another(client: FlaskClient, played: Path) -> None:
    """Every answer but a file says that it depends on the cookie and on the token in a header."""
    for address in ("/", "/bots.json", "/bots/1-keen", "/bots/1-keen/check", "/organise", "/nope",
                    "/t/autumn-league/standings.csv", "/account", "/health"):  # fmt: skip
        first = client.get(address)
        assert first.headers.getlist("Vary") == ["Authorization, Cookie"], address
        if "ETag" in first.headers:
            again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
            kept = client.get(address)
            assert (again.status_code, kept.status_code) == (304, 200)
            assert again.headers["Vary"] == kept.headers["Vary"] == first.headers["Vary"]
    assert "Vary" not in client.get("/static/site.css").headers


def test_form_from_another_site_is_refused(app: Flask, database: Path) -> None:
    """Neither another origin, nor a missing token, nor a wrong one gets through."""
    browser = Browser(app)
    browser.sign_in(ORGANISER)
    before = fingerprint(database)
    good = browser.csrf("/organise")
    address = "/organise/t/sunday-table/pause"
    attempts: list[tuple[dict[str, str], dict[str, str]]] = [
        ({}, {}),
        ({"csrf": "x" * 32}, {}),
        ({"csrf": good}, {"Origin": "https://evil.example"}),
        ({"csrf": good}, {"Origin": "null"}),
        ({"csrf": good}, {"Origin": "http://["}),
        ({"csrf": good}, {"Sec-Fetch-Site": "cross-site"}),
    ]
    for data, headers in attempts:
        answer = browser.client.post(address, data=data, headers=headers)
        assert answer.status_code == 403, (data, headers)
    assert browser.client.post(address, json={}).status_code == 401
    assert fingerprint(database) == before

    answer = browser.client.post(address, data={"csrf": good}, headers={"Sec-Fetch-Site": "none"})
    assert answer.status_code == 303


def test_tokens_are_stored_as_hashes_only(make_app: Callable[..., Flask], database: Path) -> None:
    """A copy of the database lets nobody in."""
    app = make_app()
    answer = app.test_client().post(
        "/submit", json={"name": "hash me", "endpoint": "http://127.0.0.1:1/"}
    )
    token = answer.get_json()["owner_token"]

    assert answer.status_code == 201
    dump = "\n".join(sqlite3.connect(database).iterdump())
    assert token not in dump
    assert token.split("_", 1)[1] not in dump
