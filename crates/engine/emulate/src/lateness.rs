//! How late packets were handed out, and whether a run in real time may be believed.

use airloom_sim::{Duration, Time};
use hdrhistogram::Histogram;
use schemars::JsonSchema;
use serde::Serialize;

/// Deliveries that are no later than this at the 99th percentile are in time whatever is carried: a tenth of a Wi-Fi's shortest
/// round trips.
const IN_TIME: Duration = Duration::from_micros(200);
/// What a sender may have in flight at once without asking for more: an A-MPDU of 64 KiB (802.11-2020 table 9-34). At a rate at
/// which the usual delay is as long as that takes, it shapes the traffic.
const BURST_BITS: f64 = 8.0 * 65_536.0;
/// A machine that stands still for so long makes TCP's timers expire (`TCP_RTO_MIN` of Linux).
const TIMEOUT: Duration = Duration::from_millis(200);
/// A wait that ended so much later than asked is a stall of the machine.
const STALL: Duration = Duration::from_millis(1);
/// Rates are taken over spells of this length.
const SPELL: Duration = Duration::from_millis(100);
/// The worst deliveries that are kept.
const WORST: usize = 10;

/// Whether what a run in real time measured may be believed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimingVerdict {
    /// Deliveries were in time.
    Valid,
    /// They were late, but not for what was carried: rates below `valid_below_mbps` are right.
    ValidBelow,
    /// They were too late for what was carried, or the machine stood still for so long that timers expired.
    Invalid,
}

/// What is counted of a run in real time.
#[derive(Clone, Debug)]
pub struct Lateness {
    /// Of deliveries, in microseconds.
    late: Histogram<u64>,
    worst: Vec<(Duration, Time)>,
    put: u64,
    refused: u64,
    lost: u64,
    connections: (u64, u64),
    stalls: u64,
    longest_stall: Duration,
    /// Bits in the spell of this number, and the most in any.
    spell: (u64, f64),
    most: f64,
}

/// The timing of a run, for people and programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// Whether to believe it.
    pub verdict: TimingVerdict,
    /// Of a run that is valid for some rates only: below what, in Mbit/s.
    pub valid_below_mbps: Option<f64>,
    /// The highest rate at which packets were handed out, over 100 ms, in Mbit/s of IP packets.
    pub peak_mbps: f64,
    /// Packets that hosts sent, and those that were no IPv4 packets and went nowhere.
    pub put: u64,
    /// See `put`.
    pub refused: u64,
    /// Packets that arrived, and those that the simulated network lost.
    pub delivered: u64,
    /// See `delivered`.
    pub lost: u64,
    /// TCP connections that carried data, one for each way: those that are flows, and those that are not since they are too many.
    pub connections: u64,
    /// See `connections`.
    pub connections_beyond: u64,
    /// Lateness of deliveries in us: half of them, 99 %, 99.9 %, all are no later.
    pub late_us: [u64; 4],
    /// How many deliveries were later than the bound before and no later than this one, in us.
    pub histogram: Vec<(u64, u64)>,
    /// The worst: when they were due in seconds, and how late they were in us.
    pub worst: Vec<(f64, f64)>,
    /// Waits that ended more than 1 ms late, and the longest, in ms.
    pub stalls: u64,
    /// See `stalls`.
    pub longest_stall_ms: f64,
}

impl Timing {
    /// The same as JSON, with the name and the version of its schema.
    pub fn to_json(&self) -> String {
        let mut value = serde_json::to_value(self).expect("numbers and words");
        value["schema"] = "airloom-timing/1".into();
        format!("{value:#}\n")
    }
}

impl Default for Lateness {
    fn default() -> Self {
        Self {
            late: Histogram::new(2).expect("two digits are allowed"),
            worst: Vec::new(),
            put: 0,
            refused: 0,
            lost: 0,
            connections: (0, 0),
            stalls: 0,
            longest_stall: Duration::ZERO,
            spell: (0, 0.0),
            most: 0.0,
        }
    }
}

impl Lateness {
    /// A packet that was due was handed out, with so many bytes.
    pub(crate) fn delivered(&mut self, due: Time, now: Time, bytes: usize) {
        let late = now.since(due);
        self.late.record(late.as_nanos() / 1000).expect("it grows with its greatest value");
        if self.worst.len() < WORST || self.worst.last().is_some_and(|least| late > least.0) {
            self.worst.push((late, due));
            self.worst.sort_by(|a, b| b.cmp(a));
            self.worst.truncate(WORST);
        }
        let spell = due.as_nanos() / SPELL.as_nanos();
        if spell != self.spell.0 {
            self.spell = (spell, 0.0);
        }
        self.spell.1 += 8.0 * bytes as f64;
        self.most = self.most.max(self.spell.1);
    }

