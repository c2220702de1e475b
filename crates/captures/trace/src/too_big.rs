//! Packets that were too big for their way, as ICMP tells their senders (RFC 1191, RFC 8201).

use crate::{Packet, Transport};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// The most kinds that are followed.
const MOST: usize = 256;

/// What one router says of the packets between two hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooBig {
    /// The router.
    pub by: IpAddr,
    /// The host that sent them, and the one to which they were on their way.
    pub ends: [IpAddr; 2],
    /// The most that fits, in octets with the IP header: the least that it said; zero if it does not say.
    pub most: u32,
    /// How often it said so.
    pub times: u64,
    /// The first time and the last, in nanoseconds since 1970.
    pub span_ns: [u64; 2],
}

/// What all routers of a capture say.
#[derive(Clone, Debug, Default)]
pub struct AllTooBig {
    said: BTreeMap<(IpAddr, [IpAddr; 2]), TooBig>,
}

impl AllTooBig {
    /// Takes a packet of a host.
    pub fn see(&mut self, now_ns: u64, packet: &Packet) {
        let Transport::Returned { ends, too_big: Some(most), .. } = packet.transport else { return };
        let key = (packet.src, ends);
        if self.said.len() == MOST && !self.said.contains_key(&key) {
            return;
        }
        let new = TooBig { by: packet.src, ends, most, times: 0, span_ns: [now_ns, now_ns] };
        let one = self.said.entry(key).or_insert(new);
        one.most = one.most.min(most);
        one.times += 1;
        one.span_ns = [one.span_ns[0].min(now_ns), one.span_ns[1].max(now_ns)];
    }

    /// All that they said.
    pub fn finish(self) -> Vec<TooBig> {
        self.said.into_values().collect()
    }
}
