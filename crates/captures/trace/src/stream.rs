//! Streams of UDP, such as calls, games and video, and the spells in which one stood still on its way.

use crate::identifications::Identifications;
use crate::packet::mix;
use crate::rtp::{Came, Late, Missing, OfSource, RtpHeader, RtpHole, Source, Stalled};
use crate::tcp::Interruption;
use crate::{Bins, Capped, Packet, Transport, Way};
use airloom_wire::Ecn;
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// The most streams that are followed.
const MOST: usize = 1024;
/// Those with fewer packets leave first when there is one more.
const MIN_PACKETS: u64 = 64;
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
/// The sources of RTP in a stream that are followed.
const MOST_SOURCES: usize = 8;
/// Longer packets may be several that a network adapter put together, in octets from the IP header on.
const WIRE: u32 = 1500;
/// A second packet that has the same number and says the same is the same one, if it comes no later, in nanoseconds.
const COPY: u64 = 1_000_000;
/// After so long without a packet those between the same ports are another run, in nanoseconds: a NAT may have given the port to another by then (RFC 4787
/// requirement 5).
const ANEW: u64 = 120_000_000_000;
/// Bins that all streams have room for together, of 32 octets; where there are more, small ones make do with fewer.
const BINS: usize = 1 << 18;
/// How often that is looked at, in packets.
const LOOK_EVERY: u32 = 4096;

/// What one port sends to another by UDP.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The sender and the receiver.
    pub ends: [SocketAddr; 2],
    /// Packets.
    pub packets: u64,
    /// Octets of payload.
    pub octets: u64,
    /// Packets that came with a congestion mark (CE: RFC 3168 section 5).
    pub marked: u64,
    /// The first and the last packet, in nanoseconds since 1970.
    pub span_ns: [u64; 2],
    /// Spells in which nothing came, and then at least half of what was due meanwhile at once. A sender that pauses goes on at its pace
    /// instead; one that is not steady shows none.
    pub interruptions: Capped<Interruption, 512>,
    /// The longest time between two packets of a run, in nanoseconds.
    pub silence_ns: u64,
    /// How often it went: times of two minutes and more without a packet lie in between, so long in all, in nanoseconds.
    pub runs: u64,
    /// See `runs`.
    pub paused_ns: u64,
    /// Octets of payload over time.
    pub came: Bins,
    /// Packets of RTP that are missing over time; where late ones come, they are taken off.
    pub lost: Bins,
    /// The interarrival jitter of RTP in nanoseconds over time (RFC 3550 section 6.4.1).
    pub jitter: Bins,
    sources: Vec<Source>,
    /// Packets that may be of RTP, and whether any is of several.
    like_rtp: u64,
    merged: bool,
    /// The number of the last packet and what it said, as a hash.
    last: (Option<u16>, u64),
    identifications: Identifications,
    /// Packets that were missing before a source was believed.
    sooner: f64,
    /// Which way it goes on the air: the access point passes what is for another station on.
    way: Option<Way>,
    /// The usual interval between packets: half of them are longer.
    usual_ns: u64,
    /// Intervals about as long.
    usual: u64,
    /// A gap, and the packets that have come right after it.
    gap: Option<(Interruption, u64)>,
}

impl Stream {
    fn new(ends: [SocketAddr; 2], now_ns: u64) -> Self {
        Self {
            ends,
            packets: 0,
            octets: 0,
            marked: 0,
            span_ns: [now_ns; 2],
            interruptions: Capped::NONE,
            silence_ns: 0,
            runs: 1,
            paused_ns: 0,
            came: Bins::default(),
            lost: Bins::default(),
            jitter: Bins::default(),
            sources: Vec::new(),
            like_rtp: 0,
            merged: false,
            last: (None, 0),
            identifications: Identifications::default(),
            sooner: 0.0,
            way: None,
            usual_ns: 0,
            usual: 0,
            gap: None,
        }
    }

