-- Every move updates its game's row, so leave free space on each page for updated rows.
CREATE TABLE games (
    id      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    variant TEXT    NOT NULL,
    owner   TEXT COLLATE "C" NOT NULL,
    version INTEGER NOT NULL,
    over    BOOLEAN NOT NULL,
    opened  BIGINT  NOT NULL,
    changed BIGINT  NOT NULL
) WITH (fillfactor = 70);

CREATE INDEX games_by_owner ON games (owner);

CREATE TABLE events (
    game    TEXT COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    seat    INTEGER,
    client  TEXT COLLATE "C",
    body    TEXT    NOT NULL,
    digest  TEXT    NOT NULL,
    at      BIGINT  NOT NULL,
    PRIMARY KEY (game, version)
);

-- A seat's client ids are unique. NULLs would not be, so -1 stands for the server, which has no seat.
CREATE UNIQUE INDEX events_by_client ON events (game, coalesce(seat, -1), client) WHERE client IS NOT NULL;

CREATE TABLE seats (
    game   TEXT COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seat   INTEGER NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (game, seat)
);

CREATE INDEX seats_by_person ON seats (person);

-- Tokens and codes are stored as hashes only.
CREATE TABLE sessions (
    token  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    person TEXT   NOT NULL,
    seen   BIGINT NOT NULL
);

CREATE TABLE codes (
    code   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    person TEXT   NOT NULL,
    until  BIGINT NOT NULL
);
