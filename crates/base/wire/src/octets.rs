//! The octets of a file that is read piece by piece.

use crate::Stop;
use std::io::{ErrorKind, Read};

/// How many octets are asked for at once.
const PIECE: usize = 256 * 1024;

/// The longest piece that has to lie in memory as a whole. Packets are shorter by far (tcpdump's longest is 256 KiB, usbmon's
/// a megabyte), so that what claims to be longer is not what it seems.
pub(crate) const LONGEST: usize = 16 * 1024 * 1024;

/// A window onto a file, of which no more than a piece and the longest packet is in memory.
#[derive(Clone, Debug)]
pub(crate) struct Octets<R> {
    file: R,
    held: Vec<u8>,
    /// Where in `held` the octets that have not been consumed begin.
    begin: usize,
    /// Where they begin in the file.
    offset: u64,
}

impl<R: Read> Octets<R> {
    pub(crate) const fn new(file: R) -> Self {
        Self { file, held: Vec::new(), begin: 0, offset: 0 }
    }

    /// How many octets of the file have been consumed.
    pub(crate) const fn offset(&self) -> u64 {
        self.offset
    }

    /// Tries to have `count` octets in memory, and returns those of them that the file has.
    ///
    /// # Errors
    ///
    /// [`Stop::Unreadable`] if the file cannot be read.
    pub(crate) fn peek(&mut self, count: usize) -> Result<&[u8], Stop> {
        while self.held.len() - self.begin < count {
            self.held.drain(..self.begin);
            self.begin = 0;
            let filled = self.held.len();
            self.held.resize(filled + PIECE, 0);
            let read = loop {
                match self.file.read(&mut self.held[filled..]) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    // A compressed file that is cut short.
                    Err(error) if error.kind() == ErrorKind::UnexpectedEof => break Ok(0),
                    other => break other.map_err(|error| error.kind()),
                }
            };
            self.held.truncate(filled + read.unwrap_or_default());
            match read {
                Ok(0) => break,
                Ok(_) => {}
                Err(kind) => {
                    return Err(Stop::Unreadable { offset: self.offset + filled as u64, kind });
                }
            }
        }
        let end = self.held.len().min(self.begin + count);
        Ok(&self.held[self.begin..end])
    }

    /// The octets in memory that have not been consumed.
    pub(crate) fn held(&self) -> &[u8] {
        &self.held[self.begin..]
    }

    /// Goes on behind the next `count` octets, which are in memory.
    pub(crate) fn consume(&mut self, count: usize) {
        self.begin += count;
        self.offset += count as u64;
    }
}
