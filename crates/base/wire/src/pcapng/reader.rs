//! Reading pcapng.

use super::blocks::{self, Options};
use crate::bytes::{Cursor, Order};
use crate::octets::{LONGEST, Octets};
use crate::{Captured, Error, LinkType, Stop};
use std::collections::BTreeMap;
use std::io::Read;

/// The most interfaces that a file may describe.
const MOST_INTERFACES: usize = 512;

/// A file's description of an interface (draft-ietf-opsawg-pcapng section 4.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceInfo {
    /// What its packets begin with.
    pub link: LinkType,
    /// The most octets kept of a packet; zero for no limit.
    pub snap_len: u32,
    /// Option `if_name`.
    pub name: Option<String>,
    /// Option `if_description`.
    pub description: Option<String>,
    /// Option `if_tsresol`: the unit of stamps is 10^-n s, or 2^-n s if the high bit is set.
    pub resolution: u8,
    /// Option `if_tsoffset`: seconds to be added to stamps.
    pub offset_s: i64,
    /// When the capture there ended, in nanoseconds since 1970, as its statistics say that were read last (`isb_endtime`).
    pub ended_ns: Option<u64>,
}

impl InterfaceInfo {
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

/// The section of a pcapng file that is being read.
///
/// Section headers of either byte order, interface descriptions, when captures ended, enhanced, simple and obsolete packets are read; other blocks are
/// skipped, and sections of another major version as a whole.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    order: Order,
    /// Which of the file's sections it is.
    number: u64,
    /// Whether the section's version is known.
    readable: bool,
    /// What the section describes, and which of all the file's each is.
    interfaces: Vec<(InterfaceInfo, u32)>,
    /// Those of the whole file, as they were first described.
    all: Vec<InterfaceInfo>,
    /// Which of all look alike.
    alike: BTreeMap<Looks, Alike>,
}

/// What an interface has in common with itself in another section.
type Looks = (LinkType, Option<String>, Option<String>);

/// The file's interfaces of the same looks.
#[derive(Clone, Debug, Default)]
struct Alike {
    /// Which of all the file's they are.
    places: Vec<u32>,
    /// How many of them a section has described, and which: the last that has one.
    described: usize,
    section: u64,
}

impl Default for Section {
    fn default() -> Self {
        let (interfaces, all, alike) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { order: Order::Little, number: 0, readable: false, interfaces, all, alike }
    }
}

impl Section {
    /// The interfaces described so far, of all sections.
    pub(crate) fn interfaces(&self) -> &[InterfaceInfo] {
        &self.all
    }

