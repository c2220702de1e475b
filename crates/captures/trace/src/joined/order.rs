//! Packets told from each other by their lengths and their order, where a monitor cannot read what is encrypted.

use super::sample::{Sample, Shared};
use crate::frame::{Frame, Way};
use crate::packet::{Packet, Segment, Transport};
use airloom_wire::MacAddr;
use airloom_wire::ieee80211::Subtype;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, Ipv4Addr};

/// What encryption adds to a body, in octets: CCMP-128; CCMP-256 and GCMP; TKIP (802.11-2020 clauses 12.5.3.2, 12.5.5.2, 12.5.2.2).
const CIPHERS: [u32; 3] = [16, 24, 20];
/// Before an IP packet in a frame's body, in octets (802.2 LLC and SNAP).
const SNAP: u32 = 8;
/// So many lengths one after another, this packet's the last, are a mark of it if they come only once.
const MARKS: [usize; 3] = [1, 4, LONGEST];
const LONGEST: usize = 12;
/// So often, and as far, packets of a length are marked by how many of them have come since the last of another length. Farther on,
/// packets that were dropped in between would make the same count that of others.
const STEP: u32 = 16;
/// Of a run with gaps only from here on: a shorter one may have had packets of other lengths in each.
const LONG: u32 = 128;
const FARTHEST: u32 = 512;
/// Ways of packets that a capture may have.
const MOST_WAYS: usize = 192;
/// Addresses of a host's capture that are compared: those with the most packets.
const COMPARED: usize = 4;
/// Longer packets are several: a host that leaves cutting and merging to its adapter captures them in one, in octets.
const ETHERNET: u32 = 1500;
/// Fewer marks a way say little.
const MIN_MARKS: usize = 8;
/// No packet takes longer from one place to another, and no clock drifts farther in a capture, in nanoseconds.
const LONGEST_WAY: i64 = 2_000_000_000;

const NOBODY: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::UNSPECIFIED); 2];

/// Packets that go one way, by their lengths.
#[derive(Clone, Debug, Default)]
struct Stream {
    sample: Sample<4096>,
    packets: u64,
    /// The last lengths, the latest first; only the first `known` of them are.
    recent: [u32; LONGEST],
    known: usize,
    run: Run,
}

/// Packets of one length one after another.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    length: u32,
    count: u32,
    /// The length of those before it; none if its first packet was perhaps not seen.
    after: Option<u32>,
    /// Whether some in between were not seen, and taken for as long.
    bridged: bool,
}

impl Stream {
    /// Notes a packet that comes after `missing` others that nobody has seen.
    fn see(&mut self, at_ns: u64, length: u32, missing: u16, ends: [IpAddr; 2]) {
        self.packets += 1;
        let before = self.run;
        if length == before.length {
            self.run.count += u32::from(missing) + 1;
            self.run.bridged |= missing > 0;
        } else {
            let after = (before.count > 0 && missing == 0).then_some(before.length);
            self.run = Run { length, count: 1, after, bridged: false };
            if let (Some(_), Some(first), false) = (after, before.after, before.bridged) {
                self.mark((first, before.length, before.count, length), at_ns, ends);
            }
        }
        if let Run { after: Some(after), count, bridged, .. } = self.run
            && count.is_multiple_of(STEP)
            && (if bridged { LONG } else { STEP }..=FARTHEST).contains(&count)
        {
            self.mark((after, length, count), at_ns, ends);
        }
        if missing > 0 {
            self.known = 0;
        }
        self.recent.rotate_right(1);
        self.recent[0] = length;
        self.known = LONGEST.min(self.known + 1);
        for count in MARKS {
            if count <= self.known {
                let lengths = self.recent;
                self.mark(&lengths[..count], at_ns, ends);
            }
        }
    }

    /// Forgets what came before: something unknown has come in between.
    fn interrupted(&mut self) {
        (self.known, self.run) = (0, Run::default());
    }

    fn mark(&mut self, of: impl Hash, at_ns: u64, ends: [IpAddr; 2]) {
        let mut hasher = DefaultHasher::new();
        of.hash(&mut hasher);
        self.sample.keep(hasher.finish(), at_ns, ends);
    }
}

