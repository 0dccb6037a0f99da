//! The tables of `stats` with one row for each pair, and with one row for each start position.

use std::io::Write;

use super::table::{ColumnField, ColumnType, ColumnValue, ParquetTable};
use crate::report::export::ExportError;
use crate::text::{CellValue, Column, ColumnUnit};

/// One of these tables.
pub(super) fn write<R>(
    out: impl Write + Send,
    columns: &[Column<R>],
    rows: Vec<R>,
) -> Result<(), ExportError> {
    let fields: Vec<ColumnField> = columns.iter().map(field).collect();
    let mut table = ParquetTable::new(out, &fields)?;
    for row in rows {
        let cells = columns.iter().map(|column| (column.value)(&row));
        table.row(cells.map(value).collect())?;
    }
    table.finish()?;
    Ok(())
}

fn field<R>(column: &Column<R>) -> ColumnField {
    let kind = match column.unit {
        ColumnUnit::Name | ColumnUnit::Text | ColumnUnit::Word => ColumnType::Text,
        ColumnUnit::Count => ColumnType::Whole,
        ColumnUnit::Number(_) | ColumnUnit::Elo(_) | ColumnUnit::Share => ColumnType::Real,
    };
    ColumnField::maybe(column.name, kind)
}

/// As in the CSV: a number that is not finite is undefined, and an empty text is a missing value.
fn value(cell: CellValue) -> ColumnValue {
    match cell {
        CellValue::Whole(number) => ColumnValue::Whole(number.cast_signed()),
        CellValue::Real(number) if number.is_finite() => ColumnValue::Real(number),
        CellValue::Text(text) if !text.is_empty() => ColumnValue::Text(text),
        _ => ColumnValue::Null,
    }
}
