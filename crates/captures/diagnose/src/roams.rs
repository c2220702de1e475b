//! How stations went from one access point to another: a table, over all captures on one clock.

use crate::capture::CaptureStats;
use crate::evidence::{Evidence, Unreadable};
use crate::reach::reach;
use crate::strangers::sorted;
use airloom_trace::tcp::{Connection, Trigger};
use airloom_trace::{
    Beacons, Capture, Clock, Duplicates, Frame, Handover, Handovers, HeardBetween, Hush, MacAddr, Moment,
    Packet, Phase, Place, ROAM_AFTER_NS, Record, Seen, Subtype, Transport, Unopened,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

/// The most addresses of stations that are known, as far as packets could be read.
const MOST_ADDRESSES: usize = 4096;
/// The most frames that are known to have been heard just now.
const MOST_OVERHEARD: usize = 4096;
/// Two captures have one frame so close to each other on the common clock, in nanoseconds.
const TOGETHER: u64 = 10_000_000;

/// All roams.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Roams {
    /// The captures, in their order, and what put each on the clock of the first monitor.
    pub captures: Vec<RoamCapture>,
    /// The roams, in the order in which they began.
    pub roams: Vec<RoamSeen>,
    /// How many more there were.
    pub left_out: u64,
}

/// A capture, and what put it on the clock of the first monitor.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct RoamCapture {
    /// The file, with the interface where it has several.
    pub name: String,
    /// "air", "host", or neither.
    pub place: Option<&'static str>,
    /// What put it on the clock of the first monitor: "reference" of that one itself, "beacons" that both heard, "packets" that both have, or
    /// "stamps", its own, which were taken as they are.
    pub clock: &'static str,
}

/// A roam. Times are in seconds since the first record of all captures; what was not heard is null, and so is what was heard by a clock
/// that has nothing in common with that of `at_s`.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct RoamSeen {
    /// The station.
    pub station: String,
    /// "roam", "anew" with the same access point, or "join" where the monitors heard none before.
    pub kind: &'static str,
    /// The access point before.
    pub from: Option<String>,
    /// The access point after.
    pub to: String,
    /// When its first frame was heard, of the exchange or of data.
    pub at_s: f64,
    /// Centre frequencies in MHz of the channels on which the two were heard.
    pub channels_mhz: [Option<u16>; 2],
    /// Signal in dBm at the monitor before and after: of the station's frames, and of the access points'.
    pub station_dbm: [Option<f64>; 2],
    /// See `station_dbm`.
    pub ap_dbm: [Option<f64>; 2],
    /// How the station came in.
    #[serde(flatten)]
    pub joining: JoiningSeen,
    /// Deauthentications and disassociations since the last data.
    #[serde(rename = "left")]
    pub leaves: u32,
    /// The reason of the last of them (802.11-2020 table 9-49).
    pub reason: Option<u16>,
    /// The last data with the access point before.
    pub last_data_s: Option<f64>,
    /// The first data from the station, and to it, with the one after.
    pub first_up_s: Option<f64>,
    /// See `first_up_s`.
    pub first_down_s: Option<f64>,
    /// From the last data to the first, or to the end of the exchange where nobody had anything to send, in ms; null unless both are by one clock.
    pub gap_ms: Option<f64>,
    /// What its TCP connections saw; null where none can be read, or none was busy.
    pub tcp: Option<RoamTcp>,
}

/// How a station came into a network, as far as it was heard.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct JoiningSeen {
    /// Probe requests before it, with their answers.
    pub scan: Option<PhaseSeen>,
    /// Authentication, or the request for a fast transition.
    pub authentication: Option<PhaseSeen>,
    /// How: "open", "shared key", "FT", "SAE", "FILS", "LEAP", "FT over the DS", or "other".
    pub method: Option<&'static str>,
    /// Requests to associate, and answers.
    pub association: Option<PhaseSeen>,
    /// "association" or "reassociation", as the station asked.
    pub asked: Option<&'static str>,
    /// The last answer's status, zero for success (802.11-2020 table 9-50).
    pub status: Option<u16>,
    /// EAP.
    pub eap: Option<PhaseSeen>,
    /// The handshake of keys.
    pub keys: Option<PhaseSeen>,
}

