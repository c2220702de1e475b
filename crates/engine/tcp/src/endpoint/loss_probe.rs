//! Purposes of the retransmission timer, and tail loss probes (`tcp_schedule_loss_probe`, `tcp_send_loss_probe`,
//! `tcp_process_tlp_ack`).

use super::Endpoint;
use crate::loss_probe::{LossProbe, Seen};
use crate::timers::Pending;
use crate::{Effects, Timer};
use airloom_observe::{CaState, LossEvent, Probe};
use airloom_sim::{Duration, Time};

/// The least wait for a timeout that is due (`tcp_rearm_rto`).
const LEAST_WAIT: Duration = Duration::from_micros(1);

impl Endpoint {
    /// Arms the retransmission timer for the timeout, which begins now (`tcp_reset_xmit_timer`).
    pub(crate) fn arm_timeout(&mut self, now: Time, fx: &mut Effects) {
        self.timers.retransmit_after(Pending::Timeout, now, self.rtt.rto(), fx);
    }

    /// Arms it for the timeout. If it was armed for something else, the timeout began as the first segment was last sent
    /// (`tcp_rearm_rto`).
    pub(crate) fn rearm_timeout(&mut self, now: Time, fx: &mut Effects) {
        let pending = self.timers.pending();
        let began = if pending == Pending::Timeout { None } else { self.board.head_sent() };
        let elapsed = now.since(began.unwrap_or(now));
        let wait = self.rtt.rto().saturating_sub(elapsed).max(LEAST_WAIT);
        self.timers.retransmit_after(Pending::Timeout, now, wait, fx);
    }

    /// Arms it for the earliest of these: late segments, a probe, or the timeout, which restarts upon `progress`
    /// (`tcp_set_xmit_timer`).
    pub(crate) fn arm_timer(&mut self, now: Time, progress: bool, fx: &mut Effects) {
        if self.board.packets_out() == 0 {
            self.timers.cancel(Timer::Retransmission);
        } else if let Some(wait) = self.rack.wait.take() {
            self.timers.retransmit_after(Pending::Reordering, now, wait.min(self.rtt.rto()), fx);
        } else if !self.schedule_probe(now, progress, fx) {
            self.rearm_timeout(now, fx);
        }
    }

    /// Arms the timer for a probe after two round trips, if one is due then (`tcp_schedule_loss_probe`).
    pub(crate) fn schedule_probe(&mut self, now: Time, progress: bool, fx: &mut Effects) -> bool {
        let sure = matches!(self.recovery.state, CaState::Open | CaState::Cwr);
        let Some(head) = self.board.head_sent() else { return false };
        if !self.recovery.rules.tail_loss_probe || !self.agreed.sack || !sure {
            return false;
        }
        let wait = self.rtt.probe_wait(self.board.packets_out() == 1);
        let elapsed = if progress { Duration::ZERO } else { now.since(head) };
        let timeout = self.rtt.rto().saturating_sub(elapsed);
        let wait = if timeout > Duration::ZERO { wait.min(timeout) } else { wait };
        self.timers.retransmit_after(Pending::Probe, now, wait, fx);
        true
    }

    /// The timer fired for a probe: new data whatever the congestion window, or else the last segment again.
    pub(crate) fn send_loss_probe<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        if self.recovery.probe.is_none() && self.probe_tail(now, fx, probe) {
            self.arm_timeout(now, fx);
        } else {
            self.rearm_timeout(now, fx);
        }
    }

    fn probe_tail<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) -> bool {
        let (payload, fin) = self.outbound.next_segment(self.agreed.mss);
        let repeated = self.outbound.all_sent() || !self.outbound.fits(payload);
        if !repeated {
            if self.paced(now, fx) {
                return false;
            }
            self.send_new(now, payload, fin, fx, probe);
            self.after_sending(now, 1);
        } else if self.small_queue.held() > 0 {
            // The last segment has not left yet (`skb_still_in_host_queue`).
            return false;
        } else if let Some(last) = self.board.resend_last(now, self.outbound.next) {
            self.repeat(now, last, fx, probe);
        }
        self.recovery.probe = Some(LossProbe { edge: self.outbound.next, repeated });
        true
    }

    /// An ACK while a probe is out (`tcp_process_tlp_ack`): if only the probe repaired a loss, the window is reduced.
    pub(crate) fn loss_probe_answered<P: Probe>(&mut self, now: Time, ack: u64, seen: &Seen, probe: &mut P) {
        let Some(sent) = self.recovery.probe else { return };
        if ack < sent.edge {
            return;
        }
        let both_arrived = seen.duplicate_end == Some(sent.edge) || seen.repeats;
        if !sent.repeated || both_arrived {
            self.recovery.probe = None;
        } else if ack > sent.edge {
            self.begin_reduction();
            self.recovery.undo.rule_out();
            if self.path.is_none() {
                self.control.window.cwnd = self.control.window.ssthresh;
            }
            self.recovery.state = CaState::Open;
            self.observer.loss(now, LossEvent::RecoveryEntered, probe);
            self.observer.loss(now, LossEvent::RecoveryLeft, probe);
        }
    }
}
