//! Ethernet II frames, as a capture on Linux sees them: without preamble, padding and frame check sequence.

use crate::bytes::Cursor;
use crate::{Error, MacAddr};

/// An EtherType (IEEE 802.3-2018 clause 3.2.6; the IANA registry "ETHER TYPES").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EtherType(pub u16);

impl EtherType {
    /// IPv4 (RFC 894).
    pub const IPV4: Self = Self(0x0800);
    /// ARP (RFC 826).
    pub const ARP: Self = Self(0x0806);
    /// IPv6 (RFC 2464 section 3).
    pub const IPV6: Self = Self(0x86dd);
    /// EAPOL: the keys of a link, and who may use it (802.1X-2020 table 11-1).
    pub const EAPOL: Self = Self(0x888e);
}

/// An Ethernet II header (IEEE 802.3-2018 clause 3.2; RFC 894).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EthernetRepr {
    /// The destination.
    pub dst: MacAddr,
    /// The source.
    pub src: MacAddr,
    /// What follows.
    pub ethertype: EtherType,
}

impl EthernetRepr {
    /// Length of the header in octets.
    pub const LEN: usize = 14;

    /// Appends the header.
    pub fn emit(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.dst.0);
        out.extend_from_slice(&self.src.0);
        out.extend_from_slice(&self.ethertype.0.to_be_bytes());
    }

    /// Parses a header and returns what follows it.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] below 14 octets; [`Error::Unsupported`] for an IEEE 802.3 length in the place of the type
    /// (below 0x0600).
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes);
        let (dst, src) = (MacAddr(cursor.array()?), MacAddr(cursor.array()?));
        let ethertype = EtherType(cursor.be16()?);
        if ethertype.0 < 0x0600 {
            return Err(Error::Unsupported("802.3 length field"));
        }
        Ok((Self { dst, src, ethertype }, cursor.rest()))
    }
}
