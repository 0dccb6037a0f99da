//! arbiter960 runs tournaments between UCI chess engines from Chess960 start
//! positions, in colour-swapped pairs.
//!
//! The modules in reading order. Each uses only those above it; a test
//! (`tests/suite/layers.rs`) reads the paths that begin with `crate::` and enforces it.

// What a farm alone uses is used by nobody in a build without one; builds with all features find dead code.
#![cfg_attr(not(feature = "nats"), allow(dead_code, unused_imports))]

// RULES: a crate of its own, no I/O, no clock
pub use arbiter960_chess as chess;

// NUMBERS: a crate of its own, pure
pub use arbiter960_stats as stats;

// what is asked of the operating system
mod platform;

// time controls and clocks, in virtual time
pub mod clock;

// foreign text made harmless
mod text;

// PROTOCOL: bytes, lines, messages, commands, options, session
pub mod uci;

// numbers for texts, the same for ever
mod hash;

// the small built-in engine
mod sparring;

// endings that are solved
pub mod tablebase;

// ONE GAME: inputs, outputs, outcome, adjudication, record
mod referee;

// facts and updates, stamped and versioned
mod event;

// WHO PLAYS WHAT: plan, pairings, openings
mod schedule;

// engines of XBoard's protocol, and those with a book of their own, as UCI engines
mod adapter;

// records to PGN, and a PGN reader on the rules core
pub mod pgn;

// what is wrong with a game
pub mod verify;

// TOML to a checked tournament
mod config;

// SQLite: schema, one writer thread, readers
mod store;

// the state of an event: who plays, results, counts of faults, sequential tests
mod tournament;

// what listens to events
mod sink;

// what statistics read and compute
mod analysis;

// statistics, tables and games in words
mod report;

// the report as a page of HTML
mod page;

// the page of an event that is played, and its server
mod web;

// what the machine does: threads, suspension, standstill, disk space
mod host;

// an engine's processes: start, pipes, limits, sandbox, end
mod engine;

// EFFECTS: session, dispatcher, queue, lanes, signals
mod run;

// other machines that play for a run
mod farm;

// an event fixed before its first game, and its results held against that
mod seal;

// an engine examined
mod check;

// this machine examined
mod doctor;

// the command lines of other runners
mod front;

// one file a command
mod cli;

pub use cli::main;

/// What this package's own tests, benchmarks and fuzz targets use. It changes without notice:
/// other programs use [`chess`], [`stats`], [`clock`], [`uci`], [`pgn`] and [`verify`].
#[doc(hidden)]
pub mod internal;
