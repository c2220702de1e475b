//! BBR, version 3: a model of the path with bounds learned from losses, and bandwidth probing that leaves room for others
//! (draft-ietf-ccwg-bbr, whose names stand beside the fields). Its reaction to ECN is optional and missing.
//!
//! Units are those of version 1: rates in segments per microsecond times 2^24, gains in parts of 256.

mod bounds;
mod cycle;
mod excess;
mod full_pipe;
mod latest;
mod max_rate;
mod probe_rtt;
mod start_up;
mod window;

use super::path_units::{ONE, RATE, bytes_per_second, carried, micros, payload_per_second};
use super::{CongestionControl, CongestionWindow, LostSegment, Progress, Sample};
use crate::handshake::Negotiated;
use airloom_observe::{CaState, PathModel, PathPhase};
use airloom_sim::{Duration, Stream, Time};
use bounds::Bounds;
use cycle::{AckPhase, Cycle};
use excess::Excess;
use full_pipe::FullPipe;
use latest::Latest;
use max_rate::MaxRate;
use probe_rtt::LeastRtt;

/// No bound (`Infinity`).
const NONE: u32 = u32::MAX;
/// The initial window, which is safe while nothing is known (`C.InitialCwnd`).
const INITIAL_WINDOW: u32 = 10;
/// The least window (`MinPipeCwnd`).
const LEAST_WINDOW: u32 = 4;
/// 4 ln 2, at which the rate doubles every round trip (`StartupPacingGain` 2.77).
const START_UP: u64 = ONE * 277 / 100 + 1;
/// `DrainPacingGain`.
const DRAIN: u64 = ONE / 2;
/// The pacing gains of the phases of probing: less, as measured, and more (`ProbeDownPacingGain` and so on).
const DOWN: u64 = ONE * 90 / 100;
const UP: u64 = ONE * 5 / 4;
/// The gain of the window, also while probing for more, and while the round trip is measured (`DefaultCwndGain`, `ProbeUpCwndGain`,
/// `ProbeRTTCwndGain`).
const WINDOW: u64 = ONE * 2;
const WINDOW_UP: u64 = ONE * 9 / 4;
const WINDOW_PROBE_RTT: u64 = ONE / 2;

/// Its state (`BBR.state`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The rate doubles until the pipe is full.
    StartUp,
    /// The queue from start-up is drained.
    Drain,
    /// It sends less than the path delivers.
    Down,
    /// It sends as much.
    Cruise,
    /// It fills the pipe, forgetting what losses said of the short term.
    Refill,
    /// It probes for more.
    Up,
    /// It measures the round trip of an empty pipe.
    ProbeRtt,
}

impl State {
    fn probes_bandwidth(self) -> bool {
        matches!(self, Self::Down | Self::Cruise | Self::Refill | Self::Up)
    }

    /// Whether it accelerates, so that losses are its own doing (`IsProbingBW`).
    fn accelerates(self) -> bool {
        matches!(self, Self::StartUp | Self::Refill | Self::Up)
    }

    fn phase(self) -> PathPhase {
        match self {
            Self::StartUp => PathPhase::StartUp,
            Self::Drain => PathPhase::Drain,
            Self::Down => PathPhase::Down,
            Self::Cruise => PathPhase::Cruise,
            Self::Refill => PathPhase::Refill,
            Self::Up => PathPhase::Up,
            Self::ProbeRtt => PathPhase::ProbeRtt,
        }
    }

    fn pacing_gain(self) -> u64 {
        match self {
            Self::StartUp => START_UP,
            Self::Drain => DRAIN,
            Self::Down => DOWN,
            Self::Cruise | Self::Refill | Self::ProbeRtt => ONE,
            Self::Up => UP,
        }
    }

    fn window_gain(self) -> u64 {
        match self {
            Self::Up => WINDOW_UP,
            Self::ProbeRtt => WINDOW_PROBE_RTT,
            _ => WINDOW,
        }
    }
}

