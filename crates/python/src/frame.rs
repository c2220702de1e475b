//! Frames of a capture as Python tuples.

use airloom_lab::frames::{FrameHeard, frames};
use airloom_wire::MacAddr;
use pyo3::IntoPyObject;
use std::path::Path;

/// A frame: a tuple in the order of `airloom.frames.Frame`.
#[derive(IntoPyObject)]
pub(crate) struct Frame(
    u64,
    Option<u64>,
    &'static str,
    Option<String>,
    Option<String>,
    Option<u16>,
    bool,
    bool,
    Option<u32>,
    bool,
    u32,
);

impl From<FrameHeard> for Frame {
    fn from(heard: FrameHeard) -> Self {
        let name = |address: Option<MacAddr>| address.map(|address| address.to_string());
        Self(
            heard.end_ns,
            heard.start_us,
            heard.kind,
            name(heard.from),
            name(heard.to),
            heard.seq,
            heard.retry,
            heard.sleep,
            heard.ampdu,
            heard.indicates,
            heard.length,
        )
    }
}

/// The frames of the capture at `path`, or what is wrong with it.
pub(crate) fn read(path: &Path) -> Result<Vec<Frame>, String> {
    let file = std::fs::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    Ok(frames(&file)?.into_iter().map(Frame::from).collect())
}
