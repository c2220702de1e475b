//! Files that a run writes while it goes on: a bundle's on disk, or others in memory.

#[cfg(not(target_family = "wasm"))]
mod log;
mod memory;

#[cfg(not(target_family = "wasm"))]
pub(crate) use log::{Columns, Getter, Log, Names, names};
pub(crate) use memory::Memory;

use std::io::{self, Write};

/// One open file; what was written is in it once it is flushed.
pub(crate) type Sink = Box<dyn Write + Send>;

/// Where files are created.
pub(crate) trait Files {
    /// Creates a file; a second one of the same name is refused (a host called `air`).
    fn create(&mut self, name: &str) -> io::Result<Sink>;

    /// Writes a whole file.
    #[cfg(not(target_family = "wasm"))]
    fn store(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut sink = self.create(name)?;
        sink.write_all(bytes)?;
        sink.flush()
    }
}

/// The error of a second file of one name.
pub(crate) fn taken(name: &str) -> io::Error {
    io::Error::other(format!("two files of the bundle would be called {name}"))
}
