//! How evenly data of all connections of a host passes together: those that share a line pass at one and the same distance only together.

use super::Connection;
use super::pace::Pace;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// The most hosts of either kind; packets of others say nothing.
const MOST: usize = 2048;

/// With fewer packets, a direction says nothing of a line.
const LEAST: u64 = 100;

/// The packets with data of each host that sends any, and of each that gets any.
#[derive(Debug, Default)]
pub(super) struct Sharing([BTreeMap<IpAddr, Pace>; 2]);

impl Sharing {
    /// A packet with so many octets of payload passes from one host to another.
    pub(super) fn passed(&mut self, now_ns: u64, hosts: [IpAddr; 2], payload: u32) {
        if payload == 0 {
            return;
        }
        for (paces, host) in self.0.iter_mut().zip(hosts) {
            if paces.len() < MOST || paces.contains_key(&host) {
                paces.entry(host).or_default().passed(now_ns, payload);
            }
        }
    }

    /// Tells each direction of a connection what its hosts send and get.
    pub(super) fn tell(&self, connection: &mut Connection) {
        for from in [0, 1] {
            let clocking = &mut connection.directions[from].clocking;
            if clocking.pace.distances() < LEAST {
                continue;
            }
            let hosts = [from, 1 - from].map(|end| connection.ends[end].ip());
            let told = [0, 1].map(|kind| self.0[kind].get(&hosts[kind]).copied().unwrap_or_default());
            clocking.together = Some(Box::new(told));
        }
    }
}
