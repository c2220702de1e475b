//! What a receiver's SACKs prove by themselves, whatever of the data is in the capture.

/// Holes that SACKs show, and reports that something came twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sacks {
    /// Reports of octets that came twice (D-SACK, RFC 2883), of which the capture does not have the second time.
    pub twice: u64,
    /// Those of them that may be none if the receiver is one that `merges`.
    doubtful: u64,
    /// The longest time in nanoseconds from when all of some data behind holes had been reported to the last acknowledgment by which one of these holes was open.
    pub longest_hole_ns: u64,
    /// Whether the receiver reports first what came last, though it is acknowledged by the same packet: no report of that kind is one of `twice`. Reports of what had been
    /// acknowledged before are.
    pub merges: bool,
    /// The octet after such data, and when it was reported.
    waiting: Option<(u64, u64)>,
}

impl Sacks {
    /// The stream begins anew.
    pub(super) const fn anew(&mut self) {
        self.waiting = None;
    }

    /// The receiver reports what it acknowledges as well: doubtful reports that were counted so far may be that.
    pub(super) const fn found_merging(&mut self) {
        (self.merges, self.twice, self.doubtful) = (true, self.twice - self.doubtful, 0);
    }

    /// All before an octet is acknowledged.
    pub(super) fn acknowledged(&mut self, now_ns: u64, upto: u64) {
        let Some((end, since_ns)) = self.waiting else { return };
        if upto < end {
            self.longest_hole_ns = self.longest_hole_ns.max(now_ns.saturating_sub(since_ns));
        } else {
            self.waiting = None;
        }
    }

    /// Something behind a hole, up to an octet, has come to the receiver.
    pub(super) const fn waits(&mut self, now_ns: u64, end: u64) {
        if self.waiting.is_none() {
            self.waiting = Some((end, now_ns));
        }
    }

    /// A report of octets that came twice. A keepalive's octet comes twice on purpose (RFC 9293 section 3.8.4).
    pub(super) const fn came_twice(&mut self, octets: u64, is_doubtful: bool) {
        self.twice += (octets > 1) as u64;
        self.doubtful += (octets > 1 && is_doubtful) as u64;
    }
}
