-- Servers that ran recently. A server counts as running until its lease ends. No server was running between quiet,
-- the end of the last lease before it, and started.
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
