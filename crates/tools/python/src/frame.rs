//! Frames of a capture as a sequence of Python tuples.

use airloom_trace::{FrameHeard, frames};
use airloom_wire::MacAddr;
use airloom_wire::ieee80211::FrameClass;
use pyo3::exceptions::PyIndexError;
use pyo3::{IntoPyObject, PyResult, pyclass, pymethods};
use std::path::Path;

/// A frame: a tuple in the order of `airloom.results.frames.AirFrame`.
#[derive(IntoPyObject)]
pub(crate) struct FrameTuple(
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
    Option<u16>,
);

impl From<FrameHeard> for FrameTuple {
    fn from(heard: FrameHeard) -> Self {
        let name = |address: Option<MacAddr>| address.map(|address| address.to_string());
        Self(
            heard.end_ns,
            heard.start_us,
            heard.kind.map_or("other", FrameClass::name),
            name(heard.from),
            name(heard.to),
            heard.seq,
            heard.retry,
            heard.sleep,
            heard.ampdu,
            heard.indicates,
            heard.length,
            heard.channel_mhz,
        )
    }
}

/// The frames of a capture. Each becomes a tuple when it is asked for: as tuples, all of them would take six times the room.
#[pyclass(frozen)]
pub(crate) struct Frames(Vec<FrameHeard>);

#[pymethods]
impl Frames {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, at: usize) -> PyResult<FrameTuple> {
        self.0
            .get(at)
            .copied()
            .map(FrameTuple::from)
            .ok_or_else(|| PyIndexError::new_err("frame out of range"))
    }
}

/// The frames of the capture at `path`, or what is wrong with it.
pub(crate) fn read(path: &Path) -> Result<Frames, String> {
    frames(path).map(Frames)
}
