//! arbiter960 runs tournaments between UCI chess engines from Chess960 start
//! positions, in colour-swapped pairs.
//!
//! The modules in reading order. Each uses only what stands above it; a test
//! (`tests/suite/layers.rs`) reads the paths that begin with `crate::` and enforces it.

// RULES: a crate of its own, no I/O, no clock
pub use arbiter960_chess as chess;

// NUMBERS: a crate of its own, pure
pub use arbiter960_stats as stats;

// time controls and clocks, in virtual time
pub mod clock;

// foreign text made harmless
pub mod text;

// PROTOCOL: bytes, lines, messages, commands, options, session
pub mod uci;

// the small built-in engine
pub mod sparring;

// ONE GAME: inputs, outputs, outcome, adjudication, record
pub mod referee;

// facts and glimpses, stamped and versioned
pub mod event;

// WHO PLAYS WHAT: plan, pairings, openings
pub mod schedule;

// records to PGN, and a PGN reader on the rules core
pub mod pgn;

// what is wrong with a game
pub mod verify;

// TOML to a checked tournament
pub mod config;

// SQLite: schema, one writer thread, readers
pub mod store;

// the state of an event: who plays, results, conduct, sequential tests
pub mod tournament;

// what listens to events
pub mod sink;

// what statistics read and compute
pub mod analysis;

// statistics, tables and games in words
pub mod report;

// what the machine does: threads, suspension, standstill, disk space
pub mod host;

// an engine's processes: start, pipes, limits, sandbox, end
pub mod engine;

// EFFECTS: session, dispatcher, queue, lanes, signals
pub mod run;

// an engine examined
pub mod check;

// this machine examined
pub mod doctor;

// one file a command
pub mod cli;
