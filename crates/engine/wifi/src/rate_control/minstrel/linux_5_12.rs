//! Minstrel-HT as of Linux 5.12 and later (net/mac80211/rc80211_minstrel_ht.c, read in 6.18): shares of MPDUs that got through pass a low-pass
//! filter, a rate that was never tried is as good as the best faster one of its group, four rates form a retry chain, and at most once in
//! 20 ms a packet tries a faster rate or one between those in use ([`samples`](super::samples)).
//!
//! The numbers are whole, as in Linux: shares in parts of 4096, air times of a group in its own unit. Rates of 802.11ax, which it lacks,
//! are valued as those of 802.11ac. What differs from Linux: time is exact, where Linux counts ticks of 1 to 10 ms; a PPDU loses MPDUs
//! whose retries run out between its attempts rather than after the last, and an RTS that failed counts as an attempt.

use super::samples::{InUse, Samples};
use super::{AMPDU, OVERHEAD, PACKET, RESERVED_OVERHEAD, attempts, longest_amsdu};
use crate::id::RateId;
use crate::rate_control::chain::Stage;
use crate::rate_control::{Chain, RateControl};
use airloom_rate::{GuardInterval, Rate};
use airloom_sim::{Duration, Index, IndexVec, Stream, Time};
use std::cmp::Reverse;

/// Bits behind the point of a share (`MINSTREL_SCALE`).
const SCALE: u32 = 12;
/// The whole.
const ONE: u32 = share(1, 1);
/// Weights of the filter, for what is new, its last output and the one before (`MINSTREL_AVG_COEFF1` to `3`): a pole pair with a period of 16.
const FILTER: [i64; 3] = [ONE as i64 - 0x1499 + 0x92e, 0x1499, -0x92e];
/// Attempts by which a rate can be seen to have died within an interval.
const SEEN: u32 = 30;
/// Rates of a chain before the safest, and of the best of a group (`MAX_THR_RATES`).
const BEST: usize = 4;

/// A share in parts of [`ONE`] (`MINSTREL_FRAC`).
pub(super) const fn share(part: u32, of: u32) -> u32 {
    (((part as u64) << SCALE) / of as u64) as u32
}

/// What is known of a rate.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    attempts: u32,
    successes: u32,
    /// It was tried once.
    tried: bool,
    /// The filter's last output, the share of MPDUs that get through, and the one before.
    share: u32,
    before: u32,
    /// Air time of a typical packet in an A-MPDU, or alone below HT, in nanoseconds.
    air: u64,
    /// Its group.
    group: usize,
}

/// Rates of one width, guard interval and number of streams; below HT of one modulation.
pub(super) struct Group {
    streams: u32,
    /// Its rates, slowest first.
    pub(super) rates: Vec<RateId>,
    /// Those with the best throughput, best first.
    best: [RateId; BEST],
    safest: RateId,
}

/// All rates with what is known of them.
pub(super) struct Rates {
    records: IndexVec<RateId, Record>,
    pub(super) groups: Vec<Group>,
    /// They aggregate.
    aggregate: bool,
    /// The group behind which the search for samples begins.
    pub(super) before_first: usize,
    /// Air time that a PPDU costs beyond its data, plain and with RTS and CTS, in nanoseconds.
    overhead: [u64; 2],
    /// MPDUs of an A-MPDU on average, in parts of [`ONE`].
    ampdu: u32,
}

