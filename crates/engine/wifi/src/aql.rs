//! Airtime queue limits: how much mac80211 lets a driver hold (AQL; `ieee80211_txq_airtime_check()`,
//! `ieee80211_txq_schedule_airtime_check()` and `ieee80211_sta_update_pending_airtime()` in net/mac80211, Linux 6.18).
//!
//! What a driver has taken and not yet reported is pending, by the estimate that was made as it was taken: for each receiver and
//! category, for each category and for the device. A receiver may be given more while less than the low limit is pending for it; or
//! less than the high one, if less than the threshold is pending for the device. So the last packet goes over the limit.

use crate::airtime_estimate::AirtimeEstimate;
use crate::category::{Category, PerCategory};
use crate::id::PeerId;
use airloom_rate::Rate;
use airloom_sim::{Duration, Handle, IndexVec};

/// The limits, the same for every category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aql {
    /// What may be pending for a receiver in a category, whatever is pending for others.
    pub low: Duration,
    /// What may be pending for a receiver in a category while the device has less than the threshold.
    pub high: Duration,
    /// What may be pending for all receivers and categories before the low limit applies.
    pub threshold: Duration,
}

impl Aql {
    /// Those of Linux (`IEEE80211_DEFAULT_AQL_TXQ_LIMIT_L`, `IEEE80211_DEFAULT_AQL_TXQ_LIMIT_H` and `IEEE80211_AQL_THRESHOLD`,
    /// include/net/cfg80211.h).
    pub const LINUX: Self = Self {
        low: Duration::from_millis(5),
        high: Duration::from_millis(12),
        threshold: Duration::from_millis(24),
    };
}

/// Units of a packet's estimate, in microseconds, and the most of them: ten bits (`ieee80211_info_set_tx_time_est()`).
const UNIT: u32 = 4;
const MOST_UNITS: u32 = (1 << 10) - 1;

/// What a device's driver holds, as mac80211 estimates it, in microseconds.
pub(crate) struct Pending {
    limits: Aql,
    receivers: IndexVec<PeerId, Receiver>,
    categories: PerCategory<u32>,
    all: u32,
    /// Units of the packets that are pending, by their handles.
    units: Vec<u16>,
}

/// What is known of a receiver.
#[derive(Clone, Copy, Default)]
struct Receiver {
    pending: PerCategory<u32>,
    /// What a packet costs at the last rate that was reported; nothing before there was a report.
    estimate: Option<AirtimeEstimate>,
}

impl Pending {
    /// From now on these limits hold, also of what is pending.
    pub(crate) fn set_limits(&mut self, limits: Aql) {
        self.limits = limits;
    }

    /// Nothing is pending.
    pub(crate) fn new(limits: Aql) -> Self {
        let (receivers, categories) = (IndexVec::default(), PerCategory::default());
        Self { limits, receivers, categories, all: 0, units: Vec::new() }
    }

    /// Whether `peer` may be given another packet of a category.
    pub(crate) fn allows(&self, peer: PeerId, category: Category) -> bool {
        let pending = self.receivers.get(peer).map_or(0, |receiver| receiver.pending[category]);
        let below = |limit: Duration| Duration::from_micros(pending.into()) < limit;
        let Aql { low, high, threshold } = self.limits;
        below(low) || Duration::from_micros(self.all.into()) < threshold && below(high)
    }

    /// Whether a round begins in which each of the TIDs that wait in a category is given what its limit lets it have.
    pub(crate) fn begins(&self, category: Category, waiting: usize) -> bool {
        let Aql { low, high, .. } = self.limits;
        let others = waiting.saturating_sub(1) as u64;
        Duration::from_micros(self.categories[category].into()) < low * others / 2 + high
    }

    /// The driver takes a packet, which makes a frame of so many bytes without FCS.
    pub(crate) fn take(&mut self, (peer, category): (PeerId, Category), packet: Handle, bytes: u32) {
        let receiver = self.receivers.grown_to(peer);
        let aggregates = category != Category::Voice;
        let estimate = receiver.estimate.map_or(0, |estimate| estimate.expected(bytes, aggregates));
        let units = (estimate / UNIT).min(MOST_UNITS);
        receiver.pending[category] += units * UNIT;
        self.categories[category] += units * UNIT;
        self.all += units * UNIT;
        let place = packet.0 as usize;
        if self.units.len() <= place {
            self.units.resize(place + 1, 0);
        }
        self.units[place] = units as u16;
    }

    /// The driver has finished with a packet that it took.
    pub(crate) fn settle(&mut self, (peer, category): (PeerId, Category), packet: Handle) {
        let airtime = u32::from(std::mem::take(&mut self.units[packet.0 as usize])) * UNIT;
        self.receivers[peer].pending[category] -= airtime;
        self.categories[category] -= airtime;
        self.all -= airtime;
    }

