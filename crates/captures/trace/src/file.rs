//! A capture file as records in their order, from the disk to what each shows.

use crate::link::{self, Seen};
use crate::packet::Packet;
use crate::ping::{self, PingCapture};
use airloom_wire::{LinkType, Reader, Stop};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The first octets of a gzip file (RFC 1952 section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Other compressors whose files begin so, and what undoes them.
const COMPRESSED: [(&[u8], &str, &str); 4] = [
    (&[0xfd, b'7', b'z', b'X', b'Z', 0], "xz", "unxz"),
    (&[0x28, 0xb5, 0x2f, 0xfd], "zstd", "unzstd"),
    (b"BZh", "bzip2", "bunzip2"),
    (&[0x04, 0x22, 0x4d, 0x18], "lz4", "unlz4"),
];

/// A later stamp, of the year 2262 and after, is a damaged one, and counts as this: behind it there is room for sums of times.
const LATEST: u64 = i64::MAX as u64;

/// A record of a capture file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    /// Its number in the file, from 1: what Wireshark calls `frame.number`.
    pub number: u32,
    /// Nanoseconds since 1970-01-01 UTC; of a record without a stamp those of the one before, or 0.
    pub stamp_ns: u64,
    /// The interface, dense from zero in the whole file.
    pub interface: u32,
    /// Its link type.
    pub link: LinkType,
    /// What was captured, in octets.
    pub captured: u32,
    /// Its length in octets before it was cut.
    pub length: u32,
    /// What it shows.
    pub seen: Seen,
}

/// A capture file of any format, gzipped or not, or the output of `ping -D`.
pub struct Capture {
    reader: Reader<Box<dyn Read + Send>>,
    number: u32,
    last_ns: u64,
    further: Vec<Packet>,
}

impl Capture {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// That it cannot be opened, or that it is no capture.
    pub fn open(path: &Path) -> Result<Self, Unopened> {
        let file = File::open(path).map_err(Unopened::Unreadable)?;
        Self::new(Box::new(file))
    }

    /// Reads a capture from anywhere.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn new(mut from: Box<dyn Read + Send>) -> Result<Self, Unopened> {
        let mut start = Vec::new();
        from.by_ref().take(16).read_to_end(&mut start).map_err(Unopened::Unreadable)?;
        if start.is_empty() {
            return Err(Unopened::Empty);
        }
        if let Some((_, by, undone_by)) = COMPRESSED.iter().find(|(magic, ..)| start.starts_with(magic)) {
            return Err(Unopened::Compressed { by, undone_by });
        }
        let (zipped, pings) = (start.starts_with(&GZIP), ping::begins(&start));
        let whole = io::Cursor::new(start).chain(from);
        let octets: Box<dyn Read + Send> = if zipped {
            Box::new(MultiGzDecoder::new(io::BufReader::new(whole)))
        } else if pings {
            Box::new(PingCapture::new(whole).map_err(Unopened::Unreadable)?)
        } else {
            Box::new(whole)
        };
        Ok(Self {
            reader: Reader::new(octets).map_err(Unopened::NoCapture)?,
            number: 0,
            last_ns: 0,
            further: Vec::new(),
        })
    }

    /// Whether the file may have several interfaces: each may be described as late as its first packet comes.
    pub const fn may_have_several(&self) -> bool {
        self.reader.may_describe_more()
    }

    /// The name of one of them, by its number; none if it has none.
    pub fn name(&self, interface: u32) -> Option<&str> {
        self.reader.interfaces().get(interface as usize)?.name.as_deref()
    }

    /// When the capture at one of them ended, by its number, in nanoseconds since 1970, as far as the file was read; none if it does not say.
    pub fn ended_ns(&self, interface: u32) -> Option<u64> {
        self.reader.interfaces().get(interface as usize)?.ended_ns.map(|at_ns| at_ns.min(LATEST))
    }

    /// Packets of the last record behind the one that its frame has: those of an A-MSDU.
    pub fn further(&self) -> &[Packet] {
        &self.further
    }

    /// The stamp of the next record, which is not looked at, in nanoseconds since 1970; else as [`next`](Self::next).
    pub fn pass(&mut self) -> Option<Result<u64, Stop>> {
        let captured = self.reader.next()?;
        self.number = self.number.saturating_add(1);
        Some(captured.map(|captured| {
            self.last_ns = captured.stamp_ns.map_or(self.last_ns, |stamp| stamp.min(LATEST));
            self.last_ns
        }))
    }

    /// The next record, or why there is none although the file goes on; none at the end of the file and after that.
    #[expect(clippy::should_implement_trait, reason = "as of the reader below")]
    pub fn next(&mut self) -> Option<Result<Record, Stop>> {
        self.further.clear();
        let captured = match self.reader.next()? {
            Ok(captured) => captured,
            Err(stop) => return Some(Err(stop)),
        };
        self.number = self.number.saturating_add(1);
        self.last_ns = captured.stamp_ns.map_or(self.last_ns, |stamp| stamp.min(LATEST));
        Some(Ok(Record {
            number: self.number,
            stamp_ns: self.last_ns,
            interface: captured.interface,
            link: captured.link,
            captured: captured.data.len() as u32,
            length: captured.original_len,
            seen: link::read(&captured, &mut self.further),
        }))
    }
}

/// Why a file could not be opened as a capture.
#[derive(Debug)]
pub enum Unopened {
    /// The operating system says why.
    Unreadable(io::Error),
    /// It has no octet at all.
    Empty,
    /// It is compressed in a way that is not read here.
    Compressed {
        /// By what.
        by: &'static str,
        /// What undoes it.
        undone_by: &'static str,
    },
    /// Its first octets are those of no capture.
    NoCapture(Stop),
}

impl std::fmt::Display for Unopened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "cannot be read: {error}"),
            Self::Empty => f.write_str("the file is empty"),
            Self::Compressed { by, undone_by } => {
                write!(
                    f,
                    "is compressed by {by}, which is not read here: `{undone_by}` it, or compress it by gzip"
                )
            }
            Self::NoCapture(stop) => write!(f, "{stop}"),
        }
    }
}

impl std::error::Error for Unopened {}
