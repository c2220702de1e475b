//! Blocks and options (draft-ietf-opsawg-pcapng sections 3.1 and 3.5).

use crate::Error;
use crate::bytes::{Cursor, Order};

/// Section header (section 4.1).
pub(super) const SECTION_HEADER: u32 = 0x0a0d_0d0a;
/// Interface description (section 4.2).
pub(super) const INTERFACE_DESCRIPTION: u32 = 1;
/// Packet, which the enhanced packet has replaced (appendix A).
pub(super) const PACKET: u32 = 2;
/// Simple packet (section 4.4).
pub(super) const SIMPLE_PACKET: u32 = 3;
/// Interface statistics (section 4.6).
pub(super) const INTERFACE_STATISTICS: u32 = 5;
/// Enhanced packet (section 4.3).
pub(super) const ENHANCED_PACKET: u32 = 6;

/// Shows the byte order of a section (section 4.1).
pub(super) const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;
/// The major version this crate knows (section 4.1).
pub(super) const MAJOR_VERSION: u16 = 1;

pub(super) const OPT_END: u16 = 0;
pub(super) const OPT_COMMENT: u16 = 1;
pub(super) const SHB_USERAPPL: u16 = 4;
pub(super) const IF_NAME: u16 = 2;
pub(super) const IF_DESCRIPTION: u16 = 3;
pub(super) const IF_TSRESOL: u16 = 9;
pub(super) const IF_TSOFFSET: u16 = 14;
pub(super) const ISB_ENDTIME: u16 = 3;

/// Type, two lengths: what every block has (section 3.1).
pub(super) const OVERHEAD: usize = 12;

/// Appends a block whose body `fill` appends. The body is padded to 32 bits.
pub(super) fn emit(kind: u32, out: &mut Vec<u8>, fill: impl FnOnce(&mut Vec<u8>)) -> Result<(), Error> {
    let start = out.len();
    out.extend_from_slice(&kind.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    fill(out);
    pad(start, out);
    let len = u32::try_from(out.len() - start + 4).map_err(|_| Error::TooLong("block"))?.to_le_bytes();
    out[start + 4..start + 8].copy_from_slice(&len);
    out.extend_from_slice(&len);
    Ok(())
}

/// Pads to 32 bits what began at `start`.
pub(super) fn pad(start: usize, out: &mut Vec<u8>) {
    out.resize(start + (out.len() - start).next_multiple_of(4), 0);
}

/// Appends an option. Its length must have been checked to fit 16 bits.
pub(super) fn emit_option(code: u16, value: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&code.to_le_bytes());
    out.extend_from_slice(&(value.len() as u16).to_le_bytes());
    out.extend_from_slice(value);
    pad(start, out);
}

/// The options that fill the rest of a block.
pub(super) struct Options<'a> {
    cursor: Cursor<'a>,
    order: Order,
}

impl<'a> Options<'a> {
    pub(super) const fn new(cursor: Cursor<'a>, order: Order) -> Self {
        Self { cursor, order }
    }

    fn read(&mut self) -> Result<(u16, &'a [u8]), Error> {
        let (code, len) = (self.order.u16(&mut self.cursor)?, self.order.u16(&mut self.cursor)?);
        let value = self.cursor.take(len.into())?;
        self.cursor.take(padding(value.len()))?;
        Ok((code, value))
    }
}

/// Ends at an end-of-options mark, or at the end of the block: the mark is often left out.
impl<'a> Iterator for Options<'a> {
    type Item = Result<(u16, &'a [u8]), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.cursor.is_empty() {
            return None;
        }
        let option = self.read();
        if !matches!(option, Ok((code, _)) if code != OPT_END) {
            self.cursor = Cursor::new(&[]);
        }
        option.map(|option| (option.0 != OPT_END).then_some(option)).transpose()
    }
}

/// Octets that pad `len` octets to 32 bits.
pub(super) const fn padding(len: usize) -> usize {
    len.wrapping_neg() % 4
}
