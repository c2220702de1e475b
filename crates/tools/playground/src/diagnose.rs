//! What the rules find in captures that the page was given.

use crate::message::Message;
use airloom_diagnose::{Diagnosis, Evidence, Strangers};
use airloom_trace::Capture;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file among the octets of a question.
#[derive(Debug, Deserialize)]
pub(crate) struct File {
    name: String,
    length: usize,
}

/// The octets of a file among those of all, which each pass over it shares.
#[derive(Clone)]
struct Octets {
    all: Arc<Vec<u8>>,
    own: Range<usize>,
}

impl AsRef<[u8]> for Octets {
    fn as_ref(&self) -> &[u8] {
        &self.all[self.own.clone()]
    }
}

/// Diagnoses captures of the same time; what is refused has an `error`.
pub(crate) fn diagnose(files: &[File], octets: Vec<u8>) -> Message {
    Message::of(diagnosed(files, octets).unwrap_or_else(|error| json!({ "error": error })))
}

fn diagnosed(files: &[File], octets: Vec<u8>) -> Result<serde_json::Value, String> {
    let (all, mut contents, mut from) = (Arc::new(octets), BTreeMap::new(), 0);
    for File { name, length } in files {
        let own = from..from + length;
        from = own.end;
        if from > all.len() {
            return Err("a file that is cut".to_owned());
        }
        contents.insert(PathBuf::from(name), Octets { all: Arc::clone(&all), own });
    }
    let paths: Vec<_> = files.iter().map(|file| PathBuf::from(&file.name)).collect();
    let open = |path: &Path| Capture::new(Box::new(Cursor::new(contents[path].clone())));
    let mut evidence = Evidence::read(&paths, open).map_err(|error| error.to_string())?;
    if let Some(Strangers { captures, .. }) = Strangers::among(&evidence) {
        let [one, other] = captures.map(|place| evidence.captures[place].named());
        return Err(format!(
            "{one} and {other} are not of the same network and the same run: diagnose them one at a time"
        ));
    }
    serde_json::to_value(Diagnosis::of(&mut evidence)).map_err(|error| error.to_string())
}
