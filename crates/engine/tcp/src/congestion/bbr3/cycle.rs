//! The cycle of probing for bandwidth: down, cruise, refill, up (`UpdateProbeBWCyclePhase`).

use super::{Bbr3, CongestionWindow, NONE, ONE, Sample, State, bounds};
use airloom_sim::{Duration, Time};

/// Between probes at least two seconds pass, and up to one more, by chance (`PickProbeWait`).
const WAIT: Duration = Duration::from_secs(2);
const MORE_WAIT_US: u32 = 1_000_000;
/// After so many rounds a flow of Reno or CUBIC would have lost something (`IsRenoCoexistenceProbeTime`).
const RENO_ROUNDS: u32 = 63;
/// The growth of the long-term bound doubles for at most this many rounds.
const MOST_DOUBLINGS: u32 = 30;

/// To what the ACKs of the present round answer (`BBR.ack_phase`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum AckPhase {
    #[default]
    Other,
    Refilling,
    ProbeStarting,
    ProbeFeedback,
    ProbeStopping,
}

/// The state of the cycle.
#[derive(Clone, Copy, Default)]
pub(super) struct Cycle {
    began: Time,
    pub(super) wait: Duration,
    /// Rounds since the last probe (`rounds_since_probe_up`).
    pub(super) rounds: u32,
    pub(super) acks: AckPhase,
    /// What is acknowledged or lost was sent while probing (`is_bw_probe_sample`).
    pub(super) probed: bool,
    /// The last probe lost too much, or stopped early for fear of that (`prev_probe_too_high`, `prev_probe_precautionary`).
    too_high: bool,
    careful: bool,
    /// While probing, the long-term bound grows by one for so many segments acknowledged (`probe_up_acked_per_inc`).
    per: u32,
    acked: u32,
    doublings: u32,
}

impl Bbr3 {
    /// The target of the flight unless congestion cut the window (`TargetInflight`).
    fn target_flight(&self, w: &CongestionWindow) -> u32 {
        self.fills(self.rate, ONE).min(w.cwnd)
    }

    /// `StartProbeBW_DOWN`.
    pub(super) fn start_down(&mut self, now: Time) {
        self.latest.reset();
        self.cycle.per = NONE;
        self.cycle.rounds = self.chance.up_to(1);
        self.cycle.wait = WAIT + Duration::from_micros(u64::from(self.chance.up_to(MORE_WAIT_US)));
        self.cycle.began = now;
        self.cycle.acks = AckPhase::ProbeStopping;
        self.start_round();
        self.state = State::Down;
    }

    /// `StartProbeBW_REFILL`.
    pub(super) fn start_refill(&mut self) {
        self.bounds.forget_short_term();
        (self.cycle.doublings, self.cycle.acked, self.cycle.careful) = (0, 0, false);
        self.cycle.acks = AckPhase::Refilling;
        self.start_round();
        self.state = State::Refill;
    }

    /// `StartProbeBW_UP`.
    fn start_up_phase(&mut self, w: &CongestionWindow, s: &Sample) {
        self.cycle.acks = AckPhase::ProbeStarting;
        self.start_round();
        self.full.reset(s.rate.map_or(0, |rate| rate.per_microsecond()));
        self.state = State::Up;
        self.steepen(w);
    }

    /// The growth of the long-term bound doubles (`RaiseInflightLongtermSlope`).
    fn steepen(&mut self, w: &CongestionWindow) {
        self.cycle.per = (w.cwnd >> self.cycle.doublings).max(1);
        self.cycle.doublings = (self.cycle.doublings + 1).min(MOST_DOUBLINGS);
    }

