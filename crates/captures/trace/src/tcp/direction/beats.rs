//! Whether what comes again and again keeps the time of a clock.

/// Beats of a block.
const BLOCK: u64 = 16;
/// How far a beat may be from its time, and a block from as long as the one before it: a part of the time between beats, and what stamps are off, in nanoseconds.
const PART: u64 = 32;
const OFF: u64 = 1_000;
/// The share of the blocks that last as long as the ones before them, by a clock; and how many there have to be.
const EVEN: f64 = 0.8;
const MIN_BLOCKS: u64 = 3;

/// Beats by blocks of sixteen. A clock makes every block last as long but for how late the first and the last beat of it are. What goes on a time after the beat before, as a radio does that
/// takes its turns, has the differences of all of them in a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Beats {
    /// When the block under way began, in nanoseconds since 1970, the last beat of it, and how many there have been.
    block: Option<(u64, u64, u64)>,
    /// How long the block before it was, in nanoseconds.
    before_ns: Option<u64>,
    /// Blocks that were as long as the ones before them, and all that followed one.
    alike: u64,
    all: u64,
}

impl Beats {
    /// Something begins, where it seems to come every so many nanoseconds; what is between beats does not count.
    pub(super) fn passed(&mut self, now_ns: u64, every_ns: u64) {
        let Some((from_ns, last_ns, beats)) = self.block else {
            self.block = Some((now_ns, now_ns, 0));
            return;
        };
        let gap_ns = now_ns.saturating_sub(last_ns);
        let passed = (gap_ns + every_ns / 2).checked_div(every_ns).unwrap_or(BLOCK);
        if passed >= BLOCK {
            (self.block, self.before_ns) = (Some((now_ns, now_ns, 0)), None);
            return;
        }
        let most_off = every_ns / PART + OFF;
        if passed == 0 || gap_ns.abs_diff(passed * every_ns) > most_off {
            return;
        }
        let beats = beats + passed;
        self.block = Some((from_ns, now_ns, beats));
        if beats >= BLOCK {
            let lasted_ns = ((now_ns - from_ns) as f64 * BLOCK as f64 / beats as f64) as u64;
            if let Some(before_ns) = self.before_ns.replace(lasted_ns) {
                self.all += 1;
                self.alike += u64::from(lasted_ns.abs_diff(before_ns) <= most_off);
            }
            self.block = Some((now_ns, now_ns, 0));
        }
    }

    /// Whether nearly all blocks last as long as the ones before them.
    pub(super) fn keep_time(&self) -> bool {
        self.all >= MIN_BLOCKS && self.alike as f64 >= EVEN * self.all as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Beats at such times in nanoseconds, that seem to come every 4 ms.
    fn of(times: impl IntoIterator<Item = u64>) -> Beats {
        let mut beats = Beats::default();
        times.into_iter().for_each(|at_ns| beats.passed(at_ns, 4 * MS));
        beats
    }

    /// As late as programs are that sleep, in nanoseconds: up to 60 us.
    fn late(n: u64) -> u64 {
        7_919 * n % 13 * 5_000
    }

    #[test]
    fn a_clock_keeps_time_however_late_each_beat_is() {
        assert!(of((0..200).map(|n| n * 4 * MS + late(n))).keep_time());
    }

    #[test]
    fn beats_that_are_missing_and_what_is_between_them_do_not_matter() {
        let some = (0..400).filter(|n| n % 7 != 3).flat_map(|n| [n * 4 * MS, n * 4 * MS + 1_700_000]);
        assert!(of(some).keep_time());
    }

    #[test]
    fn turns_of_a_radio_keep_no_time() {
        // A PPDU, and a backoff of 0 to 15 slots of 9 us behind it.
        let mut at_ns = 0;
        let turns = (0..400_u64).map(|n| {
            at_ns += 3_930_000 + 9_000 * (n * n * 31 % 97 % 16);
            at_ns
        });
        assert!(!of(turns).keep_time());
    }

    #[test]
    fn few_beats_say_nothing() {
        assert!(!of((0..40).map(|n| n * 4 * MS)).keep_time());
        assert!(!Beats::default().keep_time());
    }
}
