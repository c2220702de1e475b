use super::super::hystart::HyStart;
use super::super::slow_start::standard;
use super::*;
use crate::HyStartLimits;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// A round of ACKs for a full window at `now`.
fn round(c: &mut Cubic, w: &mut CongestionWindow, now: Time) {
    for _ in 0..w.cwnd {
        c.grow(w, &Progress { now, segments: 1, una: 0, next: 0 });
    }
}

/// The window's course in rounds of `rtt` after a loss at `cwnd`.
fn course(cwnd: u32, rtt: Duration, rounds: u64) -> (u32, Vec<u32>) {
    let mut c = Cubic::new(standard(), 1);
    let mut w = CongestionWindow { cwnd, ssthresh: 1, count: 0, past: 1 };
    c.acked(&mut w, &Progress { now: Time::ZERO, segments: 1, una: 0, next: 0 }, Some(rtt));
    w.ssthresh = c.ssthresh(&w);
    w.cwnd = w.ssthresh;
    let after = w.cwnd;
    // Just above the threshold, where avoidance begins.
    w.cwnd += 1;
    let course = (0..rounds)
        .map(|i| {
            round(&mut c, &mut w, Time::ZERO + ms(2000) + rtt * i);
            w.cwnd
        })
        .collect();
    (after, course)
}

#[test]
fn the_window_follows_the_closed_form() {
    // RFC 9438 section 4.2: W(t) = C (t - K)^3 + W_max, K = cbrt((W_max - cwnd_epoch) / C). At 100 ms and 1000
    // segments Reno is far slower, so that nothing else shows.
    let (after, course) = course(1000, ms(100), 150);
    assert_eq!(after, 700);
    let k = libm::cbrt((1000.0 - 701.0) / 0.4);
    for (i, &w) in course.iter().enumerate() {
        // A round's growth reaches the value one round trip ahead.
        let t = (i + 1) as f64 * 0.1;
        let expected = 0.4 * (t - k) * (t - k) * (t - k) + 1000.0;
        let error = (f64::from(w) - expected) / expected;
        assert!(error.abs() < 0.01, "round {i}: {w} rather than {expected:.1}");
    }
}

#[test]
fn growth_is_concave_below_the_plateau_and_convex_above() {
    let (_, course) = course(1000, ms(100), 180);
    let step = |at: usize| course[at + 10] - course[at];
    // The plateau lies at 9.07 s, round 90.
    assert!(step(5) > step(40) && step(40) > step(80), "concave");
    assert!(step(95) < step(130) && step(130) < step(165), "convex");
}

#[test]
fn short_paths_grow_no_slower_than_reno() {
    // RFC 9438 section 4.3: Reno with the same average gains 3 (1 - beta) / (1 + beta) per round trip, here 0.529.
    let (after, course) = course(30, ms(5), 60);
    let gained = course[59] - after;
    assert!((28..=36).contains(&gained), "{gained} rather than 60 * 0.529");
}

#[test]
fn growth_is_bounded_by_what_is_acknowledged() {
    // Long after the plateau the function would double the window in no time.
    let gained = |fastest| {
        let mut c = Cubic::new(standard(), fastest);
        let mut w = CongestionWindow { cwnd: 100, ssthresh: 1, count: 0, past: 1 };
        round(&mut c, &mut w, Time::ZERO);
        let before = w.cwnd;
        round(&mut c, &mut w, Time::ZERO + ms(60_000));
        f64::from(w.cwnd) / f64::from(before)
    };
    assert!(gained(1) > 1.95, "{}", gained(1));
    assert!((1.4..=1.5).contains(&gained(2)), "{}", gained(2));
}

#[test]
fn a_loss_takes_three_tenths_and_converges_fast() {
    let mut c = Cubic::new(standard(), 1);
    let at = |cwnd| CongestionWindow { cwnd, ssthresh: 1, count: 0, past: 1 };
    assert_eq!(c.ssthresh(&at(1000)), 700);
    assert_eq!(c.last_max, 1000);
    assert_eq!(c.ssthresh(&at(800)), 560);
    assert_eq!(c.last_max, 800 * 1741 / 2048, "it makes room for others");
    assert_eq!(c.ssthresh(&at(900)), 630);
    assert_eq!(c.last_max, 900);
    assert_eq!(c.ssthresh(&at(2)), 2);
}

#[test]
fn hystart_ends_slow_start_by_the_threshold() {
    let leaves = |slow_start| {
        let mut c = Cubic::new(slow_start, 1);
        let mut w = CongestionWindow { cwnd: 40, ssthresh: u32::MAX, count: 0, past: 1 };
        for i in 0..30u64 {
            let ack = Progress { now: Time::ZERO + ms(100 + 3 * i), segments: 1, una: 100 * i, next: 5000 };
            let rtt = if i == 0 { ms(50) } else { ms(70) };
            c.acked(&mut w, &ack, Some(rtt));
            c.grow(&mut w, &ack);
        }
        w.ssthresh
    };
    assert!(leaves(Box::new(HyStart::new(&HyStartLimits { hystart_part: 8, ..HyStartLimits::PLAIN }))) < 60);
    assert_eq!(leaves(standard()), u32::MAX);
}

#[test]
fn a_timeout_forgets_the_path() {
    let mut c =
        Cubic::new(Box::new(HyStart::new(&HyStartLimits { hystart_part: 8, ..HyStartLimits::PLAIN })), 1);
    let mut w = CongestionWindow { cwnd: 100, ssthresh: 50, count: 0, past: 1 };
    c.acked(&mut w, &Progress { now: Time::ZERO, segments: 1, una: 0, next: 0 }, Some(ms(9)));
    c.ssthresh(&w);
    c.timeout(Time::ZERO, 0);
    assert_eq!((c.last_max, c.min_rtt, c.epoch), (0, None, None));
}