    /// Takes a packet that has a payload, and its beginning as a hash.
    fn see(&mut self, now_ns: u64, number: u32, packet: &Packet, (payload, begins): (u32, u64)) {
        let [_, last_ns] = self.span_ns;
        let interval = now_ns.saturating_sub(last_ns);
        let known = packet.identity.number;
        let last = (known, mix(begins ^ u64::from(payload)));
        if self.identifications.tell(known) && last == self.last && interval <= COPY {
            return;
        }
        self.identifications.take(known);
        self.last = last;
        self.merged |= packet.length > WIRE;
        self.came.note(now_ns, f64::from(payload));
        if interval >= ANEW {
            (self.runs, self.paused_ns, self.gap) = (self.runs + 1, self.paused_ns + interval, None);
        } else {
            self.silence_ns = self.silence_ns.max(interval);
            if self.packets == 1 {
                self.usual_ns = interval;
            } else if self.packets > 1 {
                self.passed(interval, Interruption { from_ns: last_ns, to_ns: now_ns, number });
            }
        }
        self.packets += 1;
        self.octets += u64::from(payload);
        self.marked += u64::from(packet.ecn == Ecn::Ce);
        self.span_ns[1] = last_ns.max(now_ns);
    }

    /// Takes what may be RTP.
    fn see_rtp(&mut self, now_ns: u64, header: RtpHeader) {
        self.like_rtp += 1;
        let Some(source) = self.sources.iter_mut().find(|known| known.source == header.source) else {
            if self.sources.len() < MOST_SOURCES {
                self.sources.push(Source::new(now_ns, header));
            }
            return;
        };
        let Came { missing, jitter_ns } = source.see(now_ns, header);
        if !source.is_believed() {
            self.sooner += missing;
            return;
        }
        let missing = missing + std::mem::take(&mut self.sooner);
        if missing != 0.0 {
            self.lost.note(now_ns, missing);
        }
        if let Some(jitter_ns) = jitter_ns {
            self.jitter.note(now_ns, jitter_ns);
        }
    }

    /// What is missing of a stream of RTP; none if it is not one, or if packets are longer than any of a wire: then several were put
    /// together, and the capture has the numbers of the first ones.
    pub fn missing(&self) -> Option<Missing> {
        let believed = self.sources.iter().filter(|source| source.is_believed());
        let all = believed.map(Source::missing).reduce(|one, other| Missing {
            sent: one.sent + other.sent,
            missing: one.missing + other.missing,
        })?;
        // STUN and RTCP may share its port (RFC 7983, RFC 5761).
        let is_rtp = 2 * self.like_rtp > self.packets;
        (is_rtp && !self.merged).then_some(all)
    }

    /// What is missing of each source of its RTP, most first; this says something where [`missing`](Self::missing) does.
    pub fn by_source(&self) -> Vec<OfSource> {
        let believed = self.sources.iter().filter(|source| source.is_believed());
        let mut all: Vec<_> = believed.map(Source::told).collect();
        all.sort_by_key(|one| std::cmp::Reverse(one.counts.missing));
        all
    }

    /// Where most packets of its RTP in a row are missing; this says something where [`missing`](Self::missing) does.
    pub fn hole(&self) -> RtpHole {
        let believed = self.sources.iter().filter(|source| source.is_believed()).map(Source::hole);
        believed.max_by_key(|hole| hole.missing).unwrap_or_default()
    }

    /// How often its RTP stood still, of all sources; this says something where [`missing`](Self::missing) does.
    pub fn stalled(&self) -> Stalled {
        let believed = self.sources.iter().filter(|source| source.is_believed()).map(Source::stalled);
        believed.fold(Stalled::default(), |all, one| Stalled {
            times: all.times + one.times,
            longest_ns: all.longest_ns.max(one.longest_ns),
            at_once_ns: all.at_once_ns.max(one.at_once_ns),
            paused_ns: all.paused_ns.max(one.paused_ns),
        })
    }

    /// Where its RTP came latest by its stamps, of all sources; this says something where [`missing`](Self::missing) does.
    pub fn late(&self) -> Late {
        let believed = self.sources.iter().filter(|source| source.is_believed()).map(Source::late);
        believed.max_by_key(|late| late.most_ns).unwrap_or_default()
    }

