//! The bus through a narrow door: messages larger than any that concern this program are read past, and kept nowhere.
//!
//! Any program may send any other a message of 32 MiB (`max_message_size` in dbus-daemon's system.conf), and zbus has room for
//! 128 MiB and for 64 messages in each of its queues. Neither passes file descriptors on: the bus is not asked for them.

use async_io::Async;
use async_trait::async_trait;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use zbus::connection::socket::{ReadHalf, Socket, Split, WriteHalf};

/// wpa_supplicant's largest message lists the access points that it knows: a thousand of them fit.
const LARGEST: usize = 64 << 10;
/// The fixed part of a message's header (D-Bus Specification, "Message Format").
const HEADER: usize = 16;

/// A connection to a bus.
pub(crate) struct Narrow(Arc<Async<UnixStream>>);

impl Narrow {
    /// Connects to the bus that listens at `path`.
    pub(crate) async fn connect(path: &Path) -> io::Result<Self> {
        Ok(Self(Arc::new(Async::<UnixStream>::connect(path).await?)))
    }
}

impl Socket for Narrow {
    type ReadHalf = Incoming;
    type WriteHalf = Outgoing;

    fn split(self) -> Split<Incoming, Outgoing> {
        Split::new(Incoming::new(Arc::clone(&self.0)), Outgoing(self.0))
    }
}

/// What comes in.
#[derive(Debug)]
pub(crate) struct Incoming {
    stream: Arc<Async<UnixStream>>,
    /// A header that has been looked at, as far as it has not been passed on.
    header: Vec<u8>,
    /// What the message under way has left after its header.
    rest: usize,
    /// A message may begin here, or a line of the authentication that comes before all messages.
    between: bool,
}

impl Incoming {
    fn new(stream: Arc<Async<UnixStream>>) -> Self {
        Self { stream, header: Vec::new(), rest: 0, between: true }
    }

    async fn read(&self, octets: &mut [u8]) -> io::Result<usize> {
        self.stream.read_with(|mut stream| stream.read(octets)).await
    }

    /// Reads until `octets` is full.
    async fn fill(&self, octets: &mut [u8]) -> io::Result<()> {
        let mut done = 0;
        while done < octets.len() {
            match self.read(&mut octets[done..]).await? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => done += n,
            }
        }
        Ok(())
    }

    /// Reads what comes next of what is let in; nothing at the end.
    async fn pass(&mut self, octets: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.header.is_empty() {
                let n = octets.len().min(self.header.len());
                octets[..n].copy_from_slice(&self.header[..n]);
                self.header.drain(..n);
                return Ok(n);
            }
            if self.rest > 0 {
                let n = octets.len().min(self.rest);
                let n = self.read(&mut octets[..n]).await?;
                self.rest -= n;
                return Ok(n);
            }
            let mut header = [0; HEADER];
            if self.read(&mut header[..1]).await? == 0 {
                return Ok(0);
            }
            // No answer of the authentication begins with either of the two letters that say how a message counts.
            if !self.between || !matches!(header[0], b'l' | b'B') {
                self.between = header[0] == b'\n';
                octets[0] = header[0];
                return Ok(1);
            }
            self.fill(&mut header[1..]).await?;
            let rest = rest_of(&header);
            if HEADER + rest <= LARGEST {
                (self.header, self.rest) = (header.to_vec(), rest);
            } else {
                self.past(rest).await?;
            }
        }
    }

    async fn past(&self, mut rest: usize) -> io::Result<()> {
        let mut octets = [0; 4096];
        while rest > 0 {
            let n = octets.len().min(rest);
            self.fill(&mut octets[..n]).await?;
            rest -= n;
        }
        Ok(())
    }
}

/// How much of a message comes after the fixed part of its header: the fields up to a multiple of eight, and the body.
fn rest_of(header: &[u8; HEADER]) -> usize {
    let word = |at: usize| {
        let octets = header[at..at + 4].try_into().expect("four octets");
        let read = if header[0] == b'l' { u32::from_le_bytes } else { u32::from_be_bytes };
        read(octets) as usize
    };
    word(12).next_multiple_of(8) + word(4)
}

#[async_trait]
impl ReadHalf for Incoming {
    async fn recvmsg(&mut self, octets: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
        Ok((self.pass(octets).await?, Vec::new()))
    }
}

/// What goes out.
#[derive(Debug)]
pub(crate) struct Outgoing(Arc<Async<UnixStream>>);

#[async_trait]
impl WriteHalf for Outgoing {
    async fn sendmsg(
        &mut self,
        octets: &[u8],
        descriptors: &[std::os::fd::BorrowedFd<'_>],
    ) -> io::Result<usize> {
        self.0.sendmsg(octets, descriptors).await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.0.close().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::thread;
    use zbus::Message;

    fn message(octets: usize) -> Vec<u8> {
        let builder = Message::signal("/x", "a.b", "C").unwrap();
        builder.build(&vec![7_u8; octets]).unwrap().data().to_vec()
    }

    /// What comes through the door of what is sent, asked for in pieces of at most `piece`.
    fn let_in(sent: Vec<u8>, piece: usize) -> Vec<u8> {
        let (near, mut far) = UnixStream::pair().unwrap();
        let sender = thread::spawn(move || far.write_all(&sent).unwrap());
        let mut door = Incoming::new(Arc::new(Async::new(near).unwrap()));
        let mut passed = Vec::new();
        let mut octets = vec![0; piece];
        while let n @ 1.. = zbus::block_on(door.recvmsg(&mut octets)).unwrap().0 {
            passed.extend_from_slice(&octets[..n]);
        }
        sender.join().unwrap();
        passed
    }

    #[test]
    fn what_is_too_large_is_read_past_and_everything_else_passes_as_it_is() {
        let auth = b"OK 0123456789abcdef0123456789abcdef\r\n".to_vec();
        let small = message(100);
        let largest = message(LARGEST - 200);
        let (too_large, far_too_large) = (message(LARGEST), message(3 << 20));
        for piece in [1, 7, 16, 1024, 1 << 20] {
            let sent = [&auth, &small, &too_large, &largest, &far_too_large, &small].map(|v| &v[..]);
            let expected = [&auth, &small, &largest, &small].map(|v| &v[..]).concat();
            assert!(let_in(sent.concat(), piece) == expected, "in pieces of {piece}");
        }
    }

    #[test]
    fn a_length_that_lies_takes_no_memory_and_ends_with_the_stream() {
        let mut octets = message(10);
        octets[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        octets[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        let (near, mut far) = UnixStream::pair().unwrap();
        far.write_all(&octets).unwrap();
        drop(far);
        let mut door = Incoming::new(Arc::new(Async::new(near).unwrap()));
        assert_eq!(
            zbus::block_on(door.recvmsg(&mut [0; 16])).unwrap_err().kind(),
            io::ErrorKind::UnexpectedEof
        );
    }

    #[test]
    fn both_ways_of_counting_are_understood() {
        let mut header = [0; HEADER];
        (header[0], header[7], header[15]) = (b'B', 5, 9);
        assert_eq!(rest_of(&header), 21);
        (header[0], header[4], header[12], header[7], header[15]) = (b'l', 5, 9, 0, 0);
        assert_eq!(rest_of(&header), 21);
    }
}
