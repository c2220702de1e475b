//! Packets that follow each other at one and the same distance, as behind a line.

/// How far two distances of one line may differ: a part of them, and what stamps are off, in nanoseconds.
const PART: u64 = 32;
const OFF: u64 = 1_000;
/// So many packets of others, one after the other, may go between two through one line: its next distances are as many times as long.
const BETWEEN: u64 = 3;
/// A line lets nothing of a flow go for so many distances only if nothing of it waits.
const EMPTY: u64 = 16;

/// How evenly the packets with data of a sender pass, as far as they have one length. A line that always has a packet waiting lets the next one go
/// once the one before is through; acknowledgments, a program and the air make distances that differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// When the last packet passed, in nanoseconds since 1970, and its payload in octets.
    last: Option<(u64, u32)>,
    /// The distance that may be that of most of the time, in nanoseconds, and of which payload.
    held: (u64, u32),
    /// By how much the time at that distance exceeds the time at others, in nanoseconds (Boyer and Moore 1981).
    lead_ns: u64,
    /// The time at that distance since it is held, in nanoseconds, and how often it is.
    alike: (u64, u64),
    /// The same of distances a few times as long, in which packets of others went through the line, and of those in which it had nothing to let go.
    between: (u64, u64),
    empty_ns: u64,
    /// All time in nanoseconds, and all distances.
    whole: (u64, u64),
}

impl Pace {
    /// How many distances there are between packets.
    pub(super) fn distances(&self) -> u64 {
        self.whole.1
    }

    /// A packet with so many octets of payload passes.
    pub(super) fn passed(&mut self, now_ns: u64, payload: u32) {
        let Some((last_ns, before)) = self.last.replace((now_ns, payload)) else { return };
        let gap_ns = now_ns.saturating_sub(last_ns);
        self.whole = (self.whole.0 + gap_ns, self.whole.1 + 1);
        let (held_ns, of) = self.held;
        let same = before == payload && of == payload;
        if same && is_of(gap_ns, held_ns) {
            self.lead_ns += gap_ns;
            self.alike = (self.alike.0 + gap_ns, self.alike.1 + 1);
        } else if self.lead_ns >= gap_ns {
            self.lead_ns -= gap_ns;
            if same && (2..=1 + BETWEEN).any(|times| is_of(gap_ns, held_ns.saturating_mul(times))) {
                self.between = (self.between.0 + gap_ns, self.between.1 + 1);
            } else if gap_ns > held_ns.saturating_mul(EMPTY) {
                self.empty_ns += gap_ns;
            }
        } else {
            (self.held, self.lead_ns, self.alike) = ((gap_ns, payload), gap_ns, (gap_ns, 1));
            (self.between, self.empty_ns) = ((0, 0), 0);
        }
    }

    /// The share of the time and of all distances that are one and the same, the smaller of both, if it is that of most of the time: bursts at a beat
    /// have most of the time in few distances.
    pub fn share(&self) -> f64 {
        let of_time = self.alike.0 as f64 / self.whole.0.max(1) as f64;
        of_time.min(self.alike.1 as f64 / self.whole.1.max(1) as f64)
    }

    /// The same with distances up to four times as long, in which packets of others went through the line.
    pub fn share_with_others(&self) -> f64 {
        let of_time = (self.alike.0 + self.between.0) as f64 / self.whole.0.max(1) as f64;
        of_time.min((self.alike.1 + self.between.1) as f64 / self.whole.1.max(1) as f64)
    }

    /// The share of the time in which packets are many times as far apart, as where a line has nothing waiting: batches that come faster than it
    /// are spaced out by it, and leave gaps.
    pub fn empty(&self) -> f64 {
        self.empty_ns as f64 / self.whole.0.max(1) as f64
    }

    /// That distance in nanoseconds.
    pub(super) const fn distance_ns(&self) -> u64 {
        self.held.0
    }

    /// What goes at that distance, in Mbit/s of payload.
    pub fn mbps(&self) -> f64 {
        8e3 * f64::from(self.held.1) / self.held.0.max(1) as f64
    }
}

/// Whether a distance is that one, in nanoseconds.
const fn is_of(gap_ns: u64, held_ns: u64) -> bool {
    gap_ns.abs_diff(held_ns) <= held_ns / PART + OFF
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pace of packets of a length at these distances in microseconds.
    fn of(gaps_us: impl IntoIterator<Item = u64>) -> Pace {
        let mut pace = Pace::default();
        let mut now_ns = 1;
        pace.passed(now_ns, 1448);
        for gap_us in gaps_us {
            now_ns += 1_000 * gap_us;
            pace.passed(now_ns, 1448);
        }
        pace
    }

    #[test]
    fn distances_of_centuries_are_distances() {
        let centuries_us = u64::MAX / 5_000;
        let pace = of([centuries_us, centuries_us, centuries_us / 2, 10]);
        assert_eq!((pace.between, pace.empty()), ((0, 0), 0.0));
    }

    #[test]
    fn a_line_lets_packets_go_at_one_distance() {
        // A slow start in bursts, and then 1538 octets with all that is around them at 100 Mbit/s.
        let pace = of([0, 0, 20_000, 0, 0, 0, 20_000].into_iter().chain((0..10_000).map(|n| 122 + n % 3)));
        assert!(pace.share() > 0.9, "{pace:?}");
        assert!((pace.mbps() - 94.2).abs() < 2.0, "{pace:?}");
    }

    #[test]
    fn bursts_of_a_fast_line_are_no_pace() {
        // Two packets as each acknowledgment comes, and an acknowledgment now sooner and now later.
        let pace = of((0..10_000).map(|n| if n % 2 == 0 { 12 } else { 200 + 37 * (n % 23) }));
        assert!(pace.share() < 0.3, "{pace:?}");
    }

    #[test]
    fn bursts_at_a_beat_are_no_pace() {
        let pace = of((0..10_000).map(|n| if n % 10 == 0 { 40_000 } else { 12 }));
        assert!(pace.share() < 0.2, "{pace:?}");
    }

    #[test]
    fn batches_that_a_line_spaces_out_leave_it_empty() {
        // A-MPDUs of 165 MPDUs behind a line of 1 Gbit/s, and the air's time until the next.
        let pace = of((0..100_000).map(|n| if n % 165 == 0 { 400 } else { 12 }));
        assert!(pace.share() > 0.8, "{pace:?}");
        assert!((pace.empty() - 0.17).abs() < 0.01, "{pace:?}");
    }

    #[test]
    fn packets_of_others_in_a_line_leave_its_distance() {
        // Alone, and then with one packet of another flow before one of ten, and three before another one.
        let shared = (0..10_000).map(|n| 600 * [4, 1, 1, 1, 1, 2, 1, 1, 1, 1][n % 10]);
        let pace = of([600; 100].into_iter().chain(shared));
        assert!(pace.share() < 0.6, "{pace:?}");
        assert!(pace.share_with_others() > 0.99 && pace.empty() < 0.01, "{pace:?}");
    }

    #[test]
    fn packets_of_different_lengths_have_no_pace_together() {
        let mut pace = Pace::default();
        (0..1_000).for_each(|n| pace.passed(200_000 * n, 1_000 + n as u32 % 2));
        assert!(pace.share() < 0.01, "{pace:?}");
    }
}