    /// Whether any packet is longer than those of a wire: then several were put together.
    pub const fn is_merged(&self) -> bool {
        self.merged
    }

    fn bins(&self) -> [&Bins; 3] {
        [&self.came, &self.lost, &self.jitter]
    }

    fn room(&self) -> usize {
        self.bins().iter().map(|bins| bins.room()).sum()
    }

    fn coarsen(&mut self) {
        [&mut self.came, &mut self.lost, &mut self.jitter].into_iter().for_each(Bins::coarsen);
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

    /// Whether its packets come at an even pace.
    pub const fn is_steady(&self) -> bool {
        self.packets >= WATCHED && 10 * self.usual >= STEADY * self.packets
    }
}

/// The streams of UDP that passed.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    streams: BTreeMap<[SocketAddr; 2], Stream>,
    /// Packets of streams for which there was no room.
    pub left_out: u64,
    /// Packets until bins are looked at.
    unlooked: u32,
}

impl Streams {
    /// Takes a packet, if it is of UDP; of one on the air, with its way.
    pub fn see(&mut self, now_ns: u64, number: u32, packet: &Packet, way: Option<Way>) {
        let Transport::Udp { ports, payload, rtp, begins } = packet.transport else { return };
        let ends = [SocketAddr::new(packet.src, ports.0), SocketAddr::new(packet.dst, ports.1)];
        if self.streams.len() >= MOST && !self.streams.contains_key(&ends) {
            let few = self.streams.extract_if(.., |_, stream| stream.packets < MIN_PACKETS);
            self.left_out += few.map(|(_, stream)| stream.packets).sum::<u64>();
            if self.streams.len() >= MOST {
                self.left_out += 1;
                return;
            }
        }
        let stream = self.streams.entry(ends).or_insert_with(|| Stream::new(ends, now_ns));
        if *stream.way.get_or_insert(way.unwrap_or(Way::Neither)) != way.unwrap_or(Way::Neither) {
            return;
        }
        let before = stream.packets;
        stream.see(now_ns, number, packet, (payload, begins));
        if let Some(header) = rtp.filter(|_| stream.packets > before) {
            stream.see_rtp(now_ns, header);
        }
        self.unlooked += 1;
        if self.unlooked == LOOK_EVERY {
            self.unlooked = 0;
            self.coarsen();
        }
    }

    /// Takes bins from the smallest streams as long as all together have too many.
    fn coarsen(&mut self) {
        let mut bins: usize = self.streams.values().map(Stream::room).sum();
        let mut order: Vec<&mut Stream> = self.streams.values_mut().collect();
        order.sort_by_key(|stream| stream.octets);
        for stream in order {
            if bins <= BINS {
                return;
            }
            bins -= stream.room();
            stream.coarsen();
            bins += stream.room();
        }
    }

