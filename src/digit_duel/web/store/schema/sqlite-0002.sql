-- Every server that ran lately. A server lives until its lease ends; no server was running from quiet, when the last lease
-- before it ended, until it started.
CREATE TABLE servers (
    id      TEXT NOT NULL PRIMARY KEY,
    quiet   INTEGER NOT NULL,
    started INTEGER NOT NULL,
    lease   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which seats are connected to which server.
CREATE TABLE presence (
    game   TEXT    NOT NULL,
    seat   INTEGER NOT NULL,
    server TEXT    NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    PRIMARY KEY (game, seat, server)
) STRICT, WITHOUT ROWID;

CREATE INDEX presence_by_server ON presence (server);
