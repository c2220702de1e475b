//! What Linux puts before the packets of a capture of all interfaces ("cooked" captures, tcpdump.org's link-layer header types).

use crate::bytes::Cursor;
use crate::{Error, EtherType};

/// Packet type "sent by us".
const OUTGOING: u16 = 4;

/// A header of such a capture. It is only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CookedRepr {
    /// Whether the host sent the packet rather than received it.
    pub sent: bool,
    /// What follows.
    pub ethertype: EtherType,
}

impl CookedRepr {
    /// Parses the header of 16 octets (`LINKTYPE_LINUX_SLL`) and returns what follows it.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] below 16 octets.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes);
        let sent = cursor.be16()? == OUTGOING;
        cursor.take(12)?;
        let ethertype = EtherType(cursor.be16()?);
        Ok((Self { sent, ethertype }, cursor.rest()))
    }

    /// Parses the header of 20 octets (`LINKTYPE_LINUX_SLL2`) and returns what follows it.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] below 20 octets.
    pub fn parse_second(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes);
        let ethertype = EtherType(cursor.be16()?);
        cursor.take(8)?;
        let sent = u16::from(cursor.u8()?) == OUTGOING;
        cursor.take(9)?;
        Ok((Self { sent, ethertype }, cursor.rest()))
    }
}
