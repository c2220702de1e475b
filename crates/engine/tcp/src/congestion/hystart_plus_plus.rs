//! HyStart++ (RFC 9406): a slow start that ends before a loss when the delay grows, after a phase of slower growth that
//! confirms it.

use super::slow_start::SlowStarter;
use super::{CongestionWindow, Progress};
use airloom_sim::{Duration, Time};

// The constants of RFC 9406 section 4.3.

/// Least growth of the delay that ends slow start.
const MIN_RTT_THRESH: Duration = Duration::from_millis(4);
/// Growth of the delay that ends slow start however long the round trip is.
const MAX_RTT_THRESH: Duration = Duration::from_millis(16);
/// Between the two, slow start ends when the delay grows by one part in this many.
const MIN_RTT_DIVISOR: u64 = 8;
/// Samples from which a round's delay counts.
const N_RTT_SAMPLE: u32 = 8;
/// In conservative slow start (CSS) the window grows slower by this factor.
const CSS_GROWTH_DIVISOR: u32 = 4;
/// Rounds of CSS after which slow start is left.
const CSS_ROUNDS: u32 = 5;
/// The most segments by which the window grows with one ACK: L of a sender that does not pace.
const L: u32 = 8;

/// Conservative slow start.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Conservative {
    /// The delay that began it: a lower one shows that it began without need (`cssBaselineMinRtt`).
    baseline: Duration,
    /// Rounds that have ended since, that in which it began included.
    rounds: u32,
    /// Quarters of a segment that the window has grown.
    quarters: u32,
}

/// The detector and its phase. It works while the threshold is unset, that is in the initial slow start, and leaves later
/// ones to the threshold (RFC 9406 section 4.3).
#[derive(Default)]
pub(crate) struct HyStartPlusPlus {
    /// The round ends when this is acknowledged (`windowEnd`).
    window_end: Option<u64>,
    /// Least round-trip time of the last round and of this one (`lastRoundMinRTT`, `currentRoundMinRTT`).
    last_round: Option<Duration>,
    this_round: Option<Duration>,
    samples: u32,
    css: Option<Conservative>,
}

impl HyStartPlusPlus {
    /// Takes a round-trip time, which may begin CSS, or end it for growth as before.
    fn sample(&mut self, rtt: Duration) {
        let least = self.this_round.map_or(rtt, |least| least.min(rtt));
        self.this_round = Some(least);
        self.samples += 1;
        if self.samples < N_RTT_SAMPLE {
            return;
        }
        match (self.css, self.last_round) {
            (Some(css), _) => {
                if least < css.baseline {
                    self.css = None;
                }
            }
            (None, Some(last)) => {
                let threshold = (last / MIN_RTT_DIVISOR).clamp(MIN_RTT_THRESH, MAX_RTT_THRESH);
                if least >= last + threshold {
                    self.css = Some(Conservative { baseline: least, rounds: 0, quarters: 0 });
                }
            }
            (None, None) => {}
        }
    }

    /// Ends the round; true if CSS has lasted long enough.
    fn end_round(&mut self, next: u64) -> bool {
        self.window_end = Some(next);
        self.last_round = self.this_round.take();
        self.samples = 0;
        let Some(css) = &mut self.css else { return false };
        css.rounds += 1;
        css.rounds >= CSS_ROUNDS
    }
}

impl SlowStarter for HyStartPlusPlus {
    fn acked(&mut self, w: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>) {
        if w.ssthresh < u32::MAX {
            return;
        }
        if let Some(rtt) = rtt {
            self.sample(rtt);
        }
        let window_end = *self.window_end.get_or_insert(ack.next);
        if ack.una >= window_end && self.end_round(ack.next) {
            w.ssthresh = w.cwnd;
            self.css = None;
        }
    }

    fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress) -> u32 {
        if w.ssthresh < u32::MAX {
            return w.slow_start(ack.segments);
        }
        let segments = ack.segments.min(L);
        match &mut self.css {
            None => w.slow_start(segments),
            Some(css) => {
                css.quarters += segments;
                w.slow_start(css.quarters / CSS_GROWTH_DIVISOR);
                css.quarters %= CSS_GROWTH_DIVISOR;
                0
            }
        }
    }

    fn timeout(&mut self, _: Time, _: u64) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    /// A sender in slow start. Every ACK is for one segment, of sequence length one.
    struct Sender {
        slow_start: HyStartPlusPlus,
        window: CongestionWindow,
        una: u64,
    }

    impl Sender {
        fn new() -> Self {
            let window = CongestionWindow { cwnd: 16, ssthresh: u32::MAX, count: 0, past: 1 };
            let mut sender = Self { slow_start: HyStartPlusPlus::default(), window, una: 0 };
            // What was sent before the first ACK is the first round.
            sender.slow_start.window_end = Some(16);
            sender
        }

        /// Takes an ACK for `segments`; the round in which it arrives is what was in flight as the round began.
        fn ack(&mut self, segments: u32, rtt: Option<Duration>) {
            self.una += u64::from(segments);
            let next = self.una + u64::from(self.window.cwnd);
            let ack = Progress { now: Time::ZERO, segments, una: self.una, next };
            self.slow_start.acked(&mut self.window, &ack, rtt);
            self.slow_start.grow(&mut self.window, &ack);
        }

        /// A round in which the first `samples` ACKs have a round-trip time, and the others none.
        fn round(&mut self, samples: u32, rtt: Duration) {
            let end = self.slow_start.window_end.expect("a round");
            for i in 0.. {
                self.ack(1, (i < samples).then_some(rtt));
                if self.una >= end {
                    break;
                }
            }
        }

        fn conservative(&self) -> bool {
            self.slow_start.css.is_some()
        }
    }

    /// Whether a round of `rtt` after one of `last` begins CSS.
    fn begins(last: Duration, rtt: Duration) -> bool {
        let mut s = Sender::new();
        s.round(8, last);
        s.round(8, rtt);
        s.conservative()
    }

    #[test]
    fn delay_must_grow_by_an_eighth_of_4_ms_at_least_and_16_ms_at_most() {
        let almost = |n| ms(n).saturating_sub(Duration::from_nanos(1));
        for (last, threshold) in [(10, 4), (32, 4), (80, 10), (128, 16), (400, 16)] {
            assert!(begins(ms(last), ms(last + threshold)), "{last} ms");
            assert!(!begins(ms(last), almost(last + threshold)), "{last} ms");
        }
    }

    #[test]
    fn a_round_speaks_from_its_eighth_sample_on() {
        let mut s = Sender::new();
        s.round(16, ms(50));
        s.round(7, ms(90));
        assert!(!s.conservative());
        let mut s = Sender::new();
        s.round(16, ms(50));
        (0..7).for_each(|_| s.ack(1, Some(ms(90))));
        assert!(!s.conservative());
        s.ack(1, Some(ms(90)));
        assert!(s.conservative());
    }

    #[test]
    fn the_least_of_a_round_counts_and_is_compared_with_the_last_rounds() {
        let mut s = Sender::new();
        s.round(16, ms(50));
        s.ack(1, Some(ms(50)));
        (0..8).for_each(|_| s.ack(1, Some(ms(90))));
        assert!(!s.conservative(), "one sample of the round was fast");
        // Growth by less than the threshold each round is never found, however far it goes.
        let mut s = Sender::new();
        (0..5).for_each(|i| s.round(16, ms(50 + 6 * i)));
        assert!(!s.conservative());
        assert!(!begins(ms(90), ms(50)));
    }

    #[test]
    fn without_a_last_round_there_is_nothing_to_compare_with() {
        let mut s = Sender::new();
        s.round(16, ms(900));
        assert!(!s.conservative());
        let mut s = Sender::new();
        s.round(0, ms(900));
        s.round(16, ms(900));
        assert!(!s.conservative(), "the last round had no sample");
    }

    #[test]
    fn a_round_is_what_was_sent_when_the_last_one_ended() {
        let mut s = Sender::new();
        (0..15).for_each(|_| s.ack(1, Some(ms(50))));
        assert_eq!(s.slow_start.last_round, None);
        s.ack(1, Some(ms(50)));
        assert_eq!((s.slow_start.last_round, s.slow_start.samples), (Some(ms(50)), 0));
        assert_eq!(s.slow_start.window_end, Some(16 + 31), "the ACK itself is answered afterwards");
        // The first ACK of a connection begins the first round.
        let mut fresh = HyStartPlusPlus::default();
        let ack = Progress { now: Time::ZERO, segments: 2, una: 2, next: 10 };
        fresh.acked(&mut s.window, &ack, Some(ms(50)));
        assert_eq!((fresh.window_end, fresh.last_round, fresh.samples), (Some(10), None, 1));
    }

    #[test]
    fn an_ack_lets_the_window_grow_by_eight_segments_at_most() {
        let mut s = Sender::new();
        s.ack(3, None);
        assert_eq!(s.window.cwnd, 19);
        s.ack(11, None);
        assert_eq!(s.window.cwnd, 27);
    }

    #[test]
    fn in_css_the_window_grows_by_a_quarter_of_what_is_acknowledged() {
        let mut s = Sender::new();
        s.round(16, ms(50));
        (0..8).for_each(|_| s.ack(1, Some(ms(90))));
        let before = s.window.cwnd;
        (0..7).for_each(|_| s.ack(1, Some(ms(90))));
        // The ACK that began CSS counts.
        assert_eq!(s.window.cwnd, before + 2);
        s.ack(20, Some(ms(90)));
        assert_eq!(s.window.cwnd, before + 4, "an eighth segment and more count for eight");
    }

    #[test]
    fn css_ends_slow_start_in_its_fifth_round_counting_that_in_which_it_began() {
        let mut s = Sender::new();
        s.round(16, ms(50));
        for round in 1..=5 {
            assert_eq!(s.window.ssthresh, u32::MAX, "round {round}");
            s.round(16, ms(90));
        }
        assert_eq!(s.window.cwnd, s.window.ssthresh + 1);
        assert!(!s.window.in_slow_start());
    }

    #[test]
    fn a_delay_below_the_baseline_resumes_slow_start() {
        let mut s = Sender::new();
        s.round(16, ms(50));
        s.round(16, ms(90));
        s.round(16, ms(90));
        assert!(s.conservative());
        (0..7).for_each(|_| s.ack(1, Some(ms(89))));
        assert!(s.conservative(), "seven samples say nothing");
        s.ack(1, Some(ms(89)));
        assert!(!s.conservative());
        let before = s.window.cwnd;
        s.ack(4, Some(ms(89)));
        assert_eq!(s.window.cwnd, before + 4);
        // Rounds are counted anew.
        let mut s = Sender::new();
        s.round(16, ms(50));
        (0..4).for_each(|_| s.round(16, ms(90)));
        s.round(16, ms(70));
        s.round(16, ms(110));
        assert_eq!(s.slow_start.css.map(|css| css.rounds), Some(1));
        assert_eq!(s.window.ssthresh, u32::MAX);
    }

    #[test]
    fn only_the_initial_slow_start_is_watched() {
        let mut s = Sender::new();
        s.window.ssthresh = 1000;
        s.slow_start.window_end = Some(16);
        for rtt in [50, 90, 90, 90, 90, 90, 90] {
            (0..16).for_each(|_| s.ack(1, Some(ms(rtt))));
        }
        assert_eq!((s.window.ssthresh, s.window.cwnd), (1000, 16 + 7 * 16));
        let before = s.window.cwnd;
        s.ack(20, None);
        assert_eq!(s.window.cwnd, before + 20);
    }

    #[test]
    fn a_timeout_forgets_everything() {
        let mut s = Sender::new();
        s.round(16, ms(50));
        s.round(16, ms(90));
        s.slow_start.timeout(Time::ZERO, 0);
        assert!(!s.conservative() && s.slow_start.last_round.is_none() && s.slow_start.samples == 0);
    }
}
