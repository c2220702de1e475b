//! The congestion state of a sender and proportional rate reduction (RFC 6937; `tcp_cwnd_reduction`, Linux 3.13).

use crate::LossRecovery;
use crate::congestion::CongestionWindow;
use crate::loss_probe::LossProbe;
use crate::undo::Undo;
use airloom_observe::CaState;

/// The congestion state (`icsk_ca_state`), with the state of a running reduction.
pub(crate) struct Recovery {
    pub(crate) rules: LossRecovery,
    pub(crate) state: CaState,
    /// What was sent when the state was entered; the state ends when it is acknowledged.
    pub(crate) high_seq: u64,
    /// It is not yet known whether the last timeout was spurious (F-RTO; `tp->frto`).
    pub(crate) frto: bool,
    /// A tail loss probe that was sent and not answered yet.
    pub(crate) probe: Option<LossProbe>,
    /// The reduction, until it is known whether it was spurious.
    pub(crate) undo: Undo,
    prior_cwnd: u32,
    delivered: u32,
    out: u32,
}

impl Recovery {
    pub(crate) fn new(rules: &LossRecovery) -> Self {
        Self {
            rules: *rules,
            state: CaState::Open,
            high_seq: 0,
            frto: false,
            probe: None,
            undo: Undo::new(rules),
            prior_cwnd: 1,
            delivered: 0,
            out: 0,
        }
    }

    /// Whether the window is being reduced, and so must not grow (`tcp_in_cwnd_reduction`).
    pub(crate) fn reducing(&self) -> bool {
        matches!(self.state, CaState::Cwr | CaState::Recovery)
    }

    /// Begins a reduction from `cwnd` (`tcp_init_cwnd_reduction`).
    pub(crate) fn begin(&mut self, cwnd: u32, next: u64) {
        self.high_seq = next;
        self.prior_cwnd = cwnd.max(1);
        self.delivered = 0;
        self.out = 0;
    }

    /// Counts segments sent during a reduction.
    pub(crate) fn sent(&mut self, segments: u32) {
        if self.reducing() {
            self.out += segments;
        }
    }

    /// Uncounts segments that the local queue refused.
    pub(crate) fn unsent(&mut self, segments: u32) {
        self.out = self.out.saturating_sub(segments);
    }

    /// The window after an ACK that reports `delivered` more segments received, while `in_flight` are outstanding: in
    /// proportion above `ssthresh`, one more than delivered below it (slow-start reduction bound). `first` is the ACK
    /// that began fast retransmit, which sends at least one.
    pub(crate) fn reduced_window(
        &mut self,
        ssthresh: u32,
        in_flight: u32,
        delivered: u32,
        first: bool,
    ) -> u32 {
        self.delivered += delivered;
        let room = self.room(ssthresh, in_flight, delivered, true);
        (i64::from(in_flight) + room.max(i64::from(first))) as u32
    }

    /// The same, but below `ssthresh` one more than delivered only with a `good` ACK, which advances and reports no loss
    /// (RFC 6937bis, `SafeACK`). Until something has been sent, one segment may be. An ACK of nothing changes nothing.
    pub(crate) fn safely_reduced_window(
        &mut self,
        ssthresh: u32,
        in_flight: u32,
        delivered: u32,
        good: bool,
    ) -> Option<u32> {
        if delivered == 0 {
            return None;
        }
        self.delivered += delivered;
        let room = self.room(ssthresh, in_flight, delivered, good);
        Some((i64::from(in_flight) + room.max(i64::from(self.out == 0))) as u32)
    }

    /// How many segments may be sent, `more` allowing one beyond those delivered.
    fn room(&self, ssthresh: u32, in_flight: u32, delivered: u32, more: bool) -> i64 {
        let out = i64::from(self.out);
        if in_flight > ssthresh {
            let share = u64::from(ssthresh) * u64::from(self.delivered) + u64::from(self.prior_cwnd) - 1;
            (share / u64::from(self.prior_cwnd)) as i64 - out
        } else {
            let owed = (i64::from(self.delivered) - out).max(i64::from(delivered)) + i64::from(more);
            owed.min(i64::from(ssthresh - in_flight))
        }
    }
}

