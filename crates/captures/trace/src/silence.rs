//! Hosts to which nothing comes back: they go on to ask others that had answered them, and hear nothing from anybody.

use crate::{Capped, Packet, Transport};
use airloom_wire::{Protocol, TcpFlags};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

/// The most hosts that are followed.
const MOST: usize = 256;
/// The most ports that are known to answer a host.
const MOST_ENDS: usize = 512;
/// The most hosts, and the most connections, that are followed in a silence.
const MOST_ASKED: usize = 64;
/// Questions of a silence: fewer may be lost by chance.
const QUESTIONS: u64 = 20;
/// Hosts that are asked in it: fewer may be gone themselves.
const ASKED: usize = 3;
/// It lasts so long, in nanoseconds.
const LONG: u64 = 5_000_000_000;
/// What was asked later may still be answered, in nanoseconds: TCP has repeated itself by then (RFC 6298 section 2).
const ANSWERED_WITHIN: u64 = 3_000_000_000;
/// Where nothing is asked for so long, nothing was due, in nanoseconds: one question before it is no beginning. TCP's timer may back off as far
/// (RFC 6298 section 2).
const IDLE: u64 = 60_000_000_000;
/// Ports below this one are of services, which answer (RFC 6335 section 6).
const SERVICES: u16 = 1024;
/// Where names are asked for (RFC 1035 section 4.2).
const NAMES: u16 = 53;
/// Records that are named.
const NAMED: usize = 15;

/// A spell in which a host asked and no packet came to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silence {
    /// Its address.
    pub host: IpAddr,
    /// From the first question until a packet came, or until the last packet of the capture, in nanoseconds since 1970.
    pub span_ns: [u64; 2],
    /// Whether something came in the end.
    pub came_again: bool,
    /// When a packet had come to it last; none if none ever had, as in a capture of one direction.
    pub heard_ns: Option<u64>,
    /// Packets that it sent to single hosts, from the first question on.
    pub packets: u64,
    /// Hosts to which questions went; 64 at most are counted.
    pub asked: usize,
    /// Those of them that had answered it before, on the same port, and were asked 3 s or longer before the end.
    pub known: usize,
    /// Whether half of the questions at least went to such ports, or on connections that were open.
    pub mostly_known: bool,
    /// The host that it asks for names, if that had answered.
    pub names: Option<IpAddr>,
    /// Packets of others meanwhile, to groups too.
    pub others: u64,
    /// Records that could not be read meanwhile: answers may be among them.
    pub unread: u64,
    /// Records of the first questions and of the last packet, by their numbers.
    pub numbers: Vec<u32>,
}

/// A port of a host, of TCP or UDP.
type End = (IpAddr, Protocol, u16);

/// What a capture has had so far.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    packets: u64,
    unread: u64,
}

/// A host that sends.
#[derive(Clone, Debug, Default)]
struct Host {
    heard_ns: Option<u64>,
    /// When it sent last, and how many packets it has sent, to groups too.
    last_ns: u64,
    sent: u64,
    /// What has sent it anything.
    answered: BTreeSet<End>,
    asks: Asks,
}

/// What a host has asked since something came to it; nothing if it has no questions.
#[derive(Clone, Debug, Default)]
struct Asks {
    from_ns: u64,
    packets: u64,
    questions: u64,
    /// Questions to ends that had answered, or on connections that are open: what is acknowledged there came from the other end.
    known: u64,
    /// Each host that is asked, and since when at an end that had answered.
    hosts: Vec<(IpAddr, Option<u64>)>,
    names: Option<IpAddr>,
    /// What is acknowledged on each connection, by its far end and its near port.
    acknowledged: Vec<((End, u16), u32)>,
    /// What the capture and the host had had as it began.
    before: Counts,
    sent_before: u64,
    first: Vec<u32>,
    last: u32,
    last_ns: u64,
}

/// The silences of all hosts of a capture.
#[derive(Clone, Debug, Default)]
pub struct Silences {
    hosts: BTreeMap<IpAddr, Host>,
    now_ns: u64,
    counts: Counts,
    found: Capped<Silence, 64>,
}

