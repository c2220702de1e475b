//! Frames that went over the air together.

use crate::speed::Speed;
use crate::{Frame, Subtype, Way};
use airloom_wire::MacAddr;

/// Subframes of an A-MPDU begin at multiples of four octets behind a delimiter of four (802.11-2020 clause 9.7.1).
const DELIMITER: u32 = 4;

/// At most this long the records of one A-MPDU are apart, in nanoseconds: no PPDU is longer than 5.484 ms (802.11-2020 table 9-25).
const LONGEST: u64 = 6_000_000;

/// A transmission, as far as it was heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ppdu {
    /// The number of its first record.
    pub number: u32,
    /// When its last record was stamped, in nanoseconds since 1970.
    pub end_ns: u64,
    /// Its first frame.
    pub first: Frame,
    /// Frames heard of it.
    pub mpdus: u32,
    /// Those of them with the retry bit.
    pub retried: u32,
    /// MPDUs that hold an A-MSDU.
    pub amsdus: u32,
    /// The octets of all, with delimiters.
    pub octets: u32,
    /// The octets of all bodies.
    pub bodies: u64,
}

impl Ppdu {
    fn of(at_ns: u64, number: u32, frame: &Frame) -> Self {
        Self {
            number,
            end_ns: at_ns,
            first: *frame,
            mpdus: 1,
            retried: frame.retry.into(),
            amsdus: u32::from(frame.amsdu),
            octets: frame.length,
            bodies: frame.body.into(),
        }
    }

    /// How fast it was sent.
    pub const fn speed(&self) -> Option<Speed> {
        self.first.radio.speed
    }

    /// The transmitter.
    pub const fn transmitter(&self) -> Option<MacAddr> {
        self.first.transmitter
    }

    /// Air time in nanoseconds; zero if the rate is not known.
    pub fn airtime_ns(&self) -> u64 {
        self.speed().map_or(0, |speed| speed.airtime(self.octets).as_nanos())
    }

    /// Whether it carries data to one receiver.
    pub const fn is_data(&self) -> bool {
        matches!(self.first.subtype, Subtype::Data)
            && !matches!(self.first.way, Way::Neither)
            && !self.first.receiver.is_group()
    }

    fn takes_in(&self, at_ns: u64, frame: &Frame) -> bool {
        frame.radio.ampdu.is_some()
            && frame.radio.ampdu == self.first.radio.ampdu
            && frame.transmitter == self.first.transmitter
            && at_ns.abs_diff(self.end_ns) < LONGEST
    }

    fn add(&mut self, at_ns: u64, frame: &Frame) {
        if self.mpdus == 1 {
            self.octets = (self.octets + DELIMITER).next_multiple_of(4);
        }
        self.octets = self.octets.saturating_add((frame.length + DELIMITER).next_multiple_of(4));
        self.end_ns = self.end_ns.max(at_ns);
        self.mpdus += 1;
        self.retried += u32::from(frame.retry);
        self.amsdus += u32::from(frame.amsdu);
        self.bodies += u64::from(frame.body);
    }
}

/// Puts frames together that went over the air together.
#[derive(Debug, Default)]
pub(super) struct Assembler(Option<Ppdu>);

impl Assembler {
    /// Takes a frame; returns the PPDU before it, if the frame begins a new one.
    pub(super) fn take(&mut self, at_ns: u64, number: u32, frame: &Frame) -> Option<Ppdu> {
        match &mut self.0 {
            Some(ppdu) if ppdu.takes_in(at_ns, frame) => {
                ppdu.add(at_ns, frame);
                None
            }
            held => held.replace(Ppdu::of(at_ns, number, frame)),
        }
    }

    /// The last PPDU of a capture.
    pub(super) const fn last(&mut self) -> Option<Ppdu> {
        self.0.take()
    }
}
