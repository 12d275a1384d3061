"""One blueprint a topic. Importing this package has no effect but defining them."""

from arena.site.pages import bots, bracket, exports, hand, health, home, live, match, tournament

BLUEPRINTS = (
    home.blueprint,
    tournament.blueprint,
    bracket.blueprint,
    match.blueprint,
    hand.blueprint,
    bots.blueprint,
    exports.blueprint,
    live.blueprint,
    health.blueprint,
)

__all__ = ["BLUEPRINTS"]