    /// The next packet, and in `taken` how many octets its block takes; none at the end of the file.
    ///
    /// # Errors
    ///
    /// [`Stop`] if the file ends within a block, or a block contradicts the format.
    pub(crate) fn packet<'a>(
        &mut self,
        octets: &'a mut Octets<impl Read>,
        taken: &mut usize,
    ) -> Result<Option<Captured<'a>>, Stop> {
        let (kind, len) = loop {
            let Some((kind, len)) = self.block(octets)? else { return Ok(None) };
            const PACKETS: [u32; 3] = [blocks::ENHANCED_PACKET, blocks::SIMPLE_PACKET, blocks::PACKET];
            if self.readable && PACKETS.contains(&kind) {
                break (kind, len);
            }
            let offset = octets.offset();
            self.take_in(kind, body(octets.held(), len)).map_err(|error| wrong(offset, error))?;
            octets.consume(len);
        };
        *taken = len;
        let offset = octets.offset();
        let body = body(octets.held(), len);
        let packet = match kind {
            blocks::ENHANCED_PACKET => self.enhanced_packet(body, false),
            blocks::PACKET => self.enhanced_packet(body, true),
            _ => self.simple_packet(body),
        };
        packet.map(Some).map_err(|error| wrong(offset, error))
    }

    /// The type and the length of the next block, which is in memory then; none at the end of the file.
    fn block(&mut self, octets: &mut Octets<impl Read>) -> Result<Option<(u32, usize)>, Stop> {
        let offset = octets.offset();
        let truncated = |_| Stop::Truncated { offset };
        let malformed = |what| Stop::Malformed { offset, what };

        let start = octets.peek(blocks::OVERHEAD)?;
        if start.is_empty() {
            return Ok(None);
        }
        let mut cursor = Cursor::new(start);
        let mut kind = self.order.u32(&mut cursor).map_err(truncated)?;
        if start.starts_with(&super::MAGIC) {
            // Its own byte order, given after the length, applies to the length already.
            kind = blocks::SECTION_HEADER;
            let mut magic = Cursor::new(start.get(8..).unwrap_or_default());
            self.order = match magic.le32().map_err(truncated)? {
                blocks::BYTE_ORDER_MAGIC => Order::Little,
                magic if magic.swap_bytes() == blocks::BYTE_ORDER_MAGIC => Order::Big,
                _ => return Err(malformed("a section whose byte order is unknown")),
            };
        }
        let len = self.order.u32(&mut cursor).map_err(truncated)? as usize;
        if len < blocks::OVERHEAD || !len.is_multiple_of(4) {
            return Err(malformed("a block with an impossible length: under 12 octets, or no multiple of 4"));
        }
        if len > LONGEST {
            return Err(malformed("a block of more than 16 MiB"));
        }
        let whole = octets.peek(len)?;
        let mut end = Cursor::new(whole.get(len - 4..).ok_or(Stop::Truncated { offset })?);
        if self.order.u32(&mut end).map_err(truncated)? as usize != len {
            return Err(malformed("the two lengths of a block differ"));
        }
        Ok(Some((kind, len)))
    }

    /// Takes in what a block says that is not a packet.
    fn take_in(&mut self, kind: u32, body: Cursor<'_>) -> Result<(), Error> {
        match kind {
            blocks::SECTION_HEADER => self.section_header(body),
            blocks::INTERFACE_DESCRIPTION if self.readable => self.interface_description(body),
            blocks::INTERFACE_STATISTICS if self.readable => {
                // What cannot be read of them takes nothing from the packets.
                if let Ok(Some((place, ended_ns))) = self.interface_statistics(body) {
                    self.all[place as usize].ended_ns = Some(ended_ns);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn section_header(&mut self, mut body: Cursor<'_>) -> Result<(), Error> {
        body.take(4)?;
        let major = self.order.u16(&mut body)?;
        body.take(10)?;
        self.readable = major == blocks::MAJOR_VERSION;
        self.interfaces.clear();
        self.number += 1;
        Ok(())
    }

    fn interface_description(&mut self, mut body: Cursor<'_>) -> Result<(), Error> {
        let link = LinkType(self.order.u16(&mut body)?);
        body.take(2)?;
        let snap_len = self.order.u32(&mut body)?;
        let mut info = InterfaceInfo {
            link,
            snap_len,
            name: None,
            description: None,
            resolution: 6,
            offset_s: 0,
            ended_ns: None,
        };
        let text = |value| std::str::from_utf8(value).ok().map(str::to_owned);
        for option in Options::new(body, self.order) {
            let (code, value) = option?;
            let mut number = Cursor::new(value);
            match code {
                blocks::IF_NAME => info.name = text(value),
                blocks::IF_DESCRIPTION => info.description = text(value),
                blocks::IF_TSRESOL => info.resolution = number.u8()?,
                blocks::IF_TSOFFSET => info.offset_s = self.order.i64(&mut number)?,
                _ => {}
            }
        }
        let place = self.place(&info)?;
        self.interfaces.push((info, place));
        Ok(())
    }

    /// Which of all the file's interfaces some statistics are of, and when its capture ended; none if they do not say.
    fn interface_statistics(&self, mut body: Cursor<'_>) -> Result<Option<(u32, u64)>, Error> {
        let interface = self.order.u32(&mut body)?;
        body.take(8)?;
        let Some(&(ref info, place)) = self.interfaces.get(interface as usize) else { return Ok(None) };
        for option in Options::new(body, self.order) {
            let (code, value) = option?;
            if code == blocks::ISB_ENDTIME {
                let mut halves = Cursor::new(value);
                let (high, low) = (self.order.u32(&mut halves)?, self.order.u32(&mut halves)?);
                return Ok(info
                    .nanoseconds(u64::from(high) << 32 | u64::from(low))
                    .map(|ended_ns| (place, ended_ns)));
            }
        }
        Ok(None)
    }

    /// Which of all the file's interfaces one is: the first of its looks that this section has not described yet, or a new one.
    fn place(&mut self, info: &InterfaceInfo) -> Result<u32, Error> {
        let looks = (info.link, info.name.clone(), info.description.clone());
        let alike = self.alike.entry(looks).or_default();
        if alike.section != self.number {
            (alike.section, alike.described) = (self.number, 0);
        }
        if alike.described == alike.places.len() {
            if self.all.len() == MOST_INTERFACES {
                return Err(Error::Malformed("more than 512 interfaces"));
            }
            alike.places.push(self.all.len() as u32);
            self.all.push(info.clone());
        }
        alike.described += 1;
        Ok(alike.places[alike.described - 1])
    }

    /// An enhanced packet, or its forerunner, which has its interface in 16 bits and a count of what was dropped behind it.
    fn enhanced_packet<'a>(&self, mut body: Cursor<'a>, obsolete: bool) -> Result<Captured<'a>, Error> {
        let interface = if obsolete {
            let interface = self.order.u16(&mut body)?;
            self.order.u16(&mut body)?;
            interface.into()
        } else {
            self.order.u32(&mut body)?
        };
        let high = self.order.u32(&mut body)?;
        let low = self.order.u32(&mut body)?;
        let len = self.order.u32(&mut body)? as usize;
        let original_len = self.order.u32(&mut body)?;
        let data = body.take(len)?;
        body.take(blocks::padding(len))?;
        let &(ref info, interface) = self
            .interfaces
            .get(interface as usize)
            .ok_or(Error::Malformed("a packet of an interface that no block describes"))?;
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

    fn simple_packet<'a>(&self, mut body: Cursor<'a>) -> Result<Captured<'a>, Error> {
        let original_len = self.order.u32(&mut body)?;
        let &(ref info, interface) = self
            .interfaces
            .first()
            .ok_or(Error::Malformed("a packet of an interface that no block describes"))?;
        let len = match info.snap_len {
            0 => original_len,
            limit => original_len.min(limit),
        };
        let data = body.take(len as usize)?;
        Ok(Captured { interface, link: info.link, stamp_ns: None, data, original_len, comment: None })
    }
}

/// What lies between the two lengths of a block that begins `held`.
fn body(held: &[u8], len: usize) -> Cursor<'_> {
    Cursor::new(&held[8..len - 4])
}

/// What is wrong with the block at `offset`.
const fn wrong(offset: u64, error: Error) -> Stop {
    match error {
        Error::Malformed(what) => Stop::Malformed { offset, what },
        _ => Stop::Malformed { offset, what: "a block shorter than its contents" },
    }
}
