//! Detection and undoing of spurious reductions of the window (Eifel detection, RFC 3522; D-SACK, RFC 3708;
//! `tcp_may_undo`, `tcp_undo_cwnd_reduction`, Linux 2.4 on).

use crate::LossRecovery;
use crate::congestion::CongestionWindow;

/// The window as it was before a reduction.
#[derive(Clone, Copy)]
struct Before {
    cwnd: u32,
    ssthresh: u32,
}

/// The state of a reduction until it is known whether it was spurious.
pub(crate) struct Undo {
    by_timestamps: bool,
    by_duplicates: bool,
    /// The first unacknowledged byte when the reduction began, if it may be undone (`undo_marker`).
    marker: Option<u64>,
    /// The window then; none if part of the reduction had another reason (`prior_ssthresh`, `prior_cwnd`).
    before: Option<Before>,
    /// Retransmissions since, without those that D-SACKs reported; none before the first (`undo_retrans`).
    repeats: Option<u32>,
    /// What the clock of timestamps showed at the first retransmission (`retrans_stamp`).
    first_repeat: Option<u32>,
}

impl Undo {
    pub(crate) fn new(config: &LossRecovery) -> Self {
        Self {
            by_timestamps: config.timestamp_undo,
            by_duplicates: config.duplicate_sack_undo,
            marker: None,
            before: None,
            repeats: None,
            first_repeat: None,
        }
    }

    /// Remembers the window before it is reduced.
    pub(crate) fn remember(&mut self, cwnd: u32, ssthresh: u32) {
        self.before = Some(Before { cwnd, ssthresh });
    }

    /// The present reduction cannot be undone (`tcp_enter_cwr`).
    pub(crate) fn rule_out(&mut self) {
        self.before = None;
        self.marker = None;
    }

    /// Part of the present reduction has another reason (`tcp_fastretrans_alert` upon an ECN echo).
    pub(crate) fn deserved(&mut self) {
        self.before = None;
    }

    /// Whether the present reduction may still prove spurious.
    pub(crate) fn open(&self) -> bool {
        self.marker.is_some()
    }

    /// A recovery begins at `una` with `repeats` retransmissions in flight (`tcp_init_undo`).
    pub(crate) fn begin(&mut self, una: u64, repeats: u32) {
        self.marker = Some(una);
        self.repeats = (repeats > 0).then_some(repeats);
    }

    /// A segment is retransmitted while the clock of timestamps shows `stamp`.
    pub(crate) fn repeated(&mut self, stamp: u32) {
        self.first_repeat.get_or_insert(stamp);
        self.repeats = Some(self.repeats.unwrap_or(0) + 1);
    }

    /// A retransmission did not leave the host.
    pub(crate) fn unrepeated(&mut self) {
        self.repeats = self.repeats.map(|n| n.saturating_sub(1)).filter(|n| *n > 0);
    }

    /// Retransmissions are over: the next one is the first again.
    pub(crate) fn forget_first_repeat(&mut self) {
        self.first_repeat = None;
    }

    /// A D-SACK reported that `segments` retransmissions, up to `end`, had been needless.
    pub(crate) fn reported(&mut self, segments: u32, end: u64) {
        if self.marker.is_some_and(|marker| end > marker) {
            self.repeats = self.repeats.map(|n| n.saturating_sub(segments));
        }
    }

    /// Whether every retransmission was reported as needless.
    pub(crate) fn all_needless(&self) -> bool {
        self.by_duplicates && self.marker.is_some() && self.repeats == Some(0)
    }

    /// Whether an ACK that echoes `echo` was sent for an original: the echoed segment was sent before the first
    /// retransmission (`tcp_packet_delayed`).
    pub(crate) fn original_arrived(&self, echo: Option<u32>) -> bool {
        let earlier = |first| echo.is_some_and(|echo: u32| echo.wrapping_sub(first) >= 1 << 31);
        self.by_timestamps && self.marker.is_some() && self.first_repeat.is_none_or(earlier)
    }

    /// Restores the window to its value before the reduction.
    pub(crate) fn restore(&mut self, w: &mut CongestionWindow) {
        match self.before {
            Some(before) => {
                w.cwnd = w.cwnd.max(before.cwnd);
                w.ssthresh = w.ssthresh.max(before.ssthresh);
            }
            None => w.cwnd = w.cwnd.max(w.ssthresh),
        }
        self.marker = None;
    }

    /// Whether an ACK that echoes `echo` proves the reduction spurious (`tcp_may_undo`).
    pub(crate) fn proven(&self, echo: Option<u32>) -> bool {
        self.all_needless() || self.original_arrived(echo)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undo(timestamp_undo: bool, duplicate_sack_undo: bool) -> Undo {
        let mut undo =
            Undo::new(&LossRecovery { timestamp_undo, duplicate_sack_undo, ..LossRecovery::PLAIN });
        undo.begin(1000, 0);
        undo
    }

    #[test]
    fn an_echo_older_than_the_first_retransmission_proves_the_original() {
        let mut u = undo(true, false);
        assert!(u.proven(None), "nothing was sent again");
        u.repeated(50);
        u.repeated(60);
        assert!(u.proven(Some(49)) && !u.proven(Some(50)) && !u.proven(Some(55)) && !u.proven(None));
        let mut wrapped = undo(true, false);
        wrapped.repeated(3);
        assert!(wrapped.proven(Some(u32::MAX)) && !wrapped.proven(Some(4)));
    }

    #[test]
    fn duplicates_prove_it_once_each_retransmission_was_one() {
        let mut u = undo(false, true);
        assert!(!u.proven(Some(0)), "nothing was sent again");
        u.repeated(50);
        u.repeated(60);
        u.reported(1, 2448);
        assert!(!u.proven(Some(0)));
        u.reported(1, 900);
        assert!(!u.proven(Some(0)), "that one was sent before");
        u.reported(1, 3896);
        assert!(u.proven(None));
    }

    #[test]
    fn a_switch_that_is_off_proves_nothing() {
        let mut u = undo(false, false);
        u.repeated(50);
        u.reported(1, 2448);
        assert!(!u.proven(Some(1)));
    }

    #[test]
    fn what_was_ruled_out_is_not_proven() {
        let mut u = undo(true, true);
        u.rule_out();
        assert!(!u.proven(None));
    }
}
