//! Logs: tables that are written while the run goes on.

use super::Sink;
use crate::tables::{ColumnKind, Rows, TableWriter};
use bytes::Bytes;
use parquet::data_type::ByteArray;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// Rows kept in memory before they are written as one row group.
const GROUP: usize = 1 << 16;

/// How a column gets its value from a row.
pub(crate) enum Getter<R> {
    /// A number.
    Number(fn(&R) -> f64),
    /// A text.
    Text(Box<dyn Fn(&R) -> ByteArray>),
}

/// Names of columns, and how they get their values.
pub(crate) type Columns<R> = Vec<(&'static str, Getter<R>)>;

impl<R: 'static> Getter<R> {
    /// A text.
    pub(crate) fn text(of: impl Fn(&R) -> ByteArray + 'static) -> Self {
        Self::Text(Box::new(of))
    }

    /// A word of ours.
    pub(crate) fn word(of: fn(&R) -> &'static str) -> Self {
        Self::text(move |row| Bytes::from_static(of(row).as_bytes()).into())
    }

    /// One of these names, by index.
    pub(crate) fn name(names: Names, of: fn(&R) -> u16) -> Self {
        Self::text(move |row| names.get(usize::from(of(row))))
    }

    fn kind(&self) -> ColumnKind {
        match self {
            Self::Number(_) => ColumnKind::Number,
            Self::Text(_) => ColumnKind::Text,
        }
    }

    fn column(&self, rows: &[R]) -> Rows {
        match self {
            Self::Number(of) => Rows::Numbers(rows.iter().map(of).collect()),
            Self::Text(of) => Rows::Texts(rows.iter().map(of).collect()),
        }
    }
}

/// Names as they stand in a column, to which more can come while it is written.
#[derive(Clone)]
pub(crate) struct Names(Rc<RefCell<Vec<ByteArray>>>);

impl Names {
    /// One more.
    pub(crate) fn add(&self, name: &str) {
        self.0.borrow_mut().push(ByteArray::from(name));
    }

    /// One of them.
    pub(crate) fn get(&self, place: usize) -> ByteArray {
        self.0.borrow()[place].clone()
    }
}

/// Names as they stand in a column.
pub(crate) fn names<'a>(names: impl IntoIterator<Item = &'a String>) -> Names {
    Names(Rc::new(RefCell::new(names.into_iter().map(|name| ByteArray::from(name.as_str())).collect())))
}

/// A log of rows.
pub(crate) struct Log<R> {
    writer: TableWriter<Sink>,
    columns: Vec<Getter<R>>,
    rows: Vec<R>,
}

impl<R: 'static> Log<R> {
    /// A log of this name with these columns.
    pub(crate) fn new(sink: Sink, name: &str, columns: Columns<R>) -> io::Result<Self> {
        let kinds: Vec<_> = columns.iter().map(|(name, getter)| (*name, getter.kind())).collect();
        let writer = TableWriter::new(sink, name, &kinds)?;
        let columns = columns.into_iter().map(|(_, getter)| getter).collect();
        Ok(Self { writer, columns, rows: Vec::new() })
    }

    /// One more row.
    pub(crate) fn push(&mut self, row: R) -> io::Result<()> {
        self.rows.push(row);
        if self.rows.len() == GROUP { self.write() } else { Ok(()) }
    }

    /// Writes the rows that are in memory, as a row group.
    pub(crate) fn end_group(&mut self) -> io::Result<()> {
        if self.rows.is_empty() { Ok(()) } else { self.write() }
    }

    /// Writes the remaining rows.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.write()?;
        self.writer.finish()?.flush()
    }

    fn write(&mut self) -> io::Result<()> {
        let columns: Vec<_> = self.columns.iter().map(|getter| getter.column(&self.rows)).collect();
        self.writer.write(&columns)?;
        self.rows.clear();
        Ok(())
    }
}
