//! What a peer that breaks the rules, or somebody who pretends to be the peer, can not do.

use airloom_observe::{Direction, FlowId};
use airloom_sim::{Duration, Time};
use airloom_tcp::{Config, Effects, Endpoint, Phase, Role, Segment};
use airloom_wire::{TcpFlags, TcpOptions, TcpRepr};

const ISN: u32 = 100;
/// The first window, which `Config::PLAIN` offers.
const WINDOW: u32 = 20 * 1460;

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

/// A segment of the peer, whose first byte is number 1, that acknowledges `ack` of ours.
fn from_peer(seq: u32, ack: u32, payload: u32, flags: TcpFlags) -> Segment {
    let header = TcpRepr { seq, ack: ISN + ack, flags, window: 60_000, ..TcpRepr::default() };
    Segment { header, payload, ..Segment::default() }
}

/// An endpoint that has answered a SYN.
fn answered() -> Endpoint {
    let mut end = Endpoint::new(Config::PLAIN, Role::Passive, FlowId(0), Direction::Backward, ISN);
    let mut syn = from_peer(0, 0, 0, TcpFlags::SYN);
    syn.header.options = TcpOptions { mss: Some(1000), ..TcpOptions::default() };
    end.receive(at(0), &syn, &mut Effects::default(), &mut ());
    end
}

/// The endpoint after a segment, with the acknowledgments that it sent.
fn after(mut end: Endpoint, segment: &Segment) -> (Endpoint, Vec<u32>) {
    let mut fx = Effects::default();
    end.receive(at(10), segment, &mut fx, &mut ());
    (end, fx.segments.iter().map(|out| out.segment.header.ack).collect())
}

fn accepted() -> Endpoint {
    let (end, _) = after(answered(), &from_peer(1, 1, 0, TcpFlags::ACK));
    assert_eq!(end.phase(), Phase::Established);
    end
}

/// RFC 9293 section 3.10.7.4; `tcp_check_req`.
#[test]
fn a_handshake_is_ended_by_the_acknowledgment_of_our_syn_within_the_window_alone() {
    let phase = |seq, ack| after(answered(), &from_peer(seq, ack, 0, TcpFlags::ACK)).0.phase();
    assert_eq!(phase(1, 0), Phase::SynReceived);
    assert_eq!(phase(1, 2), Phase::SynReceived, "of what was never sent");
    assert_eq!(phase(0, 1), Phase::SynReceived);
    assert_eq!(phase(2 + WINDOW, 1), Phase::SynReceived);
    assert_eq!(phase(1 + WINDOW, 1), Phase::Established);
}

/// RFC 5961 section 3.2: what is not exactly expected is challenged.
#[test]
fn a_reset_must_be_exactly_at_the_number_expected() {
    let reset = |seq| {
        let (end, acks) = after(accepted(), &from_peer(seq, 1, 0, TcpFlags::RST));
        (end.phase(), acks)
    };
    assert_eq!(reset(1), (Phase::Finished, vec![]));
    assert_eq!(reset(2), (Phase::Established, vec![1]));
    assert_eq!(reset(0), (Phase::Established, vec![]));
    assert_eq!(reset(2 + WINDOW), (Phase::Established, vec![]));
}

/// RFC 9293 section 3.10.7.3.
#[test]
fn a_reset_of_a_syn_must_acknowledge_it() {
    let phase = |ack, flags| {
        let mut end = Endpoint::new(Config::PLAIN, Role::Active, FlowId(0), Direction::Forward, ISN);
        end.open(at(0), &mut Effects::default(), &mut ());
        after(end, &from_peer(0, ack, 0, flags)).0.phase()
    };
    assert_eq!(phase(1, TcpFlags::RST | TcpFlags::ACK), Phase::Finished);
    assert_eq!(phase(0, TcpFlags::RST | TcpFlags::ACK), Phase::SynSent);
    assert_eq!(phase(1, TcpFlags::RST), Phase::SynSent);
}

#[test]
fn a_reset_before_the_handshake_is_complete_must_lie_in_the_first_window() {
    let phase = |seq| after(answered(), &from_peer(seq, 1, 0, TcpFlags::RST)).0.phase();
    assert_eq!((phase(1), phase(2 + WINDOW)), (Phase::Finished, Phase::SynReceived));
}

/// `tcp_fin`, `tcp_rcv_state_process`: whether it came before the FIN or comes after.
#[test]
fn nothing_follows_the_end_of_what_the_peer_sends() {
    let (end, _) = after(accepted(), &from_peer(301, 1, 200, TcpFlags::ACK));
    assert_eq!(end.buffered_out_of_order(), 200);
    let (end, acks) = after(end, &from_peer(1, 1, 100, TcpFlags::FIN | TcpFlags::ACK));
    assert_eq!((end.bytes_delivered(), end.peer_closed(), acks), (100, true, vec![102]));
    assert_eq!(end.buffered_out_of_order(), 0, "what lay beyond it is dropped");
    let (end, _) = after(end, &from_peer(102, 1, 200, TcpFlags::ACK));
    assert_eq!((end.bytes_delivered(), end.expected()), (100, 102));
    let (end, acks) = after(end, &from_peer(1, 1, 100, TcpFlags::FIN | TcpFlags::ACK));
    assert_eq!((end.expected(), acks), (102, vec![102]), "the FIN again is acknowledged again");
}

/// Of two ends the nearer one counts.
#[test]
fn data_across_the_end_is_cut_there() {
    let (end, _) = after(accepted(), &from_peer(51, 1, 50, TcpFlags::FIN | TcpFlags::ACK));
    let (end, _) = after(end, &from_peer(151, 1, 50, TcpFlags::FIN | TcpFlags::ACK));
    let (end, _) = after(end, &from_peer(1, 1, 150, TcpFlags::ACK));
    assert_eq!((end.bytes_delivered(), end.peer_closed(), end.expected()), (100, true, 102));
}

/// Before the peer's SYN there is no number to compare with, whatever a segment has.
#[test]
fn a_reset_of_nothing_is_ignored() {
    for seq in [0, 1, u32::MAX, 1 << 31] {
        let end = Endpoint::new(Config::PLAIN, Role::Passive, FlowId(0), Direction::Backward, ISN);
        let (end, acks) = after(end, &from_peer(seq, 0, 1000, TcpFlags::RST));
        assert_eq!((end.phase(), acks), (Phase::Idle, vec![]), "{seq}");
    }
}
