//! The rate at which a wired link sends: one, or steps, over which a packet's bits are an integral.

use airloom_scenario::WireRate;
use airloom_sim::{BitRate, Bytes, Duration, Time};

/// How fast a link sends.
pub(super) enum LineRate {
    /// Always alike.
    Steady(BitRate),
    /// As steps have it.
    Steps(Box<RateSteps>),
}

impl LineRate {
    /// That of a scenario.
    pub(super) fn of(rate: &WireRate) -> Self {
        if rate.later.is_empty() {
            return Self::Steady(rate.first);
        }
        let later = rate.later.iter().map(|step| (Time::ZERO + step.at, step.rate));
        let steps = std::iter::once((Time::ZERO, rate.first)).chain(later).collect();
        Self::Steps(Box::new(RateSteps::new(steps, rate.repeat)))
    }

    /// When what begins to leave at this time has left. Of steps, times are asked for in their order.
    #[inline(always)]
    pub(super) fn departs(&mut self, begins: Time, size: Bytes) -> Time {
        match self {
            Self::Steady(rate) => begins + rate.time_for(size),
            Self::Steps(steps) => steps.departs(begins, size),
        }
    }
}

/// Rates, each with the time from which it holds. The first is at zero; one of a script without end is above zero, as is the last of one that ends.
pub(super) struct RateSteps {
    steps: Vec<(Time, BitRate)>,
    repeat: Option<Repeat>,
    /// The step that holds, and when the script began in which it does.
    current: usize,
    began: Duration,
}

/// A script that begins anew.
#[derive(Clone, Copy)]
struct Repeat {
    after: Duration,
    /// What it carries from its beginning to its end, in bits times 1e-9.
    nanobits: u128,
}

impl RateSteps {
    fn new(steps: Vec<(Time, BitRate)>, repeat: Option<Duration>) -> Self {
        let repeat = repeat.map(|after| {
            let ends = steps[1..].iter().map(|step| step.0).chain([Time::ZERO + after]);
            let nanobits = steps.iter().zip(ends).map(|(&(from, rate), to)| nanobits(rate, to - from)).sum();
            Repeat { after, nanobits }
        });
        Self { steps, repeat, current: 0, began: Duration::ZERO }
    }

    #[cold]
    fn departs(&mut self, begins: Time, size: Bytes) -> Time {
        let mut left = u128::from(size.0) * 8_000_000_000;
        let mut now = begins;
        if let Some(repeat) = self.repeat {
            self.skip(now, repeat.after);
            // What whole repetitions carry, it carries wherever in one it begins.
            let whole = (left - 1) / repeat.nanobits;
            left -= whole * repeat.nanobits;
            now += repeat.after * whole as u64;
            self.began += repeat.after * whole as u64;
        }
        loop {
            let (rate, end) = (self.steps[self.current].1, self.end());
            let carried = end.map(|end| nanobits(rate, end.max(now) - now));
            match (carried, end) {
                (Some(carried), Some(end)) if carried < left => {
                    left -= carried;
                    now = now.max(end);
                    self.advance();
                }
                _ => return now + Duration::from_nanos(left.div_ceil(u128::from(rate.as_bps())) as u64),
            }
        }
    }

    /// Leaves out repetitions that are over.
    fn skip(&mut self, now: Time, after: Duration) {
        let whole = now.since(Time::ZERO + self.began).as_nanos() / after.as_nanos();
        if whole > 0 {
            self.began += after * whole;
            self.current = 0;
        }
    }

    /// When the step ends that holds.
    fn end(&self) -> Option<Time> {
        match (self.steps.get(self.current + 1), self.repeat) {
            (Some(&(at, _)), _) => Some(at + self.began),
            (None, Some(repeat)) => Some(Time::ZERO + self.began + repeat.after),
            (None, None) => None,
        }
    }

    fn advance(&mut self) {
        self.current += 1;
        if let (true, Some(repeat)) = (self.current == self.steps.len(), self.repeat) {
            self.current = 0;
            self.began += repeat.after;
        }
    }
}

