//! Frames that end an association.

use airloom_wire::MacAddr;
use std::collections::VecDeque;

/// Frames with the same number within this time are one that was sent, or captured, more than once, in nanoseconds.
const AGAIN: u64 = 1_000_000_000;
/// Numbers that are remembered: a burst of tools that forge such frames has 64, one for each end.
const MOST: usize = 256;

/// Deauthentications and disassociations of a transmitter, each once.
#[derive(Clone, Debug, Default)]
pub struct Leaves {
    /// How many.
    pub frames: u64,
    /// Those of them to a group: they are for all stations.
    pub to_all: u64,
    /// When the first and the last was captured, in nanoseconds since 1970.
    pub span_ns: Option<(u64, u64)>,
    /// The last numbers with their receivers, and when they came.
    lately: VecDeque<((MacAddr, u16), u64)>,
}

impl Leaves {
    /// Whether a frame that was taken lately has this receiver and number.
    pub(super) fn is_again(&self, at_ns: u64, receiver: MacAddr, number: u16) -> bool {
        let is_late = |then_ns: u64| then_ns.saturating_add(AGAIN) >= at_ns;
        self.lately.iter().any(|&(known, then_ns)| known == (receiver, number) && is_late(then_ns))
    }

    /// Takes one more, with its receiver and its sequence number: tools count for each receiver anew.
    pub(super) fn take(&mut self, at_ns: u64, receiver: MacAddr, number: u16) {
        if self.is_again(at_ns, receiver, number) {
            return;
        }
        while self.lately.front().is_some_and(|&(_, then_ns)| then_ns.saturating_add(AGAIN) < at_ns) {
            self.lately.pop_front();
        }
        if self.lately.len() == MOST {
            self.lately.pop_front();
        }
        self.lately.push_back(((receiver, number), at_ns));
        self.frames += 1;
        self.to_all += u64::from(receiver.is_group());
        let (first, _) = *self.span_ns.get_or_insert((at_ns, at_ns));
        self.span_ns = Some((first, at_ns));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_counts_once_at_a_time() {
        let mut leaves = Leaves::default();
        for burst in 0..3 {
            for number in 0..64 {
                let at_ns = burst * 5_000_000_000 + u64::from(number) * 1_000_000;
                leaves.take(at_ns, MacAddr::BROADCAST, number);
                leaves.take(at_ns + 3_000_000, MacAddr::BROADCAST, number);
            }
        }
        assert_eq!((leaves.frames, leaves.to_all), (192, 192));
        assert_eq!(leaves.span_ns, Some((0, 10_063_000_000)));
    }
}
