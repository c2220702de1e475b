//! IPv6 headers, as far as one has to read to find what they carry.

use crate::bytes::Cursor;
use crate::{Ecn, Error, Protocol};
use std::net::Ipv6Addr;

/// Extension headers that say how long they are in units of 8 octets beyond the first 8 (RFC 8200 section 4; RFC 7045 section 4):
/// hop-by-hop options, routing, destination options, mobility, HIP, Shim6.
const SIZED: [u8; 6] = [0, 43, 60, 135, 139, 140];
/// The fragment header, 8 octets (RFC 8200 section 4.5).
const FRAGMENT: u8 = 44;

/// An IPv6 header (RFC 8200 section 3) with what follows from its extension headers. It is only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ipv6Repr {
    /// The source.
    pub src: Ipv6Addr,
    /// The destination.
    pub dst: Ipv6Addr,
    /// The protocol behind all extension headers.
    pub protocol: Protocol,
    /// Differentiated services codepoint.
    pub dscp: u8,
    /// Explicit congestion notification.
    pub ecn: Ecn,
    /// The flow label, 20 bits (RFC 6437).
    pub flow_label: u32,
    /// How many more hops it may take.
    pub hop_limit: u8,
    /// Whether this is a fragment other than the first, which has no header of its transport.
    pub later_fragment: bool,
    /// More fragments follow.
    pub more_fragments: bool,
    /// Length of what is behind all extension headers in octets, as the headers say: a capture may hold less. None of a
    /// jumbogram, and of a packet beyond 64 KiB that an offloading adapter will cut.
    pub payload_len: Option<u16>,
}

impl Ipv6Repr {
    /// Length of the fixed header in octets.
    pub const LEN: usize = 40;

    /// Parses a header and its extension headers, and returns what of the payload was captured.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] if a header is not complete, [`Error::Unsupported`] for another IP version,
    /// [`Error::Malformed`] if extension headers are longer than the packet.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut cursor = Cursor::new(bytes);
        let first = cursor.be32()?;
        if first >> 28 != 6 {
            return Err(Error::Unsupported("IP version"));
        }
        let class = (first >> 20) as u8;
        let length = cursor.be16()?;
        let mut next = cursor.u8()?;
        let hop_limit = cursor.u8()?;
        let (src, dst) = (cursor.array::<16>()?.into(), cursor.array::<16>()?.into());
        let (mut extensions, mut later_fragment, mut more_fragments) = (0, false, false);
        while SIZED.contains(&next) || next == FRAGMENT {
            let header = next;
            next = cursor.u8()?;
            let more = usize::from(cursor.u8()?);
            let size = if header == FRAGMENT { 8 } else { 8 * (more + 1) };
            let body = cursor.take(size - 2)?;
            if header == FRAGMENT {
                let field = Cursor::new(body).be16()?;
                later_fragment |= field >> 3 != 0;
                more_fragments |= field & 1 != 0;
            }
            extensions += size;
        }
        let payload_len = match length {
            0 => None,
            length => Some(
                usize::from(length).checked_sub(extensions).ok_or(Error::Malformed("IPv6 payload length"))?
                    as u16,
            ),
        };
        let rest = cursor.rest();
        let captured = payload_len.map_or(rest.len(), |len| rest.len().min(len.into()));
        let repr = Self {
            src,
            dst,
            protocol: Protocol(next),
            dscp: class >> 2,
            ecn: Ecn::from_bits(class),
            flow_label: first & 0x000f_ffff,
            hop_limit,
            later_fragment,
            more_fragments,
            payload_len,
        };
        Ok((repr, &rest[..captured]))
    }
}
