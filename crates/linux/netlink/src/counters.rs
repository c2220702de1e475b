//! What an interface has moved, from rtnetlink.

use crate::protocol::{Extent, Protocol};
use crate::{Attributes, say};

/// `RTM_GETLINK`, and the length of `struct ifinfomsg`, whose second word is the index.
const GET_LINK: u16 = 18;
const ABOUT: usize = 16;
/// `IFLA_STATS64`.
const STATS_64: u16 = 23;

/// Interface counters, from rtnetlink.
pub struct Counters(Protocol);

/// Packets and bytes in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Packets.
    pub packets: u64,
    /// Their bytes, headers of the link layer included.
    pub bytes: u64,
}

/// What an interface has moved since it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Out of this machine.
    pub sent: Count,
    /// Into it.
    pub received: Count,
}

impl Moved {
    /// Bytes in both directions.
    pub fn bytes(&self) -> u64 {
        self.sent.bytes.wrapping_add(self.received.bytes)
    }
}

impl Counters {
    /// Connects to rtnetlink.
    pub fn open() -> Result<Self, String> {
        Protocol::route().map(Self)
    }

    /// What an interface has moved; an error if there is none with this index.
    pub fn moved(&mut self, link: u32) -> Result<Moved, String> {
        let mut about = [0; ABOUT];
        about[4..8].copy_from_slice(&link.to_ne_bytes());
        let links = self.0.ask(GET_LINK, Extent::One, &about)?;
        links.first().and_then(|link| moved(link)).ok_or_else(|| say("an interface without counters"))
    }
}

fn moved(link: &[u8]) -> Option<Moved> {
    // struct rtnl_link_stats64 begins with rx_packets, tx_packets, rx_bytes, tx_bytes.
    let stats = Attributes(link.get(ABOUT..)?).get(STATS_64)?.payload;
    let word = |n: usize| Some(u64::from_ne_bytes(stats.get(8 * n..8 * (n + 1))?.try_into().ok()?));
    Some(Moved {
        received: Count { packets: word(0)?, bytes: word(2)? },
        sent: Count { packets: word(1)?, bytes: word(3)? },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index_of;

    #[test]
    fn the_loopback_interface_has_counters_and_none_has_index_zero() {
        let mut counters = Counters::open().unwrap();
        let before = counters.moved(index_of("lo").unwrap()).unwrap();
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.send_to(&[0; 1000], socket.local_addr().unwrap()).unwrap();
        let after = counters.moved(index_of("lo").unwrap()).unwrap();
        assert!(after.bytes() >= before.bytes() + 2000);
        assert!(after.sent.packets > before.sent.packets && after.received.packets > before.received.packets);
        counters.moved(u32::MAX >> 1).unwrap_err();
    }
}
