//! An IP packet as a host's capture shows it, or an unencrypted frame of the air.

use crate::relayed::unwrapped;
use crate::rtp::RtpHeader;
use crate::undelivered::Hindrance;
use airloom_wire::{
    EchoKind, EchoRepr, Ecn, Error, EtherType, EthernetRepr, Ipv4Repr, Ipv6Repr, Protocol, TcpFlags, TcpRepr,
    UdpRepr,
};
use std::net::IpAddr;

/// So many octets of a datagram's payload tell it from others: QUIC's number of a packet, encrypted, is among them.
const BEGINS: usize = 32;
/// The shortest frame of Ethernet without its check sequence, in octets (IEEE 802.3-2022 clause 4A.4.2: minFrameSize of 64).
const SHORTEST_FRAME: u32 = 60;
/// What it has room for behind an Ethernet and an IPv4 header.
const FILLED: u32 = SHORTEST_FRAME - (EthernetRepr::LEN + Ipv4Repr::LEN) as u32;

/// Packets are looked for within so many tunnels, one in another: more are no network's.
const MOST_TUNNELS: u8 = 4;

/// How many hops hosts give to what they send: Windows 95 and old Unix, DEC, Unix and what RFC 1700 ("IP TIME TO LIVE PARAMETER") recommends, Windows, and
/// some routers and Solaris; the maximum also says that nobody passed a packet on (RFC 5082).
const BEGIN_WITH: [u8; 5] = [32, 60, 64, 128, 255];

/// What tells a packet from another that says the same, and its copies from each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The number that its sender gave to this packet: IPv4's identification. None if that is zero, which senders give to all that may
    /// not be fragmented (RFC 6864 section 4.1), and in IPv6, which has none.
    pub number: Option<u16>,
    /// IPv6's flow label (RFC 6437): a sender that looks for another way after a timeout changes it (Linux `sk_rethink_txhash`).
    pub label: u32,
    /// Time to live or hop limit: each router on the way takes one.
    pub hops: u8,
    /// What is in front of it on its link, such as addresses, as a hash; zero where nothing is.
    pub via: u32,
    /// Whether its frame is short, and if so whether it was filled to the least that Ethernet carries: the host that sends it does that behind the place where it captures
    /// (Linux `eth_skb_pad`, in the driver, behind `dev_queue_xmit_nit`). None of longer ones, and of other links.
    pub filled: Option<bool>,
    /// Within how many tunnels' packets it lies.
    pub tunnels: u8,
}

impl Identity {
    /// How many routers have passed the packet on, if its host began with the next number that hosts begin with. Of none left, nothing is known.
    pub(crate) fn taken(&self) -> Option<u8> {
        taken(self.hops)
    }

    /// Whether a router has passed the packet on: no host begins with so many hops left. Of none, nothing is known.
    pub fn was_routed(&self) -> bool {
        self.hops > 0 && !BEGIN_WITH.contains(&self.hops)
    }
}

/// How many hops have been taken where so many are left.
pub(crate) fn taken(hops: u8) -> Option<u8> {
    BEGIN_WITH.iter().find(|&&begin| begin >= hops).filter(|_| hops > 0).map(|begin| begin - hops)
}

/// Which of the transmissions of a packet over its link was captured first. A radio sends a frame again until it is acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transmission {
    /// The first, as far as the capture tells.
    #[default]
    First,
    /// A later one: the packet may have arrived before it was captured.
    Later,
    /// A later one, behind packets to which the radio gave later numbers: these overtook it.
    Overtaken,
}

/// A packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Packet {
    /// The source.
    pub src: IpAddr,
    /// The destination.
    pub dst: IpAddr,
    /// Differentiated services codepoint.
    pub dscp: u8,
    /// Explicit congestion notification.
    pub ecn: Ecn,
    /// Its length from the IP header on, in octets.
    pub length: u32,
    /// Which packet it is.
    pub identity: Identity,
    /// Which of its transmissions was captured first.
    pub transmission: Transmission,
    /// What it carries.
    pub transport: Transport,
}

