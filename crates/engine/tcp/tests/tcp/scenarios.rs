//! Single scenarios with known outcomes.

use crate::alone::{ack, sender, sender_with};
use crate::wire::{Faults, RECEIVER, SENDER, Setup, Wire};
use airloom_observe::{CaState, Direction, FlowId, LossEvent, Observation};
use airloom_sim::{BitRate, Bytes, Duration, Time};
use airloom_tcp::{
    Acks, Config, Congestion, Effects, Endpoint, Growth, LossRecovery, Offer, ReceiveSpace, Role, Segment,
    SendSpace, SlowStart, SmallQueueLimits, Timer, TimerChange, Truesize, UnusedWindow, Validation,
};
use airloom_wire::{SackBlock, TcpFlags, TcpOptions, TcpRepr, Timestamps};

fn secs(n: u64) -> Time {
    Time::ZERO + Duration::from_secs(n)
}

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn losses(wire: &Wire, event: LossEvent) -> usize {
    wire.log.losses.iter().filter(|l| l.1 == event).count()
}

fn losing(lose_data: &[u64]) -> [Faults; 2] {
    [Faults { lose_data: lose_data.to_vec(), ..Faults::default() }, Faults::default()]
}

#[test]
fn syns_are_repeated_after_one_two_and_four_seconds() {
    let blackout = Some((Time::ZERO, secs(10)));
    let mut wire = Wire::new(Setup {
        faults: [Faults { blackout, ..Faults::default() }, Faults::default()],
        bytes: 1,
        ..Setup::default()
    });
    wire.keep_sent = true;
    wire.open();
    wire.run(secs(60));
    let syns: Vec<_> =
        wire.sent.iter().filter(|s| s.1.header.flags.contains(TcpFlags::SYN)).map(|s| s.0).collect();
    assert_eq!(syns, [secs(0), secs(1), secs(3), secs(7), secs(15)]);
    assert_eq!(wire.log.delivered, 1);
    assert_eq!(wire.finished, [true, true]);
}

#[test]
fn a_timeout_is_the_smoothed_round_trip_and_200_ms_and_doubles() {
    let faults = losing(&[0, 1, 2, 3]);
    let mut wire = Wire::new(Setup { bytes: 1448, faults, ..Setup::default() });
    wire.keep_sent = true;
    wire.open();
    wire.run(Time::ZERO + ms(100));
    // The FIN that follows is SACKed, which is a sample, but does not move the deadline.
    let rto = wire.ends[SENDER].srtt() + ms(200);
    wire.run(secs(30));
    let data: Vec<_> = wire.sent.iter().filter(|s| s.1.payload > 0).map(|s| s.0).collect();
    let gaps: Vec<_> = data.windows(2).map(|w| w[1] - w[0]).collect();
    let handshake = gaps[0] - ms(200);
    assert!(handshake > ms(20) && handshake < Duration::from_micros(20_013), "{handshake:?}");
    assert_eq!(gaps[1..], [rto * 2, rto * 4, rto * 8]);
    assert_eq!(losses(&wire, LossEvent::Timeout), 4);
    assert_eq!(wire.log.delivered, 1448);
}

#[test]
fn one_loss_costs_one_retransmission_and_no_timeout() {
    for sack in [true, false] {
        let config = Config { offer: Offer { sack, ..Offer::PLAIN }, ..Config::PLAIN };
        let mut wire =
            Wire::start(Setup { config, bytes: 2_000_000, faults: losing(&[300]), ..Setup::default() });
        wire.run(secs(60));
        assert_eq!(wire.log.delivered, 2_000_000);
        assert_eq!(wire.log.retransmissions, 1, "sack {sack}");
        assert_eq!(losses(&wire, LossEvent::RecoveryEntered), 1);
        assert_eq!(losses(&wire, LossEvent::RecoveryLeft), 1);
        assert_eq!(losses(&wire, LossEvent::Timeout), 0);
        assert_eq!(wire.ends[SENDER].ssthresh(), wire.ends[SENDER].cwnd().min(wire.ends[SENDER].ssthresh()));
    }
}

