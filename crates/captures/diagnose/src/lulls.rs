//! Times in which no TCP came to a host, in the midst of much that came: something stood still, whatever it was.

use airloom_trace::{Capped, Segment, TcpFlags};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// A lull lasts so long, in nanoseconds: a retransmission timer of TCP has run out by then (RFC 6298 section 2 with the 200 ms of Linux, behind one that was doubled).
const LONG: u64 = 500_000_000;
/// For so many halves of a lull packets come before it, and for one behind it.
const BEFORE: u64 = 3;
/// A pause that is shorter than a lull divided by this breaks nothing.
const SHORTER: u64 = 4;
/// So many pauses of at least half a lull's length are a program's: a video that comes in pieces pauses every few seconds.
const PROGRAMS: usize = 3;
/// What breaks off in the midst of data and does not come for so long is no pause, in nanoseconds.
const FOR_GOOD: u64 = 3_000_000_000;
/// The most addresses to which packets are followed.
const MOST: usize = 64;

/// When packets of TCP came, by their destinations.
#[derive(Debug)]
pub(crate) struct Lulls {
    to: BTreeMap<IpAddr, Arrivals>,
}

/// The first and the last packet to an address, and the pauses between packets, in nanoseconds since 1970.
#[derive(Debug)]
struct Arrivals {
    span_ns: (u64, u64),
    pauses: Capped<(u64, u64), 1024>,
    /// Whether more was to follow the last data: its sender had not pushed it (RFC 9293 section 3.9.1.2), as Linux does with the last that it has, nor had it or anybody ended a connection since.
    goes_on: bool,
}

impl Lulls {
    pub(crate) const NONE: Self = Self { to: BTreeMap::new() };

    /// A packet of TCP goes to an address.
    pub(crate) fn see(&mut self, now_ns: u64, to: IpAddr, segment: &Segment) {
        if self.to.len() == MOST && !self.to.contains_key(&to) {
            return;
        }
        let first = || Arrivals { span_ns: (now_ns, now_ns), pauses: Capped::NONE, goes_on: false };
        let arrivals = self.to.entry(to).or_insert_with(first);
        let last_ns = arrivals.span_ns.1;
        if now_ns.saturating_sub(last_ns) >= LONG / SHORTER {
            arrivals.pauses.push((last_ns, now_ns));
        }
        arrivals.span_ns.1 = last_ns.max(now_ns);
        if segment.payload > 0 || segment.ends {
            arrivals.goes_on = !segment.ends && !segment.header.flags.contains(TcpFlags::PSH);
        }
    }

    /// When nothing came to an address any more until the capture ended, if it broke off in the midst of data that had come without long pauses.
    pub(crate) fn at_end(&self, host: IpAddr, end_ns: u64) -> Option<(u64, u64)> {
        let Arrivals { span_ns: (first, last), pauses, goes_on } = self.to.get(&host)?;
        let silent = end_ns.checked_sub(*last).filter(|&silent| silent >= FOR_GOOD)?;
        let is_like = |(from, to): &(u64, u64)| to - from >= silent / SHORTER;
        let broke_off = *goes_on && last - first >= BEFORE * (LONG / 2) && !pauses.kept().iter().any(is_like);
        broke_off.then_some((*last, end_ns))
    }

    /// The lulls in what came to an address. Where pauses are many, as of a program that sends now and then, one is like the others: whether one is a lull cannot be told.
    pub(crate) fn at(&self, host: IpAddr) -> Vec<(u64, u64)> {
        let Some(arrivals) = self.to.get(&host) else { return Vec::new() };
        let (pauses, (first, last)) = (arrivals.pauses.kept(), arrivals.span_ns);
        let is_lull = |&&(from, to): &&(u64, u64)| {
            let long = to - from;
            let around = (from.saturating_sub(BEFORE * (long / 2)), to.saturating_add(long / 2));
            let breaks = |&&(begin, end): &&(u64, u64)| {
                (begin, end) != (from, to)
                    && end - begin >= long / SHORTER
                    && end > around.0
                    && begin < around.1
            };
            let alike = pauses.iter().filter(|(begin, end)| end - begin >= long / 2).count();
            long >= LONG
                && alike < PROGRAMS
                && from.saturating_sub(first) >= BEFORE * (long / 2)
                && around.1 <= last
                && !pauses.iter().any(|pause| breaks(&pause))
        };
        if arrivals.pauses.total() > pauses.len() as u64 {
            return Vec::new();
        }
        pauses.iter().filter(is_lull).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_wire::TcpRepr;

    const MS: u64 = 1_000_000;
    const HOST: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn segment(flags: TcpFlags) -> Segment {
        let header = TcpRepr { flags, ..TcpRepr::default() };
        let ends = flags.contains(TcpFlags::FIN);
        Segment { header, payload: 1448, options: 0, ends, fills: false }
    }

    /// The lulls in ms among packets every 20 ms for 10 s, but where this says that none comes.
    fn lulls(is_gone: impl Fn(u64) -> bool) -> Vec<[u64; 2]> {
        let mut lulls = Lulls::NONE;
        (0..10_000)
            .step_by(20)
            .filter(|&at| !is_gone(at))
            .for_each(|at| lulls.see(at * MS, HOST, &segment(TcpFlags::ACK)));
        lulls.at(HOST).iter().map(|&(from, to)| [from, to].map(|at| at / MS)).collect()
    }

    #[test]
    fn a_second_without_a_packet_among_many_is_a_lull() {
        assert_eq!(lulls(|at| (2_000..3_030).contains(&at)), [[1_980, 3_040]]);
        assert_eq!(lulls(|at| (2_000..2_400).contains(&at)), [[0; 2]; 0], "a timer");
        assert_eq!(lulls(|_| false), [[0; 2]; 0]);
    }

    #[test]
    fn what_comes_now_and_then_has_no_lulls() {
        assert_eq!(lulls(|at| at % 2_000 > 800), [[0; 2]; 0], "a video that comes in pieces");
        assert_eq!(
            lulls(|at| at % 3_000 >= 2_000),
            [[0; 2]; 0],
            "one whose pieces are twice as long as its pauses"
        );
        assert_eq!(lulls(|at| (300..2_000).contains(&at)), [[0; 2]; 0], "it had just begun");
        assert_eq!(lulls(|at| at > 9_000), [[0; 2]; 0], "it ends");
    }

    #[test]
    fn what_breaks_off_in_the_midst_of_data_is_told_where_the_capture_goes_on() {
        let broken = |last: TcpFlags, end_ms: u64, is_gone: fn(u64) -> bool| {
            let mut lulls = Lulls::NONE;
            let times = (0..5_000).step_by(20).filter(|&at| !is_gone(at));
            times.for_each(|at| lulls.see(at * MS, HOST, &segment(TcpFlags::ACK)));
            lulls.see(5_000 * MS, HOST, &segment(TcpFlags::ACK | last));
            lulls.at_end(HOST, end_ms * MS).map(|(from, to)| [from, to].map(|at| at / MS))
        };
        let never = |_| false;
        assert_eq!(broken(TcpFlags::ACK, 12_000, never), Some([5_000, 12_000]));
        assert_eq!(broken(TcpFlags::ACK, 7_000, never), None, "too soon to tell");
        assert_eq!(broken(TcpFlags::PSH, 12_000, never), None, "all was sent");
        assert_eq!(broken(TcpFlags::FIN, 12_000, never), None, "it has ended");
        assert_eq!(broken(TcpFlags::ACK, 12_000, |at| (1_000..3_000).contains(&at)), None, "it pauses");
    }
}