impl Rates {
    fn new(rates: &[Rate]) -> Self {
        let rates: IndexVec<RateId, Rate> = rates.iter().copied().collect();
        // DSSS has no guard interval, and a group of its own before that of OFDM.
        let kind = |rate: Rate| {
            let guard = rate.guard_interval().unwrap_or(GuardInterval::Ns800);
            (rate.width(), Reverse(guard), rate.streams(), matches!(rate, Rate::Ofdm(_)))
        };
        let mut kinds: Vec<_> = rates.iter().map(|&rate| kind(rate)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let groups = kinds.iter().map(|&of| {
            let rates: Vec<_> = rates.ids().filter(|&i| kind(rates[i]) == of).collect();
            let first = rates[0];
            Group { streams: of.2, rates, best: [first; BEST], safest: first }
        });
        let groups: Vec<_> = groups.collect();
        let record = |&rate: &Rate| {
            let group = kinds.iter().position(|&of| of == kind(rate)).expect("every rate has a kind");
            let slowest = air(rates[groups[group].rates[0]]);
            Record { air: in_units_of(slowest, air(rate)), group, ..Record::default() }
        };
        let slowest = rates[RateId::new(0)];
        let (records, aggregate) = (rates.iter().map(record).collect(), slowest.aggregates());
        let overhead = if aggregate { [OVERHEAD, RESERVED_OVERHEAD] } else { below_ht(slowest) };
        // Linux begins behind the first group of HT, which is before all others.
        let before_first = if let Rate::Ht(_) = slowest { 0 } else { groups.len() - 1 };
        Self { records, groups, aggregate, before_first, overhead, ampdu: ONE }
    }

    /// Air time of a typical packet, in nanoseconds (`minstrel_get_duration`).
    pub(super) fn air(&self, rate: RateId) -> u64 {
        self.records[rate].air
    }

    /// The share of MPDUs that get through, in parts of [`ONE`].
    pub(super) fn share(&self, rate: RateId) -> u32 {
        self.records[rate].share
    }

    /// MPDUs of an A-MPDU (`minstrel_ht_avg_ampdu_len`).
    fn ampdu(&self) -> u64 {
        if self.aggregate { u64::from(self.ampdu >> SCALE).max(1) } else { 1 }
    }

    /// What a rate carries, as far as is known; zero if it is not usable. Shares above 90 % count alike: the rest says more about collisions
    /// than about the rate (`minstrel_ht_get_tp_avg`).
    fn throughput(&self, rate: RateId) -> u64 {
        let Record { share: of, air, .. } = self.records[rate];
        if of < share(10, 100) {
            return 0;
        }
        let each = self.overhead[0] / self.ampdu() + air;
        (100 * (u64::from(of.min(share(90, 100))) * 1_000_000 / each)) >> SCALE
    }

    /// An interval is over: finds the best rates of all, and each group's (`minstrel_ht_update_stats`).
    fn average(&mut self) -> [RateId; BEST] {
        let mut best = [self.groups[0].rates[0]; BEST];
        for group in 0..self.groups.len() {
            let mut of_group = [self.groups[group].rates[0]; BEST];
            let mut highest = 0;
            for place in (0..self.groups[group].rates.len()).rev() {
                let rate = self.groups[group].rates[place];
                let record = &mut self.records[rate];
                record.average();
                if record.tried {
                    highest = highest.max(record.share);
                } else {
                    record.share = highest.max(record.share);
                }
                if self.throughput(rate) > 0 {
                    self.insert(&mut best, rate);
                    self.insert(&mut of_group, rate);
                }
            }
            self.groups[group].best = of_group;
        }
        best
    }

    /// Puts a rate among the best if it is one of them (`minstrel_ht_sort_best_tp_rates`).
    fn insert(&self, best: &mut [RateId; BEST], rate: RateId) {
        let worth = |rate: RateId| (self.throughput(rate), self.share(rate));
        let mine = worth(rate);
        let place = BEST - best.iter().rev().take_while(|&&other| mine > worth(other)).count();
        if place < BEST {
            best[place..].rotate_right(1);
            best[place] = rate;
        }
    }

    /// The safest rate beside the best one: with fewer streams where one of these is usable (`minstrel_ht_set_best_prob_rate`,
    /// `minstrel_ht_prob_rate_reduce_streams`).
    fn safest(&mut self, best: RateId) -> RateId {
        let mut safest = self.groups[0].rates[0];
        for group in 0..self.groups.len() {
            self.groups[group].safest = self.groups[group].rates[0];
            for place in 0..self.groups[group].rates.len() {
                let rate = self.groups[group].rates[place];
                if self.air(best) > self.air(rate) && self.share(rate) < self.share(best) {
                    continue;
                }
                safest = self.safer(rate, safest);
                self.groups[group].safest = self.safer(rate, self.groups[group].safest);
            }
        }
        let most = self.groups[self.records[best].group].streams;
        let fewer = self.groups.iter().filter(|group| self.aggregate && group.streams < most);
        let throughput = |&group: &&Group| self.throughput(group.safest);
        let mut fewer = fewer.filter(|group| throughput(group) > 0);
        fewer.next().map_or(safest, |first| {
            let best = fewer.fold(first, |a, b| if throughput(&b) > throughput(&a) { b } else { a });
            best.safest
        })
    }

    /// Which of two is safer: above 75 % the one that carries more.
    fn safer(&self, rate: RateId, than: RateId) -> RateId {
        let better = if self.share(rate) > share(75, 100) {
            self.throughput(rate) > self.throughput(than)
        } else {
            self.share(rate) > self.share(than)
        };
        if better { rate } else { than }
    }
}

impl Record {
    /// Takes what the interval has brought into the average (`minstrel_ht_calc_rate_stats`, `minstrel_filter_avg_add`).
    fn average(&mut self) {
        if self.attempts == 0 {
            return;
        }
        let new = share(self.successes, self.attempts).max(1);
        let last = if self.share == 0 { new } else { self.share };
        if self.share == 0 {
            self.share = new;
        } else {
            let terms = [new, last, self.before].map(i64::from);
            let sum: i64 = terms.iter().zip(FILTER).map(|(term, weight)| term * weight).sum::<i64>() >> SCALE;
            self.share = if sum < 0 { 1 } else { (sum as u32).min(ONE) };
        }
        self.before = last;
        (self.attempts, self.successes, self.tried) = (0, 0, true);
    }

