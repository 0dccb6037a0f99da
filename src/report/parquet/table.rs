//! A table of typed columns, written in groups of rows of bounded size.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

/// Maximum number of rows of a group.
const ROWS: usize = 65_536;

/// Approximate number of bytes of texts of a group.
const BYTES: usize = 8 << 20;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnType {
    /// Whole numbers.
    Whole,
    /// Whole numbers from 0 that may be larger than 2⁶³.
    Count,
    /// Numbers.
    Real,
    /// Text.
    Text,
    /// Yes or no.
    Flag,
    /// Milliseconds since 1970-01-01 UTC.
    Time,
}

/// A column.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColumnField {
    name: &'static str,
    kind: ColumnType,
    /// Whether every row has a value.
    always: bool,
}

impl ColumnField {
    /// A column in which every row has a value.
    pub(super) const fn always(name: &'static str, kind: ColumnType) -> ColumnField {
        let always = true;
        ColumnField { name, kind, always }
    }

    /// A column in which rows may have no value.
    pub(super) const fn maybe(name: &'static str, kind: ColumnType) -> ColumnField {
        let always = false;
        ColumnField { name, kind, always }
    }

    fn schema(self) -> Result<Type> {
        let (physical, logical) = match self.kind {
            ColumnType::Whole => (Physical::INT64, None),
            ColumnType::Count => (Physical::INT64, Some(LogicalType::integer(64, false))),
            ColumnType::Real => (Physical::DOUBLE, None),
            ColumnType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnType::Flag => (Physical::BOOLEAN, None),
            ColumnType::Time => {
                let milliseconds = LogicalType::timestamp(true, TimeUnit::MILLIS);
                (Physical::INT64, Some(milliseconds))
            }
        };
        let repetition = match self.always {
            true => Repetition::REQUIRED,
            false => Repetition::OPTIONAL,
        };
        Type::primitive_type_builder(self.name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()
    }
}

/// The columns of a table, a line each: the name, whether every row has a value, the type, and the value of a row.
macro_rules! parquet_columns {
    ($row:ty { $($name:literal: $presence:ident $kind:ident, |$own:ident| $value:expr;)* }) => {
        pub(super) const FIELDS: &[ColumnField] = &[$(ColumnField::$presence($name, ColumnType::$kind)),*];

        /// The values of a row, in the order of the columns.
        pub(super) fn values(row: &$row) -> Vec<ColumnValue> {
            vec![$({ let $own = row; ColumnValue::from($value) }),*]
        }
    };
}
pub(super) use parquet_columns;

/// The cell of a row in a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ColumnValue {
    Whole(i64),
    Count(u64),
    Real(f64),
    Text(String),
    Flag(bool),
    /// A missing value.
    Null,
}

macro_rules! values_from {
    ($($source:ty: $variant:ident;)*) => {
        $(impl From<$source> for ColumnValue {
            fn from(value: $source) -> ColumnValue {
                ColumnValue::$variant(value.into())
            }
        })*
    };
}
values_from! {
    i64: Whole; i32: Whole; u32: Whole; u16: Whole; u8: Whole; u64: Count; bool: Flag; &str: Text; String: Text;
}

/// In nanoseconds.
impl From<Duration> for ColumnValue {
    fn from(time: Duration) -> ColumnValue {
        ColumnValue::Whole(i64::try_from(time.as_nanos()).unwrap_or(i64::MAX))
    }
}

impl<T: Into<ColumnValue>> From<Option<T>> for ColumnValue {
    fn from(value: Option<T>) -> ColumnValue {
        value.map_or(ColumnValue::Null, T::into)
    }
}

/// The values of a group of rows in a column.
#[derive(Debug)]
enum Held {
    Whole(Vec<i64>),
    Real(Vec<f64>),
    Text(Vec<ByteArray>),
    Flag(Vec<bool>),
}

#[derive(Debug)]
struct ParquetColumn {
    field: ColumnField,
    held: Held,
    /// 1 for a row with a value, 0 for one without.
    levels: Vec<i16>,
}

