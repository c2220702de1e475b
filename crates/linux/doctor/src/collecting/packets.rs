//! Packets, by tcpdump: it writes into a pipe, so that it ends with what reads the pipe, and no file outgrows its limit.

use super::Recorded;
use super::folder::Folder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{JoinHandle, spawn};

/// Octets that are kept of a packet: all headers, and nothing of most contents.
const OCTETS: &str = "160";
/// The kernel's buffer in KiB, for bursts.
const BUFFER: &str = "8192";

/// A capture that goes on.
pub(super) struct Packets {
    tcpdump: Child,
    file: String,
    octets: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
    copies: JoinHandle<()>,
    errors: JoinHandle<Vec<String>>,
}

/// Whether there is a tcpdump.
pub(super) fn check() -> Result<(), String> {
    let found = Command::new("tcpdump").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.map(drop).map_err(|_| "tcpdump is not installed; on Debian: sudo apt install tcpdump".to_owned())
}

impl Packets {
    /// Begins to capture an interface into `NAME.pcap` of a folder.
    pub(super) fn begin(folder: &Folder, interface: &str, name: &str, most: u64) -> Result<Self, String> {
        let failed = |why: String| format!("{interface} cannot be captured: {why}");
        let mut tcpdump = Command::new("tcpdump")
            .args(["-i", interface, "-s", OCTETS, "-B", BUFFER, "-n", "-U", "-w", "-"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C in a terminal is for this process, which then ends tcpdump.
            .process_group(0)
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let mut pipe = tcpdump.stdout.take().ok_or_else(|| failed("no pipe".to_owned()))?;
        let errors = BufReader::new(tcpdump.stderr.take().ok_or_else(|| failed("no pipe".to_owned()))?);
        let errors = spawn(move || errors.lines().map_while(Result::ok).collect::<Vec<_>>());
        // The file's header comes as soon as it captures.
        let mut header = [0; 24];
        if pipe.read_exact(&mut header).is_err() {
            let _ = tcpdump.wait();
            let said = errors.join().unwrap_or_default();
            return Err(failed(said.last().cloned().unwrap_or_else(|| "tcpdump ended".to_owned())));
        }
        let name = format!("{name}.pcap");
        let mut file = folder.file(&name).map_err(|error| failed(error.to_string()))?;
        file.write_all(&header).map_err(|error| failed(error.to_string()))?;
        let (octets, ended) =
            (Arc::new(AtomicU64::new(header.len() as u64)), Arc::new(AtomicBool::new(false)));
        let (count, over) = (Arc::clone(&octets), Arc::clone(&ended));
        let copies = spawn(move || {
            copy(pipe, file, &count, most);
            over.store(true, Ordering::Relaxed);
        });
        Ok(Self { tcpdump, file: folder.called(&name), octets, ended, copies, errors })
    }

    /// Octets written so far.
    pub(super) fn octets(&self) -> u64 {
        self.octets.load(Ordering::Relaxed)
    }

    /// Whether it has come to its end by itself.
    pub(super) fn ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Ends it, and says what it has.
    pub(super) fn end(mut self) -> Recorded {
        if let Some(process) = rustix::process::Pid::from_child(&self.tcpdump).into() {
            let _ = rustix::process::kill_process(process, rustix::process::Signal::INT);
        }
        let _ = self.copies.join();
        let _ = self.tcpdump.wait();
        let said = self.errors.join().unwrap_or_default();
        // `12 packets captured`, `0 packets dropped by kernel`.
        let count = |what: &str| {
            let line = said.iter().find(|line| line.ends_with(what));
            line.and_then(|line| line.split(' ').next()?.parse().ok()).unwrap_or(0)
        };
        Recorded {
            file: self.file,
            packets: count("captured"),
            dropped: count("dropped by kernel"),
            octets: self.octets.load(Ordering::Relaxed),
        }
    }
}

/// Copies packets until there are no more, or too many; whole ones only, since a capture that ends in one is cut.
fn copy(mut pipe: impl Read, mut file: File, octets: &AtomicU64, most: u64) {
    let mut header = [0; 16];
    let mut packet = Vec::new();
    while pipe.read_exact(&mut header).is_ok() {
        // What is kept of the packet, in this machine's order of octets.
        let length = u32::from_ne_bytes(header[8..12].try_into().expect("four octets"));
        packet.resize(length as usize, 0);
        let whole = pipe.read_exact(&mut packet).is_ok();
        let more = (header.len() + packet.len()) as u64;
        if !whole || octets.load(Ordering::Relaxed) + more > most {
            return;
        }
        if file.write_all(&header).and_then(|()| file.write_all(&packet)).is_err() {
            return;
        }
        octets.fetch_add(more, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_packets_are_kept_and_no_more_than_the_limit() {
        let folder = std::env::temp_dir().join(format!("airloom-doctor-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let packet = |length: u32| {
            let mut octets = vec![0; 16 + length as usize];
            octets[8..12].copy_from_slice(&length.to_ne_bytes());
            octets
        };
        let pipe = [packet(10), packet(20), packet(30)].concat();
        for (given, most, kept) in [
            (pipe.len(), u64::MAX, pipe.len()),
            (pipe.len() - 1, u64::MAX, 62),
            (pipe.len(), 70, 62),
            (30, u64::MAX, 26),
        ] {
            let path = folder.join("test.pcap");
            let octets = AtomicU64::new(0);
            copy(&pipe[..given], File::create(&path).unwrap(), &octets, most);
            assert_eq!(
                (octets.load(Ordering::Relaxed), std::fs::metadata(&path).unwrap().len()),
                (kept as u64, kept as u64)
            );
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
