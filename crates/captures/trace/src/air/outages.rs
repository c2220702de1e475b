//! Times in which an access point sent nothing after it had dismissed all its stations.

use crate::{Capped, Frame, Subtype};

/// It falls silent within this time after it has dismissed them, in nanoseconds.
const NEXT: u64 = 1_000_000_000;
/// Shorter times are none, in nanoseconds: an access point that changes its channel or its settings is back sooner.
const LEAST: u64 = 3_000_000_000;
/// After fewer frames it does not show how regularly it is heard; nor is a silence one of it that is not so many times the longest before.
const FEWEST: u64 = 100;
const TIMES: u64 = 10;

/// The outages of one radio.
#[derive(Clone, Debug, Default)]
pub struct Outages {
    frames: u64,
    last_ns: u64,
    longest_ns: u64,
    dismissed_ns: Option<u64>,
    spells: Capped<(u64, u64), 16>,
}

impl Outages {
    /// All that were heard: its last frame and the next, in nanoseconds since 1970.
    pub const fn spells(&self) -> &Capped<(u64, u64), 16> {
        &self.spells
    }

    /// Takes a frame that it sent.
    pub(super) fn sent(&mut self, at_ns: u64, frame: &Frame) {
        let last_ns = std::mem::replace(&mut self.last_ns, at_ns);
        let silent_ns = if self.frames == 0 { 0 } else { at_ns.saturating_sub(last_ns) };
        let has_dismissed = self.dismissed_ns.is_some_and(|then| last_ns.saturating_sub(then) < NEXT);
        let is_none_else =
            silent_ns >= LEAST.max(TIMES.saturating_mul(self.longest_ns)) && self.frames >= FEWEST;
        if has_dismissed && is_none_else {
            self.spells.push((last_ns, at_ns));
        } else {
            self.longest_ns = self.longest_ns.max(silent_ns);
        }
        self.frames += 1;
        if frame.subtype == Subtype::Leave && frame.receiver.is_group() {
            self.dismissed_ns = Some(at_ns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::frame_of;

    const TENTH: u64 = 100_000_000;

    /// The outages, in tenths of a second, where 200 frames come each tenth, the 100th for the others to leave if so said, and then a silence of so many.
    fn outages(dismisses: bool, silent: u64, before: u64) -> Vec<(u64, u64)> {
        let ap = [2, 0, 0, 0, 0, 8];
        let of = |kind: u8| frame_of(&[&[kind, 0, 0, 0], &[0xff; 6][..], &ap, &ap, &[0, 0, 3, 0]].concat());
        let mut outages = Outages::default();
        let mut at = 0;
        for number in 0..300 {
            at += match number {
                50 => before,
                201 => silent,
                _ => 1,
            };
            outages.sent(at * TENTH, &of(if number == 200 && dismisses { 0xc0 } else { 0x80 }));
        }
        outages.spells().kept().iter().map(|&(from, to)| (from / TENTH, to / TENTH)).collect()
    }

    #[test]
    fn a_silence_without_its_like_behind_a_dismissal_is_an_outage() {
        assert_eq!(outages(true, 590, 1), [(201, 791)]);
        assert_eq!(outages(false, 590, 1), [], "it dismissed nobody");
        assert_eq!(outages(true, 20, 1), [], "short");
        assert_eq!(outages(true, 590, 100), [], "it was as silent before");
    }
}
