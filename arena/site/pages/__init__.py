"""One blueprint a topic. Importing this package has no effect but defining them."""

from arena.site.pages import (
    bots,
    bracket,
    exports,
    games,
    hand,
    health,
    home,
    live,
    match,
    protocol,
    search,
    strength,
    tournament,
)

BLUEPRINTS = tuple(
    module.blueprint
    for module in (
        home,
        tournament,
        strength,
        bracket,
        match,
        hand,
        bots,
        games,
        protocol,
        search,
        exports,
        live,
        health,
    )
)

__all__ = ["BLUEPRINTS"]
