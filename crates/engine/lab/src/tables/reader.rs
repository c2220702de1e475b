//! A table's columns, read from a file that may hold anything.

use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_typed_column_reader};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::File;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// Rows that are decoded at once.
const BATCH: usize = 1 << 13;

/// No number of ours is larger, so that sums and axes of charts stay finite.
const LARGEST: f64 = 1e15;

/// The most different texts of a column, which are names of flows, hosts, places and states, and their octets.
const MOST_TEXTS: (usize, usize) = (1 << 20, 1 << 26);

/// What a column must hold, in every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// UTF-8 text.
    Text,
    /// Finite numbers.
    Number,
    /// Finite numbers, or NaN where there is none.
    NumberOrNone,
    /// What somebody else wrote: numbers of any type, or NaN where there is none.
    AnyNumber,
    /// What somebody else wrote: texts, or an empty one where there is none.
    AnyText,
}

impl Wanted {
    fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::AnyText)
    }
}

/// The rows that a table has at most, and what to do about one that has more.
#[derive(Clone, Copy, Debug)]
pub struct Most<'a> {
    /// How many.
    pub rows: u64,
    /// The remedy.
    pub remedy: &'a str,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Numbers, row by row.
    Numbers(Vec<f64>),
    /// The different texts, and which of them each row has.
    Texts(Vec<String>, Vec<u32>),
}

/// Reads these columns of a table that is not too long; what else the table has is not looked at.
///
/// # Errors
/// A message: the file is no table, is damaged or too long, or a column is not as wanted.
pub fn read(file: File, columns: &[(String, Wanted)], most: Most<'_>) -> Result<Vec<Column>, String> {
    quietly(|| whole(file, columns, most)).unwrap_or_else(|| Err(unreadable("damaged")))
}

/// What some work returns; none if it panics, which is not printed. The library asserts some of what a file says.
fn quietly<T>(work: impl FnOnce() -> T) -> Option<T> {
    thread_local!(static QUIET: Cell<bool> = const { Cell::new(false) });
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
    QUIET.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    QUIET.set(false);
    done.ok()
}

fn unreadable(why: impl std::fmt::Display) -> String {
    format!("not readable as Parquet: {why}")
}

fn whole(file: File, columns: &[(String, Wanted)], most: Most<'_>) -> Result<Vec<Column>, String> {
    let file = SerializedFileReader::new(file).map_err(unreadable)?;
    let metadata = file.metadata().file_metadata();
    let rows = u64::try_from(metadata.num_rows()).map_err(unreadable)?;
    if rows > most.rows {
        let (there, most, remedy) = (thousands(rows), thousands(most.rows), most.remedy);
        return Err(format!("too long to be read at once: {there} rows, at most {most}; {remedy}"));
    }
    let schema = metadata.schema_descr();
    let column = |(name, wanted): &(String, Wanted)| {
        let mut found =
            (0..schema.num_columns()).filter(|&at| schema.column(at).path().parts().first() == Some(name));
        let at = found.next().ok_or_else(|| format!("has no column {name}"))?;
        if found.next().is_some() {
            return Err(format!("has several columns {name}"));
        }
        let what = if wanted.is_text() { "text" } else { "number" };
        let values =
            values(&file, at, *wanted)?.ok_or_else(|| format!("not every row has a {what} as its {name}"))?;
        let read = match &values {
            Column::Numbers(values) => values.len(),
            Column::Texts(_, rows) => rows.len(),
        };
        if read as u64 != rows {
            return Err(unreadable(format!("{read} of {rows} rows are there")));
        }
        Ok(values)
    };
    columns.iter().map(column).collect()
}

/// The values of one column, if all are as wanted.
fn values(file: &SerializedFileReader<File>, at: usize, wanted: Wanted) -> Result<Option<Column>, String> {
    let column = file.metadata().file_metadata().schema_descr().column(at);
    if !fits(&column, wanted) {
        return Ok(None);
    }
    let physical = column.physical_type();
    if wanted.is_text() {
        let mut texts = Texts::default();
        let none = ByteArray::from("");
        let push = |text: Option<&ByteArray>| match text {
            None if wanted == Wanted::Text => false,
            text => texts.push(text.unwrap_or(&none)),
        };
        let every = each::<ByteArrayType>(file, at, push).map_err(unreadable)?;
        return Ok(every.then_some(Column::Texts(texts.different, texts.rows)));
    }
    let mut numbers = Vec::new();
    let push = |number: Option<f64>| {
        numbers.push(number.unwrap_or(f64::NAN));
        match wanted {
            Wanted::AnyNumber => true,
            Wanted::NumberOrNone => number.is_some_and(|number| number.abs() <= LARGEST || number.is_nan()),
            _ => number.is_some_and(|number| number.abs() <= LARGEST),
        }
    };
    let every = each_number(file, at, physical, push).map_err(unreadable)?;
    Ok(every.then_some(Column::Numbers(numbers)))
}

