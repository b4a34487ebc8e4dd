-- When and on what kind of device a session was started, for its owner's list of sessions.
ALTER TABLE sessions ADD COLUMN started BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_by_person ON sessions (person);

-- Sessions that ended recently: every server closes their connections.
CREATE TABLE ended_sessions (
    token TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    at    BIGINT NOT NULL
);

-- People who left on all devices: repeating the request that created them must not bring them back.
CREATE TABLE left_people (
    person TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    at     BIGINT NOT NULL
);

-- Whether a game waits for a friend; and, for a game in progress between people, a digest of its rules and moves.
ALTER TABLE games ADD COLUMN waiting BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE games ADD COLUMN position TEXT;
CREATE INDEX games_not_over ON games (variant) WHERE NOT over;

-- When a seat's last connection to a server ended; null while there is one.
ALTER TABLE presence ADD COLUMN left_at BIGINT;

-- The time of the last deletion of old data, by the clock of retention.py.
CREATE TABLE sweeps (at BIGINT NOT NULL);
INSERT INTO sweeps SELECT coalesce(max(changed), 0) FROM games;
