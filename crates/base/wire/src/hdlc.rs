//! Cisco's HDLC, which routers have on serial links (tcpdump.org, `LINKTYPE_C_HDLC`).

use crate::bytes::Cursor;
use crate::{Error, EtherType};

/// Addresses of a packet for one and for all.
const ADDRESSES: [u8; 2] = [0x0f, 0x8f];

/// Such a header: address, control and an EtherType. It is only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HdlcRepr {
    /// What follows.
    pub ethertype: EtherType,
}

impl HdlcRepr {
    /// Parses a header and returns what follows it.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] below four octets, [`Error::Unsupported`] for another address or control.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes);
        let (address, control) = (cursor.u8()?, cursor.u8()?);
        if !ADDRESSES.contains(&address) || control != 0 {
            return Err(Error::Unsupported("HDLC address"));
        }
        let ethertype = EtherType(cursor.be16()?);
        Ok((Self { ethertype }, cursor.rest()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ethertype_follows_address_and_control() {
        let told = HdlcRepr { ethertype: EtherType::IPV4 };
        assert_eq!(HdlcRepr::parse(&[0x0f, 0, 8, 0, 0x45]), Ok((told, &[0x45][..])));
        assert!(HdlcRepr::parse(&[0xff, 3, 0, 0x21, 0x45]).is_err());
        assert_eq!(HdlcRepr::parse(&[0x8f, 0, 8]), Err(Error::Truncated));
    }
}
