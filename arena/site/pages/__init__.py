"""One blueprint a topic. Importing this package has no effect but defining them."""

from arena.site.pages import (
    about,
    account,
    archive,
    beginnings,
    bot,
    bots,
    bracket,
    conduct,
    draft,
    entries,
    exports,
    fairness,
    games,
    hand,
    health,
    home,
    live,
    match,
    notable,
    organise,
    owner,
    protocol,
    search,
    strength,
    submit,
    tournament,
)

BLUEPRINTS = tuple(
    module.blueprint
    for module in (
        home,
        archive,
        tournament,
        entries,
        strength,
        fairness,
        bracket,
        notable,
        conduct,
        match,
        hand,
        bots,
        bot,
        games,
        protocol,
        search,
        account,
        submit,
        owner,
        organise,
        beginnings,
        draft,
        about,
        exports,
        live,
        health,
    )
)

__all__ = ["BLUEPRINTS"]
