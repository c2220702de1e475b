//! A record in a line, in the words of the standards and of Wireshark.

use crate::evidence::Evidence;
use airloom_trace::tcp::Connection;
use airloom_trace::{
    EchoKind, Frame, Hindrance, Packet, Protocol, Record, Seen, Segment, Subtype, TcpFlags, Transport,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::net::SocketAddr;

/// The control bits that are rare enough to be told.
const FLAGS: [(TcpFlags, &str); 6] = [
    (TcpFlags::SYN, "SYN"),
    (TcpFlags::FIN, "FIN"),
    (TcpFlags::RST, "RST"),
    (TcpFlags::URG, "URG"),
    (TcpFlags::ECE, "ECE"),
    (TcpFlags::CWR, "CWR"),
];

/// A record in a line.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ExcerptRow {
    /// Its number in the file, as in Wireshark.
    pub number: u32,
    /// When, in seconds since the first record of all captures.
    pub at_s: f64,
    /// What it is: "data", "ACK", "TCP" and the like.
    pub kind: String,
    /// Transmitter and receiver on the air, or source and destination; empty if it does not say.
    pub from: String,
    /// See `from`.
    pub to: String,
    /// Its length in octets.
    pub length: u32,
    /// Its rate in Mbit/s.
    pub mbps: Option<f64>,
    /// Its signal in dBm.
    pub signal_dbm: Option<i8>,
    /// Whether the retry bit is set, or TCP had sent its octets before.
    pub again: bool,
    /// What else it says.
    pub says: String,
    /// Whether the finding names it.
    pub named: bool,
}

impl ExcerptRow {
    pub(crate) fn of(evidence: &Evidence, capture: usize, record: &Record, named: bool) -> Self {
        let mut row = Self {
            number: record.number,
            at_s: (evidence.seconds_in(capture, record.stamp_ns) * 1e6).round() / 1e6,
            kind: "other".to_owned(),
            from: String::new(),
            to: String::new(),
            length: record.length,
            mbps: None,
            signal_dbm: None,
            again: false,
            says: String::new(),
            named,
        };
        match &record.seen {
            Seen::Air(frame) => row.frame(evidence, capture, frame),
            Seen::Host(packet) => {
                row.kind = protocol(packet);
                (row.from, row.to) = match ends(packet) {
                    Some([from, to]) => (from.to_string(), to.to_string()),
                    None => (packet.src.to_string(), packet.dst.to_string()),
                };
                row.packet(evidence, capture, packet);
            }
            Seen::Other | Seen::Unread => {}
        }
        row
    }

    fn frame(&mut self, evidence: &Evidence, capture: usize, frame: &Frame) {
        self.kind = kind(frame.subtype).to_owned();
        self.from = frame.transmitter.map(|mac| mac.to_string()).unwrap_or_default();
        self.to = frame.receiver.to_string();
        self.length = frame.length;
        self.mbps = frame.radio.speed.map(|speed| speed.mbps);
        self.signal_dbm = frame.radio.signal_dbm;
        self.again = frame.retry;
        if frame.radio.damaged {
            self.say("damaged");
        }
        if frame.subtype == Subtype::Null || frame.power.sleeps {
            self.say(if frame.power.sleeps { "PM=1" } else { "PM=0" });
        }
        if let Some(sequence) = frame.sequence {
            self.say(&format!("seq {sequence}"));
        }
        if frame.retry {
            self.say("retry");
        }
        if let Some(reference) = frame.radio.ampdu {
            self.say(&format!("A-MPDU {reference}"));
        }
        if let Some(told) = frame.block_ack {
            let arrived = told.bitmap.count();
            self.say(&match frame.subtype {
                Subtype::BlockAck => format!("{arrived} arrived from {} on", told.start),
                _ => format!("from {} on", told.start),
            });
        }
        if frame.beacon.is_some_and(|beacon| beacon.indicates) {
            self.say("frames wait");
        }
        if frame.protected {
            self.say("encrypted");
        }
        if let Some(packet) = &frame.packet {
            let (src, dst) = match ends(packet) {
                Some([src, dst]) => (src.to_string(), dst.to_string()),
                None => (packet.src.to_string(), packet.dst.to_string()),
            };
            self.say(&format!("{} {src} to {dst}", protocol(packet)));
            self.packet(evidence, capture, packet);
        }
    }

