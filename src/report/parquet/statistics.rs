//! The tables of `stats` with one row for each pair, and with one row for each start position.

use std::io::Write;

use super::table::{Field, Kind, Table, Value};
use crate::analysis::EventStatistics;
use crate::report::export::ExportError;
use crate::report::statistics::{PairRow, Played, all_played, pair_rows};
use crate::text::{Cell, Column, Unit};

/// The complete pairs, as `stats --format csv --by pair` has them.
pub(super) fn write_pairs(
    out: impl Write + Send,
    statistics: &EventStatistics,
) -> Result<(), ExportError> {
    write(out, &PairRow::FOR_PROGRAMS, pair_rows(statistics))
}

/// The start positions, as in `positions.csv`.
pub(super) fn write_positions(
    out: impl Write + Send,
    statistics: &EventStatistics,
) -> Result<(), ExportError> {
    write(out, &Played::FOR_PROGRAMS, all_played(statistics))
}

fn write<R>(
    out: impl Write + Send,
    columns: &[Column<R>],
    rows: Vec<R>,
) -> Result<(), ExportError> {
    let fields: Vec<Field> = columns.iter().map(field).collect();
    let mut table = Table::new(out, &fields)?;
    for row in rows {
        let cells: Vec<Cell> = columns.iter().map(|column| (column.value)(&row)).collect();
        let values: Vec<Value<'_>> = cells.iter().map(value).collect();
        table.row(&values)?;
    }
    table.finish()?;
    Ok(())
}

fn field<R>(column: &Column<R>) -> Field {
    let kind = match column.unit {
        Unit::Name | Unit::Text | Unit::Word => Kind::Text,
        Unit::Count => Kind::Whole,
        Unit::Number(_) | Unit::Elo(_) | Unit::Share => Kind::Real,
    };
    Field::maybe(column.name, kind)
}

/// As in the CSV: a number that is not finite is undefined, and an empty text is a missing value.
fn value(cell: &Cell) -> Value<'_> {
    match cell {
        Cell::Whole(number) => Value::Whole(number.cast_signed()),
        Cell::Real(number) if number.is_finite() => Value::Real(*number),
        Cell::Text(text) if !text.is_empty() => Value::Text(text),
        _ => Value::Null,
    }
}
