//! Contention: backoff among any number of contenders without an event per slot (802.11-2020 10.3.4.3, 10.23.2).
//!
//! Contenders with the same arbitration inter-frame space and the same rule of counting form a class. A class counts *slot
//! boundaries*: the instants since the run began at which its contenders could act, the first of an idle period one
//! inter-frame space after the medium became idle, the others a slot apart. A backoff ends at a boundary that is known when
//! it is drawn, wherever the medium's busy periods fall in between; nothing about it changes while others transmit. Finding
//! the next transmitter is a look at the top of one heap per class.

use airloom_sim::{Duration, IndexVec, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

airloom_sim::index_type! {
    /// A contender: one transmit queue of one node.
    pub struct ContenderId(u32);

    /// Contenders that count alike.
    struct ClassId(u8);
}

/// When a backoff counter goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// At every boundary, also at one at which another contender begins to transmit (EDCA, 10.23.2.4).
    Edca,
    /// After every slot that was idle to its end (DCF, 10.3.4.3): a counter that was interrupted takes up where it stopped.
    Dcf,
}

impl Counting {
    /// Boundaries that the first of an idle period stands for.
    const fn first(self) -> i64 {
        match self {
            Self::Edca => 1,
            Self::Dcf => 0,
        }
    }
}

struct Class {
    aifs: Duration,
    counting: Counting,
    /// Boundaries counted up to the last busy period. While none of its backoffs runs nobody asks how many passed, so none is counted.
    counted: i64,
    /// The latest boundary at which a backoff ends or ended.
    latest: i64,
    /// (boundary at which it may transmit, stamp of the request, contender)
    waiting: BinaryHeap<Reverse<(i64, u64, ContenderId)>>,
}

impl Class {
    /// The first boundary of an idle period.
    fn first(&self) -> i64 {
        self.counted + self.counting.first()
    }

    /// Whether a backoff of it runs, or a request waits.
    #[inline]
    fn is_live(&self) -> bool {
        self.latest >= self.first() || !self.waiting.is_empty()
    }

    /// How many boundaries it has passed, one that is now included, if the medium counts as idle since then.
    fn count(&self, idle_since: Option<Time>, now: Time, slot: Duration) -> i64 {
        match idle_since.map(|since| since + self.aifs) {
            Some(start) if now >= start => self.first() + ((now - start).as_nanos() / slot.as_nanos()) as i64,
            _ => self.counted,
        }
    }

    /// When the first of it may transmit in the idle period since `since`; withdrawn requests are dropped.
    fn access(
        &mut self,
        contenders: &IndexVec<ContenderId, Contender>,
        since: Time,
        slot: Duration,
    ) -> Option<Time> {
        while let Some(&Reverse((ends, stamp, id))) = self.waiting.peek() {
            if contenders[id].request == Some(stamp) {
                return Some(self.when(since, ends, slot));
            }
            self.waiting.pop();
        }
        None
    }

    /// When boundary `at` comes, if the medium is idle from `since` on.
    fn when(&self, since: Time, at: i64, slot: Duration) -> Time {
        let (start, slots) = (since + self.aifs, at - self.first());
        let distance = slot * slots.unsigned_abs();
        if slots < 0 {
            Time::ZERO + start.since(Time::ZERO).saturating_sub(distance)
        } else {
            start + distance
        }
    }
}

struct Contender {
    class: ClassId,
    /// The boundary at which its backoff is or was over, so that it may transmit; none if it has transmitted since.
    ends: Option<i64>,
    /// Stamp of its live request, or none.
    request: Option<u64>,
}

/// A backoff that began before the rest of its class could count: its contender knew before them that the medium was
/// idle.
#[derive(Clone, Copy)]
struct Early {
    contender: ContenderId,
    /// Slots by which it is ahead.
    ahead: i64,
}

/// The medium as sensed by radios that hear the same other radios.
pub struct Contention {
    slot: Duration,
    classes: IndexVec<ClassId, Class>,
    contenders: IndexVec<ContenderId, Contender>,
    /// Since when the medium counts as idle, which may be a future instant; none while it is busy.
    idle_since: Option<Time>,
    early: Vec<Early>,
    stamp: u64,
    /// Some request may wait.
    waits: bool,
    /// Some backoff may run, or some request wait. Where neither does, a medium that becomes busy has nothing to count.
    live: bool,
    /// The next access may have moved.
    changed: bool,
}

