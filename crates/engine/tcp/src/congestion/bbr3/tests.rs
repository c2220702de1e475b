//! The state machine, on samples made by hand, after the example test cases of draft-ietf-ccwg-bbr (appendix A).

use super::*;
use crate::delivery::Rate;

const MSS: u32 = 1250;
const RTT: Duration = Duration::from_millis(40);

/// A path of one segment per millisecond and 40 ms, and what BBR makes of it.
struct Path {
    bbr: Bbr3,
    w: CongestionWindow,
    now: Time,
    delivered: u64,
    lost: u64,
    rtt: Duration,
    limited: bool,
    recovers: bool,
}

impl Path {
    fn new() -> Self {
        Self::of(true)
    }

    /// The same, with SACK or without.
    fn of(sack: bool) -> Self {
        let w = CongestionWindow { cwnd: 10, ssthresh: u32::MAX, count: 0, past: 0 };
        let mut bbr = Bbr3::new(10, 7, MSS);
        let agreed = Negotiated { mss: MSS, sack, ..Negotiated::nothing_yet(&crate::Offer::PLAIN) };
        bbr.established(&w, Time::ZERO, Some(RTT), &agreed);
        Self { bbr, w, now: Time::ZERO, delivered: 0, lost: 0, rtt: RTT, limited: false, recovers: false }
    }

    /// An ACK a round trip after the last: `segments` were delivered at `per_second`, of a flight of `sent`, and `in_flight`
    /// stay out.
    fn round(&mut self, segments: u32, per_second: u64, in_flight: u32) -> &mut Self {
        self.losing(segments, per_second, in_flight, 0)
    }

    /// The same, and the ACK tells that `lost` of them were lost.
    fn losing(&mut self, segments: u32, per_second: u64, in_flight: u32, lost: u32) -> &mut Self {
        let (prior_delivered, prior_lost) = (self.delivered, self.lost);
        self.now += RTT;
        for n in 1..=u64::from(lost) {
            let segment =
                LostSegment { now: self.now, in_flight: segments + lost, lost: n, limited: self.limited };
            self.bbr.lost(&mut self.w, &segment);
        }
        self.delivered += u64::from(segments);
        self.lost += u64::from(lost);
        let interval = Duration::from_nanos(u64::from(segments) * 1_000_000_000 / per_second);
        let rate = Rate {
            delivered: u64::from(segments),
            interval,
            prior_delivered,
            limited: self.limited,
            in_flight: segments + lost,
            lost: prior_lost,
        };
        let sample = Sample {
            now: self.now,
            rate: Some(rate),
            acked: segments,
            lost,
            prior_in_flight: in_flight + segments,
            in_flight,
            rtt: Some(self.rtt),
            held_back: false,
            srtt: RTT,
            state: if self.recovers { CaState::Recovery } else { CaState::Open },
            delivered: self.delivered,
            delivered_at: self.now,
            all_lost: self.lost,
            mss: MSS,
            departure: self.now,
            burst_shift: 10,
            window_limited: true,
        };
        self.bbr.sampled(&mut self.w, &sample);
        self
    }

    /// The pacing rate in segments per second, rounded up from the one per cent less.
    fn paces(&self) -> u64 {
        (self.bbr.pacing_rate * 100 / 99).div_ceil(u64::from(MSS))
    }

    /// Rounds at the path's rate, with a full pipe, until it is in `state`.
    fn until(&mut self, state: State) -> &mut Self {
        let met = (0..200).any(|_| {
            self.round(40, 1000, 40);
            self.bbr.state == state
        });
        assert!(met, "{state:?} is not reached from {:?}", self.bbr.state);
        self
    }
}

/// Rates of 250, 500 and 1,000 segments per second grow; three rounds at 1,000 do not, and the pipe is full.
fn filled() -> Path {
    let mut path = Path::new();
    path.round(10, 250, 20).round(20, 500, 40).round(40, 1000, 80).round(40, 1000, 80).round(40, 1000, 80);
    assert_eq!(path.bbr.state, State::StartUp);
    path.round(40, 1000, 80);
    path
}

#[test]
fn start_up_ends_on_a_plateau_of_the_rate() {
    let path = filled();
    assert!(path.bbr.full.now && path.bbr.full.reached);
    assert_eq!(path.bbr.max_rate.get(), RATE / 1_000);
    assert_eq!((path.bbr.state, path.paces()), (State::Drain, 500), "half of it");
}

#[test]
fn start_up_paces_at_277_of_a_hundred() {
    let mut path = Path::new();
    path.round(10, 250, 20);
    assert!((692..=694).contains(&path.paces()), "{}", path.paces());
}

