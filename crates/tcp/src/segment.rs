//! A TCP segment without its bytes.

use airloom_observe::Ecn;

/// The control bits of a segment (RFC 9293 section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flags(u8);

impl Flags {
    /// No more data from the sender.
    pub const FIN: Self = Self(0x01);
    /// Synchronise sequence numbers.
    pub const SYN: Self = Self(0x02);
    /// Reset the connection.
    pub const RST: Self = Self(0x04);
    /// Push.
    pub const PSH: Self = Self(0x08);
    /// The acknowledgment number counts.
    pub const ACK: Self = Self(0x10);

    /// A mark was received (RFC 3168 section 6.1).
    pub const ECE: Self = Self(0x40);
    /// The congestion window was reduced (RFC 3168 section 6.1).
    pub const CWR: Self = Self(0x80);

    /// These bits and those of `other`.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The bits as in byte 13 of the TCP header.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether FIN is set.
    pub const fn fin(self) -> bool {
        self.0 & Self::FIN.0 != 0
    }

    /// Whether SYN is set.
    pub const fn syn(self) -> bool {
        self.0 & Self::SYN.0 != 0
    }

    /// Whether RST is set.
    pub const fn rst(self) -> bool {
        self.0 & Self::RST.0 != 0
    }

    /// Whether ACK is set.
    pub const fn ack(self) -> bool {
        self.0 & Self::ACK.0 != 0
    }

    /// Whether ECE is set.
    pub const fn ece(self) -> bool {
        self.0 & Self::ECE.0 != 0
    }

    /// Whether CWR is set.
    pub const fn cwr(self) -> bool {
        self.0 & Self::CWR.0 != 0
    }
}

/// Up to four SACK blocks (RFC 2018 section 3), each from its first sequence number to the one after its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SackBlocks {
    blocks: [(u32, u32); 4],
    len: u8,
}

impl SackBlocks {
    /// Appends one block; a fifth is ignored, for there is no room for it in a TCP header.
    pub fn push(&mut self, left: u32, right: u32) {
        if let Some(place) = self.blocks.get_mut(self.len as usize) {
            *place = (left, right);
            self.len += 1;
        }
    }

    /// The blocks in the order of the option.
    pub fn as_slice(&self) -> &[(u32, u32)] {
        &self.blocks[..self.len as usize]
    }

    /// How many blocks there are.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The options of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// Maximum segment size in bytes, on a SYN (RFC 9293 section 3.7.1).
    pub mss: Option<u16>,
    /// Window scale as a shift, on a SYN (RFC 7323 section 2).
    pub window_scale: Option<u8>,
    /// SACK is permitted, on a SYN (RFC 2018 section 2).
    pub sack_permitted: bool,
    /// Timestamp value and echo reply in ticks of the sender's and the receiver's clock (RFC 7323 section 3).
    pub timestamps: Option<(u32, u32)>,
    /// SACK blocks, the most recent first; a first block that is below the acknowledgment number or inside the second
    /// block is a D-SACK (RFC 2883).
    pub sack: SackBlocks,
}

/// One TCP segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Segment {
    /// First sequence number.
    pub seq: u32,
    /// Acknowledgment number.
    pub ack: u32,
    /// Payload in bytes.
    pub payload: u32,
    /// Window as on the wire, not yet scaled.
    pub window: u16,
    /// Control bits.
    pub flags: Flags,
    /// Options.
    pub options: Options,
    /// The ECN field of the packet that carries it: what it was sent with, or what it was received with.
    pub ecn: Ecn,
    /// Whether it repeats something sent before. Not on the wire.
    pub retransmission: bool,
}

impl Segment {
    /// Header length in bytes: 20 and the options as Linux lays them out (`tcp_options_write`, 3.13), which is why
    /// SACK-permitted costs nothing beside timestamps and the latter take 12 bytes rather than 10.
    pub fn header_bytes(&self) -> u32 {
        let o = &self.options;
        let mut bytes = 20;
        bytes += if o.mss.is_some() { 4 } else { 0 };
        bytes += if o.timestamps.is_some() { 12 } else { 0 };
        bytes += if o.sack_permitted && o.timestamps.is_none() { 4 } else { 0 };
        bytes += if o.window_scale.is_some() { 4 } else { 0 };
        bytes += if o.sack.is_empty() { 0 } else { 4 + 8 * o.sack.len() as u32 };
        bytes
    }

    /// How much of the sequence space it takes: payload, and one each for SYN and FIN.
    pub const fn sequence_length(&self) -> u32 {
        self.payload + self.flags.syn() as u32 + self.flags.fin() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_as_long_as_linux_makes_them() {
        let mut s = Segment::default();
        assert_eq!(s.header_bytes(), 20);
        s.options.timestamps = Some((1, 2));
        assert_eq!(s.header_bytes(), 32);
        s.options.sack.push(1, 2);
        assert_eq!(s.header_bytes(), 44);
        s.options.sack.push(3, 4);
        s.options.sack.push(5, 6);
        assert_eq!(s.header_bytes(), 60);
        s.options = Options {
            mss: Some(1460),
            window_scale: Some(7),
            sack_permitted: true,
            timestamps: Some((1, 0)),
            sack: SackBlocks::default(),
        };
        assert_eq!(s.header_bytes(), 40);
        s.options.timestamps = None;
        assert_eq!(s.header_bytes(), 32);
    }

    #[test]
    fn a_fifth_sack_block_finds_no_room() {
        let mut sack = SackBlocks::default();
        (0..5).for_each(|i| sack.push(i, i + 1));
        assert_eq!(sack.as_slice(), [(0, 1), (1, 2), (2, 3), (3, 4)]);
    }
}
