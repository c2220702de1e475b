//! Files in memory, for where there is no disk.

use super::{Files, Sink, taken};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Files by their names, in the order in which they were created.
#[derive(Default)]
pub(crate) struct Memory(Vec<(String, Octets)>);

/// What was written to a file so far.
#[derive(Clone, Default)]
struct Octets(Arc<Mutex<Vec<u8>>>);

impl Memory {
    /// The files with what is in them; every sink must be gone.
    pub(crate) fn finish(self) -> Vec<(String, Vec<u8>)> {
        let taken = |Octets(octets): Octets| {
            std::mem::take(&mut *octets.lock().unwrap_or_else(PoisonError::into_inner))
        };
        self.0.into_iter().map(|(name, octets)| (name, taken(octets))).collect()
    }
}

impl Files for Memory {
    fn create(&mut self, name: &str) -> io::Result<Sink> {
        if self.0.iter().any(|(known, _)| known == name) {
            return Err(taken(name));
        }
        let octets = Octets::default();
        self.0.push((name.to_owned(), octets.clone()));
        Ok(Box::new(octets))
    }
}

impl Write for Octets {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
