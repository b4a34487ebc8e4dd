-- Every server that ran lately. A server lives until its lease ends; no server was running from quiet, when the last lease
-- before it ended, until it started.
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