    /// The driver has reported a PPDU to `peer` at this rate.
    pub(crate) fn reported(&mut self, peer: PeerId, rate: Rate) {
        self.receivers.grown_to(peer).estimate = Some(AirtimeEstimate::of(rate));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_rate::{GuardInterval, Ht, Width};
    use airloom_sim::Index;
    use proptest::prelude::*;

    /// A packet of 1,500 bytes lasts 41 us at it, and one of the 44 us around them.
    const FAST: Rate = Rate::Ht(Ht { mcs: 15, width: Width::Mhz40, guard: GuardInterval::Ns400 });
    /// The same lasts 1,954 us at it.
    const SLOW: Rate = Rate::Ht(Ht { mcs: 0, width: Width::Mhz20, guard: GuardInterval::Ns800 });
    const BYTES: u32 = 1534;
    const OF: Category = Category::BestEffort;

    fn peer(n: usize) -> PeerId {
        PeerId::new(n)
    }

    /// Takes as many packets as a peer may be given, from the one of this handle on; how many they are.
    fn fill(pending: &mut Pending, n: usize, first: u32) -> u32 {
        let takes = |&taken: &u32| {
            let allowed = pending.allows(peer(n), OF);
            if allowed {
                pending.take((peer(n), OF), Handle(first + taken), BYTES);
            }
            allowed
        };
        (0..5000).take_while(takes).count() as u32
    }

    fn at(rates: &[Rate]) -> Pending {
        let mut pending = Pending::new(Aql::LINUX);
        rates.iter().enumerate().for_each(|(n, &rate)| pending.reported(peer(n), rate));
        pending
    }

    /// 12 ms of packets of 40 us, since a unit is 4 us; of 1,952 us; then the third, beyond 24 ms, has the low limit.
    #[test]
    fn a_receiver_alone_has_the_high_limit_and_many_have_the_low_one() {
        let mut pending = at(&[FAST, SLOW, FAST]);
        assert_eq!([fill(&mut pending, 0, 0), fill(&mut pending, 1, 1000)], [300, 7]);
        assert_eq!(pending.all, 300 * 40 + 7 * 1952);
        assert_eq!(fill(&mut pending, 2, 2000), 125);
    }

    #[test]
    fn categories_are_apart_and_voice_is_taken_to_travel_alone() {
        let mut pending = at(&[FAST]);
        fill(&mut pending, 0, 0);
        assert!(!pending.allows(peer(0), OF) && pending.allows(peer(0), Category::Voice));
        pending.take((peer(0), Category::Voice), Handle(1000), BYTES);
        assert_eq!(pending.categories[Category::Voice], 84, "41 + 44 us, in units of 4");
        pending.settle((peer(0), Category::Voice), Handle(1000));
        assert_eq!((pending.categories[Category::Voice], pending.all), (0, 12_000));
    }

    #[test]
    fn before_there_is_a_report_nothing_limits() {
        let mut pending = Pending::new(Aql::LINUX);
        assert_eq!(fill(&mut pending, 0, 0), 5000);
        pending.reported(peer(0), SLOW);
        (0..5000).for_each(|n| pending.settle((peer(0), OF), Handle(n)));
        assert_eq!((pending.all, fill(&mut pending, 0, 0)), (0, 7));
    }

    #[test]
    fn ten_bits_bound_a_packet() {
        let mut pending = at(&[SLOW]);
        pending.take((peer(0), OF), Handle(0), 7935);
        assert_eq!(pending.all, 4092);
    }

    /// The high limit, and half a low one for each but the first.
    #[test]
    fn a_round_begins_while_the_radio_holds_little() {
        let mut pending = at(&[SLOW, SLOW]);
        fill(&mut pending, 0, 0);
        assert!(!pending.begins(OF, 1) && pending.begins(OF, 2) && pending.begins(Category::Video, 1));
        fill(&mut pending, 1, 100);
        assert!(!pending.begins(OF, 6) && pending.begins(OF, 8), "25.4 ms");
    }

    proptest! {
        /// However packets come and go and rates change, what is pending is the sum of what has not been settled, and no receiver
        /// is over its limit by more than one packet.
        #[test]
        fn what_is_pending_is_what_is_held(
            steps in prop::collection::vec((0..3usize, any::<bool>(), any::<bool>(), 40..1600u32), 1..800),
        ) {
            let mut pending = at(&[FAST, FAST, SLOW]);
            let mut held: Vec<Vec<u32>> = vec![Vec::new(); 3];
            let mut free: Vec<u32> = (0..1000).collect();
            for (n, takes, slow, bytes) in steps {
                if takes {
                    for _ in 0..20 {
                        let Some(handle) = free.pop_if(|_| pending.allows(peer(n), OF)) else { break };
                        pending.take((peer(n), OF), Handle(handle), bytes);
                        held[n].push(handle);
                    }
                } else {
                    let half = held[n].len().div_ceil(2);
                    let gone: Vec<u32> = held[n].drain(..half).collect();
                    gone.iter().for_each(|&handle| pending.settle((peer(n), OF), Handle(handle)));
                    free.extend(gone);
                    pending.reported(peer(n), if slow { SLOW } else { FAST });
                }
                let sums = held.iter().map(|of| {
                    of.iter().map(|&handle| u32::from(pending.units[handle as usize]) * UNIT).sum::<u32>()
                });
                let sums: Vec<u32> = sums.collect();
                for (n, &sum) in sums.iter().enumerate() {
                    prop_assert_eq!(pending.receivers[peer(n)].pending[OF], sum);
                    prop_assert!(sum < 12_000 + UNIT * MOST_UNITS);
                }
                prop_assert_eq!(pending.all, sums.iter().sum::<u32>());
                prop_assert_eq!(pending.categories[OF], pending.all);
            }
        }
    }
}
