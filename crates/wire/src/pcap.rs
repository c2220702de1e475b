//! Reading classic pcap files (draft-ietf-opsawg-pcap).

use crate::bytes::{Cursor, Order};
use crate::octets::{LONGEST, Octets};
use crate::{Captured, Error, LinkType, Stop};
use std::io::Read;

const NANOSECONDS: u32 = 0xa1b2_3c4d;
const MICROSECONDS: u32 = 0xa1b2_c3d4;

/// Length in octets of the file header (section 4).
const FILE_HEADER: usize = 24;

/// Length in octets of what goes before a packet (section 5).
const RECORD_HEADER: usize = 16;

/// What the header of a classic file says, of either byte order, in microseconds or nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    order: Order,
    /// Nanoseconds in a unit of a stamp's fraction.
    unit: u64,
    link: LinkType,
}

impl Header {
    /// Reads it (section 4).
    ///
    /// # Errors
    ///
    /// [`Stop::Truncated`] if it is not complete, [`Stop::Malformed`] if the magic number is not that of pcap.
    pub(crate) fn take(octets: &mut Octets<impl Read>) -> Result<Self, Stop> {
        const TRUNCATED: Stop = Stop::Truncated { offset: 0 };
        let mut cursor = Cursor::new(octets.peek(FILE_HEADER)?);
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
        octets.consume(FILE_HEADER);
        Ok(Self { order, unit, link })
    }

    /// The next packet, and in `taken` how many octets it takes; none at the end of the file.
    ///
    /// # Errors
    ///
    /// [`Stop`] if the file ends within it, or its length cannot be.
    pub(crate) fn packet<'a>(
        self,
        octets: &'a mut Octets<impl Read>,
        taken: &mut usize,
    ) -> Result<Option<Captured<'a>>, Stop> {
        let offset = octets.offset();
        let truncated = |_: Error| Stop::Truncated { offset };
        let mut cursor = Cursor::new(octets.peek(RECORD_HEADER)?);
        if cursor.is_empty() {
            return Ok(None);
        }
        let mut field = || self.order.u32(&mut cursor).map_err(truncated);
        let (seconds, fraction, len, original_len) = (field()?, field()?, field()? as usize, field()?);
        if len > LONGEST {
            return Err(Stop::Malformed { offset, what: "a packet of more than 16 MiB" });
        }
        *taken = RECORD_HEADER + len;
        let data = octets.peek(*taken)?.get(RECORD_HEADER..*taken).ok_or(Stop::Truncated { offset })?;
        let stamp_ns = Some(u64::from(seconds) * 1_000_000_000 + u64::from(fraction) * self.unit);
        Ok(Some(Captured { interface: 0, link: self.link, stamp_ns, data, original_len, comment: None }))
    }
}
