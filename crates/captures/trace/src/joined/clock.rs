//! How one capture's clock differs from another's, by the packets that both have.

use super::hull::{Line, below};
use super::sample::Shared;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// No clock drifts faster, nor is one that is being set (Linux's `adjtimex` slews by 500 ppm at most): in nanoseconds over seconds.
const STEEPEST: f64 = 500_000.0;
/// Stamps of an operating system are as exact as this, in nanoseconds: what differs by less is no drift.
const EXACT: f64 = 200_000.0;
/// Fewer packets a way say little.
const MIN_PACKETS: usize = 8;

/// The clock of a capture against that of a first one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// A stamp of the second capture, from which on time is counted here.
    from_ns: u64,
    /// How far it is ahead, in nanoseconds over seconds of its own.
    ahead: Line,
    /// How far its true difference may be from this, either way, in nanoseconds. Half of the shortest time to the other place
    /// and back.
    within_ns: f64,
}

/// A packet's way between the places of two captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// It passes the first, then the second.
    There,
    /// It passes the second, then the first.
    Back,
}

impl Clock {
    /// From what both captures have; none if it is too little, or goes one way only.
    ///
    /// A packet takes time, so the stamps of those that come from the first place show the second clock too far ahead, and those of
    /// packets that go there show it too far behind: the difference lies between the lines nearest to both. Where a difference
    /// that does not change agrees with them, but for what stamps are worth, the clocks run alike; where none at all does, they are
    /// the same.
    pub fn between(shared: &[Shared]) -> Option<Self> {
        let from_ns = shared.first()?.at_ns[1];
        let base = shared[0].difference();
        let ways = ways(shared);
        let points = |way: Way, sign: f64| -> Vec<[f64; 2]> {
            let of_way = shared.iter().filter(|one| ways.get(&one.ends) == Some(&way));
            let mut points: Vec<_> = of_way
                .map(|one| {
                    let since = one.at_ns[1].wrapping_sub(from_ns) as i64;
                    [since as f64 / 1e9, sign * one.difference().wrapping_sub(base) as f64]
                })
                .collect();
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            points
        };
        let (above, below_it) = (points(Way::There, 1.0), points(Way::Back, -1.0));
        if above.len() < MIN_PACKETS || below_it.len() < MIN_PACKETS {
            return None;
        }
        let level = |points: &[[f64; 2]], slope: f64| {
            points.iter().map(|point| slope.mul_add(-point[0], point[1])).fold(f64::INFINITY, f64::min)
        };
        let wait = |line: Line, points: &[[f64; 2]]| {
            points.iter().map(|point| point[1] - line.at(point[0])).sum::<f64>() / points.len() as f64
        };
        let between = |slope: f64| (-level(&below_it, -slope), level(&above, slope));
        // The side on which packets wait less shows the slope better.
        let sides = [(&above, 1.0), (&below_it, -1.0)]
            .map(|(points, sign)| below(points).map(|line| (wait(line, points), sign * line.slope, points)));
        let [there, back] = sides;
        let (waited, slope, points) = there.into_iter().chain(back).min_by(|a, b| a.0.total_cmp(&b.0))?;
        let (low, high) = between(0.0);
        let upright = Line { at_zero: level(points, 0.0), slope: 0.0 };
        let more = wait(upright, points) - waited;
        let alike = low <= high + EXACT && more <= EXACT.max((high - low) / 4.0);
        let slope = if alike || slope.abs() > STEEPEST { 0.0 } else { slope };
        let (low, high) = between(slope);
        let within_ns = (high - low).abs() / 2.0 + if alike { more.max(0.0) } else { 0.0 };
        let middle = f64::midpoint(low, high) + base as f64;
        let same = alike && middle.abs() <= within_ns;
        let at_zero = if same { 0.0 } else { middle };
        Some(Self { from_ns, ahead: Line { at_zero, slope }, within_ns })
    }