/// A part of a roam.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct PhaseSeen {
    /// Its first frame.
    pub from_s: f64,
    /// From that to its last one, in ms; null if one end alone was heard, of a scan if one frame alone was, or if the two are by clocks
    /// that have nothing in common.
    pub ms: Option<f64>,
    /// Its frames: from the station, and to it.
    pub frames: [u32; 2],
}

/// What TCP saw of a roam, from the last data before it to a second behind its end.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct RoamTcp {
    /// The capture that tells it, by its place among the captures.
    pub capture: usize,
    /// The longest time without a packet of a connection that was not idle, or whose timer shows that it waited, in ms.
    pub silence_ms: f64,
    /// Segments that were sent again, and those of them by the timer; null if there are too many to tell.
    pub again: Option<u64>,
    /// See `again`.
    pub timeouts: Option<u64>,
}

impl Roams {
    /// Reads all files once more, in the order of time.
    ///
    /// # Errors
    ///
    /// The first file that cannot be opened again.
    pub fn of(
        evidence: &Evidence,
        open: impl Fn(&Path) -> Result<Capture, Unopened>,
    ) -> Result<Self, Unreadable> {
        let clocks = Clocks::of(evidence, &open)?;
        let mut sources = Vec::new();
        for (capture, told) in evidence.captures.iter().enumerate() {
            if told.place.is_some() && told.records > 0 {
                let file = opened(told, &open)?;
                sources.push(Source::of(file, told.interface, capture));
            }
        }
        let mut reading = Reading::of(evidence);
        sources.retain_mut(|source| source.advance(&clocks));
        while let Some(first) = (0..sources.len()).min_by_key(|&place| sources[place].at_ns) {
            let source = &mut sources[first];
            if let Some(record) = source.record.take() {
                reading.see(source, &record);
            }
            if !source.advance(&clocks) {
                sources.remove(first);
            }
        }
        let Reading { handovers, stations, .. } = reading;
        let done = handovers.finish();
        let mut kept: Vec<&Handover> = done.kept().iter().collect();
        kept.sort_by_key(|one| one.begin().map(|moment| moment.at_ns));
        Ok(Self {
            captures: (0..evidence.captures.len()).map(|place| clocks.told(evidence, place)).collect(),
            roams: kept.into_iter().map(|one| seen(evidence, &clocks, &stations, one)).collect(),
            left_out: done.total() - done.kept().len() as u64,
        })
    }
}

/// A capture that is read in step with others.
struct Source {
    file: Capture,
    interface: u32,
    capture: usize,
    /// The next record, and its time on the common clock.
    record: Option<Record>,
    at_ns: u64,
    /// What of its data was heard before.
    duplicates: Duplicates,
}

impl Source {
    fn of(file: Capture, interface: u32, capture: usize) -> Self {
        Self { file, interface, capture, record: None, at_ns: 0, duplicates: Duplicates::default() }
    }

    /// Goes to the next record; false if there is none.
    fn advance(&mut self, clocks: &Clocks) -> bool {
        self.record = None;
        while let Some(next) = self.file.next() {
            if let Ok(record) = next
                && record.interface == self.interface
            {
                self.at_ns = clocks.corrected(self.capture, record.stamp_ns);
                self.record = Some(record);
                return true;
            }
        }
        false
    }
}

/// What has been read of all captures.
struct Reading<'a> {
    handovers: Handovers,
    stations: Stations<'a>,
    overheard: Overheard,
}

impl<'a> Reading<'a> {
    fn of(evidence: &'a Evidence) -> Self {
        let stations = Stations::of(evidence);
        Self { handovers: Handovers::default(), stations, overheard: Overheard::default() }
    }

