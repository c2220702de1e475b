//! What Linux 6.x does otherwise than 3.13, rule by rule: each test names the rule and its source.

use crate::alone::{FULL, ack, begins, numbers, sack, sender_with};
use airloom_sim::{Bytes, Duration, Time};
use airloom_tcp::{
    Acks, Config, Congestion, Detection, Effects, Endpoint, Growth, HeldSacks, LossRecovery, Offer,
    ReceiveSpace, Reduction, RightSizing, Segment, SmallQueueLimits, Timer, TimerChange, Truesize,
    UnusedWindow, Validation,
};

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn newreno() -> Config {
    Config {
        growth: Growth { congestion: Congestion::NewReno, count_segments: true, ..Growth::PLAIN },
        offer: Offer { window_scale: 0, ..Offer::PLAIN },
        small_queue: SmallQueueLimits { small_queue: None, ..SmallQueueLimits::PLAIN },
        ..Config::PLAIN
    }
}

fn by_time() -> Config {
    let recovery = LossRecovery { detection: Detection::Time, ..LossRecovery::PLAIN };
    Config { growth: Growth { initial_window: 20, ..newreno().growth }, recovery, ..newreno() }
}

/// A sender that has written `segments`, of which the window has let some go at 10 ms; they are not among the effects.
fn writing(config: Config, segments: u64) -> (Endpoint, Effects) {
    let (mut end, mut fx) = sender_with(config, u16::MAX);
    end.write(at(10), segments * u64::from(FULL), &mut fx, &mut ());
    fx.clear();
    (end, fx)
}

/// When the retransmission timer is due. It was armed for `armed`, since when its deadline has become later.
fn due(end: &mut Endpoint, armed: Time, fx: &mut Effects) -> Option<Time> {
    fx.clear();
    end.timer(armed, Timer::Retransmission, fx, &mut ());
    match fx.timers[Timer::Retransmission.index()] {
        TimerChange::Set(at) => Some(at),
        _ => None,
    }
}

/// Slow start ends at the threshold, and congestion avoidance counts the rest of the ACK (`tcp_slow_start`,
/// `tcp_reno_cong_avoid`, Linux 4.3).
#[test]
fn slow_start_ends_at_the_threshold() {
    let course = |past| {
        let config = Config {
            growth: Growth {
                slow_start_past_threshold: past,
                initial_ssthresh: Some(12),
                ..newreno().growth
            },
            ..newreno()
        };
        let (mut end, mut fx) = writing(config, 100);
        [10, 14].map(|n| {
            end.receive(at(20), &ack(begins(n), u16::MAX), &mut fx, &mut ());
            end.cwnd()
        })
    };
    // Two of the ten make 12, and eight of the next twelve are counted already.
    assert_eq!(course(false), [12, 13]);
    assert_eq!(course(true), [13, 13]);
}

/// In slow start the window may grow while it is less than twice the most that was out, later only if it was full
/// (`tcp_is_cwnd_limited`, `tcp_cwnd_validate`, Linux 6.x).
#[test]
fn a_window_that_is_half_used_doubles_its_use() {
    let grown = |window_validation, initial_ssthresh| {
        let config = Config {
            unused_window: UnusedWindow { window_validation, ..newreno().unused_window },
            growth: Growth { initial_ssthresh, slow_start_past_threshold: false, ..newreno().growth },
            ..newreno()
        };
        let (mut end, mut fx) = writing(config, 6);
        (1..=6).for_each(|n| end.receive(at(20), &ack(begins(n), u16::MAX), &mut fx, &mut ()));
        end.cwnd()
    };
    assert_eq!(grown(Validation::LinuxUsed, None), 12);
    assert_eq!(grown(Validation::LinuxUsed, Some(10)), 10, "past slow start");
    assert_eq!(grown(Validation::Linux, None), 10);
}

/// The window grows by what is delivered, SACKed segments among it, when the ACK's losses are known (`tcp_cong_control`,
/// Linux 4.6).
#[test]
fn sacked_segments_let_the_window_grow() {
    let grown = |grow_by_delivered| {
        let (mut end, mut fx) =
            writing(Config { growth: Growth { grow_by_delivered, ..newreno().growth }, ..newreno() }, 100);
        end.receive(at(20), &sack(1, &[(2, 4)]), &mut fx, &mut ());
        end.cwnd()
    };
    assert_eq!((grown(true), grown(false)), (13, 11));
}