#[test]
fn start_up_ends_on_losses_though_the_application_is_slow() {
    let mut path = Path::new();
    path.limited = true;
    path.recovers = true;
    // Losses are noted; six ACKs with some, and a round after the first of them, in which one in twenty was lost.
    path.bbr.latest.losses = 5;
    path.losing(40, 1000, 40, 2);
    assert_eq!(path.bbr.state, State::Drain);
    assert!(path.bbr.full.now && path.bbr.full.reached);
    assert_eq!(path.bbr.bounds.long_term, 40, "what was delivered in the round");
}

#[test]
fn few_losses_do_not_end_start_up() {
    let after = |losses, lost, recovers| {
        let mut path = Path::new();
        path.recovers = recovers;
        path.bbr.latest.losses = losses;
        path.losing(100, 1000, 40, lost).bbr.state
    };
    assert_eq!(after(5, 3, true), State::Drain);
    assert_eq!(after(4, 3, true), State::StartUp, "in five places only");
    assert_eq!(after(5, 2, true), State::StartUp, "no more than two in a hundred");
    assert_eq!(after(5, 3, false), State::StartUp, "not in recovery");
}

#[test]
fn an_application_that_is_slow_does_not_fill_the_pipe() {
    let mut path = Path::new();
    path.round(10, 250, 20);
    path.limited = true;
    (0..20).for_each(|_| {
        path.round(10, 250, 10);
    });
    assert_eq!(path.bbr.state, State::StartUp);
}

#[test]
fn drain_ends_when_no_more_is_in_flight_than_fills_the_path() {
    let mut path = filled();
    path.round(40, 1000, 60);
    assert_eq!(path.bbr.state, State::Drain);
    path.round(30, 1000, 40);
    assert_eq!(path.bbr.state, State::Cruise, "it need not go down any further");
}

#[test]
fn drain_ends_after_three_rounds() {
    let mut path = filled();
    (0..3).for_each(|_| assert_eq!(path.round(36, 900, 60).bbr.state, State::Drain));
    assert_eq!(path.round(36, 900, 60).bbr.state, State::Down);
}

#[test]
fn the_cycle_goes_down_cruises_refills_and_probes() {
    let mut path = filled();
    path.round(30, 1000, 60).until(State::Down);
    assert_eq!(path.paces(), 899, "230 / 256, less 1 % and more");
    path.until(State::Cruise);
    assert_eq!(path.paces(), 1000);
    let since = path.now;
    path.until(State::Refill);
    // A flow of Reno would lose a segment every 40 rounds here, of 40 ms each.
    assert!(path.now.since(since) <= Duration::from_millis(1600 + 40), "{:?}", path.now.since(since));
    assert_eq!((path.paces(), path.bbr.bounds.short_term), (1000, NONE));
    path.round(40, 1000, 40);
    assert_eq!((path.bbr.state, path.paces()), (State::Up, 1250), "a round later");
}

#[test]
fn a_long_path_is_probed_after_two_to_three_seconds() {
    let waits: Vec<_> = (0..50)
        .map(|isn| {
            let mut bbr = Bbr3::new(10, isn, MSS);
            bbr.start_down(Time::ZERO);
            bbr.cycle.wait
        })
        .collect();
    assert!(waits.iter().all(|wait| (2_000..=3_000).contains(&(wait.as_nanos() / 1_000_000))));
    assert!(waits.windows(2).any(|pair| pair[0] != pair[1]));
}

/// Without SACK one loss per round trip is all that can be seen.
#[test]
fn any_loss_ends_start_up_without_sack() {
    for (sack, state) in [(true, State::StartUp), (false, State::Drain)] {
        let mut path = Path::of(sack);
        path.recovers = true;
        path.losing(200, 1000, 200, 1);
        assert_eq!(path.bbr.state, state, "SACK: {sack}");
    }
}

#[test]
fn any_loss_ends_a_probe_without_sack() {
    for (sack, state, bound) in [(true, State::Up, NONE), (false, State::Down, 101)] {
        let mut path = filled();
        path.bbr.sacks = sack;
        path.round(30, 1000, 40).until(State::Up);
        path.losing(99, 2000, 100, 1);
        assert_eq!((path.bbr.state, path.bbr.bounds.long_term), (state, bound), "SACK: {sack}");
    }
}

#[test]
fn a_probe_ends_on_a_plateau_of_the_rate() {
    let mut path = filled();
    path.round(30, 1000, 40).until(State::Up);
    path.round(50, 1000, 50).round(50, 1000, 50);
    assert_eq!(path.bbr.state, State::Up);
    path.round(50, 1000, 50);
    assert_eq!(path.bbr.state, State::Down);
    assert_eq!(path.bbr.bounds.long_term, NONE, "nothing was lost");
}

