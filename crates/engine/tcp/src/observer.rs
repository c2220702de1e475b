//! What an endpoint reports to the probe that looks on: at the data's sender its window, round trips and losses, at its receiver
//! the bytes that it delivers.

use crate::Segment;
use airloom_observe::{Direction, FlowId, LossEvent, Observation, Probe, SegmentSent};
use airloom_sim::{Duration, Time};

/// The flow and the side of it that reports.
#[derive(Clone, Copy)]
pub(crate) struct Observer {
    flow: FlowId,
    direction: Direction,
}

impl Observer {
    pub(crate) fn new(flow: FlowId, direction: Direction) -> Self {
        Self { flow, direction }
    }

    /// The flow, if this is its data's sender.
    #[inline]
    pub(crate) fn sends(self) -> Option<FlowId> {
        (self.direction == Direction::Forward).then_some(self.flow)
    }

    /// An acknowledgment with this number on the wire arrived.
    #[inline]
    pub(crate) fn acknowledgment<P: Probe>(self, now: Time, ack: u32, probe: &mut P) {
        if P::TRACE
            && let Some(flow) = self.sends()
        {
            probe.see(now, Observation::Acknowledgment { flow, ack });
        }
    }

    /// So many segments are in flight.
    #[inline]
    pub(crate) fn flight<P: Probe>(self, now: Time, segments: u32, probe: &mut P) {
        if let Some(flow) = self.sends() {
            probe.see(now, Observation::InFlight { flow, segments });
        }
    }

    /// A round trip was measured.
    #[inline]
    pub(crate) fn rtt<P: Probe>(self, now: Time, sample: Duration, probe: &mut P) {
        if let Some(flow) = self.sends() {
            probe.see(now, Observation::Rtt { flow, sample });
        }
    }

    /// Something happened to the sender that losses cause.
    #[inline]
    pub(crate) fn loss<P: Probe>(self, now: Time, event: LossEvent, probe: &mut P) {
        if let Some(flow) = self.sends() {
            probe.see(now, Observation::Loss { flow, event });
        }
    }

    /// A segment was sent again.
    #[inline]
    pub(crate) fn retransmission<P: Probe>(self, now: Time, probe: &mut P) {
        if let Some(flow) = self.sends() {
            probe.see(now, Observation::Retransmission { flow });
        }
    }

    /// Bytes reached the application.
    #[inline]
    pub(crate) fn delivered<P: Probe>(self, now: Time, bytes: u64, probe: &mut P) {
        if self.direction == Direction::Backward {
            probe.see(now, Observation::Delivered { flow: self.flow, bytes });
        }
    }

    /// A segment arrived, and waits behind a hole.
    #[cold]
    pub(crate) fn behind_hole<P: Probe>(self, now: Time, probe: &mut P) {
        if self.direction == Direction::Backward {
            probe.see(now, Observation::BehindHole { flow: self.flow });
        }
    }

    /// A segment leaves.
    #[inline(always)]
    pub(crate) fn segment<P: Probe>(self, now: Time, segment: &Segment, probe: &mut P) {
        if P::TRACE {
            let sent = SegmentSent {
                flow: self.flow,
                direction: self.direction,
                seq: segment.header.seq,
                ack: segment.header.ack,
                payload: segment.payload,
                retransmission: segment.retransmission,
            };
            probe.see(now, Observation::Segment(sent));
        }
    }
}