/// Encrypted frames of a monitor: each way between a station and its access point by itself.
#[derive(Clone, Debug, Default)]
pub struct Encrypted {
    /// By station, and whether it is the one that sends; with the traffic identifier and the last sequence number.
    ways: BTreeMap<(MacAddr, Way), Vec<Numbered>>,
    count: usize,
}

#[derive(Clone, Debug)]
struct Numbered {
    tid: Option<u8>,
    last: Option<u16>,
    stream: Stream,
}

impl Encrypted {
    /// Notes a frame; one that is not encrypted, or not for one station, is left aside.
    ///
    /// Frames come in the order of their sequence numbers until one is sent again. What a monitor has not heard leaves a gap in them.
    pub fn see(&mut self, at_ns: u64, frame: &Frame) {
        const NUMBERS: u16 = 1 << 12;
        let (Subtype::Data, true, Some(number), Some(transmitter)) =
            (frame.subtype, frame.protected && !frame.radio.damaged, frame.sequence, frame.transmitter)
        else {
            return;
        };
        let station = match frame.way {
            Way::Up => transmitter,
            Way::Down if !frame.receiver.is_group() => frame.receiver,
            Way::Down | Way::Neither => return,
        };
        let ways = self.ways.entry((station, frame.way)).or_default();
        let place = match ways.iter().position(|one| one.tid == frame.tid) {
            Some(place) => place,
            None if self.count == MOST_WAYS => return,
            None => {
                self.count += 1;
                ways.push(Numbered { tid: frame.tid, last: None, stream: Stream::default() });
                ways.len() - 1
            }
        };
        let one = &mut ways[place];
        let ahead = one.last.map_or(1, |last| number.wrapping_sub(last) % NUMBERS);
        if ahead == 0 || ahead >= NUMBERS / 2 {
            return;
        }
        one.last = Some(number);
        if frame.amsdu {
            one.stream.interrupted();
        } else {
            one.stream.see(at_ns, frame.body, ahead - 1, NOBODY);
        }
    }

    /// Of a station's frames one way, those with the traffic identifier that has the most.
    fn way(&self, station: MacAddr, way: Way) -> Option<&Stream> {
        self.ways.get(&(station, way))?.iter().map(|one| &one.stream).max_by_key(|stream| stream.packets)
    }
}

/// Packets of a host, by how long they are in the air under each cipher: each address by itself, what comes from it and what goes to it.
#[derive(Clone, Debug, Default)]
pub struct Lengths {
    ways: BTreeMap<(IpAddr, Way), [Stream; CIPHERS.len()]>,
}

impl Lengths {
    /// Notes a packet.
    pub fn see(&mut self, at_ns: u64, packet: &Packet) {
        let ends = [packet.src, packet.dst];
        for (address, way) in [(packet.src, Way::Up), (packet.dst, Way::Down)] {
            if self.ways.len() == MOST_WAYS && !self.ways.contains_key(&(address, way)) {
                continue;
            }
            let streams = self.ways.entry((address, way)).or_default();
            for (stream, cipher) in streams.iter_mut().zip(CIPHERS) {
                for length in pieces(packet) {
                    stream.see(at_ns, length + SNAP + cipher, 0, ends);
                }
            }
        }
    }

    /// What an encrypted capture of the air and this one share, and the station whose packets these are; none if nothing fits.
    ///
    /// The address is the station's, wherever the host is: at the station all packets have it, elsewhere only those.
    pub fn shared(&self, air: &Encrypted) -> Option<(MacAddr, Vec<Shared>)> {
        let packets = |of: &(IpAddr, Way)| self.ways.get(of).map_or(0, |streams| streams[0].packets);
        let mut addresses: Vec<_> = self.ways.keys().filter(|(_, way)| *way == Way::Up).collect();
        addresses.sort_by_key(|(address, way)| std::cmp::Reverse(packets(&(*address, *way))));
        let stations = air.ways.keys().filter(|(_, way)| *way == Way::Up).map(|(station, _)| *station);
        let mut best: Option<(MacAddr, Vec<Shared>)> = None;
        for station in stations {
            for (address, _) in addresses.iter().take(COMPARED) {
                for cipher in 0..CIPHERS.len() {
                    let of_way = |way| {
                        let shared = air
                            .way(station, way)?
                            .sample
                            .shared(&self.ways.get(&(*address, way))?[cipher].sample);
                        in_order(shared)
                    };
                    let (Some(mut shared), Some(down)) = (of_way(Way::Up), of_way(Way::Down)) else {
                        continue;
                    };
                    shared.extend(down);
                    shared.sort_by_key(|one| one.at_ns);
                    if best.as_ref().is_none_or(|(_, most)| most.len() < shared.len()) {
                        best = Some((station, shared));
                    }
                }
            }
        }
        best
    }
}

