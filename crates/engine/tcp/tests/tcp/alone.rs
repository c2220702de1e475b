//! An endpoint without a network: what it receives is written by hand.
#![allow(unreachable_pub, reason = "of tests alone")]

use airloom_observe::{Direction, FlowId};
use airloom_sim::{Duration, Time};
use airloom_tcp::{Config, Effects, Endpoint, Offer, Role, Segment};
use airloom_wire::{TcpFlags, TcpOptions, TcpRepr, Timestamps};

/// A sender by itself, established with a window of `window` bytes.
pub fn sender(window: u16) -> (Endpoint, Effects) {
    let config = Config { offer: Offer { window_scale: 0, ..Offer::PLAIN }, ..Config::PLAIN };
    sender_with(config, window)
}

/// The same with another configuration.
pub fn sender_with(config: Config, window: u16) -> (Endpoint, Effects) {
    let mut e = Endpoint::new(config, Role::Active, FlowId(0), Direction::Forward, 99);
    let mut fx = Effects::default();
    e.open(Time::ZERO, &mut fx, &mut ());
    let options = TcpOptions {
        mss: Some(1460),
        timestamps: Some(Timestamps { value: 1, echo: 1 }),
        sack_permitted: true,
        ..TcpOptions::default()
    };
    let reply = Segment {
        header: TcpRepr {
            seq: 500,
            ack: 100,
            window,
            flags: TcpFlags::SYN | TcpFlags::ACK,
            options,
            ..TcpRepr::default()
        },
        ..Segment::default()
    };
    e.receive(Time::ZERO + Duration::from_millis(10), &reply, &mut fx, &mut ());
    assert!(fx.established);
    fx.clear();
    (e, fx)
}

/// The sequence number of the first byte that a sender sends, and the payload of its full segments.
pub const FIRST: u32 = 100;
pub const FULL: u32 = 1448;

/// Where segment `n` begins, counted from zero.
pub const fn begins(n: u32) -> u32 {
    FIRST + n * FULL
}

/// An acknowledgment of the first `n` segments that also reports those of `sacked`, from the first of each pair up to the
/// second.
pub fn sack(n: u32, sacked: &[(u32, u32)]) -> Segment {
    let mut segment = ack(begins(n), u16::MAX);
    for &(first, end) in sacked {
        segment.header.options.sack.push(begins(first), begins(end));
    }
    segment
}

/// The segments that were sent, by number, which clears the effects.
pub fn numbers(fx: &mut Effects) -> Vec<u32> {
    let sent = fx.segments.iter().filter(|out| out.segment.payload > 0);
    let numbers = sent.map(|out| out.segment.header.seq.wrapping_sub(FIRST) / FULL).collect();
    fx.clear();
    numbers
}

/// An acknowledgment up to `ack`, which echoes no timestamp.
pub fn ack(ack: u32, window: u16) -> Segment {
    let options = TcpOptions { timestamps: Some(Timestamps { value: 1, echo: 0 }), ..TcpOptions::default() };
    let header = TcpRepr { seq: 501, ack, window, flags: TcpFlags::ACK, options, ..TcpRepr::default() };
    Segment { header, ..Segment::default() }
}