    /// Takes the record at which a source is.
    fn see(&mut self, source: &mut Source, record: &Record) {
        let at = Moment { at_ns: source.at_ns, capture: source.capture };
        match &record.seen {
            Seen::Air(frame) => {
                self.stations.learn(frame);
                // A retry is the same packet, not one that TCP sent again.
                if source.duplicates.first_heard(at.at_ns, frame).is_some() {
                    frame.packet.iter().chain(source.file.further()).for_each(|packet| self.tcp(at, packet));
                }
                if !self.overheard.is_another(at, frame) {
                    self.handovers.see(at, frame);
                }
            }
            Seen::Host(packet) => self.tcp(at, packet),
            Seen::Other | Seen::Unread => {}
        }
    }

    fn tcp(&mut self, at: Moment, packet: &Packet) {
        let Transport::Tcp(segment) = &packet.transport else { return };
        let ends = [
            SocketAddr::new(packet.src, segment.header.src_port),
            SocketAddr::new(packet.dst, segment.header.dst_port),
        ];
        if let Some(station) = self.stations.with(at.capture, [packet.src, packet.dst]) {
            self.handovers.tcp(at.at_ns, at.capture, station, ends);
        }
    }
}

/// Transmitter, receiver, sequence number, traffic identifier and retry bit: equal in one frame as two monitors hear it.
type FrameName = (MacAddr, MacAddr, u16, Option<u8>, bool);

/// Frames that were heard just now.
#[derive(Default)]
struct Overheard {
    heard: BTreeMap<FrameName, (Moment, Subtype)>,
    order: VecDeque<(FrameName, Moment)>,
}

impl Overheard {
    /// Takes the next frame; returns whether another capture had it just before.
    fn is_another(&mut self, at: Moment, frame: &Frame) -> bool {
        let (Some(from), Some(number), false) = (frame.transmitter, frame.sequence, frame.radio.damaged)
        else {
            return false;
        };
        let is_old = |(_, then): &mut (FrameName, Moment)| at.at_ns.saturating_sub(then.at_ns) > TOGETHER;
        while let Some((name, then)) = self.order.pop_front_if(is_old) {
            if self.heard.get(&name).is_some_and(|heard| heard.0 == then) {
                self.heard.remove(&name);
            }
        }
        let name = (from, frame.receiver, number, frame.tid, frame.retry);
        let elsewhere =
            |&(then, subtype): &(Moment, Subtype)| then.capture != at.capture && subtype == frame.subtype;
        if self.heard.get(&name).is_some_and(elsewhere) {
            return true;
        }
        if self.order.len() < MOST_OVERHEARD {
            self.heard.insert(name, (at, frame.subtype));
            self.order.push_back((name, at));
        }
        false
    }
}

/// Which station has which address.
struct Stations<'a> {
    evidence: &'a Evidence,
    learnt: BTreeMap<IpAddr, MacAddr>,
    /// The pairs of addresses of each host's capture whose packets are a station's, by what its encrypted frames look like.
    pairs: BTreeMap<(usize, [IpAddr; 2]), MacAddr>,
}

impl<'a> Stations<'a> {
    fn of(evidence: &'a Evidence) -> Self {
        let joins = evidence.joins.iter().enumerate();
        let pairs = joins.filter_map(|(capture, join)| Some((capture, join, join.station?)));
        let pairs = pairs.flat_map(|(capture, join, station)| {
            join.shared.iter().map(move |one| ((capture, sorted(one.ends)), station))
        });
        Self { evidence, learnt: BTreeMap::new(), pairs: pairs.collect() }
    }

    fn learn(&mut self, frame: &Frame) {
        if let Some((address, station)) = frame.address()
            && (self.learnt.len() < MOST_ADDRESSES || self.learnt.contains_key(&address))
        {
            self.learnt.insert(address, station);
        }
    }

    /// The station that has one of two addresses in a capture.
    fn with(&self, capture: usize, ends: [IpAddr; 2]) -> Option<MacAddr> {
        let is_here = self.evidence.airs().any(|(place, _)| self.evidence.is_beside(capture, *place));
        let known = |end: IpAddr| {
            let learnt = self.learnt.get(&end).filter(|_| is_here).copied();
            learnt.or_else(|| self.evidence.station_of(capture, end))
        };
        self.pairs.get(&(capture, sorted(ends))).copied().or_else(|| ends.into_iter().find_map(known))
    }
}

