-- From version 4 to version 5: the arbiter's book.

CREATE TABLE decisions (
    decision   INTEGER PRIMARY KEY,
    decided_ms INTEGER NOT NULL,
    author     TEXT NOT NULL,
    reason     TEXT NOT NULL,
    act        TEXT NOT NULL,
    checksum   INTEGER NOT NULL
) STRICT;
