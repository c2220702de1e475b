//! UDP headers.

use crate::bytes::Cursor;
use crate::checksum::Sum;
use crate::{Error, Payload, Protocol};
use std::net::Ipv4Addr;

/// A UDP header (RFC 768).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UdpRepr {
    /// The source port.
    pub src_port: u16,
    /// The destination port.
    pub dst_port: u16,
}

impl UdpRepr {
    /// Length of the header in octets.
    pub const LEN: usize = 8;

    /// Appends the header, with the length and the checksum that go with `payload`. The payload itself is not appended.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if header and payload exceed 65535 octets; nothing is appended then.
    pub fn emit(
        &self,
        src: Ipv4Addr,
        dst: Ipv4Addr,
        payload: Payload<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let len = u16::try_from(payload.len().saturating_add(Self::LEN))
            .map_err(|_| Error::TooLong("UDP length"))?;
        let mut header = [0; Self::LEN];
        header[0..2].copy_from_slice(&self.src_port.to_be_bytes());
        header[2..4].copy_from_slice(&self.dst_port.to_be_bytes());
        header[4..6].copy_from_slice(&len.to_be_bytes());
        let sum = Sum::pseudo_header(src, dst, Protocol::UDP, len).include(&header);
        // Zero on the wire means "no checksum", so a computed zero is sent as its other representation.
        let checksum = match payload.add_to(sum).finish() {
            0 => 0xffff,
            checksum => checksum,
        };
        header[6..8].copy_from_slice(&checksum.to_be_bytes());
        out.extend_from_slice(&header);
        Ok(())
    }

    /// Parses a header and returns its payload: what of it was captured, and nothing beyond its length field.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] below 8 octets; [`Error::Malformed`] if the length field is below 8.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes);
        let repr = Self { src_port: cursor.be16()?, dst_port: cursor.be16()? };
        let payload_len =
            usize::from(cursor.be16()?).checked_sub(Self::LEN).ok_or(Error::Malformed("UDP length"))?;
        cursor.be16()?;
        Ok((repr, &cursor.rest()[..payload_len.min(cursor.rest().len())]))
    }

    /// Whether a whole datagram, header and payload, has a correct checksum or none.
    pub fn checksum_ok(src: Ipv4Addr, dst: Ipv4Addr, datagram: &[u8]) -> bool {
        let Ok(len) = u16::try_from(datagram.len()) else {
            return false;
        };
        match datagram {
            [_, _, _, _, _, _, 0, 0, ..] => true,
            _ => Sum::pseudo_header(src, dst, Protocol::UDP, len).include(datagram).finish() == 0,
        }
    }
}
