//! Loss detection by time rather than by count: RACK and tail loss probes.

use crate::alone::{ack, sender_with};
use crate::wire::{Faults, SENDER, Setup, Wire};
use airloom_observe::LossEvent;
use airloom_sim::{Bytes, Duration, Time};
use airloom_tcp::{
    Acks, Clocks, Config, Congestion, Detection, Growth, LossRecovery, Offer, ReceiveSpace, Timer,
    TimerChange,
};

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn at(n: u64) -> Time {
    Time::ZERO + ms(n)
}

fn by_time() -> Config {
    Config {
        growth: Growth { congestion: Congestion::NewReno, ..Growth::PLAIN },
        recovery: LossRecovery { detection: Detection::Time, tail_loss_probe: true, ..LossRecovery::PLAIN },
        ..Config::PLAIN
    }
}

fn losing(config: Config, lose: &[u64], bytes: u64) -> Wire {
    let faults = [Faults { lose_data: lose.to_vec(), ..Faults::default() }, Faults::default()];
    Wire::new(Setup { config, faults, bytes, ..Setup::default() })
}

fn count(wire: &Wire, event: LossEvent) -> usize {
    wire.log.losses.iter().filter(|l| l.1 == event).count()
}

#[test]
fn a_lost_tail_is_found_by_a_probe_and_not_by_a_timeout() {
    let run = |tail_loss_probe| {
        // A hundred segments, of which the last four are lost, and nothing after them: the connection stays open.
        let mut wire = losing(
            Config { recovery: LossRecovery { tail_loss_probe, ..by_time().recovery }, ..by_time() },
            &[96, 97, 98, 99],
            1 << 30,
        );
        wire.stop_writing_after(144_800);
        wire.open();
        wire.run(at(5000));
        assert_eq!(wire.log.delivered, 144_800);
        (count(&wire, LossEvent::Timeout), count(&wire, LossEvent::RecoveryEntered))
    };
    assert_eq!(run(true), (0, 1));
    assert_eq!(run(false).0, 1);
}

#[test]
fn a_probe_that_repairs_the_only_loss_reduces_the_window_all_the_same() {
    let mut wire = losing(by_time(), &[99], 1 << 30);
    wire.stop_writing_after(144_800);
    wire.open();
    wire.run(at(5000));
    // The probe's own ACK says nothing of a loss: it must go beyond what was sent before the probe.
    assert_eq!((wire.log.delivered, wire.log.retransmissions), (144_800, 1));
    assert_eq!(count(&wire, LossEvent::Timeout), 0);
    wire.stop_writing_after(289_600);
    wire.run(at(6000));
    assert_eq!(wire.log.delivered, 289_600);
    assert!(wire.ends[SENDER].ssthresh() < u32::MAX, "the loss is paid for");
}

#[test]
fn a_probe_that_was_not_needed_costs_nothing() {
    // The receiver holds back the last ACK for longer than the probe waits.
    let config = Config { acks: Acks { delayed_ack: ms(400), quick_acks: 0, ..by_time().acks }, ..by_time() };
    let mut wire = losing(config, &[], 1 << 30);
    wire.stop_writing_after(1448 * 101);
    wire.open();
    wire.run(at(5000));
    assert_eq!(wire.log.retransmissions, 1);
    assert_eq!(count(&wire, LossEvent::Timeout), 0);
    wire.stop_writing_after(1448 * 202);
    wire.run(at(10_000));
    assert_eq!(wire.ends[SENDER].ssthresh(), u32::MAX);
}

#[test]
fn what_has_not_left_the_host_is_not_probed_for() {
    let (mut e, mut fx) =
        sender_with(Config { offer: Offer { window_scale: 0, ..by_time().offer }, ..by_time() }, 60_000);
    e.write(at(10), 1448 * 2, &mut fx, &mut ());
    let held = e.held_below();
    let TimerChange::Set(due) = fx.timers[Timer::Retransmission.index()] else { panic!("a probe is due") };
    assert_eq!(due, at(10) + ms(20) + ms(2), "two round trips and two milliseconds");
    fx.clear();
    e.timer(due, Timer::Retransmission, &mut fx, &mut ());
    assert!(fx.segments.is_empty());
    let TimerChange::Set(timeout) = fx.timers[Timer::Retransmission.index()] else {
        panic!("nothing is due")
    };
    assert_eq!(timeout, at(10) + e.rto());

    let (mut e, mut fx) =
        sender_with(Config { offer: Offer { window_scale: 0, ..by_time().offer }, ..by_time() }, 60_000);
    e.write(at(10), 1448 * 2, &mut fx, &mut ());
    e.sent(at(12), held, &mut fx, &mut ());
    fx.clear();
    e.timer(due, Timer::Retransmission, &mut fx, &mut ());
    let probes: Vec<_> =
        fx.segments.iter().map(|s| (s.segment.header.seq, s.segment.retransmission)).collect();
    assert_eq!(probes, [(100 + 1448, true)], "the last one again");
}

#[test]
fn a_lost_retransmission_is_found_within_a_round_trip() {
    let mut wire = losing(by_time(), &[300], 4_000_000);
    wire.lose_first_retransmission = true;
    wire.open();
    wire.run(at(60_000));
    assert_eq!((wire.log.delivered, wire.log.retransmissions), (4_000_000, 2));
    assert_eq!((count(&wire, LossEvent::Timeout), count(&wire, LossEvent::RecoveryEntered)), (0, 1));
}

#[test]
fn one_segment_above_a_hole_is_enough_once_it_is_late() {
    let (mut e, mut fx) = sender_with(
        Config {
            offer: Offer { window_scale: 0, ..by_time().offer },
            clocks: Clocks { tick: Duration::ZERO, ..by_time().clocks },
            ..by_time()
        },
        60_000,
    );
    e.write(at(20), 1448, &mut fx, &mut ());
    e.write(at(21), 1448, &mut fx, &mut ());
    fx.clear();
    let mut sack = ack(100, 60_000);
    sack.header.options.sack.push(100 + 1448, 100 + 1448 * 2);
    e.receive(at(31), &sack, &mut fx, &mut ());
    assert!(fx.segments.is_empty(), "it may be late: a millisecond is within an eighth of the round trip");
    let TimerChange::Set(due) = fx.timers[Timer::Retransmission.index()] else {
        panic!("the timer is not armed")
    };
    assert!(due < at(36), "{due:?}");
    fx.clear();
    e.timer(due, Timer::Retransmission, &mut fx, &mut ());
    assert_eq!(fx.segments.iter().map(|s| s.segment.header.seq).collect::<Vec<_>>(), [100]);
}

#[test]
fn a_path_that_reorders_is_borne_with() {
    // One in a hundred is up to 3 ms late, behind up to 24 others: a count of three takes that for a loss every time.
    let recoveries = |detection| {
        let late = Faults { reordering: 0.01, disorder: ms(3), ..Faults::default() };
        let config = Config {
            recovery: LossRecovery { detection, timestamp_undo: true, ..by_time().recovery },
            ..by_time()
        };
        let buffer = Bytes(1 << 20);
        let config = Config {
            receive: ReceiveSpace {
                receive_buffer_initial: buffer,
                receive_buffer_max: buffer,
                ..config.receive
            },
            ..config
        };
        let mut wire = Wire::start(Setup { config, faults: [late, Faults::default()], ..Setup::default() });
        wire.run(at(10_000));
        count(&wire, LossEvent::RecoveryEntered)
    };
    let (by_count, by_time) = (recoveries(Detection::Sacks), recoveries(Detection::Time));
    assert!(by_count > 50 && by_time < by_count / 10, "{by_count} and {by_time}");
}
