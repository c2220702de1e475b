//! Many queues in one piece of memory: nothing is allocated once the largest backlog has been seen.

use crate::Item;
use airloom_sim::Time;

const NONE: u32 = u32::MAX;

/// A packet that waits, and since when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// When it went in.
    pub(crate) since: Time,
    /// The packet.
    pub(crate) item: Item,
}

#[derive(Clone, Copy)]
struct Entry {
    held: Held,
    before: u32,
    after: u32,
}

/// The packets of any number of lists.
#[derive(Default)]
pub(crate) struct Store {
    entries: Vec<Entry>,
    free: Vec<u32>,
}

/// One queue in a [`Store`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    first: u32,
    last: u32,
    pub(crate) packets: u32,
    pub(crate) bytes: u64,
}

impl Default for List {
    fn default() -> Self {
        Self { first: NONE, last: NONE, packets: 0, bytes: 0 }
    }
}

impl Store {
    pub(crate) fn push(&mut self, list: &mut List, held: Held) {
        let entry = Entry { held, before: list.last, after: NONE };
        let place = match self.free.pop() {
            Some(place) => {
                self.entries[place as usize] = entry;
                place
            }
            None => {
                self.entries.push(entry);
                (self.entries.len() - 1) as u32
            }
        };
        match list.last {
            NONE => list.first = place,
            last => self.entries[last as usize].after = place,
        }
        list.last = place;
        list.packets += 1;
        list.bytes += u64::from(held.item.bytes);
    }

    pub(crate) fn pop_first(&mut self, list: &mut List) -> Option<Held> {
        let place = list.first;
        let Entry { held, after, .. } = *self.entries.get(place as usize)?;
        list.first = after;
        match after {
            NONE => list.last = NONE,
            after => self.entries[after as usize].before = NONE,
        }
        self.freed(list, place, held)
    }

    pub(crate) fn pop_last(&mut self, list: &mut List) -> Option<Held> {
        let place = list.last;
        let Entry { held, before, .. } = *self.entries.get(place as usize)?;
        list.last = before;
        match before {
            NONE => list.first = NONE,
            before => self.entries[before as usize].after = NONE,
        }
        self.freed(list, place, held)
    }

    fn freed(&mut self, list: &mut List, place: u32, held: Held) -> Option<Held> {
        self.free.push(place);
        list.packets -= 1;
        list.bytes -= u64::from(held.item.bytes);
        Some(held)
    }
}
