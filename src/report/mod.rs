//! Store to text tables, HTML, SVG, CSV.
//!
//! | file | what |
//! |---|---|
//! | `tables` | standings, crosstable, the table per start number, as text |

pub mod export;
pub mod tables;

pub use crate::sink::{csv_field, printable};
