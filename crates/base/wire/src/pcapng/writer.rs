//! Writing pcapng.

use super::blocks;
use crate::{Error, LinkType};
use std::io::{self, Write};

/// An interface to be described (draft-ietf-opsawg-pcapng section 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interface<'a> {
    /// What its packets begin with.
    pub link: LinkType,
    /// Option `if_name`; left out if empty. Up to 65535 octets.
    pub name: &'a str,
    /// Option `if_description`; left out if empty. Up to 65535 octets.
    pub description: &'a str,
    /// The most octets kept of a packet; zero for no limit.
    pub snap_len: u32,
}

impl Interface<'_> {
    /// The most octets kept of a packet, without zero's special meaning.
    pub const fn room(&self) -> usize {
        room(self.snap_len)
    }
}

const fn room(snap_len: u32) -> usize {
    match snap_len {
        0 => usize::MAX,
        limit => limit as usize,
    }
}

/// An interface that has been described.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InterfaceId(u32);

/// A packet to be written (draft-ietf-opsawg-pcapng section 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Where it was captured.
    pub interface: InterfaceId,
    /// When, in nanoseconds since 1970-01-01 UTC; a simulation counts from its start.
    pub stamp_ns: u64,
    /// Its first octets. What exceeds the interface's snap length is left out.
    pub data: &'a [u8],
    /// Its length in octets before it was cut.
    pub original_len: u32,
    /// Option `opt_comment`. Up to 65535 octets.
    pub comment: Option<&'a str>,
}

/// Writes one section of a pcapng file, stamps in nanoseconds.
///
/// What it writes depends on nothing but what it is given: no clock, no host. Each block is one write, and `sink` is not
/// buffered here.
#[derive(Debug)]
pub struct Writer<W> {
    sink: W,
    /// The snap lengths of the described interfaces.
    snap_lens: Vec<u32>,
    block: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Writes the section header (draft-ietf-opsawg-pcapng section 4.1). `application` becomes its option
    /// `shb_userappl`; left out if empty.
    ///
    /// # Errors
    ///
    /// What the sink returns; [`io::ErrorKind::InvalidInput`] if `application` exceeds 65535 octets.
    pub fn new(sink: W, application: &str) -> io::Result<Self> {
        check_text(application)?;
        let mut writer = Self { sink, snap_lens: Vec::new(), block: Vec::new() };
        writer.write(blocks::SECTION_HEADER, |out| {
            out.extend_from_slice(&blocks::BYTE_ORDER_MAGIC.to_le_bytes());
            out.extend_from_slice(&blocks::MAJOR_VERSION.to_le_bytes());
            out.extend_from_slice(&0_u16.to_le_bytes());
            // The section's length is unknown while it is being written.
            out.extend_from_slice(&(-1_i64).to_le_bytes());
            if !application.is_empty() {
                blocks::emit_option(blocks::SHB_USERAPPL, application.as_bytes(), out);
                blocks::emit_option(blocks::OPT_END, &[], out);
            }
        })?;
        Ok(writer)
    }

    /// Describes an interface (draft-ietf-opsawg-pcapng section 4.2), with `if_tsresol` 9: nanoseconds.
    ///
    /// # Errors
    ///
    /// What the sink returns; [`io::ErrorKind::InvalidInput`] if a text exceeds 65535 octets.
    pub fn interface(&mut self, interface: &Interface<'_>) -> io::Result<InterfaceId> {
        check_text(interface.name)?;
        check_text(interface.description)?;
        let id = u32::try_from(self.snap_lens.len()).map_err(|_| invalid("too many interfaces"))?;
        self.write(blocks::INTERFACE_DESCRIPTION, |out| {
            out.extend_from_slice(&interface.link.0.to_le_bytes());
            out.extend_from_slice(&[0; 2]);
            out.extend_from_slice(&interface.snap_len.to_le_bytes());
            for (code, text) in
                [(blocks::IF_NAME, interface.name), (blocks::IF_DESCRIPTION, interface.description)]
            {
                if !text.is_empty() {
                    blocks::emit_option(code, text.as_bytes(), out);
                }
            }
            blocks::emit_option(blocks::IF_TSRESOL, &[9], out);
            blocks::emit_option(blocks::OPT_END, &[], out);
        })?;
        self.snap_lens.push(interface.snap_len);
        Ok(InterfaceId(id))
    }

    /// Writes a packet (draft-ietf-opsawg-pcapng section 4.3).
    ///
    /// # Errors
    ///
    /// What the sink returns; [`io::ErrorKind::InvalidInput`] if the interface is of another writer, the comment exceeds
    /// 65535 octets, or there is more data than `original_len`.
    pub fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        let InterfaceId(id) = record.interface;
        let &snap_len = self.snap_lens.get(id as usize).ok_or_else(|| invalid("unknown interface"))?;
        check_text(record.comment.unwrap_or_default())?;
        if record.data.len() > record.original_len as usize {
            return Err(invalid("more data than the packet's original length"));
        }
        let data = &record.data[..record.data.len().min(room(snap_len))];
        self.write(blocks::ENHANCED_PACKET, |out| {
            out.extend_from_slice(&id.to_le_bytes());
            out.extend_from_slice(&((record.stamp_ns >> 32) as u32).to_le_bytes());
            out.extend_from_slice(&(record.stamp_ns as u32).to_le_bytes());
            // Not above `original_len`, as checked.
            out.extend_from_slice(&(data.len() as u32).to_le_bytes());
            out.extend_from_slice(&record.original_len.to_le_bytes());
            let start = out.len();
            out.extend_from_slice(data);
            blocks::pad(start, out);
            if let Some(comment) = record.comment {
                blocks::emit_option(blocks::OPT_COMMENT, comment.as_bytes(), out);
                blocks::emit_option(blocks::OPT_END, &[], out);
            }
        })
    }

    /// Writes when the capture at an interface ended, in nanoseconds as of stamps: option `isb_endtime` of its statistics (draft-ietf-opsawg-pcapng section 4.6).
    ///
    /// # Errors
    ///
    /// What the sink returns; [`io::ErrorKind::InvalidInput`] if the interface is of another writer.
    pub fn ended(&mut self, InterfaceId(id): InterfaceId, at_ns: u64) -> io::Result<()> {
        if id as usize >= self.snap_lens.len() {
            return Err(invalid("unknown interface"));
        }
        let stamp = [at_ns >> 32, at_ns].map(|part| (part as u32).to_le_bytes()).concat();
        self.write(blocks::INTERFACE_STATISTICS, |out| {
            out.extend_from_slice(&id.to_le_bytes());
            out.extend_from_slice(&stamp);
            blocks::emit_option(blocks::ISB_ENDTIME, &stamp, out);
            blocks::emit_option(blocks::OPT_END, &[], out);
        })
    }

    /// Flushes the sink and returns it.
    ///
    /// # Errors
    ///
    /// What the sink returns.
    pub fn finish(mut self) -> io::Result<W> {
        self.sink.flush()?;
        Ok(self.sink)
    }

    fn write(&mut self, kind: u32, fill: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        self.block.clear();
        blocks::emit(kind, &mut self.block, fill).map_err(|error: Error| invalid(error))?;
        self.sink.write_all(&self.block)
    }
}

/// An option's length has 16 bits (draft-ietf-opsawg-pcapng section 3.5).
fn check_text(text: &str) -> io::Result<()> {
    if text.len() > usize::from(u16::MAX) { Err(invalid("text exceeds 65535 octets")) } else { Ok(()) }
}

fn invalid(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