    fn packet(&mut self, evidence: &Evidence, capture: usize, packet: &Packet) {
        match &packet.transport {
            Transport::Tcp(segment) => {
                let known = evidence.connections.get(capture).into_iter().flatten();
                let ends = ends(packet);
                let number = self.number;
                // Of connections between the same ports, the one that was there by then.
                let mut known = known.filter(|one| {
                    ends.is_some_and(|[src, dst]| one.ends == [src, dst] || one.ends == [dst, src])
                });
                let connection = known.rfind(|one| one.number <= number);
                let from = connection.is_some_and(|one| ends.is_some_and(|ends| one.ends[0] != ends[0]));
                self.segment(segment, connection, usize::from(from));
            }
            Transport::Udp { payload, .. } | Transport::Echo { payload, .. } => {
                self.say(&format!("{payload} octets"))
            }
            Transport::Returned { .. } | Transport::Later(..) | Transport::Cut(_) | Transport::Other(_) => {}
        }
    }

    fn segment(&mut self, segment: &Segment, connection: Option<&Connection>, from: usize) {
        let header = &segment.header;
        for (flag, name) in FLAGS {
            if header.flags.contains(flag) {
                self.say(name);
            }
        }
        // As Wireshark counts: from the initial sequence number on, if the handshake was captured.
        let since = |number: u32, of: usize| {
            let first = connection.and_then(|one| one.offers[of]).map_or(0, |offer| offer.sequence);
            number.wrapping_sub(first)
        };
        self.say(&format!("seq {}", since(header.seq, from)));
        if header.flags.contains(TcpFlags::ACK) {
            self.say(&format!("ack {}", since(header.ack, 1 - from)));
        }
        if segment.payload > 0 {
            self.say(&format!("{} octets", segment.payload));
        }
        for block in header.options.sack.as_slice() {
            let (left, right) = (since(block.left, 1 - from), since(block.right, 1 - from));
            self.say(&format!("SACK {left} to {right}"));
        }
        let again = connection.and_then(|one| {
            let list = one.directions[from].retransmissions.list();
            list.iter().find(|again| again.number == self.number)
        });
        if let Some(again) = again {
            self.again = true;
            let needless = if again.needless.is_some() { ", not needed" } else { "" };
            self.say(&format!("sent again ({}{needless})", again.trigger.name().replace('_', " ")));
        }
    }

    fn say(&mut self, what: &str) {
        let comma = if self.says.is_empty() { "" } else { ", " };
        let _ = write!(self.says, "{comma}{what}");
    }
}

/// Source and destination of a TCP packet.
pub(crate) fn ends(packet: &Packet) -> Option<[SocketAddr; 2]> {
    let Transport::Tcp(segment) = &packet.transport else { return None };
    let header = &segment.header;
    Some([SocketAddr::new(packet.src, header.src_port), SocketAddr::new(packet.dst, header.dst_port)])
}

fn protocol(packet: &Packet) -> String {
    match &packet.transport {
        Transport::Tcp(_) => "TCP".to_owned(),
        Transport::Udp { .. } => "UDP".to_owned(),
        Transport::Echo { kind: EchoKind::Request, .. } => "ICMP echo request".to_owned(),
        Transport::Echo { kind: EchoKind::Reply, .. } => "ICMP echo reply".to_owned(),
        Transport::Returned { why: Some(Hindrance::TooBig { .. }), .. } => {
            "ICMP error about a packet that is too big".to_owned()
        }
        Transport::Returned { echo: None, .. } => "ICMP error: destination unreachable".to_owned(),
        Transport::Returned { .. } => "ICMP error about an echo request".to_owned(),
        Transport::Other(Protocol::ICMP) | Transport::Later(Protocol::ICMP, _) => "ICMP".to_owned(),
        Transport::Cut(protocol) | Transport::Other(protocol) | Transport::Later(protocol, _) => {
            format!("IP protocol {}", protocol.0)
        }
    }
}

/// A frame's kind in the words of 802.11-2020 table 9-1.
const fn kind(subtype: Subtype) -> &'static str {
    match subtype {
        Subtype::Data => "data",
        Subtype::Null => "null",
        Subtype::Association { response: false, again: false } => "association request",
        Subtype::Association { response: true, again: false } => "association response",
        Subtype::Association { response: false, again: true } => "reassociation request",
        Subtype::Association { response: true, again: true } => "reassociation response",
        Subtype::ProbeRequest => "probe request",
        Subtype::ProbeResponse => "probe response",
        Subtype::Beacon => "beacon",
        Subtype::Authentication => "authentication",
        Subtype::Leave => "disassociation or deauthentication",
        Subtype::Action => "action",
        Subtype::BlockAckReq => "BlockAck request",
        Subtype::BlockAck => "BlockAck",
        Subtype::PsPoll => "PS-Poll",
        Subtype::Rts => "RTS",
        Subtype::Cts => "CTS",
        Subtype::Ack => "ACK",
        Subtype::Other => "other",
    }
}
