//! What capture files of all formats have in common.

use crate::{pcap, pcapng};
use std::fmt;

/// What the octets of a captured packet begin with (the registry "Link-layer header types" of tcpdump.org).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkType(pub u16);

impl LinkType {
    /// `LINKTYPE_ETHERNET`: an Ethernet header.
    pub const ETHERNET: Self = Self(1);
    /// `LINKTYPE_RAW`: an IPv4 or IPv6 header.
    pub const RAW_IP: Self = Self(101);
    /// `LINKTYPE_IEEE802_11_RADIOTAP`: radiotap, then an 802.11 header.
    pub const RADIOTAP: Self = Self(127);
}

/// A packet in a capture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captured<'a> {
    /// The interface, dense from zero within a section of the file.
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
        offset: usize,
    },
    /// The block or record that begins at this offset contradicts its format.
    Malformed {
        /// Offset in octets from the start of the file.
        offset: usize,
        /// What is wrong.
        what: &'static str,
    },
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { offset } => write!(f, "capture is cut short in what begins at octet {offset}"),
            Self::Malformed { offset, what } => write!(f, "capture is malformed at octet {offset}: {what}"),
        }
    }
}

impl std::error::Error for Stop {}

/// The packets of a capture file of either format.
///
/// Yields packets until the end of the file or until something is wrong; then, as the last item, what.
#[derive(Clone, Debug)]
pub enum Reader<'a> {
    /// The file is classic pcap.
    Pcap(pcap::Reader<'a>),
    /// The file is pcapng.
    Pcapng(pcapng::Reader<'a>),
}

impl<'a> Reader<'a> {
    /// Starts to read a file by its first octets.
    ///
    /// # Errors
    ///
    /// [`Stop`] if they belong to neither format, or a classic file header is not complete.
    pub fn new(file: &'a [u8]) -> Result<Self, Stop> {
        if file.starts_with(&pcapng::MAGIC) {
            Ok(Self::Pcapng(pcapng::Reader::new(file)))
        } else {
            pcap::Reader::new(file).map(Self::Pcap)
        }
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Result<Captured<'a>, Stop>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Pcap(reader) => reader.next(),
            Self::Pcapng(reader) => reader.next(),
        }
    }
}
