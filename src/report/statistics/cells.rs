//! Tables whose columns have names and kinds, for CSV and for other formats.

use crate::text::{csv_number, csv_row};

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Whole numbers from 0.
    Whole,
    /// Numbers.
    Real,
    /// Text; an empty one is a missing value.
    Text,
}

/// A column: its name, and its type.
pub(crate) type Column = (&'static str, Kind);

/// The value of a row in a column.
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

/// These rows under these columns; RFC 4180.
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