    /// All of them.
    pub fn finish(self) -> Vec<Stream> {
        self.streams.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Identity, Transmission};
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
            transmission: Transmission::First,
            transport: Transport::Udp { ports: (port, 5004), payload: 160, rtp: None, begins: 0 },
        }
    }

    #[test]
    fn a_stream_after_minutes_without_a_packet_is_another_run() {
        let mut streams = Streams::default();
        let run = |from: u64| (0..50).map(move |step| from + 20 * step);
        for (number, at) in (1..).zip(run(0).chain(run(3_600_000))) {
            streams.see(at * MS, number, &packet(40_000), None);
        }
        let [stream] = &streams.finish()[..] else { panic!("one stream") };
        assert_eq!((stream.runs, stream.paused_ns, stream.silence_ns), (2, 3_599_020 * MS, 20 * MS));
        assert!(stream.is_steady());
        assert_eq!(stream.interruptions.total(), 0);
    }

    /// The spells of a stream whose packets came at these times, in milliseconds.
    fn spells(times: impl IntoIterator<Item = u64>) -> Vec<[u64; 2]> {
        let mut streams = Streams::default();
        for (number, at) in (1..).zip(times) {
            streams.see(at * MS, number, &packet(40_000), None);
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

    /// RTP in every packet that came, behind these numbers.
    fn rtp(numbers: impl IntoIterator<Item = u16>, length: u32) -> Stream {
        let mut streams = Streams::default();
        for sequence in numbers {
            let rtp =
                RtpHeader { sequence, stamp: 160 * u32::from(sequence), source: 1, kind: 0, marker: false };
            let transport =
                Transport::Udp { ports: (9, 5004), payload: length - 28, rtp: Some(rtp), begins: 0 };
            streams.see(20 * u64::from(sequence) * MS, 1, &Packet { length, transport, ..packet(9) }, None);
        }
        streams.finish().remove(0)
    }

    #[test]
    fn what_is_missing_of_rtp_lies_where_it_is_missing() {
        let stream = rtp((0..500).filter(|at| at % 100 != 50), 200);
        assert_eq!(stream.missing(), Some(Missing { sent: 500, missing: 5 }));
        let lost: u64 = stream.lost.bins().iter().map(|bin| bin.sum as u64).sum();
        assert_eq!((lost, stream.silence_ns), (5, 40 * MS));
        assert_eq!(rtp((0..500).filter(|at| at % 100 != 50), 3_000).missing(), None, "several in one");
        let early = rtp((0..500).filter(|at| *at != 5), 200);
        let noted = early.lost.bins().iter().map(|bin| bin.sum as u64).sum::<u64>();
        assert_eq!(noted, 1, "what is missing before it is believed counts too");
    }

    #[test]
    fn what_shares_the_port_of_rtp_does_not_hide_it() {
        let missing = |every: u32| {
            let mut streams = Streams::default();
            for at in 0..100 {
                let header =
                    RtpHeader { sequence: at as u16, stamp: 160 * at, source: 1, kind: 120, marker: false };
                let carried = |rtp| Transport::Udp { ports: (9, 5004), payload: 160, rtp, begins: 0 };
                let ms = 20 * MS * u64::from(at);
                streams.see(ms, 1, &Packet { transport: carried(Some(header)), ..packet(9) }, None);
                for beside in (0..4).filter(|_| at % every == 0) {
                    streams.see(ms + beside, 1, &Packet { transport: carried(None), ..packet(9) }, None);
                }
            }
            streams.finish()[0].missing()
        };
        assert_eq!(missing(10), Some(Missing { sent: 100, missing: 0 }), "100 of 140");
        assert_eq!(missing(4), None, "100 of 200");
    }

    #[test]
    fn a_packet_counts_once() {
        let mut streams = Streams::default();
        let identity = |number| Identity { number: Some(number), ..Identity::default() };
        for number in 1..=10 {
            let packet = Packet { identity: identity(number), ..packet(9) };
            let at = u64::from(number) * 20 * MS;
            streams.see(at, 1, &packet, Some(Way::Up));
            streams.see(at + 1, 2, &packet, Some(Way::Up));
            streams.see(at + 2 * MS, 3, &packet, Some(Way::Down));
        }
        assert_eq!(streams.finish()[0].packets, 10);
    }

    #[test]
    fn many_streams_make_do_with_few_bins() {
        let mut streams = Streams::default();
        for number in 0..2_000_000_u32 {
            streams.see(u64::from(number) * MS, number, &packet((number % 1_000) as u16), None);
        }
        assert!(streams.streams.values().map(Stream::room).sum::<usize>() <= BINS + 2 * LOOK_EVERY as usize);
    }

    #[test]
    fn short_streams_make_room_and_long_ones_stay() {
        let mut streams = Streams::default();
        let long = 7;
        for number in 0..100 {
            streams.see(u64::from(number) * MS, number, &packet(long), None);
        }
        for port in 1_000..60_000 {
            streams.see(200 * MS, 200, &packet(port), None);
        }
        let left_out = streams.left_out;
        let kept = streams.finish();
        assert!(kept.len() <= MOST);
        assert_eq!(left_out + kept.iter().map(|stream| stream.packets).sum::<u64>(), 100 + 59_000);
        assert!(kept.iter().any(|stream| stream.ends[0].port() == long && stream.packets == 100));
    }
}
