//! Loss detection by time (`tcp_rack_mark_lost`, `tcp_rack_reo_timeout`).

use super::Endpoint;
use crate::rack::SLACK;
use crate::timers::Pending;
use crate::{Detection, Effects};
use airloom_observe::{CaState, Probe};
use airloom_sim::Time;

impl Endpoint {
    /// Marks the segments that are lost by now (`tcp_rack_detect_loss`).
    fn mark_late(&mut self, now: Time) {
        let evidence =
            self.recovery.state >= CaState::Recovery || self.board.sacked() >= self.reordering.degree();
        let patient = self.reordering.seen() || !evidence;
        let allowed = if patient { self.rack.patient_rtt(self.rtt.srtt()) } else { self.rack.rtt() };
        let waits = self.board.mark_lost_sent_before(self.rack.newest(), |at| at + allowed <= now);
        self.rack.wait = waits.map(|at| (at + allowed).since(now) + SLACK);
    }

    /// Does so if a segment has arrived since the last time (`tcp_rack_mark_lost`).
    pub(crate) fn mark_lost_by_time(&mut self, now: Time) {
        if self.rack.take_news() {
            self.mark_late(now);
        }
    }

    /// Late segments have not arrived in time. For those that are not late enough yet the timer is not armed again
    /// (`tcp_rack_reo_timeout`).
    pub(crate) fn reordering_timeout<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        let lost = self.board.lost();
        self.mark_late(now);
        self.rack.wait = None;
        if self.board.lost() > lost {
            self.path_loses(now);
            self.recover_late(now, probe);
            self.retransmit(now, fx, probe);
            self.observe_window(now, probe);
        }
        if self.timers.pending() == Pending::Reordering {
            self.rearm_timeout(now, fx);
        }
    }

    /// Whether losses are detected by time.
    pub(crate) fn detects_by_time(&self) -> bool {
        self.agreed.sack && self.recovery.rules.detection == Detection::Time
    }
}
