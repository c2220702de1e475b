//! Times in which an access point sent nothing after it had dismissed all its stations, or while it answered none of them.

use crate::{Capped, Frame, Subtype};

/// It falls silent within this time after it has dismissed them, in nanoseconds.
const NEXT: u64 = 1_000_000_000;
/// Shorter times are none, in nanoseconds: an access point that changes its channel or its settings is back sooner.
const LEAST: u64 = 3_000_000_000;
/// Where its stations show that it is gone, shorter ones are none: that is the time without its beacons by which connection managers and mac80211 take an access point for lost (seven of 102.4 ms: IEEE80211_BEACON_LOSS_COUNT of net/mac80211/mlme.c), and some more.
const LEAST_ASKED: u64 = 1_000_000_000;
/// After fewer frames it does not show how regularly it is heard; nor is a silence one of it that is not so many times the longest before.
const FEWEST: u64 = 30;
const TIMES: u64 = 10;
/// So many frames of its stations in a row to which it gave no answer show that it is gone, not unheard.
const UNANSWERED: u64 = 20;
/// They lie at least so far apart, in nanoseconds: five of the usual beacon intervals, of 100 units of 1024 us.
const LONG: u64 = 512_000_000;

/// The outages of one radio.
#[derive(Clone, Debug, Default)]
pub struct Outages {
    frames: u64,
    last_ns: u64,
    longest_ns: u64,
    dismissed_ns: Option<u64>,
    /// When it last answered a station, by a frame that does not name it.
    answered_ns: u64,
    /// How many frames of its stations it has not answered since it last sent anything, and when the first and the last were.
    asked: u64,
    asked_ns: (u64, u64),
    spells: Capped<Outage, 16>,
}

/// A time without an access point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// Its last frame, and the next or the end of the capture, in nanoseconds since 1970.
    pub span_ns: (u64, u64),
    /// Frames of its stations in that time to which it gave no answer; none where it had dismissed them all before.
    pub unanswered: u64,
}

impl Outages {
    /// All until it was heard again.
    pub const fn spells(&self) -> &Capped<Outage, 16> {
        &self.spells
    }

    /// The one that lasts up to the end of the capture, if it was not heard again.
    pub fn open(&self, end_ns: u64) -> Option<Outage> {
        self.outage(end_ns)
    }

    /// The outage up to a time, if it was silent as long as it had never been, and had dismissed all or answered none of many.
    fn outage(&self, at_ns: u64) -> Option<Outage> {
        let is_silent = |since_ns: u64, least_ns: u64| {
            at_ns.saturating_sub(since_ns) >= least_ns.max(TIMES.saturating_mul(self.longest_ns))
        };
        let has_dismissed = self.dismissed_ns.is_some_and(|then| self.last_ns.saturating_sub(then) < NEXT);
        let heard_ns = self.last_ns.max(self.answered_ns);
        let asked_for_ns = self.asked_ns.1.saturating_sub(self.asked_ns.0);
        if self.frames < FEWEST {
            None
        } else if has_dismissed && is_silent(self.last_ns, LEAST) {
            Some(Outage { span_ns: (self.last_ns, at_ns), unanswered: 0 })
        } else {
            (self.asked >= UNANSWERED && asked_for_ns >= LONG && is_silent(heard_ns, LEAST_ASKED))
                .then_some(Outage { span_ns: (heard_ns, at_ns), unanswered: self.asked })
        }
    }

    /// Takes a frame that a station sent to it since it had no answer, or to which one is due at once.
    pub(super) const fn asked(&mut self, at_ns: u64) {
        if self.asked == 0 {
            self.asked_ns.0 = at_ns;
        }
        self.asked_ns.1 = at_ns;
        self.asked += 1;
    }

    /// Takes an answer to one of its stations, which may be the first that is heard of it after an outage.
    pub(super) fn answered(&mut self, at_ns: u64) {
        if let Some(outage) = self.outage(at_ns) {
            self.spells.push(outage);
        }
        (self.answered_ns, self.asked) = (at_ns, 0);
    }

    /// Takes a frame that it sent.
    pub(super) fn sent(&mut self, at_ns: u64, frame: &Frame) {
        if let Some(outage) = self.outage(at_ns) {
            self.spells.push(outage);
        } else if self.frames > 0 {
            self.longest_ns = self.longest_ns.max(at_ns.saturating_sub(self.last_ns));
        }
        self.last_ns = at_ns;
        self.asked = 0;
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
            .map(|outage| (outage.span_ns.0 / TENTH, outage.span_ns.1 / TENTH))
            .collect()
    }

    /// How many frames were not answered in an outage, where after 50 beacons so many come for so long, in tenths of a second, and the beacons go on behind 40; the
    /// last is answered if so said.
    fn unanswered(frames: u64, long: u64, answered: bool) -> Option<u64> {
        unanswered_until(frames, long, answered, 40)
    }

    /// The same where they go on behind so many.
    fn unanswered_until(frames: u64, long: u64, answered: bool, until: u64) -> Option<u64> {
        let beacon = frame_of(&[&[0x80, 0, 0, 0], &[0xff; 6][..], &[8; 6], &[8; 6], &[0, 0]].concat());
        let mut outages = Outages::default();
        (0..50).for_each(|at| outages.sent(at * TENTH, &beacon));
        (0..frames).for_each(|number| outages.asked(50 * TENTH + number * long * TENTH / frames));
        if answered {
            outages.answered((50 + long) * TENTH);
        }
        outages.sent((50 + until) * TENTH, &beacon);
        outages.spells().kept().first().map(|outage| outage.unanswered)
    }

    #[test]
    fn one_that_answers_none_of_its_stations_and_sends_nothing_is_gone() {
        assert_eq!(unanswered(40, 8, false), Some(40));
        assert_eq!(unanswered(40, 8, true), None, "it was there all the time, or they were not for it");
        assert_eq!(unanswered(19, 8, false), None, "few");
        assert_eq!(unanswered_until(40, 8, false, 15), Some(40), "for a second and a half");
        assert_eq!(unanswered_until(40, 8, false, 8), None, "for less than ten beacons");
        assert_eq!(
            unanswered(40, 4, false),
            None,
            "all within four beacons: it may have been away, and the monitor deaf since"
        );
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