/// What an IP packet carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transport {
    /// TCP.
    Tcp(Segment),
    /// UDP.
    Udp {
        /// Source and destination port.
        ports: (u16, u16),
        /// Payload of the whole datagram in octets.
        payload: u32,
        /// What the payload begins with, if that may be a header of RTP.
        rtp: Option<RtpHeader>,
        /// The first octets of the payload, as a hash, which is zero if they all are.
        begins: u64,
    },
    /// A request or an answer of ICMP echo, of either version.
    Echo {
        /// Which of the two.
        kind: EchoKind,
        /// What tells the requests of one program from those of another, and one request from another.
        ident: u16,
        /// See `ident`.
        sequence: u16,
        /// Its data in octets; of one in fragments those of the first.
        payload: u32,
    },
    /// An ICMP error that says that a packet did not arrive (RFC 792, RFC 4443 section 3): about a request of ICMP echo, whose hops had run out, as those of a
    /// traceroute do; or about any packet that was too big, or for which nobody is there.
    Returned {
        /// Which host had sent the packet, and to which.
        ends: [IpAddr; 2],
        /// What tells a request of ICMP echo from others: identifier and number.
        echo: Option<(u16, u16)>,
        /// What it held of TCP; none if it held anything else.
        segment: Option<Quoted>,
        /// What was in its way; none if its hops had run out.
        why: Option<Hindrance>,
    },
    /// A part of a datagram behind its first fragment, with its octets.
    Later(Protocol, u32),
    /// TCP or UDP of which not even the header was captured.
    Cut(Protocol),
    /// Anything else, with its IP protocol.
    Other(Protocol),
}

/// What an ICMP error quotes of a TCP segment: the first octets of its header, and the length of its packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quoted {
    /// Source and destination port.
    pub ports: (u16, u16),
    /// Its sequence number.
    pub number: u32,
    /// Octets of its payload; with its options, which may not be quoted.
    pub octets: u32,
}

impl Quoted {
    /// Octets of a TCP header without options (RFC 9293 section 3.1).
    const HEADER: u32 = 20;

    /// Reads the beginning of a TCP header in a packet with so many octets behind the header of IP.
    fn read(inner: &[u8], length: u32) -> Option<Self> {
        let &[from_high, from_low, to_high, to_low, one, two, three, four, ..] = inner else { return None };
        Some(Self {
            ports: (u16::from_be_bytes([from_high, from_low]), u16::from_be_bytes([to_high, to_low])),
            number: u32::from_be_bytes([one, two, three, four]),
            octets: length.saturating_sub(Self::HEADER),
        })
    }
}

/// A TCP segment. With segmentation offload it is longer than what goes over the wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Its header.
    pub header: TcpRepr,
    /// Payload in octets, as sent.
    pub payload: u32,
    /// Octets of its options, with their padding.
    pub options: u32,
    /// Whether SYN, FIN or RST is set.
    pub ends: bool,
    /// Whether its payload may be what fills a frame to the least that a link carries, though the length of the packet counts it: a few zeros that
    /// no program pushed.
    pub fills: bool,
}

impl Segment {
    /// How far the segment moves the sequence number on (RFC 9293 section 3.4): its payload, and one for each of SYN and FIN.
    pub fn sequence_length(&self) -> u32 {
        let flag = |flag| u32::from(self.header.flags.contains(flag));
        self.payload + flag(TcpFlags::SYN) + flag(TcpFlags::FIN)
    }
}

impl Packet {
    /// Reads what lies behind a header with this EtherType; `original` is the length of it all before it was cut.
    ///
    /// None if it is no IP packet, or not one that can be read.
    pub(crate) fn behind(ethertype: EtherType, octets: &[u8], original: u32) -> Option<Self> {
        Self::behind_within(0, ethertype, octets, original)
    }

    /// The same within so many tunnels.
    fn behind_within(tunnels: u8, ethertype: EtherType, octets: &[u8], original: u32) -> Option<Self> {
        let (ethertype, inner) = ethertype.innermost(octets).ok()?;
        let original = original.saturating_sub((octets.len() - inner.len()) as u32);
        match ethertype {
            EtherType::IPV4 => Self::version_4(tunnels, inner, original),
            EtherType::IPV6 => Self::version_6(tunnels, inner, original),
            _ => None,
        }
    }

    /// Reads an IP packet of either version.
    pub(crate) fn of_either_version(octets: &[u8], original: u32) -> Option<Self> {
        match octets.first()? >> 4 {
            4 => Self::version_4(0, octets, original),
            6 => Self::version_6(0, octets, original),
            _ => None,
        }
    }

    /// The packet within one of a tunnel, of whose payload so many octets were sent; none if this is no tunnel's, or nothing in it can be read.
    fn within(tunnels: u8, protocol: Protocol, part: Part, body: &[u8], length: u32) -> Option<Self> {
        let may_be = part != Part::Later && tunnels < MOST_TUNNELS;
        let (ethertype, inner) = protocol.within(body).ok().filter(|_| may_be)?;
        let length = length.saturating_sub((body.len() - inner.len()) as u32);
        Self::behind_within(tunnels + 1, ethertype, inner, length)
    }