/// The model of the path, and the state of probing.
pub(crate) struct Bbr3 {
    state: State,
    max_rate: MaxRate,
    /// The rate that is used (`BBR.bw`).
    rate: u64,
    least: LeastRtt,
    /// Rounds so far; the present one ends when a segment is delivered that was sent after this many had been delivered.
    rounds: u32,
    round_end: u64,
    round_start: bool,
    drain_began: u32,
    full: FullPipe,
    latest: Latest,
    bounds: Bounds,
    cycle: Cycle,
    excess: Excess,
    pacing_rate: u64,
    /// Segments that a millisecond sends (`C.send_quantum`).
    burst: u32,
    knows_rtt: bool,
    prior_window: u32,
    prior_state: CaState,
    /// Data flows again after the application had nothing to send.
    restarted: bool,
    /// Bounds and state before the last loss episode, if it should prove spurious (`undo_state` and related), and whether it
    /// lasts.
    undo_bounds: Bounds,
    undo_state: Option<State>,
    in_episode: bool,
    spurious: bool,
    /// What had been delivered when the last sample came.
    delivered: u64,
    mss: u32,
    /// The peer reports by SACK what has arrived (`C.has_selective_acks`).
    sacks: bool,
    chance: Stream,
}

impl Bbr3 {
    /// At the beginning of a connection; `isn` makes the times between probes differ between connections.
    pub(crate) fn new(initial_window: u32, isn: u32, mss: u32) -> Self {
        // A nominal round trip of 1 ms (`InitPacingRate`).
        let rate = u64::from(initial_window) * RATE / 1_000;
        Self {
            state: State::StartUp,
            max_rate: MaxRate::default(),
            rate: 0,
            least: LeastRtt::default(),
            rounds: 0,
            round_end: 0,
            round_start: false,
            drain_began: 0,
            full: FullPipe::default(),
            latest: Latest::default(),
            bounds: Bounds::NONE,
            cycle: Cycle::default(),
            excess: Excess::default(),
            pacing_rate: bytes_per_second(rate, START_UP, mss),
            burst: 2,
            knows_rtt: false,
            prior_window: 0,
            prior_state: CaState::Open,
            restarted: false,
            undo_bounds: Bounds::NONE,
            undo_state: None,
            in_episode: false,
            spurious: false,
            delivered: 0,
            mss,
            sacks: true,
            chance: Stream::new(u64::from(isn), "bbr3", "wait"),
        }
    }

    /// A round begins (`StartRound`).
    fn start_round(&mut self) {
        self.round_end = self.delivered;
    }

    /// Counts rounds and takes the rate (`UpdateMaxBw`, `UpdateRound`).
    fn update_max_rate(&mut self, s: &Sample) {
        self.round_start = false;
        let Some(rate) = s.rate else { return };
        if rate.prior_delivered >= self.round_end {
            self.start_round();
            self.rounds += 1;
            self.cycle.rounds += 1;
            self.round_start = true;
        }
        let measured = rate.per_microsecond();
        if measured >= self.max_rate.get() || !rate.limited {
            self.max_rate.take(measured);
        }
    }

    /// Whether `lost` of the segments that were sent while `in_flight` were out are too many; without SACK, which shows one loss
    /// per round trip, any is (`IsInflightTooHigh`).
    fn is_too_high(&self, lost: u64, in_flight: u32) -> bool {
        bounds::exceeds(lost, in_flight) || lost > 0 && !self.sacks
    }

    /// Once per round with a loss the short-term bounds follow what is delivered (`UpdateCongestionSignals`).
    fn adapt_short_term(&mut self, window: u32) {
        if !self.latest.round_start {
            return;
        }
        if !self.state.accelerates() && self.latest.lost {
            // After a timeout the window says nothing of the path.
            let window = if self.prior_state == CaState::Loss { self.prior_window } else { window };
            self.bounds.lower(self.max_rate.get(), window, &self.latest);
        }
        self.latest.lost = false;
    }

    /// Remembers the last good window (`SaveCwnd`).
    fn save_window(&mut self, w: &CongestionWindow) {
        let good = self.prior_state < CaState::Recovery && self.state != State::ProbeRtt;
        self.prior_window = if good { w.cwnd } else { self.prior_window.max(w.cwnd) };
    }

    /// `SaveStateUponLoss`, once in each loss episode. The pseudo code has it after every reset of the round's signals, be it
    /// by the first loss, and with recovery; then a probe that the first loss ends could not be resumed, as appendix A.18 asks.
    fn save_state(&mut self, w: &CongestionWindow) {
        self.save_window(w);
        if !std::mem::replace(&mut self.in_episode, true) {
            self.undo_state = None;
            self.undo_bounds = self.bounds;
        }
    }

