//! An event's games, moves, pairs and positions as Parquet files, for DuckDB, pandas, polars, R.
//!
//! Rows are written in groups of bounded size as the games are read from the store, so that an event of
//! any size costs little memory. The columns are in `docs/data.md`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use crate::analysis::EventStatistics;
use crate::report::export::{ExportError, ExportedGame, ExportedMove};
use crate::report::statistics::{PairRow, PlayedStart, all_played, pair_rows};
use crate::sink::SinkError;
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
    for stored in reader.games() {
        let stored = stored.map_err(SinkError::from)?;
        let texts = stored.game.move_texts();
        let game = ExportedGame {
            stored: &stored,
            roster,
            texts: &texts,
        };
        games.row(&ExportedGame::FOR_PARQUET, &game)?;
        for played in game.moves() {
            moves.row(&ExportedMove::FOR_PARQUET, &played)?;
        }
    }
    games.finish()?;
    moves.finish()?;
    // As `stats --format csv --by pair` has them, and as in `positions.csv`.
    let pairs = pair_rows(statistics);
    table(create("pairs.parquet")?, &PairRow::FOR_PROGRAMS, &pairs)?;
    let positions = all_played(statistics);
    table(
        create("positions.parquet")?,
        &PlayedStart::FOR_PROGRAMS,
        &positions,
    )?;
    Ok(())
}

fn table<R>(out: impl Write + Send, columns: &[Column<R>], rows: &[R]) -> Result<()> {
    let mut table = ParquetTable::new(out, columns)?;
    rows.iter().try_for_each(|row| table.row(columns, row))?;
    table.finish()
}

/// The values of a group of rows in a column.
#[derive(Debug)]
enum ColumnValues {
    Whole(Vec<i64>),
    Real(Vec<f64>),
    Text(Vec<ByteArray>),
    Flag(Vec<bool>),
}

#[derive(Debug)]
struct ParquetColumn {
    name: &'static str,
    values: ColumnValues,
    /// 1 for a row with a value, 0 for one without.
    levels: Vec<i16>,
}

impl ParquetColumn {
    fn new(name: &'static str, unit: ColumnUnit) -> ParquetColumn {
        ParquetColumn {
            name,
            values: match unit {
                ColumnUnit::Count | ColumnUnit::Moment => ColumnValues::Whole(Vec::new()),
                ColumnUnit::Number(_) | ColumnUnit::Elo(_) | ColumnUnit::Share => {
                    ColumnValues::Real(Vec::new())
                }
                ColumnUnit::Name | ColumnUnit::Text | ColumnUnit::Word => {
                    ColumnValues::Text(Vec::new())
                }
                ColumnUnit::Flag => ColumnValues::Flag(Vec::new()),
            },
            levels: Vec::new(),
        }
    }

    fn schema(&self, unit: ColumnUnit) -> Result<Arc<Type>> {
        let (physical, logical) = match self.values {
            ColumnValues::Whole(_) if unit == ColumnUnit::Moment => (
                Physical::INT64,
                Some(LogicalType::timestamp(true, TimeUnit::MILLIS)),
            ),
            ColumnValues::Whole(_) => (Physical::INT64, None),
            ColumnValues::Real(_) => (Physical::DOUBLE, None),
            ColumnValues::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnValues::Flag(_) => (Physical::BOOLEAN, None),
        };
        let column = Type::primitive_type_builder(self.name, physical);
        let column = column.with_logical_type(logical);
        column
            .with_repetition(Repetition::OPTIONAL)
            .build()
            .map(Arc::new)
    }

    /// As in the CSV a number that is not finite is undefined.
    fn push(&mut self, value: CellValue) -> Result<()> {
        let known = match (&mut self.values, value) {
            (_, CellValue::Missing(_)) => false,
            (ColumnValues::Whole(values), CellValue::Whole(number)) => {
                values.push(i64::try_from(number).unwrap_or(i64::MAX));
                true
            }
            (ColumnValues::Whole(values), CellValue::Signed(number)) => {
                values.push(number);
                true
            }
            (ColumnValues::Real(values), CellValue::Real(number)) => {
                values.extend(Some(number).filter(|number| number.is_finite()));
                number.is_finite()
            }
            (ColumnValues::Text(values), CellValue::Text(text)) => {
                values.push(ByteArray::from(text.into_bytes()));
                true
            }
            (ColumnValues::Flag(values), CellValue::Flag(flag)) => {
                values.push(flag);
                true
            }
            (_, value) => {
                let error = format!("the column {} cannot hold {value:?}", self.name);
                return Err(ParquetError::General(error));
            }
        };
        self.levels.push(i16::from(known));
        Ok(())
    }

    fn write(&mut self, mut out: SerializedColumnWriter<'_>) -> Result<()> {
        let levels = Some(self.levels.as_slice());
        match &mut self.values {
            ColumnValues::Whole(values) => {
                out.typed::<Int64Type>().write_batch(values, levels, None)?;
                values.clear();
            }
            ColumnValues::Real(values) => {
                out.typed::<DoubleType>()
                    .write_batch(values, levels, None)?;
                values.clear();
            }
            ColumnValues::Text(values) => {
                out.typed::<ByteArrayType>()
                    .write_batch(values, levels, None)?;
                values.clear();
            }
            ColumnValues::Flag(values) => {
                out.typed::<BoolType>().write_batch(values, levels, None)?;
                values.clear();
            }
        }
        self.levels.clear();
        out.close()
    }
}

/// A file that is being written.
struct ParquetTable<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<ParquetColumn>,
    rows: usize,
    bytes: usize,
}

impl<W: Write + Send> ParquetTable<W> {
    fn new<R>(out: W, columns: &[Column<R>]) -> Result<ParquetTable<W>> {
        let new = |column: &Column<R>| ParquetColumn::new(column.name, column.unit);
        let made: Vec<ParquetColumn> = columns.iter().map(new).collect();
        let types = made
            .iter()
            .zip(columns)
            .map(|(made, column)| made.schema(column.unit));
        let schema = Type::group_type_builder("row")
            .with_fields(types.collect::<Result<_>>()?)
            .build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(Default::default()))
            .set_created_by(format!("arbiter960 {}", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(ParquetTable {
            writer: SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?,
            columns: made,
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
            own.push(value)?;
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
            let out = group.next_column()?;
            let missing = || ParquetError::General("a column is missing".to_owned());
            column.write(out.ok_or_else(missing)?)?;
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
