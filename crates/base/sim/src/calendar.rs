//! The event calendar: an indexed binary heap over slots that are reserved once and re-armed any number of times.
//!
//! Every source of events (a retransmission timer, a link's next delivery, the medium's next access) owns one [`Slot`],
//! reserved while the world is built. Arming, moving and cancelling a slot is one sift in the heap and never allocates.
//! A cancelled slot leaves the heap at once and so can never be delivered.
//!
//! Order: earliest time first; among equal times, the one armed first. This order is part of what makes a run a pure
//! function of its scenario and seed. Do not change it lightly.

use crate::Time;

/// The right to one pending event of a [`Calendar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(u32);

/// A slot that is armed, as one number that is the smaller the earlier it fires: the time, how many were armed before it,
/// and the slot in the lowest bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry(u128);

impl Entry {
    const SLOT_BITS: u32 = 24;
    /// What is added for each slot that is armed.
    const NEXT: u64 = 1 << Self::SLOT_BITS;

    #[inline]
    fn new(at: Time, armed: u64, Slot(slot): Slot) -> Self {
        Self(u128::from(at.as_nanos()) << 64 | u128::from(armed | u64::from(slot)))
    }

    #[inline]
    fn at(self) -> Time {
        Time::from_nanos((self.0 >> 64) as u64)
    }

    #[inline]
    fn slot(self) -> usize {
        (self.0 as u64 % Self::NEXT) as usize
    }
}

const IDLE: u32 = u32::MAX;

/// Pending events in the order in which they are to be delivered.
pub struct Calendar<E> {
    now: Time,
    armed: u64,
    delivered: u64,
    /// The earliest is at 0 and has one child, at 1, so that an entry armed as the earliest is compared with one other
    /// only; the children of any other place `n` are at `2 n` and `2 n + 1`.
    heap: Vec<Entry>,
    /// The top of the heap has been delivered and waits to be replaced: nearly every event arms another, which then costs
    /// one sift rather than two. The old entry is earlier than all others, so it does not disturb their order.
    spent: bool,
    /// For each slot its event and its place in the heap, or `IDLE`.
    slots: Vec<(E, u32)>,
}

impl<E: Copy> Default for Calendar<E> {
    fn default() -> Self {
        Self { now: Time::ZERO, armed: 0, delivered: 0, heap: Vec::new(), spent: false, slots: Vec::new() }
    }
}

impl<E: Copy> Calendar<E> {
    /// Reserves a slot that delivers `event` whenever it fires. O(1).
    pub fn reserve(&mut self, event: E) -> Slot {
        let slot = self.slots.len() as u32;
        assert!(u64::from(slot) < Entry::NEXT, "fewer than 2^24 slots");
        self.slots.push((event, IDLE));
        self.heap.reserve(1);
        Slot(slot)
    }

    /// The instant of the event last delivered.
    pub fn now(&self) -> Time {
        self.now
    }

    /// How many events have been delivered.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// When `slot` will fire, if it is armed.
    pub fn due(&self, slot: Slot) -> Option<Time> {
        let place = self.slots[slot.0 as usize].1;
        (place != IDLE).then(|| self.heap[place as usize].at())
    }

    /// Arms `slot` for `at`, moving it if it was armed already. O(log n).
    ///
    /// # Panics
    /// If `at` is before the event last delivered: time never runs back.
    #[inline]
    pub fn set(&mut self, slot: Slot, at: Time) {
        assert!(at >= self.now, "time would run back: {at:?} is before {:?}", self.now);
        let entry = Entry::new(at, self.armed, slot);
        self.armed = self.armed.checked_add(Entry::NEXT).expect("fewer than 2^40 times");
        let place = self.slots[slot.0 as usize].1;
        if place != IDLE {
            self.settle(place as usize, entry);
        } else if std::mem::take(&mut self.spent) {
            self.replace_first(entry);
        } else {
            self.heap.push(entry);
            self.sift_up(self.heap.len() - 1, entry);
        }
    }

    /// Disarms `slot`; nothing happens if it was not armed. O(log n).
    pub fn cancel(&mut self, slot: Slot) {
        let place = std::mem::replace(&mut self.slots[slot.0 as usize].1, IDLE);
        if place != IDLE {
            self.remove(place as usize);
        }
    }

    /// Arms `slot` for `at`, or disarms it for `None`.
    #[inline]
    pub fn set_or_cancel(&mut self, slot: Slot, at: Option<Time>) {
        match at {
            Some(at) => self.set(slot, at),
            None => self.cancel(slot),
        }
    }

    /// Delivers the earliest event that is due at or before `until`. O(log n).
    #[inline]
    pub fn pop(&mut self, until: Time) -> Option<(Time, E)> {
        if std::mem::take(&mut self.spent) {
            self.remove(0);
        }
        let first = *self.heap.first()?;
        if first.at() > until {
            return None;
        }
        debug_assert!(first.at() >= self.now, "time ran back");
        self.now = first.at();
        self.delivered += 1;
        self.spent = true;
        let (event, place) = &mut self.slots[first.slot()];
        *place = IDLE;
        Some((self.now, *event))
    }