#[test]
fn sack_mends_many_holes_in_a_round_trip_and_newreno_one_each() {
    let lose: Vec<u64> = (300..320).step_by(2).collect();
    let recovery = |sack| {
        let config = Config { offer: Offer { sack, ..Offer::PLAIN }, ..Config::PLAIN };
        let mut wire =
            Wire::start(Setup { config, bytes: 4_000_000, faults: losing(&lose), ..Setup::default() });
        wire.run(secs(60));
        assert_eq!((wire.log.delivered, wire.log.retransmissions), (4_000_000, 10));
        assert_eq!(losses(&wire, LossEvent::Timeout), 0);
        let at = |event| wire.log.losses.iter().find(|l| l.1 == event).unwrap().0;
        at(LossEvent::RecoveryLeft) - at(LossEvent::RecoveryEntered)
    };
    assert!(recovery(true) < ms(60), "{:?}", recovery(true));
    assert!(recovery(false) > ms(200), "{:?}", recovery(false));
}

#[test]
fn a_lost_retransmission_is_seen_without_a_timeout() {
    // The retransmission of segment 300 is the first data sent after the window's worth that follows it.
    let timeouts = |lost_retransmissions| {
        let config = Config {
            recovery: LossRecovery { lost_retransmissions, ..LossRecovery::PLAIN },
            ..Config::PLAIN
        };
        let mut wire =
            Wire::new(Setup { config, bytes: 4_000_000, faults: losing(&[300]), ..Setup::default() });
        wire.lose_first_retransmission = true;
        wire.open();
        wire.run(secs(60));
        assert_eq!(wire.log.delivered, 4_000_000);
        losses(&wire, LossEvent::Timeout)
    };
    assert_eq!((timeouts(true), timeouts(false)), (0, 1));
}

#[test]
fn a_reduction_ends_at_the_threshold_and_is_spread_over_a_round_trip() {
    let config =
        Config { growth: Growth { congestion: Congestion::NewReno, ..Growth::PLAIN }, ..Config::PLAIN };
    let mut wire = Wire::new(Setup { config, bytes: 4_000_000, faults: losing(&[1500]), ..Setup::default() });
    wire.log.keep_windows = true;
    wire.keep_sent = true;
    wire.open();
    wire.run(secs(60));
    let at = |event| wire.log.losses.iter().find(|l| l.1 == event).unwrap().0;
    let (begin, end) = (at(LossEvent::RecoveryEntered), at(LossEvent::RecoveryLeft));
    let before = wire.log.windows.iter().rfind(|w| w.0 < begin).unwrap().1;
    let after = wire.log.windows.iter().find(|w| w.0 >= end).unwrap().1;
    // One ACK of growth in the meantime at most.
    assert!(after == before / 2 || after == before / 2 + 1, "{before} -> {after}");
    let sent = wire.sent.iter().filter(|s| begin < s.0 && s.0 < end).count();
    let due = before as usize / 2;
    assert!((due - 4..=due + 4).contains(&sent), "{sent} segments rather than {due}");
    let burst = |s: &&(Time, Segment)| wire.sent.iter().filter(|o| o.0 == s.0).count() > 2;
    assert_eq!(wire.sent.iter().filter(|s| begin < s.0 && s.0 < end).filter(burst).count(), 0);
}

#[test]
fn a_local_reduction_ends_at_the_threshold() {
    let config = Config {
        small_queue: SmallQueueLimits { small_queue: None, ..SmallQueueLimits::PLAIN },
        growth: Growth { congestion: Congestion::NewReno, ..Growth::PLAIN },
        ..Config::PLAIN
    };
    let mut wire = Wire::new(Setup { config, queue: 50, ..Setup::default() });
    wire.log.keep_windows = true;
    wire.open();
    wire.run(secs(2));
    let begin = wire.log.losses[0].0;
    let before = wire.log.windows.iter().rfind(|w| w.0 < begin).unwrap().1;
    let after: Vec<_> =
        wire.log.windows.iter().filter(|w| w.0 > begin + ms(100)).map(|w| w.1).take(5).collect();
    assert!(after.iter().all(|w| (before / 2..before / 2 + 8).contains(w)), "{before} -> {after:?}");
}

