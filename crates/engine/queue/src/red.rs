//! RED: packets are dropped as they come, with a probability that rises with the mean length of the queue (Floyd and
//! Jacobson, "Random early detection gateways for congestion avoidance", 1993).
//!
//! The rules are those of the paper's figure 2: lengths are counted in packets, below `min` nothing is dropped, from `max`
//! on everything is, and in between drops are spaced evenly rather than by chance alone (section 7). The mean is taken as
//! packets arrive; one that finds the queue empty first lets it decay, as if short packets had come all the while.

use crate::parameters::{LEAST_TIME, MOST_PACKETS, MOST_TIME, parameters};
use crate::store::Held;
use crate::{Item, Next, Queueing, Reporter};
use airloom_observe::{DropCause, Probe, QueueId};
use airloom_sim::{Duration, Stream, Time};
use std::collections::VecDeque;

parameters! {
    /// A queue under RED; the defaults are those of the paper's section 9.
    pub struct Red {
        /// The most packets it holds.
        limit: u32 = packets(1, MOST_PACKETS), default 1000;
        /// The mean length below which nothing is dropped.
        min: u32 = packets(1, MOST_PACKETS), default 5;
        /// The mean length from which on every packet is dropped; more than `min`.
        max: u32 = packets(1, MOST_PACKETS), default 15;
        /// One packet in so many is dropped as the mean comes near `max` (the inverse of `max_p`).
        one_in: u32 = count(1, 1_000_000), default 50;
        /// The weight of a packet in the mean is one half to the power of this (the paper's `w_q` of 0.002 is nearly 9).
        weight: u32 = count(0, 31), default 9;
        /// The time that a short packet takes to leave: the mean decays by one packet's weight for each while the queue is
        /// empty. The default is that of 1000 bytes at 10 Mbit/s (tc-red(8)).
        idle: Duration = time(LEAST_TIME, MOST_TIME), default Duration::from_micros(800);
        /// Whether packets of transports that understand it are marked rather than dropped.
        ecn: bool = flag(), default false;
    }
    check apart;
}

fn apart(red: &Red) -> Option<(&'static str, &'static str)> {
    (red.min >= red.max).then_some(("max", "must be above `min`"))
}

impl Red {
    /// An empty queue, which draws from `chance`.
    pub fn queue(&self, id: QueueId, chance: Stream) -> Queue {
        let (reporter, law, held) = (Reporter(id), self.clone(), VecDeque::new());
        Queue { reporter, law, mean: 0.0, passed: None, idle_since: Time::ZERO, chance, held }
    }

    /// The probability by which a packet is dropped at this mean, before drops are spaced (`p_b`).
    fn probability(&self, mean: f64) -> f64 {
        let [min, max, one_in] = [self.min, self.max, self.one_in].map(f64::from);
        if mean < min {
            0.0
        } else if mean >= max {
            1.0
        } else {
            (mean - min) / (max - min) / one_in
        }
    }
}

/// See the module.
pub struct Queue {
    reporter: Reporter,
    law: Red,
    /// The mean length in packets (`avg`).
    mean: f64,
    /// Packets let in since the last drop (`count`); none while the mean has been below `min` since.
    passed: Option<u32>,
    /// Since when the queue has been empty, if it is, but for the time that the mean has decayed for already.
    idle_since: Time,
    chance: Stream,
    held: VecDeque<Held>,
}

impl Queue {
    /// Goes on under other numbers with what it holds, which may be more than there is room for now.
    pub(crate) fn change(&mut self, to: &Red) {
        self.law = to.clone();
    }

    /// Takes the length that a packet finds at `now` into the mean.
    fn average(&mut self, now: Time) {
        let weight = 1.0 / f64::from(1u32 << self.law.weight);
        if self.held.is_empty() {
            let packets = (now - self.idle_since).as_nanos() / self.law.idle.as_nanos();
            self.mean *= power(1.0 - weight, packets);
            // A packet that is dropped leaves the queue empty: this time is not to count again.
            self.idle_since += self.law.idle * packets;
        } else {
            self.mean += weight * (self.held.len() as f64 - self.mean);
        }
    }