/// How each capture comes to the clock of the first monitor.
struct Clocks {
    /// By capture, what corrects its stamps one after the other, and in words.
    ways: Vec<(Vec<Clock>, &'static str)>,
}

impl Clocks {
    /// Monitors by the beacons that they heard together, over others if need be; hosts, and other monitors, by packets.
    fn of(
        evidence: &Evidence,
        open: impl Fn(&Path) -> Result<Capture, Unopened>,
    ) -> Result<Self, Unreadable> {
        let reference = evidence.reference();
        let by_packets = |join: &crate::Join| match join.clock {
            Some(clock) => (vec![clock], "packets"),
            None => (Vec::new(), "stamps"),
        };
        let mut ways: Vec<_> = evidence.joins.iter().map(by_packets).collect();
        if let Some(way) = ways.get_mut(reference) {
            *way = (Vec::new(), "reference");
        }
        let is_air = |&place: &usize| evidence.captures[place].place == Some(Place::Air);
        let airs: Vec<usize> = (0..evidence.captures.len()).filter(is_air).collect();
        if airs.len() < 2 {
            return Ok(Self { ways });
        }
        let heard = beacons(evidence, &airs, &open)?;
        let others = airs.into_iter().filter(|&place| place != reference).collect();
        reach(vec![reference], others, |from, place| {
            let Some(clock) = heard[&from].clock(&heard[&place]) else { return false };
            let over = ways[from].0.clone();
            ways[place] = (std::iter::once(clock).chain(over).collect(), "beacons");
            true
        });
        Ok(Self { ways })
    }

    fn corrected(&self, capture: usize, at_ns: u64) -> u64 {
        self.ways
            .get(capture)
            .map_or(at_ns, |(clocks, _)| clocks.iter().fold(at_ns, |at_ns, clock| clock.corrected(at_ns)))
    }

    /// The time from one moment to a later one, in nanoseconds; none if they are by clocks that have nothing in common.
    fn between_ns(&self, from: Moment, to: Moment) -> Option<u64> {
        self.joined(from.capture, to.capture).then(|| to.at_ns.saturating_sub(from.at_ns))
    }

    /// Whether moments of two captures can be compared: they are one, or both are on the clock of the first monitor.
    fn joined(&self, one: usize, other: usize) -> bool {
        one == other || [one, other].iter().all(|&capture| self.ways[capture].1 != "stamps")
    }

