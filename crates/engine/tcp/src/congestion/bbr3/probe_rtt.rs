//! The least round trip, and the state in which the pipe is drained to measure it (`UpdateMinRTT`, `CheckProbeRTT`).

use super::{AckPhase, Bbr3, CongestionWindow, LEAST_WINDOW, Sample, State, WINDOW_PROBE_RTT};
use airloom_sim::{Duration, Time};

/// How long the least round trip counts (`MinRTTFilterLen`).
const COUNTS: Duration = Duration::from_secs(10);
/// After so long without a lower one than the least of that time it is measured (`ProbeRTTInterval`).
const INTERVAL: Duration = Duration::from_secs(5);
/// How long the pipe is kept drained (`ProbeRTTDuration`).
const DRAINED_FOR: Duration = Duration::from_millis(200);

/// The least round trip, and how it is measured.
#[derive(Clone, Copy, Default)]
pub(super) struct LeastRtt {
    /// None before the first sample.
    pub(super) rtt: Option<Duration>,
    at: Time,
    /// The least since it was last measured, which decides when it is measured again (`probe_rtt_min_delay`,
    /// `probe_rtt_min_stamp`).
    recent: Option<Duration>,
    recent_at: Time,
    /// Until when the pipe stays drained, and whether a round has passed since.
    until: Option<Time>,
    round_done: bool,
}

impl LeastRtt {
    /// The connection is established after a round trip of `rtt`, if it was measured.
    pub(super) fn begin(&mut self, now: Time, rtt: Option<Duration>) {
        (self.rtt, self.at, self.recent, self.recent_at) = (rtt, now, rtt, now);
    }

    /// Takes an ACK's round trip; true if it is time to measure (`UpdateMinRTT`).
    fn take(&mut self, now: Time, rtt: Option<Duration>) -> bool {
        let due = now > self.recent_at + INTERVAL;
        if let Some(rtt) = rtt
            && (due || self.recent.is_none_or(|recent| rtt < recent))
        {
            (self.recent, self.recent_at) = (Some(rtt), now);
        }
        if let Some(recent) = self.recent
            && (now > self.at + COUNTS || self.rtt.is_none_or(|least| recent < least))
        {
            (self.rtt, self.at) = (Some(recent), self.recent_at);
        }
        due
    }
}

impl Bbr3 {
    /// Takes an ACK's round trip, and begins or ends its measurement.
    pub(super) fn update_least_rtt(&mut self, w: &mut CongestionWindow, s: &Sample) {
        let due = self.least.take(s.now, s.rtt);
        if due && !self.restarted && self.state != State::ProbeRtt {
            self.save_window(w);
            self.state = State::ProbeRtt;
            self.least.until = None;
            self.cycle.acks = AckPhase::ProbeStopping;
            self.start_round();
        }
        if self.state == State::ProbeRtt {
            self.drain_to_measure(w, s);
        }
        if s.rate.is_some_and(|rate| rate.delivered > 0) {
            self.restarted = false;
        }
    }

    /// The window meanwhile (`ProbeRTTCwnd`).
    pub(super) fn probe_rtt_window(&self) -> u32 {
        self.fills(self.rate, WINDOW_PROBE_RTT).max(LEAST_WINDOW)
    }

    /// `HandleProbeRTT`.
    fn drain_to_measure(&mut self, w: &mut CongestionWindow, s: &Sample) {
        if self.least.until.is_some() {
            self.least.round_done |= self.round_start;
            if self.least.round_done {
                self.leave_probe_rtt(w, s);
            }
        } else if s.in_flight <= self.probe_rtt_window() {
            self.least.until = Some(s.now + DRAINED_FOR);
            self.least.round_done = false;
            self.start_round();
        }
    }

    /// `CheckProbeRTTDone`, `ExitProbeRTT`.
    pub(super) fn leave_probe_rtt(&mut self, w: &mut CongestionWindow, s: &Sample) {
        if self.least.until.is_none_or(|until| s.now <= until) {
            return;
        }
        self.least.recent_at = s.now;
        w.cwnd = w.cwnd.max(self.prior_window);
        self.bounds.forget_short_term();
        if self.full.reached {
            self.start_down(s.now);
            self.state = State::Cruise;
        } else {
            self.state = State::StartUp;
        }
    }
}