    fn has_died(&self) -> bool {
        self.attempts > SEEN && self.successes < self.attempts / 4
    }
}

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

/// Air time of a typical packet in an A-MPDU, or alone below HT, in nanoseconds (`MCS_DURATION`, `OFDM_DURATION`, `CCK_DURATION`).
fn air(rate: Rate) -> u64 {
    let short = rate.guard_interval() == Some(GuardInterval::Ns400);
    let (bits, speed) = (u64::from(8 * (PACKET + 4)), rate.bit_rate().as_bps() / 100_000);
    match rate {
        // SIFS, preamble and header.
        Rate::Dsss(_) => 10_000 + rate.airtime(0).as_nanos() + bits * 10 / speed * 1000,
        // SIFS with the signal extension, preamble, SIGNAL.
        Rate::Ofdm(_) => 36_000 + (16 + bits * 10 + 6) / (4 * speed) * 4000,
        Rate::Ht(_) | Rate::Vht(_) | Rate::He(_) => {
            let symbols = rate.symbols(AMPDU * PACKET).as_nanos();
            (symbols + if short { 800 } else { 0 }) / u64::from(AMPDU)
        }
    }
}

/// An air time in the unit of a group whose slowest rate takes `slowest`: 16 bits hold it (`GROUP_SHIFT`).
fn in_units_of(slowest: u64, air: u64) -> u64 {
    let unit = 16_u32.saturating_sub((slowest as u32).leading_zeros());
    air >> unit << unit
}

/// Air time that a frame below HT costs beyond its data, plain and with RTS and CTS, where this is the lowest rate: an ACK of ten bytes at it,
/// DSSS with a short preamble (`mi->overhead_legacy`, `ieee80211_frame_duration`).
fn below_ht(lowest: Rate) -> [u64; 2] {
    let bits = 8 * (10 + 4);
    let ack = match lowest {
        Rate::Dsss(_) => 10_000 + 96_000 + (bits * 1_000_000_000_u64).div_ceil(lowest.bit_rate().as_bps()),
        _ => 16_000 + lowest.airtime(10 + 4).as_nanos(),
    };
    [ack, 3 * ack]
}

#[cfg(test)]
#[path = "linux_5_12_tests.rs"]
mod tests;
