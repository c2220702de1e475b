//! The run bundle: a folder that is either whole or not there.
//!
//! Files are written into a hidden folder beside the bundle's place, flushed to disk, and the folder is renamed when all of
//! them are whole. Whatever goes wrong before that, the hidden folder is removed again.

use crate::metrics::Series;
use crate::run::Outcome;
use crate::scenario::Scenario;
use crate::table::{Column, Kind, TableWriter};
use parquet::data_type::ByteArray;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a bundle could not be written.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    message: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.message)
    }
}

impl std::error::Error for Error {}

impl Error {
    /// A file at `path` was refused by the disk.
    pub(crate) fn refused(path: &Path, error: io::Error) -> Self {
        failed(path)(error)
    }
}

fn failed(path: &Path) -> impl Fn(io::Error) -> Error {
    move |error| {
        let message = match error.kind() {
            io::ErrorKind::StorageFull => "the disk is full; nothing was written".to_owned(),
            io::ErrorKind::PermissionDenied => {
                "no permission to write here; choose another folder".to_owned()
            }
            io::ErrorKind::NotFound => "there is no such folder to write into; create it first".to_owned(),
            _ => format!("cannot be written: {error}"),
        };
        Error { path: path.to_owned(), message }
    }
}

/// The place of a bundle to be, checked before the run so that nobody waits for a run that cannot be kept.
#[derive(Debug)]
pub struct Folder {
    out: PathBuf,
    partial: PathBuf,
    replace: bool,
}

impl Folder {
    /// Makes sure that a bundle can be written at `out`.
    ///
    /// # Errors
    /// If something is there already and is not to be replaced, or the place cannot be written.
    pub fn prepare(out: &Path, replace: bool) -> Result<Self, Error> {
        let complain = |message: &str| Error { path: out.to_owned(), message: message.to_owned() };
        if out.exists() && !replace {
            return Err(complain("exists already; choose another folder, or replace it with --force"));
        }
        if replace && out.exists() && !out.join("manifest.json").is_file() {
            return Err(complain("is no run bundle, so it is not replaced; choose another folder"));
        }
        let Some(name) = out.file_name() else { return Err(complain("is no name for a folder")) };
        let partial =
            out.with_file_name(format!(".{}.{}.partial", name.to_string_lossy(), std::process::id()));
        fs::create_dir(&partial).map_err(failed(out))?;
        Ok(Self { out: out.to_owned(), partial, replace })
    }

    /// Writes the bundle and puts it in its place, with the captures that lie there already (their names and SHA-256).
    /// Returns the summary as JSON.
    ///
    /// # Errors
    /// If the disk refuses; then nothing is left.
    pub fn write(
        self,
        scenario: &Scenario,
        outcome: &Outcome,
        captures: Vec<(String, String)>,
    ) -> Result<String, Error> {
        let summary = pretty(&outcome.summary);
        let files = [
            ("scenario.toml", scenario.to_toml().into_bytes()),
            ("summary.json", summary.clone().into_bytes()),
            ("series.parquet", parquet(&outcome.series).map_err(failed(&self.out))?),
        ];
        let own = files.iter().map(|(name, bytes)| ((*name).to_owned(), hex(&Sha256::digest(bytes))));
        let hashes: serde_json::Map<_, _> =
            own.chain(captures).map(|(name, hash)| (name, json!(hash))).collect();
        for (name, bytes) in &files {
            self.store(name, bytes)?;
        }
        let manifest = json!({
            "airloom": crate::VERSION,
            "seed": scenario.seed,
            "sha256": hashes,
        });
        self.store("manifest.json", pretty(&manifest).as_bytes())?;
        self.publish()?;
        Ok(summary)
    }

    /// Where files are to be written until the bundle is whole.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    fn store(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let write = || {
            let mut file = File::create(self.partial.join(name))?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(failed(&self.out.join(name)))
    }

    /// Puts the finished folder in its place; an old bundle there is moved aside first and removed last.
    fn publish(&self) -> Result<(), Error> {
        let fail = failed(&self.out);
        let old = self.partial.with_extension("old");
        let replacing = self.replace && self.out.exists();
        if replacing {
            fs::rename(&self.out, &old).map_err(&fail)?;
        }
        if let Err(error) = fs::rename(&self.partial, &self.out) {
            if replacing {
                fs::rename(&old, &self.out).map_err(&fail)?;
            }
            return Err(fail(error));
        }
        if replacing {
            fs::remove_dir_all(&old).map_err(&fail)?;
        }
        Ok(())
    }
}

impl Drop for Folder {
    /// Whatever was not published is removed.
    fn drop(&mut self) {
        // Gone already once published; and there is nobody left to tell if removing fails.
        let _ = fs::remove_dir_all(&self.partial);
    }
}

fn pretty(value: &serde_json::Value) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("JSON values can be written");
    text.push('\n');
    text
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The series as one Parquet table: time [s], entity, metric, value, unit.
fn parquet(series: &Series) -> io::Result<Vec<u8>> {
    let columns = [
        ("time", Kind::Number),
        ("entity", Kind::Text),
        ("metric", Kind::Text),
        ("value", Kind::Number),
        ("unit", Kind::Text),
    ];
    let mut table = TableWriter::new(Vec::new(), "series", &columns)?;
    let rows = &series.rows;
    let entities: Vec<ByteArray> = series.entities.iter().map(|e| e.as_str().into()).collect();
    table.write(&[
        Column::Numbers(rows.iter().map(|r| r.time).collect()),
        Column::Texts(rows.iter().map(|r| entities[usize::from(r.entity)].clone()).collect()),
        Column::Texts(rows.iter().map(|r| r.metric.name_and_unit().0.into()).collect()),
        Column::Numbers(rows.iter().map(|r| r.value).collect()),
        Column::Texts(rows.iter().map(|r| r.metric.name_and_unit().1.into()).collect()),
    ])?;
    table.finish()
}