    /// The same in a frame of Ethernet with so many octets.
    pub(crate) fn framed(mut self, header: usize, frame: u32) -> Self {
        // What lies within a tunnel's packet has more in front of it.
        let is_short =
            self.identity.tunnels == 0 && self.length.saturating_add(header as u32) < SHORTEST_FRAME;
        self.identity.filled = is_short.then_some(frame >= SHORTEST_FRAME);
        self
    }

    /// The same behind these octets of its link.
    pub(crate) fn via(mut self, link: &[u8]) -> Self {
        self.identity.via = (hashed(link) >> 32) as u32;
        self
    }

    fn version_4(tunnels: u8, octets: &[u8], original: u32) -> Option<Self> {
        // A packet that an adapter will cut into segments may be longer than its header can say; then it says zero.
        let mut whole;
        let octets = if octets.get(2..4)? == [0, 0] {
            whole = octets.to_vec();
            whole[2..4].copy_from_slice(&u16::try_from(original).unwrap_or(u16::MAX).to_be_bytes());
            &whole[..]
        } else {
            octets
        };
        let (ip, body) = Ipv4Repr::parse(octets).ok()?;
        let header = u32::from(octets[0] & 15) * 4;
        let payload = u32::from(ip.payload_len);
        let part = Part::of(ip.fragment_offset != 0, ip.more_fragments);
        if let Some(inner) = Self::within(tunnels, ip.protocol, part, body, payload) {
            return Some(inner);
        }
        Some(Self {
            src: ip.src.into(),
            dst: ip.dst.into(),
            dscp: ip.dscp,
            ecn: ip.ecn,
            length: header + payload,
            identity: Identity {
                number: Some(ip.ident).filter(|&number| number != 0),
                hops: ip.ttl,
                tunnels,
                ..Identity::default()
            },
            transmission: Transmission::First,
            transport: Transport::read(ip.protocol, part, body, payload),
        })
    }

    fn version_6(tunnels: u8, octets: &[u8], original: u32) -> Option<Self> {
        let (ip, body) = Ipv6Repr::parse(octets).ok()?;
        let headers = (body.as_ptr() as usize - octets.as_ptr() as usize) as u32;
        let payload = ip.payload_len.map_or_else(|| original.saturating_sub(headers), u32::from);
        let part = Part::of(ip.later_fragment, ip.more_fragments);
        if let Some(inner) = Self::within(tunnels, ip.protocol, part, body, payload) {
            return Some(inner);
        }
        Some(Self {
            src: ip.src.into(),
            dst: ip.dst.into(),
            dscp: ip.dscp,
            ecn: ip.ecn,
            length: headers + payload,
            identity: Identity { label: ip.flow_label, hops: ip.hop_limit, tunnels, ..Identity::default() },
            transmission: Transmission::First,
            transport: Transport::read(ip.protocol, part, body, payload),
        })
    }
}

/// What of a datagram an IP packet has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    First,
    Later,
}

impl Part {
    /// By whether it begins behind the datagram's beginning, and whether more fragments follow.
    const fn of(later: bool, more: bool) -> Self {
        match (later, more) {
            (true, _) => Self::Later,
            (false, true) => Self::First,
            (false, false) => Self::Whole,
        }
    }
}

/// A step of a hash: all bits of a word move the upper ones of the next.
pub(crate) const fn mix(word: u64) -> u64 {
    // An odd number close to 2^64 over the golden ratio.
    word.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// Octets as a hash; zeros, however many, are zero.
pub(crate) fn hashed(octets: &[u8]) -> u64 {
    octets.chunks(8).fold(0, |sum: u64, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(sum ^ u64::from_le_bytes(word))
    })
}

