-- When and on what kind of device a session was started, for the list that its owner sees.
ALTER TABLE sessions ADD COLUMN started INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_by_person ON sessions (person);

-- Sessions that ended lately: every server closes their connections.
CREATE TABLE ended_sessions (
    token TEXT    NOT NULL PRIMARY KEY,
    at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- People who left everywhere: nobody becomes them again by repeating the request that made them.
CREATE TABLE left_people (
    person TEXT    NOT NULL PRIMARY KEY,
    at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Whether a game waits for a friend; and a digest of the rules and moves of a game between people that is being played.
ALTER TABLE games ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN position TEXT;
CREATE INDEX games_not_over ON games (variant) WHERE NOT over;

-- When a seat's last connection to a server ended; null while there is one.
ALTER TABLE presence ADD COLUMN left_at INTEGER;

-- Up to which time old things were forgotten: never further than a server has seen time pass.
CREATE TABLE sweeps (at INTEGER NOT NULL) STRICT;
INSERT INTO sweeps SELECT coalesce(max(changed), 0) FROM games;
