"""The reverse proxy of the documentation, really running."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

import arena.site
from arena.site import create_app
from arena.site.auth import hash_token
from arena.site.serve import SiteServer
from tests.site.conftest import ORGANISER

README = Path(arena.site.__file__).with_name("README.md")

pytestmark = pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def proxied(database: Path, tmp_path: Path) -> Iterator[str]:
    """The public address of a site behind nginx, configured as the documentation says."""
    found = re.search(r"```nginx\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert found is not None
    port = free_port()
    address = f"http://127.0.0.1:{port}/arena"
    app = create_app(database, base_url=address, organiser_token_hash=hash_token(ORGANISER))
    with SiteServer(app) as server:
        server.start()
        location = found[1].replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
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
