-- Servers that share this database, and who is connected to each; a server that does not renew its lease is gone.
CREATE TABLE servers (
    id    TEXT    NOT NULL PRIMARY KEY,
    lease INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE presence (
    game   TEXT    NOT NULL,
    seat   INTEGER NOT NULL,
    server TEXT    NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    PRIMARY KEY (game, seat, server)
) STRICT, WITHOUT ROWID;

CREATE INDEX presence_by_server ON presence (server);
