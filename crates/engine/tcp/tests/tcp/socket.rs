//! What a socket's owner does besides writing: holds back, lets go, aborts, and stays open after the peer has closed.

use airloom_observe::{Direction, FlowId};
use airloom_sim::{Bytes, Duration, Time};
use airloom_tcp::{Config, Effects, Endpoint, Phase, Role, Segment, Timer, TimerChange, Truesize};
use airloom_wire::{TcpFlags, TcpOptions, TcpRepr};

const ISN: u32 = 100;

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

/// A segment of the peer, whose first byte is number 1.
fn from_peer(seq: u32, ack: u32, payload: u32, flags: TcpFlags) -> Segment {
    let header = TcpRepr { seq, ack: ISN + ack, flags, window: 60_000, ..TcpRepr::default() };
    Segment { header, payload, ..Segment::default() }
}

/// A passive endpoint with a segment size of 1000 after its handshake, which took 10 ms.
fn accepted() -> Endpoint {
    let mut end = Endpoint::new(Config::PLAIN, Role::Passive, FlowId(0), Direction::Forward, ISN);
    let mut fx = Effects::default();
    let mut syn = from_peer(0, 0, 0, TcpFlags::SYN);
    syn.header.options = TcpOptions { mss: Some(1000), ..TcpOptions::default() };
    end.receive(at(0), &syn, &mut fx, &mut ());
    end.receive(at(10), &from_peer(1, 1, 0, TcpFlags::ACK), &mut fx, &mut ());
    assert_eq!(end.phase(), Phase::Established);
    end
}

/// Lengths of the segments that an action sends, and whether each is pushed.
fn sent(act: impl FnOnce(&mut Effects)) -> Vec<(u32, bool)> {
    let mut fx = Effects::default();
    act(&mut fx);
    let shape = |s: &Segment| (s.payload, s.header.flags.contains(TcpFlags::PSH));
    fx.segments.iter().map(|out| shape(&out.segment)).collect()
}

#[test]
fn a_part_waits_for_the_rest_and_is_not_pushed_without_it() {
    let mut end = accepted();
    assert_eq!(sent(|fx| assert_eq!(end.write_part(at(20), 1040, fx, &mut ()), 1040)), [(1000, false)]);
    assert_eq!(sent(|fx| assert_eq!(end.write(at(21), 60, fx, &mut ()), 60)), [(100, true)]);
    assert_eq!(sent(|fx| assert_eq!(end.write_part(at(31), 50, fx, &mut ()), 50)), []);
    let acked = sent(|fx| end.receive(at(40), &from_peer(1, 1101, 0, TcpFlags::ACK), fx, &mut ()));
    assert_eq!(acked, [(50, false)], "an ACK lets it go");
}

/// `tcp_write_wakeup` pushes what it sends.
#[test]
fn a_part_without_anything_in_flight_leaves_by_a_timer_and_is_pushed() {
    let mut end = accepted();
    let mut fx = Effects::default();
    end.write_part(at(20), 40, &mut fx, &mut ());
    let TimerChange::Set(due) = fx.timers[Timer::Persist.index()] else { panic!("no timer") };
    assert_eq!((fx.segments.len(), due), (0, at(20) + end.rto()));
    assert_eq!(sent(|fx| end.timer(due, Timer::Persist, fx, &mut ())), [(40, true)]);
}

#[test]
fn a_cork_holds_parts_back_until_it_is_drawn_or_the_delay_is_unwanted() {
    let mut end = accepted();
    assert_eq!(sent(|fx| end.set_cork(at(20), true, fx, &mut ())), []);
    assert_eq!(sent(|fx| assert_eq!(end.write(at(20), 1040, fx, &mut ()), 1040)), [(1000, false)]);
    assert_eq!(sent(|fx| end.set_cork(at(21), false, fx, &mut ())), [(40, true)]);
    assert_eq!(sent(|fx| end.set_cork(at(23), true, fx, &mut ())), []);
    assert_eq!(sent(|fx| assert_eq!(end.write(at(23), 40, fx, &mut ()), 40)), []);
    assert_eq!(sent(|fx| end.set_nagle(at(24), false, fx, &mut ())), [(40, true)], "once");
    assert_eq!(sent(|fx| assert_eq!(end.write(at(25), 40, fx, &mut ()), 40)), [], "the cork is still in");
}

