"""What the OpenAPI document says of who may call, of parameters and of fields. Pure."""

from __future__ import annotations

from collections.abc import Mapping

WHO_MAY: Mapping[str, str] = {
    "": "Anybody may; no token is needed.",
    "owner": "For the bot's owner, with Authorization: Bearer and the owner's token, and for the "
    "organiser.",
    "organiser": "For the organiser, with Authorization: Bearer and the organiser's token.",
}
"""By the security of the call."""

PATH_TEXTS: Mapping[str, str] = {
    "slug": "The word by which addresses name the tournament, as its pages have it",
    "match": "The id of the match, as schedules have it",
    "game": "The number of the game in its match, from 1",
    "number": "The number of the hand in its game, from 1",
    "bot": "Number and name of the bot as its pages have them; the number counts",
    "bot_id": "The number of the bot, as in the address of its page",
    "name": "The name of the game, as the list of games has it",
}
QUERY_TEXTS: Mapping[str, str] = {
    "page": "Which page of a long list, from 1",
    "row": "Which window of rows of a large table, from 1",
    "column": "Which window of columns of a large table, from 1",
    "bot": "Only matches of this entrant, by its number in the tournament",
    "against": "With `bot`: only those in which this entrant sat too",
    "only": "Only matches of one state: pending, playing, finished or void",
    "move": "Which frame of the replay is chosen, 0 for the deal",
    "q": "What to look for",
}
FIELD_TEXTS: Mapping[str, str] = {
    "name": "The name, up to 64 characters; to retire a bot, its name once more",
    "endpoint": "The bot's address: http or https, host, port and path. What "
    "tournament files and commands call url; in answers of the API, url is the address of a page",
    "author": "Who wrote the bot, shown beside it",
    "homepage": "A page for people about the bot",
    "secret": "The secret that requests are signed with, whsec_… as Standard Webhooks has it",
    "new_secret": "Let the arena make the secret; it is in the answer, once. A new bot is not "
    "checked before its owner asks for it",
    "invite": "An invitation that the organiser made",
    "format": "How it is played: round_robin, single_elimination, double_elimination, swiss, "
    "groups, gauntlet, tables or ladder",
    "rules": "The name of the game, as /games has it",
    "set": "Settings of the game that differ from the usual, by name; /games/NAME lists them",
    "clock": "deadline_ms, bank_ms and max_strikes where they differ from the usual",
    "bots": "The names of admitted bots, in the order of a seeding by hand",
    "seeding": "given or ratings",
    "seeded_from": "The name of an earlier tournament whose table is the seeding",
    "most_entrants": "How many bots may enter while it is open for entries",
    "all_present": "Whether it begins only when every bot answers",
    "patience_s": "How many seconds the matches of a bot that does not answer wait for it once "
    "nothing else is left to play",
    "games": "Games of a match that is no best-of match",
    "best_of": "The most games of a match that ends when it is decided; odd",
    "legs": "How often each pair meets",
    "rounds": "Rounds of a Swiss",
    "groups": "Groups of the group stage",
    "advance": "How many bots of each group go on to the bracket",
    "table_size": "Seats of a table",
    "champion": "The gauntlet's one bot: its number among the bots, from 0",
    "duplicate": "Whether every deal is played from both sides",
    "all_orders": "Whether tables of four and more play every seat order of a deal, not the "
    "rotations only",
    "third_place": "Whether third place is played for",
    "plan": "Only tell what it will take",
    "open": "Let owners enter their bots until it starts",
    "order": "The names of all entrants, the strongest first",
    "bot": "The name of the bot",
    "confirm": "What must be typed so that nothing is destroyed by mistake, see the summary",
    "disqualify": "Let its results count for nobody, instead of keeping them",
    "version": "The version of the bot that was looked at",
    "note": "For whom the invitation is",
}
"""By the name of a field of a body; a name means the same in every call."""
