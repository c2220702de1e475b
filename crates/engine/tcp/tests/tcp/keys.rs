//! Keys of a host that no other file tests, rule by rule: each test names the rule and its source. And a census: a key without a
//! test is noticed.

use crate::alone::{FULL, ack, begins, sack, sender_with};
use airloom_observe::{CaState, Direction, FlowId};
use airloom_sim::{Bytes, Duration, Time};
use airloom_tcp::{
    Acks, Clocks, Config, Congestion, Effects, Endpoint, Growth, LossRecovery, Offer, ReceiveSpace, Role,
    Segment, SendSpace, SmallQueueLimits, Timer, TimerChange, Truesize, UnusedWindow, Validation,
};
use airloom_wire::TcpFlags;
use std::fs;
use std::path::Path;

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn newreno() -> Config {
    Config {
        growth: Growth { congestion: Congestion::NewReno, ..Growth::PLAIN },
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

/// The SYN of an endpoint, and when it is repeated.
fn opened(config: Config) -> (Segment, TimerChange) {
    let mut end = Endpoint::new(config, Role::Active, FlowId(0), Direction::Forward, 99);
    let mut fx = Effects::default();
    end.open(at(0), &mut fx, &mut ());
    (fx.segments[0].segment, fx.timers[Timer::Retransmission.index()])
}

/// So many SACKed segments make a loss (RFC 6675 `DupThresh`; `tcp_reordering`).
#[test]
fn duplicate_threshold_segments_above_a_hole_make_a_loss() {
    for threshold in [1, 3, 5] {
        let recovery = LossRecovery { duplicate_threshold: threshold, ..LossRecovery::PLAIN };
        let (mut end, mut fx) = writing(Config { recovery, ..newreno() }, 10);
        let states: Vec<_> = (1..=threshold)
            .map(|n| {
                end.receive(at(20), &sack(0, &[(1, 1 + n)]), &mut fx, &mut ());
                end.state()
            })
            .collect();
        let (last, before) = states.split_last().expect("one at least");
        assert_eq!(*last, CaState::Recovery, "{threshold}");
        assert!(before.iter().all(|state| *state == CaState::Disorder), "{threshold}: {before:?}");
    }
}

/// A SYN is repeated after this time (RFC 6298 section 2.1; `TCP_TIMEOUT_INIT`).
#[test]
fn rto_initial_is_the_timeout_of_the_first_syn() {
    for seconds in [1, 3] {
        let config = Config {
            clocks: Clocks { rto_initial: Duration::from_secs(seconds), ..Clocks::PLAIN },
            ..Config::PLAIN
        };
        assert_eq!(opened(config).1, TimerChange::Set(at(1000 * seconds)));
    }
}

/// A timer waits for whole ticks and then for the next one of its level of the timer wheel: of 250 ticks, which is in the second, for
/// one in eight (`calc_wheel_index`, Linux 4.8).
#[test]
fn timer_tick_makes_timers_late() {
    let due = |ms| {
        opened(Config {
            clocks: Clocks { timer_tick: Duration::from_millis(ms), ..Clocks::PLAIN },
            ..Config::PLAIN
        })
        .1
    };
    assert_eq!((due(0), due(4)), (TimerChange::Set(at(1000)), TimerChange::Set(at(4 * 256))));
}

/// The variance term has a floor, not the timeout (`TCP_RTO_MIN`, `tcp_rtt_estimator`). The handshake took 10 ms, of which half is
/// the first deviation.
#[test]
fn rto_min_is_added_to_the_round_trip() {
    let rto = |ms| {
        let config = Config {
            clocks: Clocks { rto_min: Duration::from_millis(ms), ..Clocks::PLAIN },
            ..Config::PLAIN
        };
        sender_with(config, u16::MAX).0.rto()
    };
    assert_eq!((rto(200), rto(50)), (Duration::from_millis(210), Duration::from_millis(60)));
    assert_eq!(rto(5), Duration::from_millis(10 + 4 * 5), "the deviation is more");
}

/// Slow start adds a segment per segment acknowledged, before 3.13 per ACK (RFC 5681 section 3.1; `tcp_slow_start`).
#[test]
fn slow_start_by_acks_grows_by_one_for_an_ack_of_four() {
    let grown = |slow_start_by_acks| {
        let (mut end, mut fx) =
            writing(Config { growth: Growth { slow_start_by_acks, ..newreno().growth }, ..newreno() }, 10);
        end.receive(at(20), &ack(begins(4), u16::MAX), &mut fx, &mut ());
        end.cwnd()
    };
    assert_eq!((grown(false), grown(true)), (14, 11));
}

/// However far above the window the cubic function is, this many acknowledged segments are one of growth (`bictcp_update`).
#[test]
fn cubic_fastest_limits_the_growth_of_cubic() {
    let grown = |cubic_fastest| {
        let config = Config {
            growth: Growth {
                congestion: Congestion::Cubic,
                cubic_fastest,
                initial_ssthresh: Some(10),
                slow_start_past_threshold: false,
                ..newreno().growth
            },
            unused_window: UnusedWindow { window_validation: Validation::None, ..newreno().unused_window },
            ..newreno()
        };
        let (mut end, mut fx) = writing(config, 40);
        end.receive(at(20), &ack(begins(2), u16::MAX), &mut fx, &mut ());
        let before = end.cwnd();
        end.receive(at(100_000), &ack(begins(10), u16::MAX), &mut fx, &mut ());
        end.cwnd() - before
    };
    // And one for the two that were counted before (`tcp_cong_avoid_ai`).
    assert_eq!((grown(1), grown(2)), (8 + 1, 4 + 1));
}

/// After an idle time a window is halved for each timeout, down to the initial one (RFC 2861; `tcp_cwnd_restart`).
#[test]
fn slow_start_after_idle_begins_again() {
    let after = |slow_start_after_idle| {
        let (mut end, mut fx) = writing(
            Config {
                unused_window: UnusedWindow { slow_start_after_idle, ..newreno().unused_window },
                ..newreno()
            },
            10,
        );
        end.receive(at(20), &ack(begins(10), u16::MAX), &mut fx, &mut ());
        end.write(at(10_000), u64::from(FULL), &mut fx, &mut ());
        end.cwnd()
    };
    assert_eq!((after(false), after(true)), (20, 10));
}

/// A second partial segment waits for the ACK of the first (RFC 9293 section 3.7.4, with Minshall's change; `tcp_nagle_check`).
#[test]
fn nagle_holds_a_second_partial_segment_back() {
    let sent = |nagle| {
        let (mut end, mut fx) = sender_with(Config { nagle, ..newreno() }, u16::MAX);
        (0..3).for_each(|_| assert_eq!(end.write(at(10), 100, &mut fx, &mut ()), 100));
        fx.segments.iter().map(|out| out.segment.payload).collect::<Vec<_>>()
    };
    assert_eq!((sent(true), sent(false)), (vec![100], vec![100; 3]));
}

/// What a segment without data takes of the queue below (`skb_truesize`).
#[test]
fn ack_truesize_is_the_memory_of_what_carries_no_data() {
    let (mut end, mut fx) = sender_with(
        Config { truesize: Truesize { ack_truesize: 512, ..Truesize::PLAIN }, ..Config::PLAIN },
        u16::MAX,
    );
    let before = end.held_below();
    end.write(at(10), 100, &mut fx, &mut ());
    assert_eq!((before, fx.segments[0].truesize), (2 * 512, Truesize::PLAIN.skb_truesize));
}

/// The send buffer grows to two windows of at least ten segments, each of this size (`tcp_sndbuf_expand`).
#[test]
fn send_buffer_segment_makes_the_buffer_larger_than_two_windows_need() {
    let taken = |send_buffer_segment| {
        let config = Config {
            send: SendSpace {
                send_buffer_segment,
                send_buffer_initial: Bytes(1),
                send_buffer_max: Bytes(1 << 20),
                ..newreno().send
            },
            truesize: Truesize { skb_truesize: 2408, ..newreno().truesize },
            ..newreno()
        };
        let (mut end, mut fx) = sender_with(config, u16::MAX);
        end.write(at(10), u64::MAX / 2, &mut fx, &mut ()) / u64::from(FULL)
    };
    assert_eq!((taken(None), taken(Some(4352))), (20, (20 * 4352_u64).div_ceil(2408)));
}

/// The send buffer grows whenever less than the window is in flight, be it between two segments that are sent, and not only if it is
/// still so after them (`tcp_write_xmit`, Linux 5.18).
#[test]
fn send_buffer_between_segments_grows_a_buffer_whose_window_is_full() {
    let taken = |send_buffer_between_segments| {
        let send_buffer_initial = Bytes(21 * 4352);
        let config = Config {
            send: SendSpace { send_buffer_between_segments, send_buffer_initial, ..newreno().send },
            ..newreno()
        };
        let (mut end, mut fx) = writing(config, 1000);
        end.receive(at(20), &ack(begins(1), u16::MAX), &mut fx, &mut ());
        assert_eq!((end.cwnd(), end.in_flight()), (11, 11));
        end.write(at(20), u64::MAX / 2, &mut fx, &mut ()) / u64::from(FULL)
    };
    assert_eq!((taken(false), taken(true)), (1, 2), "21 segments, or two windows of 11");
}

/// A full segment that ends a write is acknowledged at once (`tcp_measure_rcv_mss`, Linux 6.6).
#[test]
fn ack_pushed_hastens_the_acknowledgment_of_a_push() {
    let answers = |ack_pushed, flags| {
        let (mut end, mut fx) = sender_with(
            Config { acks: Acks { ack_pushed, quick_acks: 0, ..newreno().acks }, ..newreno() },
            u16::MAX,
        );
        let mut data = ack(begins(0), u16::MAX);
        (data.payload, data.header.flags) = (FULL, flags);
        end.receive(at(20), &data, &mut fx, &mut ());
        fx.segments.len()
    };
    let pushed = TcpFlags::ACK | TcpFlags::PSH;
    assert_eq!((answers(false, pushed), answers(true, pushed), answers(true, TcpFlags::ACK)), (0, 1, 0));
}

/// All of the receive buffer is window but one part in two to the power of this (`tcp_adv_win_scale`).
#[test]
fn receive_window_share_leaves_a_part_for_overhead() {
    let window = |receive_window_share| {
        let buffer = Bytes(16_000);
        let config = Config {
            receive: ReceiveSpace {
                receive_window_share,
                receive_buffer_initial: buffer,
                ..ReceiveSpace::PLAIN
            },
            ..Config::PLAIN
        };
        opened(config).0.header.window
    };
    assert_eq!([0, 1, 2].map(window), [16_000, 8000, 12_000]);
}

const TESTS: &str = "tests/tcp";
/// What draws its configurations by chance tests no key in particular, nor does what all tests share.
const OTHERS: [&str; 3] = ["hostile.rs", "wire.rs", "alone.rs"];

/// Each key stands, by its name, in a test that is written by hand: a new one without a test fails here. Tests of a part alone are
/// in its file.
#[test]
fn every_key_has_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts: Vec<String> = Vec::new();
    for folder in [TESTS, "src", "src/congestion"] {
        for file in
            fs::read_dir(root.join(folder)).expect("a folder").map(|file| file.expect("a file").path())
        {
            if file.is_file() && !OTHERS.iter().any(|other| file.ends_with(other)) {
                let text = fs::read_to_string(&file).expect("text");
                let tests = if folder == TESTS {
                    Some(text.as_str())
                } else {
                    text.split_once("#[cfg(test)]").map(|parts| parts.1)
                };
                texts.extend(tests.map(str::to_owned));
            }
        }
    }
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let named = |key: &str| texts.iter().any(|text| text.split(|c| !word(c)).any(|found| found == key));
    let folder = fs::read_dir(root.join("src/config")).expect("the configuration");
    let config: String =
        folder.map(|file| fs::read_to_string(file.expect("a file").path()).expect("text")).collect();
    let keys = config
        .lines()
        .filter_map(|line| {
            line.strip_prefix("    pub ").filter(|rest| !rest.starts_with("const "))?.split_once(": ")
        })
        .map(|(key, _)| key);
    let (with, without): (Vec<_>, Vec<_>) = keys.partition(|key| named(key));
    assert!(with.len() > 50, "{with:?}");
    assert_eq!(without, Vec::<&str>::new());
}
