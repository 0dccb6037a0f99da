//! Tables whose columns have names and kinds, for CSV and for other formats.

use crate::text::{csv_number, csv_row};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Whole numbers from 0.
    Whole,
    /// Numbers.
    Real,
    /// Text; an empty one is none.
    Text,
}

/// A column: its name, and what it holds.
pub(crate) type Column = (&'static str, Kind);

/// What stands in a row under a column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    /// A whole number.
    Whole(Option<u32>),
    /// A number.
    Real(Option<f64>),
    /// A text.
    Text(String),
}

impl Cell {
    fn csv(self) -> String {
        match self {
            Cell::Whole(number) => number.map_or_else(String::new, |number| number.to_string()),
            Cell::Real(number) => csv_number(number),
            Cell::Text(text) => text,
        }
    }
}

/// A row for each of several, under these columns; RFC 4180.
pub(super) fn csv(columns: &[Column], rows: impl Iterator<Item = Vec<Cell>>) -> String {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let mut text = names.join(",") + "\r\n";
    for row in rows {
        let fields: Vec<String> = row.into_iter().map(Cell::csv).collect();
        csv_row(&mut text, &fields);
        text.push_str("\r\n");
    }
    text
}