    /// From what two captures heard at once, such as two monitors a beacon; none if it is too little.
    ///
    /// Stamps are late now and then, as a host is busy, in either capture: medians, of a first and of a last third, do not mind.
    pub fn at_once(heard: &[Shared]) -> Option<Self> {
        if heard.len() < MIN_PACKETS {
            return None;
        }
        let (from_ns, base) = (heard[0].at_ns[1], heard[0].difference());
        let median = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let since = |one: &Shared| one.at_ns[1].wrapping_sub(from_ns) as i64 as f64 / 1e9;
        let more = |one: &Shared| one.difference().wrapping_sub(base) as f64;
        let third = heard.len().div_ceil(3);
        let [first, last] = [&heard[..third], &heard[heard.len() - third..]]
            .map(|part| [median(part.iter().map(since).collect()), median(part.iter().map(more).collect())]);
        let slope = (last[1] - first[1]) / (last[0] - first[0]);
        let drifts = (last[1] - first[1]).abs() > EXACT && slope.abs() <= STEEPEST;
        let slope = if drifts { slope } else { 0.0 };
        let rest = |one: &Shared| slope.mul_add(-since(one), more(one));
        let middle = median(heard.iter().map(rest).collect());
        let within_ns = median(heard.iter().map(|one| (rest(one) - middle).abs()).collect());
        Some(Self { from_ns, ahead: Line { at_zero: middle + base as f64, slope }, within_ns })
    }

    /// A stamp of the second capture as the first capture's clock would have made it, in nanoseconds.
    pub fn corrected(&self, at_ns: u64) -> u64 {
        let since = at_ns.wrapping_sub(self.from_ns) as i64;
        at_ns.saturating_add_signed((self.ahead.at(since as f64 / 1e9) as i64).saturating_neg())
    }

    /// The same against the clock of a third capture, on which the first one's stamps were put, right within so many nanoseconds.
    pub const fn through(self, within_ns: f64) -> Self {
        Self { within_ns: self.within_ns + within_ns, ..self }
    }

    /// How long a packet took from the first place to the second, in nanoseconds; negative if it went the other way.
    pub fn delay_ns(&self, of: &Shared) -> i64 {
        self.corrected(of.at_ns[1]).wrapping_sub(of.at_ns[0]) as i64
    }

    /// How far the second clock is ahead at its first packet that both have, in nanoseconds.
    pub const fn ahead_ns(&self) -> f64 {
        self.ahead.at_zero
    }

    /// How much faster it runs, in parts per million.
    pub const fn drift_ppm(&self) -> f64 {
        self.ahead.slope / 1e3
    }

    /// How far its true difference may be from what is said here, in nanoseconds.
    pub const fn within_ns(&self) -> f64 {
        self.within_ns
    }
}

impl Shared {
    const fn difference(&self) -> i64 {
        self.at_ns[1].wrapping_sub(self.at_ns[0]) as i64
    }
}

