//! Queue disciplines and the length of queues, by rtnetlink.

use crate::snapshot::{Discipline, Interface};
use airloom_netlink::{Attributes, Extent, Protocol};

const RTM_GETLINK: u16 = 18;
const RTM_GETQDISC: u16 = 38;
const IFLA_TXQLEN: u16 = 13;
const TCA_KIND: u16 = 1;
const TCA_STATS2: u16 = 7;
const TCA_STATS_QUEUE: u16 = 3;
/// `TC_H_ROOT`.
const ROOT: u32 = u32::MAX;
/// Lengths of `struct ifinfomsg` and `struct tcmsg`.
const IFINFOMSG: usize = 16;
const TCMSG: usize = 20;

/// Reads them for each interface.
pub(super) fn read(interfaces: &mut [Interface], note: &mut impl FnMut(&str, String)) {
    let all = || -> Result<_, String> {
        let mut route = Protocol::route()?;
        let disciplines = route.ask(RTM_GETQDISC, Extent::All, &[0; TCMSG])?;
        Ok((disciplines, route.ask(RTM_GETLINK, Extent::All, &[0; IFINFOMSG])?))
    };
    let (disciplines, links) = match all() {
        Ok(both) => both,
        Err(because) => return note("queue disciplines", because),
    };
    for interface in interfaces {
        // Both structures have the interface's index behind four octets.
        let ours = |message: &&Vec<u8>| word(message, 4) == Some(interface.index);
        interface.disciplines =
            disciplines.iter().filter(ours).filter_map(|message| discipline(message)).collect();
        let link = links.iter().find(ours).and_then(|message| message.get(IFINFOMSG..));
        interface.queue_length = link.and_then(|link| Some(Attributes(link).number(IFLA_TXQLEN)? as u32));
    }
}

fn word(message: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(message.get(at..at + 4)?.try_into().ok()?))
}

fn discipline(message: &[u8]) -> Option<Discipline> {
    let told = Attributes(message.get(TCMSG..)?);
    // struct gnet_stats_queue: qlen, backlog, drops, requeues, overlimits.
    let queue = told.within(TCA_STATS2).get(TCA_STATS_QUEUE);
    let number = |n: usize| queue.and_then(|queue| word(queue.payload, 4 * n)).unwrap_or(0).into();
    Some(Discipline {
        kind: told.get(TCA_KIND)?.text(),
        root: word(message, 12)? == ROOT,
        drops: number(2),
        backlog: number(0),
    })
}