impl Transport {
    /// Reads the header of a transport, of which this part, `length` octets, was sent.
    fn read(protocol: Protocol, part: Part, body: &[u8], length: u32) -> Self {
        let other = Self::Other(protocol);
        let unread = |error| if error == Error::Truncated { Self::Cut(protocol) } else { other };
        match protocol {
            _ if part == Part::Later => Self::Later(protocol, length),
            Protocol::TCP => TcpRepr::parse(body).map_or_else(unread, |(header, rest)| {
                let headers = (body.len() - rest.len()) as u32;
                let ends = [TcpFlags::SYN, TcpFlags::FIN, TcpFlags::RST];
                let ends = ends.into_iter().any(|flag| header.flags.contains(flag));
                Self::Tcp(Segment {
                    header,
                    payload: length.saturating_sub(headers),
                    options: headers - TcpRepr::MIN_LEN as u32,
                    ends,
                    fills: is_filling(&header, rest, length, headers),
                })
            }),
            Protocol::UDP => UdpRepr::parse(body).map_or_else(unread, |(udp, payload)| {
                // The first fragment of a datagram stands for all of them. Elsewhere IP alone says how much there is.
                let field = body.get(4..6).filter(|_| part == Part::First);
                let whole = field.map_or(0, |field| u32::from(u16::from_be_bytes([field[0], field[1]])));
                let sent = length.max(whole).saturating_sub(UdpRepr::LEN as u32);
                Self::Udp {
                    ports: (udp.src_port, udp.dst_port),
                    payload: sent,
                    rtp: RtpHeader::read(unwrapped(payload, sent as usize)),
                    begins: hashed(&payload[..payload.len().min(BEGINS)]),
                }
            }),
            Protocol::ICMP | ICMP_V6 => {
                Self::echo(protocol, body, length).or_else(|| Self::returned(protocol, body)).unwrap_or(other)
            }
            _ => other,
        }
    }

    /// An error about a packet, of which it has the beginning behind 8 octets of its own; none of any other message, nor where the hops of what is no request of
    /// ICMP echo ran out.
    fn returned(protocol: Protocol, body: &[u8]) -> Option<Self> {
        let &[kind, code, _, _, _, _, high, low, ref quoted @ ..] = body else { return None };
        let is_error =
            if protocol == Protocol::ICMP { [3, 11].contains(&kind) } else { [1, 2, 3].contains(&kind) };
        if !is_error {
            return None;
        }
        let (ends, about, inner, length): ([IpAddr; 2], _, _, u32) = if protocol == Protocol::ICMP {
            let (ip, inner) = Ipv4Repr::parse(quoted).ok()?;
            ([ip.src.into(), ip.dst.into()], ip.protocol, inner, ip.payload_len.into())
        } else {
            let (ip, inner) = Ipv6Repr::parse(quoted).ok()?;
            ([ip.src.into(), ip.dst.into()], ip.protocol, inner, ip.payload_len.unwrap_or_default().into())
        };
        let echo = match Self::echo(protocol, inner, inner.len() as u32).filter(|_| about == protocol) {
            Some(Self::Echo { kind: EchoKind::Request, ident, sequence, .. }) => Some((ident, sequence)),
            _ => None,
        };
        let has_ports = [Protocol::UDP, Protocol::TCP].contains(&about);
        let port = inner.get(2..4).filter(|_| has_ports).map(|port| u16::from_be_bytes([port[0], port[1]]));
        let why = match (protocol, kind, code) {
            (Protocol::ICMP, 3, 4) => {
                Some(Hindrance::TooBig { most: u16::from_be_bytes([high, low]).into() })
            }
            (ICMP_V6, 2, _) => {
                Some(Hindrance::TooBig { most: u32::from_be_bytes([body[4], body[5], high, low]) })
            }
            (Protocol::ICMP, 3, code) | (ICMP_V6, 1, code) => Some(Hindrance::Absent { code, port }),
            _ => None,
        };
        let segment = Quoted::read(inner, length).filter(|_| about == Protocol::TCP);
        (echo.is_some() || why.is_some()).then_some(Self::Returned { ends, echo, segment, why })
    }

    /// ICMP echo, whose types are 8 and 0, in version 6 128 and 129 (RFC 4443 section 4); none of any other message.
    fn echo(protocol: Protocol, body: &[u8], length: u32) -> Option<Self> {
        let mut header: [u8; EchoRepr::LEN] = body.get(..EchoRepr::LEN)?.try_into().ok()?;
        if protocol == ICMP_V6 {
            header[0] = match header[0] {
                128 => 8,
                129 => 0,
                _ => return None,
            };
        }
        let (EchoRepr { kind, ident, sequence }, _) = EchoRepr::parse(&header).ok()?;
        Some(Self::Echo { kind, ident, sequence, payload: length.saturating_sub(EchoRepr::LEN as u32) })
    }
}

/// ICMP for IPv6 (RFC 4443).
pub(crate) const ICMP_V6: Protocol = Protocol(58);