    /// Whether a packet is to be dropped or marked at this mean.
    fn strikes(&mut self) -> bool {
        let probability = self.law.probability(self.mean);
        if self.mean < f64::from(self.law.min) {
            self.passed = None;
            return false;
        }
        let passed = self.passed.map_or(0, |passed| passed + 1);
        let left = 1.0 - f64::from(passed) * probability;
        let strikes = probability >= 1.0 || left <= probability || self.chance.chance(probability / left);
        self.passed = Some(if strikes { 0 } else { passed });
        strikes
    }
}

/// `base` to the power of `exponent`, by squaring: the last bit is the same on every machine.
fn power(mut base: f64, mut exponent: u64) -> f64 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    result
}

impl Queueing for Queue {
    fn len(&self) -> usize {
        self.held.len()
    }

    /// Never: a packet that does not wait counts in the mean too.
    fn is_bypassed(&self) -> bool {
        false
    }

    fn enqueue<P: Probe>(
        &mut self,
        now: Time,
        mut item: Item,
        _: &mut Vec<Item>,
        probe: &mut P,
    ) -> Result<(), Item> {
        self.average(now);
        let packets = self.held.len() as u32;
        if packets >= self.law.limit {
            self.reporter.dropped(now, packets, DropCause::Full, probe);
            return Err(item);
        }
        if self.strikes() {
            if !(self.law.ecn && item.ecn.mark()) {
                self.reporter.dropped(now, packets, DropCause::Managed, probe);
                return Err(item);
            }
            self.reporter.marked(now, probe);
        }
        self.held.push_back(Held { since: now, item });
        self.reporter.entered(now, packets + 1, probe);
        Ok(())
    }

