//! An event's games, moves, pairs and positions as Parquet files, for DuckDB, pandas, polars, R.
//!
//! Rows are written in groups of bounded size as the games are read from the store, so that an event of
//! any size costs little memory. The columns are in `docs/data.md`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use crate::analysis::EventStatistics;
use crate::report::export::{ExportError, ExportedGame, ExportedMove, each};
use crate::report::statistics::{PairRow, PlayedStart, all_played, pair_rows};
use crate::store::Reader;
use crate::text::{CellValue, Column, ColumnUnit};
use crate::tournament::Roster;

/// Maximum number of rows of a group.
const MAX_GROUP_ROWS: usize = 65_536;

/// Approximate number of bytes of texts of a group.
const MAX_GROUP_BYTES: usize = 8 << 20;

/// Writes `games.parquet`, `moves.parquet`, `pairs.parquet` and `positions.parquet` into the folder, which is created
/// if it is missing.
///
/// # Errors
/// The store cannot be read, or a file cannot be written.
pub(crate) fn write(
    reader: &Reader,
    roster: &Roster,
    statistics: &EventStatistics,
    folder: &Path,
) -> std::result::Result<(), ExportError> {
    std::fs::create_dir_all(folder)?;
    let create = |name: &str| File::create(folder.join(name)).map(BufWriter::new);
    let mut games = ParquetTable::new(create("games.parquet")?, &ExportedGame::FOR_PARQUET)?;
    let mut moves = ParquetTable::new(create("moves.parquet")?, &ExportedMove::FOR_PARQUET)?;
    each(reader, roster, |game| {
        games.row(&ExportedGame::FOR_PARQUET, &game)?;
        for played in game.moves() {
            moves.row(&ExportedMove::FOR_PARQUET, &played)?;
        }
        Ok(())
    })?;
    games.finish()?;
    moves.finish()?;
    // As `stats --format csv --by pair` has them, and as in `positions.csv`.
    let pairs = pair_rows(statistics);
    table(create("pairs.parquet")?, &PairRow::FOR_PROGRAMS, &pairs)?;
    let (starts, file) = (all_played(statistics), create("positions.parquet")?);
    Ok(table(file, &PlayedStart::FOR_PROGRAMS, &starts)?)
}

fn table<R>(out: impl Write + Send, columns: &[Column<R>], rows: &[R]) -> Result<()> {
    let mut table = ParquetTable::new(out, columns)?;
    rows.iter().try_for_each(|row| table.row(columns, row))?;
    table.finish()
}

/// The values of a group of rows in a column.
trait ColumnBuffer: Send {
    fn push(&mut self, cell: &CellValue) -> Result<()>;
    /// Writes them, and holds none any more.
    fn write(&mut self, out: SerializedColumnWriter<'_>) -> Result<()>;
}

/// Those of one type.
struct TypedBuffer<T: DataType> {
    values: Vec<T::T>,
    /// 1 for a row with a value, 0 for one without.
    levels: Vec<i16>,
    /// The value of a cell, if it has one of this type.
    value: fn(&CellValue) -> Option<T::T>,
}

impl<T: DataType> ColumnBuffer for TypedBuffer<T> {
    fn push(&mut self, cell: &CellValue) -> Result<()> {
        let value = (self.value)(cell);
        // As in the CSV a number that is not finite is undefined.
        if value.is_none() && !matches!(cell, CellValue::Missing(_) | CellValue::Real(_)) {
            let own = T::get_physical_type();
            let error = format!("a column of {own} cannot hold {cell:?}");
            return Err(ParquetError::General(error));
        }
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
        Ok(())
    }

