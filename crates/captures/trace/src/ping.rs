//! The output of `ping -D` (iputils) as a capture: for each answer a request and a reply, bare IP.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::io::{self, BufRead, BufReader, Read};
use std::net::IpAddr;

/// The longest line that is read as one, in octets.
const LINE: u64 = 1024;
/// So many packets are put into the order of their time: requests that were sent before other answers came.
const HELD: usize = 64;
/// The header of a pcap file in nanoseconds, little-endian, of bare IP (link type 101).
const HEADER: [u8; 24] =
    [0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 101, 0, 0, 0];

/// What is wrong with a text that begins like the output, and has nothing of it.
const NO_ANSWER: &str = "it has no answer with a time stamp: record with `ping -D`";

/// Whether a file may be the output of `ping`, by its first octets: its first line, or the seconds of a stamp and their point.
pub(crate) fn begins(start: &[u8]) -> bool {
    let digits = |stamp: &[u8]| stamp.iter().take_while(|octet| octet.is_ascii_digit()).count();
    let stamp = start.strip_prefix(b"[").filter(|stamp| digits(stamp) > 0);
    start.starts_with(b"PING") || stamp.is_some_and(|stamp| stamp.get(digits(stamp)) == Some(&b'.'))
}

/// Reads the output as the octets of a pcap file.
pub(crate) struct PingCapture<R> {
    lines: BufReader<R>,
    /// Packets that wait for those before them: time, order, octets.
    held: BinaryHeap<Reverse<(u64, u64, Vec<u8>)>>,
    count: u64,
    ready: VecDeque<u8>,
    ended: bool,
}

impl<R: Read> PingCapture<R> {
    /// Reads as far as the first answer.
    ///
    /// # Errors
    ///
    /// That it cannot be read, or that there is none.
    pub(crate) fn new(from: R) -> io::Result<Self> {
        let (lines, ready) = (BufReader::new(from), VecDeque::from(HEADER));
        let mut new = Self { lines, held: BinaryHeap::new(), count: 0, ready, ended: false };
        while new.count == 0 {
            if new.ended {
                return Err(io::Error::new(io::ErrorKind::InvalidData, NO_ANSWER));
            }
            new.advance()?;
        }
        Ok(new)
    }

    /// Takes the next line.
    fn advance(&mut self) -> io::Result<()> {
        let mut line = Vec::new();
        self.ended = self.lines.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0;
        if let Some(answer) = Answer::read(&String::from_utf8_lossy(&line)) {
            for (at_ns, replies) in [(answer.sent_ns, false), (answer.came_ns, true)] {
                self.count += 1;
                self.held.push(Reverse((at_ns, self.count, answer.packet(replies))));
            }
        }
        while self.held.len() > if self.ended { 0 } else { HELD }
            && let Some(Reverse((at_ns, _, packet))) = self.held.pop()
        {
            let length = packet.len() as u32;
            let seconds = u32::try_from(at_ns / 1_000_000_000).unwrap_or(u32::MAX);
            for word in [seconds, (at_ns % 1_000_000_000) as u32, length, length] {
                self.ready.extend(word.to_le_bytes());
            }
            self.ready.extend(packet);
        }
        Ok(())
    }
}

impl<R: Read> Read for PingCapture<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.ready.read(buffer)?;
            if count > 0 || self.ended || buffer.is_empty() {
                return Ok(count);
            }
            self.advance()?;
        }
    }
}

/// An answer, as a line tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Answer {
    sent_ns: u64,
    came_ns: u64,
    from: IpAddr,
    sequence: u16,
}

impl Answer {
    /// Such as `[1700000000.123456] 64 bytes from host (192.0.2.1): icmp_seq=1 ttl=64 time=87.3 ms`; none of any other line, and of a
    /// copy of an answer.
    fn read(line: &str) -> Option<Self> {
        let (stamp, rest) = line.strip_prefix('[')?.split_once("] ")?;
        let (seconds, fraction) = stamp.split_once('.')?;
        let came_ns = nanoseconds(seconds, fraction)?;
        let (_, rest) = rest.split_once(" bytes from ")?;
        let (source, rest) = rest.split_once(": icmp_seq=")?;
        let address = source.rsplit_once('(').map_or(source, |(_, inner)| inner.trim_end_matches(')'));
        let from = address.split('%').next()?.parse().ok()?;
        let (sequence, rest) = rest.split_once(' ')?;
        let (time, rest) = rest.split_once("time=")?.1.split_once(" ms")?;
        let (whole, part) = time.split_once('.').unwrap_or((time, ""));
        let length_ns = nanoseconds(whole, part)? / 1000;
        let sequence = (sequence.parse::<u64>().ok()? & 0xffff) as u16;
        (!rest.contains("DUP")).then_some(Self {
            sent_ns: came_ns.saturating_sub(length_ns),
            came_ns,
            from,
            sequence,
        })
    }

