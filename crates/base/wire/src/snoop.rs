//! Reading the captures of Solaris (RFC 1761).

use crate::bytes::Cursor;
use crate::octets::{LONGEST, Octets};
use crate::{Captured, LinkType, Stop};
use std::io::Read;

/// The first octets of such a file.
pub(crate) const MAGIC: [u8; 8] = *b"snoop\0\0\0";
const VERSION: u32 = 2;
/// Length in octets of the file header, and of what goes before a packet.
const FILE_HEADER: usize = 16;
const RECORD_HEADER: usize = 24;
/// Datalink types: 802.3 and Ethernet.
const IEEE802_3: u32 = 0;
const ETHERNET: u32 = 4;

/// What the header of a file says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    link: LinkType,
}

impl Header {
    /// Reads it.
    ///
    /// # Errors
    ///
    /// [`Stop::Truncated`] if it is not complete, [`Stop::Malformed`] if its version is another.
    pub(crate) fn take(octets: &mut Octets<impl Read>) -> Result<Self, Stop> {
        const TRUNCATED: Stop = Stop::Truncated { offset: 0 };
        let mut cursor = Cursor::new(octets.peek(FILE_HEADER)?);
        cursor.take(MAGIC.len()).map_err(|_| TRUNCATED)?;
        let version = cursor.be32().map_err(|_| TRUNCATED)?;
        let link = match cursor.be32().map_err(|_| TRUNCATED)? {
            IEEE802_3 | ETHERNET => LinkType::ETHERNET,
            _ => LinkType::UNKNOWN,
        };
        if version != VERSION {
            return Err(Stop::Malformed { offset: 0, what: "a version of snoop other than 2" });
        }
        octets.consume(FILE_HEADER);
        Ok(Self { link })
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
        let mut cursor = Cursor::new(octets.peek(RECORD_HEADER)?);
        if cursor.is_empty() {
            return Ok(None);
        }
        let mut field = || cursor.be32().map_err(|_| Stop::Truncated { offset });
        let (original_len, len, record) = (field()?, field()? as usize, field()? as usize);
        let (_drops, seconds, micros) = (field()?, field()?, field()?);
        if len > LONGEST || record > LONGEST + RECORD_HEADER + 3 {
            return Err(Stop::Malformed { offset, what: "a packet of more than 16 MiB" });
        }
        if record < RECORD_HEADER + len {
            return Err(Stop::Malformed { offset, what: "a record shorter than its packet" });
        }
        *taken = record;
        let whole = octets.peek(record)?.get(..record).ok_or(Stop::Truncated { offset })?;
        let data = &whole[RECORD_HEADER..RECORD_HEADER + len];
        let stamp_ns = Some(u64::from(seconds) * 1_000_000_000 + u64::from(micros) * 1000);
        Ok(Some(Captured { interface: 0, link: self.link, stamp_ns, data, original_len, comment: None }))
    }
}
