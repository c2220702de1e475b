//! What an acknowledgment tells of segments that have arrived, as Linux 6.x counts them: each test names the rule and its source.

use crate::alone::{FULL, ack, begins, numbers, sack, sender_with};
use airloom_observe::CaState;
use airloom_sim::{Duration, Time};
use airloom_tcp::{
    Config, Congestion, Detection, Effects, Endpoint, Growth, LossRecovery, Offer, Segment, SmallQueueLimits,
    Timer, TimerChange,
};

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn newreno() -> Config {
    Config {
        growth: Growth {
            congestion: Congestion::NewReno,
            count_segments: true,
            grow_by_delivered: true,
            ..Growth::PLAIN
        },
        offer: Offer { window_scale: 0, ..Offer::PLAIN },
        small_queue: SmallQueueLimits { small_queue: None, ..SmallQueueLimits::PLAIN },
        ..Config::PLAIN
    }
}

/// A sender that has written `segments`, of which the window has let some go at 10 ms; they are not among the effects.
fn writing(config: Config, segments: u64) -> (Endpoint, Effects) {
    let (mut end, mut fx) = sender_with(config, u16::MAX);
    end.write(at(10), segments * u64::from(FULL), &mut fx, &mut ());
    fx.clear();
    (end, fx)
}

/// The same acknowledgment with another window.
fn offering(mut segment: Segment, window: u16) -> Segment {
    segment.header.window = window;
    segment
}

/// An ACK that another one has overtaken brings its SACKs and nothing else: no window, no edge (`old_ack` of `tcp_ack`).
#[test]
fn an_overtaken_ack_reports_losses_and_no_window() {
    let (mut end, mut fx) = writing(newreno(), 100);
    end.receive(at(20), &ack(begins(3), 60_000), &mut fx, &mut ());
    assert_eq!((numbers(&mut fx).len(), end.cwnd()), (6, 13));

    end.receive(at(21), &offering(ack(begins(1), 1), 65_000), &mut fx, &mut ());
    assert!(fx.segments.is_empty(), "without SACKs it is none");
    end.receive(at(21), &offering(sack(1, &[(4, 6)]), 65_000), &mut fx, &mut ());
    assert_eq!((end.state(), end.figures().sacked), (CaState::Disorder, 2));
    fx.clear();
    end.receive(at(22), &offering(sack(2, &[(4, 7)]), 65_000), &mut fx, &mut ());
    assert_eq!((end.state(), end.figures().sacked), (CaState::Recovery, 3));
    assert_eq!(numbers(&mut fx).first(), Some(&3), "the first that is out");
    assert_eq!((end.bytes_acked(), end.figures().peer_window), (3 * u64::from(FULL), 60_000));
}

/// What an ACK covers and was not known to have arrived is delivered by it: SACKed segments were before, and as many as there were
/// duplicate ACKs without SACK (`tcp_count_delivered`, `tcp_add_reno_sack`, `tcp_remove_reno_sacks`). The window grows by that.
#[test]
fn what_was_delivered_before_does_not_count_again() {
    let grown = |config: Config, first: [Segment; 2]| {
        let (mut end, mut fx) = writing(config, 100);
        first.iter().for_each(|ack| end.receive(at(20), ack, &mut fx, &mut ()));
        assert_eq!((end.state(), end.cwnd()), (CaState::Disorder, 10));
        end.receive(at(21), &ack(begins(3), u16::MAX), &mut fx, &mut ());
        (end.state(), end.cwnd())
    };
    let sacks = [sack(0, &[(1, 2)]), sack(0, &[(1, 3)])];
    let duplicates = [ack(begins(0), u16::MAX); 2];
    let without = Config { offer: Offer { sack: false, ..newreno().offer }, ..newreno() };
    assert_eq!(grown(newreno(), sacks), (CaState::Open, 11));
    assert_eq!(grown(without, duplicates), (CaState::Open, 11));
    let before =
        |config: Config| Config { growth: Growth { grow_by_delivered: false, ..config.growth }, ..config };
    assert_eq!(grown(before(newreno()), sacks), (CaState::Open, 13), "before 4.6");
}

/// Without SACK, more duplicate ACKs than segments above a hole are taken for reordering as far as the flight
/// (`tcp_check_reno_reordering`).
#[test]
fn more_duplicates_than_there_can_be_are_reordering() {
    let degree = |adaptive_reordering, duplicates| {
        let recovery = LossRecovery { adaptive_reordering, ..LossRecovery::PLAIN };
        let (mut end, mut fx) =
            writing(Config { offer: Offer { sack: false, ..newreno().offer }, recovery, ..newreno() }, 6);
        (0..duplicates).for_each(|_| end.receive(at(20), &ack(begins(0), u16::MAX), &mut fx, &mut ()));
        end.figures().reordering
    };
    assert_eq!([5, 6].map(|duplicates| degree(true, duplicates)), [3, 6]);
    assert_eq!(degree(false, 6), 3);
}

/// A timeout that was put off for a loss probe has run since the first segment was sent, one that was not begins anew with an ACK
/// that advances (`tcp_rearm_rto`).
#[test]
fn a_timeout_that_waited_for_a_probe_counts_from_the_first_segment() {
    let due = |tail_loss_probe| {
        let recovery = LossRecovery { detection: Detection::Sacks, tail_loss_probe, ..LossRecovery::PLAIN };
        let (mut end, mut fx) = writing(Config { recovery, ..newreno() }, 10);
        // In Disorder there is no probe.
        end.receive(at(25), &sack(1, &[(2, 3)]), &mut fx, &mut ());
        fx.clear();
        // The probe was due after two round trips of 10 ms and 2 ms, the timeout after one of 10 ms and 200 ms.
        let armed = if tail_loss_probe { at(32) } else { at(220) };
        end.timer(armed, Timer::Retransmission, &mut fx, &mut ());
        assert!(fx.segments.is_empty());
        (fx.timers[Timer::Retransmission.index()], end.rto())
    };
    let (after_probe, rto) = due(true);
    assert_eq!(after_probe, TimerChange::Set(at(10) + rto));
    assert_eq!(due(false), (TimerChange::Set(at(25) + rto), rto));
}
