//! Writes files during the run: a separate thread takes filled chunks, hashes them and writes them to disk.

use crate::files::{Files, Sink, taken};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Bytes in a chunk, and how many chunks may wait.
const CHUNK: usize = 1 << 16;
const WAITING: usize = 64;

/// Work for the thread.
enum Message {
    /// A new file, whose number is the count of files before it.
    File(String, File),
    /// A chunk of the file with this number.
    Chunk(usize, Vec<u8>),
}

/// Files of one folder, and the thread that writes them.
pub(crate) struct Disk {
    folder: PathBuf,
    files: usize,
    refused: Refused,
    sender: SyncSender<Message>,
    thread: JoinHandle<io::Result<Vec<(String, String)>>>,
}

/// Whether a write has failed, so that the run may stop.
#[derive(Clone, Debug)]
pub(crate) struct Refused(Arc<AtomicBool>);

impl Refused {
    /// It has.
    pub(crate) fn yet(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// One open file; its partial chunk is handed over when it is flushed.
struct Chunks {
    file: usize,
    chunk: Vec<u8>,
    disk: SyncSender<Message>,
}

impl Disk {
    /// Starts the thread; no files yet.
    pub(super) fn start(folder: &Path) -> Self {
        let (sender, receiver) = sync_channel(WAITING);
        let refused = Refused(Arc::default());
        let flag = Arc::clone(&refused.0);
        let thread =
            std::thread::spawn(move || work(&receiver).inspect_err(|_| flag.store(true, Ordering::Relaxed)));
        Self { folder: folder.to_owned(), files: 0, refused, sender, thread }
    }

    /// Whether a write has failed.
    pub(crate) fn refused(&self) -> Refused {
        self.refused.clone()
    }

    /// Waits until everything is on disk; every sink must be gone. Names and SHA-256 of the files.
    pub(super) fn finish(self) -> io::Result<Vec<(String, String)>> {
        drop(self.sender);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the writing thread panicked")))
    }
}

impl Files for Disk {
    fn create(&mut self, name: &str) -> io::Result<Sink> {
        let file = File::create_new(self.folder.join(name)).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => taken(name),
            _ => error,
        })?;
        hand_over(&self.sender, Message::File(name.to_owned(), file))?;
        self.files += 1;
        Ok(Box::new(Chunks { file: self.files - 1, chunk: Vec::new(), disk: self.sender.clone() }))
    }
}

fn work(receiver: &Receiver<Message>) -> io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for message in receiver {
        match message {
            Message::File(name, file) => files.push((name, file, Sha256::new())),
            Message::Chunk(number, chunk) => {
                let (_, file, hash) = &mut files[number];
                hash.update(&chunk);
                file.write_all(&chunk)?;
            }
        }
    }
    let done = |(name, file, hash): (String, File, Sha256)| {
        file.sync_all()?;
        Ok((name, super::hex(&hash.finalize())))
    };
    files.into_iter().map(done).collect()
}

fn hand_over(disk: &SyncSender<Message>, message: Message) -> io::Result<()> {
    // The thread ends early only if a write failed; joining it returns that error.
    disk.send(message).map_err(|_| io::ErrorKind::BrokenPipe.into())
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.chunk.len() + bytes.len() > CHUNK {
            self.flush()?;
        }
        self.chunk.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        let chunk = std::mem::replace(&mut self.chunk, Vec::with_capacity(CHUNK));
        hand_over(&self.disk, Message::Chunk(self.file, chunk))
    }
}
