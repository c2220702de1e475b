//! Columns of which some values may be absent, written at once.

use super::{properties, refused};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// The values of a column, row by row.
pub enum Values {
    /// 64-bit floats.
    Numbers(Vec<Option<f64>>),
    /// Signed integers.
    Integers(Vec<Option<i64>>),
    /// Unsigned integers.
    Naturals(Vec<Option<u64>>),
    /// True or false.
    Truths(Vec<Option<bool>>),
    /// UTF-8 text.
    Texts(Vec<Option<String>>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Integers(values) => values.len(),
            Self::Naturals(values) => values.len(),
            Self::Truths(values) => values.len(),
            Self::Texts(values) => values.len(),
        }
    }

    fn field(&self, name: &str) -> Result<Arc<Type>, ParquetError> {
        let (physical, logical) = match self {
            Self::Numbers(_) => (Physical::DOUBLE, None),
            Self::Integers(_) => (Physical::INT64, None),
            Self::Naturals(_) => (Physical::INT64, Some(LogicalType::integer(64, false))),
            Self::Truths(_) => (Physical::BOOLEAN, None),
            Self::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(Repetition::OPTIONAL)
            .build()
            .map(Arc::new)
    }
}

/// Writes a table of named columns of the same length, with notes for the file's readers, by key.
///
/// # Errors
/// The sink's, and columns of unequal length.
pub fn write<W: Write + Send>(
    sink: W,
    columns: &[(String, Values)],
    notes: &[(String, String)],
) -> io::Result<W> {
    if columns.iter().any(|(_, values)| values.len() != columns[0].1.len()) {
        return Err(io::Error::other("the columns of a table are equally long"));
    }
    let write = || {
        let fields = columns.iter().map(|(name, values)| values.field(name)).collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder("table").with_fields(fields).build()?;
        let notes = notes.iter().map(|(key, text)| KeyValue::new(key.clone(), text.clone())).collect();
        let properties = properties().set_key_value_metadata(Some(notes)).build();
        let mut file = SerializedFileWriter::new(sink, Arc::new(schema), Arc::new(properties))?;
        let mut group = file.next_row_group()?;
        for (_, values) in columns {
            let Some(mut writer) = group.next_column()? else { break };
            match values {
                Values::Numbers(values) => put(writer.typed::<DoubleType>(), values, |&value| value)?,
                Values::Integers(values) => put(writer.typed::<Int64Type>(), values, |&value| value)?,
                Values::Naturals(values) => {
                    put(writer.typed::<Int64Type>(), values, |&value| value.cast_signed())?;
                }
                Values::Truths(values) => put(writer.typed::<BoolType>(), values, |&value| value)?,
                Values::Texts(values) => {
                    put(writer.typed::<ByteArrayType>(), values, |text| ByteArray::from(text.as_str()))?;
                }
            }
            writer.close()?;
        }
        group.close()?;
        file.into_inner()
    };
    write().map_err(refused)
}

/// Writes one column: which rows have a value, and the values.
fn put<D: DataType, T>(
    writer: &mut ColumnWriterImpl<'_, D>,
    values: &[Option<T>],
    physical: impl Fn(&T) -> D::T,
) -> Result<(), ParquetError> {
    let there: Vec<i16> = values.iter().map(|value| value.is_some().into()).collect();
    let values: Vec<D::T> = values.iter().flatten().map(physical).collect();
    writer.write_batch(&values, Some(&there), None).map(drop)
}