    fn write(&mut self, mut out: SerializedColumnWriter<'_>) -> Result<()> {
        let writer = out.typed::<T>();
        writer.write_batch(&self.values, Some(&self.levels), None)?;
        self.values.clear();
        self.levels.clear();
        out.close()
    }
}

fn buffer<T: DataType>(value: fn(&CellValue) -> Option<T::T>) -> Box<dyn ColumnBuffer> {
    Box::new(TypedBuffer::<T> {
        values: Vec::new(),
        levels: Vec::new(),
        value,
    })
}

fn whole(cell: &CellValue) -> Option<i64> {
    match cell {
        CellValue::Whole(number) => Some(i64::try_from(*number).unwrap_or(i64::MAX)),
        CellValue::Signed(number) => Some(*number),
        _ => None,
    }
}

fn real(cell: &CellValue) -> Option<f64> {
    match cell {
        CellValue::Real(number) => Some(*number).filter(|number| number.is_finite()),
        _ => None,
    }
}

fn text(cell: &CellValue) -> Option<ByteArray> {
    match cell {
        CellValue::Text(text) => Some(text.as_str().into()),
        _ => None,
    }
}

fn flag(cell: &CellValue) -> Option<bool> {
    match cell {
        CellValue::Flag(flag) => Some(*flag),
        _ => None,
    }
}

/// What a column is in the file, and what holds its values.
fn column(name: &str, unit: ColumnUnit) -> Result<(Arc<Type>, Box<dyn ColumnBuffer>)> {
    let (physical, logical, buffer) = match unit {
        ColumnUnit::Count => (Physical::INT64, None, buffer::<Int64Type>(whole)),
        ColumnUnit::Moment => {
            let moment = LogicalType::timestamp(true, TimeUnit::MILLIS);
            (Physical::INT64, Some(moment), buffer::<Int64Type>(whole))
        }
        ColumnUnit::Number(_) | ColumnUnit::Elo(_) | ColumnUnit::Share => {
            (Physical::DOUBLE, None, buffer::<DoubleType>(real))
        }
        ColumnUnit::Name | ColumnUnit::Text | ColumnUnit::Word => {
            let words = Some(LogicalType::String);
            (Physical::BYTE_ARRAY, words, buffer::<ByteArrayType>(text))
        }
        ColumnUnit::Flag => (Physical::BOOLEAN, None, buffer::<BoolType>(flag)),
    };
    let column = Type::primitive_type_builder(name, physical).with_logical_type(logical);
    let column = column.with_repetition(Repetition::OPTIONAL).build()?;
    Ok((Arc::new(column), buffer))
}

/// A file that is being written.
struct ParquetTable<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Box<dyn ColumnBuffer>>,
    rows: usize,
    bytes: usize,
}

impl<W: Write + Send> ParquetTable<W> {
    fn new<R>(out: W, columns: &[Column<R>]) -> Result<ParquetTable<W>> {
        let made = columns.iter().map(|own| column(own.name, own.unit));
        let (types, columns) = made.collect::<Result<Vec<_>>>()?.into_iter().unzip();
        let schema = Type::group_type_builder("row").with_fields(types).build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(Default::default()))
            .set_created_by(format!("arbiter960 {}", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(ParquetTable {
            writer: SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?,
            columns,
            rows: 0,
            bytes: 0,
        })
    }

    /// Adds a row.
    fn row<R>(&mut self, columns: &[Column<R>], row: &R) -> Result<()> {
        for (column, own) in columns.iter().zip(&mut self.columns) {
            let value = (column.value)(row);
            if let CellValue::Text(text) = &value {
                self.bytes += text.len();
            }
            own.push(&value)?;
        }
        self.rows += 1;
        if self.rows >= MAX_GROUP_ROWS || self.bytes >= MAX_GROUP_BYTES {
            self.end_group()?;
        }
        Ok(())
    }

    fn end_group(&mut self) -> Result<()> {
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            if let Some(out) = group.next_column()? {
                column.write(out)?;
            }
        }
        group.close()?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    /// Writes the remaining rows and the end of the file.
    fn finish(mut self) -> Result<()> {
        if self.rows > 0 {
            self.end_group()?;
        }
        self.writer.into_inner()?.flush()?;
        Ok(())
    }
}