    /// `HandleSpuriousLossDetection`; the window is restored as recovery ends.
    fn restore_state(&mut self) {
        self.latest.lost = false;
        self.full.reset(0);
        self.bounds.raise_to(&self.undo_bounds);
        match self.undo_state.take() {
            Some(State::StartUp) if self.state != State::StartUp => {
                self.full.reached = false;
                if self.state != State::ProbeRtt {
                    self.state = State::StartUp;
                }
            }
            Some(State::Up) if self.state != State::Up && self.state != State::ProbeRtt => {
                self.start_refill();
            }
            _ => {}
        }
    }
}

impl CongestionControl for Bbr3 {
    fn models_path(&self) -> bool {
        true
    }

    fn established(
        &mut self,
        w: &CongestionWindow,
        now: Time,
        rtt: Option<Duration>,
        &Negotiated { mss, sack, .. }: &Negotiated,
    ) {
        (self.mss, self.sacks) = (mss, sack);
        self.least.begin(now, rtt);
        self.excess.restart(now);
        if let Some(rtt) = rtt {
            self.pace_first(w, rtt, mss);
        }
    }

    fn buffer_windows(&self) -> u64 {
        3
    }

    fn sent(&mut self, w: &mut CongestionWindow, s: &Sample, limited: bool) {
        if s.in_flight > 0 || !limited {
            return;
        }
        self.restarted = true;
        self.excess.restart(s.now);
        if self.state.probes_bandwidth() {
            self.pace(ONE, s);
        } else if self.state == State::ProbeRtt {
            self.leave_probe_rtt(w, s);
        }
    }

    fn lost(&mut self, w: &mut CongestionWindow, lost: &LostSegment) {
        if !self.latest.lost {
            self.latest.delivered = self.delivered;
            self.save_state(w);
        }
        self.latest.lost = true;
        if self.cycle.probed && self.is_too_high(lost.lost, lost.in_flight) {
            let in_flight = bounds::in_flight_at_loss(lost.lost, lost.in_flight);
            self.in_flight_too_high(w, lost.now, in_flight, lost.limited);
        }
    }

    fn sampled(&mut self, w: &mut CongestionWindow, s: &Sample) {
        self.delivered = s.delivered;
        self.in_episode &= s.state >= CaState::Recovery;
        if std::mem::take(&mut self.spurious) {
            self.restore_state();
        }
        self.latest.update(s);
        self.update_max_rate(s);
        self.adapt_short_term(w.cwnd);
        let length = if self.full.reached { excess::ROUNDS } else { 1 };
        self.excess.update(self.rate, self.rounds, length, w.cwnd, s);
        self.full.check(self.round_start, s.rate.as_ref());
        self.check_start_up(s);
        self.check_drain(s);
        self.update_cycle(w, s);
        self.update_least_rtt(w, s);
        self.latest.advance(s);
        self.rate = self.max_rate.get().min(self.bounds.rate);
        self.pace(self.state.pacing_gain(), s);
        self.set_window(w, s);
    }

    fn pacing_rate(&self) -> Option<u64> {
        Some(self.pacing_rate)
    }

    fn path(&self) -> Option<PathModel> {
        Some(PathModel {
            phase: self.state.phase(),
            rate: payload_per_second(self.rate, self.mss),
            least_rtt: self.least.rtt.unwrap_or(Duration::ZERO),
            pacing_gain: self.state.pacing_gain() as u16,
            window_gain: self.state.window_gain() as u16,
            excess: self.excess.get(),
            short_term: self.bounds.short_term,
            long_term: self.bounds.long_term,
        })
    }

    fn drains(&self) -> bool {
        self.state == State::ProbeRtt
    }

    fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
        self.save_state(w);
        w.ssthresh
    }

    fn grow(&mut self, _w: &mut CongestionWindow, _ack: &Progress) {}

    fn acked(&mut self, _w: &mut CongestionWindow, _ack: &Progress, _rtt: Option<Duration>) {}

    fn timeout(&mut self, _now: Time, _next: u64) {
        self.prior_state = CaState::Loss;
    }

    /// The sample of the same ACK has what was delivered with it, from which the next round counts.
    fn undone(&mut self) {
        self.spurious = true;
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
