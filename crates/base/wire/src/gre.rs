//! What lies within a tunnel's packet: GRE of both versions with what it carries, ERSPAN among that, and IP in IP.

use crate::bytes::Cursor;
use crate::ieee80211::Frame as Parsed;
use crate::tunnels::behind_ppp;
use crate::{Error, EtherType, EthernetRepr, Protocol, SnapRepr};

/// IPv4 and IPv6 within IP (RFC 2003, RFC 4213), and GRE (RFC 2784).
const IPV4: Protocol = Protocol(4);
const IPV6: Protocol = Protocol(41);
const GRE: Protocol = Protocol(47);

/// Flags of GRE: a checksum, a route (RFC 1701), a key, a sequence number (RFC 2784, RFC 2890), in version 1 an acknowledgment (RFC 2637 section 4.1); and the version.
const CHECKSUM: u16 = 0x8000;
const ROUTE: u16 = 0x4000;
const KEY: u16 = 0x2000;
const SEQUENCE: u16 = 0x1000;
const ACKNOWLEDGMENT: u16 = 0x0080;
const VERSION: u16 = 7;

/// What GRE carries, beside what Ethernet does: frames of Ethernet (RFC 1701), PPP (RFC 2637), and mirrored frames (draft-foschiano-erspan-03 sections 4.1 to 4.3).
const BRIDGED: u16 = 0x6558;
const PPP: u16 = 0x880b;
const ERSPAN: u16 = 0x88be;
const ERSPAN_III: u16 = 0x22eb;
/// Frames of 802.11 between Aruba's access points and their controller, each kind 16 above the one before (Wireshark 4.0, `packet-gre.h`: `GRE_ARUBA_8200` to `GRE_ARUBA_8370`).
const FIRST_OF_AIR: u16 = 0x8200;
const LAST_OF_AIR: u16 = 0x8370;
/// The headers of ERSPAN of type II and III, and one more that a flag of the latter says follows, in octets.
const SECOND: usize = 8;
const THIRD: usize = 12;
const PLATFORM: usize = 8;
/// What was mirrored, in the last octet but one of ERSPAN's third header: zero for Ethernet, 2 for an IP packet (draft-foschiano-erspan-03 section 4.3).
const FRAME_TYPE: u8 = 0x7c;

impl Protocol {
    /// Whether what has this protocol is a tunnel's packet, within which [`Protocol::within`] may find another one.
    pub const fn is_tunnel(self) -> bool {
        matches!(self, IPV4 | IPV6 | GRE)
    }

    /// What lies within a tunnel's packet that has this protocol, and its type.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] if a header is not complete, [`Error::Unsupported`] if this is no tunnel, or carries nothing that can be read.
    pub fn within(self, bytes: &[u8]) -> Result<(EtherType, &[u8]), Error> {
        match self {
            IPV4 => Ok((EtherType::IPV4, bytes)),
            IPV6 => Ok((EtherType::IPV6, bytes)),
            GRE => gre(bytes),
            _ => Err(Error::Unsupported("protocol of no tunnel")),
        }
    }
}

fn gre(bytes: &[u8]) -> Result<(EtherType, &[u8]), Error> {
    let mut cursor = Cursor::new(bytes);
    let (flags, kind) = (cursor.be16()?, cursor.be16()?);
    if flags & ROUTE != 0 || flags & VERSION > 1 {
        return Err(Error::Unsupported("GRE with a route, or of another version"));
    }
    let is_second = flags & VERSION == 1;
    // Version 1 has no checksum, and the other no acknowledgment.
    let last = if is_second { ACKNOWLEDGMENT } else { CHECKSUM };
    let words = [KEY, SEQUENCE, last].into_iter().filter(|flag| flags & flag != 0).count();
    cursor.take(4 * words)?;
    if is_second && (kind != PPP || flags & SEQUENCE == 0) {
        return Err(Error::Unsupported("GRE without a payload"));
    }
    match kind {
        PPP => behind_ppp(cursor.rest()),
        BRIDGED => bridged(cursor),
        // The first type has no header of its own, and no numbers.
        ERSPAN if flags & SEQUENCE == 0 => bridged(cursor),
        ERSPAN => {
            cursor.take(SECOND)?;
            bridged(cursor)
        }
        ERSPAN_III => {
            let header = cursor.take(THIRD)?;
            if header[THIRD - 2] & FRAME_TYPE != 0 {
                return Err(Error::Unsupported("ERSPAN of what is not Ethernet"));
            }
            let has_more = header[THIRD - 1] & 1 != 0;
            cursor.take(if has_more { PLATFORM } else { 0 })?;
            bridged(cursor)
        }
        FIRST_OF_AIR..=LAST_OF_AIR if kind % 16 == 0 => of_air(cursor.rest()),
        kind => Ok((EtherType(kind), cursor.rest())),
    }
}

fn bridged(cursor: Cursor<'_>) -> Result<(EtherType, &[u8]), Error> {
    let (header, rest) = EthernetRepr::parse(cursor.rest())?;
    Ok((header.ethertype, rest))
}