    /// The request, or the reply, cut behind the header of ICMP. The host that asks is not named.
    fn packet(&self, replies: bool) -> Vec<u8> {
        let mut packet = Vec::new();
        let addresses =
            |ours: &[u8], theirs: &[u8]| if replies { [theirs, ours] } else { [ours, theirs] }.concat();
        let kind = match self.from {
            IpAddr::V4(from) => {
                packet.extend([0x45, 0, 0, 28, 0, 0, 0x40, 0, 64, 1, 0, 0]);
                packet.extend(addresses(&[0; 4], &from.octets()));
                if replies { 0 } else { 8 }
            }
            IpAddr::V6(from) => {
                packet.extend([0x60, 0, 0, 0, 0, 8, 58, 64]);
                packet.extend(addresses(&[0; 16], &from.octets()));
                if replies { 129 } else { 128 }
            }
        };
        packet.extend([kind, 0, 0, 0, 0, 0]);
        packet.extend(self.sequence.to_be_bytes());
        packet
    }
}

/// Whole seconds, and the digits behind the point, in nanoseconds; none of what is no number, or comes after the year 2262.
fn nanoseconds(whole: &str, fraction: &str) -> Option<u64> {
    let digits = |text: &str| text.bytes().all(|octet| octet.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let part: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    let whole = whole.parse::<u64>().ok()?.checked_mul(1_000_000_000)?;
    whole.checked_add(part.parse().ok()?).filter(|&at| at <= i64::MAX as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Capture, Seen, Unopened};

    const TEXT: &str = "PING host (192.0.2.1) 56(84) bytes of data.
[1700000000.500000] 64 bytes from host (192.0.2.1): icmp_seq=1 ttl=64 time=87.3 ms
[1700000001.100000] no answer yet for icmp_seq=2
[1700000001.600000] 64 bytes from 192.0.2.1: icmp_seq=3 ttl=64 time=1000 ms
[1700000001.700000] 64 bytes from 192.0.2.1: icmp_seq=2 ttl=64 time=1200 ms (DUP!)
[1700000001.650000] 64 bytes from fe80::1%wlan0: icmp_seq=65537 ttl=64 time=0.123 ms

--- host ping statistics ---
";

    fn opened(text: impl Into<Vec<u8>>) -> Result<Capture, Unopened> {
        Capture::new(Box::new(io::Cursor::new(text.into())))
    }

    #[test]
    fn each_answer_is_a_request_and_a_reply_in_the_order_of_time() {
        let mut capture = opened(TEXT).expect("answers");
        let packets: Vec<_> = std::iter::from_fn(|| capture.next())
            .map(|record| {
                let record = record.expect("a record");
                let Seen::Host(packet) = record.seen else { panic!("no packet") };
                (record.stamp_ns, packet.src.is_unspecified(), packet.src.is_ipv4())
            })
            .collect();
        let at = |ns: u64| 1_700_000_000_000_000_000 + ns;
        assert_eq!(
            packets,
            [
                (at(412_700_000), true, true),
                (at(500_000_000), false, true),
                (at(600_000_000), true, true),
                (at(1_600_000_000), false, true),
                (at(1_649_877_000), true, false),
                (at(1_650_000_000), false, false),
            ]
        );
    }

    #[test]
    fn a_text_without_an_answer_says_what_it_lacks() {
        let long = format!("[1.0] {}", "x".repeat(100_000));
        let late = "[99999999999.1] 64 bytes from 10.0.0.1: icmp_seq=1 ttl=1 time=1 ms\n";
        let none = "[1.1] 64 bytes from 10.0.0.1: icmp_seq=1 ttl=1 time<1 ms\n[1.1] 64 bytes from 10.0.0.1";
        let stampless = "PING a\n64 bytes from 10.0.0.1: icmp_seq=1 ttl=64 time=1.5 ms\n";
        let name = "[1.5] 64 bytes from a: icmp_seq=1 ttl=1 time=1 ms";
        for text in ["PING", "[1.", "[1.\u{fe}\n", name, &long, late, none, stampless] {
            let Err(error) = opened(text) else { panic!("{text}") };
            assert!(error.to_string().contains("ping -D"), "{error}");
        }
    }

    #[test]
    fn a_list_of_numbers_is_no_output_of_ping() {
        for text in ["[1, 2, 3]", "[1", "[17000000000000000000.5", "[.5] 64 bytes", "[[1.5]]", "[{}]"] {
            let Err(error) = opened(text) else { panic!("{text}") };
            assert!(!error.to_string().contains("ping -D"), "{text}: {error}");
        }
    }
}
