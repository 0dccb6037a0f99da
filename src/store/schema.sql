-- The tables of event.db in version 2, that of the first release; docs/store.md explains every column.

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
    castling TEXT NOT NULL CHECK (castling IN ('fischer', 'chess480', 'moab')),
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
    castling     TEXT NOT NULL CHECK (castling IN ('fischer', 'chess480', 'moab')),
    opening      TEXT NOT NULL,
    moves        TEXT NOT NULL,
    faults       TEXT,
    breaches     TEXT
) STRICT;

CREATE TABLE dialogues (
    pair    INTEGER NOT NULL,
    game    INTEGER NOT NULL CHECK (game IN (0, 1)),
    attempt INTEGER NOT NULL,
    exit    TEXT,
    stderr  TEXT NOT NULL,
    lines   TEXT NOT NULL,
    PRIMARY KEY (pair, game, attempt)
) STRICT, WITHOUT ROWID;