#[test]
fn a_syn_lost_twice_leaves_a_window_of_one_segment() {
    let window = |until| {
        let blackout = Some((Time::ZERO, until));
        let faults = [Faults { blackout, ..Faults::default() }, Faults::default()];
        let mut wire = Wire::start(Setup { faults, ..Setup::default() });
        wire.run(until + Duration::from_secs(3));
        wire.log.first_flight
    };
    assert_eq!(window(Time::ZERO + ms(500)), Some(10));
    assert_eq!(window(secs(2)), Some(1));
}

#[test]
fn limited_transmit_saves_a_small_window_from_the_timeout() {
    let timeouts = |limited_transmit| {
        let config = Config {
            growth: Growth { initial_window: 3, ..Growth::PLAIN },
            recovery: LossRecovery { limited_transmit, ..LossRecovery::PLAIN },
            ..Config::PLAIN
        };
        let mut wire =
            Wire::start(Setup { config, bytes: 1448 * 6, faults: losing(&[0]), ..Setup::default() });
        wire.run(secs(60));
        assert_eq!(wire.log.delivered, 1448 * 6);
        losses(&wire, LossEvent::Timeout)
    };
    assert_eq!((timeouts(true), timeouts(false)), (0, 1));
}

#[test]
fn a_full_send_buffer_bounds_the_flight_and_sets_the_rate() {
    let n = 50;
    let buffer = Bytes(4352 * n);
    let config = Config {
        send: SendSpace { send_buffer_initial: buffer, send_buffer_max: buffer, ..SendSpace::PLAIN },
        small_queue: SmallQueueLimits { small_queue: None, ..SmallQueueLimits::PLAIN },
        ..Config::PLAIN
    };
    let setup = Setup { config, rate: BitRate::from_mbps(10_000), delay: ms(50), ..Setup::default() };
    let mut wire = Wire::start(setup);
    wire.run(secs(10));
    assert_eq!(u64::from(wire.most_out), n);
    let before = wire.log.delivered;
    wire.run(secs(20));
    let rate = (wire.log.delivered - before) as f64 / 10.0;
    // The application is woken only when a third is free: of a flight acknowledged in one go a third is missing.
    let most = (n * 1448) as f64 / 0.1;
    assert!((0.66..1.0).contains(&(rate / most)), "{rate} of {most} byte/s");
}

#[test]
fn the_rate_is_the_window_by_the_round_trip() {
    let buffer = Bytes(200_000);
    let config = Config {
        receive: ReceiveSpace {
            receive_buffer_initial: buffer,
            receive_buffer_max: buffer,
            ..ReceiveSpace::PLAIN
        },
        ..Config::PLAIN
    };
    let setup = Setup { config, rate: BitRate::from_mbps(10_000), delay: ms(50), ..Setup::default() };
    let mut wire = Wire::start(setup);
    wire.run(secs(10));
    let before = wire.log.delivered;
    wire.run(secs(20));
    let rate = (wire.log.delivered - before) as f64 / 10.0;
    // Half of the buffer is window, rounded up by its scale, in which 69 segments have room.
    let expected = f64::from(100_096 / 1448 * 1448) / 0.1;
    assert!((rate / expected - 1.0).abs() < 0.02, "{rate} rather than {expected} byte/s");
}

#[test]
fn the_default_send_buffer_lets_964_segments_out() {
    let config = Config {
        small_queue: SmallQueueLimits { small_queue: None, ..SmallQueueLimits::PLAIN },
        unused_window: UnusedWindow { window_validation: Validation::None, ..UnusedWindow::PLAIN },
        growth: Growth { slow_start: SlowStart::Standard, ..Growth::PLAIN },
        ..Config::PLAIN
    };
    let setup = Setup { config, rate: BitRate::from_mbps(100), queue: 100_000, ..Setup::default() };
    let mut wire = Wire::start(setup);
    wire.run(secs(60));
    assert_eq!(wire.most_out, 964);
    assert_eq!(wire.log.retransmissions, 0);
}

