//! Writing files beside the run: a thread of its own takes filled chunks, hashes them and hands them to the disk.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Bytes handed over at a time, and how many such chunks may wait.
const CHUNK: usize = 1 << 18;
const WAITING: usize = 16;

/// A chunk of the file with this number.
type Message = (usize, Vec<u8>);

/// The thread and its files.
pub(super) struct Disk {
    names: Vec<String>,
    files: Vec<File>,
}

/// One file, to be written to; what is left in it is handed over when it is flushed.
pub(super) struct Sink {
    file: usize,
    chunk: Vec<u8>,
    disk: SyncSender<Message>,
}

/// The thread at work.
pub(super) struct Writing(JoinHandle<io::Result<Vec<(String, String)>>>);

impl Disk {
    /// No files yet.
    pub(super) fn new() -> Self {
        Self { names: Vec::new(), files: Vec::new() }
    }

    /// Creates a file in `folder`, to be numbered in turn; two of the same name (a host called `air`) are refused.
    pub(super) fn create(&mut self, folder: &Path, name: &str) -> io::Result<()> {
        let told = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => io::Error::other(format!("two captures would be called {name}")),
            _ => error,
        };
        self.files.push(File::create_new(folder.join(name)).map_err(told)?);
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Starts the thread; gives a sink for each file, in the order of their numbers.
    pub(super) fn start(self) -> (Vec<Sink>, Writing) {
        let (sender, receiver) = sync_channel(WAITING);
        let sink = |file| Sink { file, chunk: Vec::with_capacity(CHUNK), disk: sender.clone() };
        let sinks = (0..self.files.len()).map(sink).collect();
        (sinks, Writing(std::thread::spawn(move || self.work(&receiver))))
    }

    fn work(mut self, receiver: &Receiver<Message>) -> io::Result<Vec<(String, String)>> {
        let mut hashes = vec![Sha256::new(); self.files.len()];
        for (file, chunk) in receiver {
            hashes[file].update(&chunk);
            self.files[file].write_all(&chunk)?;
        }
        self.files.iter().try_for_each(File::sync_all)?;
        let hashes = hashes.into_iter().map(|h| crate::bundle::hex(&h.finalize()));
        Ok(self.names.into_iter().zip(hashes).collect())
    }
}

impl Sink {
    fn hand_over(&mut self) -> io::Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        let chunk = std::mem::replace(&mut self.chunk, Vec::with_capacity(CHUNK));
        // The thread ends early only because the disk refused; its own error says so when it is joined.
        self.disk.send((self.file, chunk)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.chunk.len() + bytes.len() > CHUNK {
            self.hand_over()?;
        }
        self.chunk.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hand_over()
    }
}

impl Writing {
    /// Waits until everything is on disk; every sink must be gone. Names and SHA-256 of the files.
    pub(super) fn finish(self) -> io::Result<Vec<(String, String)>> {
        self.0.join().unwrap_or_else(|_| Err(io::Error::other("the writing thread panicked")))
    }
}