/// Rate halving: one less for every second ACK until half of `ssthresh`, and at most one above the segments in flight
/// (`tcp_cwnd_down`, Linux 2.4 to 3.1).
pub(crate) fn halve_rate(w: &mut CongestionWindow, in_flight: u32) {
    let acks = w.count + 1;
    w.count = acks & 1;
    if w.cwnd > w.ssthresh / 2 {
        w.cwnd -= acks >> 1;
    }
    w.cwnd = w.cwnd.min(in_flight + 1);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6937 section 4.1's setting: cwnd 20 halved to 10, one segment lost. Every second of the 18 ACKs after the
    /// threshold sends a segment, and in flight ends at ssthresh.
    #[test]
    fn one_loss_is_spread_over_the_round_trip() {
        let mut r = Recovery::new(&LossRecovery::PLAIN);
        r.begin(20, 100);
        r.state = CaState::Recovery;
        // Three SACKed, one lost: 16 in flight, then the fast retransmission.
        let mut in_flight = 16;
        let mut sent = Vec::new();
        for ack in 0..19 - 2 {
            let (delivered, first) = if ack == 0 { (1, true) } else { (1, false) };
            if ack > 0 {
                in_flight -= 1;
            }
            let cwnd = r.reduced_window(10, in_flight, delivered, first);
            let n = cwnd.saturating_sub(in_flight);
            in_flight += n;
            r.sent(n);
            sent.push(n);
        }
        assert_eq!(sent[..9], [1, 0, 1, 0, 1, 0, 1, 0, 1]);
        assert_eq!(in_flight, 10);
    }

    #[test]
    fn heavy_loss_is_followed_by_slow_start_up_to_ssthresh() {
        let mut r = Recovery::new(&LossRecovery::PLAIN);
        r.begin(20, 100);
        r.state = CaState::Recovery;
        // 16 of 20 lost: one in flight. Each ACK may send one more than it delivers.
        assert_eq!(r.reduced_window(10, 1, 1, true), 3);
        r.sent(2);
        assert_eq!(r.reduced_window(10, 2, 1, false), 4);
        r.sent(2);
        assert_eq!(r.reduced_window(10, 9, 1, false), 10, "never above ssthresh");
    }

    /// RFC 6937bis section 6.2: SafeACK.
    #[test]
    fn below_ssthresh_only_a_good_ack_gains_a_segment() {
        let mut r = Recovery::new(&LossRecovery::PLAIN);
        r.begin(20, 100);
        r.state = CaState::Recovery;
        assert_eq!(r.safely_reduced_window(10, 1, 1, false), Some(2), "the fast retransmission");
        r.sent(1);
        assert_eq!(r.safely_reduced_window(10, 1, 1, false), Some(2), "as much as delivered");
        r.sent(1);
        assert_eq!(r.safely_reduced_window(10, 1, 1, true), Some(3), "one more");
        assert_eq!(r.safely_reduced_window(10, 1, 0, true), None, "nothing delivered");
        // Above it in proportion: of 3 + 3 delivered, half.
        assert_eq!(r.safely_reduced_window(10, 15, 3, true), Some(15 + 3 - 2));
    }

    #[test]
    fn rate_halving_takes_one_for_two_acks_and_follows_what_is_in_flight() {
        let mut w = CongestionWindow { cwnd: 20, ssthresh: 10, count: 0, past: 1 };
        let down: Vec<_> = (0..6).map(|_| (halve_rate(&mut w, 30), w.cwnd).1).collect();
        assert_eq!(down, [20, 19, 19, 18, 18, 17]);
        halve_rate(&mut w, 7);
        assert_eq!(w.cwnd, 8);
    }

    #[test]
    fn only_reductions_count_what_is_sent() {
        let mut r = Recovery::new(&LossRecovery::PLAIN);
        r.sent(5);
        assert_eq!(r.out, 0);
        r.state = CaState::Cwr;
        r.sent(5);
        r.unsent(2);
        assert_eq!(r.out, 3);
    }
}
