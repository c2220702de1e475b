//! Times in which a monitor heard nothing of anybody.

use crate::Capped;
use crate::frame::Beacon;
use airloom_wire::MacAddr;
use std::collections::BTreeMap;

/// A time unit of 1024 us, in nanoseconds (802.11-2020 clause 3.1).
const TU: u64 = 1_024_000;
/// Times between two frames that are looked at, in nanoseconds: three of the usual beacon intervals, of 100 time units.
const LEAST: u64 = 300 * TU;
/// The most access points whose beacons are counted.
const MOST: usize = 256;
/// Fewer beacons say nothing of how regularly they are heard; nor do fewer of those that were due than this share.
const FEWEST: u64 = 20;
const REGULAR: f64 = 0.8;
/// At least so many beacons in a row are missing; and so many that this comes by chance in one capture of so many.
const IN_A_ROW: f64 = 4.0;
const BY_CHANCE: f64 = 0.01;
/// The least share of beacons that is taken to be missed by chance.
const MISSED: f64 = 0.01;

/// Times without any frame, and how regularly beacons come else.
#[derive(Debug, Default)]
pub(super) struct Quiet {
    last_ns: Option<u64>,
    gaps: Capped<(u64, u64), 1024>,
    beacons: BTreeMap<MacAddr, Beats>,
}

/// The beacons of an access point.
#[derive(Debug)]
struct Beats {
    heard: u64,
    span_ns: (u64, u64),
    interval_ns: u64,
}

impl Quiet {
    /// Takes a frame of any kind.
    pub(super) fn heard(&mut self, at_ns: u64) {
        let last_ns = self.last_ns.unwrap_or(at_ns);
        if at_ns.saturating_sub(last_ns) >= LEAST {
            self.gaps.push((last_ns, at_ns));
        }
        self.last_ns = Some(last_ns.max(at_ns));
    }

    /// Takes a beacon.
    pub(super) fn beacon(&mut self, at_ns: u64, bssid: MacAddr, beacon: &Beacon) {
        if self.beacons.len() == MOST && !self.beacons.contains_key(&bssid) {
            return;
        }
        let first = Beats { heard: 0, span_ns: (at_ns, at_ns), interval_ns: 0 };
        let beats = self.beacons.entry(bssid).or_insert(first);
        beats.heard += 1;
        beats.span_ns.1 = beats.span_ns.1.max(at_ns);
        beats.interval_ns = u64::from(beacon.interval) * TU;
    }

    /// The times in which nothing was heard, not one of the beacons that are heard else, too many in a row for chance: in their order.
    pub(super) fn spells(&self) -> Vec<(u64, u64)> {
        let Some(beats) = self.beacons.values().max_by_key(|beats| beats.heard) else { return Vec::new() };
        let (first, last) = beats.span_ns;
        let within = || self.gaps.kept().iter().filter(|&&(from, to)| first <= from && to <= last);
        let gaps: u64 = within().map(|(from, to)| to - from).sum();
        let due = (last - first).saturating_sub(gaps) as f64 / beats.interval_ns.max(TU) as f64;
        if beats.heard < FEWEST || (beats.heard as f64) < REGULAR * due {
            return Vec::new();
        }
        let missed = (1.0 - beats.heard as f64 / due).max(MISSED);
        let row = libm::ceil(libm::log(BY_CHANCE / beats.heard as f64) / libm::log(missed)).max(IN_A_ROW);
        let long = ((row + 1.0) * beats.interval_ns as f64) as u64;
        within().filter(|(from, to)| to - from >= long).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;
    const AP: MacAddr = MacAddr([2, 0, 0, 0, 0, 8]);

    /// The spells in ms where of 200 beacons those are not heard for which this says so.
    fn spells(is_missed: impl Fn(u64) -> bool) -> Vec<[u64; 2]> {
        let beacon = Beacon {
            timer_us: 0,
            interval: 100,
            dtim: false,
            short_slot: false,
            width_mhz: 20,
            ampdu_octets: None,
            indicates: false,
            waiting: 0,
            ssid: None,
            switch: None,
        };
        let mut quiet = Quiet::default();
        for number in (0..200).filter(|&number| !is_missed(number)) {
            quiet.heard(number * 100 * TU);
            quiet.beacon(number * 100 * TU, AP, &beacon);
        }
        quiet.spells().iter().map(|&(from, to)| [from, to].map(|at| at / MS)).collect()
    }

    #[test]
    fn many_beacons_missing_in_a_row_among_many_that_are_heard_are_no_chance() {
        assert_eq!(spells(|number| (50..60).contains(&number)), [[5017, 6144]]);
        assert_eq!(spells(|number| (50..53).contains(&number)), [[0; 2]; 0], "three may be missed");
        assert_eq!(spells(|number| number % 3 > 0), [[0; 2]; 0], "most are missed everywhere");
        // Four are no chance where none is missed else, and one where a fifth is.
        assert_eq!(spells(|number| (52..56).contains(&number)), [[5222, 5734]]);
        let fifth = |number| number % 5 == 0 || (52..56).contains(&number);
        assert_eq!(spells(fifth), [[0; 2]; 0]);
        assert_eq!(spells(|number| number >= 150), [[0; 2]; 0], "the capture ends");
    }
}