/// The lengths of the packets that this one is in the air.
fn pieces(packet: &Packet) -> impl Iterator<Item = u32> {
    let payload = match packet.transport {
        Transport::Tcp(Segment { payload, .. }) if packet.length > ETHERNET => payload,
        _ => 0,
    };
    let header = packet.length.saturating_sub(payload);
    let each = ETHERNET.saturating_sub(header).max(1);
    let full = (payload / each).min(u32::from(u16::MAX) / each);
    let rest = payload - full * each;
    std::iter::repeat_n(header + each, full as usize)
        .chain((rest > 0 || payload == 0).then_some(header + rest))
}

/// Without what cannot be the same packet: those whose difference in time is far from most, and those that would have overtaken others.
///
/// None if too few are left, or fewer than had to go.
fn in_order(mut shared: Vec<Shared>) -> Option<Vec<Shared>> {
    let all = shared.len();
    let difference = |one: &Shared| one.at_ns[1].wrapping_sub(one.at_ns[0]) as i64;
    let mut differences: Vec<_> = shared.iter().map(difference).collect();
    differences.sort_unstable();
    let within =
        |from: usize| differences[from..].partition_point(|one| one - differences[from] <= LONGEST_WAY);
    let least = differences.get((0..differences.len()).max_by_key(|from| within(*from))?).copied()?;
    shared.retain(|one| (least..=least + LONGEST_WAY).contains(&difference(one)));
    let kept = longest_rising(&shared.iter().map(|one| one.at_ns[1]).collect::<Vec<_>>());
    let shared: Vec<_> = kept.into_iter().map(|place| shared[place]).collect();
    (shared.len() >= MIN_MARKS && 2 * shared.len() > all).then_some(shared)
}

