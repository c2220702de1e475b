//! PIE: arriving packets are dropped with a probability that controls the delay (RFC 8033).
//!
//! The rules and their numbers are those of RFC 8033's pseudo-code. Where it leaves a choice this is Linux's
//! (`net/sched/sch_pie.c` without `dq_rate_estimator` and `bytemode`): the delay is that of the packet that left last, by its
//! time of arrival, and none when nothing is left; a packet of any length is as likely to be dropped; drops are spaced by the
//! de-randomisation of section 5.4. Linux differs from the RFC in four things that are not followed: it lets the probability
//! decay only while there is no delay at all, adds 2 % to it beyond a delay of 250 ms, spends the burst allowance as packets
//! leave, and counts a packet's Ethernet header where a couple of packets are exempt.
//!
//! The probability is updated at multiples of an interval from the beginning. Only arriving packets read it, so the
//! updates due are made up for on arrival, and no timer is needed.

use crate::parameters::{LEAST_TIME, MOST_PACKETS, MOST_TIME, parameters};
use crate::store::Held;
use crate::{Item, Next, Queueing, Reporter};
use airloom_observe::{DropCause, Probe, QueueId};
use airloom_sim::{Duration, Stream, Time};
use std::collections::VecDeque;

/// A couple of full-sized packets, which are always accepted (RFC 8033 section 4.1), in bytes.
const COUPLE: u64 = 2 * 1500;
/// Beyond this probability even ECN-capable packets are dropped (RFC 8033 section 5.1, `mark_ecnth`).
const MOST_MARKED: f64 = 0.1;

parameters! {
    /// A queue under PIE; the defaults are those of RFC 8033 and of Linux include/net/pie.h, `pie_params_init()`.
    pub struct Pie {
        /// The most packets it holds.
        limit: u32 = packets(1, MOST_PACKETS), default 1000;
        /// The delay to which the queue is controlled.
        target: Duration = time(LEAST_TIME, MOST_TIME), default Duration::from_millis(15);
        /// How often the drop probability is updated (`tupdate`).
        update: Duration = time(LEAST_TIME, MOST_TIME), default Duration::from_millis(15);
        /// How long a burst is accepted whole after a quiet time (`MAX_BURST`).
        burst: Duration = time(Duration::ZERO, MOST_TIME), default Duration::from_millis(150);
        /// What the delay beyond the target adds to the probability at each update, in sixteenths for a second (tc-pie(8)).
        alpha: u32 = count(0, 32), default 2;
        /// What the growth of the delay adds to it, in sixteenths for a second.
        beta: u32 = count(0, 32), default 20;
        /// Whether packets of transports that understand it are marked rather than dropped, up to a probability of 10 %.
        ecn: bool = flag(), default false;
    }
}

impl Pie {
    /// An empty queue, which draws from `chance`.
    pub fn queue(&self, id: QueueId, chance: Stream) -> Queue {
        let (control, updated) = (Control::new(self), Time::ZERO);
        let (reporter, law, held) = (Reporter(id), self.clone(), VecDeque::new());
        Queue { reporter, law, control, updated, chance, held, bytes: 0 }
    }
}

/// The state of the controller.
#[derive(Clone, Debug, PartialEq)]
struct Control {
    /// The probability of a drop.
    probability: f64,
    /// The probabilities of all packets since the last drop, taken together.
    accumulated: f64,
    /// The delay now, and as it was at the last update.
    delay: Duration,
    delay_before: Duration,
    /// The remaining time in which every packet is accepted.
    allowance: Duration,
}

impl Control {
    fn new(law: &Pie) -> Self {
        let (delay, delay_before) = (Duration::ZERO, Duration::ZERO);
        Self { probability: 0.0, accumulated: 0.0, delay, delay_before, allowance: law.burst }
    }

    /// Updates the probability (RFC 8033 section 4.2, `calculate_drop_prob()`).
    fn update(&mut self, law: &Pie) {
        let low = self.is_low(law.target);
        let [delay, before, target] = [self.delay, self.delay_before, law.target].map(Duration::as_secs_f64);
        let (alpha, beta) = (f64::from(law.alpha) / 16.0, f64::from(law.beta) / 16.0);
        let mut change = (alpha * (delay - target) + beta * (delay - before)) / self.caution();
        if self.probability >= 0.1 {
            change = change.min(0.02);
        }
        self.probability += change;
        if low {
            self.probability *= 0.98;
        }
        self.probability = self.probability.clamp(0.0, 1.0);
        self.delay_before = self.delay;
        self.allowance = self.allowance.saturating_sub(law.update);
        if low && self.probability <= 0.0 {
            self.allowance = law.burst;
        }
    }

