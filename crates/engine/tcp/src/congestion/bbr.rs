//! BBR, version 1: window and pacing rate from a model of the path, its greatest delivery rate and its least round trip
//! (Cardwell et al., ACM Queue 14(5), 2016; `tcp_bbr.c`, Linux 6.x, with its allowance for aggregated ACKs).
//!
//! Rates are in segments per microsecond times 2^24, gains in parts of 256, times in microseconds: the kernel's units,
//! so that rounding is the same.

use super::path_units::{ONE, RATE, bytes_per_second, carried, micros, payload_per_second};
use super::windowed_max::WindowedMax;
use super::{CongestionControl, CongestionWindow, Progress, Sample};
use crate::handshake::Negotiated;
use airloom_observe::{CaState, PathModel, PathPhase};
use airloom_sim::{Duration, Stream, Time};

/// 2/ln 2, at which the rate doubles every round trip (`bbr_high_gain`).
const HIGH: u64 = ONE * 2885 / 1000 + 1;
/// Its inverse, which drains the queue from start-up (`bbr_drain_gain`).
const DRAIN: u64 = ONE * 1000 / 2885;
/// The gain of the window in steady state (`bbr_cwnd_gain`).
const STEADY: u64 = ONE * 2;
/// The gains of pacing in a cycle: more, less, and as measured (`bbr_pacing_gain`).
const CYCLE: [u64; 8] = [ONE * 5 / 4, ONE * 3 / 4, ONE, ONE, ONE, ONE, ONE, ONE];
/// Any phase of the cycle but the second may be the first (`bbr_cycle_rand`).
const FIRST_PHASES: u32 = 7;
/// Rounds over which the greatest rate counts (`bbr_bw_rtts`).
const RATE_ROUNDS: u32 = CYCLE.len() as u32 + 2;
/// How long the least round trip counts (`bbr_min_rtt_win_sec`).
const LEAST_RTT_COUNTS: Duration = Duration::from_secs(10);
/// How long the network is drained to measure it anew (`bbr_probe_rtt_mode_ms`).
const DRAINED_FOR: Duration = Duration::from_millis(200);
/// The least window (`bbr_cwnd_min_target`).
const LEAST_WINDOW: u32 = 4;
/// The largest window in segments: beyond it numbers would not fit.
const LARGEST_WINDOW: u64 = 1 << 30;
/// The initial window, which is safe while nothing is known (`TCP_INIT_CWND`).
const INITIAL_WINDOW: u32 = 10;
/// The pipe is full when the rate has not grown by a quarter for three rounds (`bbr_full_bw_thresh`, `bbr_full_bw_cnt`).
const GROWTH: u64 = ONE * 5 / 4;
const ROUNDS_WITHOUT_GROWTH: u32 = 3;
/// Rounds over which the excess of ACKs counts (`bbr_extra_acked_win_rtts`).
const EXCESS_ROUNDS: u32 = 5;
/// The most segments of an epoch of it (`bbr_ack_epoch_acked_reset_thresh`).
const EXCESS_EPOCH: u64 = 1 << 20;
/// The excess is worth no more than this at the present rate (`bbr_extra_acked_max_us`).
const MOST_EXCESS_US: u64 = 100_000;
/// Below this rate in bytes per second a burst is one segment, above it two at least (`bbr_min_tso_rate`).
const BURST_RATE: u64 = 1_200_000 / 8;
/// The most bytes of a burst (`GSO_LEGACY_MAX_SIZE` without the headers' room) and the most segments.
const BURST_BYTES: u64 = 65_536 - 1 - 320;
const BURST_SEGMENTS: u64 = 0x7f;

/// Its phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The rate doubles until the pipe is full.
    Startup,
    /// The queue from start-up is drained.
    Drain,
    /// It probes for more in cycles.
    ProbeBw,
    /// It measures the round trip of an empty pipe.
    ProbeRtt,
}