#[test]
fn small_queues_hold_31_segments_below() {
    let mut wire = Wire::start(Setup { queue: 100_000, ..Setup::default() });
    wire.run(secs(10));
    assert_eq!(wire.most_held, 31 * 4352);
}

/// A millisecond of what the pacing rate sends, 1.2 to 2 times the wire's 100 Mbit/s, is at most 16 segments; 31 are more.
#[test]
fn small_queues_by_the_pacing_rate_hold_a_millisecond() {
    let held = |small_queue_shift| {
        let config = Config {
            small_queue: SmallQueueLimits { small_queue_shift, ..SmallQueueLimits::PLAIN },
            truesize: Truesize { skb_truesize: 2408, ..Truesize::PLAIN },
            ..Config::PLAIN
        };
        let setup = Setup { config, rate: BitRate::from_mbps(100), queue: 100_000, ..Setup::default() };
        let mut wire = Wire::start(setup);
        wire.run(secs(5));
        let before = wire.log.delivered;
        wire.run(secs(10));
        let mbps = (wire.log.delivered - before) as f64 * 8e-6 / 5.0;
        assert!(mbps > 93.0, "{mbps} Mbit/s by {small_queue_shift:?}");
        wire.most_held / 2408
    };
    assert_eq!(held(None), 55);
    let (ethernet, wifi) = (held(Some(10)), held(Some(7)));
    assert!((4..=16).contains(&ethernet), "{ethernet}");
    assert!((50..=55).contains(&wifi), "8 ms are about 128 KiB: {wifi}");
}

#[test]
fn a_local_refusal_reduces_the_window_and_loses_nothing() {
    let config = Config {
        small_queue: SmallQueueLimits { small_queue: None, ..SmallQueueLimits::PLAIN },
        ..Config::PLAIN
    };
    let mut wire = Wire::start(Setup { config, queue: 50, ..Setup::default() });
    wire.run(secs(20));
    assert!(losses(&wire, LossEvent::LocalDrop) > 3);
    assert_eq!(wire.log.retransmissions, 0);
    assert_eq!(losses(&wire, LossEvent::RecoveryEntered) + losses(&wire, LossEvent::Timeout), 0);
    let mbps = wire.log.delivered as f64 * 8e-6 / 20.0;
    assert!(mbps > 80.0, "{mbps} Mbit/s");
}

#[test]
fn newreno_follows_the_square_root_of_the_loss() {
    // Mathis et al. 1997: cwnd = sqrt(3 / (2 b p)) on average, b segments per ACK counted.
    for (count_segments, b) in [(false, 2.0), (true, 1.0)] {
        let p = 0.001;
        let config = Config {
            growth: Growth { congestion: Congestion::NewReno, count_segments, ..Growth::PLAIN },
            unused_window: UnusedWindow { window_validation: Validation::None, ..UnusedWindow::PLAIN },
            ..Config::PLAIN
        };
        let faults = [Faults { loss: p, ..Faults::default() }, Faults::default()];
        let rate = BitRate::from_mbps(1000);
        let mut wire = Wire::start(Setup { config, rate, delay: ms(25), faults, ..Setup::default() });
        wire.run(secs(500));
        let segments_per_rtt = wire.log.delivered as f64 / 1448.0 / 500.0 * 0.05;
        let expected = libm::sqrt(1.5 / (b * p));
        let ratio = segments_per_rtt / expected;
        assert!((0.75..1.25).contains(&ratio), "{segments_per_rtt} rather than {expected}");
    }
}

#[test]
fn more_than_four_gibibytes_pass_the_wrap() {
    let bytes = (4 << 30) + 123_456_789;
    let setup = Setup {
        bytes,
        rate: BitRate::from_mbps(10_000),
        delay: ms(1),
        isn: u32::MAX - 5,
        ..Setup::default()
    };
    let mut wire = Wire::start(setup);
    wire.run(secs(600));
    assert_eq!((wire.log.delivered, wire.log.retransmissions), (bytes, 0));
    assert_eq!(wire.finished, [true, true]);
}

