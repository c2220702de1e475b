//! Spurious timeouts and fast retransmissions: when they are recognised, and when not.

use crate::alone::{ack, sender_with};
use crate::wire::{Faults, SENDER, Setup, Wire};
use airloom_observe::{CaState, LossEvent, Observation};
use airloom_sim::{Bytes, Duration, Time};
use airloom_tcp::{
    Clocks, Config, Congestion, Effects, Endpoint, Growth, LossRecovery, Offer, ReceiveSpace, Reduction,
    Segment, Timer,
};
use airloom_wire::Timestamps;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn at(n: u64) -> Time {
    Time::ZERO + ms(n)
}

/// A sender that recognises no spurious loss, with a receiver that does not report duplicates, a window of 16 segments
/// between them and a clock of 10 ms.
fn naive() -> Config {
    Config {
        growth: Growth { congestion: Congestion::NewReno, ..Growth::PLAIN },
        offer: Offer { duplicate_sack: false, window_scale: 0, ..Offer::PLAIN },
        receive: ReceiveSpace {
            receive_buffer_initial: Bytes(49_152),
            receive_buffer_max: Bytes(49_152),
            ..ReceiveSpace::PLAIN
        },
        clocks: Clocks { tick: ms(10), ..Clocks::PLAIN },
        ..Config::PLAIN
    }
}

/// A run of 8 s in which the acknowledgments of 300 ms are held, at 2 s and at 5 s.
fn with_held_acks(config: Config) -> Wire {
    let held = vec![(at(2000), at(2300)), (at(5000), at(5300))];
    let faults = [Faults::default(), Faults { held, ..Faults::default() }];
    let mut wire = Wire::new(Setup { config, faults, ..Setup::default() });
    wire.log.keep_windows = true;
    wire.keep_sent = true;
    wire.open();
    wire.run(at(8000));
    wire
}

/// How often `event` was reported within a second from `from`.
fn reports(wire: &Wire, event: LossEvent, from: u64) -> usize {
    let within = |l: &&(Time, LossEvent)| l.1 == event && at(from) <= l.0 && l.0 < at(from + 1000);
    wire.log.losses.iter().filter(within).count()
}

fn both(wire: &Wire, event: LossEvent) -> [usize; 2] {
    [reports(wire, event, 2000), reports(wire, event, 5000)]
}

fn window_at(wire: &Wire, ms: u64) -> u32 {
    wire.log.windows.iter().rfind(|w| w.0 < at(ms)).expect("a window").1
}

#[test]
fn held_acknowledgments_are_a_timeout_although_nothing_was_lost() {
    let wire = with_held_acks(naive());
    assert_eq!(both(&wire, LossEvent::Timeout), [1, 1]);
    assert_eq!(both(&wire, LossEvent::Undone), [0, 0]);
    assert_eq!(both(&wire, LossEvent::RecoveryLeft), [1, 1]);
    // What was sent again had all arrived.
    assert!(wire.log.retransmissions >= 2);
    assert_eq!(wire.ends[SENDER].ssthresh(), window_at(&wire, 5000) / 2);
}

#[test]
fn a_timestamp_from_before_the_retransmission_undoes_the_timeout() {
    let wire = with_held_acks(Config {
        recovery: LossRecovery { timestamp_undo: true, ..LossRecovery::PLAIN },
        ..naive()
    });
    assert_eq!(both(&wire, LossEvent::Timeout), [1, 1]);
    assert_eq!(both(&wire, LossEvent::Undone), [1, 1]);
    assert_eq!(wire.log.retransmissions, 2, "one each, and no slow start");
    assert_eq!(wire.ends[SENDER].ssthresh(), u32::MAX);
    for after in [2400, 5400] {
        assert!(window_at(&wire, after) >= window_at(&wire, after - 500), "the window is restored");
    }
}

