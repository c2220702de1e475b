//! Spells in which packets of an end were held up on their way: nothing of it came, and then what it had sent meanwhile.
//!
//! Clock values tell them from pauses of the end (RFC 7323). Without these, acknowledgments do at the other end: they take longer than those before the spell by as much as it lasted. What else is silent is kept apart.

use crate::Capped;

/// Shorter gaps are retries and contention, in nanoseconds.
const LEAST: u64 = 40_000_000;
/// A clock is believed once it has been watched for this long, in nanoseconds.
const WATCHED: u64 = 1_000_000_000;
/// What an interruption held up comes within this time since it began, in nanoseconds.
const RECENT: u64 = 500_000_000;
/// A gap has at least this many ticks of the sender's clock, so that a half of it can be told.
const TICKS: u64 = 8;

/// A spell in which packets of an end were held up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interruption {
    /// The last packet before it, in nanoseconds since 1970.
    pub from_ns: u64,
    /// The first packet after it.
    pub to_ns: u64,
    /// The record of the latter.
    pub number: u32,
}

impl Interruption {
    /// How long nothing came, in nanoseconds.
    pub const fn length_ns(&self) -> u64 {
        self.to_ns - self.from_ns
    }
}

/// An acknowledgment of data that was sent once, and the one before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    /// When the packet before it of the same end came, in nanoseconds since 1970.
    pub(super) before_ns: u64,
    /// How long after the data it came, in nanoseconds, and how long the one before it took.
    pub(super) trip_ns: u64,
    pub(super) trip_before_ns: u64,
}

/// Spells in which packets of an end were held up, by its clock (RFC 7323): an end that pauses goes on with a clock value of now,
/// while what was held up has one of when it was sent.
#[derive(Clone, Debug, Default)]
pub struct Interruptions {
    /// The first of them.
    pub list: Capped<Interruption, 512>,
    /// Spells without data of an end that sends no clock values, which it may have ended itself: the first of them.
    pub silent: Capped<Interruption, 512>,
    /// When data without a clock value came last.
    data_ns: Option<u64>,
    /// A clock value and when it passed: the first and the newest.
    first: Option<(u32, u64)>,
    newest: (u32, u64),
    /// The same before the last of them: until what it held up has come, the newest value is an old one.
    before: (u32, u64),
}

impl Interruptions {
    /// The end sent a packet with this clock value.
    pub(super) fn sent(&mut self, value: u32, now_ns: u64, number: u32) {
        let first = *self.first.get_or_insert((value, now_ns));
        let (newest, last_ns) = if first.1 == now_ns { (value, now_ns) } else { self.newest };
        let step = value.wrapping_sub(newest) as i32;
        let gap = now_ns.saturating_sub(last_ns);
        if gap >= LEAST
            && step >= 0
            && let Some(tick) = tick_ns(first, (newest, last_ns))
            && gap / tick >= TICKS
            && (u64::from(step as u32) + 1).saturating_sub(self.behind(tick)) * tick <= gap / 2
        {
            self.list.push(Interruption { from_ns: last_ns, to_ns: now_ns, number });
            self.before = self.newest;
        }
        self.newest = (if step > 0 { value } else { newest }, now_ns.max(last_ns));
    }

    /// The end sent data without a clock value.
    pub(super) fn sent_without_clock(&mut self, now_ns: u64, number: u32) {
        let from_ns = self.data_ns.replace(now_ns).unwrap_or(now_ns);
        if now_ns.saturating_sub(from_ns) >= LEAST {
            self.silent.push(Interruption { from_ns, to_ns: now_ns, number });
        }
    }

    /// The end acknowledged data without a clock value, so long after that was sent, and the one before it.
    pub(super) fn answered_without_clock(&mut self, now_ns: u64, number: u32, late: &Answer) {
        let gap_ns = now_ns.saturating_sub(late.before_ns);
        if gap_ns >= LEAST && late.trip_ns.saturating_sub(late.trip_before_ns) >= gap_ns / 2 {
            self.list.push(Interruption { from_ns: late.before_ns, to_ns: now_ns, number });
        }
    }

