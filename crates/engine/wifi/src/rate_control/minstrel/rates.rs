//! What Minstrel-HT since Linux 5.12 knows of rates: the share of MPDUs that get through at each, how much it carries by that, and which are the
//! best and the safest.

use super::{AMPDU, OVERHEAD, PACKET, RESERVED_OVERHEAD};
use crate::id::RateId;
use airloom_rate::{GuardInterval, Rate};
use airloom_sim::{Index, IndexVec};
use std::cmp::Reverse;

/// Bits behind the point of a share (`MINSTREL_SCALE`).
const SCALE: u32 = 12;
/// The whole.
pub(super) const ONE: u32 = share(1, 1);
/// Weights of the filter, for what is new, its last output and the one before (`MINSTREL_AVG_COEFF1` to `3`): a pole pair with a period of 16.
const FILTER: [i64; 3] = [ONE as i64 - 0x1499 + 0x92e, 0x1499, -0x92e];
/// Attempts by which a rate can be seen to have died within an interval.
const SEEN: u32 = 30;
/// Rates of a chain before the safest, and of the best of a group (`MAX_THR_RATES`).
pub(super) const BEST: usize = 4;

/// A share in parts of [`ONE`] (`MINSTREL_FRAC`).
pub(super) const fn share(part: u32, of: u32) -> u32 {
    (((part as u64) << SCALE) / of as u64) as u32
}

/// What is known of a rate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Record {
    pub(super) attempts: u32,
    pub(super) successes: u32,
    /// It was tried once.
    tried: bool,
    /// The filter's last output, the share of MPDUs that get through, and the one before.
    share: u32,
    before: u32,
    /// Air time of a typical packet in an A-MPDU, or alone below HT, in nanoseconds.
    air: u64,
    /// What it carries by that, once an interval is over; zero if it is not usable.
    throughput: u64,
    /// Its group.
    pub(super) group: usize,
}

/// Rates of one width, guard interval and number of streams; below HT of one modulation.
pub(super) struct Group {
    pub(super) streams: u32,
    /// Its rates, slowest first.
    pub(super) rates: Vec<RateId>,
    /// Those with the best throughput, best first.
    pub(super) best: [RateId; BEST],
    safest: RateId,
}

/// All rates with what is known of them.
pub(super) struct Rates {
    pub(super) records: IndexVec<RateId, Record>,
    pub(super) groups: Vec<Group>,
    /// They aggregate.
    aggregate: bool,
    /// The group behind which the search for samples begins.
    pub(super) before_first: usize,
    /// Air time that a PPDU costs beyond its data, plain and with RTS and CTS, in nanoseconds.
    pub(super) overhead: [u64; 2],
    /// MPDUs of an A-MPDU on average, in parts of [`ONE`].
    pub(super) ampdu: u32,
}

impl Rates {
    pub(super) fn new(rates: &[Rate]) -> Self {
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
    pub(super) fn ampdu(&self) -> u64 {
        if self.aggregate { u64::from(self.ampdu >> SCALE).max(1) } else { 1 }
    }

    /// What a rate carries, as far as is known; zero if it is not usable.
    fn throughput(&self, rate: RateId) -> u64 {
        self.records[rate].throughput
    }

    /// An interval is over: finds the best rates of all, and each group's (`minstrel_ht_update_stats`).
    pub(super) fn average(&mut self) -> [RateId; BEST] {
        let mut best = [self.groups[0].rates[0]; BEST];
        let overhead = self.overhead[0] / self.ampdu();
        for group in 0..self.groups.len() {
            let slowest = self.groups[group].rates[0];
            // The others are compared with it before its turn comes.
            self.records[slowest].value(overhead);
            let mut of_group = [slowest; BEST];
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
                record.value(overhead);
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
    pub(super) fn safest(&mut self, best: RateId) -> RateId {
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

    /// Works out what the rate carries if a packet has this part of a PPDU's overhead. Shares above 90 % count alike: the rest says more about
    /// collisions than about the rate (`minstrel_ht_get_tp_avg`).
    fn value(&mut self, overhead: u64) {
        self.throughput = if self.share < share(10, 100) {
            0
        } else {
            let known = u64::from(self.share.min(share(90, 100)));
            (100 * (known * 1_000_000 / (overhead + self.air))) >> SCALE
        };
    }

    pub(super) fn has_died(&self) -> bool {
        self.attempts > SEEN && self.successes < self.attempts / 4
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
        Rate::Ht(_) | Rate::Vht(_) | Rate::He(_) | Rate::Eht(_) => {
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