impl ParquetColumn {
    fn new(field: ColumnField) -> ParquetColumn {
        ParquetColumn {
            field,
            held: match field.kind {
                ColumnType::Whole | ColumnType::Count | ColumnType::Time => Held::Whole(Vec::new()),
                ColumnType::Real => Held::Real(Vec::new()),
                ColumnType::Text => Held::Text(Vec::new()),
                ColumnType::Flag => Held::Flag(Vec::new()),
            },
            levels: Vec::new(),
        }
    }

    fn push(&mut self, value: ColumnValue) -> Result<()> {
        let level = i16::from(value != ColumnValue::Null);
        match (&mut self.held, value) {
            (_, ColumnValue::Null) if !self.field.always => {}
            (Held::Whole(held), ColumnValue::Whole(number)) => held.push(number),
            // The bits of a number without a sign, as the column's type says.
            (Held::Whole(held), ColumnValue::Count(number))
                if self.field.kind == ColumnType::Count =>
            {
                held.push(number.cast_signed());
            }
            (Held::Real(held), ColumnValue::Real(number)) => held.push(number),
            (Held::Text(held), ColumnValue::Text(text)) => {
                held.push(ByteArray::from(text.into_bytes()));
            }
            (Held::Flag(held), ColumnValue::Flag(flag)) => held.push(flag),
            (_, value) => {
                let name = self.field.name;
                let error = format!("the column {name} cannot hold {value:?}");
                return Err(ParquetError::General(error));
            }
        }
        self.levels.push(level);
        Ok(())
    }

    fn write(&mut self, mut out: SerializedColumnWriter<'_>) -> Result<()> {
        let levels = (!self.field.always).then_some(self.levels.as_slice());
        match &mut self.held {
            Held::Whole(held) => {
                out.typed::<Int64Type>().write_batch(held, levels, None)?;
                held.clear();
            }
            Held::Real(held) => {
                out.typed::<DoubleType>().write_batch(held, levels, None)?;
                held.clear();
            }
            Held::Text(held) => {
                let typed = out.typed::<ByteArrayType>();
                typed.write_batch(held, levels, None)?;
                held.clear();
            }
            Held::Flag(held) => {
                out.typed::<BoolType>().write_batch(held, levels, None)?;
                held.clear();
            }
        }
        self.levels.clear();
        out.close()
    }
}

/// A file that is being written.
pub(super) struct ParquetTable<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<ParquetColumn>,
    rows: usize,
    bytes: usize,
}

impl<W: Write + Send> ParquetTable<W> {
    /// A table without rows.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(super) fn new(out: W, fields: &[ColumnField]) -> Result<ParquetTable<W>> {
        let types = fields.iter().map(|field| field.schema().map(Arc::new));
        let schema = Type::group_type_builder("row")
            .with_fields(types.collect::<Result<_>>()?)
            .build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(Default::default()))
            .set_created_by(format!("arbiter960 {}", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(ParquetTable {
            writer: SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?,
            columns: fields.iter().copied().map(ParquetColumn::new).collect(),
            rows: 0,
            bytes: 0,
        })
    }

    /// Adds a row: a value for each column, in their order.
    ///
    /// # Errors
    /// A value does not fit its column, or the output cannot be written.
    pub(super) fn row(&mut self, values: Vec<ColumnValue>) -> Result<()> {
        if values.len() != self.columns.len() {
            let error = format!("{} values, {} columns", values.len(), self.columns.len());
            return Err(ParquetError::General(error));
        }
        for (column, value) in self.columns.iter_mut().zip(values) {
            if let ColumnValue::Text(text) = &value {
                self.bytes += text.len();
            }
            column.push(value)?;
        }
        self.rows += 1;
        if self.rows >= ROWS || self.bytes >= BYTES {
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
    ///
    /// # Errors
    /// The output cannot be written.
    pub(super) fn finish(mut self) -> Result<()> {
        if self.rows > 0 {
            self.end_group()?;
        }
        self.writer.into_inner()?.flush()?;
        Ok(())
    }
}
