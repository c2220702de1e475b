//! IPv4 headers.

use crate::Error;
use crate::bytes::Cursor;
use crate::checksum::Sum;
use std::cmp::Ordering;
use std::net::Ipv4Addr;

/// The protocol above IP (RFC 791 section 3.1; the IANA registry "Assigned Internet Protocol Numbers").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Protocol(pub u8);

impl Protocol {
    /// ICMP (RFC 792).
    pub const ICMP: Self = Self(1);
    /// TCP (RFC 9293).
    pub const TCP: Self = Self(6);
    /// UDP (RFC 768).
    pub const UDP: Self = Self(17);
}

/// The ECN field (RFC 3168 section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ecn {
    /// The transport knows nothing of ECN (00).
    #[default]
    NotEct,
    /// ECN-capable transport, codepoint 01 (L4S: RFC 9331 section 2).
    Ect1,
    /// ECN-capable transport, codepoint 10.
    Ect0,
    /// Congestion experienced (11).
    Ce,
}

impl Ecn {
    const fn bits(self) -> u8 {
        match self {
            Self::NotEct => 0,
            Self::Ect1 => 1,
            Self::Ect0 => 2,
            Self::Ce => 3,
        }
    }

    pub(crate) const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::NotEct,
            1 => Self::Ect1,
            2 => Self::Ect0,
            _ => Self::Ce,
        }
    }

    /// Marks the packet if its transport is ECN-capable; returns whether it is marked now.
    pub const fn mark(&mut self) -> bool {
        match self {
            Self::NotEct => false,
            Self::Ect0 | Self::Ect1 | Self::Ce => {
                *self = Self::Ce;
                true
            }
        }
    }
}

/// An IPv4 header without options (RFC 791 section 3.1). Options are skipped when parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ipv4Repr {
    /// The source.
    pub src: Ipv4Addr,
    /// The destination.
    pub dst: Ipv4Addr,
    /// The protocol of the payload.
    pub protocol: Protocol,
    /// Differentiated services codepoint, six bits (RFC 2474 section 3); higher bits are ignored.
    pub dscp: u8,
    /// Explicit congestion notification.
    pub ecn: Ecn,
    /// Identification.
    pub ident: u16,
    /// Don't fragment.
    pub dont_fragment: bool,
    /// More fragments follow.
    pub more_fragments: bool,
    /// Fragment offset in units of 8 octets, thirteen bits; higher bits are ignored.
    pub fragment_offset: u16,
    /// Time to live, in hops.
    pub ttl: u8,
    /// Length of the payload in octets, as in the header: a capture may hold less.
    pub payload_len: u16,
}

impl Ipv4Repr {
    /// Length of a header without options, in octets.
    pub const LEN: usize = 20;

    /// A header such as Linux gives to a packet of a plain socket: may not be fragmented, 64 hops, best effort.
    pub const fn new(src: Ipv4Addr, dst: Ipv4Addr) -> Self {
        Self {
            src,
            dst,
            protocol: Protocol::TCP,
            dscp: 0,
            ecn: Ecn::NotEct,
            ident: 0,
            dont_fragment: true,
            more_fragments: false,
            fragment_offset: 0,
            ttl: 64,
            payload_len: 0,
        }
    }

    /// Appends the header with its checksum.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if header and payload exceed 65535 octets; nothing is appended then.
    pub fn emit(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let total =
            self.payload_len.checked_add(Self::LEN as u16).ok_or(Error::TooLong("IPv4 total length"))?;
        let fragmentation = u16::from(self.dont_fragment) << 14
            | u16::from(self.more_fragments) << 13
            | self.fragment_offset & 0x1fff;
        let mut header = [0; Self::LEN];
        header[0] = 0x45;
        header[1] = self.dscp << 2 | self.ecn.bits();
        header[2..4].copy_from_slice(&total.to_be_bytes());
        header[4..6].copy_from_slice(&self.ident.to_be_bytes());
        header[6..8].copy_from_slice(&fragmentation.to_be_bytes());
        header[8] = self.ttl;
        header[9] = self.protocol.0;
        header[12..16].copy_from_slice(&self.src.octets());
        header[16..20].copy_from_slice(&self.dst.octets());
        let checksum = Sum::new().include(&header).finish();
        header[10..12].copy_from_slice(&checksum.to_be_bytes());
        out.extend_from_slice(&header);
        Ok(())
    }

