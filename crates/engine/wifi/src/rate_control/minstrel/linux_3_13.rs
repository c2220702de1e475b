//! Minstrel-HT as of Linux 3.13 (net/mac80211/rc80211_minstrel_ht.c): the share of MPDUs that got through at each rate is
//! averaged over intervals, the rates with the best throughput and the best share form a retry chain, and now and then a
//! packet tries another rate, all by itself. Rates of 802.11ac and later, which it lacks, take the air time of Linux 4.1.
//!
//! What differs from Linux: each pass over a group tries its rates in a new order rather than in one of ten; shares are
//! real numbers. Below HT it is the same algorithm over one group, rather than Linux's older Minstrel, and nothing is
//! reserved. A PPDU loses MPDUs whose retries run out between its attempts rather than after the last, and an RTS that
//! failed counts as an attempt.

use super::{AMPDU, OVERHEAD, PACKET, RESERVED_OVERHEAD, attempts, longest_amsdu};
use crate::id::RateId;
use crate::rate_control::chain::Stage;
use crate::rate_control::{Chain, RateControl};
use airloom_rate::{GuardInterval, Rate};
use airloom_sim::{Duration, IndexVec, Stream, Time};
use std::cmp::Reverse;

/// The first of all rates, which are in ascending order.
const SLOWEST: RateId = RateId(0);
/// Weight of the past in the averages (`EWMA_LEVEL` 96 of 128).
const PAST: f64 = 0.75;
/// A rate worse than this is not usable.
const HOPELESS: f64 = 0.1;
/// A rate worse than this gets two attempts, and is left if it was the best a moment ago.
const POOR: f64 = 0.2;
/// Of the rates better than this the fastest is the safest.
const SAFE: f64 = 0.75;
/// Shares above this count alike: the rest says more about collisions than about the rate.
const CAP: f64 = 0.9;
/// A rate better than this needs no trying.
const GOOD: f64 = 0.95;
/// Attempts by which a rate can be seen to have died within an interval.
const SEEN: u32 = 30;
/// Intervals for which a slow rate lies idle before it may be tried (`sample_skipped`).
const IDLE_INTERVALS: u32 = 20;
/// Slow rates tried in an interval at most (`sample_slow`).
const SLOW_SAMPLES: u32 = 3;

/// Whether a rate is worth trying.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Worth {
    /// It can teach nothing.
    #[default]
    Nothing,
    /// It is slow, and tried seldom.
    Slow,
    /// It may prove better than those in use.
    Trying,
}

/// What is known of a rate.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    attempts: u32,
    successes: u32,
    /// Average share of MPDUs that got through; none before the first attempt.
    share: Option<f64>,
    /// MPDUs per nanosecond, as far as is known; zero if the rate is not usable.
    throughput: f64,
    /// Intervals without an attempt.
    idle: u32,
    worth: Worth,
    /// Air time of a typical packet, in nanoseconds.
    air: u64,
    /// Its group.
    group: usize,
    /// It aggregates, so that the medium is worth being reserved for it.
    aggregates: bool,
}

impl Record {
    fn share(&self) -> f64 {
        self.share.unwrap_or(0.0)
    }

    fn has_died(&self) -> bool {
        self.attempts > SEEN && f64::from(self.successes) < POOR * f64::from(self.attempts)
    }
}

/// Rates of one width, guard interval and number of streams.
struct Group {
    streams: u32,
    /// Its rates, slowest first.
    rates: Vec<RateId>,
    /// The same in the order in which they are tried, and the next of these.
    order: Vec<RateId>,
    next: usize,
    best: RateId,
    second: RateId,
}

impl Group {
    /// A pass over its rates begins, in a new order.
    #[cold]
    fn shuffle(&mut self, chance: &mut Stream) {
        self.next = 0;
        for last in (1..self.order.len()).rev() {
            self.order.swap(last, chance.up_to(last as u32) as usize);
        }
    }
}

/// See the module; a control over a list of rates.
pub(super) struct Control {
    interval: Duration,
    records: IndexVec<RateId, Record>,
    groups: Vec<Group>,
    /// Best throughput, second best, safest.
    best: [RateId; 3],
    chain: Chain,
    /// Streams that the safest rate may have, and that a rate may have without being slow.
    streams: u32,
    /// MPDUs of an A-MPDU on average, and what the current interval adds to that.
    ampdu: f64,
    ppdus: u32,
    mpdus: u32,
    update_at: Time,
    /// Packets until rates are tried again, packets that then may try one, and how many times more in this interval.
    wait: u32,
    tries: u32,
    samples: u32,
    slow_samples: u32,
    /// The group whose turn it is to have a rate tried.
    turn: usize,
    chance: Stream,
}

