//! SACKs that are held back: while data waits out of order, one ACK stands for several (`__tcp_ack_snd_check`, `tcp_comp_sack_*`,
//! Linux 4.18 on, as it has been since 4.20).

use crate::HeldSacks;
use airloom_sim::Duration;

/// ACKs that report the same edge and are never held back, so that the sender sees a loss (`TCP_FASTRETRANS_THRESH`).
const NEVER_HELD: u32 = 3;
/// SACK blocks that an ACK is expected to have room for (`TCP_SACK_BLOCKS_EXPECTED`).
pub(crate) const BLOCKS: usize = 2;

/// The ACKs that were held back.
pub(crate) struct AckCompression {
    delay: Duration,
    slack: Duration,
    most: u32,
    /// ACKs held back since the last one that was sent (`compressed_ack`).
    held: u32,
    /// ACKs of the present edge that were sent at once (`dup_ack_counter`), and the edge.
    sent: u32,
    edge: u64,
}

impl AckCompression {
    pub(crate) fn new(held: &HeldSacks) -> Self {
        let (delay, slack, most) = (held.sack_delay, held.sack_slack, held.sacks_held);
        Self { delay, slack, most, held: 0, sent: 0, edge: 0 }
    }

    /// Whether ACKs are held back at present.
    pub(crate) fn holds(&self) -> bool {
        self.held > 0
    }

    /// An ACK reports data above a hole at `edge`, over a path with the round trip `rtt`. Returns whether it goes now, or
    /// otherwise after which time it goes at the latest, if that is not set already.
    pub(crate) fn wait(&mut self, edge: u64, rtt: Duration) -> Wait {
        if self.delay == Duration::ZERO || self.held >= self.most {
            return Wait::Nothing;
        }
        if self.edge != edge {
            (self.edge, self.sent) = (edge, 0);
        }
        if self.sent < NEVER_HELD {
            self.sent += 1;
            return Wait::Nothing;
        }
        self.held += 1;
        if self.held > 1 { Wait::AsBefore } else { Wait::For(self.delay.min(rtt / 20) + self.slack) }
    }

    /// An ACK left.
    pub(crate) fn left(&mut self) {
        self.held = 0;
    }
}

/// How long an ACK is held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    Nothing,
    For(Duration),
    AsBefore,
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn compression(sacks_held: u32) -> AckCompression {
        let sack_slack = Duration::from_micros(100);
        AckCompression::new(&HeldSacks { sack_delay: MS, sack_slack, sacks_held })
    }

    #[test]
    fn three_acks_of_an_edge_go_at_once_and_then_one_for_many() {
        let mut c = compression(44);
        (0..3).for_each(|_| assert_eq!(c.wait(7, MS * 50), Wait::Nothing));
        assert_eq!(c.wait(7, MS * 50), Wait::For(MS + Duration::from_micros(100)));
        (0..43).for_each(|_| assert_eq!(c.wait(7, MS * 50), Wait::AsBefore));
        assert_eq!(c.wait(7, MS * 50), Wait::Nothing, "44 are held back");
        c.left();
        assert!(!c.holds());
        assert_eq!(c.wait(8, MS * 50), Wait::Nothing, "another edge");
    }

    #[test]
    fn a_short_path_holds_them_for_a_twentieth_of_its_round_trip() {
        let mut c = compression(44);
        (0..3).for_each(|_| assert_eq!(c.wait(7, MS * 4), Wait::Nothing));
        assert_eq!(c.wait(7, MS * 4), Wait::For(Duration::from_micros(300)));
    }

    #[test]
    fn without_a_delay_nothing_is_held_back() {
        let mut c = AckCompression::new(&HeldSacks::PLAIN);
        (0..9).for_each(|_| assert_eq!(c.wait(7, MS * 50), Wait::Nothing));
    }
}
