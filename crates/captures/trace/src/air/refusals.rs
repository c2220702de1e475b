//! Requests to associate that were refused.

use crate::{Frame, Joining, Subtype};
use airloom_wire::MacAddr;

/// The refusals of a station that was never let in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Refusals {
    /// Answers that refuse it, each once though it was sent again.
    pub times: u64,
    /// Its requests that were heard, each once.
    pub asked: u64,
    /// The access point of the last refusal.
    pub by: MacAddr,
    /// The status of the last refusal (802.11-2020 table 9-50).
    pub status: u16,
    /// When the first and the last refusal was captured, in nanoseconds since 1970.
    pub span_ns: Option<(u64, u64)>,
    /// Whether it ever was let in, or had data.
    is_in: bool,
}

impl Refusals {
    /// Takes an answer that refuses an association.
    pub(super) fn refused(&mut self, at_ns: u64, by: MacAddr, status: u16, frame: &Frame) {
        (self.by, self.status) = (by, status);
        let (first, _) = *self.span_ns.get_or_insert((at_ns, at_ns));
        self.span_ns = Some((first, at_ns));
        self.times += u64::from(!frame.retry);
    }

    /// Takes any other frame between the station and an access point.
    pub(super) fn told(&mut self, frame: &Frame) {
        match (frame.subtype, frame.joining) {
            (Subtype::Association { response: true, .. }, Some(Joining::Answer(0))) => self.is_in = true,
            (Subtype::Association { response: false, .. }, _) => self.asked += u64::from(!frame.retry),
            _ => self.is_in |= frame.way == crate::Way::Up || frame.eapol.is_some(),
        }
    }

    /// How often, as of a station that was never let in; none of any other.
    pub const fn never_in(&self) -> Option<u64> {
        if self.is_in || self.times == 0 { None } else { Some(self.times) }
    }
}
