//! Columns as data: each has a name for programs, a head for people, a unit and the value of a row. Every text, page, CSV,
//! JSON, Markdown and Parquet file is written from lists of them.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::harmless::{csv_number, csv_row, printable};
use super::numbers::{decimal, percent, signed};

/// The longest name in a table.
pub(super) const NAME_WIDTH: usize = 24;

/// How values of a column are shown to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnUnit {
    /// The name of an engine, the head of its row.
    Name,
    Text,
    /// A word; people read blanks for its underscores.
    Word,
    /// Whole numbers.
    Count,
    /// Numbers with this number of decimals.
    Number(usize),
    /// Elo: with a sign, and with this number of decimals.
    Elo(usize),
    /// A part of one, in per cent.
    Share,
    /// Yes or no.
    Flag,
    /// Milliseconds since 1970-01-01 UTC.
    Moment,
}

/// The value of a row in a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum CellValue {
    Text(String),
    /// A whole number.
    Whole(u64),
    /// A whole number that may be negative.
    Signed(i64),
    Flag(bool),
    /// A number.
    Real(f64),
    /// From one number to another.
    Interval([f64; 2]),
    /// Wins, draws and losses.
    Results(#[serde(serialize_with = "results")] [u64; 3]),
    /// No value: people read this.
    Missing(#[serde(serialize_with = "nothing")] &'static str),
    /// What only programs read.
    Json(Value),
}

impl CellValue {
    /// A number, if there is one.
    pub(crate) fn real(value: Option<f64>) -> CellValue {
        let value = value.filter(|value| !value.is_nan());
        value.map_or(CellValue::Missing("-"), CellValue::Real)
    }

    /// A text; one that is empty is missing.
    pub(crate) fn text(value: Option<impl Into<String>>) -> CellValue {
        let text = value
            .map(Into::into)
            .filter(|text: &String| !text.is_empty());
        text.map_or(CellValue::Missing(""), CellValue::Text)
    }

    /// A whole number, if there is one.
    pub(crate) fn whole(value: Option<impl Into<u64>>) -> CellValue {
        value.map_or(CellValue::Missing("-"), |value| {
            CellValue::Whole(value.into())
        })
    }

    /// An interval; a missing end is open.
    pub(crate) fn interval(low: Option<f64>, high: Option<f64>) -> CellValue {
        CellValue::Interval([
            low.unwrap_or(f64::NEG_INFINITY),
            high.unwrap_or(f64::INFINITY),
        ])
    }

    /// For programs that read text; an undefined value is empty.
    pub(crate) fn field(self) -> String {
        match self {
            CellValue::Text(text) => text,
            CellValue::Whole(number) => number.to_string(),
            CellValue::Signed(number) => number.to_string(),
            CellValue::Flag(flag) => flag.to_string(),
            CellValue::Real(number) => csv_number(Some(number)),
            CellValue::Results([wins, draws, losses]) => format!("{wins}-{draws}-{losses}"),
            CellValue::Interval(_) | CellValue::Missing(_) | CellValue::Json(_) => String::new(),
        }
    }
}

fn results<S: Serializer>(results: &[u64; 3], serializer: S) -> Result<S::Ok, S::Error> {
    results_json(*results).serialize(serializer)
}

fn nothing<S: Serializer>(_: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_none()
}

/// Wins, draws and losses for programs, with what follows from them.
pub(crate) fn results_json([wins, draws, losses]: [u64; 3]) -> Value {
    let games = wins + draws + losses;
    let points = wins as f64 + draws as f64 / 2.0;
    json!({
        "games": games,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "points": points,
        "score": (games > 0).then(|| points / games as f64),
    })
}

/// A column of a table with rows `R`.
pub(crate) struct Column<R> {
    /// For programs.
    pub(crate) name: &'static str,
    /// For people.
    pub(crate) head: &'static str,
    pub(crate) unit: ColumnUnit,
    pub(crate) value: fn(&R) -> CellValue,
}

impl<R> Column<R> {
    /// A cell for people.
    pub(crate) fn shown(&self, row: &R) -> String {
        let number = |value: f64| match self.unit {
            ColumnUnit::Elo(decimals) => signed(value, decimals),
            ColumnUnit::Number(decimals) => decimal(value, decimals),
            ColumnUnit::Share => percent(value),
            _ => value.to_string(),
        };
        match (self.value)(row) {
            CellValue::Real(value) => number(value),
            CellValue::Interval([low, high]) => format!("[{}, {}]", number(low), number(high)),
            CellValue::Missing(word) => word.to_owned(),
            CellValue::Text(word) if self.unit == ColumnUnit::Word => word.replace('_', " "),
            other => other.field(),
        }
    }
}

/// The columns of a table, a line each, and lists of them.
macro_rules! columns {
    ($row:ty { $($id:ident: $name:literal, $head:literal, $unit:expr, $value:expr;)* } $($list:ident[$count:literal]: $($of:ident)*;)*) => {
        impl $row {
            $(pub(crate) const $id: $crate::text::Column<Self> = $crate::text::Column { name: $name, head: $head, unit: $unit, value: $value };)*
            $(pub(crate) const $list: [$crate::text::Column<Self>; $count] = [$(Self::$of),*];)*
        }
    };
}

pub(crate) use columns;

/// A name that is harmless and not too long for a table.
pub(crate) fn short_name(name: &str) -> String {
    let name = printable(name);
    if name.chars().count() <= NAME_WIDTH {
        return name.into_owned();
    }
    let start: String = name.chars().take(NAME_WIDTH - 1).collect();
    format!("{start}…")
}

/// A row for other programs: RFC 4180, an undefined value is empty.
pub(crate) fn csv_line<R>(columns: &[Column<R>], row: &R) -> String {
    let mut text = String::new();
    csv_row(
        &mut text,
        columns.iter().map(|column| (column.value)(row).field()),
    );
    text + "\r\n"
}

/// The names of the columns, as the first line of such rows.
pub(crate) fn csv_head<R>(columns: &[Column<R>]) -> String {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    names.join(",") + "\r\n"
}

/// The table for other programs.
pub(crate) fn csv<R>(columns: &[Column<R>], rows: impl Iterator<Item = R>) -> String {
    let rows = rows.map(|row| csv_line(columns, &row));
    std::iter::once(csv_head(columns)).chain(rows).collect()
}

/// A row as an object.
pub(crate) fn row_json<R>(columns: &[Column<R>], row: &R) -> Value {
    let cells = columns
        .iter()
        .map(|column| (column.name.to_owned(), json!((column.value)(row))));
    Value::Object(cells.collect::<Map<_, _>>())
}

/// A row as an object that is written without a tree of values; what is missing is left out.
pub(crate) struct RowObject<'a, R>(pub(crate) &'a [Column<R>], pub(crate) R);