/// During a reduction, below the threshold one segment more than delivered may leave only if the ACK advances and reports no
/// loss (RFC 6937bis, `SafeACK`; `tcp_cwnd_reduction`, Linux 6.x).
#[test]
fn a_reduction_regains_the_threshold_by_good_acks_only() {
    let sent = |reduction| {
        let recovery = LossRecovery { reduction, ..LossRecovery::PLAIN };
        let (mut end, mut fx) = writing(
            Config { growth: Growth { initial_window: 20, ..newreno().growth }, recovery, ..newreno() },
            20,
        );
        [sack(0, &[(17, 18)]), sack(0, &[(17, 19)]), sack(0, &[(17, 20)]), sack(1, &[(17, 20)])].map(|ack| {
            end.receive(at(20), &ack, &mut fx, &mut ());
            numbers(&mut fx).len()
        })
    };
    // The third SACK shows that 17 are lost. The first retransmission's ACK advances.
    assert_eq!(sent(Reduction::Proportional), [0, 0, 2, 2]);
    assert_eq!(sent(Reduction::Safe), [0, 0, 1, 2]);
}

/// A timeout marks the first segment as lost, and what was sent more than RACK's round trip ago; the window has room for one
/// more than is in flight (`tcp_timeout_mark_lost`, `tcp_enter_loss`, Linux 4.18).
#[test]
fn a_timeout_spares_what_was_sent_within_a_round_trip() {
    let after = |timeout_spares_recent| {
        let recovery = LossRecovery { timeout_spares_recent, ..by_time().recovery };
        let (mut end, mut fx) = writing(Config { recovery, ..by_time() }, 10);
        // A round trip of 300 ms, at the end of which two new segments leave.
        end.receive(at(310), &ack(begins(1), u16::MAX), &mut fx, &mut ());
        end.write(at(310), 2 * u64::from(FULL), &mut fx, &mut ());
        fx.clear();
        // The timer runs from the ACK; just before it fires the application writes again.
        let due = at(310) + end.rto();
        end.write(due - Duration::from_millis(100), 2 * u64::from(FULL), &mut fx, &mut ());
        fx.clear();
        end.timer(due, Timer::Retransmission, &mut fx, &mut ());
        (end.in_flight(), end.cwnd(), numbers(&mut fx))
    };
    assert_eq!(after(true), (3, 3, vec![1]), "two were sent within 300 ms");
    assert_eq!(after(false), (1, 1, vec![1]));
}

/// A late segment shows that the path reorders. From then on three SACKed segments are not enough: RACK waits for a quarter
/// of the least round trip (RFC 8985 section 6.2; `tcp_rack_reo_wnd`).
#[test]
fn a_path_that_reorders_is_given_time() {
    let (mut end, mut fx) = writing(by_time(), 40);
    end.receive(at(50), &sack(0, &[(1, 3)]), &mut fx, &mut ());
    end.receive(at(51), &ack(begins(3), u16::MAX), &mut fx, &mut ());
    fx.clear();
    end.receive(at(52), &sack(3, &[(4, 8)]), &mut fx, &mut ());
    assert_eq!(end.state(), airloom_observe::CaState::Disorder);
    // The least round trip is that of the SYN, 10 ms, and a timer has 2 ms to spare.
    let wait = Duration::from_micros(2500 + 2000);
    assert_eq!(due(&mut end, at(50) + wait, &mut fx), Some(at(52) + wait));
}

/// Only a segment that lay below one SACKed by an earlier ACK is late: an ACK that advances and reports a hole at once shows
/// no reordering (`tcp_clean_rtx_queue`, `prior_fack`).
#[test]
fn an_ack_that_advances_and_reports_a_hole_shows_no_reordering() {
    let (mut end, mut fx) = writing(by_time(), 40);
    end.receive(at(50), &sack(1, &[(2, 3)]), &mut fx, &mut ());
    end.receive(at(51), &sack(1, &[(2, 5)]), &mut fx, &mut ());
    assert_eq!(end.state(), airloom_observe::CaState::Recovery, "three SACKed segments are enough");
}

