//! For which of its stations an access point holds frames, as its beacons say by association identifier.

use std::collections::BTreeMap;

/// What the beacons of one access point say: the stations for which it holds frames now.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    /// When the last beacon came, in nanoseconds since 1970.
    last_ns: Option<u64>,
    /// By association identifier: the last beacon that did not say so, or the first that did if none was heard before; and the first that did.
    since: BTreeMap<u16, (u64, u64)>,
}

impl Held {
    /// Takes a beacon, with one bit for each identifier from 0 to 63 for which frames wait.
    pub(super) fn said(&mut self, at_ns: u64, waiting: u64) {
        let waits = |aid: u16| waiting >> aid & 1 != 0;
        self.since.retain(|&aid, _| waits(aid));
        let before = self.last_ns.replace(at_ns).unwrap_or(at_ns);
        for aid in (1..64).filter(|&aid| waits(aid)) {
            self.since.entry(aid).or_insert((before, at_ns));
        }
    }

    /// Between which times the first of what waits for a station came: after the last beacon that told of nothing, before the first that told of it; none if
    /// nothing waits.
    pub(super) fn since(&self, aid: u16) -> Option<(u64, u64)> {
        self.since.get(&aid).copied()
    }
}