impl<R> Serialize for RowObject<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self
            .0
            .iter()
            .map(|column| (column.name, (column.value)(&self.1)));
        serializer.collect_map(cells.filter(|(_, cell)| !matches!(cell, CellValue::Missing(_))))
    }
}

impl ColumnUnit {
    /// Whether its cells begin at the left.
    pub(crate) fn is_words(self) -> bool {
        matches!(self, ColumnUnit::Name | ColumnUnit::Text | ColumnUnit::Word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_the_same_for_people_and_programs() {
        #[derive(Clone, Copy)]
        struct Row(&'static str, Option<f64>);
        columns! { Row {
            NAME: "name", "engine", ColumnUnit::Name, |row| CellValue::Text(row.0.to_owned());
            ELO: "elo", "Elo", ColumnUnit::Elo(1), |row| CellValue::real(row.1);
            RESULTS: "results", "W-D-L", ColumnUnit::Count, |_| CellValue::Results([2, 1, 0]);
        } ALL[3]: NAME ELO RESULTS; }
        let columns = Row::ALL;
        let rows = [Row("a,b", Some(-0.01)), Row("c", None)];
        let shown = rows.map(|row| columns.each_ref().map(|column| column.shown(&row)));
        assert_eq!(shown, [["a,b", "+0.0", "2-1-0"], ["c", "-", "2-1-0"]]);
        assert_eq!(
            csv(&columns, rows.into_iter()),
            "name,elo,results\r\n\"a,b\",-0.01,2-1-0\r\nc,,2-1-0\r\n"
        );
        let value = row_json(&columns, &rows[1]);
        assert_eq!(value["elo"], Value::Null);
        assert_eq!(value["results"]["points"], json!(2.5));
    }
}
