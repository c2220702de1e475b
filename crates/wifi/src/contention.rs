//! Who sends next: EDCA backoff among any number of contenders without an event per slot (802.11-2020 10.23.2).
//!
//! Each access class (one arbitration inter-frame space) counts *slot boundaries*: the instants since the run began at
//! which its contenders could act, the first of them one arbitration inter-frame space after the medium became idle, the
//! others a slot apart. At each boundary a contender either counts down or, at zero, transmits, also when another
//! transmits at that boundary. So a backoff of `n` slots drawn at count `v` ends in a transmission at boundary
//! `v + n + 1`, wherever the medium's busy periods fall in between, and nothing about it changes while others transmit.
//! Finding the next transmitter is a look at the top of one heap per class.

use airloom_sim::{Duration, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A contender: one transmit queue of one node.
pub type ContenderId = u32;

struct Class {
    aifs: Duration,
    /// Boundaries passed up to the last busy period.
    counted: u64,
    /// (boundary at which it may transmit, stamp of the request, contender)
    waiting: BinaryHeap<Reverse<(u64, u64, ContenderId)>>,
}

struct Contender {
    class: usize,
    /// The boundary at which its backoff is or was over, so that it may transmit.
    ends: u64,
    /// Stamp of its live request, or none.
    request: Option<u64>,
}

/// The medium as seen by everybody who hears everybody.
pub struct Contention {
    slot: Duration,
    classes: Vec<Class>,
    contenders: Vec<Contender>,
    /// Since when the medium is idle; none while it is busy.
    idle_since: Option<Time>,
    stamp: u64,
    /// Something happened that may move the next access.
    changed: bool,
}

impl Contention {
    /// An idle medium with this slot time.
    pub fn new(slot: Duration) -> Self {
        Self {
            slot,
            classes: Vec::new(),
            contenders: Vec::new(),
            idle_since: Some(Time::ZERO),
            stamp: 0,
            changed: false,
        }
    }

    /// Adds a contender that waits for `aifs` (SIFS + AIFSN x slot) before it counts slots.
    pub fn join(&mut self, aifs: Duration) -> ContenderId {
        let class = self.classes.iter().position(|c| c.aifs == aifs).unwrap_or_else(|| {
            self.classes.push(Class { aifs, counted: 0, waiting: BinaryHeap::new() });
            self.classes.len() - 1
        });
        self.contenders.push(Contender { class, ends: 0, request: None });
        (self.contenders.len() - 1) as ContenderId
    }

    /// Whether `id` has asked for the medium and not got it yet.
    pub fn is_waiting(&self, id: ContenderId) -> bool {
        self.contenders[id as usize].request.is_some()
    }

    /// Starts the backoff that follows a transmission, whether or not another frame waits.
    pub fn back_off(&mut self, now: Time, id: ContenderId, slots: u32) {
        debug_assert!(!self.is_waiting(id));
        let count = self.count(self.contenders[id as usize].class, now);
        self.contenders[id as usize].ends = count + u64::from(slots) + 1;
    }

    /// Asks for the medium. If an earlier backoff still runs it is waited for; if the medium has been idle for long
    /// enough, access comes with the next slot; otherwise a backoff of `draw()` slots starts.
    pub fn request(&mut self, now: Time, id: ContenderId, draw: impl FnOnce() -> u32) {
        let Contender { class, ends, request } = self.contenders[id as usize];
        if request.is_some() {
            return;
        }
        let count = self.count(class, now);
        let ends = if ends > count {
            ends
        } else {
            match self.idle_since.map(|since| since + self.classes[class].aifs) {
                Some(counting) if now >= counting => {
                    // The slot under way has begun; access comes at the next boundary, or at this one if it is now.
                    count + u64::from(!(now - counting).as_nanos().is_multiple_of(self.slot.as_nanos()))
                }
                _ => count + u64::from(draw()) + 1,
            }
        };
        self.enter(id, ends);
    }

    /// Whether the next access may have moved since this was last asked.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Takes back a request; the backoff goes on counting.
    pub fn withdraw(&mut self, id: ContenderId) {
        self.changed = true;
        self.contenders[id as usize].request = None;
    }

    /// The medium becomes busy.
    pub fn busy(&mut self, now: Time) {
        for class in 0..self.classes.len() {
            self.classes[class].counted = self.count(class, now);
        }
        self.idle_since = None;
        self.changed = true;
    }

    /// The medium becomes idle.
    pub fn idle(&mut self, now: Time) {
        debug_assert!(self.idle_since.is_none());
        self.idle_since = Some(now);
        self.changed = true;
    }

    /// When the next contender gets the medium, if it stays idle and nobody else asks. None while it is busy.
    pub fn next_access(&mut self) -> Option<Time> {
        let since = self.idle_since?;
        (0..self.classes.len()).filter_map(|class| self.class_access(class, since)).min()
    }

    /// Takes out everybody whose backoff ends now, in the order of their class and then of their requests. More than
    /// one is a collision.
    pub fn take_winners(&mut self, now: Time, winners: &mut Vec<ContenderId>) {
        let Some(since) = self.idle_since else { return };
        for class in 0..self.classes.len() {
            while self.class_access(class, since) == Some(now) {
                let Some(Reverse((_, _, id))) = self.classes[class].waiting.pop() else {
                    break;
                };
                self.contenders[id as usize].request = None;
                winners.push(id);
            }
        }
    }

    fn enter(&mut self, id: ContenderId, ends: u64) {
        self.changed = true;
        self.stamp += 1;
        let contender = &mut self.contenders[id as usize];
        contender.ends = ends;
        contender.request = Some(self.stamp);
        self.classes[contender.class].waiting.push(Reverse((ends, self.stamp, id)));
    }

    /// How many boundaries `class` has passed, one that is now included.
    fn count(&self, class: usize, now: Time) -> u64 {
        let Class { aifs, counted, .. } = self.classes[class];
        match self.idle_since.map(|since| since + aifs) {
            Some(counting) if now >= counting => {
                counted + 1 + (now - counting).as_nanos() / self.slot.as_nanos()
            }
            _ => counted,
        }
    }

    /// When the first of `class` may transmit in the idle period since `since`; withdrawn requests are dropped.
    fn class_access(&mut self, class: usize, since: Time) -> Option<Time> {
        let Class { aifs, counted, waiting } = &mut self.classes[class];
        while let Some(&Reverse((ends, stamp, id))) = waiting.peek() {
            if self.contenders[id as usize].request == Some(stamp) {
                return Some(since + *aifs + self.slot * ends.saturating_sub(*counted + 1));
            }
            waiting.pop();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOT: Duration = Duration::from_micros(9);
    const AIFS: Duration = Duration::from_micros(43);

    fn us(n: u64) -> Time {
        Time::ZERO + Duration::from_micros(n)
    }

    fn winners(c: &mut Contention, now: Time) -> Vec<ContenderId> {
        let mut ids = Vec::new();
        c.take_winners(now, &mut ids);
        ids
    }

    #[test]
    fn a_frozen_backoff_resumes_where_it_stopped() {
        let mut c = Contention::new(SLOT);
        let (a, b) = (c.join(AIFS), c.join(AIFS));
        c.busy(us(0));
        c.request(us(0), a, || 3);
        c.request(us(0), b, || 5);
        c.idle(us(100));
        assert_eq!(c.next_access(), Some(us(100 + 43 + 27)));
        assert_eq!(winners(&mut c, us(170)), [a]);
        c.busy(us(170));
        c.idle(us(500));
        assert_eq!(
            c.next_access(),
            Some(us(500 + 43 + 9)),
            "four of five are counted, the last as the other began"
        );
    }

    /// A backoff of zero is over at the first boundary; no second one is drawn for the frame that waits already.
    #[test]
    fn a_backoff_of_zero_is_a_backoff() {
        let mut c = Contention::new(SLOT);
        let a = c.join(AIFS);
        c.busy(us(0));
        c.idle(us(100));
        c.back_off(us(100), a, 0);
        c.request(us(100), a, || unreachable!());
        assert_eq!(c.next_access(), Some(us(100 + 43)));
    }

    #[test]
    fn equal_backoffs_collide() {
        let mut c = Contention::new(SLOT);
        let ids: Vec<_> = (0..3).map(|_| c.join(AIFS)).collect();
        c.busy(us(0));
        for (&id, slots) in ids.iter().zip([4, 4, 9]) {
            c.request(us(0), id, || slots);
        }
        c.idle(us(10));
        let at = c.next_access().unwrap();
        assert_eq!(winners(&mut c, at), ids[..2]);
    }

    #[test]
    fn an_idle_medium_is_taken_at_the_next_slot_without_backoff() {
        let mut c = Contention::new(SLOT);
        let a = c.join(AIFS);
        c.request(us(1000), a, || unreachable!());
        let at = c.next_access().unwrap();
        assert!(at >= us(1000) && at < us(1000) + SLOT, "{at:?}");
        assert_eq!((at - us(43)).as_nanos() % SLOT.as_nanos(), 0);
    }

    #[test]
    fn the_backoff_after_a_transmission_is_owed_even_by_a_latecomer() {
        let mut c = Contention::new(SLOT);
        let a = c.join(AIFS);
        c.busy(us(0));
        c.idle(us(100));
        c.back_off(us(100), a, 10);
        c.request(us(100 + 43 + 45), a, || unreachable!());
        assert_eq!(c.next_access(), Some(us(100 + 43 + 90)));
    }

    #[test]
    fn a_withdrawn_request_never_wins() {
        let mut c = Contention::new(SLOT);
        let (a, b) = (c.join(AIFS), c.join(AIFS));
        c.busy(us(0));
        c.request(us(0), a, || 1);
        c.request(us(0), b, || 2);
        c.idle(us(0));
        c.withdraw(a);
        let at = c.next_access().unwrap();
        assert_eq!((at, winners(&mut c, at)), (us(43 + 18), vec![b]));
    }

    #[test]
    fn a_shorter_aifs_goes_first() {
        let mut c = Contention::new(SLOT);
        let (slow, fast) = (c.join(AIFS), c.join(Duration::from_micros(25)));
        c.busy(us(0));
        c.request(us(0), slow, || 0);
        c.request(us(0), fast, || 1);
        c.idle(us(100));
        assert_eq!(c.next_access(), Some(us(134)));
        assert_eq!(winners(&mut c, us(134)), [fast]);
    }
}