impl Contention {
    /// An idle medium with this slot time.
    pub fn new(slot: Duration) -> Self {
        Self {
            slot,
            classes: IndexVec::default(),
            contenders: IndexVec::default(),
            idle_since: Some(Time::ZERO),
            early: Vec::new(),
            stamp: 0,
            waits: false,
            live: false,
            changed: false,
        }
    }

    /// Adds a contender that waits for `aifs` (SIFS + AIFSN x slot) before it counts slots.
    pub fn join(&mut self, aifs: Duration, counting: Counting) -> ContenderId {
        let class =
            self.classes.position(|c| c.aifs == aifs && c.counting == counting).unwrap_or_else(|| {
                self.classes.push(Class {
                    aifs,
                    counting,
                    counted: 0,
                    latest: -1,
                    waiting: BinaryHeap::new(),
                })
            });
        self.contenders.push(Contender { class, ends: None, request: None })
    }

    /// Whether `id` has requested the medium and not got it yet.
    pub fn is_waiting(&self, id: ContenderId) -> bool {
        self.contenders[id].request.is_some()
    }

    /// Starts the backoff that follows a transmission, whether or not another frame waits. For its contender the medium
    /// is idle from now on, even if the rest must wait longer.
    pub fn back_off(&mut self, now: Time, id: ContenderId, slots: u32) {
        debug_assert!(!self.is_waiting(id));
        let class = self.contenders[id].class;
        let ahead = match self.idle_since {
            Some(since) if since > now => ((since - now).as_nanos() / self.slot.as_nanos()) as i64,
            _ => 0,
        };
        if ahead > 0 {
            self.early.push(Early { contender: id, ahead });
        }
        let class = &mut self.classes[class];
        let counted = class.count(self.idle_since, now, self.slot);
        let ends = counted + class.counting.first() + i64::from(slots) - ahead;
        self.live = true;
        class.latest = class.latest.max(ends);
        self.contenders[id].ends = Some(ends);
    }

    /// Requests the medium. If an earlier backoff still runs, access follows it; if the medium has been idle for long
    /// enough, access comes with the next slot; otherwise a backoff of `draw()` slots starts.
    pub fn request(&mut self, now: Time, id: ContenderId, draw: impl FnOnce() -> u32) {
        let Contender { class, ends, request } = self.contenders[id];
        if request.is_some() {
            return;
        }
        let early = || self.early.iter().any(|early| early.contender == id);
        let running = ends.filter(|&ends| match self.idle_since {
            // Before the first boundary of an idle period that is still to begin, only an early backoff can end.
            Some(since) => {
                let class = &self.classes[class];
                class.when(since, ends, self.slot) > now && (ends >= class.first() || early())
            }
            None => ends > self.classes[class].counted,
        });
        let ends = running.unwrap_or_else(|| {
            let count = self.classes[class].count(self.idle_since, now, self.slot);
            match self.idle_since.map(|since| since + self.classes[class].aifs) {
                Some(counting) if now >= counting => {
                    // The slot under way has begun; access comes at the next boundary, or at this one if it is now.
                    count + i64::from(!(now - counting).as_nanos().is_multiple_of(self.slot.as_nanos()))
                }
                _ => self.classes[class].first() + i64::from(draw()),
            }
        });
        self.enter(id, ends);
    }

    /// `id`, which has just won, does not transmit: it waits for so many slots more after this one, whatever they are counted by.
    pub fn put_off(&mut self, now: Time, id: ContenderId, slots: u32) {
        let class = &self.classes[self.contenders[id].class];
        let counted = class.count(self.idle_since, now, self.slot);
        self.enter(id, counted + 1 + i64::from(slots));
    }

    /// Whether the next access may have moved since this was last asked.
    #[inline]
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Withdraws a request; the backoff continues to count.
    pub fn withdraw(&mut self, id: ContenderId) {
        self.changed = true;
        self.contenders[id].request = None;
    }

    /// The medium becomes busy.
    pub fn busy(&mut self, now: Time) {
        self.stop_early(now);
        if self.live {
            self.count(now);
        }
        self.idle_since = None;
    }

    /// Each class with a backoff or a request counts the boundaries that have passed.
    fn count(&mut self, now: Time) {
        (self.waits, self.live) = (false, false);
        for class in self.classes.iter_mut().filter(|class| class.is_live()) {
            class.counted = class.count(self.idle_since, now, self.slot);
            self.waits |= !class.waiting.is_empty();
            self.live |= class.is_live();
        }
        self.changed |= self.waits;
    }