/// The rate of a token-bucket policer, if one is detected (`lt_bw` and related fields).
#[derive(Clone, Copy, Default)]
struct Policer {
    rate: u64,
    in_use: bool,
    sampling: bool,
    rounds: u32,
    /// The present interval's beginning: its time, and what had been delivered and lost by then.
    since: Time,
    delivered: u64,
    lost: u64,
}

/// How many segments more than expected are acknowledged at once (`extra_acked` and related fields).
#[derive(Clone, Copy, Default)]
struct Excess {
    most: [u64; 2],
    place: usize,
    rounds: u32,
    epoch: Time,
    acked: u64,
}

/// The model of the path, and the state of probing.
pub(crate) struct Bbr {
    mode: Mode,
    rate: WindowedMax,
    /// The least round trip, and since when it counts.
    least_rtt: Option<Duration>,
    least_rtt_at: Time,
    rounds: u32,
    /// The round ends when a segment is delivered that was sent after this many had been delivered.
    round_end: u64,
    round_start: bool,
    /// The rate when it last grew, and the number of rounds since.
    full_rate: u64,
    full_rounds: u32,
    full: bool,
    phase: usize,
    phase_at: Time,
    pacing_gain: u64,
    window_gain: u64,
    pacing_rate: u64,
    /// A round trip was measured when the pacing rate was set.
    knows_rtt: bool,
    prior_window: u32,
    prior_state: CaState,
    /// One segment out for each delivered, in the first round of recovery.
    conserving: bool,
    /// Data flows again after the application had nothing to send.
    restarted: bool,
    /// Until when the network stays drained, and whether a round has passed since it was drained.
    drained_until: Option<Time>,
    drained_round: bool,
    policer: Policer,
    excess: Excess,
    mss: u32,
    chance: Stream,
}

impl Bbr {
    /// At the beginning of a connection; `isn` makes the phase in which it first probes for more differ between connections.
    pub(crate) fn new(initial_window: u32, isn: u32, mss: u32) -> Self {
        // A nominal round trip of 1 ms (`bbr_init_pacing_rate_from_rtt`).
        let rate = u64::from(initial_window) * RATE / 1_000;
        Self {
            mode: Mode::Startup,
            rate: WindowedMax::default(),
            least_rtt: None,
            least_rtt_at: Time::ZERO,
            rounds: 0,
            round_end: 0,
            round_start: false,
            full_rate: 0,
            full_rounds: 0,
            full: false,
            phase: 0,
            phase_at: Time::ZERO,
            pacing_gain: HIGH,
            window_gain: HIGH,
            pacing_rate: bytes_per_second(rate, HIGH, mss),
            knows_rtt: false,
            prior_window: 0,
            prior_state: CaState::Open,
            conserving: false,
            restarted: false,
            drained_until: None,
            drained_round: false,
            policer: Policer::default(),
            excess: Excess::default(),
            mss,
            chance: Stream::new(u64::from(isn), "bbr", "phase"),
        }
    }

    /// The estimated rate (`bbr_bw`).
    fn path_rate(&self) -> u64 {
        if self.policer.in_use { self.policer.rate } else { self.rate.get() }
    }

    /// Segments that fill a path of this rate, times `gain` (`bbr_bdp`).
    fn fills(&self, rate: u64, gain: u64) -> u32 {
        let Some(rtt) = self.least_rtt else { return INITIAL_WINDOW };
        let scaled = rate.saturating_mul(micros(rtt)).saturating_mul(gain);
        (scaled / ONE).div_ceil(RATE).min(LARGEST_WINDOW) as u32
    }

    /// Segments that a sender hands to its own device at once (`bbr_tso_segs_goal`).
    fn burst(&self, s: &Sample) -> u32 {
        let bytes = (self.pacing_rate >> s.burst_shift).min(BURST_BYTES);
        (bytes / u64::from(s.mss)).max(u64::from(self.least_burst())).min(BURST_SEGMENTS) as u32
    }