#[test]
fn a_probe_ends_on_losses_and_learns_how_much_fits() {
    let mut path = filled();
    path.round(30, 1000, 40).until(State::Up);
    path.losing(48, 1000, 50, 2);
    assert_eq!(path.bbr.state, State::Down);
    // The first of two lost of 50 was too many: 49 were safe.
    assert_eq!(path.bbr.bounds.long_term, 49);
    path.round(40, 1000, 50);
    assert_eq!(path.bbr.state, State::Down, "42 leave room for others");
    path.round(40, 1000, 30);
    assert_eq!(path.bbr.state, State::Cruise);
    assert!(path.w.cwnd <= 42, "{}", path.w.cwnd);
}

#[test]
fn after_losses_the_next_probe_is_careful_and_then_probes_again_at_once() {
    let mut path = filled();
    path.round(30, 1000, 40).until(State::Up);
    path.losing(48, 1000, 50, 2).round(40, 1000, 30).until(State::Up);
    path.round(40, 1000, 49);
    assert_eq!(path.bbr.state, State::Down, "it stops where the last one lost something");
    path.round(40, 1000, 40);
    assert_eq!(path.bbr.state, State::Refill, "it was safe: no pause");
}

#[test]
fn losses_while_cruising_lower_the_short_term_bounds_until_the_next_probe() {
    let mut path = filled();
    path.round(30, 1000, 40).until(State::Cruise);
    path.losing(36, 900, 36, 4);
    assert_eq!(path.bbr.bounds.rate, RATE / 1_000, "what the round before delivered");
    path.losing(36, 900, 36, 4);
    assert_eq!(path.bbr.bounds.rate, RATE * 36 / 40_000);
    assert!(path.bbr.bounds.short_term < NONE && path.paces() < 1000, "{}", path.paces());
    assert_eq!(path.bbr.bounds.long_term, NONE, "it did not probe");
    path.until(State::Refill);
    assert_eq!((path.bbr.bounds.rate, path.bbr.bounds.short_term), (u64::MAX, NONE));
}

#[test]
fn the_round_trip_is_measured_after_five_seconds_with_half_the_flight_and_counts_for_ten() {
    let mut path = filled();
    path.round(30, 1000, 40);
    // Round trips that are longer than the least refresh nothing.
    let lowest = path.now;
    path.rtt = RTT + Duration::from_millis(1);
    while path.bbr.state != State::ProbeRtt {
        assert!(path.now < Time::ZERO + Duration::from_secs(6));
        path.round(40, 1000, 40);
    }
    assert!(path.now > Time::ZERO + Duration::from_secs(5));
    assert_eq!((path.bbr.probe_rtt_window(), path.paces()), (20, 1000));
    assert!(path.w.cwnd <= 20);
    let since = path.now;
    while path.bbr.state == State::ProbeRtt {
        path.round(20, 500, 20);
    }
    assert_eq!(path.bbr.state, State::Cruise);
    // 200 ms, a round at least, and the ACK after that.
    assert_eq!(path.now.since(since), RTT * 7);
    assert!(path.w.cwnd > 40, "the window before it is back: {}", path.w.cwnd);
    assert_eq!(path.bbr.least.rtt, Some(RTT), "it still counts");
    while path.now <= lowest + Duration::from_secs(10) {
        path.round(40, 1000, 40);
    }
    assert_eq!(path.bbr.least.rtt, Some(path.rtt));
}

#[test]
fn a_loss_that_was_none_is_forgotten() {
    let mut path = filled();
    path.round(30, 1000, 40).until(State::Up);
    path.losing(48, 1000, 50, 2);
    assert_eq!((path.bbr.state, path.bbr.bounds.long_term), (State::Down, 49));
    path.bbr.undone();
    path.round(40, 1000, 40);
    assert_eq!((path.bbr.state, path.bbr.bounds.long_term), (State::Refill, NONE), "it probes again");
}

#[test]
fn the_long_term_bound_grows_by_one_then_two_then_four_a_round() {
    let mut path = filled();
    path.round(30, 1000, 40).until(State::Refill);
    path.bbr.bounds.long_term = 400;
    path.w.cwnd = 400;
    path.round(400, 10_000, 400);
    let grown = [(); 3].map(|()| {
        let before = path.bbr.bounds.long_term;
        path.w.cwnd = before;
        path.round(before, 10_000, before);
        path.bbr.bounds.long_term - before
    });
    assert_eq!(grown, [1, 2, 4]);
}