impl Silences {
    /// Takes a packet of a host's capture.
    pub fn see(&mut self, now_ns: u64, number: u32, packet: &Packet) {
        self.now_ns = self.now_ns.max(now_ns);
        self.counts.packets += 1;
        let to_one = !is_group(packet.dst);
        if to_one && let Some(host) = self.hosts.get_mut(&packet.dst) {
            if let Some(silence) = host.silence(packet.dst, self.counts, now_ns, true) {
                self.found.push(silence);
            }
            host.hear(now_ns, packet);
        }
        if is_group(packet.src) || packet.src.is_unspecified() {
            return;
        }
        if self.hosts.len() == MOST && !self.hosts.contains_key(&packet.src) {
            self.make_room();
        }
        let host = self.hosts.entry(packet.src).or_default();
        (host.last_ns, host.sent) = (now_ns, host.sent + 1);
        if to_one {
            host.send(now_ns, number, packet, self.counts);
        }
    }

    /// Takes a record that cannot be read.
    pub const fn pass(&mut self) {
        self.counts.unread += 1;
    }

    /// Drops the half of the hosts that has sent nothing for longest.
    fn make_room(&mut self) {
        let mut order: Vec<(u64, IpAddr)> =
            self.hosts.iter().map(|(address, host)| (host.last_ns, *address)).collect();
        order.sort_unstable();
        order.iter().take(MOST / 2).for_each(|(_, address)| _ = self.hosts.remove(address));
    }

    /// All of them, also those that go on as the capture ends.
    pub fn finish(mut self) -> Vec<Silence> {
        let mut found = self.found.kept().to_vec();
        for (address, host) in &mut self.hosts {
            found.extend(host.silence(*address, self.counts, self.now_ns, false));
        }
        found
    }
}

impl Host {
    /// Something came to it.
    fn hear(&mut self, now_ns: u64, packet: &Packet) {
        self.heard_ns = Some(now_ns);
        if let Some((protocol, [port, _])) = ports(packet)
            && self.answered.len() < MOST_ENDS
        {
            self.answered.insert((packet.src, protocol, port));
        }
    }

    /// It sends to a single host.
    fn send(&mut self, now_ns: u64, number: u32, packet: &Packet, counts: Counts) {
        let is_question = is_question(packet);
        let asks = &mut self.asks;
        if !asks.count() && now_ns.saturating_sub(asks.last_ns) >= IDLE {
            asks.clear();
        }
        if asks.questions == 0 {
            if !is_question {
                return;
            }
            (asks.from_ns, asks.before, asks.sent_before) = (now_ns, counts, self.sent);
        }
        asks.packets += 1;
        (asks.last, asks.last_ns) = (number, now_ns);
        let Some((protocol, [near, far])) = ports(packet) else { return };
        let end = (packet.dst, protocol, far);
        if asks.moves_on(packet, (end, near)) {
            asks.clear();
        } else if is_question {
            let has_answered = self.answered.contains(&end);
            asks.known += u64::from(has_answered || is_open(packet));
            asks.ask(now_ns, number, end, has_answered);
        }
    }

    /// What something that comes ends, or the end of the capture; none if that is no silence that counts.
    fn silence(&mut self, host: IpAddr, counts: Counts, to_ns: u64, came_again: bool) -> Option<Silence> {
        let asks = &mut self.asks;
        if asks.questions == 0 {
            return None;
        }
        let is_long = to_ns.saturating_sub(asks.from_ns) >= LONG;
        let waited = |since: u64| to_ns.saturating_sub(since) >= ANSWERED_WITHIN;
        let own = self.sent - asks.sent_before + u64::from(came_again);
        let silence = (asks.count() && is_long).then(|| Silence {
            host,
            span_ns: [asks.from_ns, to_ns],
            came_again,
            heard_ns: self.heard_ns,
            packets: asks.packets,
            asked: asks.hosts.len(),
            known: asks.hosts.iter().filter(|(_, since)| since.is_some_and(waited)).count(),
            mostly_known: 2 * asks.known >= asks.questions,
            names: asks.names,
            others: (counts.packets - asks.before.packets).saturating_sub(own),
            unread: counts.unread - asks.before.unread,
            numbers: asks.first.iter().copied().chain([asks.last]).collect(),
        });
        asks.clear();
        silence
    }
}

impl Asks {
    /// Whether there are so many questions to so many hosts that none of them is answered for one reason.
    const fn count(&self) -> bool {
        self.questions >= QUESTIONS && self.hosts.len() >= ASKED
    }