    /// Room for segments inside the end hosts (`bbr_quantization_budget`).
    fn with_bursts(&self, window: u32, s: &Sample) -> u32 {
        let even = (window + 3 * self.burst(s)).next_multiple_of(2);
        even + if self.mode == Mode::ProbeBw && self.phase == 0 { 2 } else { 0 }
    }

    fn target(&self, rate: u64, gain: u64, s: &Sample) -> u32 {
        self.with_bursts(self.fills(rate, gain), s)
    }

    /// Segments in the network when the next one leaves (`bbr_packets_in_net_at_edt`).
    fn in_network(&self, in_flight: u32, s: &Sample) -> u32 {
        let delivered = carried(self.path_rate(), micros(s.departure.since(s.now)));
        let more = if self.pacing_gain > ONE { self.burst(s) } else { 0 };
        (u64::from(in_flight + more)).saturating_sub(delivered) as u32
    }

    fn update_rate(&mut self, s: &Sample) {
        self.round_start = false;
        let Some(rate) = s.rate else { return };
        if rate.prior_delivered >= self.round_end {
            self.round_end = s.delivered;
            self.rounds += 1;
            self.round_start = true;
            self.conserving = false;
        }
        self.look_for_policer(s, s.lost > 0);
        let measured = rate.per_microsecond();
        if !rate.limited || measured >= self.rate.get() {
            self.rate.take(RATE_ROUNDS, self.rounds, measured);
        }
    }

    fn begin_policer_interval(&mut self, s: &Sample) {
        let p = &mut self.policer;
        (p.since, p.delivered, p.lost, p.rounds) = (s.delivered_at, s.delivered, s.all_lost, 0);
    }

    /// Two intervals with the same rate and a fifth of losses indicate a policer (`bbr_lt_bw_sampling`).
    fn look_for_policer(&mut self, s: &Sample, lost: bool) {
        if self.policer.in_use {
            self.policer.rounds += u32::from(self.mode == Mode::ProbeBw && self.round_start);
            if self.policer.rounds >= 48 {
                self.policer = Policer::default();
                self.probe_for_rate(s);
            }
            return;
        }
        if !self.policer.sampling {
            if !lost {
                return;
            }
            self.begin_policer_interval(s);
            self.policer.sampling = true;
        }
        if s.rate.is_some_and(|rate| rate.limited) {
            self.policer = Policer::default();
            return;
        }
        self.policer.rounds += u32::from(self.round_start);
        if self.policer.rounds > 16 {
            self.policer = Policer::default();
        } else if self.policer.rounds >= 4 && lost {
            self.end_policer_interval(s);
        }
    }

    fn end_policer_interval(&mut self, s: &Sample) {
        let p = self.policer;
        let (lost, delivered) = (s.all_lost - p.lost, s.delivered - p.delivered);
        let took = micros(s.delivered_at.since(p.since)) / 1_000 * 1_000;
        if delivered == 0 || lost * ONE < 50 * delivered || took == 0 {
            return;
        }
        let rate = delivered * RATE / took;
        let apart = rate.abs_diff(p.rate);
        if p.rate > 0 && (apart * ONE <= p.rate * ONE / 8 || bytes_per_second(apart, ONE, s.mss) <= 500) {
            self.policer.rate = u64::midpoint(rate, p.rate);
            self.policer.in_use = true;
            self.policer.rounds = 0;
            self.pacing_gain = ONE;
            return;
        }
        self.policer.rate = rate;
        self.begin_policer_interval(s);
    }