#[test]
fn window_scaling_lifts_the_limit_of_64_kib() {
    let rate = |window_scale| {
        let config = Config { offer: Offer { window_scale, ..Offer::PLAIN }, ..Config::PLAIN };
        let mut wire = Wire::start(Setup { config, delay: ms(50), ..Setup::default() });
        wire.run(secs(20));
        let before = wire.log.delivered;
        wire.run(secs(30));
        (wire.log.delivered - before) as f64 / 10.0
    };
    assert!(rate(0) < 65_536.0 / 0.1 && rate(0) > 55_000.0 / 0.1, "{}", rate(0));
    assert!(rate(7) > 9e6, "{}", rate(7));
}

#[test]
fn every_second_segment_is_acknowledged() {
    let mut wire = Wire::start(Setup { bytes: 1448 * 5000, ..Setup::default() });
    wire.run(secs(60));
    let acks = wire.ends_sent(RECEIVER);
    assert!((2500..2530).contains(&acks), "{acks}");
}

#[test]
fn a_window_that_a_small_queue_limits_grows_only_without_validation() {
    let cwnd = |validation| {
        // A wire so slow that the queue below always holds all it may, and no delay beyond.
        let config = Config {
            unused_window: UnusedWindow { window_validation: validation, ..UnusedWindow::PLAIN },
            growth: Growth { congestion: Congestion::NewReno, ..Growth::PLAIN },
            ..Config::PLAIN
        };
        let mut wire = Wire::start(Setup { config, delay: Duration::from_micros(100), ..Setup::default() });
        wire.run(secs(30));
        wire.ends[SENDER].cwnd()
    };
    assert!(cwnd(Validation::None) > 5000);
    for validation in [Validation::Linux, Validation::Rfc2861] {
        assert!(cwnd(validation) < 60, "{validation:?}: {}", cwnd(validation));
    }
    assert!(cwnd(Validation::Rfc7661) < 100, "{}", cwnd(Validation::Rfc7661));
}

#[test]
fn a_closed_window_is_probed_with_growing_gaps_until_it_opens() {
    let (mut e, mut fx) = sender(0);
    let now = Time::ZERO + ms(10);
    e.write(now, 5000, &mut fx, &mut ());
    assert!(fx.segments.is_empty());
    let mut gaps = Vec::new();
    let mut last = now;
    for _ in 0..4 {
        let TimerChange::Set(at) = fx.timers[Timer::Persist.index()] else { panic!("no probe is due") };
        gaps.push((at - last).as_millis());
        last = at;
        fx.clear();
        e.timer(at, Timer::Persist, &mut fx, &mut ());
        let [probe] = fx.segments[..] else { panic!("one probe") };
        assert_eq!((probe.segment.header.seq, probe.segment.payload), (99, 0));
    }
    assert_eq!(gaps, [210, 420, 840, 1680]);
    fx.clear();
    e.receive(last + ms(10), &ack(100, 60_000), &mut fx, &mut ());
    let payloads: Vec<_> = fx.segments.iter().map(|s| s.segment.payload).collect();
    assert_eq!(payloads, [1448, 1448, 1448, 656]);
}

#[test]
fn a_window_smaller_than_a_segment_is_used_by_the_probe() {
    let (mut e, mut fx) = sender(500);
    e.write(Time::ZERO + ms(10), 5000, &mut fx, &mut ());
    assert!(fx.segments.is_empty(), "silly windows are not filled at once");
    fx.clear();
    e.timer(Time::ZERO + ms(300), Timer::Persist, &mut fx, &mut ());
    let probe = fx.segments[0].segment;
    // (`tcp_write_wakeup`)
    assert_eq!((probe.payload, probe.header.flags), (500, TcpFlags::ACK | TcpFlags::PSH));
}

