//! NewReno (RFC 5681; `tcp_reno_cong_avoid`, `tcp_reno_ssthresh`, Linux 3.13).

use super::slow_start::SlowStarter;
use super::{CongestionControl, CongestionWindow, Progress};
use airloom_sim::{Duration, Time};

/// Additive increase, halving.
pub(crate) struct NewReno {
    slow_start: Box<dyn SlowStarter>,
    count_segments: bool,
}

impl NewReno {
    pub(crate) fn new(slow_start: Box<dyn SlowStarter>, count_segments: bool) -> Self {
        Self { slow_start, count_segments }
    }
}

impl CongestionControl for NewReno {
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
        (w.cwnd / 2).max(2)
    }

    fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress) {
        let left = if w.in_slow_start() { self.slow_start.grow(w, ack) } else { ack.segments };
        if left > 0 {
            w.avoid(w.cwnd, if self.count_segments { left } else { 1 });
        }
    }

    fn acked(&mut self, w: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>) {
        self.slow_start.acked(w, ack, rtt);
    }

    fn timeout(&mut self, now: Time, next: u64) {
        self.slow_start.timeout(now, next);
    }
}

#[cfg(test)]
mod tests {
    use super::super::slow_start::standard;
    use super::*;

    fn newreno(count_segments: bool) -> NewReno {
        NewReno::new(standard(), count_segments)
    }

    fn ack(segments: u32) -> Progress {
        Progress { now: Time::ZERO, segments, una: 0, next: 0 }
    }

    #[test]
    fn slow_start_doubles_and_stops_past_the_threshold() {
        let mut w = CongestionWindow { cwnd: 10, ssthresh: 30, count: 0, past: 1 };
        let mut reno = newreno(false);
        (0..5).for_each(|_| reno.grow(&mut w, &ack(2)));
        assert_eq!(w.cwnd, 20);
        (0..6).for_each(|_| reno.grow(&mut w, &ack(2)));
        assert_eq!(w.cwnd, 31);
    }

    #[test]
    fn avoidance_counts_acks_or_segments() {
        for (count_segments, acks) in [(false, 20), (true, 10)] {
            let mut w = CongestionWindow { cwnd: 20, ssthresh: 10, count: 0, past: 1 };
            let mut reno = newreno(count_segments);
            (0..acks - 1).for_each(|_| reno.grow(&mut w, &ack(2)));
            assert_eq!(w.cwnd, 20);
            reno.grow(&mut w, &ack(2));
            assert_eq!(w.cwnd, 21);
        }
    }

    #[test]
    fn a_loss_halves_down_to_two() {
        let at = |cwnd| newreno(false).ssthresh(&CongestionWindow { cwnd, ssthresh: 9, count: 0, past: 1 });
        assert_eq!((at(21), at(3)), (10, 2));
    }
}
