//! arbiter960 runs tournaments between UCI chess engines from Chess960 start
//! positions, in colour-swapped pairs.
//!
//! The modules in reading order. Each uses only what stands above it; a test
//! (`tests/suite/layers.rs`) reads the `use crate::` lines and enforces it.

// RULES: no I/O, no clock, no dependency
pub mod chess;

// PROTOCOL: bytes, lines, messages, commands, options, session
pub mod uci;

// the small built-in engine
pub mod sparring;

// time controls and clocks
pub mod clock;

// ONE GAME: inputs, outputs, outcome, adjudication, record
pub mod referee;

// facts and glimpses, stamped and versioned
pub mod event;

// WHO PLAYS WHAT: plan, pairings, openings
pub mod schedule;

// NUMBERS
pub mod stats;

// records to PGN, and a PGN reader on the rules core
pub mod pgn;

// TOML to a checked tournament
pub mod config;

// SQLite: schema, one writer thread, readers
pub mod store;

// what listens to events
pub mod sink;

// store to HTML, SVG, CSV
pub mod report;

// verify games and engines
pub mod audit;

// EFFECTS: dispatcher, lane, driver, engine process
pub mod run;

// one file a command
pub mod cli;
