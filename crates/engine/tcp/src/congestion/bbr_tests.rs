//! Start-up, drain and the cycle of probing, round by round, on samples made by hand.

use super::*;
use crate::delivery::Rate;

const MSS: u32 = 1250;
const RTT: Duration = Duration::from_millis(40);

/// A path of one segment per millisecond and 40 ms, and what BBR makes of it.
struct Path {
    bbr: Bbr,
    w: CongestionWindow,
    now: Time,
    delivered: u64,
}

impl Path {
    fn new() -> Self {
        let w = CongestionWindow { cwnd: 10, ssthresh: u32::MAX, count: 0, past: 1 };
        Self { bbr: Bbr::new(10, 7, MSS), w, now: Time::ZERO, delivered: 0 }
    }

    /// One round trip in which `segments` were delivered at `per_second`, and `in_flight` stay out.
    fn round(&mut self, segments: u32, per_second: u64, in_flight: u32) -> &mut Self {
        let sample = self.sample(segments, per_second, in_flight);
        self.bbr.sampled(&mut self.w, &sample);
        self
    }

    fn sample(&mut self, segments: u32, per_second: u64, in_flight: u32) -> Sample {
        let prior_delivered = self.delivered;
        self.now += RTT;
        self.delivered += u64::from(segments);
        let interval = Duration::from_nanos(u64::from(segments) * 1_000_000_000 / per_second);
        let rate = Rate { delivered: u64::from(segments), interval, prior_delivered, ..Rate::default() };
        Sample {
            now: self.now,
            rate: Some(rate),
            acked: segments,
            lost: 0,
            prior_in_flight: in_flight,
            in_flight,
            rtt: Some(RTT),
            held_back: false,
            srtt: RTT,
            state: CaState::Open,
            delivered: self.delivered,
            delivered_at: self.now,
            all_lost: 0,
            mss: MSS,
            departure: self.now,
            burst_shift: 10,
            window_limited: true,
        }
    }

    /// The pacing rate in segments per second, rounded up from the one per cent less.
    fn paces(&self) -> u64 {
        (self.bbr.pacing_rate * 100 / 99).div_ceil(u64::from(MSS))
    }
}

/// Rates of 250, 500 and 1,000 segments per second grow; three rounds at 1,000 do not, and the pipe is full.
fn filled() -> Path {
    let mut path = Path::new();
    path.round(10, 250, 20).round(20, 500, 40).round(40, 1000, 80);
    assert_eq!(path.bbr.mode, Mode::Startup);
    path.round(40, 1000, 115).round(40, 1000, 115);
    assert_eq!(path.bbr.mode, Mode::Startup);
    path.round(40, 1000, 115);
    path
}

#[test]
fn start_up_ends_after_three_rounds_without_growth() {
    let path = filled();
    assert_eq!(path.bbr.mode, Mode::Drain);
    assert_eq!(path.paces(), 344, "88 / 256 of it");
    // 40 segments fill the path, and three bursts of two find room.
    assert_eq!(path.w.ssthresh, 46);
}

#[test]
fn start_up_paces_at_twice_and_0_89_times_the_rate() {
    let mut path = Path::new();
    path.round(10, 250, 20);
    assert!((721..=723).contains(&path.paces()), "{}: 250 x 2.887, or ten segments in 40 ms", path.paces());
    path.round(20, 500, 40);
    assert!((1443..=1445).contains(&path.paces()), "{}", path.paces());
}

#[test]
fn drain_ends_when_no_more_is_in_flight_than_fills_the_path() {
    let mut path = filled();
    path.round(40, 1000, 60);
    assert_eq!(path.bbr.mode, Mode::Drain);
    path.round(30, 1000, 46);
    assert_eq!(path.bbr.mode, Mode::ProbeBw);
    assert_ne!(path.bbr.phase, 1, "the cycle begins anywhere but where it drains");
}

#[test]
fn the_cycle_probes_drains_and_cruises() {
    let mut path = filled();
    path.round(30, 1000, 40);
    while path.bbr.phase != 0 {
        path.now += Duration::from_nanos(1);
        path.round(40, 1000, 46);
    }
    assert_eq!(path.paces(), 1250);
    // 50 fill the path at 5/4, and there is room for three bursts and two more.
    path.now += Duration::from_millis(1);
    path.round(40, 1000, 54);
    assert_eq!(path.bbr.phase, 0, "not yet a quarter more in flight");
    path.round(40, 1000, 58);
    assert_eq!((path.bbr.phase, path.paces()), (1, 750));
    path.round(40, 1000, 46);
    assert_eq!((path.bbr.phase, path.paces()), (2, 1000), "drained");
}

#[test]
fn the_rate_is_forgotten_after_ten_rounds() {
    let mut path = filled();
    path.round(30, 1000, 40);
    (0..10).for_each(|_| {
        path.round(20, 500, 20);
    });
    assert_eq!(path.bbr.rate.get(), RATE / 1_000);
    path.round(20, 500, 20);
    assert_eq!(path.bbr.rate.get(), RATE / 2_000);
}

/// `bbr_init`: the handshake's round trip counts as the least, and gives the first pacing rate.
#[test]
fn the_handshake_gives_the_first_rate() {
    let mut path = Path::new();
    let agreed = Negotiated { mss: MSS, ..Negotiated::nothing_yet(&crate::Offer::PLAIN) };
    path.bbr.established(&path.w, Time::ZERO, Some(RTT), &agreed);
    assert_eq!(path.bbr.least_rtt, Some(RTT));
    assert!((721..=723).contains(&path.paces()), "{}: ten segments in 40 ms, times 2.887", path.paces());
}

/// `bbr_set_state`: a timeout is a loss that ends a round.
#[test]
fn a_timeout_begins_to_look_for_a_policer() {
    let mut path = filled();
    let sample = path.sample(40, 1000, 40);
    path.bbr.timed_out(&sample);
    assert!(path.bbr.policer.sampling);
    assert_eq!(path.bbr.policer.rounds, 1);
}