    /// The medium becomes idle. All count from `since` on, which is later than now if they have to keep an extended
    /// inter-frame space; a contender that backs off now counts from now.
    pub fn idle(&mut self, since: Time) {
        debug_assert!(self.idle_since.is_none());
        self.idle_since = Some(since);
        self.changed |= self.waits;
    }

    /// When the next contender gets the medium, if it stays idle and there are no new requests. None while it is busy.
    pub fn next_access(&mut self) -> Option<Time> {
        let since = self.idle_since?;
        let accesses = self.classes.iter_mut().map(|class| class.access(&self.contenders, since, self.slot));
        accesses.flatten().min()
    }

    /// Takes out all contenders whose backoff ends now, in the order of their class and then of their requests. More
    /// than one is a collision.
    pub fn take_winners(&mut self, now: Time, winners: &mut Vec<ContenderId>) {
        let Some(since) = self.idle_since else { return };
        for class in &mut self.classes {
            while class.access(&self.contenders, since, self.slot) == Some(now) {
                let Some(Reverse((_, _, id))) = class.waiting.pop() else { break };
                let contender = &mut self.contenders[id];
                (contender.request, contender.ends) = (None, None);
                self.changed = true;
                winners.push(id);
            }
        }
    }

    fn enter(&mut self, id: ContenderId, ends: i64) {
        (self.waits, self.live, self.changed) = (true, true, true);
        self.stamp += 1;
        let contender = &mut self.contenders[id];
        (contender.ends, contender.request) = (Some(ends), Some(self.stamp));
        let class = &mut self.classes[contender.class];
        class.latest = class.latest.max(ends);
        class.waiting.push(Reverse((ends, self.stamp, id)));
    }

    /// The medium becomes busy: a backoff that had begun ahead of its class, which has counted nothing yet, keeps what it
    /// has counted by itself.
    fn stop_early(&mut self, now: Time) {
        let Some(since) = self.idle_since else { return };
        for n in 0..self.early.len() {
            let Early { contender, ahead } = self.early[n];
            let Contender { class, ends, request } = self.contenders[contender];
            let class = &mut self.classes[class];
            let start = since + class.aifs;
            let Some(ends) = ends.filter(|_| now < start) else { continue };
            let left = (start - now).as_nanos().div_ceil(self.slot.as_nanos()) as i64;
            let counted = if left <= ahead { ahead - left + class.counting.first() } else { 0 };
            let ends = ends + ahead - counted;
            match request {
                Some(_) => self.enter(contender, ends),
                None => {
                    self.live = true;
                    class.latest = class.latest.max(ends);
                    self.contenders[contender].ends = Some(ends);
                }
            }
        }
        self.early.clear();
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
        let (a, b) = (c.join(AIFS, Counting::Edca), c.join(AIFS, Counting::Edca));
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
        let a = c.join(AIFS, Counting::Edca);
        c.busy(us(0));
        c.idle(us(100));
        c.back_off(us(100), a, 0);
        c.request(us(100), a, || unreachable!());
        assert_eq!(c.next_access(), Some(us(100 + 43)));
    }

    /// A backoff that ended in an earlier idle period is not a backoff that began ahead of its class.
    #[test]
    fn a_request_while_others_keep_quiet_waits_like_them() {
        for counting in [Counting::Edca, Counting::Dcf] {
            let mut c = Contention::new(SLOT);
            let (a, b) = (c.join(AIFS, counting), c.join(AIFS, counting));
            c.back_off(us(0), a, 2);
            c.request(us(65), b, || unreachable!());
            let at = c.next_access().unwrap();
            assert_eq!(winners(&mut c, at), [b]);
            c.busy(at);
            c.idle(us(1200));
            c.request(us(1110), a, || 0);
            assert_eq!(c.next_access(), Some(us(1200) + AIFS));
        }
    }

    #[test]
    fn equal_backoffs_collide() {
        let mut c = Contention::new(SLOT);
        let ids: Vec<_> = (0..3).map(|_| c.join(AIFS, Counting::Edca)).collect();
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
        let a = c.join(AIFS, Counting::Edca);
        c.request(us(1000), a, || unreachable!());
        let at = c.next_access().unwrap();
        assert!(at >= us(1000) && at < us(1000) + SLOT, "{at:?}");
        assert_eq!((at - us(43)).as_nanos() % SLOT.as_nanos(), 0);
    }

