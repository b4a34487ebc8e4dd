CREATE TABLE games (
    id      TEXT    NOT NULL PRIMARY KEY,
    variant TEXT    NOT NULL,
    owner   TEXT    NOT NULL,
    version INTEGER NOT NULL,
    over    INTEGER NOT NULL,
    opened  INTEGER NOT NULL,
    changed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX games_by_owner ON games (owner);

-- By the number, other processes find events that are new to them.
CREATE TABLE events (
    number  INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    game    TEXT    NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    seat    INTEGER,
    client  TEXT,
    body    TEXT    NOT NULL,
    digest  TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    UNIQUE (game, version)
) STRICT;

-- A seat's client ids are unique. NULLs would not be, so -1 stands for the server, which has no seat.
CREATE UNIQUE INDEX events_by_client ON events (game, coalesce(seat, -1), client) WHERE client IS NOT NULL;

CREATE TABLE seats (
    game   TEXT    NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seat   INTEGER NOT NULL,
    person TEXT    NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_by_person ON seats (person);

-- Tokens and codes are stored as hashes only.
CREATE TABLE sessions (
    token  TEXT    NOT NULL PRIMARY KEY,
    person TEXT    NOT NULL,
    seen   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE codes (
    code   TEXT    NOT NULL PRIMARY KEY,
    person TEXT    NOT NULL,
    until  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