    /// A host sent a packet, which the world took or refused.
    pub(crate) fn put(&mut self, taken: bool) {
        self.put += 1;
        self.refused += u64::from(!taken);
    }

    /// So many packets were lost on their way.
    pub(crate) fn lost(&mut self, packets: u64) {
        self.lost = packets;
    }

    /// So many connections carried data, and so many beyond them.
    pub(crate) fn connections(&mut self, counts: (u64, u64)) {
        self.connections = counts;
    }

    /// A wait ended that should have ended by a time.
    pub(crate) fn woke(&mut self, until: Time, now: Time) {
        let over = now.since(until);
        self.stalls += u64::from(over > STALL);
        self.longest_stall = self.longest_stall.max(over);
    }

    /// What came of it.
    pub fn timing(&self) -> Timing {
        let at = |share: f64| self.late.value_at_quantile(share);
        let p99 = Duration::from_micros(at(0.99));
        let below = BURST_BITS / p99.as_secs_f64().max(1e-9) / 1e6;
        let peak = self.most / SPELL.as_secs_f64() / 1e6;
        let worst = self.worst.first().map_or(Duration::ZERO, |worst| worst.0);
        let stood = self.longest_stall.max(worst) >= TIMEOUT;
        let verdict = match () {
            () if stood => TimingVerdict::Invalid,
            () if p99 <= IN_TIME => TimingVerdict::Valid,
            () if peak <= below => TimingVerdict::ValidBelow,
            () => TimingVerdict::Invalid,
        };
        let steps = self.late.iter_log(20, 2.0).filter(|step| step.count_since_last_iteration() > 0);
        Timing {
            verdict,
            valid_below_mbps: (verdict == TimingVerdict::ValidBelow).then_some(below),
            peak_mbps: peak,
            put: self.put,
            refused: self.refused,
            delivered: self.late.len(),
            lost: self.lost,
            connections: self.connections.0,
            connections_beyond: self.connections.1,
            late_us: [at(0.5), at(0.99), at(0.999), self.late.max()],
            histogram: steps
                .map(|step| (step.value_iterated_to(), step.count_since_last_iteration()))
                .collect(),
            worst: self
                .worst
                .iter()
                .map(|(late, due)| (due.as_secs_f64(), late.as_nanos() as f64 / 1000.0))
                .collect(),
            stalls: self.stalls,
            longest_stall_ms: self.longest_stall.as_nanos() as f64 / 1e6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packets of 1500 bytes, each so many us after the one before and handed out so late.
    fn timing(apart: u64, late: u64) -> Timing {
        let mut lateness = Lateness::default();
        for n in 0..10_000 {
            let due = Time::ZERO + Duration::from_micros(n * apart);
            lateness.delivered(due, due + Duration::from_micros(late), 1500);
        }
        lateness.timing()
    }

    #[test]
    fn what_is_in_time_is_valid_at_any_rate() {
        assert_eq!(timing(10, 150).verdict, TimingVerdict::Valid);
        assert!((timing(10, 150).peak_mbps - 1200.0).abs() < 1.0);
    }

    #[test]
    fn what_is_late_is_valid_at_low_rates_only() {
        // 12 Mbit/s; 10 ms are as long as 64 KiB take at 52 Mbit/s.
        let slow = timing(1000, 10_000);
        assert_eq!(slow.verdict, TimingVerdict::ValidBelow);
        assert!(slow.valid_below_mbps.is_some_and(|below| (50.0..55.0).contains(&below)), "{slow:?}");
        assert_eq!(timing(100, 10_000).verdict, TimingVerdict::Invalid);
    }

    #[test]
    fn one_stall_that_timers_notice_makes_it_invalid() {
        let mut lateness = Lateness::default();
        lateness.woke(Time::ZERO, Time::ZERO + Duration::from_millis(250));
        assert_eq!(lateness.timing().verdict, TimingVerdict::Invalid);
        assert_eq!(lateness.timing().stalls, 1);
    }

    #[test]
    fn every_delivery_is_in_the_histogram() {
        assert_eq!(timing(10, 150).histogram.iter().map(|step| step.1).sum::<u64>(), 10_000);
        assert_eq!(timing(10, 150).worst.len(), WORST);
    }
}
