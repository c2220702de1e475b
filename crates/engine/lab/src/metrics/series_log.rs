//! The series as a table of a bundle.

use super::series::{Keep, SeriesRow};
use crate::files::{Columns, Getter, Log, Names, Sink, names};
use parquet::data_type::ByteArray;
use std::io;

/// Into a table on disk, `series.parquet`.
pub(crate) struct SeriesLog {
    log: Log<SeriesRow>,
    entities: Names,
    /// The first error.
    failed: Option<io::Error>,
}

impl SeriesLog {
    /// Opens the table for rows of these entities.
    pub(crate) fn new(sink: Sink, entities: &[String]) -> io::Result<Self> {
        let entities = names(entities);
        let columns: Columns<SeriesRow> = vec![
            ("time", Getter::Number(|row| row.time)),
            ("entity", Getter::name(entities.clone(), |row| row.entity)),
            ("metric", Getter::text(|row: &SeriesRow| ByteArray::from(row.metric.name_and_unit().0))),
            ("value", Getter::Number(|row| row.value)),
            ("unit", Getter::text(|row: &SeriesRow| ByteArray::from(row.metric.name_and_unit().1))),
        ];
        Ok(Self { log: Log::new(sink, "series", columns)?, entities, failed: None })
    }

    /// Completes the table.
    ///
    /// # Errors
    /// The first error of the disk, if there was one.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.failed.map_or_else(|| self.log.finish(), Err)
    }
}

impl Keep for SeriesLog {
    fn entity(&mut self, name: &str) {
        self.entities.add(name);
    }

    fn keep(&mut self, bin: &mut Vec<SeriesRow>) {
        for row in bin.drain(..) {
            if self.failed.is_none() {
                self.failed = self.log.push(row).err();
            }
        }
    }
}