#[test]
fn a_stale_stamp_hides_the_first_spurious_timeout_and_no_other() {
    let run = |stale_retransmit_stamp| {
        let recovery = LossRecovery {
            timestamp_undo: true,
            stale_retransmit_stamp,
            reduction: Reduction::RateHalving,
            ..LossRecovery::PLAIN
        };
        with_held_acks(Config { recovery, ..naive() })
    };
    let (stale, mended) = (run(true), run(false));
    assert_eq!(both(&stale, LossEvent::Timeout), [1, 1]);
    assert_eq!(both(&stale, LossEvent::Undone), [0, 1]);
    assert_eq!(both(&mended, LossEvent::Undone), [1, 1]);
    // Unrecognised, it ends in slow start over what had arrived.
    let again = |wire: &Wire, from| {
        let within = |s: &&(Time, Segment)| s.1.retransmission && at(from) <= s.0 && s.0 < at(from + 1000);
        wire.sent.iter().filter(within).count()
    };
    assert!(again(&stale, 2000) > 1 && again(&stale, 5000) == 1);
    assert_eq!((again(&mended, 2000), again(&mended, 5000)), (1, 1));
}

#[test]
fn duplicates_of_what_a_timeout_sent_again_are_no_third_duplicate() {
    // RFC 6582 section 3.2; a SACK receiver that does not report duplicates gives no evidence of a loss either.
    for sack in [true, false] {
        let (mut e, mut fx) = sender_with(
            Config { offer: Offer { sack, window_scale: 0, ..naive().offer }, ..naive() },
            60_000,
        );
        let mut log = Vec::new();
        e.write(at(10), 1448 * 10, &mut fx, &mut log);
        fx.clear();
        e.timer(at(300), Timer::Retransmission, &mut fx, &mut log);
        assert_eq!((e.state(), fx.segments.len()), (CaState::Loss, 1));
        // The first originals are acknowledged late, then come duplicates for what was sent again meanwhile.
        let mut repeated = Vec::new();
        for upto in [2, 4, 4, 4, 4, 4, 4] {
            fx.clear();
            e.receive(at(310), &ack(100 + 1448 * upto, 60_000), &mut fx, &mut log);
            repeated.extend(
                fx.segments.iter().filter(|s| s.segment.retransmission).map(|s| s.segment.header.seq),
            );
            assert_eq!(e.state(), CaState::Loss, "the recovery point is not reached");
        }
        let times = |seq| repeated.iter().filter(|s| **s == seq).count();
        assert_eq!(times(100 + 1448 * 4), 1, "by slow start alone");
        let recoveries = |o: &&(Time, Observation)| {
            matches!(o.1, Observation::Loss { event: LossEvent::RecoveryEntered, .. })
        };
        assert_eq!(log.iter().filter(recoveries).count(), 0, "sack {sack}");
    }
}

#[test]
fn beyond_the_recovery_point_sack_needs_blocks_and_newreno_something_new() {
    let (mut e, mut fx) =
        sender_with(Config { offer: Offer { sack: true, ..naive().offer }, ..naive() }, 60_000);
    e.write(at(10), 1448 * 20, &mut fx, &mut ());
    e.timer(at(300), Timer::Retransmission, &mut fx, &mut ());
    e.receive(at(310), &ack(100 + 14_480, 60_000), &mut fx, &mut ());
    for _ in 0..5 {
        e.receive(at(320), &ack(100 + 14_480, 60_000), &mut fx, &mut ());
    }
    assert_ne!(e.state(), CaState::Recovery);
}

#[test]
fn d_sacks_for_every_retransmission_undo_the_timeout() {
    let run = |duplicate_sack_undo| {
        let config = Config {
            offer: Offer { timestamps: false, duplicate_sack: true, ..naive().offer },
            recovery: LossRecovery { duplicate_sack_undo, ..LossRecovery::PLAIN },
            ..naive()
        };
        both(&with_held_acks(config), LossEvent::Undone)
    };
    assert_eq!(run(false), [0, 0]);
    assert_eq!(run(true), [1, 1]);
}

#[test]
fn f_rto_recognises_held_acknowledgments_without_any_option() {
    for sack in [true, false] {
        let config = Config {
            offer: Offer { timestamps: false, sack, ..naive().offer },
            recovery: LossRecovery { frto: true, ..LossRecovery::PLAIN },
            ..naive()
        };
        let wire = with_held_acks(config);
        assert_eq!(both(&wire, LossEvent::Timeout), [1, 1]);
        assert_eq!(both(&wire, LossEvent::Undone), [1, 1], "sack {sack}");
        assert_eq!(wire.log.retransmissions, 2, "sack {sack}");
    }
}