    /// Parses a header and returns its payload: what of it was captured, and no link-layer padding. The checksum is
    /// not judged: see [`checksum_ok`](Self::checksum_ok).
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] if the header is not complete, [`Error::Unsupported`] for another IP version,
    /// [`Error::Malformed`] if the header's lengths contradict each other.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let header_len = header_len(bytes)?;
        let (header, rest) = bytes.split_at_checked(header_len).ok_or(Error::Truncated)?;
        let mut cursor = Cursor::new(&header[1..]);
        let service = cursor.u8()?;
        let total = usize::from(cursor.be16()?);
        let ident = cursor.be16()?;
        let fragmentation = cursor.be16()?;
        let (ttl, protocol) = (cursor.u8()?, Protocol(cursor.u8()?));
        cursor.be16()?;
        let (src, dst) = (cursor.array::<4>()?.into(), cursor.array::<4>()?.into());
        let payload_len = total.checked_sub(header_len).ok_or(Error::Malformed("IPv4 total length"))?;
        let repr = Self {
            src,
            dst,
            protocol,
            dscp: service >> 2,
            ecn: Ecn::from_bits(service),
            ident,
            dont_fragment: fragmentation & 0x4000 != 0,
            more_fragments: fragmentation & 0x2000 != 0,
            fragment_offset: fragmentation & 0x1fff,
            ttl,
            payload_len: payload_len as u16,
        };
        Ok((repr, &rest[..payload_len.min(rest.len())]))
    }

    /// Sets the ECN field of the header at the start of `bytes` to congestion experienced, and updates its checksum by
    /// RFC 1624 equation 3, as routers do (Linux `IP_ECN_set_ce()`): a checksum that was wrong stays wrong.
    /// A header that is marked already, or not complete, is left as it is.
    pub fn mark_congestion(bytes: &mut [u8]) {
        let Some(header) = bytes.first_chunk_mut::<{ Self::LEN }>() else { return };
        let marked = header[1] | Ecn::Ce.bits();
        if header[1] == marked {
            return;
        }
        let word = |high, low| u16::from_be_bytes([high, low]);
        let (before, after) = (word(header[0], header[1]), word(header[0], marked));
        let sum = u32::from(!word(header[10], header[11])) + u32::from(!before) + u32::from(after);
        let sum = (sum & 0xffff) + (sum >> 16);
        let sum = (sum & 0xffff) + (sum >> 16);
        header[1] = marked;
        header[10..12].copy_from_slice(&(!(sum as u16)).to_be_bytes());
    }

    /// As [`parse`](Self::parse), of octets that are one whole packet and nothing else.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), and [`Error::Truncated`] or [`Error::Malformed`] if there are fewer octets or more than in the
    /// header.
    pub fn parse_whole(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let (repr, payload) = Self::parse(bytes)?;
        match bytes.len().cmp(&(header_len(bytes)? + usize::from(repr.payload_len))) {
            Ordering::Less => Err(Error::Truncated),
            Ordering::Equal => Ok((repr, payload)),
            Ordering::Greater => Err(Error::Malformed("IPv4 total length")),
        }
    }

    /// Whether the header at the start of `bytes` has a correct checksum.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), for the lengths.
    pub fn checksum_ok(bytes: &[u8]) -> Result<bool, Error> {
        let header = bytes.get(..header_len(bytes)?).ok_or(Error::Truncated)?;
        Ok(Sum::new().include(header).finish() == 0)
    }
}

/// The header's length in octets, from its first octet.
fn header_len(bytes: &[u8]) -> Result<usize, Error> {
    let first = *bytes.first().ok_or(Error::Truncated)?;
    if first >> 4 != 4 {
        return Err(Error::Unsupported("IP version"));
    }
    let len = usize::from(first & 15) * 4;
    if len < Ipv4Repr::LEN {
        return Err(Error::Malformed("IPv4 header length"));
    }
    Ok(len)
}
