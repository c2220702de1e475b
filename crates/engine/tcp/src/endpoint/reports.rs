//! What an acknowledgment reports besides how far it goes: SACK blocks and D-SACKs (RFC 2018, RFC 2883; `tcp_sacktag_write_queue`,
//! Linux 3.13).

use super::Endpoint;
use crate::scoreboard::Acked;
use crate::{Segment, seq};
use airloom_observe::CaState;
use airloom_wire::SackBlock;

/// Segments that a D-SACK reports, and where they end.
#[derive(Clone, Copy)]
pub(super) struct Duplicate {
    segments: u32,
    pub(super) end: u64,
}

/// What the SACK blocks of an acknowledgment report.
#[derive(Default)]
pub(super) struct Reported {
    /// Segments newly SACKed.
    pub(super) sacked: Acked,
    pub(super) duplicate: Option<Duplicate>,
}

impl Reported {
    /// Segments that have arrived by this report, those that arrived twice among them.
    pub(super) fn segments(&self) -> u32 {
        self.sacked.segments + self.duplicate.map_or(0, |duplicate| duplicate.segments)
    }
}

impl Endpoint {
    /// Takes what the SACK blocks of an acknowledgment up to `ack` report.
    #[inline]
    pub(super) fn take_reports(&mut self, segment: &Segment, ack: u64) -> Reported {
        if segment.header.options.sack.is_empty() || !self.agreed.sack {
            Reported::default()
        } else {
            self.take_blocks(segment, ack)
        }
    }

    fn take_blocks(&mut self, segment: &Segment, ack: u64) -> Reported {
        let sacked = self.take_sack(segment);
        let duplicate = self.take_duplicate_sack(segment, ack);
        if self.recovery.state != CaState::Loss || self.recovery.undo.open() {
            self.check_reordering(sacked.reordered);
        }
        Reported { sacked, duplicate }
    }

    /// Takes the SACK blocks.
    fn take_sack(&mut self, segment: &Segment) -> Acked {
        let mut blocks = [(0, 0); 4];
        let mut count = 0;
        for &SackBlock { left, right } in segment.header.options.sack.as_slice() {
            let (left, right) = (seq::near(self.outbound.una, left), seq::near(self.outbound.una, right));
            // Blocks below the edge are duplicates (RFC 2883) or outdated.
            if left < right && right > self.outbound.una && right <= self.outbound.next {
                blocks[count] = (left.max(self.outbound.una), right);
                count += 1;
            }
        }
        self.board.selectively_acknowledge(&mut blocks[..count])
    }

    /// Records a D-SACK, which is the first block if it lies below `ack` or within the second (RFC 2883 section 4;
    /// `tcp_check_dsack`).
    fn take_duplicate_sack(&mut self, segment: &Segment, ack: u64) -> Option<Duplicate> {
        let blocks = segment.header.options.sack.as_slice();
        let place = |&SackBlock { left, right }: &SackBlock| {
            (seq::near(self.outbound.una, left), seq::near(self.outbound.una, right))
        };
        let mut places = blocks.iter().map(place);
        let (left, right) = places.next()?;
        let inside = places.next().is_some_and(|(l, r)| l <= left && right <= r);
        if left >= right || !(left < ack || inside) {
            return None;
        }
        let segments = (right - left).div_ceil(u64::from(self.agreed.mss)) as u32;
        if !self.board.count_needless(segments) {
            return None;
        }
        // A duplicate of a loss probe has nothing to do with reordering.
        let probe = self.recovery.probe.is_some_and(|probe| probe.edge == right);
        if self.recovery.rules.adaptive_reordering && self.reordering.seen() && !probe {
            self.rack.was_needless();
        }
        if right <= ack {
            self.recovery.undo.reported(segments, right);
        } else {
            let (again, late) = self.board.report_duplicates(left, right);
            self.recovery.undo.reported(again, right);
            self.check_reordering(late);
        }
        Some(Duplicate { segments, end: right })
    }

    /// A segment from `low` on, if one, came after others that had been sent later (`tcp_check_sack_reordering`).
    pub(super) fn check_reordering(&mut self, low: Option<u64>) {
        if let Some(low) = low {
            self.reordering.arrived_late(low, self.board.sacked_edge(self.outbound.una), self.agreed.mss);
        }
    }
}
