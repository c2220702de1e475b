//! Undoing a reduction (`tcp_undo_cwnd_reduction`).

use super::Endpoint;
use crate::Reduction;
use airloom_observe::{LossEvent, Probe};
use airloom_sim::Time;

impl Endpoint {
    /// Undoes the reduction of the window (`tcp_undo_cwnd_reduction`).
    pub(crate) fn undo_reduction<P: Probe>(&mut self, now: Time, probe: &mut P) {
        let cwnd = self.control.window.cwnd;
        self.recovery.undo.restore(&mut self.control.window);
        self.control.congestion.undone();
        if self.path.is_some() {
            self.control.window.cwnd = cwnd;
        }
        self.moderate();
        self.rack.look_again();
        self.observer.loss(now, LossEvent::Undone, probe);
    }

    /// After recovery, limits the window so that only a small burst is sent (`tcp_moderate_cwnd`, until Linux 3.1).
    pub(crate) fn moderate(&mut self) {
        if self.recovery.rules.reduction == Reduction::RateHalving {
            self.control.window.cwnd = self.control.window.cwnd.min(self.board.in_flight() + 3);
        }
    }
}
