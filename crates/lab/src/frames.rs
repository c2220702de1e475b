//! What a capture of the air holds, frame by frame.

use airloom_wire::ieee80211::{Addressing, ControlRepr, Frame, ManagementBody, fcs};
use airloom_wire::{Captured, LinkType, MacAddr, RadiotapRepr, Reader};

/// One frame as a monitor heard it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeard {
    /// When its PPDU ended, in nanoseconds.
    pub end_ns: u64,
    /// When its PPDU began, in whole microseconds, if the radio told.
    pub start_us: Option<u64>,
    /// What it is: one of `data`, `null`, `beacon`, `rts`, `cts`, `ack`, `block_ack`, `block_ack_req` and `other`.
    pub kind: &'static str,
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
    /// Whether a beacon tells any station that frames wait for it.
    pub indicates: bool,
    /// Its length in octets, radiotap included.
    pub length: u32,
}

/// The frames of a capture file, in its order.
///
/// # Errors
/// In words, if the file is no capture, is damaged, or is not one of a radio.
pub fn frames(file: &[u8]) -> Result<Vec<FrameHeard>, String> {
    let told = |stop: airloom_wire::Stop| stop.to_string();
    let mut heard = Vec::new();
    for record in Reader::new(file).map_err(told)? {
        let record = record.map_err(told)?;
        if record.link != LinkType::RADIOTAP {
            return Err("not a capture of the air: its frames have no radiotap header".to_owned());
        }
        heard.push(read(&record));
    }
    Ok(heard)
}

/// One record. A frame that cannot be read, perhaps because it was cut too short, is `other`.
fn read(record: &Captured<'_>) -> FrameHeard {
    let mut heard = FrameHeard {
        end_ns: record.stamp_ns.unwrap_or_default(),
        start_us: None,
        kind: "other",
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
            heard.kind = if header.null { "null" } else { "data" };
            (heard.from, heard.to) = (Some(from), Some(to));
            heard.seq = Some(header.sequence.number);
            (heard.retry, heard.sleep) = (header.flags.retry, header.flags.power_management);
        }
        Ok(Frame::Control(control)) => {
            (heard.kind, heard.from, heard.to) = match control {
                ControlRepr::Rts { receiver, transmitter, .. } => ("rts", Some(transmitter), Some(receiver)),
                ControlRepr::Cts { receiver, .. } => ("cts", None, Some(receiver)),
                ControlRepr::Ack { receiver, .. } => ("ack", None, Some(receiver)),
                ControlRepr::BlockAckReq { receiver, transmitter, .. } => {
                    ("block_ack_req", Some(transmitter), Some(receiver))
                }
                ControlRepr::BlockAck { receiver, transmitter, .. } => {
                    ("block_ack", Some(transmitter), Some(receiver))
                }
            };
        }
        Ok(Frame::Management(management)) => {
            (heard.from, heard.to) = (Some(management.source), Some(management.destination));
            heard.seq = Some(management.sequence.number);
            heard.retry = management.flags.retry;
            if let ManagementBody::Beacon { tim, .. } = management.body {
                heard.kind = "beacon";
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
