//! Which sequence numbers of a stream are believed: those of damaged, injected and older packets are not.

/// Octets that lie further away than this belong to no window (RFC 7323 section 2.3).
const FARTHEST: u64 = 1 << 30;
/// How far beyond what a known window covers octets are believed at least: acknowledgments may be missing in a capture.
const ASTRAY: u64 = 1 << 20;
/// Data that lies one n-th of the window or more beyond its edge was not held by that window. A smaller excess may come of an acknowledgment that
/// moved the edge and was captured after the data.
const BEYOND: u64 = 3;
/// So many packets in a row whose numbers go with each other, and with nothing before them, are the stream itself: it began anew, or
/// the capture has a gap.
const IN_A_ROW: u32 = 3;

/// What is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A window has covered these octets.
    Inside,
    /// None has, and nothing goes on with them.
    Stray,
    /// None has, but the stream goes on there.
    GoesOn,
    /// The stream begins anew there.
    Anew,
}

/// What windows have covered, and what was outside of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Belief {
    /// The octet behind the highest that the receiver has had room for, and its widest window; zero if nothing is known of them.
    edge: u64,
    widest: u64,
    /// The octet behind what was last outside, and how many packets were in a row; none if something was inside since.
    stray: Option<(u64, u32)>,
}

impl Belief {
    /// The stream begins.
    pub(super) const fn begin(&mut self) {
        (self.edge, self.stray) = (0, None);
    }

    /// The receiver has everything before an octet, and room for so many more.
    pub(super) fn told(&mut self, una: u64, window: u64) {
        self.edge = self.edge.max(una + window);
        self.widest = self.widest.max(window);
    }

    /// The octet behind the highest that the receiver has had room for; zero if nothing is known of that.
    pub(super) const fn edge(&self) -> u64 {
        self.edge
    }

    /// Whether data reaches a third of the widest window or more beyond the highest edge that the receiver has given: then that does not hold
    /// its sender.
    pub(super) const fn is_beyond(&self, end: u64) -> bool {
        self.edge > 0 && end > self.edge + self.widest / BEYOND
    }

    /// What is believed of octets, or of an acknowledgment of all before them. Beside them comes what is outstanding, from the first
    /// octet that is not acknowledged on, whether the scale of windows is known, the first octet of the stream if it is known, else zero, and
    /// whether they name the first number.
    pub(super) fn judge(
        &mut self,
        (una, next): (u64, u64),
        scaled: bool,
        (start, end): (u64, u64),
        (least, named): (u64, bool),
    ) -> Verdict {
        let reach = if scaled { ASTRAY.max(2 * self.widest) } else { FARTHEST };
        if end >= least && start + reach >= una && end <= next.max(self.edge) + reach {
            self.stray = None;
            return Verdict::Inside;
        }
        let before = self.stray.filter(|(next, _)| next.abs_diff(start) <= ASTRAY);
        let times = before.map_or(0, |(_, times)| times) + 1;
        self.stray = Some((end, times));
        if named {
            return Verdict::Anew;
        }
        match times {
            ..IN_A_ROW => Verdict::Stray,
            _ if start < una || end > next + FARTHEST => Verdict::Anew,
            _ => {
                self.stray = None;
                Verdict::GoesOn
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTSTANDING: (u64, u64) = (1 << 33, (1 << 33) + 10_000);

    #[test]
    fn what_a_window_covers_is_believed() {
        let mut belief = Belief::default();
        belief.told(OUTSTANDING.0, 1 << 24);
        let mut judge = |by: i64| {
            let start = OUTSTANDING.1.saturating_add_signed(by);
            belief.judge(OUTSTANDING, true, (start, start + 1000), (0, false))
        };
        assert_eq!(judge(0), Verdict::Inside);
        assert_eq!(judge(1 << 25), Verdict::Inside);
        assert_eq!(judge(1 << 26), Verdict::Stray);
        assert_eq!(judge(-(1 << 26)), Verdict::Stray);
    }

    #[test]
    fn the_third_in_a_row_is_the_stream() {
        let row = |far: u64| {
            let mut belief = Belief::default();
            [0, 1, 2, 3].map(|n| {
                let start = OUTSTANDING.1 + far + n * 1000;
                belief.judge(OUTSTANDING, true, (start, start + 1000), (0, false))
            })
        };
        let [one, two, three, _] = row(1 << 25);
        assert_eq!([one, two, three], [Verdict::Stray, Verdict::Stray, Verdict::GoesOn]);
        assert_eq!(row(1 << 31)[2], Verdict::Anew);
    }
}