    fn dequeue<P: Probe>(&mut self, now: Time, _: &mut Vec<Item>, probe: &mut P) -> Next {
        let Some(Held { since, item }) = self.held.pop_front() else { return Next::Empty };
        if self.held.is_empty() {
            self.idle_since = now;
        }
        self.reporter.left(now, self.held.len() as u32, now - since, probe);
        Next::Packet(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_observe::{Ecn, NodeId, QueueId, QueueLayer};
    use airloom_sim::Handle;

    /// The paper's section 9, with the mean as long as the queue is.
    const INSTANT: Red = Red {
        limit: 1000,
        min: 5,
        max: 15,
        one_in: 50,
        weight: 0,
        idle: Duration::from_millis(1),
        ecn: false,
    };

    fn red(law: &Red) -> Queue {
        law.queue(QueueId { node: NodeId(0), layer: QueueLayer::Discipline }, Stream::new(1, "red", "drops"))
    }

    fn put(queue: &mut Queue, now: Time, ecn: Ecn) -> Result<(), Item> {
        queue.enqueue(now, Item { packet: Handle(0), bytes: 1500, flow: 0, ecn }, &mut Vec::new(), &mut ())
    }

    fn take(queue: &mut Queue, now: Time) {
        queue.dequeue(now, &mut Vec::new(), &mut ());
    }

    /// Section 6, equation 2: after a burst of L packets the mean is L + 1 + ((1 - w)^(L + 1) - 1) / w.
    #[test]
    fn the_mean_follows_a_burst_as_the_paper_says() {
        let law = Red { weight: 10, min: 500, max: 1000, ..INSTANT };
        let mut queue = red(&law);
        (0..=100).for_each(|_| assert!(put(&mut queue, Time::ZERO, Ecn::NotEct).is_ok()));
        let w = 1.0 / 1024.0;
        assert!((queue.mean - (101.0 + (power(1.0 - w, 101) - 1.0) / w)).abs() < 1e-9, "{}", queue.mean);
        assert!((queue.mean - 4.78).abs() < 0.02, "figure 4: below 5 at a weight of 0.001");
    }

    #[test]
    fn the_mean_decays_by_one_weight_for_each_packet_that_could_have_left() {
        let mut queue = red(&Red { weight: 1, ..INSTANT });
        (0..6).for_each(|_| assert!(put(&mut queue, Time::ZERO, Ecn::NotEct).is_ok()));
        let before = queue.mean;
        (0..6).for_each(|_| take(&mut queue, Time::ZERO));
        assert!(put(&mut queue, Time::from_nanos(3_900_000), Ecn::NotEct).is_ok());
        assert!((queue.mean - before / 8.0).abs() < 1e-12, "three of 1 ms in 3.9 ms");
    }

    #[test]
    fn the_mean_decays_once_for_a_time_though_packets_are_dropped_in_it() {
        let mut queue = red(&Red { weight: 1, max: 1, min: 1, ..INSTANT });
        queue.mean = 64.0;
        for ms in 1..=6 {
            assert!(put(&mut queue, Time::from_nanos(1_000_000 * ms), Ecn::NotEct).is_err());
        }
        assert!((queue.mean - 1.0).abs() < 1e-12, "halved six times, not 21 times: {}", queue.mean);
    }

    #[test]
    fn nothing_is_dropped_below_the_minimum_and_everything_from_the_maximum_on() {
        let mut queue = red(&Red { one_in: 1_000_000, ..INSTANT });
        for n in 0..15 {
            assert!(put(&mut queue, Time::ZERO, Ecn::Ect0).is_ok(), "at {n}");
        }
        assert!((0..100).all(|_| put(&mut queue, Time::ZERO, Ecn::Ect0).is_err()));
        let mut narrow = red(&Red { max: 1, ..INSTANT });
        assert_eq!((0..9).filter(|_| put(&mut narrow, Time::ZERO, Ecn::Ect0).is_ok()).count(), 5);
    }

    /// Section 7, method 2: at a steady mean the packets from one drop to the next are equally likely to be any number up
    /// to 1 / p_b - 1, as figure 2 counts them. Halfway between `min` and `max` p_b is 1 / 100.
    #[test]
    fn drops_are_spaced_evenly() {
        let mut queue = red(&Red { one_in: 1_000_000, ..INSTANT });
        (0..10).for_each(|_| assert!(put(&mut queue, Time::ZERO, Ecn::Ect0).is_ok()));
        queue.law.one_in = 50;
        let (mut gaps, mut gap, mut dropped) = (vec![0u32; 100], 0, false);
        for _ in 0..1_000_000 {
            gap += 1;
            if put(&mut queue, Time::ZERO, Ecn::Ect0).is_err() {
                if std::mem::replace(&mut dropped, true) {
                    gaps[gap] += 1;
                }
                gap = 0;
            } else {
                take(&mut queue, Time::ZERO);
            }
        }
        let drops = f64::from(gaps.iter().sum::<u32>());
        assert!((drops - 20_000.0).abs() < 200.0, "{drops} drops of a million packets, 50 apart on average");
        let (mean, counts) = (drops / 99.0, &gaps[1..=99]);
        let chi_squared: f64 =
            counts.iter().map(|&n| (f64::from(n) - mean) * (f64::from(n) - mean) / mean).sum();
        assert!(chi_squared < 148.2, "{chi_squared} of 98 degrees of freedom: less in 999 of 1000 cases");
    }

    #[test]
    fn what_can_be_marked_is_not_dropped() {
        let mut queue = red(&Red { ecn: true, one_in: 1_000_000, ..INSTANT });
        assert!((0..100).all(|_| put(&mut queue, Time::ZERO, Ecn::Ect0).is_ok()));
        assert_eq!(queue.held.iter().filter(|held| held.item.ecn == Ecn::Ce).count(), 85);
        assert!(put(&mut queue, Time::ZERO, Ecn::NotEct).is_err());
    }
}
