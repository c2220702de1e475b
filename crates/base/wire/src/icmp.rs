//! ICMP echo.

use crate::bytes::Cursor;
use crate::checksum::Sum;
use crate::{Error, Payload};

/// Which half of a ping (RFC 792, "Echo or Echo Reply Message").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EchoKind {
    /// Type 8.
    Request,
    /// Type 0.
    Reply,
}

/// The header of an echo message (RFC 792).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EchoRepr {
    /// Request or reply.
    pub kind: EchoKind,
    /// Distinguishes the pings of one process from those of another.
    pub ident: u16,
    /// Counts the pings.
    pub sequence: u16,
}

impl EchoRepr {
    /// Length of the header in octets.
    pub const LEN: usize = 8;

    /// Appends the header with the checksum that goes with `payload`. The payload itself is not appended.
    pub fn emit(&self, payload: Payload<'_>, out: &mut Vec<u8>) {
        let mut header = [0; Self::LEN];
        header[0] = match self.kind {
            EchoKind::Request => 8,
            EchoKind::Reply => 0,
        };
        header[4..6].copy_from_slice(&self.ident.to_be_bytes());
        header[6..8].copy_from_slice(&self.sequence.to_be_bytes());
        let checksum = payload.add_to(Sum::new().include(&header)).finish();
        header[2..4].copy_from_slice(&checksum.to_be_bytes());
        out.extend_from_slice(&header);
    }

    /// Parses a header and returns the payload.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] below 8 octets; [`Error::Unsupported`] for any other ICMP message.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes);
        let kind = match cursor.array()? {
            [8, 0] => EchoKind::Request,
            [0, 0] => EchoKind::Reply,
            _ => return Err(Error::Unsupported("ICMP message other than echo")),
        };
        cursor.be16()?;
        let repr = Self { kind, ident: cursor.be16()?, sequence: cursor.be16()? };
        Ok((repr, cursor.rest()))
    }

    /// Whether a whole message, header and payload, has a correct checksum.
    pub fn checksum_ok(message: &[u8]) -> bool {
        Sum::new().include(message).finish() == 0
    }
}
