//! Tables as Parquet files: written row group by row group, written at once with gaps, and read.

mod gaps;
mod reader;
mod rows;

pub use gaps::{Values, write};
pub use reader::{Column, Most, Wanted, read};
pub(crate) use rows::{Column as Rows, ColumnKind, TableWriter};

use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use std::io;

/// How all tables of ours are written.
fn properties() -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_compression(parquet::basic::Compression::SNAPPY)
        .set_created_by(format!("airloom {}", crate::VERSION))
}

/// The I/O error beneath a Parquet error, if there is one.
fn refused(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(io) => *io,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
