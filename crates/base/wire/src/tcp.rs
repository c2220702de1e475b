//! TCP headers.

mod options;

pub use options::{SackBlock, SackBlocks, TcpOptions, Timestamps};

use crate::bytes::Cursor;
use crate::checksum::Sum;
use crate::{Error, Payload, Protocol};
use std::net::Ipv4Addr;
use std::ops::BitOr;

/// The control bits of a TCP header (RFC 9293 section 3.1), and whatever stands in the reserved bits above them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TcpFlags(pub u16);

impl TcpFlags {
    /// The sender has no more data.
    pub const FIN: Self = Self(0x001);
    /// Sequence numbers are synchronised.
    pub const SYN: Self = Self(0x002);
    /// The connection is reset.
    pub const RST: Self = Self(0x004);
    /// The data should be pushed to the application.
    pub const PSH: Self = Self(0x008);
    /// The acknowledgment number is significant.
    pub const ACK: Self = Self(0x010);
    /// The urgent pointer is significant.
    pub const URG: Self = Self(0x020);
    /// A congestion mark was seen (RFC 3168 section 6.1).
    pub const ECE: Self = Self(0x040);
    /// The congestion window was reduced (RFC 3168 section 6.1).
    pub const CWR: Self = Self(0x080);
    /// Accurate ECN (RFC 9768 section 3.1); formerly the nonce sum.
    pub const AE: Self = Self(0x100);

    /// Whether all of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for TcpFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A TCP header (RFC 9293 section 3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpRepr {
    /// The source port.
    pub src_port: u16,
    /// The destination port.
    pub dst_port: u16,
    /// Sequence number of the first octet, or of the SYN.
    pub seq: u32,
    /// The next sequence number expected from the other side.
    pub ack: u32,
    /// The control bits; bits above the twelfth are ignored.
    pub flags: TcpFlags,
    /// The receive window as on the wire, not yet scaled (RFC 7323 section 2.2).
    pub window: u16,
    /// The urgent pointer.
    pub urgent: u16,
    /// The options.
    pub options: TcpOptions,
}

impl TcpRepr {
    /// Length of a header without options, in octets.
    pub const MIN_LEN: usize = 20;

    /// Length of the header with its options, in octets: 20 to 60.
    pub const fn header_len(&self) -> usize {
        Self::MIN_LEN + self.options.len()
    }

    /// Appends the header with the checksum that goes with `payload`. The payload itself is not appended.
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
        let header_len = self.header_len();
        let len = u16::try_from(payload.len().saturating_add(header_len))
            .map_err(|_| Error::TooLong("TCP length"))?;
        let start = out.len();
        out.extend_from_slice(&self.src_port.to_be_bytes());
        out.extend_from_slice(&self.dst_port.to_be_bytes());
        out.extend_from_slice(&self.seq.to_be_bytes());
        out.extend_from_slice(&self.ack.to_be_bytes());
        out.extend_from_slice(&((header_len as u16 / 4) << 12 | self.flags.0 & 0x0fff).to_be_bytes());
        out.extend_from_slice(&self.window.to_be_bytes());
        out.extend_from_slice(&[0; 2]);
        out.extend_from_slice(&self.urgent.to_be_bytes());
        self.options.emit(out);
        let sum = Sum::pseudo_header(src, dst, Protocol::TCP, len).include(&out[start..]);
        let checksum = payload.add_to(sum).finish();
        out[start + 16..start + 18].copy_from_slice(&checksum.to_be_bytes());
        Ok(())
    }

    /// Parses a header and returns the payload. The checksum is not judged: see [`checksum_ok`](Self::checksum_ok).
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] if the header with its options is not complete; [`Error::Malformed`] if the data offset is
    /// below 5 or an option's length contradicts its kind or the header.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes);
        let (src_port, dst_port) = (cursor.be16()?, cursor.be16()?);
        let (seq, ack) = (cursor.be32()?, cursor.be32()?);
        let offset_and_flags = cursor.be16()?;
        let window = cursor.be16()?;
        cursor.be16()?;
        let urgent = cursor.be16()?;
        let header_len = usize::from(offset_and_flags >> 12) * 4;
        let options_len = header_len.checked_sub(Self::MIN_LEN).ok_or(Error::Malformed("TCP data offset"))?;
        let options = TcpOptions::parse(cursor.take(options_len)?)?;
        let flags = TcpFlags(offset_and_flags & 0x0fff);
        Ok((Self { src_port, dst_port, seq, ack, flags, window, urgent, options }, cursor.rest()))
    }

    /// Whether a whole segment, header and payload, has a correct checksum.
    pub fn checksum_ok(src: Ipv4Addr, dst: Ipv4Addr, segment: &[u8]) -> bool {
        u16::try_from(segment.len())
            .is_ok_and(|len| Sum::pseudo_header(src, dst, Protocol::TCP, len).include(segment).finish() == 0)
    }
}
