"""The calls that the OpenAPI document lists."""

from __future__ import annotations

from arena.site.pages.archive import ArchivePage
from arena.site.pages.bot import BotPage
from arena.site.pages.bots import BotsPage
from arena.site.pages.bracket import BracketPage
from arena.site.pages.conduct import ConductPage
from arena.site.pages.entries import EntriesPage
from arena.site.pages.fairness import FairnessPage
from arena.site.pages.games import GamePage, GamesPage
from arena.site.pages.hand import HandPage
from arena.site.pages.home import HomePage
from arena.site.pages.match import MatchPage
from arena.site.pages.notable import NotablePage
from arena.site.pages.owner import CheckPage
from arena.site.pages.schedule import SchedulePage
from arena.site.pages.search import SearchPage
from arena.site.pages.strength import StrengthPage
from arena.site.pages.tournament import (
    CrosstablePage,
    TournamentPage,
)
from arena.site.work.drafts import JSON_FIELDS

WINDOW = ("row", "column")

PAGES: tuple[tuple[str, type, str, tuple[str, ...]], ...] = (
    ("/index.json", HomePage, "Tournaments by state, and the latest results", ()),
    ("/tournaments.json", ArchivePage, "All tournaments", ("page",)),
    ("/t/{slug}.json", TournamentPage, "A tournament: standings and what is being played",
     ("page",)),
    ("/t/{slug}/bracket.json", BracketPage, "The bracket", ()),
    ("/t/{slug}/entries.json", EntriesPage, "Who has entered", ()),
    ("/t/{slug}/crosstable.json", CrosstablePage, "Everybody against everybody", WINDOW),
    ("/t/{slug}/strength.json", StrengthPage, "Ratings and likelihood of superiority", WINDOW),
    ("/t/{slug}/schedule.json", SchedulePage, "Matches in order of play",
     ("page", "only", "bot", "against")),
    ("/t/{slug}/notable.json", NotablePage, "Hands worth a look, of those that may be shown", ()),
    ("/t/{slug}/conduct.json", ConductPage, "How every bot answered: faults, late, times", ()),
    ("/t/{slug}/fairness.json", FairnessPage, "Rules in force, commitment and secret", ()),
    ("/t/{slug}/m/{match}.json", MatchPage, "A match with its games and hands", ()),
    ("/t/{slug}/m/{match}/{game}-{number}.json", HandPage, "A finished hand with its replay",
     ("move",)),
    ("/bots.json", BotsPage, "All bots, ranked at the game that is played most", ("page",)),
    ("/games/{name}/bots.json", BotsPage, "All bots, ranked at a game", ("page",)),
    ("/bots/{bot}.json", BotPage, "A bot's record", ()),
    ("/bots/{bot}/check.json", CheckPage, "A bot's conformance check, for its owner", ()),
    ("/games.json", GamesPage, "All games", ()),
    ("/games/{name}.json", GamePage, "The rules of a game", ()),
    ("/search.json", SearchPage, "Bots, tournaments and games by name", ("q",)),
)  # fmt: skip
"""Path, context, summary, query parameters."""

TEXT = "string"
DRAFT = {
    f"{name}*" if name in ("name", "bots") else name: kind for name, kind in JSON_FIELDS.items()
}

ACTIONS: tuple[tuple[str, str, str, str, dict[str, str], str], ...] = (
    ("post", "/submit", "Register a bot; its check begins", "",
     {"name*": TEXT, "endpoint*": TEXT, "author": TEXT, "homepage": TEXT, "secret": TEXT,
      "new_secret": "boolean", "invite": TEXT}, "201"),
    ("post", "/bots/{bot}/check", "Test a bot again", "owner", {}, "200"),
    ("post", "/bots/{bot}/edit", "Change address (a new version), home page and author", "owner",
     {"endpoint": TEXT, "homepage": TEXT, "author": TEXT}, "200"),
    ("post", "/bots/{bot}/secret", "Rotate the signing secret", "owner",
     {"secret": TEXT, "new_secret": "boolean"}, "200"),
    ("post", "/bots/{bot}/token", "Renew the owner's token", "owner", {}, "200"),
    ("post", "/bots/{bot}/retire", "Retire a bot; name repeats its name", "owner",
     {"name*": TEXT}, "200"),
    ("post", "/organise/new", "Create a tournament, or only plan it", "organiser", DRAFT, "201"),
    ("post", "/organise/t/{slug}/open", "Let owners enter their bots, at most so many",
     "organiser", {"most_entrants": "integer"}, "200"),
    ("post", "/organise/t/{slug}/close", "Let nobody enter or leave any more", "organiser", {},
     "200"),
    ("post", "/organise/t/{slug}/seeding", "Choose the seeding before the start: names in order, "
     "seeding given or ratings, or seeded_from", "organiser",
     {"order": "array", "seeding": TEXT, "seeded_from": TEXT}, "200"),
    ("post", "/t/{slug}/enter", "Enter a bot that is open for entries; bot is its name", "owner",
     {"bot*": TEXT}, "200"),
    ("post", "/t/{slug}/leave", "Take a bot out before the start", "owner", {"bot*": TEXT}, "200"),
    ("post", "/organise/t/{slug}/start", "Start a tournament", "organiser", {}, "200"),
    ("post", "/organise/t/{slug}/pause", "Pause a tournament", "organiser", {}, "200"),
    ("post", "/organise/t/{slug}/resume", "Resume a tournament", "organiser", {}, "200"),
    ("post", "/organise/t/{slug}/finish", "End a ladder with its round in play; confirm repeats "
     "the name", "organiser", {"confirm*": TEXT}, "200"),
    ("post", "/organise/t/{slug}/cancel", "Cancel for good; confirm repeats the name",
     "organiser", {"confirm*": TEXT}, "200"),
    ("post", "/organise/t/{slug}/void/{match}", "Void a match; confirm is the word void",
     "organiser", {"confirm*": TEXT}, "200"),
    ("post", "/organise/t/{slug}/withdraw", "Take a bot out; confirm repeats its name",
     "organiser", {"bot*": TEXT, "confirm*": TEXT, "disqualify": "boolean"}, "200"),
    ("post", "/organise/bots/{bot_id}/accept", "Admit a bot that waits; version is the one that "
     "was looked at", "organiser", {"version*": "integer"}, "200"),
    ("post", "/organise/bots/{bot_id}/refuse", "Turn a bot away that waits with this version",
     "organiser", {"version*": "integer"}, "200"),
    ("post", "/organise/invites", "Make an invitation", "organiser", {"note": TEXT}, "201"),
)  # fmt: skip
"""Method, path, summary, who may, fields of the body (a star: needed), status when done."""
