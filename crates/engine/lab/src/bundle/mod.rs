//! The run bundle: a folder that is either complete or absent.
//!
//! Files are written into a hidden folder beside the bundle's place and flushed to disk; then the folder is renamed.
//! After any earlier error the hidden folder is removed.

mod disk;
mod folder;

pub(crate) use disk::Disk;

use crate::files::Files;
use crate::summary::Summary;
use airloom_scenario::Scenario;
use folder::Folder;
pub use folder::exchange;
use serde_json::json;
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

/// The message if `out` exists.
const TAKEN: &str = "exists already; choose another folder, or replace it with --force";

/// The error of an operation on `path`.
fn failed(path: &Path) -> impl Fn(io::Error) -> Error {
    move |error| {
        let message = match error.kind() {
            io::ErrorKind::AlreadyExists => TAKEN.to_owned(),
            io::ErrorKind::StorageFull => "the disk is full; nothing was written".to_owned(),
            io::ErrorKind::PermissionDenied => {
                "no permission to write here; choose another folder".to_owned()
            }
            _ => format!("cannot be written: {error}"),
        };
        Error { path: path.to_owned(), message }
    }
}

/// Files of a bundle that its manifest does not list: itself, and a report if one was written.
const UNLISTED: [&str; 2] = [MANIFEST, "report.html"];

const MANIFEST: &str = "manifest.json";

/// An unfinished bundle. If it is dropped, it leaves no files.
pub(crate) struct Bundle {
    out: PathBuf,
    folder: Folder,
    disk: Disk,
}

impl Bundle {
    /// Begins a bundle at `out` before the run, so that a run that cannot be saved fails at once.
    ///
    /// # Errors
    /// If something is there already and is not to be replaced, or is more than a bundle, or the place cannot be written.
    pub(crate) fn begin(out: &Path, replace: bool) -> Result<Self, Error> {
        let folder = Folder::prepare(out, replace)?;
        let disk = Disk::start(folder.path());
        Ok(Self { out: out.to_owned(), folder, disk })
    }

    /// Creates the files that are written during the run.
    pub(crate) fn disk(&mut self) -> &mut Disk {
        &mut self.disk
    }

    /// Adds scenario, summary and manifest, and puts the bundle in its place. All sinks must be dropped; `engine` is
    /// the SHA-256 of the program and `written` the result of writing to the sinks. Returns the summary as JSON.
    ///
    /// # Errors
    /// If the disk refuses; then nothing is left.
    pub(crate) fn finish(
        self,
        scenario: &Scenario,
        engine: Option<&str>,
        written: io::Result<Summary>,
    ) -> Result<String, Error> {
        let Self { out, folder, mut disk } = self;
        let fail = failed(&out);
        let stored = written.and_then(|summary| {
            let summary = pretty(&summary.to_document());
            disk.store("scenario.toml", scenario.to_toml().as_bytes())?;
            disk.store("summary.json", summary.as_bytes())?;
            Ok(summary)
        });
        // An error of the disk explains any other failure.
        let hashes: serde_json::Map<_, _> =
            disk.finish().map_err(&fail)?.into_iter().map(|(name, hash)| (name, json!(hash))).collect();
        let summary = stored.map_err(&fail)?;
        let manifest = json!({
            "schema": "airloom-manifest/1",
            "airloom": crate::VERSION,
            "results": crate::RESULTS,
            "engine": engine,
            "seed": scenario.seed,
            "bin_s": scenario.record.every.as_secs_f64(),
            "sha256": hashes,
        });
        let write = || {
            let mut file = File::create_new(folder.path().join(MANIFEST))?;
            file.write_all(pretty(&manifest).as_bytes())?;
            file.sync_all()
        };
        write().map_err(&fail)?;
        folder.publish()?;
        Ok(summary)
    }
}

/// Makes sure that `out` holds only a bundle, since all of it will be removed.
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
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
