//! When to acknowledge (`tcp_event_data_recv`, `__tcp_ack_snd_check`, `tcp_send_delayed_ack`, Linux 3.13).

use crate::Acks;
use airloom_sim::{Duration, Time};

/// `TCP_ATO_MIN`: the estimate of the time between segments starts, and is reset, here.
const ATO_MIN: Duration = Duration::from_millis(40);
/// Longest delay while data keeps coming (`HZ / 2` in `tcp_send_delayed_ack`).
const ATO_MAX: Duration = Duration::from_millis(500);

/// Longest delay of a delayed ACK, unless the shortest is longer (`TCP_DELACK_MAX`).
const MAX: Duration = Duration::from_millis(200);

/// When to send an acknowledgment that is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Decision {
    Now,
    /// Not later than this.
    By(Time),
}

/// The estimate of the time between segments, and the quick phase.
pub(crate) struct DelayedAck {
    min: Duration,
    quick_max: u32,
    /// What ends a write of the peer is acknowledged at once.
    heeds_pushes: bool,
    /// Number of ACKs that are not delayed (`icsk_ack.quick`).
    quick: u32,
    /// Estimated time between segments; zero before the first (`icsk_ack.ato`).
    ato: Duration,
    last_received: Time,
    /// An acknowledgment is due (`ICSK_ACK_SCHED`).
    due: bool,
    /// Its segment ends a write of the peer, and has been read (`ICSK_ACK_PUSHED`).
    pushed: bool,
    deadline: Option<Time>,
}

impl DelayedAck {
    pub(crate) fn new(acks: &Acks) -> Self {
        Self {
            min: acks.delayed_ack,
            quick_max: acks.quick_acks,
            heeds_pushes: acks.ack_pushed,
            quick: 0,
            ato: Duration::ZERO,
            last_received: Time::ZERO,
            due: false,
            pushed: false,
            deadline: None,
        }
    }

    /// Whether an acknowledgment is due.
    pub(crate) fn due(&self) -> bool {
        self.due
    }

    /// An acknowledgment is due.
    pub(crate) fn schedule(&mut self) {
        self.due = true;
    }

    /// Raises the number of quick ACKs to half the window's segments (`tcp_incr_quickack`).
    fn raise(&mut self, window: u64, mss: u32) {
        let quick = (window / (2 * u64::from(mss.max(1)))).max(2);
        self.quick = self.quick.max((quick.min(u64::from(self.quick_max))) as u32);
    }

    /// After signs of loss: acknowledge at once for a while (`tcp_enter_quickack_mode`).
    pub(crate) fn hurry(&mut self, window: u64, mss: u32) {
        self.raise(window, mss);
        self.ato = ATO_MIN;
        self.due = true;
    }

    /// A segment with data arrived.
    #[inline]
    pub(crate) fn received(&mut self, now: Time, rto: Duration, window: u64, mss: u32) {
        self.due = true;
        let gap = now.since(self.last_received);
        if self.ato == Duration::ZERO {
            self.raise(window, mss);
            self.ato = ATO_MIN;
        } else if gap <= ATO_MIN / 2 {
            self.ato = self.ato / 2 + ATO_MIN / 2;
        } else if gap < self.ato {
            self.ato = (self.ato / 2 + gap).min(rto);
        } else if gap > rto {
            self.raise(window, mss);
        }
        self.last_received = now;
    }

    /// A segment ends a write of the peer, which may wait for its acknowledgment (`tcp_measure_rcv_mss`, Linux 6.6).
    pub(crate) fn pushed(&mut self) {
        self.pushed |= self.heeds_pushes;
    }

    /// The window grows: the next acknowledgment is not delayed (`tcp_grow_window`).
    pub(crate) fn quicken(&mut self) {
        self.quick |= 1;
    }

    /// Whether the acknowledgment due goes at once, as in [`decide`](Self::decide).
    #[inline]
    pub(crate) fn at_once(&self, unacked: u64, mss: u32, small: bool) -> bool {
        unacked > u64::from(mss) || small || self.pushed || self.quick > 0 || self.min == Duration::ZERO
    }

    /// Decides about the acknowledgment due. `unacked` bytes arrived since the last one, `mss` being a full segment;
    /// `small` if the last segment was not full and has been read (`tcp_cleanup_rbuf`), `holes` if data waits out of
    /// order. `srtt` is zero if unknown.
    #[inline]
    pub(crate) fn decide(
        &mut self,
        now: Time,
        unacked: u64,
        mss: u32,
        small: bool,
        holes: bool,
        srtt: Duration,
    ) -> Decision {
        if holes || self.at_once(unacked, mss, small) {
            return Decision::Now;
        }
        let mut ato = self.ato.max(self.min);
        if ato > self.min {
            let mut most = if srtt == Duration::ZERO { ATO_MAX } else { ATO_MAX.min(srtt.max(self.min)) };
            most = most.min(MAX.max(self.min));
            ato = ato.min(most);
        }
        let mut by = now + ato;
        if let Some(deadline) = self.deadline {
            if deadline <= now + ato / 4 {
                return Decision::Now;
            }
            by = by.min(deadline);
        }
        self.deadline = Some(by);
        Decision::By(by)
    }

