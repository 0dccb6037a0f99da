#![doc = include_str!("../README.md")]

//!
//!
//! | file | what |
//! |---|---|
//! | `strength` | what makes the engine weaker |
//! | `control` | how a running search is ended, how much time, how many nodes it may take |
//! | `search` | iterative deepening, the limits of a search |
//! | `tree` | alpha-beta, and captures at its leaves |
//! | `ordering` | which move to try first |
//! | `table` | the transposition table |
//! | `evaluate` | how good a position is |
//! | `placement` | how good a square is for a piece |
//!
//! Terms and ideas come from the Chess Programming Wiki; all values are the project's own.

mod control;
mod evaluate;
mod ordering;
mod placement;
mod search;
mod strength;
mod table;
mod tree;

pub use control::{Budget, Control, MAX_DEPTH};
pub use evaluate::{MATE, MATED_AT_MOST};
pub use search::{IterationReport, Search, SearchOutcome};
pub use strength::Strength;
pub use table::TranspositionTable;
