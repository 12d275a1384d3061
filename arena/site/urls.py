"""Every address of the site is built here, for templates, JSON and redirects alike.

Addresses hold only slugs, numbers and opaque ids, never a name as typed, so no name can break one.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from arena.store.tournaments import slug_of


@dataclass(frozen=True, slots=True)
class Urls:
    """Builds addresses. ``root`` is the path that a reverse proxy serves the site under.

    ``base``: scheme and host for links in previews, empty where it is not known. ``stamps``: a
    short hash of each static file, so that browsers may keep files for ever.
    """

    root: str = ""
    base: str = ""
    stamps: tuple[tuple[str, str], ...] = ()

    def path(self, path: str, **query: str | int | None) -> str:
        """An address below the root; query values of None are left out."""
        given = {key: value for key, value in query.items() if value is not None}
        return f"{self.root}{path}" + (f"?{urlencode(given)}" if given else "")

    def absolute(self, path: str) -> str:
        """The address with scheme and host, for those who read it elsewhere."""
        return f"{self.base}{path}"

    def static(self, name: str) -> str:
        """A static file, with the hash of its content."""
        stamp = dict(self.stamps).get(name, "")
        return self.path(f"/static/{quote(name)}", v=stamp or None)

    def home(self) -> str:
        """All tournaments."""
        return self.path("/")

    def tournament(self, slug: str) -> str:
        """A tournament's own page."""
        return self.path(f"/t/{slug}")

    def section(self, slug: str, section: str, **query: str | int | None) -> str:
        """A further page of a tournament: ``schedule``, ``bracket``, ``crosstable``…"""
        return self.path(f"/t/{slug}/{section}", **query)

    def match(self, slug: str, fixture_id: str) -> str:
        """A fixture with its games and hands."""
        return self.path(f"/t/{slug}/m/{quote(fixture_id)}")

    def hand(self, slug: str, fixture_id: str, game: int, number: int) -> str:
        """The replay of a finished hand."""
        return self.path(f"/t/{slug}/m/{quote(fixture_id)}/{game}-{number}")

    def move(self, slug: str, fixture_id: str, game: int, number: int, turn: int) -> str:
        """The replay where it shows what was played at a turn, which count from 0."""
        return f"{self.hand(slug, fixture_id, game, number)}?move={turn + 1}"

    def bots(self) -> str:
        """All bots."""
        return self.path("/bots")

    def bot(self, bot_id: int, name: str) -> str:
        """A bot's profile; the number counts, the name is for people."""
        return self.path(f"/bots/{bot_id}-{slug_of(name, 'bot')}")

    def bot_section(self, bot_id: int, name: str, section: str) -> str:
        """A further page of a bot, for its owner."""
        return f"{self.bot(bot_id, name)}/{section}"

    def games(self) -> str:
        """All games that can be played."""
        return self.path("/games")

    def game(self, name: str) -> str:
        """The rules of a game."""
        return self.path(f"/games/{quote(name, safe='')}")

    def ranking(self, variant: str) -> str:
        """The bots by how strong they are at a game."""
        return f"{self.game(variant)}/bots"

    def page(self, name: str) -> str:
        """A page that stands alone: ``submit``, ``protocol``, ``about``, ``organise``…"""
        return self.path(f"/{name}")

    @staticmethod
    def twin(path: str, query: str = "") -> str:
        """The JSON twin of an address."""
        stem = path if path and not path.endswith("/") else f"{path}index"
        return f"{stem}.json" + (f"?{query}" if query else "")