/// A D-SACK for a retransmission on a path that reorders widens the window for late segments (RFC 8985 section 6.2 step 4;
/// `tcp_rack_update_reo_wnd`, Linux 4.15).
#[test]
fn a_needless_retransmission_makes_rack_wait_longer() {
    let waits = |adaptive_reordering| {
        let recovery = LossRecovery { adaptive_reordering, ..by_time().recovery };
        let (mut end, mut fx) = writing(Config { recovery, ..by_time() }, 200);
        // Segment 0 is late, and so is segment 3, but later than RACK waits: it is sent again.
        end.receive(at(50), &sack(0, &[(1, 3)]), &mut fx, &mut ());
        end.receive(at(51), &ack(begins(3), u16::MAX), &mut fx, &mut ());
        end.receive(at(52), &sack(3, &[(4, 8)]), &mut fx, &mut ());
        end.timer(at(57), Timer::Retransmission, &mut fx, &mut ());
        assert!(numbers(&mut fx).contains(&3));
        // The original arrives, then the duplicate, with a segment sent later.
        end.receive(at(60), &ack(begins(8), u16::MAX), &mut fx, &mut ());
        let mut duplicate = sack(10, &[(3, 4)]);
        duplicate.header.options.sack.push(begins(11), begins(12));
        end.receive(at(70), &duplicate, &mut fx, &mut ());
        end.receive(at(71), &sack(10, &[(11, 13)]), &mut fx, &mut ());
        due(&mut end, at(70) + Duration::from_micros(4500), &mut fx).map(|due| due.since(at(71)))
    };
    let more = |quarters: u64| Some(Duration::from_micros(2500 * quarters + 2000));
    assert_eq!((waits(true), waits(false)), (more(2), more(1)));
}

/// A retransmission that is lost again ends state Loss for a recovery, with another reduction (`FLAG_LOST_RETRANS`,
/// `tcp_fastretrans_alert`).
#[test]
fn a_retransmission_that_is_lost_again_after_a_timeout_begins_a_recovery() {
    let (mut end, mut fx) = writing(by_time(), 20);
    end.timer(at(10) + end.rto(), Timer::Retransmission, &mut fx, &mut ());
    let timeout = at(10) + end.rto();
    assert_eq!(end.state(), airloom_observe::CaState::Loss);
    // The retransmission of segment 0 arrives, that of segment 1 does not, and what was sent after it does.
    end.receive(timeout + Duration::from_millis(40), &ack(begins(1), u16::MAX), &mut fx, &mut ());
    assert_eq!(end.state(), airloom_observe::CaState::Loss);
    end.receive(timeout + Duration::from_millis(80), &sack(1, &[(2, 3)]), &mut fx, &mut ());
    assert_eq!(end.state(), airloom_observe::CaState::Recovery);
}

/// A receiver by itself, to which `segments` full segments come in order, one every millisecond from 11 ms on.
fn receiving(config: Config, segments: u32) -> (Endpoint, Effects) {
    let (mut end, mut fx) = sender_with(config, u16::MAX);
    for n in 0..segments {
        fx.clear();
        end.receive(at(11 + u64::from(n)), &data(n), &mut fx, &mut ());
    }
    (end, fx)
}

/// A full segment from the peer, counted from zero.
fn data(n: u32) -> Segment {
    let mut segment = ack(begins(0), u16::MAX);
    segment.header.seq = 501 + n * FULL;
    segment.payload = FULL;
    segment
}

fn growth() -> Config {
    Config {
        receive: ReceiveSpace {
            right_sizing: RightSizing::Growth,
            receive_buffer_initial: Bytes(131_072),
            receive_buffer_max: Bytes(32 << 20),
            initial_receive_window: 45,
            ..ReceiveSpace::PLAIN
        },
        offer: Offer { window_scale: 10, ..Offer::PLAIN },
        truesize: Truesize { skb_truesize: 2408, ..Truesize::PLAIN },
        ..Config::PLAIN
    }
}

