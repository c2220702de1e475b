//! What a capture does not have although an end says that it was there.

use std::collections::VecDeque;

/// The most spells of missing octets that are remembered.
const MOST_SPELLS: usize = 64;

/// Data and acknowledgments that are not in the capture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uncaptured {
    /// Octets that were acknowledged but never captured: the capture is not complete.
    pub octets: u64,
    /// Acknowledgments that covered such octets.
    pub acks: u64,
    /// Octets of new data that reached a third of the receiver's window or more beyond the edge that it had given by then: acknowledgments are
    /// missing in the capture, or the capture is artificial.
    pub beyond: u64,
    /// The part of `octets` that lies before the first that was captured, in a stream whose beginning was not: it was sent before the capture.
    pub before: u64,
    /// That first octet.
    begins: Option<u64>,
    spells: VecDeque<Spell>,
}

/// Octets that were acknowledged but not captured until then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spell {
    from: u64,
    /// The octet after the last.
    to: u64,
    acknowledged_ns: u64,
}

impl Uncaptured {
    /// The stream begins anew: none of it was acknowledged yet.
    pub(super) fn begin(&mut self) {
        self.begins = None;
        self.spells.clear();
    }

    /// The first octets of a stream are captured whose beginning was not.
    pub(super) fn begins(&mut self, at: u64) {
        self.begins = Some(at);
        self.before = self.octets;
    }

    /// Octets were acknowledged at a time that had not been captured.
    pub(super) fn missed(&mut self, from: u64, to: u64, acknowledged_ns: u64) {
        self.before += self.begins.map_or(0, |begins| begins.min(to).saturating_sub(from));
        self.remember(from, to, acknowledged_ns);
    }

    /// Remembers such a spell. Of too many the oldest is forgotten.
    fn remember(&mut self, from: u64, to: u64, acknowledged_ns: u64) {
        if from < to {
            if self.spells.len() >= MOST_SPELLS {
                self.spells.pop_front();
            }
            self.spells.push_back(Spell { from, to, acknowledged_ns });
        }
    }

    /// An acknowledgment covered so many such octets.
    pub(super) fn acknowledged(&mut self, octets: u64) {
        if octets > 0 {
            self.octets += octets;
            self.acks += 1;
        }
    }

    /// Octets are captured after all. Whether they were acknowledged at a time that fits, in one spell.
    pub(super) fn came(&mut self, from: u64, to: u64, fits: impl Fn(u64) -> bool) -> bool {
        let around = |spell: &Spell| spell.from <= from && to <= spell.to && fits(spell.acknowledged_ns);
        let place = self.spells.iter().position(around);
        let Some(spell) = place.and_then(|place| self.spells.remove(place)) else { return false };
        self.remember(spell.from, from, spell.acknowledged_ns);
        self.remember(to, spell.to, spell.acknowledged_ns);
        self.octets = self.octets.saturating_sub(to - from);
        true
    }
}