    fn told(&self, evidence: &Evidence, capture: usize) -> RoamCapture {
        let told = &evidence.captures[capture];
        RoamCapture { name: told.named(), place: told.place.map(Place::name), clock: self.ways[capture].1 }
    }
}

/// The file of a capture once more.
fn opened(
    told: &CaptureStats,
    open: impl Fn(&Path) -> Result<Capture, Unopened>,
) -> Result<Capture, Unreadable> {
    open(&told.path).map_err(|error| Unreadable { path: told.path.clone(), error })
}

/// The beacons of captures, by their places: each file is read once, whatever it has of interfaces.
fn beacons(
    evidence: &Evidence,
    places: &[usize],
    open: impl Fn(&Path) -> Result<Capture, Unopened>,
) -> Result<BTreeMap<usize, Beacons>, Unreadable> {
    let mut heard: BTreeMap<usize, Beacons> =
        places.iter().map(|&place| (place, Beacons::default())).collect();
    let mut files: BTreeMap<&Path, BTreeMap<u32, usize>> = BTreeMap::new();
    for &place in places {
        let told = &evidence.captures[place];
        files.entry(&told.path).or_default().insert(told.interface, place);
    }
    for interfaces in files.into_values() {
        let Some(&first) = interfaces.values().next() else { continue };
        let mut file = opened(&evidence.captures[first], &open)?;
        while let Some(next) = file.next() {
            if let Ok(Record { stamp_ns, interface, seen: Seen::Air(frame), .. }) = next
                && let Some(beacons) = interfaces.get(&interface).and_then(|place| heard.get_mut(place))
            {
                beacons.see(stamp_ns, &frame);
            }
        }
    }
    Ok(heard)
}

fn seen(evidence: &Evidence, clocks: &Clocks, stations: &Stations<'_>, one: &Handover) -> RoamSeen {
    let seconds = |at_ns: u64| evidence.seconds(at_ns);
    let ms = |length_ns: u64| length_ns as f64 / 1e6;
    let told = |phase: Phase, length_ns: Option<u64>| PhaseSeen {
        from_s: seconds(phase.from.at_ns),
        ms: length_ns.filter(|_| clocks.joined(phase.from.capture, phase.to.capture)).map(ms),
        frames: phase.frames,
    };
    let phase = |phase: Option<Phase>| phase.map(|phase| told(phase, phase.length_ns()));
    // A station asks on one channel after the other, whether or not anything answers.
    let several = |phase: Phase| (phase.frames != [1, 0]).then(|| phase.span_ns());
    let signal = |end: usize| one.heard.map(|heard: HeardBetween| heard.signals[end].mean_dbm());
    let begin = one.begin();
    // By another clock they would be counted from the roam's first frame for nothing.
    let by_its_clock = |moment: Moment| {
        let known = begin.is_none_or(|begin| clocks.joined(begin.capture, moment.capture));
        known.then(|| seconds(moment.at_ns))
    };
    let [first_up_s, first_down_s] = one.first.map(|first| first.and_then(by_its_clock));
    let gap_ns = one.last.zip(one.resumed()).and_then(|(last, first)| clocks.between_ns(last, first));
    RoamSeen {
        station: one.station.to_string(),
        kind: match one.from {
            None => "join",
            Some(from) if from == one.to => "anew",
            Some(_) => "roam",
        },
        from: one.from.map(|mac| mac.to_string()),
        to: one.to.to_string(),
        at_s: seconds(begin.map_or(0, |begin| begin.at_ns)),
        channels_mhz: one.heard.map(|heard| heard.channel_mhz),
        station_dbm: signal(0),
        ap_dbm: signal(1),
        joining: JoiningSeen {
            scan: one.scan.map(|scan| told(scan, several(scan))),
            authentication: phase(one.authentication),
            method: if one.over_ds { Some("FT over the DS") } else { one.algorithm.map(method) },
            association: phase(one.association),
            asked: one.again.map(|again| if again { "reassociation" } else { "association" }),
            status: one.status,
            eap: phase(one.access),
            keys: phase(one.keys),
        },
        leaves: one.left,
        reason: one.reason,
        last_data_s: one.last.and_then(by_its_clock),
        first_up_s,
        first_down_s,
        gap_ms: gap_ns.map(ms),
        tcp: tcp(evidence, clocks, stations, one),
    }
}

/// An authentication algorithm (802.11-2020 clause 9.4.1.1; LEAP is Cisco's).
const fn method(algorithm: u16) -> &'static str {
    match algorithm {
        0 => "open",
        1 => "shared key",
        2 => "FT",
        3 => "SAE",
        4..=6 => "FILS",
        0x80 => "LEAP",
        _ => "other",
    }
}

