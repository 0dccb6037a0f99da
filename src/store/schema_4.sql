-- From version 3 to version 4: what engines used of the processors while their opponents thought.

CREATE TABLE idle_cpu (
    revision         INTEGER NOT NULL,
    engine           INTEGER NOT NULL,
    games            INTEGER NOT NULL,
    watched_ns       INTEGER NOT NULL,
    cpu_ns           INTEGER NOT NULL,
    largest_permille INTEGER NOT NULL,
    PRIMARY KEY (revision, engine)
) STRICT, WITHOUT ROWID;
