//! Times in which an access point sent nothing after it had dismissed all its stations.

use crate::{Capped, Frame, Subtype};

/// It falls silent within this time after it has dismissed them, in nanoseconds.
const NEXT: u64 = 1_000_000_000;
/// Shorter times are none, in nanoseconds: an access point that changes its channel or its settings is back sooner.
const LEAST: u64 = 3_000_000_000;
/// After fewer frames it does not show how regularly it is heard; nor is a silence one of it that is not so many times the longest before.
const FEWEST: u64 = 30;
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
    /// All until it was heard again: its last frame and the next, in nanoseconds since 1970.
    pub const fn spells(&self) -> &Capped<(u64, u64), 16> {
        &self.spells
    }

    /// The one that lasts up to the end of the capture, if it was not heard again.
    pub fn open(&self, end_ns: u64) -> Option<(u64, u64)> {
        self.is_outage(end_ns).then_some((self.last_ns, end_ns))
    }

    /// Whether it was silent after it had dismissed all, and as long as it had never been, up to a time.
    fn is_outage(&self, at_ns: u64) -> bool {
        let silent_ns = at_ns.saturating_sub(self.last_ns);
        let has_dismissed = self.dismissed_ns.is_some_and(|then| self.last_ns.saturating_sub(then) < NEXT);
        let is_none_else = silent_ns >= LEAST.max(TIMES.saturating_mul(self.longest_ns));
        has_dismissed && is_none_else && self.frames >= FEWEST
    }

    /// Takes a frame that it sent.
    pub(super) fn sent(&mut self, at_ns: u64, frame: &Frame) {
        if self.is_outage(at_ns) {
            self.spells.push((self.last_ns, at_ns));
        } else if self.frames > 0 {
            self.longest_ns = self.longest_ns.max(at_ns.saturating_sub(self.last_ns));
        }
        self.last_ns = at_ns;
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

    /// The outages, in tenths of a second, where a frame comes each tenth, the 200th for the others to leave if so said, then a silence of so many and 98 more
    /// frames, or the end of the capture after so many.
    fn outages(dismisses: bool, silent: u64, before: u64, until: u64) -> Vec<(u64, u64)> {
        let ap = [2, 0, 0, 0, 0, 8];
        let of = |kind: u8| frame_of(&[&[kind, 0, 0, 0], &[0xff; 6][..], &ap, &ap, &[0, 0, 3, 0]].concat());
        let mut outages = Outages::default();
        let mut at = 0;
        for number in 0..if until > 0 { 202 } else { 300 } {
            at += match number {
                50 => before,
                202 => silent,
                _ => 1,
            };
            outages.sent(at * TENTH, &of(if number == 200 && dismisses { 0xc0 } else { 0x80 }));
        }
        let open = outages.open((at + until) * TENTH);
        outages
            .spells()
            .kept()
            .iter()
            .copied()
            .chain(open)
            .map(|(from, to)| (from / TENTH, to / TENTH))
            .collect()
    }

    #[test]
    fn a_silence_without_its_like_behind_a_dismissal_is_an_outage() {
        assert_eq!(outages(true, 590, 1, 0), [(202, 792)]);
        assert_eq!(outages(true, 0, 1, 40), [(202, 242)], "up to the end");
        assert_eq!(outages(true, 0, 1, 20), [], "not yet");
        assert_eq!(outages(false, 590, 1, 0), [], "it dismissed nobody");
        assert_eq!(outages(true, 20, 1, 0), [], "short");
        assert_eq!(outages(true, 590, 100, 0), [], "it was as silent before");
    }
}
