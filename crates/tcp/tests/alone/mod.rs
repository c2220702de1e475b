//! An endpoint without a network: what it receives is written by hand.
#![allow(dead_code, unreachable_pub, reason = "each test uses its part")]

use airloom_observe::{Direction, FlowId};
use airloom_sim::{Duration, Time};
use airloom_tcp::{Config, Effects, Endpoint, Role, Segment};
use airloom_wire::{TcpFlags, TcpOptions, TcpRepr, Timestamps};

/// A sender by itself, established with a window of `window` bytes.
pub fn sender(window: u16) -> (Endpoint, Effects) {
    let config = Config { window_scale: 0, ..Config::PLAIN };
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

/// An acknowledgment up to `ack`, which echoes no timestamp.
pub fn ack(ack: u32, window: u16) -> Segment {
    let options = TcpOptions { timestamps: Some(Timestamps { value: 1, echo: 0 }), ..TcpOptions::default() };
    let header = TcpRepr { seq: 501, ack, window, flags: TcpFlags::ACK, options, ..TcpRepr::default() };
    Segment { header, ..Segment::default() }
}
