//! Packets for which nobody is there, as ICMP tells their senders (RFC 792, RFC 4443 section 3.1).

use crate::{Packet, Transport};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// The most kinds that are followed.
const MOST: usize = 256;

/// What one host or router says of the packets between two hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// Which one says so.
    pub by: IpAddr,
    /// The host that sent them, and the one to which they were on their way.
    pub ends: [IpAddr; 2],
    /// The port of UDP or TCP that they were for.
    pub port: Option<u16>,
    /// Why: the code of the message.
    pub code: u8,
    /// How often it said so.
    pub times: u64,
    /// The first time and the last, in nanoseconds since 1970.
    pub span_ns: [u64; 2],
}

/// What all hosts and routers of a capture say.
#[derive(Clone, Debug, Default)]
pub struct AllUnreachable {
    said: BTreeMap<(IpAddr, [IpAddr; 2], Option<u16>, u8), Unreachable>,
}

impl AllUnreachable {
    /// Takes a packet of a host.
    pub fn see(&mut self, now_ns: u64, packet: &Packet) {
        let Transport::Returned { ends, unreachable: Some((code, port)), .. } = packet.transport else {
            return;
        };
        let (by, key) = (packet.src, (packet.src, ends, port, code));
        if self.said.len() == MOST && !self.said.contains_key(&key) {
            return;
        }
        let new = Unreachable { by, ends, port, code, times: 0, span_ns: [now_ns, now_ns] };
        let one = self.said.entry(key).or_insert(new);
        one.times += 1;
        one.span_ns = [one.span_ns[0].min(now_ns), one.span_ns[1].max(now_ns)];
    }

    /// All that they said.
    pub fn finish(self) -> Vec<Unreachable> {
        self.said.into_values().collect()
    }
}
