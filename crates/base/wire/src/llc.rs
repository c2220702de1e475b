//! LLC and SNAP, which carry an EtherType inside 802.11 data frames.

use crate::bytes::Cursor;
use crate::{Error, EtherType};

/// DSAP, SSAP (both SNAP), control (unnumbered information) and the OUI of encapsulated Ethernet (RFC 1042).
const PREFIX: [u8; 6] = [0xaa, 0xaa, 0x03, 0x00, 0x00, 0x00];

/// An LLC/SNAP header with the OUI 00-00-00 (RFC 1042; IEEE 802-2014 clause 9.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapRepr {
    /// What follows.
    pub ethertype: EtherType,
}

impl SnapRepr {
    /// Length of the header in octets.
    pub const LEN: usize = 8;

    /// Appends the header.
    pub fn emit(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&PREFIX);
        out.extend_from_slice(&self.ethertype.0.to_be_bytes());
    }

    /// Parses a header and returns what follows it.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] below 8 octets; [`Error::Unsupported`] for any LLC header other than SNAP with OUI
    /// 00-00-00.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes);
        let prefix: [u8; 6] = cursor.array()?;
        let ethertype = EtherType(cursor.be16()?);
        if prefix != PREFIX {
            return Err(Error::Unsupported("LLC other than SNAP with OUI 00-00-00"));
        }
        Ok((Self { ethertype }, cursor.rest()))
    }
}
