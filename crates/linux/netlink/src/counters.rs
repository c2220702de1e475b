//! What an interface has moved, from rtnetlink.

use crate::requests::Requests;
use crate::say;
use neli::consts::nl::NlmF;
use neli::consts::rtnl::{Ifla, RtAddrFamily, Rtm};
use neli::consts::socket::NlFamily;
use neli::rtnl::{Ifinfomsg, IfinfomsgBuilder};

/// Interface counters, from rtnetlink.
pub struct Counters(Requests);

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
        Ok(Self(Requests::open(NlFamily::Route)?))
    }

    /// What an interface has moved; an error if there is none with this index.
    pub fn moved(&mut self, link: u32) -> Result<Moved, String> {
        let about = IfinfomsgBuilder::default()
            .ifi_family(RtAddrFamily::Unspecified)
            .ifi_index(i32::try_from(link).map_err(say)?)
            .build()
            .map_err(say)?;
        let links: Vec<Ifinfomsg> = self.0.ask(Rtm::Getlink, NlmF::ACK, about)?;
        links.first().and_then(moved).ok_or_else(|| say("an interface without counters"))
    }
}

fn moved(link: &Ifinfomsg) -> Option<Moved> {
    let attributes = link.rtattrs().get_attr_handle();
    // struct rtnl_link_stats64 begins with rx_packets, tx_packets, rx_bytes, tx_bytes.
    let stats = attributes.get_attribute(Ifla::Stats64)?.rta_payload().as_ref();
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
