//! HyStart: leaving slow start before losses (Ha and Rhee 2011; `hystart_update`, Linux).

use super::slow_start::SlowStarter;
use super::{CongestionWindow, Progress};
use crate::HyStartLimits;
use airloom_sim::{Duration, Time};

/// No detection below this window in segments (`hystart_low_window`).
const LOW_WINDOW: u32 = 16;
/// Samples from which a round's delay is taken (`HYSTART_MIN_SAMPLES`).
const SAMPLES: u32 = 8;
/// ACKs at most this far apart belong to one train (`hystart_ack_delta`).
const TRAIN_GAP: Duration = Duration::from_millis(2);
/// Bounds of the delay threshold (`HYSTART_DELAY_MIN` since 2.6.39, `HYSTART_DELAY_MAX`).
const DELAY_BOUNDS: (Duration, Duration) = (Duration::from_millis(4), Duration::from_millis(16));

/// The detector's state in the present round.
pub(crate) struct HyStart {
    /// Delay must grow by one n-th of the least round trip.
    part: u32,
    /// A round's delay is taken from all samples, and rounds follow each other whether or not the window may grow.
    all_samples: bool,
    /// Added to a round trip before half of it is the length of a long train.
    train_margin: Duration,
    found: bool,
    round_start: Time,
    last_ack: Time,
    round_end: u64,
    round_rtt: Duration,
    samples: u32,
    min_rtt: Option<Duration>,
}

impl HyStart {
    pub(crate) fn new(limits: &HyStartLimits) -> Self {
        Self {
            part: limits.hystart_part.max(1),
            all_samples: limits.hystart_all_samples,
            train_margin: limits.hystart_train_margin,
            found: false,
            round_start: Time::ZERO,
            last_ack: Time::ZERO,
            round_end: 0,
            round_rtt: Duration::ZERO,
            samples: 0,
            min_rtt: None,
        }
    }

    /// Begins a round (`bictcp_hystart_reset`).
    fn restart(&mut self, now: Time, next: u64) {
        self.round_start = now;
        self.last_ack = now;
        self.round_end = next;
        self.samples = 0;
    }

    fn end_round(&mut self, ack: &Progress) {
        if ack.una > self.round_end {
            self.restart(ack.now, ack.next);
        }
    }

    /// Takes a sample in slow start; true if slow start must end.
    fn sample(&mut self, now: Time, cwnd: u32, rtt: Duration, min_rtt: Duration) -> bool {
        if cwnd < LOW_WINDOW || self.found {
            return false;
        }
        if now.since(self.last_ack) <= TRAIN_GAP {
            self.last_ack = now;
            // A train half a round trip long fills the path one way.
            self.found |= now.since(self.round_start) > (min_rtt + self.train_margin) / 2;
        }
        if self.samples < SAMPLES || self.all_samples {
            self.round_rtt = if self.samples == 0 { rtt } else { self.round_rtt.min(rtt) };
        }
        if self.samples < SAMPLES {
            self.samples += 1;
        } else {
            let threshold = (min_rtt / u64::from(self.part)).clamp(DELAY_BOUNDS.0, DELAY_BOUNDS.1);
            self.found |= self.round_rtt > min_rtt + threshold;
        }
        self.found
    }
}

impl SlowStarter for HyStart {
    fn acked(&mut self, w: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>) {
        let Some(rtt) = rtt else { return };
        let min_rtt = self.min_rtt.map_or(rtt, |least| least.min(rtt));
        self.min_rtt = Some(min_rtt);
        if !w.in_slow_start() || self.found {
            return;
        }
        if self.all_samples {
            self.end_round(ack);
        }
        if self.sample(ack.now, w.cwnd, rtt, min_rtt) {
            w.ssthresh = w.cwnd;
        }
    }

    fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress) -> u32 {
        if !self.all_samples {
            self.end_round(ack);
        }
        w.slow_start(ack.segments)
    }

    fn timeout(&mut self, now: Time, next: u64) {
        self.found = false;
        self.min_rtt = None;
        self.restart(now, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn hystart(hystart_part: u32) -> HyStart {
        HyStart::new(&HyStartLimits { hystart_part, ..HyStartLimits::PLAIN })
    }

    /// Feeds a round of `n` samples, `gap` apart. Returns after how many slow start had to end, if it had to.
    fn round(h: &mut HyStart, n: u32, gap: Duration, rtt: Duration, min_rtt: Duration) -> Option<u32> {
        h.restart(Time::ZERO, 1);
        (1..=n).find(|&i| h.sample(Time::ZERO + gap * u64::from(i), 16, rtt, min_rtt))
    }

    #[test]
    fn delay_beyond_the_threshold_is_found_after_eight_samples() {
        let mut h = hystart(8);
        assert_eq!(round(&mut h, 20, ms(3), ms(108), ms(96)), None);
        assert_eq!(round(&mut h, 20, ms(3), ms(109), ms(96)), Some(9));
        let mut h = hystart(8);
        assert_eq!(round(&mut h, 20, ms(3), ms(14), ms(10)), None, "below the floor of 4 ms");
        assert_eq!(round(&mut h, 20, ms(3), ms(15), ms(10)), Some(9));
    }

    /// Linux 3.13: one sixteenth, so that the same path is left earlier.
    #[test]
    fn the_threshold_is_a_part_of_the_least_round_trip() {
        let found = |part, rtt| round(&mut hystart(part), 20, ms(3), ms(rtt), ms(96)).is_some();
        assert!(!found(16, 102) && found(16, 103));
        assert!(!found(8, 108) && found(8, 109));
    }

    /// Linux 5.16: a low delay late in a round shows that the queue is empty.
    #[test]
    fn the_least_of_all_samples_may_count() {
        let found = |hystart_all_samples| {
            let mut h =
                HyStart::new(&HyStartLimits { hystart_part: 8, hystart_all_samples, ..HyStartLimits::PLAIN });
            h.restart(Time::ZERO, 1);
            (1..=8).for_each(|n| assert!(!h.sample(Time::ZERO + ms(3) * n, 16, ms(120), ms(96))));
            h.sample(Time::ZERO + ms(27), 16, ms(97), ms(96))
        };
        assert!(found(false) && !found(true));
    }

    /// Linux 5.6: `hystart_ack_delay` is a millisecond, of which half counts.
    #[test]
    fn a_train_may_have_a_margin() {
        let margin = HyStartLimits { hystart_train_margin: ms(1), ..HyStartLimits::PLAIN };
        let mut h = HyStart::new(&margin);
        assert_eq!(round(&mut h, 100, ms(1) / 2, ms(40), ms(40)), Some(42), "21 ms rather than 20.5");
    }

    #[test]
    fn a_train_of_half_a_round_trip_is_found() {
        assert_eq!(round(&mut hystart(8), 100, ms(1), ms(40), ms(40)), Some(21));
        assert_eq!(round(&mut hystart(8), 100, ms(3), ms(40), ms(40)), None, "the train is broken");
    }

    #[test]
    fn small_windows_are_left_alone_and_a_finding_is_told_once() {
        let mut h = hystart(8);
        h.restart(Time::ZERO, 1);
        assert!(!(0..20).any(|_| h.sample(Time::ZERO, 15, ms(99), ms(9))));
        assert_eq!((0..20).filter(|_| h.sample(Time::ZERO, 16, ms(99), ms(9))).count(), 1);
    }
}