    /// Advances the cycle.
    pub(super) fn update_cycle(&mut self, w: &mut CongestionWindow, s: &Sample) {
        if !self.full.reached || self.adapt_long_term(w, s) {
            return;
        }
        let state = self.state;
        match state {
            State::Down if self.is_time_to_probe(w, s) => self.start_refill(),
            State::Down if self.is_drained(s) => self.state = State::Cruise,
            State::Cruise if self.is_time_to_probe(w, s) => self.start_refill(),
            State::Refill if self.round_start => {
                self.cycle.probed = true;
                self.start_up_phase(w, s);
            }
            State::Up if self.is_time_to_go_down(w, s) => {
                self.cycle.too_high = false;
                self.start_down(s.now);
            }
            _ => {}
        }
    }

    /// `IsTimeToProbeBW`.
    fn is_time_to_probe(&self, w: &CongestionWindow, s: &Sample) -> bool {
        let reno = self.target_flight(w).min(RENO_ROUNDS);
        s.now > self.cycle.began + self.cycle.wait || self.cycle.rounds >= reno
    }

    /// `IsTimeToCruise`.
    fn is_drained(&self, s: &Sample) -> bool {
        s.in_flight <= self.bounds.with_headroom() && s.in_flight <= self.target(self.max_rate.get(), ONE)
    }

    /// `IsTimeToGoDown`.
    fn is_time_to_go_down(&mut self, w: &CongestionWindow, s: &Sample) -> bool {
        if self.cycle.too_high && s.in_flight >= self.bounds.long_term {
            self.cycle.careful = true;
            return true;
        }
        if s.window_limited && w.cwnd >= self.bounds.long_term {
            // The bound limits the rate, not the path.
            self.full.reset(s.rate.map_or(0, |rate| rate.per_microsecond()));
            return false;
        }
        self.full.now
    }

    /// Follows the samples of a probe; true if that has begun a phase (`AdaptLongTermModel`).
    fn adapt_long_term(&mut self, w: &CongestionWindow, s: &Sample) -> bool {
        if self.round_start {
            match self.cycle.acks {
                AckPhase::ProbeStarting => self.cycle.acks = AckPhase::ProbeFeedback,
                AckPhase::ProbeStopping => {
                    self.cycle.probed = false;
                    self.cycle.acks = AckPhase::Other;
                    if self.state.probes_bandwidth() && s.rate.is_some_and(|rate| !rate.limited) {
                        self.max_rate.advance();
                    }
                    // A careful probe that lost little is followed by another one at once.
                    if self.state.probes_bandwidth() && self.cycle.careful && !self.cycle.too_high {
                        self.start_refill();
                        return true;
                    }
                }
                AckPhase::Other | AckPhase::Refilling | AckPhase::ProbeFeedback => {}
            }
        }
        let Some(rate) = s.rate else { return false };
        if self.bounds.long_term == NONE || self.is_too_high(s.all_lost - rate.lost, rate.in_flight) {
            return false;
        }
        self.bounds.long_term = self.bounds.long_term.max(rate.in_flight);
        if self.state == State::Up {
            self.raise_long_term(w, s);
        }
        false
    }

    /// `ProbeInflightLongtermUpward`.
    fn raise_long_term(&mut self, w: &CongestionWindow, s: &Sample) {
        if !s.window_limited || w.cwnd < self.bounds.long_term {
            return;
        }
        self.cycle.acked = self.cycle.acked.saturating_add(s.acked);
        let per = self.cycle.per.max(1);
        self.bounds.long_term = self.bounds.long_term.saturating_add(self.cycle.acked / per);
        self.cycle.acked %= per;
        if self.round_start {
            self.steepen(w);
        }
    }

    /// A probe put too much in flight; `limited` if the application did not use all of it (`HandleInflightTooHigh`).
    pub(super) fn in_flight_too_high(
        &mut self,
        w: &CongestionWindow,
        now: Time,
        in_flight: u32,
        limited: bool,
    ) {
        self.cycle.too_high = true;
        self.cycle.probed = false;
        if !limited {
            let least = bounds::beta(u64::from(self.target_flight(w))) as u32;
            self.bounds.long_term = in_flight.max(least);
        }
        if self.state == State::Up {
            self.undo_state = Some(State::Up);
            self.start_down(now);
        }
    }
}