    /// How many segments are acknowledged beyond the number expected from the rate (`bbr_update_ack_aggregation`).
    fn update_excess(&mut self, window: u32, s: &Sample) {
        if s.acked == 0 || s.rate.is_none() {
            return;
        }
        let rate = self.path_rate();
        let e = &mut self.excess;
        if self.round_start {
            e.rounds += 1;
            if e.rounds >= EXCESS_ROUNDS {
                (e.rounds, e.place) = (0, 1 - e.place);
                e.most[e.place] = 0;
            }
        }
        let mut expected = carried(rate, micros(s.delivered_at.since(e.epoch)));
        if e.acked <= expected || e.acked + u64::from(s.acked) >= EXCESS_EPOCH {
            (e.acked, e.epoch, expected) = (0, s.delivered_at, 0);
        }
        e.acked += u64::from(s.acked);
        let excess = (e.acked - expected).min(u64::from(window));
        e.most[e.place] = e.most[e.place].max(excess);
    }

    /// The room in the window for that (`bbr_ack_aggregation_cwnd`).
    fn excess_window(&self) -> u32 {
        if !self.full {
            return 0;
        }
        let most = carried(self.path_rate(), MOST_EXCESS_US);
        self.excess.most[0].max(self.excess.most[1]).min(most) as u32
    }

    fn phase_is_over(&self, s: &Sample) -> bool {
        let whole = self.least_rtt.is_some_and(|rtt| s.delivered_at.since(self.phase_at) > rtt);
        let in_network = self.in_network(s.prior_in_flight, s);
        let rate = self.rate.get();
        match self.pacing_gain {
            ONE => whole,
            more if more > ONE => whole && (s.lost > 0 || in_network >= self.target(rate, more, s)),
            _ => whole || in_network <= self.target(rate, ONE, s),
        }
    }

    fn next_phase(&mut self, s: &Sample) {
        self.phase = (self.phase + 1) % CYCLE.len();
        self.phase_at = s.delivered_at;
    }

    fn probe_for_rate(&mut self, s: &Sample) {
        self.mode = Mode::ProbeBw;
        self.phase = CYCLE.len() - 1 - self.chance.up_to(FIRST_PHASES - 1) as usize;
        self.next_phase(s);
    }

    /// The pipe is full once the rate has stopped growing (`bbr_check_full_bw_reached`).
    fn check_full(&mut self, s: &Sample) {
        if self.full || !self.round_start || s.rate.is_some_and(|rate| rate.limited) {
            return;
        }
        if self.rate.get() >= self.full_rate * GROWTH / ONE {
            self.full_rate = self.rate.get();
            self.full_rounds = 0;
            return;
        }
        self.full_rounds += 1;
        self.full = self.full_rounds >= ROUNDS_WITHOUT_GROWTH;
    }

    fn check_drain(&mut self, w: &mut CongestionWindow, s: &Sample) {
        let fills = self.target(self.rate.get(), ONE, s);
        if self.mode == Mode::Startup && self.full {
            self.mode = Mode::Drain;
            w.ssthresh = fills;
        }
        if self.mode == Mode::Drain && self.in_network(s.in_flight, s) <= self.target(self.rate.get(), ONE, s)
        {
            self.probe_for_rate(s);
        }
    }

    fn update_least_rtt(&mut self, w: &mut CongestionWindow, s: &Sample) {
        let expired = self.least_rtt.is_some() && s.now > self.least_rtt_at + LEAST_RTT_COUNTS;
        if let Some(rtt) = s.rtt
            && (self.least_rtt.is_none_or(|least| rtt < least) || (expired && !s.held_back))
        {
            self.least_rtt = Some(rtt);
            self.least_rtt_at = s.now;
        }
        if expired && !self.restarted && self.mode != Mode::ProbeRtt {
            self.mode = Mode::ProbeRtt;
            self.save_window(w);
            self.drained_until = None;
        }
        if self.mode == Mode::ProbeRtt {
            if self.drained_until.is_none() && s.in_flight <= LEAST_WINDOW {
                self.drained_until = Some(s.now + DRAINED_FOR);
                self.drained_round = false;
                self.round_end = s.delivered;
            } else if self.drained_until.is_some() {
                self.drained_round |= self.round_start;
                if self.drained_round {
                    self.leave_probe_rtt(w, s);
                }
            }
        }
        if s.rate.is_some_and(|rate| rate.delivered > 0) {
            self.restarted = false;
        }
    }

