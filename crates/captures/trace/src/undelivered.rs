//! Packets that did not arrive, as ICMP tells their senders (RFC 792, RFC 1191, RFC 4443 section 3, RFC 8201).

use crate::{Packet, Transport};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// The most that are followed, and as many more of packets that were too big, for which a scan of ports leaves room.
const MOST: usize = 512;

/// Why a packet did not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hindrance {
    /// It was too big for its way.
    TooBig {
        /// The most that fits, in octets with the IP header; zero if an old router does not say.
        most: u32,
    },
    /// Nobody is there.
    Absent {
        /// Why: the code of the message.
        code: u8,
        /// The port of UDP or TCP that it was for.
        port: Option<u16>,
    },
}

impl Hindrance {
    /// The same, whatever fits.
    const fn kind(self) -> Self {
        match self {
            Self::TooBig { .. } => Self::TooBig { most: 0 },
            Self::Absent { .. } => self,
        }
    }
}

/// What one host or router says of the packets between two hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undelivered {
    /// Which one says so.
    pub by: IpAddr,
    /// The host that sent them, and the one to which they were on their way.
    pub ends: [IpAddr; 2],
    /// Why; if they were too big, with the least that it said.
    pub why: Hindrance,
    /// How often it said so.
    pub times: u64,
    /// The first time and the last, in nanoseconds since 1970.
    pub span_ns: [u64; 2],
}

impl Undelivered {
    /// What tells it from others.
    pub const fn key(&self) -> (IpAddr, [IpAddr; 2], Hindrance) {
        (self.by, self.ends, self.why.kind())
    }
}

/// What all hosts and routers of a capture say.
#[derive(Clone, Debug, Default)]
pub struct AllUndelivered {
    said: BTreeMap<(IpAddr, [IpAddr; 2], Hindrance), Undelivered>,
}

impl AllUndelivered {
    /// Takes a packet of a host.
    pub fn see(&mut self, now_ns: u64, packet: &Packet) {
        let Transport::Returned { ends, why: Some(why), .. } = packet.transport else { return };
        let new = Undelivered { by: packet.src, ends, why, times: 0, span_ns: [now_ns, now_ns] };
        let most = if matches!(why, Hindrance::TooBig { .. }) { 2 * MOST } else { MOST };
        if self.said.len() >= most && !self.said.contains_key(&new.key()) {
            return;
        }
        let one = self.said.entry(new.key()).or_insert(new);
        one.why = one.why.min(why);
        one.times += 1;
        one.span_ns = [one.span_ns[0].min(now_ns), one.span_ns[1].max(now_ns)];
    }

    /// All that they said.
    pub fn finish(self) -> Vec<Undelivered> {
        self.said.into_values().collect()
    }
}
