//! Reading classic pcap files (draft-ietf-opsawg-pcap).

use crate::bytes::{Cursor, Order};
use crate::octets::{LONGEST, Octets};
use crate::{Captured, Error, LinkType, Stop};
use std::io::Read;

/// What a file is that begins like no capture.
pub(crate) const NO_CAPTURE: &str = "neither pcap nor pcapng";
const NANOSECONDS: u32 = 0xa1b2_3c4d;
const MICROSECONDS: u32 = 0xa1b2_c3d4;
/// A file of a libpcap that Kuznetsov's patch has modified: each packet has 8 octets more before it, with the interface among them.
const MODIFIED: u32 = 0xa1b2_cd34;
const MODIFIED_MORE: usize = 8;

/// Length in octets of the file header (section 4).
const FILE_HEADER: usize = 24;

/// Length in octets of what goes before a packet (section 5).
const RECORD_HEADER: usize = 16;

/// The versions of which the two lengths of a packet are the other way round, and may be (libpcap 1.10 `pcap_check_header`).
const TURNED_BELOW: (u16, u16) = (2, 3);
const MAYBE_TURNED: (u16, u16) = (2, 3);
const TURNED_TOO: (u16, u16) = (543, 0);

/// How the two lengths of a packet come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lengths {
    /// What was captured, then what was sent.
    Straight,
    Turned,
    /// The less is what was captured.
    Either,
}

/// What the header of a classic file says, of either byte order, in microseconds or nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    order: Order,
    /// Nanoseconds in a unit of a stamp's fraction.
    unit: u64,
    link: LinkType,
    lengths: Lengths,
    /// Octets before a packet.
    before: usize,
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
            (MICROSECONDS | MODIFIED, _) => (Order::Little, 1000),
            (NANOSECONDS, _) => (Order::Little, 1),
            (_, MICROSECONDS | MODIFIED) => (Order::Big, 1000),
            (_, NANOSECONDS) => (Order::Big, 1),
            _ => {
                return Err(Stop::Malformed { offset: 0, what: NO_CAPTURE });
            }
        };
        let modified = [magic, magic.swap_bytes()].contains(&MODIFIED);
        let mut number = || order.u16(&mut cursor).map_err(|_| TRUNCATED);
        let lengths = match (number()?, number()?) {
            MAYBE_TURNED => Lengths::Either,
            TURNED_TOO => Lengths::Turned,
            version if version < TURNED_BELOW => Lengths::Turned,
            _ => Lengths::Straight,
        };
        cursor.take(12).map_err(|_| TRUNCATED)?;
        // The upper half is about frame check sequences.
        let link = LinkType((order.u32(&mut cursor).map_err(|_| TRUNCATED)? & 0xffff) as u16);
        octets.consume(FILE_HEADER);
        let before = RECORD_HEADER + if modified { MODIFIED_MORE } else { 0 };
        Ok(Self { order, unit, link, lengths, before })
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
        let (seconds, fraction) = (field()?, field()?);
        let (len, original_len) = match (self.lengths, (field()?, field()?)) {
            (Lengths::Straight, (len, original)) | (Lengths::Turned, (original, len)) => (len, original),
            (Lengths::Either, (one, other)) => (one.min(other), one.max(other)),
        };
        let len = len as usize;
        if len > LONGEST {
            return Err(Stop::Malformed { offset, what: "a packet of more than 16 MiB" });
        }
        *taken = self.before + len;
        let data = octets.peek(*taken)?.get(self.before..*taken).ok_or(Stop::Truncated { offset })?;
        let stamp_ns = Some(u64::from(seconds) * 1_000_000_000 + u64::from(fraction) * self.unit);
        Ok(Some(Captured { interface: 0, link: self.link, stamp_ns, data, original_len, comment: None }))
    }
}
