//! What lies before packets on a point-to-point link (RFC 1661; RFC 1662 for the address and control octets).

use crate::bytes::Cursor;
use crate::{Error, EtherType};

/// Address and control of HDLC-like framing, which come first where it is in use (RFC 1662 section 3.1).
const FRAMING: [u8; 2] = [0xff, 0x03];
/// Protocol numbers of IPv4 and IPv6 (RFC 1332 section 2; RFC 5072 section 2).
const IPV4: u16 = 0x0021;
const IPV6: u16 = 0x0057;
/// Labels of MPLS, for one and for many (RFC 3032 section 4.3).
const LABELLED: u16 = 0x0281;
const LABELLED_FOR_MANY: u16 = 0x0283;

/// A header of such a link. It is only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PppRepr {
    /// What follows, by PPP's own number.
    pub protocol: u16,
}

impl PppRepr {
    /// Parses the header and returns what follows it. A protocol number of one octet is odd (RFC 1661 section 2).
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] if it ends before the protocol does.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes.strip_prefix(&FRAMING).unwrap_or(bytes));
        let first = cursor.u8()?;
        let second = if first & 1 == 0 { Some(cursor.u8()?) } else { None };
        let protocol = second.map_or(u16::from(first), |second| u16::from_be_bytes([first, second]));
        Ok((Self { protocol }, cursor.rest()))
    }

    /// What follows as Ethernet names it; none if it is no IP packet.
    pub const fn ethertype(&self) -> Option<EtherType> {
        match self.protocol {
            IPV4 => Some(EtherType::IPV4),
            IPV6 => Some(EtherType::IPV6),
            LABELLED => Some(EtherType(0x8847)),
            LABELLED_FOR_MANY => Some(EtherType(0x8848)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_protocol_follows_with_and_without_framing() {
        for (octets, kind) in [
            (&[0x00, 0x21, 0x45][..], Some(EtherType::IPV4)),
            (&[0x21, 0x45], Some(EtherType::IPV4)),
            (&[0xff, 0x03, 0x00, 0x57, 0x45], Some(EtherType::IPV6)),
            (&[0xff, 0x03, 0x02, 0x81, 0x45], Some(EtherType(0x8847))),
            (&[0xff, 0x03, 0xc0, 0x21, 0x45], None),
        ] {
            let (header, rest) = PppRepr::parse(octets).unwrap();
            assert_eq!((header.ethertype(), rest), (kind, &[0x45][..]));
        }
    }

    #[test]
    fn a_header_that_was_cut_is_refused() {
        for octets in [&[][..], &[0x00], &[0xff, 0x03], &[0xff, 0x03, 0xc0]] {
            assert_eq!(PppRepr::parse(octets), Err(Error::Truncated));
        }
    }
}