    /// An acknowledgment left (`tcp_event_ack_sent`).
    pub(crate) fn sent(&mut self) {
        if self.quick > 0 {
            self.quick -= 1;
            if self.quick == 0 {
                self.ato = ATO_MIN;
            }
        }
        self.due = false;
        self.pushed = false;
        self.deadline = None;
    }

    /// The timer fired; true if an acknowledgment is still due (`tcp_delack_timer_handler`).
    pub(crate) fn expired(&mut self, rto: Duration) -> bool {
        self.deadline = None;
        if self.due {
            self.ato = (self.ato * 2).min(rto);
        }
        self.due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACKS: Acks = Acks { ack_pushed: true, ..Acks::PLAIN };

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn at(n: u64) -> Time {
        Time::ZERO + ms(n)
    }

    fn warm() -> DelayedAck {
        let mut d = DelayedAck::new(&ACKS);
        d.received(at(0), ms(200), 100_000, 1448);
        (0..16).for_each(|_| d.sent());
        d
    }

    fn decide(d: &mut DelayedAck, now: u64, unacked: u64) -> Decision {
        d.received(at(now), ms(200), 100_000, 1448);
        d.decide(at(now), unacked, 1448, false, false, Duration::ZERO)
    }

    #[test]
    fn the_first_sixteen_are_quick_and_then_every_second_waits() {
        let mut d = DelayedAck::new(&ACKS);
        for i in 0..16 {
            assert_eq!(decide(&mut d, i, 1448), Decision::Now, "{i}");
            d.sent();
        }
        assert_eq!(decide(&mut d, 17, 1448), Decision::By(at(57)));
        assert_eq!(decide(&mut d, 18, 2896), Decision::Now);
    }

    #[test]
    fn a_small_window_has_fewer_quick_acks() {
        let mut d = DelayedAck::new(&ACKS);
        d.received(at(0), ms(200), 6 * 1448, 1448);
        assert_eq!(d.quick, 3);
    }

    #[test]
    fn slow_arrivals_stretch_the_delay_up_to_the_limit() {
        let mut d = warm();
        assert_eq!(decide(&mut d, 30, 1448), Decision::By(at(80)), "40 / 2 + 30 = 50");
        d.sent();
        // The gap of 45 is below the estimate of 50, which becomes 70.
        assert_eq!(decide(&mut d, 75, 1448), Decision::By(at(145)));
        // Missed delays double it; nothing waits longer than 200 ms.
        assert!(d.expired(ms(900)) && d.expired(ms(900)));
        assert_eq!(d.decide(at(200), 1448, 1448, false, false, Duration::ZERO), Decision::By(at(400)));
        d.sent();
        d.schedule();
        assert_eq!(
            d.decide(at(200), 1448, 1448, false, false, ms(90)),
            Decision::By(at(290)),
            "nor than the RTT"
        );
    }

    #[test]
    fn holes_small_segments_and_trouble_are_acknowledged_at_once() {
        let mut d = warm();
        assert_eq!(d.decide(at(1), 10, 1448, true, false, Duration::ZERO), Decision::Now);
        assert_eq!(d.decide(at(1), 10, 1448, false, true, Duration::ZERO), Decision::Now);
        d.hurry(100_000, 1448);
        assert_eq!(d.decide(at(1), 10, 1448, false, false, Duration::ZERO), Decision::Now);
    }

    #[test]
    fn what_ends_a_write_is_acknowledged_at_once() {
        let mut d = warm();
        d.received(at(1), ms(200), 100_000, 1448);
        d.pushed();
        assert_eq!(d.decide(at(1), 1448, 1448, false, false, Duration::ZERO), Decision::Now);
        d.sent();
        assert_eq!(decide(&mut d, 2, 1448), Decision::By(at(42)));
    }

    #[test]
    fn without_a_delay_every_segment_is_acknowledged_at_once() {
        let mut d = DelayedAck::new(&Acks { delayed_ack: Duration::ZERO, quick_acks: 0, ..ACKS });
        for i in 0..100 {
            assert_eq!(decide(&mut d, i, 1448), Decision::Now);
            d.sent();
        }
    }

    #[test]
    fn a_long_pause_brings_quick_acks_back() {
        let mut d = warm();
        assert_eq!(decide(&mut d, 500, 1448), Decision::Now);
    }
}