#[test]
fn nagle_holds_back_the_second_small_segment_only() {
    let (mut e, mut fx) = sender(60_000);
    let now = Time::ZERO + ms(10);
    e.write(now, 100, &mut fx, &mut ());
    e.write(now, 100, &mut fx, &mut ());
    e.write(now, 100, &mut fx, &mut ());
    assert_eq!(fx.segments.iter().map(|s| s.segment.payload).collect::<Vec<_>>(), [100]);
    fx.clear();
    e.receive(now + ms(10), &ack(200, 60_000), &mut fx, &mut ());
    assert_eq!(fx.segments.iter().map(|s| s.segment.payload).collect::<Vec<_>>(), [200]);
}

#[test]
fn a_refused_batch_is_put_back_and_tried_again_by_timer() {
    let (mut e, mut fx) = sender(60_000);
    let now = Time::ZERO + ms(10);
    e.sent(now, e.held_below(), &mut fx, &mut ());
    assert_eq!(e.write(now, 1448 * 4, &mut fx, &mut ()), 1448 * 4);
    let batch: Vec<_> = fx.segments.iter().map(|o| o.segment).collect();
    assert_eq!((batch.len(), e.in_flight(), e.held_below()), (4, 4, 4 * 4352));
    fx.clear();
    for segment in &batch {
        e.handed_back(now, segment, &mut fx, &mut ());
    }
    assert_eq!((e.in_flight(), e.held_below(), e.unsent()), (0, 0, 1448 * 4));
    assert_eq!((e.state(), e.ssthresh()), (CaState::Cwr, 7));
    assert!(fx.segments.is_empty());
    let TimerChange::Set(at) = fx.timers[Timer::Persist.index()] else { panic!("nothing would ever go on") };
    fx.clear();
    e.timer(at, Timer::Persist, &mut fx, &mut ());
    let sent = fx.segments[0].segment;
    let mut expected = batch[0];
    expected.header.options = sent.header.options;
    // (`tcp_write_wakeup`)
    expected.header.flags = TcpFlags::ACK | TcpFlags::PSH;
    assert_eq!(sent, expected);
}

#[test]
fn a_refused_retransmission_stays_lost() {
    let (mut e, mut fx) = sender(60_000);
    let now = Time::ZERO + ms(10);
    e.write(now, 1448 * 8, &mut fx, &mut ());
    fx.clear();
    let mut dup = ack(100, 60_000);
    dup.header.options.sack.push(100 + 1448, 100 + 4 * 1448);
    e.receive(now + ms(10), &dup, &mut fx, &mut ());
    assert_eq!(e.state(), CaState::Recovery);
    let again = fx.segments[0].segment;
    assert!(again.retransmission && again.header.seq == 100);
    let in_flight = e.in_flight();
    fx.clear();
    e.handed_back(now + ms(10), &again, &mut fx, &mut ());
    assert_eq!(e.in_flight(), in_flight - 1);
    let mut more = ack(100, 60_000);
    more.header.options.sack.push(100 + 1448, 100 + 5 * 1448);
    fx.clear();
    e.receive(now + ms(11), &more, &mut fx, &mut ());
    assert_eq!(
        fx.segments.iter().filter(|s| s.segment.retransmission && s.segment.header.seq == 100).count(),
        1
    );
}

#[test]
fn a_refused_timeout_retransmission_is_neither_backed_off_nor_waited_out() {
    let (mut e, mut fx) = sender(60_000);
    e.write(Time::ZERO + ms(10), 1448, &mut fx, &mut ());
    fx.clear();
    e.timer(Time::ZERO + ms(220), Timer::Retransmission, &mut fx, &mut ());
    assert_eq!(e.rto(), ms(420));
    let again = fx.segments[0].segment;
    fx.clear();
    e.handed_back(Time::ZERO + ms(220), &again, &mut fx, &mut ());
    assert_eq!(e.rto(), ms(210));
    assert_eq!(fx.timers[Timer::Retransmission.index()], TimerChange::Set(Time::ZERO + ms(430)));
}

