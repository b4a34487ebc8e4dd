-- Servers that ran recently. A server counts as running until its lease ends. No server was running between quiet,
-- the end of the last lease before it, and started.
CREATE TABLE servers (
    id      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    quiet   BIGINT NOT NULL,
    started BIGINT NOT NULL,
    lease   BIGINT NOT NULL
);

-- Which seats are connected to which server.
CREATE TABLE presence (
    game   TEXT COLLATE "C" NOT NULL,
    seat   INTEGER NOT NULL,
    server TEXT COLLATE "C" NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    PRIMARY KEY (game, seat, server)
);

CREATE INDEX presence_by_server ON presence (server);
