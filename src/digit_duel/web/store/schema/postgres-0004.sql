-- Each person's result in each game, for their list and statistics. The seat is null for a person with both seats.
CREATE TABLE results (
    game        TEXT COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    person      TEXT COLLATE "C" NOT NULL,
    ended       BIGINT NOT NULL,
    seat        INTEGER,
    variant     TEXT   NOT NULL,
    first_name  TEXT   NOT NULL,
    second_name TEXT   NOT NULL,
    level       TEXT,
    rival       TEXT,
    result      TEXT   NOT NULL,
    PRIMARY KEY (person, ended, game)
);

CREATE UNIQUE INDEX results_by_game ON results (game, person);

-- Games that ended before results were stored: a server replays them in the background.
CREATE TABLE results_due (
    game TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO results_due SELECT id FROM games WHERE over;
