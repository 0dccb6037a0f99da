//! Store to text tables, HTML, SVG, CSV.
//!
//! | file | what |
//! |---|---|
//! | `explain` | why a game was lost |
//! | `export` | an event's games as CSV and JSON lines |
//! | `statistics` | from games of any origin to statistics, and to text, JSON, CSV |
//! | `variations` | principal variations that do not hold |
//! | `tables` | standings, crosstable, the table per start number, as text |

pub mod explain;
pub mod export;
pub mod statistics;
pub mod tables;
pub mod variations;

pub use crate::sink::{csv_field, harmless_json, printable};
