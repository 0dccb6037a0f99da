//! Statistics, tables and games in words.
//!
//! | file | what |
//! |---|---|
//! | `explain` | why a game was lost |
//! | `export` | an event's games as CSV and JSON lines |
//! | `statistics` | statistics as text and CSV |
//! | `comparison` | events beside each other |
//! | `variations` | principal variations that do not hold |
//! | `tables` | standings, crosstable, the table per start number, as text |

pub mod comparison;
pub mod explain;
pub mod export;
pub mod statistics;
pub mod tables;
pub mod variations;
