-- From version 2 to version 3: a checksum in every row that can change a result or a key, and
-- which part of games.pgn is known to be what the store says.

ALTER TABLE event ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE identity ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE engines ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE voided ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN play_checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;

CREATE TABLE pgn_parts (
    games    INTEGER PRIMARY KEY,
    length   INTEGER NOT NULL,
    hash     INTEGER NOT NULL,
    tags     INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
