"""``arena owner``: what the owner of a bot may do, by the site's API and with the owner's token."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import click

from arena.cli.options import bot_secret, confirm
from arena.errors import UsageError

if TYPE_CHECKING:
    from urllib.request import HTTPRedirectHandler, OpenerDirector, Request

SITE = "http://127.0.0.1:8000"
WAIT_S = 180.0
"""Longer than any check takes."""


@dataclass(frozen=True, slots=True)
class Site:
    """A site, asked as the owner of a bot."""

    url: str
    token: str

    def get(self, path: str) -> dict[str, Any]:
        """A page's JSON twin.

        :raises UsageError: the site cannot be reached, or refuses; the text is the site's own.
        """
        return self._call("GET", path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """An action.

        :raises UsageError: as `get`.
        """
        return self._call("POST", path, body)

    def _call(self, method: str, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        from urllib.request import Request, build_opener

        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        try:
            request = Request(self.url + path, data, headers, method=method)
            found = _json_of(build_opener(_no_redirects()), request)
        except (OSError, ValueError) as error:
            raise UsageError(
                f"{self.url} does not answer as an arena does ({type(error).__name__}); "
                "is --site right, and does arena serve run there?"
            ) from None
        if not found.get("ok"):
            raise UsageError(str(found.get("error") or "the site refuses without a reason"))
        return found

    def find(self, kind: str, name: str) -> str:
        """The path of the bot or tournament of this very name.

        :raises UsageError: there is none.
        """
        root = urlsplit(self.url).path
        for found in self.get(f"/search.json?q={quote(name)}")["found"]:
            link = found["link"]
            if found["kind"] == kind and link["name"] == name:
                return str(link["url"]).removeprefix(root)
        raise UsageError(f"there is no {kind} {name!r} at {self.url}")

    def bot(self, name: str, section: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """An action of the owner of this bot."""
        return self.post(f"{self.find('bot', name)}/{section}", body)


def _no_redirects() -> HTTPRedirectHandler:
    """Follows none: the token is for this site and no other."""
    from urllib.request import HTTPRedirectHandler

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    return Stay()


def _json_of(opener: OpenerDirector, request: Request) -> dict[str, Any]:
    """The JSON object that the site answers, be it a refusal.

    :raises OSError: it cannot be reached.
    :raises ValueError: it answers something else.
    """
    from urllib.error import HTTPError

    try:
        with opener.open(request, timeout=30) as answer:
            found = json.load(answer)
    except HTTPError as error:
        with error:
            found = json.load(error)
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found


@click.group()
@click.option("--site", default=SITE, show_default=True, metavar="URL", envvar="ARENA_SITE",
              help="The site, as browsers see it; or ARENA_SITE in the environment.")  # fmt: skip
@click.option("--token", required=True, envvar="ARENA_OWNER_TOKEN", metavar="OWN",
              help="The owner's token; better in the environment: ARENA_OWNER_TOKEN.")  # fmt: skip
@click.pass_context
def owner(context: click.Context, site: str, token: str) -> None:
    """Change a bot of yours: what the page of its owner does, for scripts.

    The token was printed when the bot was registered.

    \b
    export ARENA_OWNER_TOKEN=own_…
    arena owner edit hasty --url http://127.0.0.1:8002
    arena owner enter hasty "Friday night"
    arena owner --site https://arena.example.org test hasty
    """
    context.obj = Site(site.rstrip("/"), token)


@owner.command()
@click.argument("name")
@click.option("--url", metavar="URL", help="Where it answers now: a new version, checked again.")
@click.option("--homepage", metavar="URL", help="Its home page; empty for none.")
@click.option("--author", help="Who wrote it; empty for nobody.")
@click.pass_obj
def edit(site: Site, name: str, url: str | None, homepage: str | None, author: str | None) -> None:
    """Change address, home page or author of the bot NAME. Another address is a new version.

    \b
    arena owner edit hasty --url http://127.0.0.1:8002 --author me
    """
    given = {"endpoint": url, "homepage": homepage, "author": author}
    body = {field: value for field, value in given.items() if value is not None}
    if not body:
        raise click.UsageError("give --url, --homepage or --author")
    click.echo(site.bot(name, "edit", body)["said"])


@owner.command()
@click.argument("name")
@click.option("--secret", "has_secret", is_flag=True,
              help="Yours, from ARENA_BOT_SECRET or typed. Else one is made.")  # fmt: skip
@click.pass_obj
def secret(site: Site, name: str, has_secret: bool) -> None:
    """Give the bot NAME another signing secret. The one before stays valid beside it.

    \b
    arena owner secret hasty
    ARENA_BOT_SECRET=whsec_… arena owner secret hasty --secret
    """
    found = site.bot(
        name, "secret", {"secret": bot_secret()} if has_secret else {"new_secret": True}
    )
    if found["secret"]:
        click.echo(f"The signing secret, shown this once: {found['secret']}")
    click.echo(found["said"])


@owner.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print the whole check as JSON.")
@click.pass_obj
def test(site: Site, name: str, as_json: bool) -> None:
    """Test the bot NAME again and wait for the result. Exits with 1 when it did not pass.

    \b
    arena owner test hasty
    """
    path = f"{site.find('bot', name)}/check"
    site.post(path, {})
    until = time.monotonic() + WAIT_S
    while (found := site.get(f"{path}.json"))["running"]:
        if time.monotonic() > until:
            raise UsageError(f"the check has not ended; look at {site.url}{path}")
        time.sleep(0.5)
    if as_json:
        click.echo(json.dumps(found))
    else:
        for step in found["steps"]:
            if step["status"] in ("failed", "warning"):
                click.echo(f"{step['status']}: {step['title']}: {step['detail']}")
                if step["fix"]:
                    click.echo(f"    To do: {step['fix']}.")
        counts = ", ".join(f"{count} {status}" for status, count in found["counts"].items())
        error = f" {found['error']}" if found["error"] else ""
        click.echo(f"{name} is {found['state']}: {counts or 'nothing was checked.'}{error}")
    if not found["passed"]:
        raise SystemExit(1)


@owner.command()
@click.argument("name")
@click.pass_obj
def token(site: Site, name: str) -> None:
    """Give the bot NAME another owner's token. The one before is worth nothing any more.

    \b
    arena owner token hasty
    """
    found = site.bot(name, "token", {})
    click.echo(f"The owner's token, shown this once: {found['owner_token']}")


@owner.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def retire(site: Site, name: str, yes: bool) -> None:
    """Take the bot NAME out of new tournaments. Its record stays.

    \b
    arena owner retire hasty
    """
    if not yes:
        confirm(f"Retire {name}?")
    click.echo(site.bot(name, "retire", {"name": name})["said"])


@owner.command()
@click.argument("name")
@click.argument("tournament")
@click.pass_obj
def enter(site: Site, name: str, tournament: str) -> None:
    """Enter the bot NAME into TOURNAMENT, which is open for entries.

    \b
    arena owner enter hasty "Friday night"
    """
    _ask_tournament(site, tournament, "enter", name)


@owner.command()
@click.argument("name")
@click.argument("tournament")
@click.pass_obj
def leave(site: Site, name: str, tournament: str) -> None:
    """Take the bot NAME out of TOURNAMENT before it starts.

    \b
    arena owner leave hasty "Friday night"
    """
    _ask_tournament(site, tournament, "leave", name)


def _ask_tournament(site: Site, tournament: str, what: str, bot: str) -> None:
    path = site.find("tournament", tournament)
    click.echo(site.post(f"{path}/{what}", {"bot": bot})["said"])
