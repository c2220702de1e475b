//! Pacing rate and window by the model (`SetPacingRate`, `SetCwnd`).

use super::{
    Bbr3, CongestionWindow, INITIAL_WINDOW, LEAST_WINDOW, NONE, ONE, RATE, START_UP, Sample, State,
    bytes_per_second, micros,
};
use airloom_observe::CaState;
use airloom_sim::Duration;

/// The most bytes of a burst (`SetSendQuantum`), which is what a millisecond sends.
const BURST_BYTES: u64 = 65_536;

impl Bbr3 {
    /// Segments that fill a path of this rate, times `gain` (`BDPMultiple`).
    pub(super) fn fills(&self, rate: u64, gain: u64) -> u32 {
        let Some(rtt) = self.least.rtt else { return INITIAL_WINDOW };
        let segments =
            (u128::from(rate) * u128::from(micros(rtt)) * u128::from(gain)).div_ceil(u128::from(ONE * RATE));
        u32::try_from(segments).unwrap_or(NONE)
    }

    /// Room for bursts inside the end hosts, for pipelining and for probing (`QuantizationBudget`).
    fn with_bursts(&self, window: u32) -> u32 {
        let room = window.max(3 * self.burst).max(LEAST_WINDOW);
        room.saturating_add(if self.state == State::Up { 2 } else { 0 })
    }

    /// `Inflight`.
    pub(super) fn target(&self, rate: u64, gain: u64) -> u32 {
        self.with_bursts(self.fills(rate, gain))
    }

    /// The first pacing rate, from the first round trip (`InitPacingRate`).
    pub(super) fn pace_first(&mut self, w: &CongestionWindow, rtt: Duration, mss: u32) {
        self.knows_rtt = true;
        let first = u64::from(w.cwnd) * RATE / micros(rtt).max(1);
        self.pacing_rate = bytes_per_second(first, START_UP, mss);
    }

    /// Sets the pacing rate; until the pipe is full it only grows.
    pub(super) fn pace(&mut self, gain: u64, s: &Sample) {
        let rate = bytes_per_second(self.rate, gain, s.mss);
        if self.full.reached || rate > self.pacing_rate {
            self.pacing_rate = rate;
        }
        self.burst = ((self.pacing_rate >> 10).min(BURST_BYTES) / u64::from(s.mss)).max(2) as u32;
    }

    /// Moves the window towards the size that fills the path, by the segments delivered, within the bounds.
    pub(super) fn set_window(&mut self, w: &mut CongestionWindow, s: &Sample) {
        if !self.knows_rtt && s.srtt > Duration::ZERO {
            self.pace_first(w, s.srtt, s.mss);
        }
        let was = std::mem::replace(&mut self.prior_state, s.state);
        if was >= CaState::Recovery && s.state < CaState::Recovery {
            w.cwnd = w.cwnd.max(self.prior_window);
        }
        let fills = self.fills(self.rate, self.state.window_gain());
        let most = self.with_bursts(fills.saturating_add(self.excess.get()));
        if self.full.reached {
            w.cwnd = w.cwnd.saturating_add(s.acked).min(most);
        } else if w.cwnd < most || s.delivered < u64::from(INITIAL_WINDOW) {
            w.cwnd += s.acked;
        }
        w.cwnd = w.cwnd.max(LEAST_WINDOW);
        if self.state == State::ProbeRtt {
            w.cwnd = w.cwnd.min(self.probe_rtt_window());
        }
        w.cwnd = w.cwnd.min(self.bound());
    }

    /// The most that losses allow (`BoundCwndForModel`).
    fn bound(&self) -> u32 {
        let long_term = match self.state {
            State::Down | State::Refill | State::Up => self.bounds.long_term,
            State::ProbeRtt | State::Cruise => self.bounds.with_headroom(),
            State::StartUp | State::Drain => NONE,
        };
        long_term.min(self.bounds.short_term).max(LEAST_WINDOW)
    }
}
