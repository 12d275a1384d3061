"""Where a match stood when a hand was dealt and when it was over: games, points, who sat out.

The score is kept by the sheet of the game itself, from the records of its hands; nothing here
knows how a game counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.errors import RulesError
from arena.rules.base import Sheet, Variant
from arena.rules.record import parse, sheets
from arena.rules.tables.sides import SideSheet
from arena.rules.texts import points_text
from arena.site.views.formatting import number
from arena.site.views.parts import Named
from arena.store.rows import GameRow, HandRow


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side of the match: one player, or partners. ``positions``: where it sat in this hand, none
    for who sat out.

    ``games``: won before this one by each player, who may have had other partners then.
    ``before``, ``after``: points in this game, by column.
    ``gained``: points of the hand itself, which need not be what the score grows by.
    """

    players: tuple[Named, ...]
    positions: tuple[int, ...]
    games: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    gained: int | None


@dataclass(frozen=True, slots=True)
class HandScore:
    """The score around a hand. ``unit``: what is counted; ``goal``: what ends the game; ``note``:
    how points of a hand make those of the game, None where they just add up.
    """

    sides: tuple[SideScore, ...]
    unit: str
    goal: str | None
    note: str | None

    def side_at(self, position: int) -> SideScore:
        """The side that sat at a position."""
        return next(side for side in self.sides if position in side.positions)


def columns_text(columns: Sequence[int]) -> str:
    """``45``, or a column after the other: ``45 · 12 · 0``."""
    return " · ".join(number(points) for points in columns)


def hand_score(
    variant: Variant,
    hands: Mapping[int, Sequence[HandRow]],
    games: Sequence[GameRow],
    at: tuple[int, int],
    players: Sequence[Named],
) -> HandScore | None:
    """The score around hand ``at`` (game and number); None where its records do not tell.

    ``hands``: those of the match by game. ``games``: its finished games. ``players``: by seat.
    """
    game, last = at
    seats = len(players)
    try:
        records = [parse(row.record) for row in hands.get(game, ()) if row.number <= last]
        found = sheets(variant, records, seats)
        if not found:
            return None
        won = [0] * seats
        for row in games:
            if row.number < game:
                for seat in _winners(variant, row, hands.get(row.number, ()), seats):
                    won[seat] += 1
    except RulesError:
        return None
    before, after, record = found[-2], found[-1], records[-1]
    gains = dict(zip(record.plan.seats, record.outcome.points, strict=True))
    places = {seat: position for position, seat in enumerate(record.plan.seats)}
    sides = []
    for side in _sides(before):
        playing = [seat for seat in side if seat in places]
        sides.append(
            SideScore(
                players=tuple(players[seat] for seat in side),
                positions=tuple(places[seat] for seat in playing),
                games=tuple(won[seat] for seat in side),
                before=points_of(before, side[0]),
                after=points_of(after, side[0]),
                gained=gains[playing[0]] if playing else None,
            )
        )
    rules = variant.rules.as_dict()
    note = points_text(variant) or None
    return HandScore(tuple(sides), unit_of(before, rules), _goal(before), note)


def _winners(
    variant: Variant, row: GameRow, hands: Sequence[HandRow], seats: int
) -> tuple[int, ...]:
    """The seats that won a finished game; partners win together, which its row does not say."""
    if row.winner is not None:
        return (row.winner,)
    found = sheets(variant, [parse(hand.record) for hand in hands], seats)
    return found[-1].winners if found else ()


def _sides(sheet: Sheet) -> tuple[tuple[int, ...], ...]:
    if not isinstance(sheet, SideSheet):
        return tuple((seat,) for seat in range(len(sheet.lines)))
    return tuple(
        tuple(seat for seat, its in enumerate(sheet.sides) if its == side)
        for side in sorted(set(sheet.sides))
    )


def running(
    variant: Variant, hands: Sequence[HandRow], seats: int
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The points of each seat, column by column, after each of a game's hands.

    Nothing where the records do not tell.
    """
    try:
        found = sheets(variant, [parse(row.record) for row in hands], seats)
    except RulesError:
        return ()
    return tuple(tuple(points_of(sheet, seat) for seat in range(seats)) for sheet in found[1:])


def points_of(sheet: Sheet, seat: int) -> tuple[int, ...]:
    """Points of a seat in its game, by column."""
    if len(sheet.columns) == 1:
        return (sheet.lines[seat].points,)
    return tuple(column[seat] for column in sheet.columns)


def unit_of(sheet: Sheet, rules: Mapping[str, object]) -> str:
    """What a sheet counts."""
    if sheet.lower_is_better:
        return "penalty points"
    return "chips" if rules.get("format") == "deals" else "points"


def _goal(sheet: Sheet) -> str | None:
    if sheet.target is None:
        return None
    if sheet.lower_is_better:
        return f"{sheet.target} puts one out"
    return f"to {sheet.target}{' in a column' if len(sheet.columns) > 1 else ''}"