    #[test]
    fn the_backoff_after_a_transmission_is_owed_even_by_a_latecomer() {
        let mut c = Contention::new(SLOT);
        let a = c.join(AIFS, Counting::Edca);
        c.busy(us(0));
        c.idle(us(100));
        c.back_off(us(100), a, 10);
        c.request(us(100 + 43 + 45), a, || unreachable!());
        assert_eq!(c.next_access(), Some(us(100 + 43 + 90)));
    }

    /// What passes while nobody contends is not counted, and who comes later cannot tell; for who still owes a backoff it is.
    #[test]
    fn boundaries_that_pass_while_no_backoff_runs_change_nothing() {
        for counting in [Counting::Edca, Counting::Dcf] {
            let mut c = Contention::new(SLOT);
            let (a, b) = (c.join(AIFS, counting), c.join(AIFS, counting));
            let interrupted = u64::from(counting == Counting::Dcf);
            for period in 0..4 {
                c.busy(us(10_000 * period + 1000));
                c.idle(us(10_000 * period + 2000));
            }
            c.busy(us(50_000));
            c.request(us(50_000), a, || 3);
            c.idle(us(51_000));
            assert_eq!(winners(&mut c, us(51_000 + 43 + 27)), [a], "{counting:?}");
            c.busy(us(51_070));
            c.idle(us(52_000));
            c.back_off(us(52_000), a, 5);
            // Two boundaries pass: the inter-frame space and a slot.
            c.busy(us(52_000 + 43 + 9));
            c.request(us(52_060), b, || 9);
            c.request(us(52_060), a, || unreachable!("its backoff is not over"));
            c.idle(us(53_000));
            assert_eq!(c.next_access(), Some(us(53_000 + 43 + 9 * (3 + interrupted))), "{counting:?}");
        }
    }

    #[test]
    fn a_withdrawn_request_never_wins() {
        let mut c = Contention::new(SLOT);
        let (a, b) = (c.join(AIFS, Counting::Edca), c.join(AIFS, Counting::Edca));
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
        let (slow, fast) = (c.join(AIFS, Counting::Edca), c.join(Duration::from_micros(25), Counting::Edca));
        c.busy(us(0));
        c.request(us(0), slow, || 0);
        c.request(us(0), fast, || 1);
        c.idle(us(100));
        assert_eq!(c.next_access(), Some(us(134)));
        assert_eq!(winners(&mut c, us(134)), [fast]);
    }

    #[test]
    fn the_distributed_function_does_not_count_an_interrupted_slot() {
        let mut c = Contention::new(SLOT);
        let (a, b) = (c.join(AIFS, Counting::Dcf), c.join(AIFS, Counting::Dcf));
        c.busy(us(0));
        c.request(us(0), a, || 3);
        c.request(us(0), b, || 5);
        c.idle(us(100));
        assert_eq!(winners(&mut c, us(170)), [a], "three idle slots after the inter-frame space");
        c.busy(us(170));
        c.idle(us(500));
        assert_eq!(c.next_access(), Some(us(500 + 43 + 18)), "two of five are left");
    }

    /// Two have collided and know at 100 that the medium is idle; the rest must wait for 20 us, two slots, longer.
    #[test]
    fn who_knows_earlier_that_the_medium_is_idle_is_ahead() {
        for (counting, passed) in [(Counting::Edca, 2), (Counting::Dcf, 1)] {
            let mut c = Contention::new(SLOT);
            let ids: Vec<_> = (0..3).map(|_| c.join(AIFS, counting)).collect();
            c.busy(us(0));
            c.request(us(0), ids[2], || 3);
            c.idle(us(120));
            for (&id, slots) in ids.iter().zip([1, 7]) {
                c.back_off(us(100), id, slots);
                c.request(us(100), id, || unreachable!());
            }
            let first = us(120 + 43 - 18 + 9);
            assert_eq!(c.next_access(), Some(first), "{counting:?}");
            assert_eq!(winners(&mut c, first), [ids[0]]);
            c.busy(first);
            c.idle(us(1000));
            assert_eq!(c.next_access(), Some(us(1000 + 43 + 27)), "the third has counted nothing");
            assert_eq!(winners(&mut c, us(1000 + 43 + 27)), [ids[2]]);
            c.busy(us(1000 + 43 + 27));
            c.idle(us(2000));
            let left = 7 - passed - 3 - u64::from(counting == Counting::Edca);
            assert_eq!(c.next_access(), Some(us(2000 + 43 + 9 * left)), "{counting:?}");
        }
    }
}
