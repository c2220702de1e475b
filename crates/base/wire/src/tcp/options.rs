//! TCP options, laid out as Linux lays them out (`tcp_options_write`), so that captures look familiar.

use crate::Error;
use crate::bytes::Cursor;

const END: u8 = 0;
const NOP: u8 = 1;
const MSS: u8 = 2;
const WINDOW_SCALE: u8 = 3;
const SACK_PERMITTED: u8 = 4;
const SACK: u8 = 5;
const TIMESTAMPS: u8 = 8;

/// The most a header can hold: its length counts 15 words, five of which are fixed (RFC 9293 section 3.1).
const MAX_LEN: usize = 40;

/// The timestamps option (RFC 7323 section 3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timestamps {
    /// The sender's clock, in its own ticks.
    pub value: u32,
    /// The clock value being echoed.
    pub echo: u32,
}

/// A run of octets that arrived out of order (RFC 2018 section 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SackBlock {
    /// Sequence number of its first octet.
    pub left: u32,
    /// Sequence number just after its last octet.
    pub right: u32,
}

/// Up to four SACK blocks, most recent first: more do not fit in a header (RFC 2018 section 3).
#[derive(Clone, Copy, Debug, Default)]
pub struct SackBlocks {
    blocks: [SackBlock; 4],
    len: u8,
}

impl SackBlocks {
    /// No blocks: the option is absent.
    pub const NONE: Self = Self { blocks: [SackBlock { left: 0, right: 0 }; 4], len: 0 };

    /// Appends a block; a fifth is ignored, for there is no room for it in a header.
    pub fn push(&mut self, left: u32, right: u32) {
        if let Some(place) = self.blocks.get_mut(usize::from(self.len)) {
            *place = SackBlock { left, right };
            self.len += 1;
        }
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The blocks.
    pub fn as_slice(&self) -> &[SackBlock] {
        &self.blocks[..usize::from(self.len)]
    }
}

/// Takes the first four; later ones are the least recent and dropped, as RFC 2018 section 4 lets a receiver do.
impl FromIterator<SackBlock> for SackBlocks {
    fn from_iter<I: IntoIterator<Item = SackBlock>>(blocks: I) -> Self {
        let mut all = Self::NONE;
        for SackBlock { left, right } in blocks {
            all.push(left, right);
        }
        all
    }
}

impl PartialEq for SackBlocks {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for SackBlocks {}

/// The options of a TCP header. Options of other kinds are skipped when parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpOptions {
    /// Maximum segment size in octets (RFC 9293 section 3.7.1).
    pub mss: Option<u16>,
    /// Window scale, a binary logarithm (RFC 7323 section 2.2).
    pub window_scale: Option<u8>,
    /// SACK may be used (RFC 2018 section 2).
    pub sack_permitted: bool,
    /// Timestamps.
    pub timestamps: Option<Timestamps>,
    /// Selective acknowledgments. As many are emitted as fit beside the other options, the first ones first: three
    /// beside timestamps.
    pub sack: SackBlocks,
}

impl TcpOptions {
    /// Length as emitted, in octets: a multiple of four.
    pub const fn len(&self) -> usize {
        self.len_without_sack() + self.sack_len()
    }

    /// Whether there are no options.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    const fn len_without_sack(&self) -> usize {
        let mss = if self.mss.is_some() { 4 } else { 0 };
        let scale = if self.window_scale.is_some() { 4 } else { 0 };
        // SACK permitted takes the place of the two NOPs before timestamps.
        let rest = match (self.timestamps, self.sack_permitted) {
            (Some(_), _) => 12,
            (None, true) => 4,
            (None, false) => 0,
        };
        mss + scale + rest
    }

    /// How many SACK blocks fit.
    const fn sack_count(&self) -> usize {
        if self.sack.is_empty() {
            return 0;
        }
        let room = (MAX_LEN - self.len_without_sack()).saturating_sub(4) / 8;
        if (self.sack.len as usize) < room { self.sack.len as usize } else { room }
    }

    const fn sack_len(&self) -> usize {
        match self.sack_count() {
            0 => 0,
            count => 4 + 8 * count,
        }
    }

    /// Appends the options.
    pub(super) fn emit(&self, out: &mut Vec<u8>) {
        if let Some(mss) = self.mss {
            out.extend_from_slice(&[MSS, 4]);
            out.extend_from_slice(&mss.to_be_bytes());
        }
        if let Some(timestamps) = self.timestamps {
            let before = if self.sack_permitted { [SACK_PERMITTED, 2] } else { [NOP, NOP] };
            out.extend_from_slice(&before);
            out.extend_from_slice(&[TIMESTAMPS, 10]);
            out.extend_from_slice(&timestamps.value.to_be_bytes());
            out.extend_from_slice(&timestamps.echo.to_be_bytes());
        } else if self.sack_permitted {
            out.extend_from_slice(&[NOP, NOP, SACK_PERMITTED, 2]);
        }
        if let Some(scale) = self.window_scale {
            out.extend_from_slice(&[NOP, WINDOW_SCALE, 3, scale]);
        }
        let count = self.sack_count();
        if count > 0 {
            out.extend_from_slice(&[NOP, NOP, SACK, 2 + 8 * count as u8]);
            for block in &self.sack.blocks[..count] {
                out.extend_from_slice(&block.left.to_be_bytes());
                out.extend_from_slice(&block.right.to_be_bytes());
            }
        }
    }

    /// Parses the options between the fixed header and the payload.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Error> {
        const LENGTH: Error = Error::Malformed("TCP option length");
        let mut options = Self::default();
        let mut cursor = Cursor::new(bytes);
        while let Ok(kind) = cursor.u8() {
            match kind {
                END => break,
                NOP => continue,
                _ => {}
            }
            let len = usize::from(cursor.u8().map_err(|_| LENGTH)?);
            let data = len.checked_sub(2).and_then(|len| cursor.take(len).ok()).ok_or(LENGTH)?;
            let mut data = Cursor::new(data);
            match (kind, len) {
                (MSS, 4) => options.mss = Some(data.be16()?),
                (WINDOW_SCALE, 3) => options.window_scale = Some(data.u8()?),
                (SACK_PERMITTED, 2) => options.sack_permitted = true,
                (TIMESTAMPS, 10) => {
                    options.timestamps = Some(Timestamps { value: data.be32()?, echo: data.be32()? });
                }
                (SACK, 10 | 18 | 26 | 34) => {
                    let blocks = data.rest().chunks_exact(8).map_while(|block| {
                        let mut block = Cursor::new(block);
                        Some(SackBlock { left: block.be32().ok()?, right: block.be32().ok()? })
                    });
                    options.sack = blocks.collect();
                }
                (MSS | WINDOW_SCALE | SACK_PERMITTED | TIMESTAMPS | SACK, _) => return Err(LENGTH),
                _ => {}
            }
        }
        Ok(options)
    }
}
