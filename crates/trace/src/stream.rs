//! Streams of UDP, such as calls, games and video, and the spells in which one stood still on its way.

use crate::tcp::Interruption;
use crate::{Capped, Packet, Transport};
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// The most streams that are followed.
const MOST: usize = 1024;
/// Those with fewer packets leave first when there is one more.
const FEW: u64 = 64;
/// Shorter gaps are retries and contention, in nanoseconds.
const LEAST: u64 = 40_000_000;
/// A gap is this many usual intervals long at least.
const INTERVALS: u64 = 2;
/// The share of the packets that were due in a gap and come right after it, one in so many.
const CAUGHT_UP: u64 = 2;
/// They come within this part of the gap.
const AT_ONCE: u64 = 4;
/// A stream is steady if so many of ten intervals are about as long as the usual one.
const STEADY: u64 = 6;
/// The usual interval is believed after so many packets.
const WATCHED: u64 = 32;
/// By how much one interval moves the usual one.
const STEP: u64 = 16;

/// What one port sends to another by UDP.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The sender and the receiver.
    pub ends: [SocketAddr; 2],
    /// Packets.
    pub packets: u64,
    /// Octets of payload.
    pub octets: u64,
    /// The first and the last packet, in nanoseconds since 1970.
    pub span_ns: [u64; 2],
    /// Spells in which nothing came, and then at least half of what was due meanwhile at once. A sender that pauses goes on at its pace
    /// instead; one that is not steady shows none.
    pub interruptions: Capped<Interruption, 512>,
    /// The usual interval between packets: half of them are longer.
    usual_ns: u64,
    /// Intervals about as long.
    usual: u64,
    /// A gap, and the packets that have come right after it.
    gap: Option<(Interruption, u64)>,
}

impl Stream {
    const fn new(ends: [SocketAddr; 2], now_ns: u64) -> Self {
        Self {
            ends,
            packets: 0,
            octets: 0,
            span_ns: [now_ns; 2],
            interruptions: Capped::NONE,
            usual_ns: 0,
            usual: 0,
            gap: None,
        }
    }

    /// Takes a packet.
    fn see(&mut self, now_ns: u64, number: u32, payload: u32) {
        let [_, last_ns] = self.span_ns;
        let interval = now_ns.saturating_sub(last_ns);
        if self.packets == 1 {
            self.usual_ns = interval;
        } else if self.packets > 1 {
            self.passed(interval, Interruption { from_ns: last_ns, to_ns: now_ns, number });
        }
        self.packets += 1;
        self.octets += u64::from(payload);
        self.span_ns[1] = last_ns.max(now_ns);
    }

    /// An interval ended.
    fn passed(&mut self, interval: u64, spell: Interruption) {
        self.usual += u64::from(interval >= self.usual_ns / 2 && interval <= self.usual_ns * 2);
        if interval >= LEAST && interval >= INTERVALS * self.usual_ns {
            self.gap = Some((spell, 1));
        } else if let Some((gap, came)) = self.gap.take() {
            // Those that are sent meanwhile come too.
            let due = |time: u64| time / self.usual_ns.max(1);
            let (length, since) = (gap.to_ns - gap.from_ns, spell.to_ns.saturating_sub(gap.to_ns));
            let caught_up = came + 1 > (due(length) / CAUGHT_UP).max(1) + due(since);
            if since <= length / AT_ONCE && !caught_up {
                self.gap = Some((gap, came + 1));
            } else if since <= length / AT_ONCE && self.is_steady() {
                self.interruptions.push(gap);
            }
        }
        let step = (self.usual_ns / STEP).max(1);
        self.usual_ns =
            if interval > self.usual_ns { self.usual_ns + step } else { self.usual_ns.saturating_sub(step) };
    }

    const fn is_steady(&self) -> bool {
        self.packets >= WATCHED && 10 * self.usual >= STEADY * self.packets
    }
}

/// The streams of UDP that passed.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    streams: BTreeMap<[SocketAddr; 2], Stream>,
}

impl Streams {
    /// Takes a packet, if it is of UDP.
    pub fn see(&mut self, now_ns: u64, number: u32, packet: &Packet) {
        let Transport::Udp { ports, payload } = packet.transport else { return };
        let ends = [SocketAddr::new(packet.src, ports.0), SocketAddr::new(packet.dst, ports.1)];
        if self.streams.len() >= MOST && !self.streams.contains_key(&ends) {
            self.streams.retain(|_, stream| stream.packets >= FEW);
            if self.streams.len() >= MOST {
                return;
            }
        }
        self.streams.entry(ends).or_insert_with(|| Stream::new(ends, now_ns)).see(now_ns, number, payload);
    }

    /// All of them.
    pub fn finish(self) -> Vec<Stream> {
        self.streams.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Identity;
    use airloom_wire::Ecn;
    use std::net::{IpAddr, Ipv4Addr};

    const MS: u64 = 1_000_000;

    fn packet(port: u16) -> Packet {
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Packet {
            src: address,
            dst: address,
            dscp: 0,
            ecn: Ecn::NotEct,
            length: 188,
            identity: Identity::default(),
            transport: Transport::Udp { ports: (port, 5004), payload: 160 },
        }
    }

    /// The spells of a stream whose packets came at these times, in milliseconds.
    fn spells(times: impl IntoIterator<Item = u64>) -> Vec<[u64; 2]> {
        let mut streams = Streams::default();
        for (number, at) in (1..).zip(times) {
            streams.see(at * MS, number, &packet(40_000));
        }
        let [stream] = &streams.finish()[..] else { panic!("one stream") };
        stream.interruptions.kept().iter().map(|spell| [spell.from_ns / MS, spell.to_ns / MS]).collect()
    }

    /// A packet every 20 ms for ten seconds.
    fn call() -> impl Iterator<Item = u64> {
        (0..10_000).step_by(20)
    }

    #[test]
    fn what_was_held_up_comes_at_once() {
        let came = |sent| if (5_001..5_110).contains(&sent) { 5_110 } else { sent };
        assert_eq!(spells(call().map(came)), [[5_000, 5_110]]);
        let came = |sent| if (5_001..5_060).contains(&sent) { 5_060 } else { sent };
        assert_eq!(spells(call().map(came)), [[5_000, 5_060]]);
    }

    #[test]
    fn a_sender_that_pauses_is_not_held_up() {
        assert_eq!(spells(call().filter(|sent| !(5_001..5_500).contains(sent))), [[0; 2]; 0]);
    }

    #[test]
    fn packets_that_come_in_pairs_or_frames_are_not_held_up() {
        for (every, together) in [(100, 2), (66, 10), (50, 3)] {
            let frames = (0..20_000).step_by(every).flat_map(|at| std::iter::repeat_n(at, together));
            assert_eq!(spells(frames), [[0; 2]; 0], "{together} packets every {every} ms");
        }
    }

    #[test]
    fn short_streams_make_room_and_long_ones_stay() {
        let mut streams = Streams::default();
        let long = 7;
        for number in 0..100 {
            streams.see(u64::from(number) * MS, number, &packet(long));
        }
        for port in 1_000..60_000 {
            streams.see(200 * MS, 200, &packet(port));
        }
        let kept = streams.finish();
        assert!(kept.len() <= MOST);
        assert!(kept.iter().any(|stream| stream.ends[0].port() == long && stream.packets == 100));
    }
}
