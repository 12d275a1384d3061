"""The table at one moment of a hand, as the replay shows it: values only."""

from __future__ import annotations

from dataclasses import dataclass

from arena.rules.base import Melds


@dataclass(frozen=True, slots=True)
class HandOf:
    """What one position holds in a frame. ``table``: melds it has laid on the table.

    ``value``: deadwood; with ``throws``, a card still to be thrown, what the best throw leaves.
    The rest is of the showdown. ``laid_on``: cards in its melds that others laid off there;
    ``laid_off``: own cards that lie on melds of another. ``result``: its points, for people.
    """

    melds: Melds
    loose: tuple[str, ...]
    table: Melds
    value: int
    active: bool
    throws: bool = False
    laid_on: tuple[str, ...] = ()
    laid_off: tuple[str, ...] = ()
    result: str | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after an action; frame 0 is the deal, without one.

    ``showdown``: the last picture, after all actions: hands laid open, layoffs in their places.
    ``action``, ``text``: what was done, as recorded and for people. ``legal``: everything that
    could have been done. ``before``, ``after``: deadwood of the player who acted, as ``value`` of
    a hand counts it; ``deadwood``: both for people. ``ms``: time used, None where nobody was
    asked. ``fault``: why the referee played it for the bot. ``note``: what the bot remarked.
    ``moved``: the card that moved openly or was drawn. ``to_act``: a position.
    """

    action: str | None
    position: int | None
    text: str
    legal: tuple[str, ...]
    before: int | None
    after: int | None
    deadwood: str | None
    ms: int | None
    fault: str | None
    late: bool
    note: str | None
    moved: str | None
    to_act: int | None
    stock: int
    discard: tuple[str, ...]
    places: tuple[tuple[str, tuple[str, ...]], ...]
    hands: tuple[HandOf, ...]
    showdown: bool = False
