//! The frames of a capture of the air, all of them at once and each in little room.

use crate::{Capture, Place, Record, Seen, place};
use airloom_wire::MacAddr;
use airloom_wire::ieee80211::FrameClass;
use std::path::Path;

/// One frame as a monitor heard it: at most 64 octets, since a capture of 50 MB may hold three million.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeard {
    /// When its PPDU ended, in nanoseconds.
    pub end_ns: u64,
    /// When its PPDU began, in whole microseconds, if the radio reported it.
    pub start_us: Option<u64>,
    /// Its kind; none if it is of no class, or cannot be read.
    pub kind: Option<FrameClass>,
    /// The transmitter, in frames that name it.
    pub from: Option<MacAddr>,
    /// The receiver, in frames that name it.
    pub to: Option<MacAddr>,
    /// The sequence number, in frames that have one.
    pub seq: Option<u16>,
    /// The retry bit.
    pub retry: bool,
    /// The power-management bit.
    pub sleep: bool,
    /// The A-MPDU that it came in.
    pub ampdu: Option<u32>,
    /// Whether a beacon indicates to any station that frames wait for it.
    pub indicates: bool,
    /// Its length in octets, radiotap included.
    pub length: u32,
    /// Centre frequency of the primary channel on which it was heard, in MHz, if the radio reported it.
    pub channel_mhz: Option<u16>,
}

const _: () = assert!(size_of::<FrameHeard>() <= 64);

/// The frames of a capture file, in its order.
///
/// # Errors
/// A message, if the file is not a capture, is damaged, or is not a capture of a radio.
pub fn frames(path: &Path) -> Result<Vec<FrameHeard>, String> {
    let mut capture = Capture::open(path).map_err(|error| error.to_string())?;
    let mut heard = Vec::new();
    while let Some(record) = capture.next() {
        let record = record.map_err(|stop| stop.to_string())?;
        if place(record.link) != Some(Place::Air) {
            return Err("not a capture of the air: its frames have no radiotap header".to_owned());
        }
        heard.push(FrameHeard::from(&record));
    }
    heard.shrink_to_fit();
    Ok(heard)
}

/// A frame that cannot be read, perhaps because it was cut too short, is of no kind.
impl From<&Record> for FrameHeard {
    fn from(record: &Record) -> Self {
        let unread = Self {
            end_ns: record.stamp_ns,
            start_us: None,
            kind: None,
            from: None,
            to: None,
            seq: None,
            retry: false,
            sleep: false,
            ampdu: None,
            indicates: false,
            length: record.length,
            channel_mhz: None,
        };
        let Seen::Air(frame) = record.seen else { return unread };
        Self {
            start_us: frame.radio.tsft_us,
            kind: frame.subtype.class(),
            from: frame.transmitter,
            to: Some(frame.receiver),
            seq: frame.sequence,
            retry: frame.retry,
            sleep: frame.power.sleeps,
            ampdu: frame.radio.ampdu,
            indicates: frame.beacon.is_some_and(|beacon| beacon.indicates),
            channel_mhz: frame.radio.channel_mhz,
            ..unread
        }
    }
}