    fn leave_probe_rtt(&mut self, w: &mut CongestionWindow, s: &Sample) {
        if self.drained_until.is_none_or(|until| s.now <= until) {
            return;
        }
        self.least_rtt_at = s.now;
        w.cwnd = w.cwnd.max(self.prior_window);
        if self.full {
            self.probe_for_rate(s);
        } else {
            self.mode = Mode::Startup;
        }
    }

    fn save_window(&mut self, w: &CongestionWindow) {
        let good = self.prior_state < CaState::Recovery && self.mode != Mode::ProbeRtt;
        self.prior_window = if good { w.cwnd } else { self.prior_window.max(w.cwnd) };
    }

    fn update_gains(&mut self) {
        (self.pacing_gain, self.window_gain) = match self.mode {
            Mode::Startup => (HIGH, HIGH),
            Mode::Drain => (DRAIN, HIGH),
            Mode::ProbeBw if self.policer.in_use => (ONE, STEADY),
            Mode::ProbeBw => (CYCLE[self.phase], STEADY),
            Mode::ProbeRtt => (ONE, ONE),
        };
    }

    /// The first pacing rate, from the first round trip (`bbr_init_pacing_rate_from_rtt`).
    fn pace_first(&mut self, w: &CongestionWindow, rtt: Duration, mss: u32) {
        self.knows_rtt = true;
        let first = u64::from(w.cwnd) * RATE / micros(rtt).max(1);
        self.pacing_rate = bytes_per_second(first, HIGH, mss);
    }

    /// Sets the pacing rate; until the pipe is full it only grows (`bbr_set_pacing_rate`).
    fn pace(&mut self, gain: u64, w: &CongestionWindow, s: &Sample) {
        if !self.knows_rtt && s.srtt > Duration::ZERO {
            self.pace_first(w, s.srtt, s.mss);
        }
        let rate = bytes_per_second(self.path_rate(), gain, s.mss);
        if self.full || rate > self.pacing_rate {
            self.pacing_rate = rate;
        }
    }

    /// Sets the window in and after recovery; true if it is final (`bbr_set_cwnd_to_recover_or_restore`).
    fn recover(&mut self, w: &mut CongestionWindow, s: &Sample) -> bool {
        w.cwnd = w.cwnd.saturating_sub(s.lost).max(1);
        let was = std::mem::replace(&mut self.prior_state, s.state);
        if s.state == CaState::Recovery && was != CaState::Recovery {
            self.conserving = true;
            self.round_end = s.delivered;
            w.cwnd = s.in_flight + s.acked;
        } else if was >= CaState::Recovery && s.state < CaState::Recovery {
            self.conserving = false;
            w.cwnd = w.cwnd.max(self.prior_window);
        }
        if self.conserving {
            w.cwnd = w.cwnd.max(s.in_flight + s.acked);
        }
        self.conserving
    }

    /// Moves the window towards the size that fills the path, by the segments delivered (`bbr_set_cwnd`).
    fn set_window(&mut self, w: &mut CongestionWindow, s: &Sample) {
        if s.acked > 0 && !self.recover(w, s) {
            let fills = self.fills(self.path_rate(), self.window_gain) + self.excess_window();
            let target = self.with_bursts(fills, s);
            if self.full {
                w.cwnd = (w.cwnd + s.acked).min(target);
            } else if w.cwnd < target || s.delivered < u64::from(INITIAL_WINDOW) {
                w.cwnd += s.acked;
            }
            w.cwnd = w.cwnd.max(LEAST_WINDOW);
        }
        if self.mode == Mode::ProbeRtt {
            w.cwnd = w.cwnd.min(LEAST_WINDOW);
        }
    }
}

