//! The files of a run with captures: what a monitor station and tcpdump on each host would have seen.

use crate::message::Message;
use crate::scenario::{Asked, placed};
use airloom_lab::capture::Settings;
use airloom_lab::run;
use serde_json::{Value, json};

/// Runs a scenario for its captures: the JSON has the name and the length of each file, the octets are the files one after the other.
pub(crate) fn captures(asked: &Asked, progress: &mut dyn FnMut(f64) -> bool) -> Message {
    let scenario = match asked.load() {
        Ok((scenario, _)) => scenario,
        Err(mistakes) => return Message::of(json!({ "mistakes": placed(mistakes.all()) })),
    };
    let files = match run::captured_in_memory(&scenario, &Settings::default(), progress) {
        Ok(files) => files,
        Err(error) => return Message::of(json!({ "error": error.to_string() })),
    };
    let listed: Value =
        files.iter().map(|(name, octets)| json!({ "name": name, "length": octets.len() })).collect();
    let mut octets = Vec::with_capacity(files.iter().map(|(_, octets)| octets.len()).sum());
    for (_, own) in files {
        octets.extend(own);
    }
    Message { json: json!({ "files": listed }), octets }
}
