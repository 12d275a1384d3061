"""All matches of a tournament in order of play: of everybody, of one bot, or of a pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, request

from arena.site.http.respond import page, route, urls
from arena.site.pages.common import line_of, snapshot_at, unchanged
from arena.site.pages.paging import Pager, Window, paged
from arena.site.views.bracket_view import round_title
from arena.site.views.parts import Head, MatchLine, Named, bot, snapshot_head
from arena.site.views.snapshot import Snapshot
from arena.store.rows import FixtureRow, FixtureStatus
from arena.tournament.formats.double_elimination import FINAL, LOSERS, WINNERS
from arena.tournament.formats.single_elimination import STAGE, THIRD_PLACE_STAGE

blueprint = Blueprint("schedule", __name__)

PER_PAGE = 100
GROUP = "group_"
BRACKET_STAGES = (STAGE, THIRD_PLACE_STAGE, WINNERS, LOSERS, FINAL)


@dataclass(frozen=True, slots=True)
class RoundLines:
    """The matches of one round in order of play."""

    title: str
    matches: tuple[MatchLine, ...]

    def rest(self, match: MatchLine) -> str:
        """What the label of a match says that the title does not."""
        if match.label.casefold().startswith(self.title.casefold()):
            return match.label[len(self.title) :].removeprefix(", ")
        return match.label


@dataclass(frozen=True, slots=True)
class SchedulePage:
    """All matches in order of play, a page at a time; ``only`` is the state asked for.

    ``bots``: whose matches they are, of one bot or of two against each other; empty for all.
    ``is_mixed``: rounds are not played one after the other.
    """

    template: ClassVar[str] = "schedule.html"
    live: ClassVar[Mapping[str, str]] = {"head": "_head.html", "schedule": "_schedule.html"}
    section: ClassVar[str] = "schedule"
    head: Head
    bots: tuple[Named, ...]
    rounds: tuple[RoundLines, ...]
    pager: Pager
    only: str | None
    is_mixed: bool
    filters: tuple[Window, ...]


@route(blueprint, "/t/<slug:slug>/schedule")
def schedule(slug: str) -> Response:
    """The matches asked for, by round."""
    snapshot = snapshot_at(slug)
    same = unchanged(snapshot.stamp)
    if same is not None:
        return same
    only = request.args.get("only")
    if only not in set(FixtureStatus):
        only = None
    asked = _entrants(snapshot)
    chosen = _chosen(snapshot, asked, None if only is None else FixtureStatus(only))
    query = dict(zip(("bot", "against"), asked, strict=False))
    pager, part = paged(
        len(chosen),
        PER_PAGE,
        lambda page: urls().section(slug, "schedule", only=only, page=page, **query),
    )
    rounds: dict[tuple[str, int], list[FixtureRow]] = {}
    for row in chosen[part]:
        rounds.setdefault((row.key.stage, row.key.round), []).append(row)
    states = [None, "playing", "pending", "finished", "void"]
    words = {None: "All", "pending": "To be played"}
    return page(
        SchedulePage(
            head=snapshot_head(urls(), snapshot),
            bots=tuple(bot(urls(), snapshot, entrant) for entrant in asked),
            rounds=tuple(
                RoundLines(_title(rows), tuple(line_of(snapshot, row) for row in rows))
                for rows in rounds.values()
            ),
            pager=pager,
            only=only,
            is_mixed=not asked
            and "legs" in snapshot.format.uses
            and not snapshot.format.many_seats
            and any(row.key.half for row in chosen[part]),
            filters=tuple(
                (
                    words.get(state) or str(state).capitalize(),
                    urls().section(slug, "schedule", only=state, **query),
                    state == only,
                )
                for state in states
            ),
        )
    )


def _title(rows: Sequence[FixtureRow]) -> str:
    """What the matches of a round are called together."""
    stage, number = rows[0].key.stage, rows[0].key.round
    if stage.startswith(GROUP):
        return f"Group {stage.removeprefix(GROUP).upper()}, round {number}"
    if stage in BRACKET_STAGES and rows[0].label:
        return round_title([row.label for row in rows])
    return f"Round {number}"


def _entrants(snapshot: Snapshot) -> tuple[int, ...]:
    """The entrants whose matches are asked for, none for those of everybody."""
    found: list[int] = []
    for name in ("bot", "against"):
        text = request.args.get(name, "")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
        if number not in snapshot.names or number in found:
            break
        found.append(number)
    return tuple(found)


def _chosen(
    snapshot: Snapshot, asked: tuple[int, ...], status: FixtureStatus | None
) -> Sequence[FixtureRow]:
    if not asked:
        return snapshot.fixtures if status is None else snapshot.matches.in_state(status)
    return [
        row
        for row in snapshot.matches.of(asked[0])
        if status in (None, row.status)
        and all(snapshot.opposed(row, asked[0], o) for o in asked[1:])
    ]
