//! Trips of a scan that takes its time: to one channel every few seconds.

use crate::evidence::Evidence;
use airloom_trace::Doze;

/// The shortest and the longest trip in nanoseconds: a passive scan stays for a beacon interval and a bit, an active one for 20 ms and
/// more (Linux `net/mac80211/scan.c`: IEEE80211_PASSIVE_CHANNEL_TIME, IEEE80211_CHANNEL_TIME).
pub(crate) const TRIP: std::ops::RangeInclusive<u64> = 10_000_000..=500_000_000;
/// The longest time at home between two trips of one scan, in nanoseconds.
pub(crate) const HOME: u64 = 2_000_000_000;
/// The same between two trips of a slow scan, and how far from equal the times from one to the next may be, as a part of them.
const SLOW_HOME: u64 = 10_000_000_000;
const EVEN: f64 = 0.05;
/// The fewest trips that are a scan.
pub(crate) const FEWEST: usize = 3;
/// How much longer than its neighbour a trip may be, and the share of trips that is as near. Of dozes of any length one in five is.
pub(crate) const ALIKE: f64 = 0.2;
pub(crate) const STEADY: f64 = 0.6;

/// A scan that goes to one channel every few seconds, beside scans that go through all of them at once.
#[derive(Debug, PartialEq)]
pub(crate) struct SlowScan {
    trips: usize,
    away_ns: u64,
    every_ns: u64,
    span_ns: (u64, u64),
}

impl SlowScan {
    /// The longest slow scan of a station outside of its scans: spells that come at equal times of seconds, most of them as long as their neighbours, with probe
    /// requests in at least three. A timer that looks for networks makes them so; what dozes does not ask for networks.
    pub(crate) fn beside(scans: &[Vec<&Doze>], dozes: &[Doze]) -> Option<Self> {
        let is_outside = |doze: &&Doze| {
            TRIP.contains(&doze.length_ns())
                && doze.frames == 0
                && !scans.iter().flatten().any(|trip| trip.from_ns == doze.from_ns)
        };
        let spells: Vec<&Doze> = dozes.iter().filter(is_outside).collect();
        let runs = spells.chunk_by(|one, next| next.from_ns.saturating_sub(one.to_ns) <= SLOW_HOME);
        runs.filter_map(slow_run).max_by_key(|run| run.trips)
    }

    /// What it is, behind what is said of the others.
    pub(crate) fn says(&self, evidence: &Evidence) -> String {
        let (from, to) = self.span_ns;
        format!(
            " Besides, from {:.1} to {:.1} s it goes to one channel every {:.1} s: {} trips, {:.0} ms away in each on average.",
            evidence.seconds(from),
            evidence.seconds(to),
            self.every_ns as f64 / 1e9,
            self.trips,
            self.away_ns as f64 / 1e6 / self.trips as f64,
        )
    }
}

fn slow_run(run: &[&Doze]) -> Option<SlowScan> {
    let mut every: Vec<_> =
        run.windows(2).map(|pair| pair[1].from_ns.saturating_sub(pair[0].from_ns)).collect();
    every.sort_unstable();
    let usual = *every.get(every.len() / 2)?;
    let is_even = |&&one: &&u64| one.abs_diff(usual) as f64 <= EVEN * usual as f64;
    let is_most = |part: usize| part as f64 >= STEADY * every.len() as f64;
    let asks = run.iter().filter(|trip| trip.probes > 0).count();
    let is_slow = asks >= FEWEST && usual > HOME && is_most(every.iter().filter(is_even).count());
    (is_slow && is_most(alike_pairs(run))).then(|| SlowScan {
        trips: run.len(),
        away_ns: run.iter().map(|trip| trip.length_ns()).sum(),
        every_ns: usual,
        span_ns: (run[0].from_ns, run[run.len() - 1].to_ns),
    })
}

/// Of how many spells the next is about as long.
pub(crate) fn alike_pairs(spells: &[&Doze]) -> usize {
    let pairs = spells.windows(2).map(|pair| (pair[0].length_ns() as f64, pair[1].length_ns() as f64));
    pairs.filter(|(one, other)| one.max(*other) <= (1.0 + ALIKE) * one.min(*other)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spells that begin at these times, with their lengths in milliseconds and how many probe requests are in them.
    fn told(spells: &[(u64, u64, u32)]) -> Option<SlowScan> {
        let doze = |&(at_ms, long_ms, probes): &(u64, u64, u32)| Doze {
            to_ns: (at_ms + long_ms) * 1_000_000,
            probes,
            ..Doze::begun(at_ms * 1_000_000, 0)
        };
        SlowScan::beside(&[], &spells.iter().map(doze).collect::<Vec<_>>())
    }

    /// `wpa-test-decode.pcap.gz` of Wireshark's tests from 132.8 s on: 00:1b:77:2f:93:04.
    #[test]
    fn a_scan_that_goes_to_one_channel_every_few_seconds_is_told() {
        let spells = [
            (132_811, 50, 3),
            (135_933, 33, 0),
            (139_061, 49, 6),
            (142_183, 48, 3),
            (145_304, 48, 0),
            (148_425, 44, 0),
        ];
        let found = told(&spells).expect("a slow scan");
        assert_eq!((found.trips, found.every_ns), (6, 3_122_000_000));
    }

    #[test]
    fn spells_without_requests_or_at_times_of_any_kind_are_no_scan() {
        let at = [0, 3_100, 6_200, 9_300, 12_400];
        assert_eq!(told(&at.map(|at| (at, 48, 0))), None, "dozes may come at equal times");
        assert_eq!(told(&[0, 2_500, 9_000, 12_100, 20_000].map(|at| (at, 48, 3))), None);
        assert_eq!(told(&[(0, 20, 1), (3_100, 48, 1), (6_200, 90, 1), (9_300, 30, 1)]), None);
    }
}