    /// Whether the delay is, and was at the last update, less than half of the target.
    fn is_low(&self, target: Duration) -> bool {
        self.delay.max(self.delay_before) < target / 2
    }

    /// By what the steps of the probability are divided while it is small (RFC 8033 section 4.2).
    fn caution(&self) -> f64 {
        match self.probability {
            p if p < 0.000_001 => 2048.0,
            p if p < 0.000_01 => 512.0,
            p if p < 0.000_1 => 128.0,
            p if p < 0.001 => 32.0,
            p if p < 0.01 => 8.0,
            p if p < 0.1 => 2.0,
            _ => 1.0,
        }
    }

    /// Whether a packet that arrives while `backlog` bytes wait is dropped or marked (RFC 8033 sections 4.1, 4.4, 5.4).
    fn strikes(&mut self, backlog: u64, law: &Pie, chance: &mut Stream) -> bool {
        let calm = self.delay_before < law.target / 2 && self.probability < 0.2;
        if self.allowance > Duration::ZERO || calm || backlog <= COUPLE {
            return false;
        }
        self.accumulated = if self.probability > 0.0 { self.accumulated + self.probability } else { 0.0 };
        if self.accumulated < 0.85 {
            return false;
        }
        let strikes = self.accumulated >= 8.5 || chance.chance(self.probability);
        if strikes {
            self.accumulated = 0.0;
        }
        strikes
    }

    /// Whether updates change nothing until the next packet arrives.
    fn is_at_rest(&self, law: &Pie) -> bool {
        *self == Self { accumulated: self.accumulated, ..Self::new(law) }
    }
}

/// See the module.
pub struct Queue {
    reporter: Reporter,
    law: Pie,
    control: Control,
    /// When the probability was updated last.
    updated: Time,
    chance: Stream,
    held: VecDeque<Held>,
    bytes: u64,
}

impl Queue {
    /// Goes on under other numbers with what it holds, which may be more than there is room for now.
    pub(crate) fn change(&mut self, to: &Pie) {
        self.law = to.clone();
    }

    /// Makes up for the updates that have been due until `now`.
    fn catch_up(&mut self, now: Time) {
        let period = self.law.update;
        let mut due = (now - self.updated).as_nanos() / period.as_nanos();
        self.updated += period * due;
        while due > 0 && !self.control.is_at_rest(&self.law) {
            self.control.update(&self.law);
            due -= 1;
        }
    }
}

impl Queueing for Queue {
    fn len(&self) -> usize {
        self.held.len()
    }

    /// Never: a packet that does not wait is one without delay.
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
        self.catch_up(now);
        let packets = self.held.len() as u32;
        if packets >= self.law.limit {
            self.control.accumulated = 0.0;
            self.reporter.dropped(now, packets, DropCause::Full, probe);
            return Err(item);
        }
        if self.control.strikes(self.bytes, &self.law, &mut self.chance) {
            let marked = self.law.ecn && self.control.probability <= MOST_MARKED && item.ecn.mark();
            if !marked {
                self.reporter.dropped(now, packets, DropCause::Managed, probe);
                return Err(item);
            }
            self.reporter.marked(now, probe);
        }
        self.bytes += u64::from(item.bytes);
        self.held.push_back(Held { since: now, item });
        self.reporter.entered(now, packets + 1, probe);
        Ok(())
    }

    fn dequeue<P: Probe>(&mut self, now: Time, _: &mut Vec<Item>, probe: &mut P) -> Next {
        self.catch_up(now);
        let Some(Held { since, item }) = self.held.pop_front() else { return Next::Empty };
        self.bytes -= u64::from(item.bytes);
        self.control.delay = if self.held.is_empty() { Duration::ZERO } else { now - since };
        self.reporter.left(now, self.held.len() as u32, now - since, probe);
        Next::Packet(item)
    }
}

#[cfg(test)]
#[path = "pie_tests.rs"]
mod tests;
