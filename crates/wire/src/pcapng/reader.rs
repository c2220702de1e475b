//! Reading pcapng.

use super::blocks::{self, Options};
use crate::bytes::{Cursor, Order};
use crate::{Captured, Error, LinkType, Stop};

/// A file's description of an interface (draft-ietf-opsawg-pcapng section 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterfaceInfo<'a> {
    /// What its packets begin with.
    pub link: LinkType,
    /// The most octets kept of a packet; zero for no limit.
    pub snap_len: u32,
    /// Option `if_name`.
    pub name: Option<&'a str>,
    /// Option `if_description`.
    pub description: Option<&'a str>,
    /// Option `if_tsresol`: the unit of stamps is 10^-n s, or 2^-n s if the high bit is set.
    pub resolution: u8,
    /// Option `if_tsoffset`: seconds to be added to stamps.
    pub offset_s: i64,
}

impl InterfaceInfo<'_> {
    /// A stamp in nanoseconds since 1970; none if 64 bits cannot hold it.
    fn nanoseconds(&self, stamp: u64) -> Option<u64> {
        const NS: u128 = 1_000_000_000;
        let stamp = u128::from(stamp);
        let exponent = u32::from(self.resolution & 0x7f);
        let since = if self.resolution & 0x80 != 0 {
            (stamp * NS) >> exponent
        } else {
            // A divisor too large to represent is larger than any stamp.
            10_u128.checked_pow(exponent).map_or(0, |units| stamp * NS / units)
        };
        let offset = i128::from(self.offset_s) * NS as i128;
        u64::try_from(i128::try_from(since).ok()?.checked_add(offset)?).ok()
    }
}

/// The packets of a pcapng file.
///
/// Reads section headers of either byte order, interface descriptions, enhanced and simple packets; skips other blocks,
/// and sections of another major version as a whole. Yields packets until the end of the file or until something is
/// wrong; then, as the last item, what.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    file: &'a [u8],
    /// Where the next block begins; beyond the file once reading has ended.
    offset: usize,
    order: Order,
    /// Whether the section's version is known.
    readable: bool,
    interfaces: Vec<InterfaceInfo<'a>>,
}

impl<'a> Reader<'a> {
    /// Starts to read a file.
    pub const fn new(file: &'a [u8]) -> Self {
        Self { file, offset: 0, order: Order::Little, readable: false, interfaces: Vec::new() }
    }

    /// The interfaces described so far in the current section.
    pub fn interfaces(&self) -> &[InterfaceInfo<'a>] {
        &self.interfaces
    }

    /// The type and the body of the block at `offset`, which `rest` begins with; moves on behind it.
    fn block(&mut self, rest: &'a [u8]) -> Result<(u32, Cursor<'a>), Stop> {
        let offset = self.offset;
        let truncated = |_| Stop::Truncated { offset };
        let malformed = |what| Stop::Malformed { offset, what };

        let mut cursor = Cursor::new(rest);
        let mut kind = self.order.u32(&mut cursor).map_err(truncated)?;
        if rest.starts_with(&super::MAGIC) {
            // Its own byte order, given after the length, applies to the length already.
            kind = blocks::SECTION_HEADER;
            let mut magic = Cursor::new(rest.get(8..).unwrap_or_default());
            self.order = match magic.le32().map_err(truncated)? {
                blocks::BYTE_ORDER_MAGIC => Order::Little,
                magic if magic.swap_bytes() == blocks::BYTE_ORDER_MAGIC => Order::Big,
                _ => return Err(malformed("byte-order magic")),
            };
        } else if offset == 0 {
            return Err(malformed("no section header"));
        }
        let len = self.order.u32(&mut cursor).map_err(truncated)? as usize;
        if len < blocks::OVERHEAD || !len.is_multiple_of(4) {
            return Err(malformed("block length"));
        }
        let body = cursor.take(len - blocks::OVERHEAD).map_err(truncated)?;
        if self.order.u32(&mut cursor).map_err(truncated)? as usize != len {
            return Err(malformed("the two lengths of a block differ"));
        }
        self.offset += len;
        Ok((kind, Cursor::new(body)))
    }