/// The places of a longest part of a list that never falls.
fn longest_rising(list: &[u64]) -> Vec<usize> {
    // The place at which each length of a part ends lowest, and for each place the one before it.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (place, value) in list.iter().enumerate() {
        let length = ends.partition_point(|&end| list[end] <= *value);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(place);
        } else {
            ends[length] = place;
        }
    }
    let mut places: Vec<_> = std::iter::successors(ends.last().copied(), |&place| before[place]).collect();
    places.reverse();
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clock, Identity, PowerBits, Radio, Transmission};
    use airloom_sim::Stream as Chance;
    use airloom_wire::{Ecn, Protocol};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const STATION: MacAddr = MacAddr([2, 0, 0, 0, 0, 1]);
    const AP: MacAddr = MacAddr([2, 0, 0, 0, 0, 2]);
    const LAPTOP: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
    const SERVER: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2));
    const BEGIN: u64 = 1_700_000_000_000_000_000;

    /// What passes: when it is in the air, whether up, and how long it is.
    type Passing = (u64, bool, u32);

    fn packet(up: bool, length: u32) -> Packet {
        let (src, dst) = if up { (LAPTOP, SERVER) } else { (SERVER, LAPTOP) };
        let (identity, transport) = (Identity::default(), Transport::Other(Protocol::UDP));
        let transmission = Transmission::First;
        Packet { src, dst, dscp: 0, ecn: Ecn::NotEct, length, identity, transmission, transport }
    }

    fn frame(up: bool, number: u64, length: u32, cipher: u32) -> Frame {
        Frame {
            subtype: Subtype::Data,
            receiver: if up { AP } else { STATION },
            transmitter: Some(if up { STATION } else { AP }),
            bssid: Some(AP),
            way: if up { Way::Up } else { Way::Down },
            sequence: Some((number % 4096) as u16),
            tid: Some(0),
            retry: false,
            power: PowerBits::default(),
            protected: true,
            amsdu: false,
            packet_number: None,
            aid: None,
            length: 0,
            body: length + SNAP + cipher,
            begins: 0,
            block_ack: None,
            beacon: None,
            channel: None,
            radio: Radio::default(),
            joining: None,
            security: None,
            source: None,
            eapol: None,
            packet: None,
        }
    }

    /// Lengths as programs make them: mostly full packets one way and acknowledgments the other, and some of any length.
    fn traffic(seed: u64, count: u64) -> Vec<Passing> {
        let mut chance = Chance::new(seed, "traffic", "lengths");
        let mut at = 0;
        let one = |_| {
            at += 100_000 + u64::from(chance.up_to(2_000_000));
            let up = chance.chance(0.4);
            let usual = if up { 52 } else { 1500 };
            let length = if chance.chance(0.2) { 60 + chance.up_to(1400) } else { usual };
            (at, up, length)
        };
        (0..count).map(one).collect()
    }

    /// What a monitor that misses a share of it hears, and a host whose clock is ahead and drifts; with the pairs that are right.
    fn captured(
        of: &[Passing],
        seed: u64,
        missed: f64,
        cipher: u32,
        clock: (i64, f64),
    ) -> (Encrypted, Lengths, BTreeSet<[u64; 2]>) {
        let mut chance = Chance::new(seed, "monitor", "misses");
        let (mut air, mut host, mut right) = (Encrypted::default(), Lengths::default(), BTreeSet::new());
        let mut numbers = [0, 0];
        for &(at, up, length) in of {
            let number = &mut numbers[usize::from(up)];
            *number += 1;
            let way = 40_000 + u64::from(chance.up_to(3_000_000)) * u64::from(up);
            let here = if up { at.saturating_sub(way) } else { at + way };
            let here = (BEGIN + here).saturating_add_signed(clock.0 + (clock.1 * here as f64) as i64);
            host.see(here, &packet(up, length));
            if !chance.chance(missed) {
                air.see(BEGIN + at, &frame(up, *number, length, cipher));
            }
            right.insert([BEGIN + at, here]);
        }
        (air, host, right)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn the_same_packets_are_found_whatever_is_missed(
            seed in any::<u64>(),
            missed in 0.0..0.3_f64,
            cipher in prop::sample::select(CIPHERS.to_vec()),
            ahead_ms in -10_000_000..10_000_000_i64,
            drift in -5e-5..5e-5_f64,
        ) {
            let (air, host, right) = captured(&traffic(seed, 3000), seed, missed, cipher, (ahead_ms * 1_000_000, drift));
            let (station, shared) = host.shared(&air).expect("hundreds of lengths come once");
            prop_assert_eq!(station, STATION);
            let wrong = shared.iter().filter(|one| !right.contains(&one.at_ns)).count();
            prop_assert!(100 * wrong <= shared.len(), "{} of {}", wrong, shared.len());
            let clock = Clock::between(&shared).expect("both ways");
            let off = clock.ahead_ns() - ahead_ms as f64 * 1e6;
            prop_assert!(off.abs() < 2e6, "{off} ns");
        }

        #[test]
        fn other_packets_are_not_taken_for_these(seed in any::<u64>()) {
            let (air, _, _) = captured(&traffic(seed, 3000), seed, 0.0, 16, (0, 0.0));
            let (_, host, _) = captured(&traffic(!seed, 3000), seed, 0.0, 16, (0, 0.0));
            prop_assert_eq!(host.shared(&air), None);
        }
    }

    #[test]
    fn nothing_falls_in_what_rises_longest() {
        assert_eq!(longest_rising(&[3, 9, 4, 5, 1, 5, 2]), [0, 2, 3, 5]);
        assert_eq!(longest_rising(&[]), Vec::<usize>::new());
    }

    #[test]
    fn a_large_packet_is_as_many_as_go_over_the_air() {
        let large = |length| Packet {
            length,
            transport: Transport::Tcp(Segment {
                header: Default::default(),
                payload: length - 52,
                options: 12,
                ends: false,
                fills: false,
            }),
            ..packet(true, 0)
        };
        assert_eq!(pieces(&large(52 + 3 * 1448)).collect::<Vec<_>>(), [1500; 3]);
        assert_eq!(pieces(&large(52 + 2 * 1448 + 100)).collect::<Vec<_>>(), [1500, 1500, 152]);
        assert_eq!(pieces(&large(1500)).collect::<Vec<_>>(), [1500]);
    }
}