    /// When the next event is due, if one is. O(1).
    pub fn next(&self) -> Option<Time> {
        // Below a top that has been delivered, the earliest is one of its two children.
        let first = if self.spent { 1..3 } else { 0..1 };
        self.heap
            .get(first.start..first.end.min(self.heap.len()))
            .unwrap_or_default()
            .iter()
            .map(|e| e.at())
            .min()
    }

    fn remove(&mut self, place: usize) {
        let last = self.heap.pop().expect("an armed slot is in the heap");
        if place < self.heap.len() {
            self.settle(place, last);
        }
    }

    /// Puts `entry` into the free `place` and sifts it to its position.
    fn settle(&mut self, place: usize, entry: Entry) {
        if place == 0 {
            self.replace_first(entry);
        } else if entry < self.heap[place / 2] {
            self.sift_up(place, entry);
        } else {
            self.sift_down(place, entry);
        }
    }

    /// Puts `entry` where the first is not needed any more, or what comes before it.
    #[inline(always)]
    fn replace_first(&mut self, entry: Entry) {
        match self.heap.get(1) {
            Some(&second) if second < entry => {
                self.put(0, second);
                self.sift_down(1, entry);
            }
            _ => self.put(0, entry),
        }
    }

    fn sift_up(&mut self, mut place: usize, entry: Entry) {
        while place > 0 {
            let above = place / 2;
            let parent = self.heap[above];
            if entry > parent {
                break;
            }
            self.put(place, parent);
            place = above;
        }
        self.put(place, entry);
    }

    /// Not from place 0, which has one child.
    fn sift_down(&mut self, mut place: usize, entry: Entry) {
        let (heap, slots) = (&mut self.heap[..], &mut self.slots[..]);
        let mut put = |heap: &mut [Entry], place: usize, entry: Entry| {
            heap[place] = entry;
            slots[entry.slot()].1 = place as u32;
        };
        while let Some(&left) = heap.get(2 * place) {
            let (mut below, mut child) = (2 * place, left);
            if let Some(&right) = heap.get(below + 1)
                && right < left
            {
                (below, child) = (below + 1, right);
            }
            if child > entry {
                break;
            }
            put(heap, place, child);
            place = below;
        }
        put(heap, place, entry);
    }

    #[inline]
    fn put(&mut self, place: usize, entry: Entry) {
        self.heap[place] = entry;
        self.slots[entry.slot()].1 = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(ns: u64) -> Time {
        Time::from_nanos(ns)
    }

    #[test]
    fn equal_times_keep_the_order_in_which_they_were_armed() {
        let mut calendar = Calendar::default();
        let slots: Vec<_> = (0..8).map(|i| calendar.reserve(i)).collect();
        for &i in &[5, 2, 7, 0] {
            calendar.set(slots[i], at(10));
        }
        calendar.set(slots[2], at(10));
        let order: Vec<_> = std::iter::from_fn(|| calendar.pop(Time::NEVER)).map(|(_, e)| e).collect();
        assert_eq!(order, [5, 7, 0, 2]);
    }

    #[test]
    #[should_panic(expected = "time would run back")]
    fn arming_in_the_past_is_refused() {
        let mut calendar = Calendar::default();
        let slot = calendar.reserve(());
        calendar.set(slot, at(10));
        calendar.pop(Time::NEVER);
        calendar.set(slot, at(9));
    }

    #[test]
    fn pop_stops_at_the_horizon() {
        let mut calendar = Calendar::default();
        let slot = calendar.reserve(());
        calendar.set(slot, at(10));
        assert!(calendar.pop(at(9)).is_none());
        assert!(calendar.pop(at(10)).is_some());
    }

    proptest! {
        /// Against a plain list: same deliveries, same order, cancelled slots never delivered.
        #[test]
        fn agrees_with_a_sorted_list(steps in prop::collection::vec((0usize..12, 0u64..20, 0u8..4), 1..300)) {
            let mut calendar = Calendar::default();
            let slots: Vec<_> = (0..12).map(|i| calendar.reserve(i)).collect();
            let mut list: Vec<(u64, u64, usize)> = Vec::new();
            let mut armed = 0;
            for (i, delay, what) in steps {
                match what {
                    0 | 1 => {
                        let due = calendar.now().as_nanos() + delay;
                        list.retain(|e| e.2 != i);
                        list.push((due, armed, i));
                        armed += 1;
                        calendar.set(slots[i], at(due));
                    }
                    2 => {
                        list.retain(|e| e.2 != i);
                        calendar.cancel(slots[i]);
                    }
                    _ => {
                        list.sort_unstable();
                        let expected = (!list.is_empty()).then(|| list.remove(0)).map(|e| (at(e.0), e.2));
                        prop_assert_eq!(calendar.pop(Time::NEVER), expected);
                    }
                }
                prop_assert_eq!(calendar.next(), list.iter().map(|e| at(e.0)).min());
                for (j, slot) in slots.iter().enumerate() {
                    let due = list.iter().find(|e| e.2 == j).map(|e| at(e.0));
                    prop_assert_eq!(calendar.due(*slot), due);
                }
            }
        }
    }
}