    /// A question to an end that has answered, or has not.
    fn ask(&mut self, now_ns: u64, number: u32, (host, _, port): End, has_answered: bool) {
        self.questions += 1;
        if has_answered && port == NAMES {
            self.names.get_or_insert(host);
        }
        if self.first.len() < NAMED {
            self.first.push(number);
        }
        let (since, has_room) = (has_answered.then_some(now_ns), self.hosts.len() < MOST_ASKED);
        match self.hosts.iter_mut().find(|(asked, _)| *asked == host) {
            Some((_, known)) => *known = known.or(since),
            None if has_room => self.hosts.push((host, since)),
            None => {}
        }
    }

    /// Whether a packet acknowledges more than the one before it on its connection: then something came that the capture does not have.
    fn moves_on(&mut self, packet: &Packet, connection: (End, u16)) -> bool {
        let Transport::Tcp(segment) = packet.transport else { return false };
        let (ack, flags) = (segment.header.ack, segment.header.flags);
        if flags.contains(TcpFlags::RST) {
            return false;
        }
        let (acks, has_room) = (flags.contains(TcpFlags::ACK), self.acknowledged.len() < MOST_ASKED);
        match self.acknowledged.iter_mut().find(|(known, _)| *known == connection) {
            Some((_, known)) => std::mem::replace(known, ack) != ack && acks,
            None if has_room => {
                self.acknowledged.push((connection, ack));
                false
            }
            None => false,
        }
    }

    fn clear(&mut self) {
        let Self { mut hosts, mut acknowledged, mut first, .. } = std::mem::take(self);
        hosts.clear();
        acknowledged.clear();
        first.clear();
        *self = Self { hosts, acknowledged, first, ..Self::default() };
    }
}

/// Whether the other end has to answer: what takes room in TCP's sequence (RFC 9293 section 3.8.6.3), and what asks a service.
fn is_question(packet: &Packet) -> bool {
    match &packet.transport {
        Transport::Tcp(segment) => {
            segment.sequence_length() > 0 && !segment.header.flags.contains(TcpFlags::RST)
        }
        Transport::Udp { ports, .. } => ports.1 < SERVICES,
        Transport::Echo { .. }
        | Transport::Returned { .. }
        | Transport::Later(..)
        | Transport::Cut(_)
        | Transport::Other(_) => false,
    }
}

/// Whether a packet is of a connection whose other end has sent something.
fn is_open(packet: &Packet) -> bool {
    matches!(&packet.transport, Transport::Tcp(segment) if segment.header.flags.contains(TcpFlags::ACK))
}

/// The protocol of a packet that has ports, and the ports of its source and its destination.
const fn ports(packet: &Packet) -> Option<(Protocol, [u16; 2])> {
    match &packet.transport {
        Transport::Tcp(segment) => Some((Protocol::TCP, [segment.header.src_port, segment.header.dst_port])),
        Transport::Udp { ports, .. } => Some((Protocol::UDP, [ports.0, ports.1])),
        Transport::Echo { .. }
        | Transport::Returned { .. }
        | Transport::Later(..)
        | Transport::Cut(_)
        | Transport::Other(_) => None,
    }
}

