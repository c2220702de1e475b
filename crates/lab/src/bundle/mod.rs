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
            _ => format!("cannot be written: {error}"),
        };
        Error { path: path.to_owned(), message }
    }
}

/// What lies in a bundle beside the files that its manifest lists: the manifest, and a report if one was written.
const UNLISTED: [&str; 2] = [MANIFEST, "report.html"];

const MANIFEST: &str = "manifest.json";

/// The place of a bundle to be, checked before the run so that nobody waits for a run that cannot be kept.
#[derive(Debug)]
pub struct Folder {
    out: PathBuf,
    partial: PathBuf,
    /// Folders above it that were not there, the innermost first.
    parents: Vec<PathBuf>,
    replace: bool,
}

impl Folder {
    /// Makes sure that a bundle can be written at `out`; folders above it are made if they are missing.
    ///
    /// # Errors
    /// If something is there already and is not to be replaced, or is more than a bundle, or the place cannot be written.
    pub fn prepare(out: &Path, replace: bool) -> Result<Self, Error> {
        let complain = |message: &str| Error { path: out.to_owned(), message: message.to_owned() };
        if out.exists() && !replace {
            return Err(complain("exists already; choose another folder, or replace it with --force"));
        }
        if out.exists() {
            check_replaceable(out).map_err(|message| complain(&message))?;
        }
        let Some(name) = out.file_name() else { return Err(complain("is no name for a folder")) };
        let partial =
            out.with_file_name(format!(".{}.{}.partial", name.to_string_lossy(), std::process::id()));
        let above = out.ancestors().skip(1);
        let parents =
            above.take_while(|a| !a.as_os_str().is_empty() && !a.exists()).map(Path::to_owned).collect();
        let folder = Self { out: out.to_owned(), partial, parents, replace };
        fs::create_dir_all(out.parent().unwrap_or(out)).map_err(failed(out))?;
        fs::create_dir(&folder.partial).map_err(failed(out))?;
        Ok(folder)
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
        self.store(MANIFEST, pretty(&manifest).as_bytes())?;
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
        for parent in &self.parents {
            // Only where nothing is in it.
            let _ = fs::remove_dir(parent);
        }
    }
}

/// Makes sure that nothing but a bundle lies at `out`, since all of it is going to be removed.
fn check_replaceable(out: &Path) -> Result<(), String> {
    let no_bundle = || "is no run bundle, so it is not replaced; choose another folder".to_owned();
    let manifest = fs::read(out.join(MANIFEST)).map_err(|_| no_bundle())?;
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).map_err(|_| no_bundle())?;
    let listed = manifest["sha256"].as_object().ok_or_else(no_bundle)?;
    let own = |name: &str| UNLISTED.contains(&name) || listed.contains_key(name);
    let entries =
        fs::read_dir(out).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(|_| no_bundle())?;
    let mut foreign: Vec<String> =
        entries.iter().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    foreign.retain(|name| !own(name));
    foreign.sort();
    match foreign.first() {
        None => Ok(()),
        Some(name) => {
            Err(format!("holds {name}, which is not of the run; move it away before the bundle is replaced"))
        }
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
