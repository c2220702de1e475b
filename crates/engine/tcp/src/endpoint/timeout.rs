//! Expiry of timers (`tcp_timer.c`, Linux 3.13).

use super::{Endpoint, Phase};
use crate::rtt::RTO_MAX;
use crate::{Effects, Timer};
use airloom_observe::{CaState, LossEvent, Probe};
use airloom_sim::Time;
use airloom_wire::TcpFlags;

impl Endpoint {
    /// The retransmission timer expired (`tcp_retransmit_timer`).
    pub(crate) fn retransmission_timeout<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        if matches!(self.phase, Phase::SynSent | Phase::SynReceived) {
            self.timeouts += 1;
            self.rtt.back_off();
            self.send_syn(now, true, fx, probe);
            self.timers.set_after(Timer::Retransmission, now, self.rtt.rto(), fx);
            return;
        }
        let Some(head) = self.board.head() else { return };
        self.loss_probe = None;
        self.rack.wait = None;
        self.enter_loss(now);
        self.observer.loss(now, LossEvent::Timeout, probe);
        self.timeouts += 1;
        self.timeout_before = Some(self.rtt.rto());
        self.rtt.back_off();
        self.resend(now, head, fx, probe);
        self.observe_window(now, probe);
    }

    /// Everything unSACKed is lost; the window starts again from one segment (`tcp_enter_loss`).
    fn enter_loss(&mut self, now: Time) {
        let state = self.recovery.state;
        let fresh = matches!(state, CaState::Open | CaState::Disorder)
            || self.outbound.una >= self.recovery.high_seq
            || (state == CaState::Loss && self.timeouts == 0);
        if fresh {
            self.undo.remember(self.window.cwnd, self.current_ssthresh());
            self.window.ssthresh = self.reduced_threshold();
        }
        if !self.config.recovery.undo_repeated_timeout && self.board.any_repeated() {
            self.undo.rule_out();
        } else if fresh || !self.config.recovery.undo_repeated_timeout {
            self.undo.begin(self.outbound.una, 0);
        }
        self.ecn.reduced();
        self.window.count = 0;
        self.mark_timed_out(now);
        if state <= CaState::Disorder {
            self.reordering.timed_out(self.board.sacked());
        }
        let spared = if self.config.recovery.timeout_spares_recent { self.board.in_flight() } else { 0 };
        self.window.cwnd = spared + 1;
        // RFC 5682 section 3.2: not during a recovery, except one from timeouts of the same segment.
        self.recovery.frto = self.config.recovery.frto && (state < CaState::Recovery || self.timeouts > 0);
        self.recovery.state = CaState::Loss;
        self.recovery.high_seq = self.outbound.next;
        self.congestion.timeout(now, self.outbound.next);
        self.path_times_out(now);
    }

    /// Marks what a timeout makes lost (`tcp_timeout_mark_lost`).
    fn mark_timed_out(&mut self, now: Time) {
        if self.config.recovery.timeout_spares_recent && self.detects_by_time() {
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
        self.timeout_before = Some(self.rtt.rto());
        let room = self.outbound.room().min(u64::from(self.agreed.mss));
        let (payload, fin) = self.outbound.next_segment(room as u32);
        if payload > 0 || fin {
            self.outbound.probe_with(payload);
            self.send_new(now, payload, fin, fx, probe);
            self.after_sending(now, 1);
            self.probes = 0;
            return;
        }
        let segment = self.segment(now, self.outbound.una - 1, 0, TcpFlags::ACK, false);
        self.hand_down(now, segment, fx, probe);
        self.probes = (self.probes + 1).min(32);
        let wait = (self.rtt.rto() * (1 << self.probes)).min(RTO_MAX);
        self.timers.set_after(Timer::Persist, now, wait, fx);
    }
}
