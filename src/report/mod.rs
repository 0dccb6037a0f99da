//! Store to text tables, HTML, SVG, CSV.
//!
//! | file | what |
//! |---|---|
//! | `export` | an event's games as CSV and JSON lines |
//! | `statistics` | from games of any origin to statistics, and to text, JSON, CSV |
//! | `tables` | standings, crosstable, the table per start number, as text |

pub mod export;
pub mod statistics;
pub mod tables;

pub use crate::sink::{csv_field, harmless_json, printable};
