//! BBR over a wire: it fills the wire, leaves its queue nearly empty, tolerates losses, and paces.

use crate::wire::{Faults, SENDER, Setup, Wire};
use airloom_sim::{BitRate, Bytes, Duration, Time};
use airloom_tcp::{Config, Congestion, Detection, Growth, LossRecovery, Offer, SlowStart, SmallQueueLimits};

fn secs(n: u64) -> Time {
    Time::ZERO + Duration::from_secs(n)
}

/// 10 Mbit/s and 40 ms there and back: 33 segments fill it.
fn setup(congestion: Congestion) -> Setup {
    let config = Config {
        growth: Growth { congestion, ..Growth::PLAIN },
        small_queue: SmallQueueLimits { small_queue: None, ..SmallQueueLimits::PLAIN },
        ..Config::PLAIN
    };
    Setup { config, rate: BitRate::from_mbps(10), delay: Duration::from_millis(20), ..Setup::default() }
}

/// Goodput in Mbit/s from 4 s to 9 s, with the greatest number of segments in flight meanwhile.
fn steady(setup: Setup) -> (f64, u32) {
    let mut wire = Wire::start(setup);
    wire.run(secs(4));
    let before = wire.log.delivered;
    wire.log.keep_windows = true;
    wire.run(secs(9));
    let in_flight = wire.log.windows.iter().map(|w| w.2).max().unwrap();
    ((wire.log.delivered - before) as f64 * 8e-6 / 5.0, in_flight)
}

#[test]
fn the_wire_is_filled_and_its_queue_is_not() {
    let (mbps, in_flight) = steady(setup(Congestion::Bbr));
    let full = 10.0 * 1448.0 / 1538.0;
    assert!(mbps > 0.97 * full, "{mbps} of {full} Mbit/s");
    // A window of twice what fills the path, and room for three bursts: never more, while CUBIC fills a queue of 1,000.
    assert!(in_flight <= 2 * 34 + 3 * 2 + 2, "{in_flight} segments in flight");
    let mut greedy = setup(Congestion::Cubic);
    greedy.config.growth.slow_start = SlowStart::Standard;
    let (_, cubic) = steady(greedy);
    assert!(cubic > 5 * in_flight, "{cubic} with CUBIC");
}

#[test]
fn losses_by_chance_cost_no_more_than_themselves() {
    let lossy = |congestion| {
        let faults = [Faults { loss: 0.01, ..Faults::default() }, Faults::default()];
        steady(Setup { faults, ..setup(congestion) }).0
    };
    let (bbr, cubic) = (lossy(Congestion::Bbr), lossy(Congestion::Cubic));
    assert!(bbr > 0.93 * 10.0 * 1448.0 / 1538.0, "{bbr} Mbit/s");
    assert!(cubic < 0.6 * bbr, "{cubic} Mbit/s with CUBIC");
}

/// Every ten seconds the network is drained to four segments for 200 ms, to measure its round trip.
#[test]
fn the_round_trip_is_measured_anew_after_ten_seconds() {
    let mut wire = Wire::start(setup(Congestion::Bbr));
    wire.log.keep_windows = true;
    wire.run(secs(25));
    let small: Vec<f64> =
        wire.log.windows.iter().filter(|w| w.1 == 4).map(|w| w.0.as_nanos() as f64 * 1e-9).collect();
    let drained = small.iter().filter(|t| **t > 1.0).count();
    assert!(drained > 0, "it never drains");
    let (first, last) = (small[0], small[small.len() - 1]);
    assert!((10.0..11.0).contains(&first), "first at {first} s");
    assert!((20.0..23.0).contains(&last), "last at {last} s");
    assert_eq!(wire.log.retransmissions, 0);
    assert!(wire.ends[SENDER].ssthresh() < u32::MAX, "start-up has ended");
}