/// While the window grows every segment is acknowledged at once, and each ACK opens it by two segments (`tcp_grow_window`,
/// `icsk_ack.quick`). The window is the share of the buffer that a full segment's data has of its memory
/// (`tcp_measure_rcv_mss`).
#[test]
fn a_window_that_grows_is_acknowledged_segment_by_segment() {
    let config = Config { acks: Acks { quick_acks: 0, ..growth().acks }, ..growth() };
    let windows = |segments| {
        let (_, fx) =
            receiving(Config { offer: Offer { window_scale: 0, ..config.offer }, ..config }, segments);
        fx.segments.first().map(|out| out.segment.header.window)
    };
    // 64088 bytes, with the first segment 153 / 256 of 128 KiB at most; without a scale 65535 is the most.
    assert!(windows(1).is_some() && windows(5).is_some());
    assert_eq!(windows(6), None, "it has grown, and a single segment waits");
    let old = Config { acks: Acks { quick_acks: 0, ..Acks::PLAIN }, ..Config::PLAIN };
    assert!(receiving(old, 1).1.segments.is_empty(), "3.13 as it is modelled");
}

/// The segment that fills a hole is acknowledged before the application reads what waited above it. Its window is narrower by
/// that, and the next ACK, though it repeats the number, opens it: without SACK its peer takes it for an update, not for a duplicate
/// (`tcp_data_queue`, `FLAG_WIN_UPDATE`).
#[test]
fn the_ack_of_a_filled_hole_counts_what_is_not_read_yet() {
    let config = Config {
        receive: ReceiveSpace { receive_buffer_max: Bytes(131_072), ..growth().receive },
        ..growth()
    };
    let (mut end, mut fx) = receiving(config, 20);
    let mut answers = |segments: std::ops::Range<u32>| {
        fx.clear();
        segments.for_each(|n| end.receive(at(40), &data(n), &mut fx, &mut ()));
        let acks = fx.segments.iter().map(|out| (out.segment.header.ack, out.segment.header.window));
        acks.collect::<Vec<_>>()
    };
    assert_eq!(answers(21..41).len(), 20);
    let [(filled, narrow)] = answers(20..21)[..] else { panic!("one ACK") };
    let [(repeated, open)] = answers(42..43)[..] else { panic!("one ACK") };
    assert_eq!(filled, repeated);
    assert!(narrow < open, "{narrow}, {open}: twenty segments, and then one");
}

/// Of segments that GRO has put into one packet only the last is acknowledged (`__tcp_ack_snd_check` runs once for it), and a hole
/// before them is reported once.
#[test]
fn what_came_in_one_packet_is_acknowledged_once() {
    let config = Config { acks: Acks { quick_acks: 0, ..Acks::PLAIN }, ..Config::PLAIN };
    for first in [0, 1] {
        let (mut end, mut fx) = sender_with(config, u16::MAX);
        let acks = (first..first + 10).map(|n| {
            fx.clear();
            end.receive(at(20), &Segment { followed: n + 1 < first + 10, ..data(n) }, &mut fx, &mut ());
            fx.segments.len()
        });
        assert_eq!(acks.collect::<Vec<_>>(), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    }
}

/// Above a hole three ACKs go at once. Others wait for a millisecond, or for a twentieth of the round trip, and a tenth of
/// one for the timer (`__tcp_ack_snd_check`, `tcp_comp_sack_delay_ns`, Linux 4.18).
#[test]
fn sacks_are_held_back_after_the_third() {
    let config = Config {
        held_sacks: HeldSacks {
            sack_delay: Duration::from_millis(1),
            sack_slack: Duration::from_micros(100),
            ..HeldSacks::PLAIN
        },
        acks: Acks { quick_acks: 0, ..Acks::PLAIN },
        ..Config::PLAIN
    };
    let answers = |config| {
        let (mut end, mut fx) = receiving(config, 2);
        let times: Vec<usize> = (3..9)
            .map(|n| {
                fx.clear();
                end.receive(at(20), &data(n), &mut fx, &mut ());
                fx.segments.len()
            })
            .collect();
        fx.clear();
        // A twentieth of the handshake's 10 ms, since nothing has measured the receiver's.
        end.timer(at(20) + Duration::from_micros(600), Timer::DelayedAck, &mut fx, &mut ());
        (times, fx.segments.len())
    };
    assert_eq!(answers(config), (vec![1, 1, 1, 0, 0, 0], 1));
    assert_eq!(
        answers(Config {
            held_sacks: HeldSacks { sack_delay: Duration::ZERO, ..config.held_sacks },
            ..config
        }),
        (vec![1; 6], 0)
    );
    let few = Config { held_sacks: HeldSacks { sacks_held: 2, ..config.held_sacks }, ..config };
    assert_eq!(answers(few), (vec![1, 1, 1, 0, 0, 1], 0), "no more than two are held back");
}
