"""The reverse proxy of the documentation, really running."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests
from flask import Flask, request

import arena.site
from arena.site import create_app
from arena.site.http.limits import sender
from arena.site.serve import SiteServer
from arena.tokens import hash_token
from tests.site.conftest import ORGANISER

SITE_README = Path(arena.site.__file__).with_name("README.md")
README = Path(__file__).parents[2] / "README.md"

needs_nginx = pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")


def nginx_block(readme: Path) -> str:
    """The configuration that a README shows."""
    (found,) = re.findall(r"```nginx\n(.*?)```", readme.read_text("utf-8"), re.DOTALL)
    assert isinstance(found, str)
    return found


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def askers() -> list[str | None]:
    """The addresses that the site behind the proxy was asked by."""
    return []


@pytest.fixture
def proxied(database: Path, tmp_path: Path, askers: list[str | None]) -> Iterator[str]:
    """The public address of a site behind nginx, configured as the documentation says."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/arena"
    app = create_app(database, base_url=address, organiser_token_hash=hash_token(ORGANISER))
    app.before_request(lambda: askers.append(request.remote_addr))
    with SiteServer(app) as server:
        server.start()
        location = nginx_block(SITE_README).replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
        temporary = "".join(
            f"{name}_temp_path {tmp_path}/{name};\n"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        configuration = tmp_path / "nginx.conf"
        configuration.write_text(
            f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log;\n"
            f"events {{}}\nhttp {{ access_log off; {temporary}"
            f"server {{ listen 127.0.0.1:{port};\n{location} }} }}\n"
        )
        process = subprocess.Popen(
            ["nginx", "-p", str(tmp_path), "-c", str(configuration)], stderr=subprocess.DEVNULL
        )
        try:
            wait_for(port)
            yield address
        finally:
            process.terminate()
            process.wait(10)


def wait_for(port: int) -> None:
    """Until somebody listens."""
    end = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_both_readmes_show_the_same_proxy() -> None:
    """What is tested here is what people copy, but for the path."""
    at_root = nginx_block(SITE_README).replace("location /arena/ {", "location / {")

    assert nginx_block(README) == at_root


@needs_nginx
def test_nobody_is_who_he_says_behind_nginx(proxied: str, askers: list[str | None]) -> None:
    """The proxy says who asks, whatever the asker says of himself."""
    requests.get(f"{proxied}/bots", headers={"X-Forwarded-For": "203.0.113.6"}, timeout=10)

    assert askers == ["127.0.0.1"]


def seen_by(app: Flask, *headers: dict[str, str]) -> list[str | None]:
    """The address that the site counts each of these requests for."""
    seen: list[str | None] = []
    app.before_request(lambda: seen.append(sender()))
    with SiteServer(app) as server:
        server.start()
        for more in headers:
            requests.get(f"{server.address}/health", headers=more, timeout=10)
    return seen


def test_only_the_last_hop_is_believed(make_app: Callable[..., Flask]) -> None:
    """What stands before it in the header, the reader may have made up."""
    seen = seen_by(
        make_app(base_url="https://arena.example.org"),
        {"X-Forwarded-For": "203.0.113.6, 198.51.100.7"},
        {"X-Forwarded-For": "203.0.113.7,198.51.100.7"},
        {"X-Forwarded-For": "203.0.113.6, 2001:db8::1"},
        {"X-Forwarded-For": "2001:db8:0:0:ffff::1"},
    )

    assert seen == ["198.51.100.7", "198.51.100.7", "2001:db8::/64", "2001:db8::/64"]


def test_nobody_is_believed_without_a_proxy(make_app: Callable[..., Flask]) -> None:
    """Without a public address there is no proxy, so the header is a reader's own."""
    assert seen_by(make_app(), {"X-Forwarded-For": "203.0.113.6"}) == ["127.0.0.1"]


def test_proxy_that_does_not_say_who_asks_is_noticed_once(
    make_app: Callable[..., Flask], caplog: pytest.LogCaptureFixture
) -> None:
    """The organiser learns what is wrong and what to set, in one line of the log."""
    through = {"Host": "arena.example.org"}
    seen_by(make_app(base_url="https://arena.example.org"), through, through)
    lines = [line for line in caplog.messages if "X-Forwarded-For" in line]

    assert len(lines) == 1
    assert "README" in lines[0]


@needs_nginx
def test_pages_forms_and_streams_work_behind_nginx(proxied: str, database: Path) -> None:
    """Links stay below the path, signing in works, and events come through at once."""
    with requests.Session() as session:
        html = session.get(f"{proxied}/t/sunday-table", timeout=10).text
        links = re.findall(r'(?:href|src)="(/[^"]*)"', html)
        assert links
        assert all(link.startswith("/arena/") for link in links)
        form = session.get(f"{proxied}/account", timeout=10).text
        csrf = re.search(r'name="csrf" value="([^"]+)"', form)
        assert csrf is not None
        signed = session.post(
            f"{proxied}/account",
            data={"token": ORGANISER, "csrf": csrf[1]},
            headers={"Origin": proxied.removesuffix("/arena"), "Accept": "text/html"},
            timeout=10,
        )
        assert signed.url == f"{proxied}/organise"
        assert signed.status_code == 200
        page = re.search(r'data-page="([^"]+)"', html)
        assert page is not None
        stream = session.get(
            f"{proxied}/events", params={"page": page[1], "tag": "old"}, stream=True, timeout=10
        )
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        assert any(line.startswith(b"data: ") for line in lines)
        stream.close()
