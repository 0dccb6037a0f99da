-- From version 1 to version 2: the evidence of faults.

CREATE TABLE dialogues (
    pair    INTEGER NOT NULL,
    game    INTEGER NOT NULL CHECK (game IN (0, 1)),
    attempt INTEGER NOT NULL,
    exit    TEXT,
    stderr  TEXT NOT NULL,
    lines   TEXT NOT NULL,
    PRIMARY KEY (pair, game, attempt)
) STRICT, WITHOUT ROWID;
