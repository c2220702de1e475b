//! Which flow an IPv4 packet belongs to.

use crate::bytes::Cursor;
use crate::{Ipv4Repr, Protocol};
use std::net::Ipv4Addr;

/// What the packets of one direction of a flow have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FiveTuple {
    /// The source.
    pub src: Ipv4Addr,
    /// The destination.
    pub dst: Ipv4Addr,
    /// The protocol above IP.
    pub protocol: Protocol,
    /// Source and destination port of TCP or UDP. Zero for any other protocol, and for every fragment of a packet, since only
    /// the first one shows them (Linux `__skb_flow_dissect()`).
    pub ports: (u16, u16),
}

impl FiveTuple {
    /// That of an IPv4 packet with this header and this payload.
    pub fn of(ip: &Ipv4Repr, payload: &[u8]) -> Self {
        let &Ipv4Repr { src, dst, protocol, more_fragments, fragment_offset, .. } = ip;
        let whole = !more_fragments && fragment_offset == 0;
        let ports = match protocol {
            Protocol::TCP | Protocol::UDP if whole => {
                let mut cursor = Cursor::new(payload);
                cursor.be16().and_then(|src| Ok((src, cursor.be16()?))).unwrap_or_default()
            }
            _ => (0, 0),
        };
        Self { src, dst, protocol, ports }
    }
}
