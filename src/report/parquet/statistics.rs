//! The tables of `stats` with one row for each pair, and with one row for each start position.

use std::io::Write;

use super::table::{Field, Kind, Table, Value};
use crate::analysis::EventStatistics;
use crate::report::export::ExportError;
use crate::report::statistics::{self, Cell, Column, PAIR_COLUMNS, POSITION_COLUMNS};

/// The complete pairs, as `stats --format csv --by pair` has them.
pub(super) fn write_pairs(
    out: impl Write + Send,
    statistics: &EventStatistics,
) -> Result<(), ExportError> {
    write(out, &PAIR_COLUMNS, statistics::pair_cells(statistics))
}

/// The start positions, as in `positions.csv`.
pub(super) fn write_positions(
    out: impl Write + Send,
    statistics: &EventStatistics,
) -> Result<(), ExportError> {
    let rows = statistics::position_rows(statistics);
    write(out, &POSITION_COLUMNS, rows)
}

fn write(
    out: impl Write + Send,
    columns: &[Column],
    rows: impl Iterator<Item = Vec<Cell>>,
) -> Result<(), ExportError> {
    let fields: Vec<Field> = columns.iter().copied().map(field).collect();
    let mut table = Table::new(out, &fields)?;
    for row in rows {
        let values: Vec<Value<'_>> = row.iter().map(value).collect();
        table.row(&values)?;
    }
    table.finish()?;
    Ok(())
}

fn field((name, kind): Column) -> Field {
    let kind = match kind {
        statistics::Kind::Whole => Kind::Whole,
        statistics::Kind::Real => Kind::Real,
        statistics::Kind::Text => Kind::Text,
    };
    Field::maybe(name, kind)
}

/// As in the CSV: a number that is not finite is undefined, and an empty text is a missing value.
fn value(cell: &Cell) -> Value<'_> {
    match cell {
        Cell::Whole(number) => Value::maybe(*number, |number| Value::Whole(number.into())),
        Cell::Real(number) => Value::maybe(number.filter(|n| n.is_finite()), Value::Real),
        Cell::Text(text) => Value::maybe((!text.is_empty()).then_some(text.as_str()), Value::Text),
    }
}