    fn section_header(&mut self, mut body: Cursor<'a>) -> Result<(), Error> {
        body.take(4)?;
        let major = self.order.u16(&mut body)?;
        body.take(10)?;
        self.readable = major == blocks::MAJOR_VERSION;
        self.interfaces.clear();
        Ok(())
    }

    fn interface_description(&mut self, mut body: Cursor<'a>) -> Result<(), Error> {
        let link = LinkType(self.order.u16(&mut body)?);
        body.take(2)?;
        let snap_len = self.order.u32(&mut body)?;
        let mut info =
            InterfaceInfo { link, snap_len, name: None, description: None, resolution: 6, offset_s: 0 };
        for option in Options::new(body, self.order) {
            let (code, value) = option?;
            let mut number = Cursor::new(value);
            match code {
                blocks::IF_NAME => info.name = std::str::from_utf8(value).ok(),
                blocks::IF_DESCRIPTION => info.description = std::str::from_utf8(value).ok(),
                blocks::IF_TSRESOL => info.resolution = number.u8()?,
                blocks::IF_TSOFFSET => info.offset_s = self.order.i64(&mut number)?,
                _ => {}
            }
        }
        self.interfaces.push(info);
        Ok(())
    }

    fn enhanced_packet(&self, mut body: Cursor<'a>) -> Result<Captured<'a>, Error> {
        let interface = self.order.u32(&mut body)?;
        let high = self.order.u32(&mut body)?;
        let low = self.order.u32(&mut body)?;
        let len = self.order.u32(&mut body)? as usize;
        let original_len = self.order.u32(&mut body)?;
        let data = body.take(len)?;
        body.take(blocks::padding(len))?;
        let info =
            self.interfaces.get(interface as usize).ok_or(Error::Malformed("undescribed interface"))?;
        let mut comment = None;
        for option in Options::new(body, self.order) {
            let (code, value) = option?;
            if code == blocks::OPT_COMMENT && comment.is_none() {
                comment = std::str::from_utf8(value).ok();
            }
        }
        let stamp_ns = info.nanoseconds(u64::from(high) << 32 | u64::from(low));
        Ok(Captured { interface, link: info.link, stamp_ns, data, original_len, comment })
    }

    fn simple_packet(&self, mut body: Cursor<'a>) -> Result<Captured<'a>, Error> {
        let original_len = self.order.u32(&mut body)?;
        let info = self.interfaces.first().ok_or(Error::Malformed("undescribed interface"))?;
        let len = match info.snap_len {
            0 => original_len,
            limit => original_len.min(limit),
        };
        let data = body.take(len as usize)?;
        Ok(Captured { interface: 0, link: info.link, stamp_ns: None, data, original_len, comment: None })
    }

    /// The packet in the next block, if it is a block with a packet.
    fn step(&mut self, rest: &'a [u8]) -> Result<Option<Captured<'a>>, Stop> {
        let offset = self.offset;
        let (kind, body) = self.block(rest)?;
        let read = match kind {
            blocks::SECTION_HEADER => self.section_header(body).map(|()| None),
            _ if !self.readable => Ok(None),
            blocks::INTERFACE_DESCRIPTION => self.interface_description(body).map(|()| None),
            blocks::ENHANCED_PACKET => self.enhanced_packet(body).map(Some),
            blocks::SIMPLE_PACKET => self.simple_packet(body).map(Some),
            _ => Ok(None),
        };
        read.map_err(|error| match error {
            Error::Malformed(what) => Stop::Malformed { offset, what },
            _ => Stop::Malformed { offset, what: "a block shorter than its contents" },
        })
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Result<Captured<'a>, Stop>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.file.get(self.offset..).filter(|rest| !rest.is_empty())?;
            match self.step(rest) {
                Ok(None) => {}
                Ok(Some(captured)) => return Some(Ok(captured)),
                Err(stop) => {
                    self.offset = usize::MAX;
                    return Some(Err(stop));
                }
            }
        }
    }
}