/// Which way the packets between two ends go. Those that go one way only cannot be told.
///
/// The difference between stamps is larger for packets that come from the first place, by the time there and back. Neighbours in
/// time of opposite ways are compared, so that clocks that drift do not matter.
fn ways(shared: &[Shared]) -> BTreeMap<[IpAddr; 2], Way> {
    let mut last: BTreeMap<[IpAddr; 2], i64> = BTreeMap::new();
    let mut larger: BTreeMap<[IpAddr; 2], i64> = BTreeMap::new();
    for one in shared {
        let [from, to] = one.ends;
        last.insert(one.ends, one.difference());
        if let Some(other) = last.get(&[to, from]) {
            let sign = one.difference().wrapping_sub(*other).signum();
            *larger.entry([from, to]).or_default() += sign;
            *larger.entry([to, from]).or_default() -= sign;
        }
    }
    let way = |sign: i64| match sign {
        1.. => Some(Way::There),
        0 => None,
        _ => Some(Way::Back),
    };
    larger.into_iter().filter_map(|(ends, sign)| Some((ends, way(sign)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::net::Ipv4Addr;

    const ENDS: [IpAddr; 2] =
        [IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)), IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2))];

    /// Packets of a connection for a minute: data wait before the first place, acknowledgements only travel.
    fn shared(ahead_ns: f64, drift_ppm: f64, travel_ns: u64, waits_ns: &[u64]) -> Vec<Shared> {
        let stamp = |true_ns: u64| {
            let ahead = drift_ppm.mul_add(true_ns as f64 / 1e6, ahead_ns);
            (true_ns + 1_000_000_000_000).saturating_add_signed(ahead as i64)
        };
        let every = 60_000_000_000 / waits_ns.len() as u64;
        let both = waits_ns.iter().enumerate().flat_map(|(n, wait)| {
            let sent = n as u64 * every;
            let (data, ack) = (sent + travel_ns + wait, sent + travel_ns + wait + 300_000);
            let [a, b] = ENDS;
            [
                Shared { ends: [a, b], at_ns: [1_000_000_000_000 + data, stamp(sent)] },
                Shared { ends: [b, a], at_ns: [1_000_000_000_000 + ack, stamp(ack + travel_ns)] },
            ]
        });
        let mut both: Vec<_> = both.collect();
        both.sort_by_key(|one| one.at_ns);
        both
    }

    proptest! {
        #[test]
        fn a_clock_is_right_within_what_it_says(
            ahead_ms in prop_oneof![Just(0.0), -5000.0..5000.0_f64],
            drift_ppm in prop_oneof![Just(0.0), -100.0..100.0_f64],
            travel_us in 20..2000_u64,
            waits_us in prop::collection::vec(0..200_000_u64, 200..400),
        ) {
            let waits: Vec<_> = waits_us.iter().map(|wait| wait * 1000).collect();
            let shared = shared(ahead_ms * 1e6, drift_ppm, travel_us * 1000, &waits);
            let clock = Clock::between(&shared).expect("enough packets both ways");
            for one in shared {
                let delay = clock.delay_ns(&one) as f64;
                let (travel, slack) = (travel_us as f64 * 1e3, clock.within_ns().mul_add(2.0, 2e3));
                if one.ends == ENDS {
                    prop_assert!(-delay >= travel - slack, "data after {}", -delay);
                } else {
                    prop_assert!((delay - travel).abs() <= slack, "an acknowledgement after {delay}");
                }
            }
            prop_assert!(drift_ppm != 0.0 || clock.drift_ppm().abs() < 1e-9, "{}", clock.drift_ppm());
            prop_assert!((clock.drift_ppm() - drift_ppm).abs() < 60.0, "{} for {drift_ppm}", clock.drift_ppm());
            prop_assert!(ahead_ms != 0.0 || drift_ppm != 0.0 || clock.ahead_ns() == 0.0);
        }
    }

    #[test]
    fn a_clock_that_drifts_is_found_whichever_place_comes_first() {
        let waits: Vec<_> = (0..500).map(|n| u64::from(n % 17 != 0) * 30_000_000 * (n % 5)).collect();
        let there = shared(2.5e9, 40.0, 100_000, &waits);
        let clock = Clock::between(&there).expect("enough");
        assert!((clock.drift_ppm() - 40.0).abs() < 0.5, "{}", clock.drift_ppm());
        assert!((clock.ahead_ns() - 2.5e9).abs() < 3e5, "{}", clock.ahead_ns());
        assert!(clock.within_ns() < 3e5);
        let back: Vec<_> =
            there.iter().map(|one| Shared { at_ns: [one.at_ns[1], one.at_ns[0]], ..*one }).collect();
        let clock = Clock::between(&back).expect("enough");
        assert!((clock.drift_ppm() + 40.0).abs() < 0.5, "{}", clock.drift_ppm());
    }

    #[test]
    fn a_clock_that_is_as_far_behind_as_a_number_can_be_corrects_to_the_latest_time() {
        let ahead = Line { at_zero: i64::MIN as f64, slope: 0.0 };
        let clock = Clock { from_ns: 0, ahead, within_ns: 0.0 };
        assert_eq!(clock.corrected(1 << 63), u64::MAX);
    }

    #[test]
    fn too_few_packets_or_one_way_alone_tell_nothing() {
        let few = shared(0.0, 0.0, 1000, &[0; 7]);
        assert_eq!(Clock::between(&few), None);
        let one_way: Vec<_> =
            shared(0.0, 0.0, 1000, &[0; 99]).into_iter().filter(|one| one.ends == ENDS).collect();
        assert_eq!(Clock::between(&one_way), None);
        assert_eq!(Clock::between(&[]), None);
    }
}