/// Takes every number of a column as a double.
fn each_number(
    file: &SerializedFileReader<File>,
    at: usize,
    physical: Physical,
    mut take: impl FnMut(Option<f64>) -> bool,
) -> Result<bool, ParquetError> {
    match physical {
        Physical::INT32 => each::<Int32Type>(file, at, |number| take(number.map(|&n| n.into()))),
        Physical::INT64 => each::<Int64Type>(file, at, |number| take(number.map(|&n| n as f64))),
        Physical::FLOAT => each::<FloatType>(file, at, |number| take(number.map(|&n| n.into()))),
        _ => each::<DoubleType>(file, at, |number| take(number.copied())),
    }
}

/// Whether a column can hold what is wanted: one value in each row, of that type.
fn fits(column: &ColumnDescriptor, wanted: Wanted) -> bool {
    let text = column.logical_type_ref() == Some(&LogicalType::String)
        || column.converted_type() == ConvertedType::UTF8;
    let single =
        column.max_rep_level() == 0 && column.max_def_level() <= 1 && column.path().parts().len() == 1;
    let physical = column.physical_type();
    single
        && match wanted {
            Wanted::Text | Wanted::AnyText => physical == Physical::BYTE_ARRAY && text,
            Wanted::Number | Wanted::NumberOrNone => physical == Physical::DOUBLE,
            Wanted::AnyNumber => is_number(column),
        }
}

/// Whether a column has plain numbers: no times of day, decimals or other things that are stored as some.
fn is_number(column: &ColumnDescriptor) -> bool {
    let plain = matches!(column.logical_type_ref(), None | Some(LogicalType::Integer { .. }));
    // Unsigned ones of 64 bits are read as signed: one above the half is refused as a negative number is.
    let numeric = matches!(
        column.physical_type(),
        Physical::INT32 | Physical::INT64 | Physical::FLOAT | Physical::DOUBLE
    );
    let converted = matches!(
        column.converted_type(),
        ConvertedType::NONE
            | ConvertedType::INT_8
            | ConvertedType::INT_16
            | ConvertedType::INT_32
            | ConvertedType::INT_64
            | ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64
    );
    plain && converted && numeric
}

/// Takes what every row of a column has, none if that is nothing, while it is taken; returns whether all were.
fn each<D: DataType>(
    file: &SerializedFileReader<File>,
    at: usize,
    mut take: impl FnMut(Option<&D::T>) -> bool,
) -> Result<bool, ParquetError> {
    let mut left = file.metadata().file_metadata().num_rows().cast_unsigned() as usize;
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for group in 0..file.num_row_groups() {
        let mut reader: ColumnReaderImpl<D> = typed(file.get_row_group(group)?.get_column_reader(at)?)?;
        loop {
            values.clear();
            levels.clear();
            let (rows, there, _) =
                reader.read_records(BATCH.min(left + 1), Some(&mut levels), None, &mut values)?;
            let all = if there < rows {
                let mut filled = values.iter();
                levels.iter().all(|&level| take(if level > 0 { filled.next() } else { None }))
            } else {
                values.iter().map(Some).all(&mut take)
            };
            if !all {
                return Ok(false);
            }
            if rows == 0 {
                break;
            }
            if rows > left {
                return Err(ParquetError::General("more rows are there than it says".to_owned()));
            }
            left -= rows;
        }
    }
    Ok(true)
}

/// The reader as one of its type; row groups of a damaged file may differ in it.
fn typed<D: DataType>(reader: ColumnReader) -> Result<ColumnReaderImpl<D>, ParquetError> {
    let physical = match &reader {
        ColumnReader::DoubleColumnReader(_) => Physical::DOUBLE,
        ColumnReader::ByteArrayColumnReader(_) => Physical::BYTE_ARRAY,
        ColumnReader::FloatColumnReader(_) => Physical::FLOAT,
        ColumnReader::Int32ColumnReader(_) => Physical::INT32,
        ColumnReader::Int64ColumnReader(_) => Physical::INT64,
        _ => return Err(ParquetError::General("of another type".to_owned())),
    };
    if physical != D::get_physical_type() {
        return Err(ParquetError::General("of another type".to_owned()));
    }
    Ok(get_typed_column_reader(reader))
}

/// The texts of a column as they are found.
#[derive(Default)]
struct Texts {
    different: Vec<String>,
    rows: Vec<u32>,
    known: BTreeMap<Vec<u8>, u32>,
    octets: usize,
}

impl Texts {
    /// One more row; false if it is no text of ours.
    fn push(&mut self, text: &ByteArray) -> bool {
        let bytes = text.data();
        if let Some(&last) = self.rows.last()
            && self.different[last as usize].as_bytes() == bytes
        {
            self.rows.push(last);
            return true;
        }
        let row = match self.known.get(bytes) {
            Some(&row) => row,
            None => {
                let Ok(text) = std::str::from_utf8(bytes) else { return false };
                self.octets += bytes.len();
                if self.different.len() >= MOST_TEXTS.0 || self.octets > MOST_TEXTS.1 {
                    return false;
                }
                let row = self.different.len() as u32;
                self.different.push(text.to_owned());
                self.known.insert(bytes.to_vec(), row);
                row
            }
        };
        self.rows.push(row);
        true
    }
}

/// A count with a comma before every three digits.
fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
