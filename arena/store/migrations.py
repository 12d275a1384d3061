"""The database schema as named migrations, applied in order, each in a transaction.

Never edit a released migration: add one. Texts that are JSON say so in a comment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlite_utils.migrations import Migrations

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x47494E41
"""Written into the file's header ("GINA"), so that another program's file is recognised."""

migrations = Migrations("gin-arena")


@migrations()
def first_schema(db: Database) -> None:
    """The first schema."""
    db.conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for statement in SCHEMA.split(";\n"):
        if statement.strip():
            db.conn.execute(statement)


@migrations()
def entrant_ratings(db: Database) -> None:
    """What an entrant was rated when its tournament began, null where that was not known."""
    db.conn.execute("ALTER TABLE entrants ADD COLUMN rating REAL")


@migrations()
def rounds_of_leaving(db: Database) -> None:
    """After which round an entrant left. Tournaments that are over stay as they were sealed."""
    db.conn.execute("ALTER TABLE entrants ADD COLUMN left_round INTEGER")
    db.conn.execute(
        "UPDATE entrants SET left_round = (SELECT coalesce(max(round), 0) FROM fixtures"
        " WHERE fixtures.tournament_id = entrants.tournament_id)"
        " WHERE state <> 'playing' AND tournament_id IN"
        " (SELECT id FROM tournaments WHERE state NOT IN ('finished', 'cancelled'))"
    )


@migrations()
def counted_faults(db: Database) -> None:
    """How many faults a finished match has, by which its digest covers them; null in those that
    were sealed before."""
    db.conn.execute("ALTER TABLE fixtures ADD COLUMN faults INTEGER")


SCHEMA = """
CREATE TABLE bots (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    name_key TEXT NOT NULL UNIQUE,          -- look-alikes and case twins share it
    created_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'accepted', -- pending, accepted, retired
    owner_hash TEXT,                        -- of the owner's token
    homepage TEXT,
    author TEXT
) STRICT;

CREATE TABLE bot_versions (
    id INTEGER PRIMARY KEY,
    bot_id INTEGER NOT NULL REFERENCES bots(id),
    number INTEGER NOT NULL,
    endpoint TEXT NOT NULL,                 -- never shown to anybody but the owner
    secret TEXT,                            -- for signing
    old_secret TEXT,                        -- still valid while rotating
    info TEXT NOT NULL DEFAULT '{}',        -- JSON, the bot's last answer to GET /
    report TEXT,                            -- JSON, the last conformance report
    created_at TEXT NOT NULL,
    UNIQUE (bot_id, number)
) STRICT;

CREATE TABLE tournaments (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    slug TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,                    -- TournamentState
    format TEXT NOT NULL,
    variant TEXT NOT NULL,
    config TEXT NOT NULL,                   -- JSON, the whole effective configuration
    secret TEXT NOT NULL,                   -- hex; published when the tournament is over
    commitment TEXT NOT NULL,               -- SHA-256 of the secret, hex; public from the start
    created_at TEXT NOT NULL,
    started_at TEXT,
    finished_at TEXT,
    digest TEXT,                            -- SHA-256 of everything in it, hex, when finished
    revision INTEGER NOT NULL DEFAULT 0     -- grows with every change that a page could show
) STRICT;

CREATE TABLE entrants (
    tournament_id TEXT NOT NULL REFERENCES tournaments(id),
    number INTEGER NOT NULL,                -- 0…n-1 in the order of entry
    seeding INTEGER NOT NULL,               -- 1 is the strongest
    bot_version_id INTEGER NOT NULL REFERENCES bot_versions(id),
    name TEXT NOT NULL,                     -- as it was when the tournament began
    state TEXT NOT NULL DEFAULT 'playing',  -- playing, withdrawn, disqualified
    PRIMARY KEY (tournament_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE fixtures (
    serial INTEGER PRIMARY KEY,             -- what hands refer to, shorter than the id
    id TEXT NOT NULL UNIQUE,                -- opaque, a function of the secret
    tournament_id TEXT NOT NULL REFERENCES tournaments(id),
    position INTEGER NOT NULL,              -- order of play
    stage TEXT NOT NULL,
    round INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    half INTEGER NOT NULL,
    replay INTEGER NOT NULL DEFAULT 0,      -- counts how often it was voided before
    label TEXT NOT NULL DEFAULT '',
    seats TEXT NOT NULL,                    -- JSON, entrant numbers by seat
    deal_key TEXT NOT NULL,
    games INTEGER NOT NULL,
    wins_needed INTEGER,
    status TEXT NOT NULL,                   -- FixtureStatus
    winner INTEGER,                         -- entrant number
    games_won TEXT,                         -- JSON, by seat
    games_drawn INTEGER,
    points TEXT,                            -- JSON, by seat
    hands INTEGER,
    hands_won TEXT,                         -- JSON, by seat
    hand_diffs TEXT,                        -- JSON
    forfeited TEXT,                         -- JSON, entrant numbers
    places TEXT,                            -- JSON, by seat, 1 the best; tables of three and more
    termination TEXT,
    sentence TEXT,
    started_at TEXT,
    finished_at TEXT,
    digest TEXT,                            -- SHA-256 of hands, games and result, hex
    UNIQUE (tournament_id, stage, round, slot, half, replay)
) STRICT;

CREATE INDEX fixtures_by_status ON fixtures (tournament_id, status, position);

CREATE TABLE games (
    fixture_id TEXT NOT NULL REFERENCES fixtures(id),
    number INTEGER NOT NULL,                -- 1…
    winner INTEGER,                         -- seat
    points TEXT NOT NULL,                   -- JSON, by seat, what decides
    totals TEXT NOT NULL,                   -- JSON, by seat, with bonuses
    hands INTEGER NOT NULL,
    termination TEXT NOT NULL,
    sentence TEXT NOT NULL,
    PRIMARY KEY (fixture_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE hands (                        -- by far the largest table: kept in order of arrival
    fixture INTEGER NOT NULL REFERENCES fixtures(serial),
    game INTEGER NOT NULL,
    number INTEGER NOT NULL,                -- 1… within the game
    record TEXT NOT NULL,                   -- one line, see rules.record
    ending TEXT NOT NULL,
    winner INTEGER,                         -- seat
    points TEXT NOT NULL,                   -- JSON, by position
    times TEXT NOT NULL,                    -- milliseconds of each decision, see store.digits
    books TEXT NOT NULL,                    -- the clocks by seat after the hand, see store.hands
    notes TEXT,                             -- JSON, [turn, text] of what bots remarked
    UNIQUE (fixture, game, number)
) STRICT;

CREATE TABLE faults (
    id INTEGER PRIMARY KEY,
    fixture_id TEXT NOT NULL REFERENCES fixtures(id),
    game INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    entrant INTEGER NOT NULL,
    code TEXT NOT NULL,                     -- FaultCode
    detail TEXT NOT NULL,                   -- short, without secrets, for the bot's owner
    elapsed_ms REAL NOT NULL
) STRICT;

CREATE INDEX faults_by_fixture ON faults (fixture_id);

CREATE TABLE overheads (
    tournament_id TEXT NOT NULL REFERENCES tournaments(id),
    entrant INTEGER NOT NULL,
    decisions INTEGER NOT NULL,
    bot_ms REAL NOT NULL,                   -- wire and thinking time, charged to the bot
    arena_ms REAL NOT NULL,                 -- the arena's own time around it, never charged
    PRIMARY KEY (tournament_id, entrant)
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID
"""
