-- The schema of event.db, version 1; docs/store.md explains every column.

CREATE TABLE event (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE identity (
    revision    INTEGER PRIMARY KEY,
    accepted_ms INTEGER NOT NULL,
    identity    TEXT NOT NULL
) STRICT;

CREATE TABLE engines (
    revision     INTEGER NOT NULL,
    engine       INTEGER NOT NULL,
    name         TEXT NOT NULL,
    command      TEXT NOT NULL,
    id_name      TEXT,
    author       TEXT,
    sha256       TEXT,
    options      TEXT NOT NULL,
    time_control TEXT NOT NULL,
    PRIMARY KEY (revision, engine)
) STRICT, WITHOUT ROWID;

CREATE TABLE games (
    sequence          INTEGER PRIMARY KEY,
    pair              INTEGER NOT NULL,
    game              INTEGER NOT NULL CHECK (game IN (0, 1)),
    revision          INTEGER NOT NULL,
    cycle             INTEGER NOT NULL,
    number            INTEGER,
    white_engine      INTEGER NOT NULL,
    white_copy        INTEGER NOT NULL,
    black_engine      INTEGER NOT NULL,
    black_copy        INTEGER NOT NULL,
    white_half_points INTEGER NOT NULL CHECK (white_half_points IN (0, 1, 2)),
    plies             INTEGER NOT NULL,
    reason            TEXT NOT NULL,
    termination       TEXT NOT NULL,
    fault_side        TEXT,
    fault_kind        TEXT,
    started_ms        INTEGER NOT NULL,
    ended_ms          INTEGER NOT NULL,
    moves_hash        INTEGER NOT NULL,
    UNIQUE (pair, game)
) STRICT;

CREATE TABLE play (
    sequence INTEGER PRIMARY KEY REFERENCES games (sequence),
    fen      TEXT NOT NULL,
    castling TEXT NOT NULL CHECK (castling IN ('fischer', 'chess480')),
    opening  TEXT NOT NULL,
    moves    TEXT NOT NULL,
    faults   TEXT,
    breaches TEXT
) STRICT;

CREATE TABLE voided (
    attempt      INTEGER PRIMARY KEY,
    pair         INTEGER NOT NULL,
    game         INTEGER NOT NULL CHECK (game IN (0, 1)),
    revision     INTEGER NOT NULL,
    cycle        INTEGER NOT NULL,
    number       INTEGER,
    white_engine INTEGER NOT NULL,
    white_copy   INTEGER NOT NULL,
    black_engine INTEGER NOT NULL,
    black_copy   INTEGER NOT NULL,
    reason       TEXT NOT NULL,
    detail       TEXT,
    started_ms   INTEGER NOT NULL,
    ended_ms     INTEGER NOT NULL,
    fen          TEXT NOT NULL,
    castling     TEXT NOT NULL CHECK (castling IN ('fischer', 'chess480')),
    opening      TEXT NOT NULL,
    moves        TEXT NOT NULL,
    faults       TEXT,
    breaches     TEXT
) STRICT;

CREATE VIEW moves AS
SELECT games.sequence, games.pair, games.game,
       json_array_length(play.opening) + row.key + 1 AS ply,
       row.value ->> 0 AS move,
       row.value ->> 1 AS sent_ns,
       row.value ->> 2 AS received_ns,
       row.value ->> 3 AS clock_ns,
       row.value ->> 4 AS nodes_limit,
       row.value ->> 5 AS centipawns,
       row.value ->> 6 AS mate,
       row.value ->> 7 AS bound,
       row.value ->> 8 AS win,
       row.value ->> 9 AS draw,
       row.value ->> 10 AS loss,
       row.value ->> 11 AS depth,
       row.value ->> 12 AS seldepth,
       row.value ->> 13 AS nodes,
       row.value ->> 14 AS nps,
       row.value ->> 15 AS hashfull,
       row.value ->> 16 AS tbhits,
       row.value ->> 17 AS time_ms,
       row.value ->> 18 AS pv
FROM games JOIN play USING (sequence), json_each(play.moves) AS row;

CREATE VIEW faults AS
SELECT games.sequence, games.pair, games.game,
       row.key + 1 AS nth,
       row.value ->> 0 AS side,
       row.value ->> 1 AS kind,
       row.value ->> 2 AS ply,
       row.value ->> 3 AS at_ns,
       row.value ->> 4 AS detail
FROM games JOIN play USING (sequence), json_each(play.faults) AS row
WHERE play.faults IS NOT NULL;
