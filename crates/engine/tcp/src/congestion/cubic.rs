//! CUBIC (RFC 9438; `tcp_cubic`, Linux 3.13 and 6.x, in its integer arithmetic).

use super::slow_start::SlowStarter;
use super::{CongestionControl, CongestionWindow, Progress};
use crate::jiffies::Jiffies;
use airloom_sim::{Duration, Time};

/// Multiplicative decrease, of 1024.
const BETA: u64 = 717;
/// C = 0.4 in units of 1/1024 (`bic_scale` 41, times 10).
const C: u64 = 410;
/// Clock of the cubic function: 1024 per second (`BICTCP_HZ` 10).
const CLOCK: u64 = 1024;
/// ACKs counted per segment of Reno's growth, times 8: 8 (1024 + 717) / 3 / (1024 - 717) (`beta_scale`).
const RENO_SCALE: u64 = 15;
/// The cubic function is not recomputed more often than this while the window stays (`HZ / 32`).
const RECOMPUTE: Duration = Duration::from_nanos(31_250_000);
/// Delay samples are ignored for this long after a reduction.
const QUIET: Duration = Duration::from_secs(1);

/// The cubic function and its Reno companion.
pub(crate) struct Cubic {
    slow_start: Box<dyn SlowStarter>,
    /// The clock that it reads (`tcp_jiffies32`).
    jiffies: Jiffies,
    last_max: u32,
    /// When the present curve began.
    epoch: Option<Time>,
    origin: u64,
    /// The time from the beginning of the curve to its plateau, in units of the clock.
    k: u64,
    /// Minimum of ACKed segments per segment of growth.
    fastest: u32,
    /// ACKed segments per segment of growth at present.
    per: u32,
    counted: u64,
    reno: u64,
    last: (u32, Time),
    min_rtt: Option<Duration>,
}

impl Cubic {
    pub(crate) fn new(slow_start: Box<dyn SlowStarter>, fastest: u32) -> Self {
        Self {
            slow_start,
            jiffies: Jiffies::new(Duration::ZERO),
            last_max: 0,
            epoch: None,
            origin: 0,
            k: 0,
            fastest,
            per: 1,
            counted: 0,
            reno: 0,
            last: (0, Time::ZERO),
            min_rtt: None,
        }
    }

    /// With a clock of ticks, so that the curve is read at most once in each of them.
    pub(crate) fn ticking(self, jiffies: Jiffies) -> Self {
        Self { jiffies, ..self }
    }

    /// Computes after how many ACKed segments the window grows by one (`bictcp_update`).
    fn update(&mut self, cwnd: u32, now: Time, acked: u32) {
        self.counted += u64::from(acked);
        let now = self.jiffies.began(now);
        if self.last.0 == cwnd && now.since(self.last.1) <= RECOMPUTE {
            return;
        }
        if !(self.jiffies.tick() && self.epoch.is_some() && self.last.1 == now) {
            self.last = (cwnd, now);
            self.read_curve(cwnd, now, acked);
        }
        let window = u64::from(cwnd);
        let reno_step = ((window * RENO_SCALE) >> 3).max(1);
        if self.counted > reno_step {
            let steps = (self.counted - 1) / reno_step;
            self.counted -= steps * reno_step;
            self.reno += steps;
        }
        if self.reno > window {
            self.per = self.per.min((window / (self.reno - window)) as u32);
        }
        self.per = self.per.max(self.fastest);
    }

    /// The growth that the cubic function asks for; the curve begins if none has.
    fn read_curve(&mut self, cwnd: u32, now: Time, acked: u32) {
        let window = u64::from(cwnd);
        let epoch = *self.epoch.get_or_insert_with(|| {
            self.counted = u64::from(acked);
            self.reno = window;
            let below = u64::from(self.last_max.saturating_sub(cwnd));
            self.k = time_to_plateau(below);
            self.origin = window + below;
            now
        });
        // The curve is read one round trip ahead, where the window computed now takes effect.
        let ahead = self.jiffies.whole(self.min_rtt.unwrap_or(Duration::ZERO));
        let t =
            (u128::from((now.since(epoch) + ahead).as_nanos()) * u128::from(CLOCK) / 1_000_000_000) as u64;
        let target = curve(self.origin, self.k, t);
        self.per = if target > window { window / (target - window) } else { 100 * window } as u32;
        // While the path is unknown the cubic function would be too timid.
        if self.last_max == 0 {
            self.per = self.per.min(20);
        }
    }
}

/// The cube root of `(plateau - cwnd) / C`, in units of the clock.
fn time_to_plateau(below: u64) -> u64 {
    let cube = (u128::from(below) << 40) / u128::from(C);
    libm::floor(libm::cbrt(cube as f64)) as u64
}

/// The cubic function `origin + C (t - k)^3`, rounded towards `origin`.
fn curve(origin: u64, k: u64, t: u64) -> u64 {
    let offset = u128::from(t.abs_diff(k));
    let delta = ((u128::from(C) * offset * offset * offset) >> 40) as u64;
    if t < k { origin.saturating_sub(delta) } else { origin.saturating_add(delta) }
}

impl CongestionControl for Cubic {
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
        self.epoch = None;
        // Fast convergence: a window that did not reach its last plateau makes room for others.
        self.last_max =
            if w.cwnd < self.last_max { (u64::from(w.cwnd) * (1024 + BETA) / 2048) as u32 } else { w.cwnd };
        ((u64::from(w.cwnd) * BETA / 1024) as u32).max(2)
    }

    fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress) {
        let left = if w.in_slow_start() { self.slow_start.grow(w, ack) } else { ack.segments };
        if left > 0 {
            self.update(w.cwnd, ack.now, left);
            w.avoid(self.per, left);
        }
    }

    fn acked(&mut self, w: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>) {
        let quiet = self.epoch.is_some_and(|epoch| self.jiffies.began(ack.now).since(epoch) < QUIET);
        let rtt = rtt.filter(|_| !quiet);
        self.min_rtt = self.min_rtt.into_iter().chain(rtt).min();
        self.slow_start.acked(w, ack, rtt);
    }

    fn timeout(&mut self, now: Time, next: u64) {
        self.last_max = 0;
        self.epoch = None;
        self.min_rtt = None;
        self.per = 1;
        self.slow_start.timeout(now, next);
    }
}

#[cfg(test)]
#[path = "cubic_tests.rs"]
mod tests;
