//! What lies between a frame's header and the IP packet in it: tags of VLANs, labels of MPLS, sessions of PPPoE.

use crate::bytes::Cursor;
use crate::{Error, EtherType, PppRepr};

/// Tags of VLANs (802.1Q-2022 table 9-1), and what other machines give to an outer one.
const TAGS: [EtherType; 4] = [EtherType(0x8100), EtherType(0x88a8), EtherType(0x9100), EtherType(0x9200)];
/// Labels (RFC 3032 section 5), for one and for many.
const LABELS: [EtherType; 2] = [EtherType(0x8847), EtherType(0x8848)];
/// The last label of a packet has this bit (RFC 3032 section 2.1).
const LAST: u32 = 1 << 8;
/// A session of PPP over Ethernet (RFC 2516 section 4): version and type, and the code of data.
const SESSION: EtherType = EtherType(0x8864);
const VERSION_AND_TYPE: u8 = 0x11;
const DATA: u8 = 0;

impl EtherType {
    /// What lies behind all tags, labels and sessions that follow this, and its type.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] if one of them is not complete, [`Error::Unsupported`] if it carries no IP packet.
    pub fn innermost(self, bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let (mut ethertype, mut cursor) = (self, Cursor::new(bytes));
        while TAGS.contains(&ethertype) {
            cursor.take(2)?;
            ethertype = Self(cursor.be16()?);
        }
        if LABELS.contains(&ethertype) {
            while cursor.be32()? & LAST == 0 {}
            // Nothing says what follows, so the first octet has to.
            ethertype = match cursor.rest().first().ok_or(Error::Truncated)? >> 4 {
                4 => Self::IPV4,
                6 => Self::IPV6,
                _ => return Err(Error::Unsupported("what follows labels of MPLS")),
            };
        }
        if ethertype == SESSION {
            let (inner, rest) = session(cursor.rest())?;
            return if LABELS.contains(&inner) { inner.innermost(rest) } else { Ok((inner, rest)) };
        }
        Ok((ethertype, cursor.rest()))
    }
}

/// What a packet of a session carries.
///
/// # Errors
///
/// [`Error::Truncated`] if its header is not complete, [`Error::Unsupported`] if it carries no IP packet.
pub fn session(bytes: &[u8]) -> Result<(EtherType, &[u8]), Error> {
    let mut cursor = Cursor::new(bytes);
    let (version, code) = (cursor.u8()?, cursor.u8()?);
    // The session's number, and the length.
    cursor.take(4)?;
    if (version, code) != (VERSION_AND_TYPE, DATA) {
        return Err(Error::Unsupported("PPPoE"));
    }
    behind_ppp(cursor.rest())
}

/// What a header of PPP says that follows it.
pub(crate) fn behind_ppp(bytes: &[u8]) -> Result<(EtherType, &[u8]), Error> {
    let (ppp, rest) = PppRepr::parse(bytes)?;
    Ok((ppp.ethertype().ok_or(Error::Unsupported("protocol of PPP"))?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_packet_is_found() {
        let ip = &[0x45, 0][..];
        for (ethertype, octets) in [
            (0x0800, vec![]),
            // An inner tag in an outer one of either kind.
            (0x88a8, vec![0, 5, 0x81, 0, 0, 6, 8, 0]),
            (0x9100, vec![0, 5, 0x81, 0, 0, 6, 8, 0]),
            // Labels 16 and 17, of which the second is the last; time to live 64.
            (0x8847, vec![0, 1, 0, 64, 0, 1, 0x11, 64]),
            // A session of PPP in a VLAN.
            (0x8100, vec![0, 7, 0x88, 0x64, 0x11, 0, 0, 1, 0, 4, 0, 0x21]),
            // A label in such a session.
            (0x8864, vec![0x11, 0, 0, 1, 0, 8, 2, 0x81, 0, 1, 1, 64]),
        ] {
            let octets = [&octets[..], ip].concat();
            assert_eq!(EtherType(ethertype).innermost(&octets), Ok((EtherType::IPV4, ip)), "{ethertype:x}");
            for cut in 0..octets.len() - 2 {
                assert!(EtherType(ethertype).innermost(&octets[..cut]).is_err(), "{ethertype:x} {cut}");
            }
        }
        assert!(EtherType(0x8864).innermost(&[0x11, 0x09, 0, 0, 0, 0, 0, 0x21]).is_err());
    }
}