/// What TCP saw: in a host's capture if one tells, in that with the longest silence of several.
fn tcp(evidence: &Evidence, clocks: &Clocks, stations: &Stations<'_>, roam: &Handover) -> Option<RoamTcp> {
    let known = |capture: usize| roam.moments().all(|moment| clocks.joined(moment.capture, capture));
    let (from, to) = roam.span_ns();
    let within = |capture: usize, at_ns: u64| {
        (from..=to.saturating_add(ROAM_AFTER_NS)).contains(&clocks.corrected(capture, at_ns))
    };
    // A timer shows that a connection waited, however long it had been silent before.
    let waited = |capture: usize, hush: &Hush| {
        let same = |one: &&Connection| hush.ends.iter().all(|end| one.ends.contains(end));
        let lists = evidence.connections[capture].iter().filter(same).flat_map(|one| &one.directions);
        lists
            .flat_map(|one| one.retransmissions.list())
            .any(|one| one.trigger == Trigger::Timeout && within(capture, one.at_ns))
    };
    let longest = |(&capture, &[busy, any]): (&usize, &[Option<Hush>; 2])| {
        let any = any.filter(|hush| waited(capture, hush));
        Some((capture, any.into_iter().chain(busy).max_by_key(Hush::length_ns)?))
    };
    let is_host = |capture: usize| evidence.captures[capture].place == Some(Place::Host);
    let best = |(capture, hush): &(usize, Hush)| (is_host(*capture), hush.length_ns());
    // A monitor that heard nothing of the station before knows no silence that began there.
    let begins = |capture: usize| is_host(capture) || roam.last.is_some();
    let silences = roam.silences.iter().filter(|&(&capture, _)| known(capture) && begins(capture));
    let (capture, hush) = silences.filter_map(longest).max_by_key(best)?;
    let (mut again, mut timeouts, mut whole) = (0, 0, true);
    for connection in &evidence.connections[capture] {
        if stations.with(capture, connection.ends.map(|end| end.ip())) != Some(roam.station) {
            continue;
        }
        for direction in &connection.directions {
            let list = direction.retransmissions.list();
            whole &= list.len() as u64 == direction.retransmissions.packets()
                || list.last().is_some_and(|last| {
                    clocks.corrected(capture, last.at_ns) > to.saturating_add(ROAM_AFTER_NS)
                });
            for one in list.iter().filter(|one| within(capture, one.at_ns)) {
                again += u64::from(one.segments);
                timeouts += u64::from(one.trigger == Trigger::Timeout);
            }
        }
    }
    Some(RoamTcp {
        capture,
        silence_ms: hush.length_ns() as f64 / 1e6,
        again: whole.then_some(again),
        timeouts: whole.then_some(timeouts),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::path::PathBuf;

    fn block(kind: u32, body: &[u8]) -> Vec<u8> {
        let length = (12 + body.len()) as u32;
        let (kind, length) = (kind.to_le_bytes(), length.to_le_bytes());
        [&kind[..], &length, body, &length].concat()
    }

    /// Interfaces that each heard one beacon.
    fn heard_by(interfaces: u8) -> Vec<u8> {
        let mut file = block(0x0A0D_0D0A, &[&[0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0][..], &[0xff; 8]].concat());
        for _ in 0..interfaces {
            // 802.11 without a radio's header.
            file.extend(block(1, &[105, 0, 0, 0, 0, 0, 0, 0]));
        }
        let ap = [2, 0, 0, 0, 0, 8];
        let timer = [0, 0, 0, 0, 0, 0, 0, 0, 100, 0, 1, 0];
        let frame = [&[0x80, 0, 0, 0][..], &[255; 6], &ap, &ap, &[0, 0], &timer].concat();
        for interface in 0..interfaces {
            let head = [u32::from(interface), 0, 1_000_000, frame.len() as u32, frame.len() as u32];
            let head: Vec<u8> = head.into_iter().flat_map(u32::to_le_bytes).collect();
            file.extend(block(6, &[&head, &frame[..]].concat()));
        }
        file
    }

    #[test]
    fn beacons_of_all_interfaces_of_a_file_are_read_at_once() {
        let opened = Cell::new(0);
        let open = |_: &Path| {
            opened.set(opened.get() + 1);
            Capture::new(Box::new(std::io::Cursor::new(heard_by(8))))
        };
        let evidence = Evidence::read(&[PathBuf::from("air.pcapng")], open).unwrap();
        assert_eq!(evidence.captures.len(), 8);
        opened.set(0);
        let places: Vec<usize> = (0..8).collect();
        assert_eq!(beacons(&evidence, &places, open).unwrap().len(), 8);
        assert_eq!(opened.get(), 1);
    }
}
