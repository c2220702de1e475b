//! Minstrel-HT as of Linux 5.12 and later (net/mac80211/rc80211_minstrel_ht.c, read in 6.18): shares of MPDUs that got through pass a low-pass
//! filter, a rate that was never tried is as good as the best faster one of its group, four rates form a retry chain, and at most once in
//! 20 ms a packet tries a faster rate or one between those in use ([`samples`](super::samples)).
//!
//! The numbers are whole, as in Linux: shares in parts of 4096, air times of a group in its own unit. Rates of 802.11ax, which it lacks,
//! are valued as those of 802.11ac. What differs from Linux: time is exact, where Linux counts ticks of 1 to 10 ms; a PPDU loses MPDUs
//! whose retries run out between its attempts rather than after the last, and an RTS that failed counts as an attempt.

use super::rates::{BEST, ONE, Rates, share};
use super::samples::{InUse, Samples};
use super::{AMPDU, PACKET, attempts, longest_amsdu};
use crate::id::RateId;
use crate::rate_control::chain::Stage;
use crate::rate_control::{Chain, RateControl};
use airloom_rate::Rate;
use airloom_sim::{Duration, Stream, Time};

/// See the module; a control over a list of rates.
pub(super) struct Control {
    interval: Duration,
    rates: Rates,
    /// Those with the best throughput, best first.
    best: [RateId; BEST],
    safest: RateId,
    chain: Chain,
    /// What the current interval adds to the average A-MPDU.
    ppdus: u32,
    mpdus: u32,
    update_at: Time,
    samples: Samples,
}

impl Control {
    /// A control over `rates`, in ascending order; begins with the slowest.
    pub(super) fn new(rates: &[Rate], interval: Duration, mut chance: Stream) -> Self {
        let known = Rates::new(rates);
        let samples = Samples::new(&known, &mut chance);
        Self::trying(known, interval, samples)
    }

    /// A control over rates of which nothing is known, with these samples.
    fn trying(rates: Rates, interval: Duration, samples: Samples) -> Self {
        let slowest = rates.groups[0].rates[0];
        let mut control = Self {
            interval,
            samples,
            rates,
            best: [slowest; BEST],
            safest: slowest,
            chain: Chain::always(slowest),
            ppdus: 0,
            mpdus: 0,
            update_at: Time::ZERO,
        };
        control.update(Time::ZERO);
        control.rebuild();
        control
    }

    /// An interval is over (`minstrel_ht_update_stats`).
    fn update(&mut self, now: Time) {
        self.update_at = now + self.interval;
        if self.ppdus > 0 {
            // `minstrel_ewma`: the past weighs 96 of 128.
            let (past, new) = (i64::from(self.rates.ampdu), i64::from(share(self.mpdus, self.ppdus)));
            self.rates.ampdu = (past + 32 * (new - past) / 128) as u32;
            (self.ppdus, self.mpdus) = (0, 0);
        }
        self.best = self.rates.average();
        self.safest = self.rates.safest(self.best[0]);
        let [best, second, safest] =
            [self.best[0], self.best[1], self.safest].map(|rate| self.rates.air(rate));
        let (fastest, slowest) = (best.min(second).min(safest), best.max(second).max(safest));
        self.samples.refill(now, &self.rates, InUse { fastest, slowest, best });
    }

    /// The best rates have changed, or what is known of them (`minstrel_ht_update_rates`, with the four rates that ath9k's hardware takes).
    fn rebuild(&mut self) {
        let rates = [self.best[0], self.best[1], self.best[2], self.safest];
        let [first, fallback] = self.rates.overhead;
        let stage = |place: usize| {
            let rate = rates[place];
            let each = if place == 0 { first } else { fallback } + self.rates.air(rate) * self.rates.ampdu();
            let poor = self.rates.share(rate) < share(20, 100);
            Stage { rate, attempts: if poor { 2 } else { attempts(each) }, reserves: place > 0 }
        };
        self.chain = Chain { stages: [stage(0), stage(1), stage(2), stage(3)], sample: false };
    }

    /// Leaves the two best rates within the interval in which they die, for those of the group before with no more streams
    /// (`minstrel_downgrade_rate`). Returns whether it left any.
    fn leave_the_dead(&mut self) -> bool {
        let mut left = false;
        for place in 0..2 {
            let record = &self.rates.records[self.best[place]];
            if record.has_died() {
                left = true;
                let groups = &self.rates.groups;
                let most = groups[record.group].streams;
                if let Some(group) = groups[..record.group].iter().rfind(|group| group.streams <= most) {
                    self.best[place] = group.best[place];
                }
            }
        }
        left
    }
}

impl RateControl for Control {
    fn preferred(&self) -> RateId {
        self.best[0]
    }

    fn choose(&self, sample: Option<RateId>) -> Chain {
        sample.map_or(self.chain, |rate| self.chain.trying(rate))
    }

    fn is_in_hardware(&self) -> bool {
        false
    }

    fn longest_amsdu(&self) -> Option<u32> {
        let part = |rate| f64::from(self.rates.share(rate)) / f64::from(ONE);
        let of_bits = |bits| u64::from(8 * AMPDU * PACKET).div_ceil(bits) * 4000 / u64::from(AMPDU);
        longest_amsdu(self.rates.air(self.safest), part(self.safest), part(self.best[0]), of_bits)
    }

    /// See `minstrel_ht_tx_status`.
    fn completed(&mut self, now: Time, chain: &Chain, attempts: u32, mpdus: u32, good: u32) {
        self.ppdus += 1;
        self.mpdus += mpdus;
        for n in 0..attempts {
            self.rates.records[chain.rate(n)].attempts += mpdus;
        }
        self.rates.records[chain.rate(attempts - 1)].successes += good;
        let due = now > self.update_at;
        if self.leave_the_dead() | due {
            if due {
                self.update(now);
            }
            self.rebuild();
        }
    }

    fn sample(&mut self, now: Time) -> Option<RateId> {
        self.samples.take(now)
    }
}

#[cfg(test)]
#[path = "linux_5_12_tests.rs"]
mod tests;