#[test]
fn an_idle_sender_starts_again_from_the_initial_window() {
    let flight = |validation| {
        let config = Config {
            offer: Offer { window_scale: 0, ..Offer::PLAIN },
            small_queue: SmallQueueLimits { small_queue: None, ..SmallQueueLimits::PLAIN },
            unused_window: UnusedWindow { window_validation: validation, ..UnusedWindow::PLAIN },
            ..Config::PLAIN
        };
        let (mut e, mut fx) = sender_with(config, 60_000);
        e.write(Time::ZERO + ms(10), 1448 * 10, &mut fx, &mut ());
        assert_eq!(fx.segments.len(), 10);
        e.receive(Time::ZERO + ms(20), &ack(100 + 14_480, 60_000), &mut fx, &mut ());
        fx.clear();
        e.write(secs(10), 1448 * 20, &mut fx, &mut ());
        fx.segments.len()
    };
    assert_eq!((flight(Validation::Linux), flight(Validation::None)), (10, 20));
}

#[test]
fn what_the_queue_refuses_is_not_held_against_the_reduction() {
    // Halving sends upon every second ACK; what was refused upon one goes upon the next.
    let second = |refuse: bool| {
        let config = Config {
            offer: Offer { window_scale: 0, ..Offer::PLAIN },
            small_queue: SmallQueueLimits { small_queue: None, ..SmallQueueLimits::PLAIN },
            growth: Growth { congestion: Congestion::NewReno, initial_window: 20, ..Growth::PLAIN },
            send: SendSpace {
                send_buffer_initial: Bytes(1 << 20),
                send_buffer_max: Bytes(1 << 20),
                ..SendSpace::PLAIN
            },
            ..Config::PLAIN
        };
        let (mut e, mut fx) = sender_with(config, 60_000);
        let now = Time::ZERO + ms(20);
        e.write(now, 1448 * 100, &mut fx, &mut ());
        let mut upto = 3;
        let mut next = |e: &mut Endpoint, fx: &mut Effects| {
            fx.clear();
            upto += 1;
            let mut sack = ack(100, 60_000);
            sack.header.options.sack.push(100 + 1448, 100 + 1448 * upto);
            e.receive(now, &sack, fx, &mut ());
            fx.segments.iter().filter(|s| !s.segment.retransmission).count()
        };
        // The first indicates the loss; then until new data is sent.
        while next(&mut e, &mut fx) == 0 {}
        if refuse {
            let refused: Vec<_> = fx.segments.drain(..).map(|s| s.segment).collect();
            refused.iter().for_each(|s| e.handed_back(now, s, &mut fx, &mut ()));
        }
        next(&mut e, &mut fx)
    };
    assert_eq!((second(false), second(true)), (0, 1));
}

#[test]
fn newreno_is_not_misled_by_duplicates_after_recovery() {
    // RFC 6582 section 3.2 step 1: no second fast retransmit before something beyond the first is acknowledged.
    let config = Config { offer: Offer { window_scale: 0, sack: false, ..Offer::PLAIN }, ..Config::PLAIN };
    let (mut e, mut fx) = sender_with(config, 60_000);
    let now = Time::ZERO + ms(20);
    e.write(now, 1448 * 20, &mut fx, &mut ());
    let mut log = Vec::new();
    for _ in 0..3 {
        e.receive(now, &ack(100, 60_000), &mut fx, &mut log);
    }
    assert_eq!(e.state(), CaState::Recovery);
    // Ten segments and two more by limited transmit were out when recovery began; what follows lets more out.
    let edge = 100 + 1448 * 12;
    for _ in 0..7 {
        e.receive(now, &ack(100, 60_000), &mut fx, &mut log);
    }
    assert!(e.packets_out() > 12);
    for _ in 0..6 {
        e.receive(now + ms(10), &ack(edge, 60_000), &mut fx, &mut log);
    }
    let entered = log
        .iter()
        .filter(|o| matches!(o.1, Observation::Loss { event: LossEvent::RecoveryEntered, .. }))
        .count();
    assert_eq!(entered, 1);
}

