//! Columns of tables as Python has them.

use crate::errors;
use airloom_lab::tables::{Column, Most, Values, Wanted, read, write};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use std::fs::File;
use std::path::PathBuf;

/// Columns of the table at `path`, each with what every row must hold (`text`, `number`, `number or none`; of strangers' tables `any
/// number` and `any text`, where a row may lack it), if it has at most `most` rows, and else the `remedy`: numbers as the bytes of 64-bit floats in the order of this machine, texts as a list.
#[pyfunction]
pub(crate) fn read_table(
    py: Python<'_>,
    path: PathBuf,
    columns: Vec<(String, String)>,
    most: u64,
    remedy: &str,
) -> PyResult<Vec<Py<PyAny>>> {
    let wanted = |(name, kind): (String, String)| match kind.as_str() {
        "text" => Ok((name, Wanted::Text)),
        "number" => Ok((name, Wanted::Number)),
        "any text" => Ok((name, Wanted::AnyText)),
        "any number" => Ok((name, Wanted::AnyNumber)),
        "number or none" => Ok((name, Wanted::NumberOrNone)),
        other => Err(unknown(other)),
    };
    let columns = columns.into_iter().map(wanted).collect::<PyResult<Vec<_>>>()?;
    let file =
        File::open(&path).map_err(|error| errors::bundle(&path, &format!("cannot be read: {error}")))?;
    let most = Most { rows: most, remedy };
    let read = py.detach(|| read(file, &columns, most)).map_err(|message| errors::bundle(&path, &message))?;
    read.iter().map(|column| to_python(py, column)).collect()
}

fn to_python(py: Python<'_>, column: &Column) -> PyResult<Py<PyAny>> {
    match column {
        Column::Numbers(numbers) => PyBytes::new_with(py, size_of_val(&numbers[..]), |bytes| {
            for (place, number) in bytes.chunks_exact_mut(size_of::<f64>()).zip(numbers) {
                place.copy_from_slice(&number.to_ne_bytes());
            }
            Ok(())
        })
        .map(|bytes| bytes.into_any().unbind()),
        Column::Texts(different, rows) => {
            let different: Vec<_> = different.iter().map(|text| PyString::new(py, text)).collect();
            PyList::new(py, rows.iter().map(|&row| &different[row as usize]))
                .map(|list| list.into_any().unbind())
        }
    }
}

/// Writes a table to `path`: columns by name, kind (`text`, `number`, `integer`, `natural`, `truth`) and values, None where
/// there is none; and notes by key, as the file's metadata.
#[pyfunction]
pub(crate) fn write_table(
    py: Python<'_>,
    path: PathBuf,
    columns: Vec<(String, String, Bound<'_, PyAny>)>,
    notes: Vec<(String, String)>,
) -> PyResult<()> {
    let values = |(name, kind, values): (String, String, Bound<'_, PyAny>)| {
        let values = match kind.as_str() {
            "text" => Values::Texts(values.extract()?),
            "number" => Values::Numbers(values.extract()?),
            "integer" => Values::Integers(values.extract()?),
            "natural" => Values::Naturals(values.extract()?),
            "truth" => Values::Truths(values.extract()?),
            other => return Err(unknown(other)),
        };
        Ok((name, values))
    };
    let columns = columns.into_iter().map(values).collect::<PyResult<Vec<_>>>()?;
    py.detach(|| write(File::create(&path)?, &columns, &notes)?.sync_data())?;
    Ok(())
}

fn unknown(kind: &str) -> PyErr {
    PyValueError::new_err(format!("no kind of column: {kind}"))
}