/// Whether an address is of more than one host, as far as it tells: the last of a network of 256 and fewer is mostly its broadcast address.
fn is_group(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => four.is_multicast() || four.octets()[3] == 255,
        IpAddr::V6(six) => six.is_multicast(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Identity, Segment, Transmission};
    use airloom_wire::{Ecn, TcpOptions, TcpRepr};
    use std::net::Ipv4Addr;

    const SECOND: u64 = 1_000_000_000;
    const HOST: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));

    const fn server(number: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(192, 0, 2, number))
    }

    fn packet(src: IpAddr, dst: IpAddr, transport: Transport) -> Packet {
        Packet {
            src,
            dst,
            dscp: 0,
            ecn: Ecn::NotEct,
            length: 100,
            identity: Identity::default(),
            transmission: Transmission::First,
            transport,
        }
    }

    /// A question for a name, or its answer, of one server of some.
    fn name(of: u8, back: bool) -> Packet {
        let (ports, ends) = ((40_000, NAMES), [HOST, server(of)]);
        let udp = |ports| Transport::Udp { ports, payload: 40, rtp: None, begins: 0 };
        if back {
            packet(ends[1], ends[0], udp((ports.1, ports.0)))
        } else {
            packet(ends[0], ends[1], udp(ports))
        }
    }

    /// Data to a server's port 443, with an acknowledgment.
    fn data(of: u8, ack: u32) -> Packet {
        let header = TcpRepr {
            src_port: 50_000,
            dst_port: 443,
            seq: 1,
            ack,
            flags: TcpFlags::ACK,
            window: 60_000,
            urgent: 0,
            options: TcpOptions::default(),
        };
        packet(
            HOST,
            server(of),
            Transport::Tcp(Segment { header, payload: 40, options: 0, ends: false, fills: false }),
        )
    }

    /// Three servers answer for ten seconds, a question each second, and then one more packet each 250 ms from 20 s to 30 s.
    fn told(mut then: impl FnMut(u64) -> Packet) -> Silences {
        let mut all = Silences::default();
        for at in 0..10 {
            all.see(at * SECOND, 1, &name(at as u8 % 3, false));
            all.see(at * SECOND + SECOND / 100, 2, &name(at as u8 % 3, true));
        }
        for step in 0..40 {
            all.see(20 * SECOND + step * SECOND / 4, 3, &then(step));
        }
        all
    }

    #[test]
    fn a_host_that_asks_and_hears_nothing_is_told_until_something_comes() {
        let [silence] = &told(|step| name(step as u8 % 3, false)).finish()[..] else { panic!("one") };
        assert_eq!(silence.span_ns, [20 * SECOND, 29_750_000_000]);
        assert_eq!((silence.packets, silence.asked, silence.known, silence.others), (40, 3, 3, 0));
        assert_eq!((silence.came_again, silence.names), (false, Some(server(0))));
        assert_eq!(silence.heard_ns, Some(9_010_000_000));
        let mut all = told(|step| name(step as u8 % 3, false));
        let group = Ipv4Addr::new(224, 0, 0, 251).into();
        all.see(31 * SECOND, 4, &packet(server(9), group, Transport::Other(Protocol(2))));
        all.see(32 * SECOND, 4, &packet(server(9), HOST, Transport::Other(Protocol::ICMP)));
        let [silence] = &all.finish()[..] else { panic!("one") };
        assert_eq!((silence.span_ns[1], silence.came_again, silence.others), (32 * SECOND, true, 1));
    }

    #[test]
    fn a_host_that_asks_nothing_for_a_minute_was_not_cut_off_in_it() {
        let mut all = told(|_| name(0, false));
        (0..40).for_each(|step| all.see(120 * SECOND + step * SECOND / 4, 3, &name(step as u8 % 3, false)));
        let [silence] = &all.finish()[..] else { panic!("one") };
        assert_eq!(silence.span_ns[0], 120 * SECOND);
    }

    #[test]
    fn two_hosts_that_are_gone_are_no_silence() {
        assert_eq!(told(|step| name(step as u8 % 2, false)).finish(), []);
    }

    #[test]
    fn what_was_asked_just_now_is_not_unanswered() {
        let mut all = told(|_| name(0, false));
        (0..40).for_each(|step| all.see(60 * SECOND + step, 3, &name(step as u8 % 3, false)));
        let [silence] = &all.finish()[..] else { panic!("one") };
        assert_eq!(silence.known, 1, "one of three has been asked for long");
    }

    #[test]
    fn hosts_that_never_answered_are_not_known() {
        let [scan] = &told(|step| name(100 + step as u8, false)).finish()[..] else { panic!("one") };
        assert_eq!((scan.known, scan.mostly_known), (0, false));
    }

    #[test]
    fn what_is_acknowledged_has_come_though_the_capture_does_not_have_it() {
        assert_eq!(told(|step| data(step as u8 % 3, 7)).finish().len(), 1);
        assert_eq!(told(|step| data(step as u8 % 3, step as u32)).finish(), []);
    }

    #[test]
    fn many_hosts_take_little_room() {
        let mut all = Silences::default();
        for number in 0..100_000_u32 {
            let from = IpAddr::V4(Ipv4Addr::from_bits(number << 8 | 1));
            all.see(u64::from(number), 1, &packet(from, server(1), Transport::Other(Protocol::ICMP)));
            all.see(u64::from(number), 1, &packet(server(1), from, Transport::Other(Protocol::ICMP)));
        }
        assert!(all.hosts.len() <= MOST);
    }
}