impl Control {
    /// A control over `rates`, in ascending order, without samples; begins with the slowest.
    pub(super) fn new(rates: &[Rate], interval: Duration, chance: Stream) -> Self {
        let rates: IndexVec<RateId, Rate> = rates.iter().copied().collect();
        // Below HT there is one group for DSSS, which has no guard interval, and OFDM.
        let kind = |rate: Rate| {
            let guard = rate.guard_interval().unwrap_or(GuardInterval::Ns800);
            (rate.width(), Reverse(guard), rate.streams())
        };
        let mut kinds: Vec<_> = rates.iter().map(|&rate| kind(rate)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let groups = kinds.iter().map(|&of| {
            let rates: Vec<_> = rates.ids().filter(|&i| kind(rates[i]) == of).collect();
            let (first, next) = (rates[0], rates.len());
            Group { streams: of.2, order: rates.clone(), rates, next, best: first, second: first }
        });
        let record = |&rate: &Rate| {
            let group = kinds.iter().position(|&of| of == kind(rate)).expect("every rate has a kind");
            Record { air: air(rate), group, aggregates: rate.aggregates(), ..Record::default() }
        };
        let mut minstrel = Self {
            interval,
            records: rates.iter().map(record).collect(),
            groups: groups.collect(),
            best: [SLOWEST; 3],
            chain: Chain::always(SLOWEST),
            streams: 1,
            ampdu: 1.0,
            ppdus: 0,
            mpdus: 0,
            update_at: Time::ZERO,
            wait: 0,
            tries: 4,
            samples: 0,
            slow_samples: 0,
            turn: 0,
            chance,
        };
        minstrel.update(Time::ZERO);
        minstrel.rebuild();
        minstrel
    }

    /// The groups take turns, each with its rates in a random order (`minstrel_next_sample_idx`).
    fn next_sample(&mut self) -> RateId {
        let group = &mut self.groups[self.turn];
        if group.next == group.order.len() {
            group.shuffle(&mut self.chance);
        }
        let rate = group.order[group.next];
        group.next += 1;
        self.turn += 1;
        if self.turn == self.groups.len() {
            self.turn = 0;
        }
        rate
    }

    /// Leaves the best rates within the interval in which they die, for those of the group before with no more streams
    /// (`minstrel_downgrade_rate`). Returns whether it left any.
    fn leave_the_dead(&mut self) -> bool {
        let mut left = false;
        for place in 0..2 {
            let record = &self.records[self.best[place]];
            if record.has_died() {
                let most = self.groups[record.group].streams;
                if let Some(group) = self.groups[..record.group].iter().rfind(|group| group.streams <= most) {
                    self.best[place] = if place == 0 { group.best } else { group.second };
                    left = true;
                }
            }
        }
        left
    }

    /// An interval is over (`minstrel_ht_update_stats`).
    fn update(&mut self, now: Time) {
        self.update_at = now + self.interval;
        if self.ppdus > 0 {
            self.ampdu = average(self.ampdu, f64::from(self.mpdus) / f64::from(self.ppdus));
            (self.ppdus, self.mpdus) = (0, 0);
        }
        (self.samples, self.slow_samples) = (8 * self.groups.len() as u32, 0);
        let overhead = OVERHEAD as f64 / libm::floor(self.ampdu);
        for record in &mut self.records {
            if record.attempts > 0 {
                let share = f64::from(record.successes) / f64::from(record.attempts);
                record.share = Some(record.share.map_or(share, |past| average(past, share)));
                (record.attempts, record.successes, record.idle) = (0, 0, 0);
            } else {
                record.idle += 1;
            }
            let share = record.share();
            let usable = if share < HOPELESS { 0.0 } else { share.min(CAP) };
            record.throughput = usable / (overhead + record.air as f64);
        }
        for group in &mut self.groups {
            let rates = || group.rates.iter().copied();
            let best = fastest(&self.records, rates()).unwrap_or(group.rates[0]);
            let slower = rates().take_while(|&i| i != best);
            let second = fastest(&self.records, slower).unwrap_or(group.rates[0]);
            (group.best, group.second) = (best, second);
        }
        // While no rate is usable the slowest is chosen.
        let best = fastest(&self.records, self.groups.iter().map(|group| group.best)).unwrap_or(SLOWEST);
        let Record { group, throughput, .. } = self.records[best];
        // Nothing faster: what is second best is not sampled, and would never be seen to be better.
        let slower = self.groups.iter().map(|group| group.second);
        let slower = slower.chain(self.groups[..group].iter().map(|group| group.best));
        let second = fastest(&self.records, slower).unwrap_or(SLOWEST);
        if throughput > 0.0 {
            self.streams = (self.groups[group].streams - 1).max(1);
        }
        let narrow = self.groups.iter().filter(|group| group.streams <= self.streams);
        let safe = narrow.filter_map(|group| safest(&self.records, &group.rates));
        self.best = [best, second, fastest(&self.records, safe).unwrap_or(SLOWEST)];
    }

    /// The best rates have changed, or what is known of them (`minstrel_ht_update_rates`).
    fn rebuild(&mut self) {
        let stage = |place: usize| {
            let rate = self.best[place];
            let record = &self.records[rate];
            let overhead = if place == 0 { OVERHEAD } else { RESERVED_OVERHEAD };
            let fit = attempts(overhead + record.air * self.ampdu as u64);
            let attempts = if record.share() < POOR { 2 } else { fit };
            // The fallback rates (`minstrel_ht_set_rate`).
            Stage { rate, attempts, reserves: place > 0 && record.aggregates }
        };
        self.chain = Chain::of_three([stage(0), stage(1), stage(2)]);
        for rate in self.records.ids() {
            self.records[rate].worth = self.worth(rate);
        }
    }

    /// Whether a rate is worth trying beside the best ones (`minstrel_get_sample_rate`).
    fn worth(&self, rate: RateId) -> Worth {
        let record = &self.records[rate];
        if self.best.contains(&rate) || record.share() > GOOD {
            return Worth::Nothing;
        }
        let [_, second, safest] = self.best;
        let slower_than = |other: RateId| record.air >= self.records[other].air;
        let crowded = || self.groups[record.group].streams > self.streams;
        if !(slower_than(second) && (crowded() || slower_than(safest))) {
            Worth::Trying
        } else if record.idle < IDLE_INTERVALS {
            Worth::Nothing
        } else {
            Worth::Slow
        }
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
        let [best, _, safest] = self.best.map(|rate| &self.records[rate]);
        let of_bits = |bits: u64| u64::from(8 * PACKET).div_ceil(bits) * 4000;
        longest_amsdu(safest.air, safest.share(), best.share(), of_bits)
    }

    /// See `minstrel_ht_tx_status`.
    fn completed(&mut self, now: Time, chain: &Chain, attempts: u32, mpdus: u32, good: u32) {
        self.ppdus += 1;
        self.mpdus += mpdus;
        if self.wait == 0 && self.tries == 0 && self.samples > 0 {
            self.wait = 16 + 2 * self.ampdu as u32;
            self.tries = 1;
            self.samples -= 1;
        }
        for n in 0..attempts {
            self.records[chain.rate(n)].attempts += mpdus;
        }
        self.records[chain.rate(attempts - 1)].successes += good;
        let due = now >= self.update_at;
        if self.leave_the_dead() | due {
            if due {
                self.update(now);
            }
            self.rebuild();
        }
    }

    /// The rate that a packet must try, if it is its turn to try one and the rate is worth it.
    fn sample(&mut self, _: Time) -> Option<RateId> {
        if self.wait > 0 {
            self.wait -= 1;
            return None;
        }
        if self.tries == 0 {
            return None;
        }
        let rate = self.next_sample();
        match self.records[rate].worth {
            Worth::Nothing => return None,
            Worth::Slow => {
                self.slow_samples += 1;
                if self.slow_samples > SLOW_SAMPLES {
                    return None;
                }
            }
            Worth::Trying => {}
        }
        self.tries -= 1;
        Some(rate)
    }
}

fn average(past: f64, now: f64) -> f64 {
    PAST * past + (1.0 - PAST) * now
}

/// Air time of a typical packet inside an A-MPDU, or alone where there are none (`MCS_DURATION`), in nanoseconds. Rates of 802.11ac and
/// later share the symbols of an A-MPDU, as from Linux 4.1 on: of one packet the fastest would have equally many.
fn air(rate: Rate) -> u64 {
    match rate {
        Rate::Dsss(_) | Rate::Ofdm(_) => rate.airtime(PACKET).as_nanos(),
        Rate::Ht(_) => rate.symbols(PACKET).as_nanos(),
        Rate::Vht(_) | Rate::He(_) | Rate::Eht(_) => {
            rate.symbols(AMPDU * PACKET).as_nanos() / u64::from(AMPDU)
        }
    }
}

/// Of these the first with the highest throughput, if one is usable.
fn fastest(records: &IndexVec<RateId, Record>, rates: impl Iterator<Item = RateId>) -> Option<RateId> {
    let throughput = |i: RateId| records[i].throughput;
    rates.fold(None, |best, i| if throughput(i) > best.map_or(0.0, throughput) { Some(i) } else { best })
}

/// Of these the fastest that is safe or, until one is, that with the highest share.
fn safest(records: &IndexVec<RateId, Record>, rates: &[RateId]) -> Option<RateId> {
    let mut best: Option<&Record> = None;
    let mut found = None;
    for &i in rates {
        let record = &records[i];
        let (share, throughput) = best.map_or((0.0, 0.0), |best| (best.share(), best.throughput));
        let faster = record.throughput > throughput && record.share() > SAFE;
        if record.throughput > 0.0 && (faster || record.share() > share) {
            (best, found) = (Some(record), Some(i));
        }
    }
    found
}

#[cfg(test)]
#[path = "linux_3_13_tests.rs"]
mod tests;