#[test]
fn a_transfer_completes_through_everything_that_may_go_wrong() {
    for seed in 0..100 {
        let faults = Faults {
            loss: 0.05,
            duplication: 0.02,
            reordering: 0.05,
            disorder: Duration::from_millis(5),
            refusal: 0.02,
            ..Faults::default()
        };
        let recovery = LossRecovery {
            frto: true,
            tail_loss_probe: seed % 3 != 0,
            detection: if seed % 2 == 0 { Detection::Time } else { Detection::Sacks },
            ..LossRecovery::PLAIN
        };
        let small_queue = (seed % 5 == 0).then_some(Bytes(131_072));
        let config = Config {
            growth: Growth { congestion: Congestion::Bbr, ..Growth::PLAIN },
            offer: Offer { sack: seed % 4 != 0, ..Offer::PLAIN },
            small_queue: SmallQueueLimits { small_queue, ..SmallQueueLimits::PLAIN },
            recovery,
            ..Config::PLAIN
        };
        let mut wire = Wire::start(Setup {
            config,
            faults: [faults.clone(), faults],
            bytes: 300_000,
            seed,
            ..setup(Congestion::Bbr)
        });
        assert!(!wire.run(secs(600)), "finished, seed {seed}");
        assert_eq!(wire.log.delivered, 300_000);
    }
}

#[test]
fn version_3_fills_the_wire_and_leaves_its_queue_nearly_empty() {
    let (mbps, in_flight) = steady(setup(Congestion::Bbr3));
    let full = 10.0 * 1448.0 / 1538.0;
    assert!(mbps > 0.96 * full, "{mbps} of {full} Mbit/s");
    // A window of 9/4 of what fills the path while it probes, two more and what came together.
    assert!(in_flight <= 34 * 9 / 4 + 2 + 2, "{in_flight} segments in flight");
}

#[test]
fn version_3_stands_a_loss_in_a_hundred() {
    let faults = [Faults { loss: 0.01, ..Faults::default() }, Faults::default()];
    let (mbps, _) = steady(Setup { faults, ..setup(Congestion::Bbr3) });
    assert!(mbps > 0.85 * 10.0 * 1448.0 / 1538.0, "{mbps} Mbit/s");
}

/// Where the queue holds less than what fills the path, version 1 loses a part of every probe; version 3 learns the limit.
#[test]
fn version_3_loses_little_at_a_short_queue() {
    let lost = |congestion| {
        let config = Config {
            recovery: LossRecovery { detection: Detection::Time, ..LossRecovery::PLAIN },
            ..setup(congestion).config
        };
        // The first host's own queue is the bottleneck, and what it refuses is lost unseen.
        let mut wire = Wire::start(Setup { config, drops_unseen: true, queue: 12, ..setup(congestion) });
        wire.run(secs(4));
        let before = (wire.log.retransmissions, wire.log.delivered);
        wire.run(secs(20));
        let mbps = (wire.log.delivered - before.1) as f64 * 8e-6 / 16.0;
        (wire.log.retransmissions - before.0, mbps)
    };
    let ((first, _), (third, mbps)) = (lost(Congestion::Bbr), lost(Congestion::Bbr3));
    assert!(3 * third < first, "{third} rather than {first} retransmissions");
    assert!(mbps > 0.85 * 10.0 * 1448.0 / 1538.0, "{mbps} Mbit/s");
}

/// At 10 Mbit/s the rate sends less than a segment in a millisecond: two leave together, which is the least.
#[test]
fn bursts_leave_two_at_a_time_and_half_as_often() {
    let gaps = |bursts| {
        let config = Config {
            small_queue: SmallQueueLimits { bursts, ..setup(Congestion::Bbr).config.small_queue },
            ..setup(Congestion::Bbr).config
        };
        let mut wire = Wire::start(Setup { config, ..setup(Congestion::Bbr) });
        wire.run(secs(4));
        wire.keep_sent = true;
        wire.sent.clear();
        wire.run(secs(9));
        let left: Vec<Time> = wire.sent.iter().filter(|(_, s)| s.payload > 0).map(|sent| sent.0).collect();
        let together = left.windows(2).filter(|pair| pair[0] == pair[1]).count();
        (together as f64 / left.len() as f64, left.len() as f64)
    };
    let ((alone, one_by_one), (pairs, in_pairs)) = (gaps(false), gaps(true));
    assert!(alone < 0.01, "{alone} leave together without bursts");
    assert!((0.47..0.51).contains(&pairs), "{pairs} leave with the one before");
    assert!((in_pairs / one_by_one - 1.0).abs() < 0.02, "{in_pairs} segments, {one_by_one} one by one");
}
