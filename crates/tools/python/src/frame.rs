//! Frames of a capture as a sequence of Python dictionaries.

use airloom_trace::{FrameHeard, frames};
use airloom_wire::MacAddr;
use airloom_wire::ieee80211::FrameClass;
use pyo3::exceptions::PyIndexError;
use pyo3::{IntoPyObject, PyResult, pyclass, pymethods};
use std::path::Path;

/// A frame: a dictionary of what `airloom.results.frames.AirFrame` is made of.
#[derive(IntoPyObject)]
pub(crate) struct AirFrame {
    end_ns: u64,
    start_us: Option<u64>,
    kind: &'static str,
    sender: Option<String>,
    receiver: Option<String>,
    seq: Option<u16>,
    retry: bool,
    sleep: bool,
    ampdu: Option<u32>,
    indicates: bool,
    length: u32,
    channel_mhz: Option<u16>,
}

impl From<FrameHeard> for AirFrame {
    fn from(heard: FrameHeard) -> Self {
        let name = |address: Option<MacAddr>| address.map(|address| address.to_string());
        Self {
            end_ns: heard.end_ns,
            start_us: heard.start_us,
            kind: heard.kind.map_or("other", FrameClass::name),
            sender: name(heard.from),
            receiver: name(heard.to),
            seq: heard.seq,
            retry: heard.retry,
            sleep: heard.sleep,
            ampdu: heard.ampdu,
            indicates: heard.indicates,
            length: heard.length,
            channel_mhz: heard.channel_mhz,
        }
    }
}

/// The frames of a capture. Each becomes a dictionary when it is asked for: so made, all of them would take many times the room.
#[pyclass(frozen)]
pub(crate) struct Frames(Vec<FrameHeard>);

#[pymethods]
impl Frames {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, at: usize) -> PyResult<AirFrame> {
        self.0.get(at).copied().map(AirFrame::from).ok_or_else(|| PyIndexError::new_err("frame out of range"))
    }
}

/// The frames of the capture at `path`, or what is wrong with it.
pub(crate) fn read(path: &Path) -> Result<Frames, String> {
    frames(path).map(Frames)
}