#[test]
fn f_rto_sends_two_new_segments_and_then_knows_that_the_loss_was_real() {
    for sack in [true, false] {
        let config = Config {
            offer: Offer { timestamps: false, sack, ..naive().offer },
            recovery: LossRecovery { frto: true, ..LossRecovery::PLAIN },
            ..naive()
        };
        let (mut e, mut fx) = sender_with(config, 60_000);
        let mut log = Vec::new();
        e.write(at(10), 1460 * 20, &mut fx, &mut log);
        assert_eq!(fx.segments.len(), 10);
        fx.clear();
        // All ten are lost.
        e.timer(at(300), Timer::Retransmission, &mut fx, &mut log);
        fx.clear();
        let edge = 100 + 1460 * 10;
        e.receive(at(320), &ack(100 + 1460, 60_000), &mut fx, &mut log);
        let new: Vec<_> = fx.segments.iter().map(|s| s.segment.header.seq).collect();
        assert_eq!(new, [edge, edge + 1460], "sack {sack}");
        fx.clear();
        let mut duplicate = ack(100 + 1460, 60_000);
        if sack {
            duplicate.header.options.sack.push(edge, edge + 1460);
        }
        e.receive(at(340), &duplicate, &mut fx, &mut log);
        assert!(fx.segments.iter().all(|s| s.segment.retransmission) && !fx.segments.is_empty());
        assert_eq!(e.state(), CaState::Loss);
        let undone =
            |o: &(Time, Observation)| matches!(o.1, Observation::Loss { event: LossEvent::Undone, .. });
        assert!(!log.iter().any(undone));
    }
}

/// The window that a model of the path sets comes before what F-RTO sends, which is new data and nothing else.
#[test]
fn f_rto_sends_new_data_first_with_bbr_too() {
    for sack in [true, false] {
        let recovery = LossRecovery { frto: true, ..LossRecovery::PLAIN };
        let config = Config {
            growth: Growth { congestion: Congestion::Bbr, ..naive().growth },
            offer: Offer { timestamps: false, sack, ..naive().offer },
            recovery,
            ..naive()
        };
        let (mut e, mut fx) = sender_with(config, 60_000);
        // So few that none is paced.
        e.write(at(10), 1460 * 3, &mut fx, &mut ());
        assert_eq!(fx.segments.len(), 3);
        fx.clear();
        e.timer(at(300), Timer::Retransmission, &mut fx, &mut ());
        e.write(at(310), 1460 * 10, &mut fx, &mut ());
        fx.clear();
        e.receive(at(320), &ack(100 + 1460, 60_000), &mut fx, &mut ());
        let sent: Vec<_> = fx.segments.iter().map(|s| s.segment.header.seq).collect();
        let new: Vec<_> = (3..7).map(|n| 100 + 1460 * n).collect();
        assert_eq!(sent, new, "sack {sack}");
    }
}

#[test]
fn real_losses_are_not_undone() {
    let everything = Config {
        offer: Offer { duplicate_sack: true, ..naive().offer },
        recovery: LossRecovery {
            timestamp_undo: true,
            duplicate_sack_undo: true,
            undo_repeated_timeout: true,
            frto: true,
            ..LossRecovery::PLAIN
        },
        ..naive()
    };
    for sack in [true, false] {
        for blackout in [(at(2000), at(2005)), (at(2000), at(2400))] {
            let config = Config { offer: Offer { sack, ..everything.offer }, ..everything };
            let faults = [Faults { blackout: Some(blackout), ..Faults::default() }, Faults::default()];
            let mut wire = Wire::start(Setup { config, faults, ..Setup::default() });
            wire.run(at(8000));
            let count = |event| wire.log.losses.iter().filter(|l| l.1 == event).count();
            assert!(count(LossEvent::Timeout) + count(LossEvent::RecoveryEntered) > 0);
            assert_eq!(count(LossEvent::Undone), 0, "sack {sack}, {blackout:?}");
        }
    }
}

