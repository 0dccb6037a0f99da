//! Tables as data: a column has a name for programs, a head for people, a unit and the value of a row. Every text, page,
//! CSV, JSON and Parquet file is written from lists of them.

use serde_json::{Map, Value, json};

use super::fields::{csv_number, csv_row};
use super::harmless::printable;

/// The longest name in a table.
const NAME_WIDTH: usize = 24;

/// How values of a column are shown to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnUnit {
    /// The name of an engine, the head of its row.
    Name,
    /// A text.
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
}

/// The value of a row in a column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CellValue {
    /// A text; an empty one is a missing value.
    Text(String),
    /// A whole number.
    Whole(u64),
    /// A number.
    Real(f64),
    /// From one number to another.
    Interval([f64; 2]),
    /// Wins, draws and losses.
    Results([u64; 3]),
    /// No value: people read this.
    Missing(&'static str),
    /// What only programs read.
    Json(Value),
}

impl CellValue {
    /// A number, if there is one.
    pub(crate) fn real(value: Option<f64>) -> CellValue {
        let value = value.filter(|value| !value.is_nan());
        value.map_or(CellValue::Missing("-"), CellValue::Real)
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
            CellValue::Real(number) => csv_number(Some(number)),
            CellValue::Results([wins, draws, losses]) => format!("{wins}-{draws}-{losses}"),
            CellValue::Interval(_) | CellValue::Missing(_) | CellValue::Json(_) => String::new(),
        }
    }

    fn json(self) -> Value {
        match self {
            CellValue::Text(text) => json!(text),
            CellValue::Whole(number) => json!(number),
            CellValue::Real(number) => json!(number),
            CellValue::Interval(ends) => json!(ends),
            CellValue::Results(results) => results_json(results),
            CellValue::Missing(_) => Value::Null,
            CellValue::Json(value) => value,
        }
    }
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
    /// With a head for people.
    pub(crate) const fn new(
        name: &'static str,
        head: &'static str,
        unit: ColumnUnit,
        value: fn(&R) -> CellValue,
    ) -> Column<R> {
        Column {
            name,
            head,
            unit,
            value,
        }
    }

    /// Whether its cells begin at the left, and may be too long for a terminal.
    pub(crate) fn is_text(&self) -> bool {
        matches!(
            self.unit,
            ColumnUnit::Name | ColumnUnit::Text | ColumnUnit::Word
        )
    }

    /// A cell for people.
    pub(crate) fn shown(&self, row: &R) -> String {
        let number = |value: f64| match self.unit {
            ColumnUnit::Elo(decimals) => signed(value, decimals),
            ColumnUnit::Number(decimals) => format!("{value:.decimals$}"),
            ColumnUnit::Share => format!("{:.1} %", 100.0 * value),
            ColumnUnit::Name | ColumnUnit::Text | ColumnUnit::Word | ColumnUnit::Count => {
                value.to_string()
            }
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
            $(pub(crate) const $id: $crate::text::Column<Self> = $crate::text::Column::new($name, $head, $unit, $value);)*
            $(pub(crate) const $list: [$crate::text::Column<Self>; $count] = [$(Self::$of),*];)*
        }
    };
}

pub(crate) use columns;

/// A number with a sign, and never `-0.0`.
pub(crate) fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    let is_zero = value.abs() < 1.0 && !text.contains(|digit| ('1'..='9').contains(&digit));
    match is_zero {
        true => text.replace('-', "+"),
        false => text,
    }
}

/// A name that is harmless and not too long for a table.
pub(crate) fn short_name(name: &str) -> String {
    let name = printable(name);
    if name.chars().count() <= NAME_WIDTH {
        return name.into_owned();
    }
    let start: String = name.chars().take(NAME_WIDTH - 1).collect();
    format!("{start}…")
}

/// The table for other programs: RFC 4180, lines end in CRLF, an undefined value is empty.
pub(crate) fn csv<R>(columns: &[Column<R>], rows: impl Iterator<Item = R>) -> String {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let mut text = names.join(",") + "\r\n";
    for row in rows {
        csv_row(
            &mut text,
            columns.iter().map(|column| (column.value)(&row).field()),
        );
        text.push_str("\r\n");
    }
    text
}

/// A row as an object.
pub(crate) fn row_json<R>(columns: &[Column<R>], row: &R) -> Value {
    let cells = columns
        .iter()
        .map(|column| (column.name.to_owned(), (column.value)(row).json()));
    Value::Object(cells.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_the_same_for_people_and_programs() {
        type Row = (&'static str, Option<f64>);
        let columns: [Column<Row>; 3] = [
            Column::new("name", "engine", ColumnUnit::Name, |row| {
                CellValue::Text(row.0.to_owned())
            }),
            Column::new("elo", "Elo", ColumnUnit::Elo(1), |row| {
                CellValue::real(row.1)
            }),
            Column::new("results", "W-D-L", ColumnUnit::Count, |_| {
                CellValue::Results([2, 1, 0])
            }),
        ];
        let rows = [("a,b", Some(-0.01)), ("c", None)];
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

    #[test]
    fn no_number_is_minus_nothing() {
        for (value, decimals, shown) in [
            (-0.01, 1, "+0.0"),
            (-0.4, 0, "+0"),
            (-0.06, 1, "-0.1"),
            (f64::NEG_INFINITY, 1, "-inf"),
            (-0.0, 2, "+0.00"),
            (12.34, 1, "+12.3"),
        ] {
            assert_eq!(signed(value, decimals), shown);
        }
    }
}
