//! All that the captures tell, before any rule has looked at it.

use crate::between::{All, Between};
use crate::capture::CaptureStats;
use crate::carried::Carried;
use crate::join::{Join, Samples};
use crate::link::Link;
use crate::networks::{BetweenEnds, between_ends, networks};
use crate::reach::reach;
use crate::strangers::Strangers;
use airloom_trace::tcp::{Connection, Connections};
use airloom_trace::{
    Air, AllPings, AllTrips, AllUndelivered, Capture, Duplicates, Encrypted, Lengths, MacAddr, Packet, Pings,
    Place, Record, Seen, Silence, Silences, Spoken, Stream, Streams, Transmission, Trips, Undelivered,
    Unopened, place,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::mem;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// So many interfaces of a file are read; of a host's one by one more are hardly ever captured at once.
const MOST_INTERFACES: usize = 32;

/// All that the captures tell.
#[derive(Debug)]
pub struct Evidence {
    /// The captures in the files, in the order in which these were given.
    pub captures: Vec<CaptureStats>,
    /// What the capture of the air tells that rules look at, with its place among the captures: the first, unless it was turned.
    pub air: Option<(usize, Air)>,
    /// The same of further ones, each of a channel of its own.
    others: VecDeque<(usize, Air)>,
    /// The capture by whose clock all times are given.
    reference: usize,
    /// Where each connection is, by its ends.
    pub(crate) between_ends: BetweenEnds,
    /// The network of each capture (`networks.rs`).
    networks: Vec<usize>,
    /// The TCP connections of each capture, by its place among the captures.
    pub connections: Vec<Vec<Connection>>,
    /// The streams of UDP of each capture, by its place among the captures.
    pub streams: Vec<Vec<Stream>>,
    /// What is lost of streams of UDP between two hosts' captures.
    pub(crate) between: Vec<Between>,
    /// The round trips of single packets in each capture of a host, by its place among the captures.
    pub trips: Vec<Vec<Trips>>,
    /// ICMP echo in each capture of a host, by its place among the captures.
    pub pings: Vec<Vec<Pings>>,
    /// What hosts and routers say of packets that did not arrive, in each capture of a host, by its place among the captures.
    pub undelivered: Vec<Vec<Undelivered>>,
    /// Spells in which nothing came to a host that asked, in each capture of a host, by its place among the captures.
    pub silences: Vec<Vec<Silence>>,
    /// When each host sent anything, in each capture, by its place among the captures.
    pub(crate) spoken: Vec<Spoken>,
    /// Each capture beside the monitor's, or beside the first if there is none.
    pub joins: Vec<Join>,
    /// Two captures of one connection that have nothing in common but its beginning.
    pub(crate) parted: Option<Strangers>,
    /// The first stamp of all captures, on one clock: what times are counted from.
    pub begin_ns: u64,
    /// What went over which link (`carriers.rs`).
    carried: OnceLock<Carried>,
}

/// Why there is no evidence.
#[derive(Debug)]
pub struct Unreadable {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: Unopened,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

/// What captures of the air have, while files are read.
#[derive(Default)]
struct Heard {
    /// The first, with its place among the captures.
    air: Option<(usize, Air)>,
    /// What the first has of packets whose bodies are encrypted.
    coded: Encrypted,
    /// Those of further channels.
    others: VecDeque<(usize, Air)>,
}

impl Heard {
    /// Keeps a capture, if it is the first of its channel; whether it does.
    fn keep(&mut self, (at, air): (usize, Air), coded: Encrypted) -> bool {
        if self.air.is_none() {
            (self.air, self.coded) = (Some((at, air)), coded);
            return true;
        }
        let mut known = self.air.iter().chain(&self.others).map(|(_, air)| air.channel_mhz);
        let is_new = air.channel_mhz.is_some() && !known.any(|mhz| mhz == air.channel_mhz || mhz.is_none());
        if is_new {
            self.others.push_back((at, air));
        }
        is_new
    }
}

impl Evidence {
    /// Opens files and reads them, each once and to its end or to where it is damaged.
    ///
    /// # Errors
    ///
    /// The first file that cannot be opened or is no capture.
    pub fn read(
        paths: &[PathBuf],
        open: impl Fn(&Path) -> Result<Capture, Unopened>,
    ) -> Result<Self, Unreadable> {
        let opened = |path: &PathBuf| match open(path) {
            Ok(file) => Ok((path.clone(), file)),
            Err(error) => Err(Unreadable { path: path.clone(), error }),
        };
        Ok(Self::of(paths.iter().map(opened).collect::<Result<_, _>>()?))
    }

    /// Reads captures that are open, each with its name.
    pub fn of(files: Vec<(PathBuf, Capture)>) -> Self {
        let (mut captures, mut connections, mut samples) = (Vec::new(), Vec::new(), Vec::new());
        let alone = files.len() == 1;
        let mut heard = Heard::default();
        let (mut lengths, mut streams, mut trips) = (Vec::new(), Vec::new(), Vec::new());
        let (mut silences, mut pings, mut spoken) = (Vec::new(), Vec::new(), Vec::new());
        let mut undelivered = Vec::new();
        let all = files.into_iter().flat_map(|(path, file)| Captured::of_file(&path, file, alone));
        for mut one in once_each(all) {
            one.heard.finish();
            if one.stats.place == Some(Place::Air) {
                one.stats.copies = one.heard.copies;
                one.stats.channel_mhz = one.heard.channel_mhz;
                one.stats.beside = !heard.keep((captures.len(), one.heard), one.unknown);
            } else {
                one.stats.copies = one.tcp.copies;
            }
            one.stats.left_out = one.tcp.rest;
            one.stats.datagrams_left_out = one.udp.left_out;
            let (pairs, pings_left_out) = one.pings.finish();
            one.stats.pings_left_out = pings_left_out;
            pings.push(pairs);
            undelivered.push(one.undelivered.finish());
            connections.push(one.tcp.finish());
            one.stats.copies_elsewhere = one.tcp.copies_elsewhere;
            captures.push(one.stats);
            streams.push(one.udp.finish());
            trips.push(one.trips.finish());
            silences.push(one.silences.finish());
            spoken.push(one.spoken);
            samples.push(one.sample);
            lengths.push(one.known);
        }
        let reference = heard.air.as_ref().map_or(0, |(at, _)| *at);
        let joins = joins(&samples, reference, &heard.coded, &lengths);
        let Heard { air, others, .. } = heard;
        let all = All { captures: &captures, streams: &streams, joins: &joins, samples: &samples, reference };
        let between = all.between();
        let parted = Strangers::parted(&captures, &connections, &samples);
        let between_ends = between_ends(&connections);
        let networks = networks(&joins, reference, &connections, &between_ends, &samples);
        let firsts =
            captures.iter().zip(&joins).filter_map(|(one, join)| Some(join.corrected(one.span_ns?.0)));
        let begin_ns = firsts.min().unwrap_or_default();
        Self {
            captures,
            air,
            others,
            reference,
            between_ends,
            networks,
            connections,
            streams,
            between,
            trips,
            pings,
            undelivered,
            silences,
            spoken,
            joins,
            parted,
            begin_ns,
            carried: OnceLock::new(),
        }
    }

    /// Looks at the air of the next channel, whose capture is one of several; behind the last at that of the first.
    pub(crate) fn turn(&mut self) {
        if let Some(next) = self.others.pop_front() {
            self.others.extend(self.air.replace(next));
            self.carried = OnceLock::new();
        }
    }

    /// How many channels' air was captured; one if none was.
    pub(crate) fn channels(&self) -> usize {
        1 + self.others.len()
    }

    /// The air of every channel that was captured.
    pub(crate) fn airs(&self) -> impl Iterator<Item = &(usize, Air)> {
        self.air.iter().chain(&self.others)
    }

    /// Whether a connection, as a capture has it, is of the channel that is looked at, or of none that is known while the first is.
    pub(crate) fn is_here(&self, capture: usize, ends: [SocketAddr; 2]) -> bool {
        let Some((here, air)) = self.air.as_ref().filter(|_| !self.others.is_empty()) else { return true };
        let is_known = |place: usize, air: &Air| {
            self.is_beside(capture, place) && ends.iter().any(|end| air.station_of(end.ip()).is_some())
        };
        if capture == *here || (self.captures[capture].place != Some(Place::Air) && is_known(*here, air)) {
            return true;
        }
        let elsewhere = |(place, air): &(usize, Air)| *place == capture || is_known(*place, air);
        *here == self.reference && !self.others.iter().any(elsewhere)
    }

    /// What went over which link, if there is a capture of the air, once that has been worked out.
    pub(crate) fn carried(&self) -> Option<&Carried> {
        self.carried.get()
    }

    /// Whether more is there to be sent over a link all the time.
    pub(crate) fn is_greedy(&self, link: &Link<'_>) -> bool {
        self.carried().is_some_and(|carried| carried.is_greedy(link))
    }

    /// Whether data waits for a link all the time, whether or not the air looks as if it had time to spare: what collides is not heard.
    pub(crate) fn is_waited_for(&self, link: &Link<'_>) -> bool {
        self.carried().is_some_and(|carried| carried.is_waited_for(link))
    }

    /// Keeps what went over which link; what is kept already stays.
    pub(crate) fn keep(&self, carried: Carried) {
        _ = self.carried.set(carried);
    }

    /// The capture by whose clock all times are given: the monitor's, or the first.
    pub(crate) const fn reference(&self) -> usize {
        self.reference
    }

    /// Whether two captures are of one network: which host has an address in one of them is true in the other.
    pub(crate) fn is_beside(&self, one: usize, other: usize) -> bool {
        self.networks[one] == self.networks[other]
    }

    /// The capture that stands for the network of another one.
    pub(crate) fn network_of(&self, capture: usize) -> usize {
        self.networks[capture]
    }

    /// The station that has an address in a capture, if a monitor of the same network heard that.
    pub(crate) fn station_of(&self, capture: usize, address: IpAddr) -> Option<MacAddr> {
        let mut airs = self.airs().filter(|(place, _)| self.is_beside(capture, *place));
        airs.find_map(|(_, air)| air.station_of(address))
    }

    /// The stations whose packets a host's capture has, by their addresses or by what their encrypted frames look like; none of a
    /// capture of the air, and without one.
    pub(crate) fn stations(&self, capture: usize) -> BTreeSet<MacAddr> {
        let at_host = self.captures[capture].place == Some(Place::Host);
        if !at_host || self.air.is_none() {
            return BTreeSet::new();
        }
        let ends = self.connections[capture].iter().flat_map(|connection| connection.ends);
        ends.filter_map(|end| self.station_of(capture, end.ip())).chain(self.joins[capture].station).collect()
    }

    /// The stations whose hosts were captured: of the captures that are of one station each, if there is any. That of a server has the packets of all.
    pub(crate) fn own(&self) -> BTreeSet<MacAddr> {
        let every: Vec<_> = (0..self.captures.len()).map(|capture| self.stations(capture)).collect();
        let single = every.iter().any(|stations| stations.len() == 1);
        every.into_iter().filter(|stations| !single || stations.len() == 1).flatten().collect()
    }

    /// Whether a capture of the air is of a time, in seconds since the first record of all captures.
    pub(crate) fn is_heard(&self, from: f64, to: f64) -> bool {
        let heard = self.air.as_ref().and_then(|(_, air)| air.span_ns);
        heard.is_some_and(|(first, last)| self.seconds(first) <= to && from <= self.seconds(last))
    }

    /// A capture by its place among the captures, in words: by its name where there are several.
    pub(crate) fn called(&self, capture: usize) -> String {
        match &self.captures[..] {
            [_] => "this capture".to_owned(),
            all => all[capture].named(),
        }
    }

    /// A stamp of a capture, by its place among the captures, in seconds since the first record of all captures.
    pub fn seconds_in(&self, capture: usize, at_ns: u64) -> f64 {
        let at_ns = self.joins.get(capture).map_or(at_ns, |join| join.corrected(at_ns));
        at_ns.saturating_sub(self.begin_ns) as f64 / 1e9
    }

    /// A stamp of the capture of the air that is looked at, in seconds since the first record of all captures.
    pub fn seconds(&self, at_ns: u64) -> f64 {
        self.seconds_in(self.air.as_ref().map_or(self.reference, |(capture, _)| *capture), at_ns)
    }
}

/// A capture that is being read.
struct Captured {
    stats: CaptureStats,
    heard: Air,
    tcp: Connections,
    udp: Streams,
    trips: AllTrips,
    pings: AllPings,
    undelivered: AllUndelivered,
    silences: Silences,
    spoken: Spoken,
    /// What was heard of the air before.
    duplicates: Duplicates,
    /// What it may have in common with others: packets by what they say, and by their lengths where they cannot be read.
    sample: Samples,
    known: Lengths,
    unknown: Encrypted,
}

impl Captured {
    fn new(path: PathBuf, interface: u32) -> Self {
        Self {
            stats: CaptureStats::new(path, interface),
            heard: Air::default(),
            duplicates: Duplicates::default(),
            tcp: Connections::default(),
            udp: Streams::default(),
            trips: AllTrips::default(),
            pings: AllPings::default(),
            undelivered: AllUndelivered::default(),
            silences: Silences::default(),
            spoken: Spoken::default(),
            sample: Samples::default(),
            known: Lengths::default(),
            unknown: Encrypted::default(),
        }
    }

    /// Reads a file to its end: a capture for each interface that has records, one at least; `alone` if there is no other file.
    fn of_file(path: &Path, mut file: Capture, alone: bool) -> Vec<Self> {
        let mut captures: BTreeMap<u32, Self> = BTreeMap::new();
        let mut stop = None;
        let alone = alone && !file.may_have_several();
        while let Some(record) = file.next() {
            match record {
                Ok(record) => {
                    let room = captures.len() < MOST_INTERFACES;
                    let capture = captures
                        .entry(record.interface)
                        .or_insert_with(|| Self::new(path.to_path_buf(), record.interface));
                    capture.stats.note(&record);
                    capture.stats.beyond |= !room && capture.stats.records == 1;
                    if capture.stats.beyond {
                        capture.stats.unread += 1;
                    } else {
                        capture.see(&record, file.further(), alone);
                    }
                }
                Err(error) => stop = Some(error),
            }
        }
        if captures.is_empty() {
            captures.insert(0, Self::new(path.to_path_buf(), 0));
        }
        let several = captures.len() > 1;
        for capture in captures.values_mut() {
            let stats = &mut capture.stats;
            let name = file.name(stats.interface).map_or_else(String::new, |name| format!(" ({name})"));
            stats.name = several.then(|| format!("interface {}{name}", stats.interface));
            stats.stop = stop;
            stats.ended_ns = file.ended_ns(stats.interface);
        }
        captures.into_values().collect()
    }

    fn see(&mut self, record: &Record, further: &[Packet], alone: bool) {
        let at_ns = record.stamp_ns;
        let place_of = || match &record.seen {
            Seen::Air(_) => Some(Place::Air),
            Seen::Host(_) => Some(Place::Host),
            Seen::Other | Seen::Unread => place(record.link),
        };
        self.stats.place = self.stats.place.or_else(place_of);
        match &record.seen {
            Seen::Air(frame) => {
                self.heard.see(at_ns, record.number, frame);
                if !alone {
                    self.unknown.see(at_ns, frame);
                }
                // A retry is the same packet, not one that TCP sent again.
                let Some(transmission) = self.duplicates.first_heard(at_ns, frame) else { return };
                for packet in frame.packet.iter().chain(further) {
                    self.udp.see(at_ns, record.number, packet, Some(frame.way));
                    self.spoken.see(at_ns, packet);
                    self.pings.see(at_ns, record.number, packet);
                    let is_copy = self.tcp.see(at_ns, record.number, &Packet { transmission, ..*packet });
                    // A packet that may have arrived before it was heard says nothing of how two clocks differ.
                    if !is_copy && transmission == Transmission::First {
                        self.sample.see(at_ns, packet);
                    }
                }
            }
            Seen::Host(packet) => {
                self.spoken.see(at_ns, packet);
                if self.tcp.see(at_ns, record.number, packet) {
                    return;
                }
                self.trips.see(at_ns, record.number, packet);
                self.pings.see(at_ns, record.number, packet);
                self.undelivered.see(at_ns, packet);
                self.silences.see(at_ns, record.number, packet);
                self.udp.see(at_ns, record.number, packet, None);
                self.sample.see(at_ns, packet);
                if !alone {
                    self.known.see(at_ns, packet);
                }
            }
            Seen::Other => self.stats.not_ip += 1,
            Seen::Unread => {
                self.stats.unread += 1;
                self.silences.pass();
            }
        }
    }
}

/// Captures without copies of others: of those with the same records the one that keeps most of these, in the place of the first.
fn once_each(captures: impl Iterator<Item = Captured>) -> Vec<Captured> {
    let mut kept = Vec::<Captured>::new();
    for mut one in captures {
        match kept.iter_mut().find(|known| known.stats.is_copied_by(&one.stats)) {
            Some(known) => {
                if one.stats.likeness.has_more_than(&known.stats.likeness) {
                    mem::swap(known, &mut one);
                }
                known.stats.also.append(&mut one.stats.also);
                known.stats.also.push(one.stats.named());
            }
            None => kept.push(one),
        }
    }
    kept
}

/// How each capture is put on the reference's clock: by what both have, or by the lengths of what is encrypted there.
fn joins(samples: &[Samples], reference: usize, coded: &Encrypted, lengths: &[Lengths]) -> Vec<Join> {
    let joined = |(at, sample): (usize, &Samples)| match samples.get(reference) {
        Some(first) if at != reference => {
            let join = Join::between(first, sample);
            if join.shared.is_empty() { Join::by_lengths(coded, &lengths[at]) } else { join }
        }
        _ => Join::default(),
    };
    let mut joins: Vec<_> = samples.iter().enumerate().map(joined).collect();
    chain(&mut joins, samples, reference);
    joins
}

/// Puts captures on the reference's clock that share too little with it, but enough with others that are on it.
fn chain(joins: &mut [Join], samples: &[Samples], reference: usize) {
    let (reached, rest) = (0..joins.len())
        .filter(|&place| place != reference)
        .partition(|&place: &usize| joins[place].clock.is_some());
    reach(reached, rest, |from, place| {
        let Some(clock) = joins[from].clock else { return false };
        let join = Join::through(from, clock, &samples[from], &samples[place]);
        let joins_it = join.clock.is_some();
        if joins_it {
            joins[place] = join;
        }
        joins_it
    });
}