/// Whether a segment may have nothing but what fills its frame: more than the octet of a probe, all of it zero and captured, without PSH.
fn is_filling(header: &TcpRepr, payload: &[u8], length: u32, headers: u32) -> bool {
    let octets = length.saturating_sub(headers);
    octets > 1
        && length <= FILLED
        && payload.len() as u32 >= octets
        && !header.flags.contains(TcpFlags::PSH)
        && payload.iter().all(|&octet| octet == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_router_says_of_packets_that_are_too_big_is_read() {
        let header = |protocol: u8, src: u8, dst: u8| {
            vec![0x45, 0, 0, 56, 0, 1, 0, 0, 64, protocol, 0, 0, 10, 0, 0, src, 10, 0, 0, dst]
        };
        let of = |kind: u8, code: u8, quoted: u8| {
            let quoted = [&header(quoted, 1, 9)[..], &[0, 80, 4, 0, 0, 0, 0, 1]].concat();
            let octets = [&header(1, 5, 1)[..], &[kind, code, 0, 0, 0, 0, 5, 70], &quoted].concat();
            Packet::version_4(0, &octets, 56).map(|packet| packet.transport)
        };
        let ends = [1, 9].map(|last| IpAddr::from([10, 0, 0, last]));
        let told = |segment| {
            let why = Some(Hindrance::TooBig { most: 1350 });
            Some(Transport::Returned { ends, echo: None, segment, why })
        };
        let quoted = Some(Quoted { ports: (80, 1024), number: 1, octets: 16 });
        assert_eq!([of(3, 4, 6), of(3, 4, 17)], [told(quoted), told(None)]);
        let other = Some(Transport::Other(Protocol::ICMP));
        let absent = Hindrance::Absent { code: 3, port: Some(1024) };
        let closed = Transport::Returned { ends, echo: None, segment: None, why: Some(absent) };
        assert_eq!([of(3, 3, 17), of(11, 0, 6)], [Some(closed), other], "a closed port; hops that run out");
    }

    /// As a router on the way of a traceroute answers it: the header of the request, whose hops had run out, and 8 octets behind it.
    #[test]
    fn what_a_router_returns_of_an_echo_is_read() {
        let header = |length: u8, hops: u8, src: u8, dst: u8| {
            vec![0x45, 0, 0, length, 0, 1, 0, 0, hops, 1, 0, 0, 10, 0, 0, src, 10, 0, 0, dst]
        };
        let of = |kind: u8, asked: u8| {
            let quoted = [&header(92, 1, 1, 9)[..], &[asked, 0, 0, 0, 0, 7, 0, 3]].concat();
            let octets = [&header(56, 255, 5, 1)[..], &[kind, 0, 0, 0, 0, 0, 0, 0], &quoted].concat();
            Packet::version_4(0, &octets, 56).map(|packet| packet.transport)
        };
        let ends = [1, 9].map(|last| IpAddr::from([10, 0, 0, last]));
        assert_eq!(
            of(11, 8),
            Some(Transport::Returned { ends, echo: Some((7, 3)), segment: None, why: None })
        );
        let other = Some(Transport::Other(Protocol::ICMP));
        assert_eq!([of(5, 8), of(11, 0)], [other, other], "a redirect; about an answer");
    }

    /// An IPv4 packet within so many others.
    fn in_ip(tunnels: u8) -> Packet {
        let header = |length: u8, protocol: u8| {
            [0x45, 0, 0, length, 0, 1, 0, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]
        };
        let mut octets = [&header(28, 17)[..], &[0, 9, 0x13, 0x8c, 0, 8, 0, 0]].concat();
        for _ in 0..tunnels {
            octets = [&header(20 + octets.len() as u8, 4)[..], &octets].concat();
        }
        Packet::of_either_version(&octets, octets.len() as u32).expect("a packet")
    }

    #[test]
    fn what_lies_within_tunnels_is_the_packet_unless_these_are_too_many() {
        let udp = |packet: Packet| matches!(packet.transport, Transport::Udp { ports: (9, 5004), .. });
        for tunnels in 0..=MOST_TUNNELS {
            let packet = in_ip(tunnels);
            assert_eq!((packet.identity.tunnels, packet.length), (tunnels, 28));
            assert!(udp(packet), "{tunnels}");
        }
        assert_eq!(in_ip(MOST_TUNNELS + 2).transport, Transport::Other(Protocol(4)));
        assert_eq!(in_ip(1).framed(14, 62).identity.filled, None, "its frame is long enough");
    }

    /// `gre-within-gre.pcap` of Zeek's tests, from the first IP header to the sequence number of the ping, whose data was left out.
    #[test]
    fn a_strangers_ping_within_gre_within_gre_is_read() {
        let octets = [
            &[0x45, 0, 0, 0x94, 0, 0, 0x40, 0, 0xff, 0x2f, 1, 0x27, 0x48, 0xcd, 0x36, 0x46, 0x56, 0x6a][..],
            &[0xa4, 0x96, 0, 0, 8, 0, 0x45, 0, 0, 0x7c, 0x27, 0xe0, 0, 0, 0xfe, 0x2f, 0x68, 0x5b, 10, 10],
            &[0x0b, 2, 10, 10, 0x0d, 2, 0, 0, 8, 0, 0x45, 0, 0, 0x64, 0x23, 0xb8, 0, 0, 0xff, 1, 0xb3, 0x2b],
            &[10, 10, 0x19, 1, 0xc0, 0xa8, 1, 2, 8, 0, 0xcb, 0xca, 0, 0x17, 0x1d, 0xf2],
        ]
        .concat();
        let packet = Packet::of_either_version(&octets, 148).expect("a packet");
        let echo = Transport::Echo { kind: EchoKind::Request, ident: 23, sequence: 7666, payload: 72 };
        assert_eq!((packet.transport, packet.length, packet.identity.hops), (echo, 100, 255));
        assert_eq!(packet.dst, IpAddr::from([192, 168, 1, 2]));
    }

    /// The payload that is read of a UDP datagram of 20 octets in IPv4, and in IPv6 behind a fragment header, whose UDP length says 65,000.
    fn payloads(more: bool, offset: u16) -> [Option<u32>; 2] {
        let udp = [[0, 9, 0x13, 0x8c, 0xfd, 0xe8, 0, 0], [0; 8]].concat();
        let udp = [&udp[..], &[0; 4]].concat();
        let field = u16::from(more) << 13 | offset;
        let mut four = vec![
            0x45,
            0,
            0,
            40,
            0,
            1,
            (field >> 8) as u8,
            field as u8,
            64,
            17,
            0,
            0,
            10,
            0,
            0,
            1,
            10,
            0,
            0,
            2,
        ];
        four.extend(&udp);
        let field = offset << 3 | u16::from(more);
        let mut six = vec![0x60, 0, 0, 0, 0, 28, 44, 64];
        six.extend([[0xfd; 16], [0xfe; 16]].concat());
        six.extend([17, 0, (field >> 8) as u8, field as u8, 0, 0, 0, 1]);
        six.extend(&udp);
        [four, six].map(|octets| {
            let packet = Packet::of_either_version(&octets, octets.len() as u32).expect("a packet");
            match packet.transport {
                Transport::Udp { payload, .. } => Some(payload),
                _ => None,
            }
        })
    }

    /// Whether an IPv4 packet of TCP with these flags and this payload may have nothing but what fills its frame.
    fn may_be_filled(flags: TcpFlags, payload: &[u8]) -> bool {
        let mut octets =
            vec![0x45, 0, 0, 40 + payload.len() as u8, 0, 1, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
        octets.extend([0, 80, 0x13, 0x8c, 0, 0, 0, 9, 0, 0, 0, 5, 0x50, flags.0 as u8, 4, 0, 0, 0, 0, 0]);
        octets.extend(payload);
        let packet = Packet::of_either_version(&octets, octets.len() as u32).expect("a packet");
        matches!(packet.transport, Transport::Tcp(segment) if segment.fills)
    }

    #[test]
    fn few_zeros_that_no_program_pushed_may_fill_a_frame() {
        let filled = |length| may_be_filled(TcpFlags::ACK, &vec![0; length]);
        assert_eq!([0, 1, 2, 6, 7].map(filled), [false, false, true, true, false]);
        assert!(!may_be_filled(TcpFlags::ACK | TcpFlags::PSH, &[0; 6]));
        assert!(!may_be_filled(TcpFlags::ACK, &[0, 0, 0, 0, 0, 1]));
    }

    #[test]
    fn a_length_of_udp_is_believed_where_more_fragments_follow() {
        assert_eq!(payloads(false, 0), [Some(12); 2]);
        assert_eq!(payloads(true, 0), [Some(64_992); 2]);
        assert_eq!(payloads(true, 1), [None; 2]);
        assert_eq!(payloads(false, 1), [None; 2]);
    }
}
