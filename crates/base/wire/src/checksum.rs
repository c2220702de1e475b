//! The Internet checksum (RFC 1071).

use crate::Protocol;
use std::net::Ipv4Addr;

/// A one's complement sum of 16-bit words under way (RFC 1071 section 1).
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum(u64);

impl Sum {
    /// The sum of nothing.
    pub const fn new() -> Self {
        Self(0)
    }

    /// The sum of the pseudo header of TCP (RFC 9293 section 3.1) and UDP (RFC 768). `len` is that of the transport
    /// header and its payload, in octets.
    pub fn pseudo_header(src: Ipv4Addr, dst: Ipv4Addr, protocol: Protocol, len: u16) -> Self {
        Self::new()
            .include(&src.octets())
            .include(&dst.octets())
            .include(&[0, protocol.0])
            .include(&len.to_be_bytes())
    }

    /// Adds octets. An odd last octet counts as the high half of a word, so only the last addition may be odd.
    #[must_use]
    pub fn include(self, bytes: &[u8]) -> Self {
        let words = bytes.chunks_exact(2);
        let odd = words.remainder().first().map_or(0, |&last| u64::from(last) << 8);
        Self(self.0 + odd + words.map(|word| u64::from(u16::from_be_bytes([word[0], word[1]]))).sum::<u64>())
    }

    /// The checksum: the complement of the folded sum. Zero if the summed octets held a correct checksum.
    pub const fn finish(self) -> u16 {
        let mut sum = self.0;
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        !(sum as u16)
    }
}