/// A receiver by itself, established.
fn receiver(config: Config) -> (Endpoint, Effects) {
    let mut e = Endpoint::new(config, Role::Passive, FlowId(0), Direction::Backward, 99);
    let mut fx = Effects::default();
    let options = TcpOptions {
        mss: Some(1460),
        window_scale: Some(7),
        timestamps: Some(Timestamps { value: 1, echo: 0 }),
        sack_permitted: true,
        ..TcpOptions::default()
    };
    let syn = TcpRepr { seq: 500, window: 30_000, flags: TcpFlags::SYN, options, ..TcpRepr::default() };
    let syn = Segment { header: syn, ..Segment::default() };
    e.receive(Time::ZERO, &syn, &mut fx, &mut ());
    assert_eq!(fx.segments[0].segment.header.options.window_scale, Some(7));
    e.receive(Time::ZERO + ms(10), &ack(100, 300), &mut fx, &mut ());
    assert!(fx.established);
    fx.clear();
    (e, fx)
}

fn data(seq: u32) -> Segment {
    let mut segment = Segment { payload: 1448, ..ack(100, 300) };
    segment.header.seq = seq;
    segment
}

#[test]
fn duplicates_are_answered_at_once_with_a_d_sack() {
    for duplicate_sack in [true, false] {
        let (mut e, mut fx) =
            receiver(Config { offer: Offer { duplicate_sack, ..Offer::PLAIN }, ..Config::PLAIN });
        let now = Time::ZERO + ms(20);
        e.receive(now, &data(501), &mut fx, &mut ());
        assert_eq!((fx.delivered, fx.segments.len()), (1448, 1), "the quick phase");
        for late in [data(501), data(501)] {
            fx.clear();
            e.receive(now, &late, &mut fx, &mut ());
            let reply = fx.segments[0].segment;
            assert_eq!((fx.delivered, reply.header.ack), (0, 1949));
            let expected: &[_] = if duplicate_sack { &[SackBlock { left: 501, right: 1949 }] } else { &[] };
            assert_eq!(reply.header.options.sack.as_slice(), expected);
        }
    }
}

#[test]
fn holes_are_told_at_once_and_filled_at_once() {
    let (mut e, mut fx) = receiver(Config { acks: Acks { quick_acks: 0, ..Acks::PLAIN }, ..Config::PLAIN });
    let now = Time::ZERO + ms(20);
    e.receive(now, &data(501 + 1448), &mut fx, &mut ());
    assert_eq!(
        fx.segments[0].segment.header.options.sack.as_slice(),
        [SackBlock { left: 1949, right: 3397 }]
    );
    assert_eq!(e.buffered_out_of_order(), 1448);
    fx.clear();
    e.receive(now, &data(501), &mut fx, &mut ());
    assert_eq!((fx.delivered, fx.segments[0].segment.header.ack), (2896, 3397));
    assert!(fx.segments[0].segment.header.options.sack.is_empty());
    fx.clear();
    // In order again: the ACK waits for 40 ms or the second segment.
    e.receive(now, &data(3397), &mut fx, &mut ());
    assert!(fx.segments.is_empty());
    assert_eq!(fx.timers[Timer::DelayedAck.index()], TimerChange::Set(now + ms(40)));
    e.timer(now + ms(40), Timer::DelayedAck, &mut fx, &mut ());
    assert_eq!(fx.segments[0].segment.header.ack, 3397 + 1448);
}

#[test]
fn timestamps_echo_what_advanced_the_edge() {
    let (mut e, mut fx) = receiver(Config::PLAIN);
    let at = |value, seq| {
        let mut s = data(seq);
        s.header.options.timestamps = Some(Timestamps { value, echo: 0 });
        s
    };
    let mut echo = |segment: Segment| {
        fx.clear();
        e.receive(Time::ZERO + ms(20), &segment, &mut fx, &mut ());
        fx.segments[0].segment.header.options.timestamps.unwrap().echo
    };
    assert_eq!(echo(at(7, 501)), 7);
    assert_eq!(echo(at(9, 501 + 2 * 1448)), 7, "out of order: the last in order counts");
    assert_eq!(echo(at(8, 501 + 1448)), 8, "the segment that filled the hole");
}
