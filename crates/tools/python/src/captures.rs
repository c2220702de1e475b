//! Captures for a diagnosis, which say how much of them has been read and stop when Python asks for it.

use crate::errors;
use crate::progress::Reporter;
use airloom_diagnose::{Evidence, Strangers, Unreadable};
use airloom_trace::{Capture, Unopened};
use pyo3::prelude::*;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How much of all captures of a diagnosis is read, in octets on the disk, and the callback that gets it.
struct Watch {
    read: u64,
    of: u64,
    reporter: Reporter,
}

/// A file that counts what is read of it, as it lies on the disk.
struct Watched {
    file: File,
    watch: Arc<Mutex<Watch>>,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        watch.read += count as u64;
        // A pipe has no length, and a file may grow.
        let fraction = watch.read as f64 / watch.of.max(watch.read).max(1) as f64;
        if watch.reporter.report(fraction) { Ok(count) } else { Err(io::Error::other("stopped")) }
    }
}

/// Opens a file once more.
pub(crate) type Again<'a> = &'a dyn Fn(&Path) -> Result<Capture, Unopened>;

/// Reads captures, with the fraction that has been read for `progress`, and makes something of them, for which it may read them again:
/// in so many passes over all of them together.
pub(crate) fn read<T: Send>(
    py: Python<'_>,
    paths: &[PathBuf],
    progress: Option<Py<PyAny>>,
    passes: u64,
    make: impl Fn(&mut Evidence, Again<'_>) -> Result<T, Unreadable> + Send + Sync,
) -> PyResult<T> {
    let length = |path: &PathBuf| path.metadata().map_or(0, |file| file.len());
    let of = passes * paths.iter().map(length).sum::<u64>();
    let watch = Arc::new(Mutex::new(Watch { read: 0, of, reporter: Reporter::new(progress) }));
    let made = py.detach(|| {
        let open = |path: &Path| opened(path, &watch);
        let mut evidence = Evidence::read(paths, open).map_err(Refused::Unreadable)?;
        match Strangers::among(&evidence) {
            None => make(&mut evidence, &open).map_err(Refused::Unreadable),
            Some(found) => Err(Refused::strangers(&evidence, found)),
        }
    });
    // What Python raised is the reason why a capture ended early, if it did.
    let raised = watch.lock().unwrap_or_else(PoisonError::into_inner).reporter.take_error();
    match raised {
        Some(error) => Err(error),
        None => made.map_err(Refused::raised),
    }
}

/// Why there is no diagnosis.
enum Refused {
    Unreadable(Unreadable),
    /// The names of two captures, and the ends of a connection that differs.
    Strangers([String; 2], Box<Strangers>),
}

impl Refused {
    fn strangers(evidence: &Evidence, found: Strangers) -> Self {
        Self::Strangers(found.captures.map(|place| evidence.captures[place].named()), Box::new(found))
    }

    fn raised(self) -> PyErr {
        match self {
            Self::Unreadable(error) => errors::capture(&error.to_string()),
            Self::Strangers([first, second], found) => {
                let [from, to] = found.ends;
                if found.begin_alike {
                    return errors::captures(
                        format!(
                            "{second}: has the connection from {from} to {to} that {first} has, but from a time on none of its packets: are they of two \
                             runs of one seed?"
                        ),
                        "diagnose them one at a time, or say which one is of before a change: airloom diagnose BEFORE --against AFTER",
                    );
                }
                errors::captures(
                    format!(
                        "{second}: has a connection from {from} to {to} at the same time as {first}, but with other sequence numbers: are \
                         they of the same network, and of the same run?"
                    ),
                    "they show different connections: diagnose them one at a time, also where a firewall between them rewrites \
                     sequence numbers; with --against put the captures of each time into a folder of their own",
                )
            }
        }
    }
}

/// From when until when a capture goes, in nanoseconds since 1970; none if it has no record.
pub(crate) fn span(py: Python<'_>, path: &Path) -> PyResult<Option<(u64, u64)>> {
    let watch = Arc::new(Mutex::new(Watch { read: 0, of: 0, reporter: Reporter::new(None) }));
    let found = py.detach(|| {
        let mut file = opened(path, &watch)?;
        let mut span: Option<(u64, u64)> = None;
        while let Some(stamp) = file.pass() {
            let Ok(stamp) = stamp else { continue };
            let (from, to) = span.unwrap_or((stamp, stamp));
            span = Some((from.min(stamp), to.max(stamp)));
        }
        Ok(span)
    });
    let raised = watch.lock().unwrap_or_else(PoisonError::into_inner).reporter.take_error();
    match raised {
        Some(error) => Err(error),
        None => found.map_err(|error: Unopened| errors::capture(&format!("{}: {error}", path.display()))),
    }
}

fn opened(path: &Path, watch: &Arc<Mutex<Watch>>) -> Result<Capture, Unopened> {
    let file = File::open(path).map_err(Unopened::Unreadable)?;
    Capture::new(Box::new(Watched { file, watch: Arc::clone(watch) }))
}
