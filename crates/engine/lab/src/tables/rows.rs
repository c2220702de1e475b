//! Columns of numbers and of text, written a row group at a time.

use super::{properties, refused};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::file::properties::EnabledStatistics;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// 64-bit floats.
    Number,
    /// UTF-8 text.
    Text,
}

/// Values of one column for one row group.
pub(crate) enum Column {
    /// Numbers.
    Numbers(Vec<f64>),
    /// Texts; each is one of a few, so they are shared.
    Texts(Vec<ByteArray>),
}

/// Writes a table.
pub(crate) struct TableWriter<W: Write + Send>(SerializedFileWriter<W>);

impl<W: Write + Send> TableWriter<W> {
    /// A table of this name with these columns.
    pub(crate) fn new(sink: W, name: &str, columns: &[(&str, ColumnKind)]) -> io::Result<Self> {
        let field = |&(name, kind): &(&str, ColumnKind)| {
            let builder = match kind {
                ColumnKind::Number => Type::primitive_type_builder(name, Physical::DOUBLE),
                ColumnKind::Text => Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
                    .with_logical_type(Some(LogicalType::String)),
            };
            builder.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
        };
        let fields = columns.iter().map(field).collect::<Result<_, _>>().map_err(refused)?;
        let schema = Type::group_type_builder(name).with_fields(fields).build().map_err(refused)?;
        // A dictionary of numbers that hardly repeat costs more time and more bytes than the numbers; nothing reads bounds of a group.
        let mut properties = properties().set_statistics_enabled(EnabledStatistics::None);
        for (name, _) in columns.iter().filter(|(_, kind)| matches!(kind, ColumnKind::Number)) {
            properties = properties.set_column_dictionary_enabled((*name).into(), false);
        }
        SerializedFileWriter::new(sink, Arc::new(schema), Arc::new(properties.build()))
            .map(Self)
            .map_err(refused)
    }

    /// Writes rows, as one group; `columns` are in the order of the table's.
    pub(crate) fn write(&mut self, columns: &[Column]) -> io::Result<()> {
        let mut write = || {
            let mut group = self.0.next_row_group()?;
            for column in columns {
                let Some(mut writer) = group.next_column()? else { break };
                match column {
                    Column::Numbers(values) => {
                        writer.typed::<DoubleType>().write_batch(values, None, None)?
                    }
                    Column::Texts(values) => {
                        writer.typed::<ByteArrayType>().write_batch(values, None, None)?
                    }
                };
                writer.close()?;
            }
            group.close()
        };
        write().map(drop).map_err(refused)
    }

    /// Writes the end of the table and returns the sink.
    pub(crate) fn finish(self) -> io::Result<W> {
        self.0.into_inner().map_err(refused)
    }
}