#[test]
fn an_aborted_connection_resets_the_peer_at_its_next_number() {
    let mut end = accepted();
    let mut fx = Effects::default();
    end.write(at(20), 500, &mut fx, &mut ());
    fx.clear();
    end.abort(at(30), &mut fx, &mut ());
    let reset = fx.segments[0].segment.header;
    assert_eq!((reset.flags, reset.seq, reset.ack), (TcpFlags::RST | TcpFlags::ACK, ISN + 501, 1));
    assert!(fx.finished && end.phase() == Phase::Finished);
}

#[test]
fn an_end_that_stays_open_may_write_after_the_peer_has_closed() {
    let fin = from_peer(1, 1, 0, TcpFlags::FIN | TcpFlags::ACK);
    let mut fx = Effects::default();
    let mut closes = accepted();
    closes.receive(at(20), &fin, &mut fx, &mut ());
    assert!(closes.peer_closed() && closes.is_closing());
    let mut open = accepted();
    open.stay_open();
    open.receive(at(20), &fin, &mut fx, &mut ());
    assert!(open.peer_closed() && !open.is_closing());
    assert_eq!(sent(|fx| assert_eq!(open.write(at(21), 500, fx, &mut ()), 500)), [(500, true)]);
    fx.clear();
    open.close(at(22), &mut fx, &mut ());
    open.receive(at(30), &from_peer(2, 502, 0, TcpFlags::ACK), &mut fx, &mut ());
    assert!(open.close_acknowledged() && open.phase() == Phase::Finished);
}

/// `tcp_rcv_established`: without ACK, or with one for what was never sent, a segment is dropped with its data.
#[test]
fn a_segment_that_acknowledges_nothing_or_too_much_is_dropped_whole() {
    let mut end = accepted();
    assert_eq!(sent(|fx| end.receive(at(20), &from_peer(1, 0, 1000, TcpFlags::default()), fx, &mut ())), []);
    assert_eq!(
        sent(|fx| end.receive(at(21), &from_peer(1, 2, 1000, TcpFlags::FIN | TcpFlags::ACK), fx, &mut ())),
        []
    );
    assert_eq!((end.bytes_delivered(), end.peer_closed(), end.expected()), (0, false, 1));
    end.receive(at(22), &from_peer(1, 1, 1000, TcpFlags::ACK), &mut Effects::default(), &mut ());
    assert_eq!((end.bytes_delivered(), end.expected()), (1000, 1001));
}

#[test]
fn a_fixed_send_buffer_does_not_follow_the_window() {
    let mut end = accepted();
    end.set_send_buffer(Bytes(u64::from(Truesize::PLAIN.skb_truesize) * 3));
    let mut fx = Effects::default();
    assert_eq!(end.write(at(20), 10_000, &mut fx, &mut ()), 3000);
    let figures = end.figures();
    assert_eq!(
        (figures.mss, figures.timestamps, figures.reordering, figures.peer_window),
        (1000, false, 3, 60_000)
    );
}

/// `sk_stream_wait_connect`: as many bytes as the buffer of an established connection holds are the first write, not fewer.
#[test]
fn a_write_waits_for_the_handshake() {
    let mut end = Endpoint::new(Config::PLAIN, Role::Active, FlowId(0), Direction::Forward, ISN);
    let mut fx = Effects::default();
    end.open(at(0), &mut fx, &mut ());
    assert_eq!(end.write(at(0), 1 << 20, &mut fx, &mut ()), 0);
    assert!(!fx.writable);
    let mut answer = from_peer(0, 1, 0, TcpFlags::SYN | TcpFlags::ACK);
    answer.header.options = TcpOptions { mss: Some(1000), ..TcpOptions::default() };
    end.receive(at(10), &answer, &mut fx, &mut ());
    assert!(fx.established && fx.writable);
    assert!(end.write(at(10), 1 << 20, &mut fx, &mut ()) > 0);
}

/// The flags of a segment are kept with it (`tcp_skb_cb`).
#[test]
fn what_was_pushed_is_pushed_again() {
    let mut end = accepted();
    let mut fx = Effects::default();
    end.write(at(20), 1500, &mut fx, &mut ());
    fx.clear();
    let due = at(20) + end.rto();
    assert_eq!(sent(|fx| end.timer(due, Timer::Retransmission, fx, &mut ())), [(1000, false)]);
    let later = due + Duration::from_millis(10);
    let acked = sent(|fx| end.receive(later, &from_peer(1, 1001, 0, TcpFlags::ACK), fx, &mut ()));
    assert_eq!(acked, [(500, true)]);
}
