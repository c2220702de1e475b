//! Drops by the local queue, and reductions of the window (`tcp_transmit_skb` upon `NET_XMIT_DROP`, `tcp_enter_cwr`,
//! `tcp_init_cwnd_reduction`, Linux 3.13).

use super::Endpoint;
use crate::timers::Pending;
use crate::{Effects, Segment, Timer, seq};
use airloom_observe::{CaState, Probe};
use airloom_sim::{Duration, Time};

/// Another try after this time if the local queue refuses a segment sent by a timer (`TCP_RESOURCE_PROBE_INTERVAL`).
const LOCAL_RETRY: Duration = Duration::from_millis(500);

impl Endpoint {
    /// The local queue refused a data segment, new or repeated, or one before it.
    pub(crate) fn take_back<P: Probe>(
        &mut self,
        now: Time,
        segment: &Segment,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let at = seq::near(self.outbound.next, segment.header.seq);
        if segment.retransmission {
            if self.board.unsend_retransmission(at) {
                self.recovery.unsent(1);
                self.recovery.undo.unrepeated();
            }
            if at == self.outbound.una
                && let Some(before) = self.retries.refused()
            {
                // After a timeout whose retransmission never left there is no back-off, and the next try is soon.
                self.rtt.undo_back_off(before);
                self.timers.retransmit_after(Pending::Timeout, now, before.min(LOCAL_RETRY), fx);
            }
        } else if at < self.outbound.next {
            self.recovery.unsent(self.board.unsend(at));
            self.outbound.take_back(at);
            self.path_takes_back(at);
            if self.board.packets_out() == 0 {
                self.timers.cancel(Timer::Retransmission);
                let wait = self.rtt.rto();
                let wait = if self.retries.refused().is_some() { wait.min(LOCAL_RETRY) } else { wait };
                self.timers.set_after(Timer::Persist, now, wait, fx);
            }
        } else {
            return;
        }
        if self.may_enter_cwr() {
            self.enter_cwr(now, probe);
        }
    }

    /// Whether the window may be reduced although nothing is lost on the wire: once, and not while it is being reduced.
    pub(crate) fn may_enter_cwr(&self) -> bool {
        matches!(self.recovery.state, CaState::Open | CaState::Disorder)
    }

    /// Reduces the window, although nothing is lost on the wire (`tcp_enter_cwr`).
    pub(crate) fn enter_cwr<P: Probe>(&mut self, now: Time, probe: &mut P) {
        self.begin_reduction();
        self.recovery.undo.rule_out();
        self.recovery.state = CaState::Cwr;
        self.observe_window(now, probe);
    }

    /// `tcp_init_cwnd_reduction`.
    pub(crate) fn begin_reduction(&mut self) {
        self.recovery
            .undo
            .remember(self.control.window.cwnd, self.control.current_ssthresh(self.recovery.reducing()));
        self.recovery.probe = None;
        self.recovery.begin(self.control.window.cwnd, self.outbound.next);
        self.control.window.count = 0;
        self.control.window.ssthresh = self.control.reduced_threshold(self.board.in_flight());
        self.ecn.reduced();
    }
}
