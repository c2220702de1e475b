//! Expiry of timers (`tcp_timer.c`, Linux 3.13).

use super::{Endpoint, Phase};
use crate::timers::Pending;
use crate::{Effects, Timer};
use airloom_observe::{CaState, LossEvent, Probe};
use airloom_sim::Time;
use airloom_wire::TcpFlags;

impl Endpoint {
    /// The retransmission timer expired (`tcp_retransmit_timer`).
    pub(crate) fn retransmission_timeout<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        if matches!(self.phase, Phase::SynSent | Phase::SynReceived) {
            self.retries.timeouts += 1;
            self.rtt.back_off();
            self.send_syn(now, true, fx, probe);
            self.timers.retransmit_after(Pending::Timeout, now, self.rtt.rto(), fx);
            return;
        }
        let Some(head) = self.board.head() else { return };
        self.recovery.probe = None;
        self.rack.wait = None;
        self.enter_loss(now);
        self.observer.loss(now, LossEvent::Timeout, probe);
        self.retries.timeouts += 1;
        self.retries.by_timer(self.rtt.rto());
        self.rtt.back_off();
        self.resend(now, head, fx, probe);
        self.observe_window(now, probe);
    }

    /// Everything unSACKed is lost; the window starts again from one segment (`tcp_enter_loss`).
    fn enter_loss(&mut self, now: Time) {
        let state = self.recovery.state;
        let fresh = matches!(state, CaState::Open | CaState::Disorder)
            || self.outbound.una >= self.recovery.high_seq
            || (state == CaState::Loss && self.retries.timeouts == 0);
        if fresh {
            self.recovery
                .undo
                .remember(self.control.window.cwnd, self.control.current_ssthresh(self.recovery.reducing()));
            self.control.window.ssthresh = self.control.reduced_threshold(self.board.in_flight());
        }
        if !self.recovery.rules.undo_repeated_timeout && self.board.any_repeated() {
            self.recovery.undo.rule_out();
        } else if fresh || !self.recovery.rules.undo_repeated_timeout {
            self.recovery.undo.begin(self.outbound.una, 0);
        }
        self.ecn.reduced();
        self.control.window.count = 0;
        self.mark_timed_out(now);
        if state <= CaState::Disorder {
            self.reordering.timed_out(self.board.sacked());
        }
        let spared = if self.recovery.rules.timeout_spares_recent { self.board.in_flight() } else { 0 };
        self.control.window.cwnd = spared + 1;
        // RFC 5682 section 3.2: not during a recovery, except one from timeouts of the same segment.
        self.recovery.frto =
            self.recovery.rules.frto && (state < CaState::Recovery || self.retries.timeouts > 0);
        self.recovery.state = CaState::Loss;
        self.recovery.high_seq = self.outbound.next;
        self.control.congestion.timeout(now, self.outbound.next);
        self.path_times_out(now);
    }

    /// Marks what a timeout makes lost (`tcp_timeout_mark_lost`).
    fn mark_timed_out(&mut self, now: Time) {
        if self.recovery.rules.timeout_spares_recent && self.detects_by_time() {
            let rtt = self.rack.rtt();
            self.board.mark_overdue_lost(|at| at + rtt <= now);
        } else {
            self.board.mark_all_lost(self.agreed.sack);
        }
    }

    /// The persist timer expired: some data if the window has room for it, else a probe (`tcp_write_wakeup`).
    pub(crate) fn persist<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        if self.board.packets_out() > 0 || self.outbound.all_sent() || self.phase != Phase::Established {
            return;
        }
        self.retries.by_timer(self.rtt.rto());
        let room = self.outbound.room().min(u64::from(self.agreed.mss));
        let (payload, fin) = self.outbound.next_segment(room as u32);
        if payload > 0 || fin {
            self.outbound.probe_with(payload);
            self.send_new(now, payload, fin, fx, probe);
            self.after_sending(now, 1);
            self.retries.probes = 0;
            return;
        }
        let segment = self.segment(now, self.outbound.una - 1, 0, TcpFlags::ACK, false);
        self.hand_down(now, segment, fx, probe);
        let wait = self.retries.probe(self.rtt.rto());
        self.timers.set_after(Timer::Persist, now, wait, fx);
    }
}