/// What a rate carries in a time, in bits times 1e-9.
fn nanobits(rate: BitRate, time: Duration) -> u128 {
    u128::from(rate.as_bps()) * u128::from(time.as_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MS: Duration = Duration::from_millis(1);

    /// Steps of these lengths in ms, at so many bits a millisecond each.
    fn steps(said: &[(u64, u64)], repeats: bool) -> RateSteps {
        let mut at = Time::ZERO;
        let mut steps = Vec::new();
        for &(length, bits) in said {
            steps.push((at, BitRate::from_bps(bits * 1000)));
            at += MS * length;
        }
        RateSteps::new(steps, repeats.then(|| at - Time::ZERO))
    }

    fn at(nanos: u64) -> Time {
        Time::from_nanos(nanos)
    }

    /// 8,000 bits in the first ms, none in the second, then 16,000 a ms.
    #[test]
    fn a_packet_takes_what_each_step_carries() {
        let script = [(1, 8000), (1, 0), (1, 16_000)];
        assert_eq!(steps(&script, false).departs(at(0), Bytes(500)), at(500_000));
        assert_eq!(steps(&script, false).departs(at(0), Bytes(1000)), at(1_000_000), "before the outage");
        assert_eq!(steps(&script, false).departs(at(0), Bytes(2000)), at(2_500_000), "over it");
        assert_eq!(steps(&script, false).departs(at(1_500_000), Bytes(1000)), at(2_500_000), "in it");
        assert_eq!(steps(&script, false).departs(at(0), Bytes(9000)), at(6_000_000), "the last one holds");
        assert_eq!(steps(&script, true).departs(at(0), Bytes(9000)), at(9_000_000), "3,000 bytes in 3 ms");
        assert_eq!(steps(&script, true).departs(at(0), Bytes(10_000)), at(10_000_000));
        assert_eq!(steps(&script, true).departs(at(7_250_000), Bytes(1)), at(8_000_500));
    }

    #[test]
    fn one_packet_may_last_for_many_repetitions() {
        // A bit in 1 ms of 10.
        let slow = steps(&[(1, 1), (9, 0)], true).departs(at(0), Bytes(1 << 20));
        assert_eq!(slow, at(((1 << 23) - 1) * 10_000_000 + 1_000_000));
    }

    /// What a script has carried until a time, in bits times 1e-9, step by step.
    fn carried(said: &[(u64, u64)], repeats: bool, until: Time) -> u128 {
        let (mut from, mut sum, mut n) = (0, 0_u128, 0);
        loop {
            let (length, bits) = said[n % said.len()];
            let last = !repeats && n + 1 == said.len();
            let to = if last { until.as_nanos() } else { (from + length * 1_000_000).min(until.as_nanos()) };
            sum += u128::from(bits * 1000) * u128::from(to - from);
            if to == until.as_nanos() {
                return sum;
            }
            (from, n) = (to, n + 1);
        }
    }

    proptest! {
        /// Whatever the steps: a packet has left as soon as the integral from its beginning is its size, and no nanosecond earlier; one after
        /// the other, in their order.
        #[test]
        fn each_packet_leaves_as_the_integral_is_its_size(
            said in prop::collection::vec((1_u64..5, prop_oneof![Just(0_u64), 1..20_000_u64]), 1..6),
            last in 1_u64..20_000,
            repeats: bool,
            packets in prop::collection::vec((0_u64..9_000_000, 1_u64..3000), 1..30),
        ) {
            let said: Vec<_> = said.into_iter().chain([(1, last)]).collect();
            let mut line = steps(&said, repeats);
            let mut free = Time::ZERO;
            for (pause, bytes) in packets {
                let begins = free + Duration::from_nanos(if pause < 4_000_000 { 0 } else { pause });
                free = line.departs(begins, Bytes(bytes));
                let since = |time| carried(&said, repeats, time) - carried(&said, repeats, begins);
                let size = u128::from(bytes) * 8_000_000_000;
                prop_assert!(since(free) >= size);
                prop_assert!(since(free - Duration::from_nanos(1)) < size);
            }
        }
    }
}
