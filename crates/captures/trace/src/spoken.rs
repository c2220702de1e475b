//! When hosts sent anything at all.

use crate::Packet;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// Packets of a host that are no farther apart make one spell, in nanoseconds.
const APART: u64 = 250_000_000;
/// The most hosts that are followed, and the most spells of each.
const MOST_HOSTS: usize = 4096;
const MOST_SPELLS: usize = 256;

/// When each host of a capture sent packets, of any kind.
#[derive(Clone, Debug, Default)]
pub struct Spoken {
    hosts: BTreeMap<IpAddr, Spells>,
    now_ns: u64,
}

/// Spells in which a host sent, in their order.
#[derive(Clone, Debug, Default)]
struct Spells {
    all: Vec<(u64, u64)>,
    /// When those that there was no room for begin, in nanoseconds.
    unknown_ns: Option<u64>,
}

impl Spoken {
    /// Takes a packet.
    pub fn see(&mut self, now_ns: u64, packet: &Packet) {
        self.now_ns = self.now_ns.max(now_ns);
        let room = self.hosts.len() < MOST_HOSTS;
        let spells = match self.hosts.get_mut(&packet.src) {
            Some(spells) => spells,
            None if room => self.hosts.entry(packet.src).or_default(),
            None => return,
        };
        spells.note(self.now_ns);
    }

    /// Whether a host never sent anything that was captured; none if that is not known, since there are too many hosts.
    pub fn is_silent(&self, host: IpAddr) -> Option<bool> {
        match self.hosts.contains_key(&host) {
            true => Some(false),
            false => (self.hosts.len() < MOST_HOSTS).then_some(true),
        }
    }

    /// Whether a host sent anything behind a time and up to another, in nanoseconds; none if that is not known.
    pub fn any(&self, host: IpAddr, from_ns: u64, to_ns: u64) -> Option<bool> {
        let spells = self.hosts.get(&host)?;
        let met = spells.all.iter().any(|&(first, last)| first <= to_ns && from_ns < last);
        let is_known = spells.unknown_ns.is_none_or(|since_ns| to_ns < since_ns);
        if met { Some(true) } else { is_known.then_some(false) }
    }
}

impl Spells {
    fn note(&mut self, now_ns: u64) {
        if self.unknown_ns.is_some() {
            return;
        }
        let has_room = self.all.len() < MOST_SPELLS;
        match self.all.last_mut() {
            Some(last) if now_ns.saturating_sub(last.1) <= APART => last.1 = now_ns,
            _ if has_room => self.all.push((now_ns, now_ns)),
            _ => self.unknown_ns = Some(now_ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Identity, Transmission, Transport};
    use airloom_wire::Ecn;
    use std::net::Ipv4Addr;

    const SECOND: u64 = 1_000_000_000;
    const HOST: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));

    fn heard(at: impl IntoIterator<Item = u64>) -> Spoken {
        let mut spoken = Spoken::default();
        let packet = Packet {
            src: HOST,
            dst: HOST,
            dscp: 0,
            ecn: Ecn::NotEct,
            length: 100,
            identity: Identity::default(),
            transmission: Transmission::First,
            transport: Transport::Other(crate::Protocol::ICMP),
        };
        at.into_iter().for_each(|at_ns| spoken.see(at_ns, &packet));
        spoken
    }

    #[test]
    fn what_comes_before_and_after_a_time_is_not_within_it() {
        let spoken = heard([0, SECOND, 100 * SECOND]);
        let any = |from, to| spoken.any(HOST, from * SECOND, to * SECOND);
        assert_eq!([any(1, 99), any(1, 100), any(0, 2)], [Some(false), Some(true), Some(true)]);
        assert_eq!(spoken.any(Ipv4Addr::LOCALHOST.into(), 0, SECOND), None);
    }

    #[test]
    fn a_host_of_which_there_is_no_packet_is_silent() {
        let spoken = heard([0]);
        let silent = [HOST, Ipv4Addr::LOCALHOST.into()].map(|host| spoken.is_silent(host));
        assert_eq!(silent, [Some(false), Some(true)]);
    }

    #[test]
    fn what_there_was_no_room_for_is_not_known() {
        let spoken = heard((0..1000).map(|at| at * SECOND));
        assert_eq!(spoken.any(HOST, 900 * SECOND + 1, 901 * SECOND - 1), None);
        assert_eq!(spoken.any(HOST, 90 * SECOND + 1, 91 * SECOND - 1), Some(false));
    }
}