/// Ten segments in flight, of which the second to fourth are SACKed: the first is sent again.
fn fast_retransmit(config: Config) -> (Endpoint, Effects, Vec<(Time, Observation)>) {
    let (mut e, mut fx) = sender_with(config, 60_000);
    let mut log = Vec::new();
    e.write(at(10), 1448 * 10, &mut fx, &mut log);
    fx.clear();
    let mut sack = ack(100, 60_000);
    sack.header.options.sack.push(100 + 1448, 100 + 1448 * 4);
    e.receive(at(40), &sack, &mut fx, &mut log);
    assert_eq!((e.state(), e.ssthresh()), (CaState::Recovery, 5));
    assert_eq!(fx.segments.iter().filter(|s| s.segment.retransmission).count(), 1);
    fx.clear();
    (e, fx, log)
}

#[test]
fn a_late_original_undoes_a_fast_retransmission() {
    for (timestamp_undo, undone) in [(true, true), (false, false)] {
        let config = Config {
            clocks: Clocks { tick: ms(1), ..naive().clocks },
            offer: Offer { window_scale: 0, ..naive().offer },
            recovery: LossRecovery { timestamp_undo, ..LossRecovery::PLAIN },
            ..naive()
        };
        let (mut e, mut fx, mut log) = fast_retransmit(config);
        // Sent at 10 ms, and the retransmission at 40 ms.
        let mut late = ack(100 + 1448 * 4, 60_000);
        late.header.options.timestamps = Some(Timestamps { value: 1, echo: 11 });
        e.receive(at(50), &late, &mut fx, &mut log);
        let undo =
            |o: &(Time, Observation)| matches!(o.1, Observation::Loss { event: LossEvent::Undone, .. });
        assert_eq!(log.iter().any(undo), undone);
        assert_eq!(e.state() == CaState::Recovery, !undone);
        assert_eq!((e.cwnd() >= 10, e.ssthresh() > 5), (undone, undone));
    }
}

#[test]
fn an_undone_recovery_that_newreno_holds_does_not_end_at_the_threshold() {
    let config = Config {
        offer: Offer { sack: false, window_scale: 0, ..naive().offer },
        clocks: Clocks { tick: ms(1), ..naive().clocks },
        recovery: LossRecovery { timestamp_undo: true, ..LossRecovery::PLAIN },
        ..naive()
    };
    let (mut e, mut fx) = sender_with(config, 60_000);
    e.write(at(10), 1448 * 30, &mut fx, &mut ());
    for _ in 0..3 {
        e.receive(at(40), &ack(100, 60_000), &mut fx, &mut ());
    }
    assert_eq!(e.state(), CaState::Recovery);
    // Everything of before the retransmission arrived late.
    let edge = 100 + 1448 * e.packets_out();
    let mut late = ack(edge, 60_000);
    late.header.options.timestamps = Some(Timestamps { value: 1, echo: 11 });
    e.receive(at(50), &late, &mut fx, &mut ());
    assert_eq!((e.state(), e.ssthresh()), (CaState::Recovery, u32::MAX));
    e.receive(at(60), &ack(edge + 1448, 60_000), &mut fx, &mut ());
    assert_eq!(e.state(), CaState::Open);
    assert!(e.cwnd() <= 30, "{}", e.cwnd());
}

#[test]
fn a_d_sack_undoes_a_fast_retransmission_that_is_over() {
    let config = Config {
        offer: Offer { window_scale: 0, ..naive().offer },
        recovery: LossRecovery { duplicate_sack_undo: true, ..LossRecovery::PLAIN },
        ..naive()
    };
    let (mut e, mut fx, mut log) = fast_retransmit(config);
    e.receive(at(50), &ack(100 + 1448 * 10, 60_000), &mut fx, &mut log);
    assert_eq!((e.state(), e.ssthresh()), (CaState::Open, 5));
    let mut report = ack(100 + 1448 * 10, 60_000);
    report.header.options.sack.push(100, 100 + 1448);
    e.receive(at(60), &report, &mut fx, &mut log);
    assert_eq!((e.state(), e.ssthresh()), (CaState::Open, u32::MAX));
    assert!(e.cwnd() >= 10);
}
