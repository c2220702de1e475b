//! Reading classic pcap files (draft-ietf-opsawg-pcap).

use crate::bytes::{Cursor, Order};
use crate::{Captured, LinkType, Stop};

const NANOSECONDS: u32 = 0xa1b2_3c4d;
const MICROSECONDS: u32 = 0xa1b2_c3d4;

/// Length in octets of the file header (section 4).
const FILE_HEADER: usize = 24;

/// The packets of a classic pcap file, of either byte order, in microseconds or nanoseconds.
///
/// Yields packets until the end of the file or until it is cut short; then, as the last item, where.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    file: &'a [u8],
    /// Where the next record begins; beyond the file once reading has ended.
    offset: usize,
    order: Order,
    /// Nanoseconds in a unit of a stamp's fraction.
    unit: u64,
    link: LinkType,
}

impl<'a> Reader<'a> {
    /// Reads the file header (section 4).
    ///
    /// # Errors
    ///
    /// [`Stop::Truncated`] if it is not complete, [`Stop::Malformed`] if the magic number is not that of pcap.
    pub fn new(file: &'a [u8]) -> Result<Self, Stop> {
        const TRUNCATED: Stop = Stop::Truncated { offset: 0 };
        let mut cursor = Cursor::new(file.get(..FILE_HEADER).unwrap_or(file));
        let magic = cursor.le32().map_err(|_| TRUNCATED)?;
        let (order, unit) = match (magic, magic.swap_bytes()) {
            (MICROSECONDS, _) => (Order::Little, 1000),
            (NANOSECONDS, _) => (Order::Little, 1),
            (_, MICROSECONDS) => (Order::Big, 1000),
            (_, NANOSECONDS) => (Order::Big, 1),
            _ => {
                return Err(Stop::Malformed { offset: 0, what: "neither pcap nor pcapng" });
            }
        };
        cursor.take(16).map_err(|_| TRUNCATED)?;
        // The upper half is about frame check sequences.
        let link = LinkType((order.u32(&mut cursor).map_err(|_| TRUNCATED)? & 0xffff) as u16);
        Ok(Self { file, offset: FILE_HEADER, order, unit, link })
    }

    /// The link type of all packets.
    pub const fn link(&self) -> LinkType {
        self.link
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Result<Captured<'a>, Stop>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.file.get(self.offset..).filter(|rest| !rest.is_empty())?;
        let mut cursor = Cursor::new(rest);
        let mut record = || {
            let seconds = self.order.u32(&mut cursor)?;
            let fraction = self.order.u32(&mut cursor)?;
            let len = self.order.u32(&mut cursor)?;
            let original_len = self.order.u32(&mut cursor)?;
            let data = cursor.take(len as usize)?;
            let stamp_ns = Some(u64::from(seconds) * 1_000_000_000 + u64::from(fraction) * self.unit);
            Ok::<_, crate::Error>(Captured {
                interface: 0,
                link: self.link,
                stamp_ns,
                data,
                original_len,
                comment: None,
            })
        };
        match record() {
            Ok(captured) => {
                self.offset = self.file.len() - cursor.rest().len();
                Some(Ok(captured))
            }
            Err(_) => {
                let offset = std::mem::replace(&mut self.offset, usize::MAX);
                Some(Err(Stop::Truncated { offset }))
            }
        }
    }
}
