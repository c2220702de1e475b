//! The frames of a capture of the air.

use airloom_wire::ieee80211::{Addressing, ControlRepr, Frame, ManagementBody, fcs};
use airloom_wire::{Captured, LinkType, MacAddr, RadiotapRepr, Reader};

/// The kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A data frame with data.
    Data,
    /// A data frame without data.
    Null,
    /// A beacon.
    Beacon,
    /// A request to send.
    Rts,
    /// A clear to send.
    Cts,
    /// An acknowledgment of one frame.
    Ack,
    /// An acknowledgment by bitmap.
    BlockAck,
    /// A request for one.
    BlockAckReq,
    /// Any other, or one that cannot be read.
    Other,
}

impl Kind {
    /// Its name in Python; the summary of a capture counts by the same words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Null => "null",
            Self::Beacon => "beacon",
            Self::Rts => "rts",
            Self::Cts => "cts",
            Self::Ack => "ack",
            Self::BlockAck => "block_ack",
            Self::BlockAckReq => "block_ack_req",
            Self::Other => "other",
        }
    }
}

/// One frame as a monitor heard it: at most 64 octets, since a capture of 50 MB may hold three million.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeard {
    /// When its PPDU ended, in nanoseconds.
    pub end_ns: u64,
    /// When its PPDU began, in whole microseconds, if the radio reported it.
    pub start_us: Option<u64>,
    /// Its kind.
    pub kind: Kind,
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
}

const _: () = assert!(size_of::<FrameHeard>() <= 64);

/// The frames of a capture file, in its order.
///
/// # Errors
/// A message, if the file is not a capture, is damaged, or is not a capture of a radio.
pub fn frames(file: &[u8]) -> Result<Vec<FrameHeard>, String> {
    let message = |stop: airloom_wire::Stop| stop.to_string();
    let mut heard = Vec::new();
    for record in Reader::new(file).map_err(message)? {
        let record = record.map_err(message)?;
        if record.link != LinkType::RADIOTAP {
            return Err("not a capture of the air: its frames have no radiotap header".to_owned());
        }
        heard.push(read(&record));
    }
    heard.shrink_to_fit();
    Ok(heard)
}

/// One record. A frame that cannot be read, perhaps because it was cut too short, is `other`.
fn read(record: &Captured<'_>) -> FrameHeard {
    let mut heard = FrameHeard {
        end_ns: record.stamp_ns.unwrap_or_default(),
        start_us: None,
        kind: Kind::Other,
        from: None,
        to: None,
        seq: None,
        retry: false,
        sleep: false,
        ampdu: None,
        indicates: false,
        length: record.original_len,
    };
    let Ok((radiotap, frame)) = RadiotapRepr::parse(record.data) else { return heard };
    heard.start_us = radiotap.tsft;
    heard.ampdu = radiotap.ampdu.map(|status| status.reference);
    let whole = record.data.len() == record.original_len as usize;
    let frame = if whole { fcs::strip(frame).unwrap_or(frame) } else { frame };
    match Frame::parse(frame) {
        Ok(Frame::Data { header, .. }) => {
            let (from, to) = ends(header.addressing);
            heard.kind = if header.null { Kind::Null } else { Kind::Data };
            (heard.from, heard.to) = (Some(from), Some(to));
            heard.seq = Some(header.sequence.number);
            (heard.retry, heard.sleep) = (header.flags.retry, header.flags.power_management);
        }
        Ok(Frame::Control(control)) => {
            (heard.kind, heard.from, heard.to) = match control {
                ControlRepr::Rts { receiver, transmitter, .. } => {
                    (Kind::Rts, Some(transmitter), Some(receiver))
                }
                ControlRepr::Cts { receiver, .. } => (Kind::Cts, None, Some(receiver)),
                ControlRepr::Ack { receiver, .. } => (Kind::Ack, None, Some(receiver)),
                ControlRepr::BlockAckReq { receiver, transmitter, .. } => {
                    (Kind::BlockAckReq, Some(transmitter), Some(receiver))
                }
                ControlRepr::BlockAck { receiver, transmitter, .. } => {
                    (Kind::BlockAck, Some(transmitter), Some(receiver))
                }
            };
        }
        Ok(Frame::Management(management)) => {
            (heard.from, heard.to) = (Some(management.source), Some(management.destination));
            heard.seq = Some(management.sequence.number);
            heard.retry = management.flags.retry;
            if let ManagementBody::Beacon { tim, .. } = management.body {
                heard.kind = Kind::Beacon;
                heard.indicates = tim.is_some_and(|tim| tim.bitmap.iter().any(|&octet| octet != 0));
            }
        }
        Err(_) => {}
    }
    heard
}

/// Transmitter and receiver on the air.
fn ends(addressing: Addressing) -> (MacAddr, MacAddr) {
    match addressing {
        Addressing::Direct { destination, source, .. } => (source, destination),
        Addressing::ToDs { bssid, source, .. } => (source, bssid),
        Addressing::FromDs { destination, bssid, .. } => (bssid, destination),
        Addressing::Relay { receiver, transmitter, .. } => (transmitter, receiver),
    }
}
