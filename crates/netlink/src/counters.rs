//! The bytes that an interface has moved, from rtnetlink.

use crate::requests::Requests;
use crate::say;
use neli::consts::nl::NlmF;
use neli::consts::rtnl::{Ifla, RtAddrFamily, Rtm};
use neli::consts::socket::NlFamily;
use neli::rtnl::{Ifinfomsg, IfinfomsgBuilder};

/// Interface counters, from rtnetlink.
pub struct Counters(Requests);

impl Counters {
    /// Connects to rtnetlink.
    pub fn open() -> Result<Self, String> {
        Ok(Self(Requests::open(NlFamily::Route)?))
    }

    /// Bytes sent and received by an interface since it was made; an error if there is none with this index.
    pub fn moved(&mut self, link: u32) -> Result<u64, String> {
        let about = IfinfomsgBuilder::default()
            .ifi_family(RtAddrFamily::Unspecified)
            .ifi_index(i32::try_from(link).map_err(say)?)
            .build()
            .map_err(say)?;
        let links: Vec<Ifinfomsg> = self.0.ask(Rtm::Getlink, NlmF::ACK, about)?;
        links.first().and_then(moved).ok_or_else(|| say("an interface without counters"))
    }
}

fn moved(link: &Ifinfomsg) -> Option<u64> {
    let attributes = link.rtattrs().get_attr_handle();
    // struct rtnl_link_stats64 begins with rx_packets, tx_packets, rx_bytes, tx_bytes.
    let stats = attributes.get_attribute(Ifla::Stats64)?.rta_payload().as_ref();
    let word = |n: usize| Some(u64::from_ne_bytes(stats.get(8 * n..8 * (n + 1))?.try_into().ok()?));
    Some(word(2)?.wrapping_add(word(3)?))
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
        assert!(counters.moved(index_of("lo").unwrap()).unwrap() >= before + 2000);
        counters.moved(u32::MAX >> 1).unwrap_err();
    }
}