    /// How many ticks of so many nanoseconds the newest value was behind the clock as it passed, by the last before a spell of a moment ago.
    fn behind(&self, tick_ns: u64) -> u64 {
        let ((before, from_ns), (newest, last_ns)) = (self.before, self.newest);
        let passed = last_ns.saturating_sub(from_ns);
        let ticks = u64::from(newest.wrapping_sub(before));
        if passed <= RECENT { (passed / tick_ns).saturating_sub(ticks) } else { 0 }
    }
}

/// A tick of a clock in nanoseconds, by two of its values and when they passed; none if that is not told yet.
fn tick_ns((value, from_ns): (u32, u64), (last, to_ns): (u32, u64)) -> Option<u64> {
    let watched = to_ns.saturating_sub(from_ns);
    let ticks = u64::from(last.wrapping_sub(value));
    (watched >= WATCHED && ticks > 0).then(|| (watched / ticks).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Packets every 5 ms by a clock of so many ticks a second, of which those sent in a spell come at its end; then a pause of the end.
    fn seen(hertz: u64) -> Vec<[u64; 2]> {
        let mut interruptions = Interruptions::default();
        let (from, to) = (2_000, 2_110);
        for sent in (0..4_000).step_by(5).filter(|sent| !(3_000..3_110).contains(sent)) {
            let value = (u64::from(u32::MAX) - 500 + sent * hertz / 1000) as u32;
            let came = if (from..to).contains(&sent) { to } else { sent };
            interruptions.sent(value, came * MS, sent as u32);
        }
        interruptions.list.kept().iter().map(|spell| [spell.from_ns / MS, spell.to_ns / MS]).collect()
    }

    #[test]
    fn what_was_held_up_is_told_from_an_end_that_paused() {
        assert_eq!(seen(1000), [[1_995, 2_110]]);
        assert_eq!(seen(250), [[1_995, 2_110]]);
    }

    #[test]
    fn what_comes_by_and_by_between_two_spells_hides_neither() {
        let mut interruptions = Interruptions::default();
        (0..3_000).step_by(5).for_each(|sent| interruptions.sent(sent as u32, sent * MS, 0));
        // A first packet of what the first spell held up, then nothing again: the next was sent early in the second.
        for (value, came) in [(2_998, 3_220), (3_090, 3_222), (3_245, 3_360)] {
            interruptions.sent(value, came * MS, 0);
        }
        let spells: Vec<_> =
            interruptions.list.kept().iter().map(|one| [one.from_ns / MS, one.to_ns / MS]).collect();
        assert_eq!(spells, [[2_995, 3_220], [3_222, 3_360]]);
    }

    #[test]
    fn without_a_clock_an_acknowledgment_that_takes_longer_by_the_spell_shows_it() {
        let spells = |trip_ns: u64, trip_before_ns: u64| {
            let mut interruptions = Interruptions::default();
            let late = Answer { before_ns: 1_000 * MS, trip_ns, trip_before_ns };
            interruptions.answered_without_clock(1_110 * MS, 7, &late);
            interruptions.list.total()
        };
        assert_eq!(spells(130 * MS, 20 * MS), 1);
        assert_eq!(spells(22 * MS, 20 * MS), 0, "the sender had paused");
        assert_eq!(spells(900 * MS, 880 * MS), 0, "a slow line lets each come so late");
    }

    #[test]
    fn data_without_a_clock_that_comes_behind_a_silence_is_kept_apart() {
        let mut interruptions = Interruptions::default();
        for at in [0, 10, 120, 130] {
            interruptions.sent_without_clock(at * MS, 0);
        }
        let silent = interruptions.silent.kept();
        assert_eq!(silent.iter().map(Interruption::length_ns).collect::<Vec<_>>(), [110 * MS]);
        assert_eq!(interruptions.list.total(), 0);
    }

    #[test]
    fn a_clock_too_coarse_tells_nothing() {
        assert_eq!(seen(20), [[0; 2]; 0]);
    }

    #[test]
    fn nothing_is_believed_of_a_clock_that_was_just_seen() {
        let mut interruptions = Interruptions::default();
        interruptions.sent(7, 0, 1);
        interruptions.sent(8, 200 * MS, 2);
        assert_eq!(interruptions.list.total(), 0);
    }
}
