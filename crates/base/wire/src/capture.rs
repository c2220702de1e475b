//! What capture files of all formats have in common.

use crate::octets::Octets;
use crate::pcapng::InterfaceInfo;
use crate::{pcap, pcapng, snoop};
use std::fmt;
use std::io::{ErrorKind, Read};

/// What the octets of a captured packet begin with (the registry "Link-layer header types" of tcpdump.org).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkType(pub u16);

impl LinkType {
    /// `LINKTYPE_NULL`: an address family in the byte order of the machine that captured.
    pub const NULL: Self = Self(0);
    /// `LINKTYPE_ETHERNET`: an Ethernet header.
    pub const ETHERNET: Self = Self(1);
    /// `LINKTYPE_PPP`: a PPP header, with or without HDLC-like framing.
    pub const PPP: Self = Self(9);
    /// `DLT_RAW` of most systems, as files have it that were written without the registry: an IPv4 or IPv6 header.
    pub const RAW_12: Self = Self(12);
    /// `DLT_RAW` of OpenBSD, likewise.
    pub const RAW_14: Self = Self(14);
    /// `LINKTYPE_PPP_HDLC`: a PPP header with HDLC-like framing, or a header of Cisco's HDLC.
    pub const PPP_HDLC: Self = Self(50);
    /// `LINKTYPE_PPP_ETHER`: a header of PPPoE.
    pub const PPP_ETHER: Self = Self(51);
    /// `LINKTYPE_RAW`: an IPv4 or IPv6 header.
    pub const RAW_IP: Self = Self(101);
    /// `LINKTYPE_C_HDLC`: a header of Cisco's HDLC.
    pub const C_HDLC: Self = Self(104);
    /// `LINKTYPE_IEEE802_11`: an 802.11 header.
    pub const IEEE802_11: Self = Self(105);
    /// `LINKTYPE_LOOP`: an address family in the network's byte order.
    pub const LOOP: Self = Self(108);
    /// `LINKTYPE_LINUX_SLL`: Linux's header of 16 octets for captures of all interfaces.
    pub const LINUX_SLL: Self = Self(113);
    /// `LINKTYPE_IEEE802_11_PRISM`: a header of Prism adapters, then an 802.11 header.
    pub const PRISM: Self = Self(119);
    /// `LINKTYPE_IEEE802_11_RADIOTAP`: radiotap, then an 802.11 header.
    pub const RADIOTAP: Self = Self(127);
    /// `LINKTYPE_IEEE802_11_AVS`: a header of AVS, then an 802.11 header.
    pub const AVS: Self = Self(163);
    /// `LINKTYPE_PPI`: a header that says which link type follows it.
    pub const PPI: Self = Self(192);
    /// `LINKTYPE_IPV4`: an IPv4 header.
    pub const IPV4: Self = Self(228);
    /// `LINKTYPE_IPV6`: an IPv6 header.
    pub const IPV6: Self = Self(229);
    /// `LINKTYPE_NFLOG`: attributes of a packet that Linux's packet filter logged.
    pub const NFLOG: Self = Self(239);
    /// `LINKTYPE_LINUX_SLL2`: Linux's header of 20 octets for captures of all interfaces.
    pub const LINUX_SLL2: Self = Self(276);
    /// What the registry does not have.
    pub const UNKNOWN: Self = Self(u16::MAX);
}

/// A packet in a capture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captured<'a> {
    /// The interface, dense from zero within the file: one that a later section describes as an earlier one did is the same.
    pub interface: u32,
    /// The interface's link type.
    pub link: LinkType,
    /// Nanoseconds since 1970-01-01 UTC; none if the file has none, or one that 64 bits of nanoseconds
    /// cannot.
    pub stamp_ns: Option<u64>,
    /// The captured octets.
    pub data: &'a [u8],
    /// The packet's length in octets before it was cut to the snap length.
    pub original_len: u32,
    /// The first comment.
    pub comment: Option<&'a str>,
}

/// Why a reader stopped before the end of a file. The packets it had yielded stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The file ends inside the block or record that begins at this offset, or its length is a lie.
    Truncated {
        /// Offset in octets from the start of the file.
        offset: u64,
    },
    /// The block or record that begins at this offset contradicts its format.
    Malformed {
        /// Offset in octets from the start of the file.
        offset: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// The file cannot be read from this offset on.
    Unreadable {
        /// Offset in octets from the start of the file.
        offset: u64,
        /// What the operating system says, or what uncompresses the file.
        kind: ErrorKind,
    },
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { offset } => write!(f, "capture is cut short in what begins at octet {offset}"),
            Self::Malformed { what: pcap::NO_CAPTURE, offset: 0 } => {
                write!(f, "not a capture: {}", pcap::NO_CAPTURE)
            }
            Self::Malformed { offset, what } => write!(f, "capture is malformed at octet {offset}: {what}"),
            Self::Unreadable { offset, kind } => {
                write!(f, "capture cannot be read from octet {offset} on: {kind}")
            }
        }
    }
}

impl std::error::Error for Stop {}

/// The packets of a capture file of any format, which may be larger than the memory.
///
/// Yields packets until the end of the file or until something is wrong; then, as the last item, what.
#[derive(Clone, Debug)]
pub struct Reader<R> {
    octets: Octets<R>,
    format: Format,
    /// Octets of the packet that was yielded last, which are consumed with the next.
    yielded: usize,
    over: bool,
}

#[derive(Clone, Debug)]
enum Format {
    Pcap(pcap::Header),
    Pcapng(pcapng::Section),
    Snoop(snoop::Header),
}

impl<R: Read> Reader<R> {
    /// Starts to read a file by its first octets.
    ///
    /// # Errors
    ///
    /// [`Stop`] if they belong to no format, or a classic file header is not complete.
    pub fn new(file: R) -> Result<Self, Stop> {
        let mut octets = Octets::new(file);
        let format = if octets.peek(4)? == pcapng::MAGIC {
            Format::Pcapng(pcapng::Section::default())
        } else if octets.peek(snoop::MAGIC.len())? == snoop::MAGIC {
            Format::Snoop(snoop::Header::take(&mut octets)?)
        } else {
            Format::Pcap(pcap::Header::take(&mut octets)?)
        };
        Ok(Self { octets, format, yielded: 0, over: false })
    }

    /// What is known so far of the interfaces of a pcapng file; of a classic file nothing is.
    pub fn interfaces(&self) -> &[InterfaceInfo] {
        match &self.format {
            Format::Pcap(_) | Format::Snoop(_) => &[],
            Format::Pcapng(section) => section.interfaces(),
        }
    }

    /// Whether further interfaces may be described later in the file, which a pcapng file may do anywhere.
    pub const fn may_describe_more(&self) -> bool {
        matches!(self.format, Format::Pcapng(_))
    }

    /// The next packet, or what is wrong; none at the end of the file and after an error.
    #[expect(clippy::should_implement_trait, reason = "a packet lives no longer than until the next is read")]
    pub fn next(&mut self) -> Option<Result<Captured<'_>, Stop>> {
        if self.over {
            return None;
        }
        self.octets.consume(std::mem::take(&mut self.yielded));
        let Self { octets, format, yielded, over } = self;
        let next = match format {
            Format::Pcap(header) => header.packet(octets, yielded),
            Format::Pcapng(section) => section.packet(octets, yielded),
            Format::Snoop(header) => header.packet(octets, yielded),
        };
        *over = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}