impl CongestionControl for Bbr {
    fn least_burst(&self) -> u32 {
        if self.pacing_rate < BURST_RATE { 1 } else { 2 }
    }

    fn models_path(&self) -> bool {
        true
    }

    /// (`bbr_init`)
    fn established(
        &mut self,
        w: &CongestionWindow,
        now: Time,
        rtt: Option<Duration>,
        &Negotiated { mss, .. }: &Negotiated,
    ) {
        (self.least_rtt, self.least_rtt_at, self.excess.epoch) = (rtt, now, now);
        self.mss = mss;
        if let Some(rtt) = rtt {
            self.pace_first(w, rtt, mss);
        }
    }

    /// (`bbr_sndbuf_expand`)
    fn buffer_windows(&self) -> u64 {
        3
    }

    /// It ends a round, and is a loss for the detection of policers (`bbr_set_state`).
    fn timed_out(&mut self, s: &Sample) {
        self.round_start = true;
        self.look_for_policer(s, true);
    }

    fn sent(&mut self, w: &mut CongestionWindow, s: &Sample, limited: bool) {
        if s.in_flight > 0 || !limited {
            return;
        }
        self.restarted = true;
        (self.excess.epoch, self.excess.acked) = (s.now, 0);
        match self.mode {
            Mode::ProbeBw => self.pace(ONE, w, s),
            Mode::ProbeRtt => self.leave_probe_rtt(w, s),
            Mode::Startup | Mode::Drain => {}
        }
    }

    fn sampled(&mut self, w: &mut CongestionWindow, s: &Sample) {
        self.update_rate(s);
        self.update_excess(w.cwnd, s);
        if self.mode == Mode::ProbeBw && self.phase_is_over(s) {
            self.next_phase(s);
        }
        self.check_full(s);
        self.check_drain(w, s);
        self.update_least_rtt(w, s);
        self.update_gains();
        self.pace(self.pacing_gain, w, s);
        self.set_window(w, s);
    }

    fn pacing_rate(&self) -> Option<u64> {
        Some(self.pacing_rate)
    }

    /// (`bbr_get_info`)
    fn path(&self) -> Option<PathModel> {
        let phase = match self.mode {
            Mode::Startup => PathPhase::StartUp,
            Mode::Drain => PathPhase::Drain,
            Mode::ProbeRtt => PathPhase::ProbeRtt,
            Mode::ProbeBw if self.pacing_gain > ONE => PathPhase::Up,
            Mode::ProbeBw if self.pacing_gain < ONE => PathPhase::Down,
            Mode::ProbeBw => PathPhase::Cruise,
        };
        Some(PathModel {
            phase,
            rate: payload_per_second(self.path_rate(), self.mss),
            least_rtt: self.least_rtt.unwrap_or(Duration::ZERO),
            pacing_gain: self.pacing_gain as u16,
            window_gain: self.window_gain as u16,
            excess: self.excess_window(),
            short_term: u32::MAX,
            long_term: u32::MAX,
        })
    }

    fn drains(&self) -> bool {
        self.mode == Mode::ProbeRtt
    }

    fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
        self.save_window(w);
        w.ssthresh
    }

    fn grow(&mut self, _w: &mut CongestionWindow, _ack: &Progress) {}

    fn acked(&mut self, _w: &mut CongestionWindow, _ack: &Progress, _rtt: Option<Duration>) {}

    /// Discards earlier measurements (`bbr_set_state`).
    fn timeout(&mut self, _now: Time, _next: u64) {
        self.prior_state = CaState::Loss;
        self.full_rate = 0;
    }

    /// (`bbr_undo_cwnd`)
    fn undone(&mut self) {
        self.full_rate = 0;
        self.full_rounds = 0;
        self.policer = Policer::default();
    }
}

#[cfg(test)]
#[path = "bbr_tests.rs"]
mod tests;
