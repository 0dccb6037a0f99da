-- The tables and views of event.db; docs/store.md explains every column.

CREATE TABLE event (
    key      TEXT PRIMARY KEY,
    value    TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE identity (
    revision    INTEGER PRIMARY KEY,
    accepted_ms INTEGER NOT NULL,
    identity    TEXT NOT NULL,
    checksum    INTEGER NOT NULL
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
    checksum     INTEGER NOT NULL,
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
    checksum          INTEGER NOT NULL,
    UNIQUE (pair, game)
) STRICT;

CREATE TABLE play (
    sequence INTEGER PRIMARY KEY REFERENCES games (sequence),
    fen      TEXT NOT NULL,
    castling TEXT NOT NULL CHECK (castling IN ('fischer', 'chess480', 'moab')),
    opening  TEXT NOT NULL,
    moves    TEXT NOT NULL,
    faults   TEXT,
    breaches TEXT,
    checksum INTEGER NOT NULL
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
    breaches     TEXT,
    checksum     INTEGER NOT NULL
) STRICT;

CREATE TABLE dialogues (
    pair     INTEGER NOT NULL,
    game     INTEGER NOT NULL CHECK (game IN (0, 1)),
    attempt  INTEGER NOT NULL,
    dialogue TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (pair, game, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE decisions (
    decision   INTEGER PRIMARY KEY,
    decided_ms INTEGER NOT NULL,
    author     TEXT NOT NULL,
    reason     TEXT NOT NULL,
    act        TEXT NOT NULL,
    checksum   INTEGER NOT NULL
) STRICT;

CREATE TABLE idle_cpu (
    revision         INTEGER NOT NULL,
    engine           INTEGER NOT NULL,
    games            INTEGER NOT NULL,
    watched_ns       INTEGER NOT NULL,
    cpu_ns           INTEGER NOT NULL,
    largest_permille INTEGER NOT NULL,
    PRIMARY KEY (revision, engine)
) STRICT, WITHOUT ROWID;

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
       row.value ->> 18 AS pv,
       row.value ->> '$[19][0]' AS watched_ns,
       row.value ->> '$[19][1]' AS wakeup_ns,
       row.value ->> '$[19][2]' AS lane_wait_ns,
       row.value ->> '$[19][3]' AS engine_cpu_ns,
       row.value ->> '$[19][4]' AS engine_wait_ns,
       row.value ->> '$[19][5]' AS engine_complete,
       row.value ->> '$[19][6]' AS pressure_ns,
       row.value ->> '$[19][7]' AS suspended_ns,
       row.value ->> '$[20][0]' AS idle_watched_ns,
       row.value ->> '$[20][1]' AS idle_cpu_ns,
       row.value ->> 21 AS pondered,
       row.value ->> 22 AS lines,
       row.value ->> 23 AS taken_ns
FROM games JOIN play USING (sequence), json_each(play.moves) AS row;

CREATE VIEW faults AS
SELECT games.sequence, games.pair, games.game,
       row.key + 1 AS nth,
       row.value ->> 'side' AS side,
       row.value ->> 'kind' AS kind,
       row.value ->> 'ply' AS ply,
       row.value ->> 'at' AS at_ns,
       row.value ->> 'detail' AS detail,
       row.value ->> '$.evidence.verdict' AS verdict,
       row.value ->> '$.evidence.elapsed_ns' AS elapsed_ns,
       row.value ->> '$.evidence.late_ns' AS late_ns,
       row.value ->> '$.evidence.answered' AS answered,
       row.value ->> '$.evidence.reported_ms' AS reported_ms,
       row.value ->> '$.evidence.pending_ns' AS pending_ns,
       row.value ->> '$.evidence.standing' AS standing,
       row.value ->> '$.evidence.answerer_wait_ns' AS answerer_wait_ns,
       row.value ->> '$.evidence.host[0]' AS watched_ns,
       row.value ->> '$.evidence.host[1]' AS wakeup_ns,
       row.value ->> '$.evidence.host[2]' AS lane_wait_ns,
       row.value ->> '$.evidence.host[3]' AS engine_cpu_ns,
       row.value ->> '$.evidence.host[4]' AS engine_wait_ns,
       row.value ->> '$.evidence.host[5]' AS engine_complete,
       row.value ->> '$.evidence.host[6]' AS pressure_ns,
       row.value ->> '$.evidence.host[7]' AS suspended_ns,
       row.value ->> '$.evidence.own_ns' AS own_ns,
       row.value ->> '$.evidence.taken_ns' AS taken_ns
FROM games JOIN play USING (sequence), json_each(play.faults) AS row
WHERE play.faults IS NOT NULL;