/// What an unencrypted data frame of the air carries.
fn of_air(mpdu: &[u8]) -> Result<(EtherType, &[u8]), Error> {
    let Parsed::Data { header, body } = Parsed::parse(mpdu)? else {
        return Err(Error::Unsupported("a frame without data"));
    };
    if header.flags.protected || header.qos.is_some_and(|qos| qos.amsdu) {
        return Err(Error::Unsupported("a frame that is encrypted, or carries several"));
    }
    let (snap, rest) = SnapRepr::parse(body)?;
    Ok((snap.ethertype, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const IP: [u8; 2] = [0x45, 0];

    /// What lies within these octets of GRE and an IP packet; nothing that is cut shorter may be read as one.
    fn within(octets: &[u8]) -> Result<EtherType, Error> {
        let whole = [octets, &IP].concat();
        for cut in 0..octets.len() {
            assert!(GRE.within(&whole[..cut]).is_err(), "{octets:02x?} {cut}");
        }
        GRE.within(&whole).map(|(ethertype, rest)| {
            assert_eq!(rest, IP, "{octets:02x?}");
            ethertype
        })
    }

    #[test]
    fn what_gre_carries_lies_behind_the_fields_that_its_flags_say() {
        let frame = [&[2; 12][..], &[8, 0]].concat();
        let with = |header: &[u8]| [header, &frame].concat();
        for octets in [
            vec![0, 0, 8, 0],
            vec![0x80, 0, 8, 0, 1, 2, 0, 0],
            vec![0xb0, 0, 8, 0, 1, 2, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1],
            // Version 1 of PPTP: a key, a number and an acknowledgment; framing or none.
            vec![0x30, 0x81, 0x88, 0x0b, 0, 6, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0xff, 3, 0, 0x21],
            vec![0x30, 0x01, 0x88, 0x0b, 0, 3, 0, 1, 0, 0, 0, 1, 0x21],
            with(&[0x20, 0, 0x65, 0x58, 0, 0, 1, 0]),
            with(&[0, 0, 0x88, 0xbe]),
            with(&[0x10, 0, 0x88, 0xbe, 0, 0, 0, 1, 0x10, 1, 0, 1, 0, 0, 0, 1]),
            with(&[0x10, 0, 0x22, 0xeb, 0, 0, 0, 1, 0x20, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]),
            with(&[
                0x10, 0, 0x22, 0xeb, 0, 0, 0, 1, 0x20, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 9, 9, 9, 9, 9, 9,
                9,
            ]),
        ] {
            assert_eq!(within(&octets), Ok(EtherType::IPV4), "{octets:02x?}");
        }
    }

    /// The first packets of `gre-aruba.pcap` and, within one tunnel, of `gre-within-gre.pcap` of Zeek's tests, from GRE to the ports of TCP and the kind of ICMP.
    #[test]
    fn what_strangers_tunnels_carry_is_found() {
        let aruba = [
            &[0x00, 0x00, 0x82, 0x00, 0x88, 0x01, 0x00, 0x00, 0xf0, 0x5c, 0x19, 0x7c, 0x8d, 0x70][..],
            &[0x5c, 0x5f, 0x67, 0x02, 0x2e, 0x7a, 0x00, 0x11, 0xdc, 0x00, 0x00, 0x01, 0x80, 0x7d, 0, 0],
            &[0xaa, 0xaa, 0x03, 0x00, 0x00, 0x00, 0x08, 0x00, 0x45, 0x00, 0x00, 0x28, 0x6e, 0xa8, 0x40, 0],
            &[0x80, 0x06, 0xb7, 0xe2, 0x0a, 0x25, 0x24, 0x5c, 0xcd, 0xb9, 0xd8, 0x0a, 0xe6, 0x5d, 0, 0x50],
        ]
        .concat();
        assert_eq!(GRE.within(&aruba), Ok((EtherType::IPV4, &aruba[38..])));
        let encrypted = [&aruba[..5], &[0x41], &aruba[6..]].concat();
        assert!(matches!(GRE.within(&encrypted), Err(Error::Unsupported(_))));
        let nested = [0, 0, 8, 0, 0x45, 0, 0, 0x64, 0x23, 0xb8, 0, 0, 0xff, 1, 0xb3, 0x2b, 10, 10, 0x19, 1];
        assert_eq!(GRE.within(&nested), Ok((EtherType::IPV4, &nested[4..])));
    }

    #[test]
    fn what_carries_nothing_that_can_be_read_says_so() {
        for octets in [
            // An acknowledgment of PPTP alone, a route, version 2, PPP that is encrypted, and a mirrored packet without Ethernet.
            &[0x20, 0x81, 0x88, 0x0b, 0, 0, 0, 1, 0, 0, 0, 1][..],
            &[0x40, 0, 8, 0, 0, 0, 0, 0],
            &[0, 2, 8, 0],
            &[0x30, 0x01, 0x88, 0x0b, 0, 3, 0, 1, 0, 0, 0, 1, 0xfd],
            &[0x10, 0, 0x22, 0xeb, 0, 0, 0, 1, 0x20, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0x08, 0, 0x45, 0],
        ] {
            assert!(matches!(GRE.within(octets), Err(Error::Unsupported(_))), "{octets:02x?}");
        }
        assert!(Protocol::UDP.within(&IP).is_err() && !Protocol::UDP.is_tunnel());
        assert_eq!(IPV6.within(&[0x60]), Ok((EtherType::IPV6, &[0x60][..])));
    }
}
