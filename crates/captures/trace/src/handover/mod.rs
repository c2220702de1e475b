//! How stations go from one access point to another, phase by phase, as any number of monitors hear it.

mod record;

pub use record::{Handover, HeardBetween, Hush, Moment, Phase, Signals};

use crate::frame::Eapol;
use crate::signs::Signs;
use crate::{Capped, Frame, Joining, Subtype, Way};
use airloom_wire::MacAddr;
use record::BEFORE;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

/// The most stations that are followed at once, and access points that are known.
const MOST_STATIONS: usize = 1024;
/// The most connections whose last packet is known.
const MOST_CONNECTIONS: usize = 4096;
/// The most captures whose silences a handover has.
const MOST_CAPTURES: usize = 32;

/// Probe requests that come this soon after another are of one scan, in nanoseconds.
const SCAN: u64 = 1_000_000_000;
/// A connection that was silent for so long before is idle, in nanoseconds.
const IDLE: u64 = 1_000_000_000;
/// One that was idle for longer does not wait for anything that is on the air, in nanoseconds.
const WAITED: u64 = 10_000_000_000;
/// So long after the association the old access point may still send what it had, in nanoseconds.
const LATE: u64 = 1_000_000_000;
/// So long after the first data TCP may still suffer, in nanoseconds.
pub const ROAM_AFTER_NS: u64 = 1_000_000_000;

/// What is known of a station.
#[derive(Debug, Default)]
struct Station {
    heard_ns: u64,
    /// The access point that it is with.
    with: Option<MacAddr>,
    /// The last data, with whatever access point.
    last: Option<(Moment, MacAddr)>,
    /// That it was there.
    signs: Signs<Moment>,
    /// Frames with that.
    heard: HeardBetween,
    /// The scan that goes on, or was the last.
    scan: Option<Phase>,
    /// Those who left since the last data, and the last reason.
    left: (u32, Option<u16>),
    /// The handover that goes on, or was the last.
    current: Option<Handover>,
    /// When it last asked to reassociate where its data goes on.
    again_ns: Option<u64>,
}

/// Follows stations from one access point to another.
///
/// Frames come in the order of their time, of all captures on one clock.
#[derive(Debug, Default)]
pub struct Handovers {
    stations: BTreeMap<MacAddr, Station>,
    /// Access points: they sent beacons, or answered.
    known: BTreeSet<MacAddr>,
    /// The last packet of each connection, by capture.
    connections: BTreeMap<(usize, [SocketAddr; 2]), u64>,
    /// When idle ones were last looked for.
    looked_ns: u64,
    done: Capped<Handover>,
}

impl Handovers {
    /// Takes the next frame.
    pub fn see(&mut self, at: Moment, frame: &Frame) {
        if frame.radio.damaged {
            return;
        }
        if matches!(frame.subtype, Subtype::Beacon | Subtype::ProbeResponse)
            && self.known.len() < MOST_STATIONS
        {
            self.known.extend(frame.bssid);
        }
        if frame.subtype == Subtype::ProbeRequest {
            if let Some(mac) = frame.transmitter.filter(|mac| !mac.is_group()) {
                self.station(at.at_ns, mac).probes(at);
            }
            return;
        }
        if let Some(station) = frame.transmitter.and_then(|mac| self.stations.get_mut(&mac))
            && frame.shows_presence()
        {
            station.shows(at);
        }
        let (Some(bssid), Some(mac)) = (frame.bssid, frame.station()) else { return };
        if bssid == mac || bssid.is_group() {
            return;
        }
        let end = usize::from(frame.transmitter != Some(mac));
        let closed = match (frame.subtype, frame.joining, frame.eapol) {
            (Subtype::ProbeResponse, ..) => {
                if let Some(station) = self.stations.get_mut(&mac) {
                    station.answered(at);
                }
                return;
            }
            (Subtype::Data, _, Some(eapol)) => {
                if let Some(station) = self.stations.get_mut(&mac) {
                    station.lets_in((at, end), bssid, eapol);
                }
                None
            }
            (Subtype::Data, _, None) if frame.way != Way::Neither => {
                let known = self.known.contains(&bssid);
                self.station(at.at_ns, mac).data(at, mac, bssid, known, (end, frame.retry))
            }
            (_, Some(joining), _) => self.station(at.at_ns, mac).joins((at, end), mac, bssid, joining),
            _ => return,
        };
        if let Some(closed) = closed {
            self.done.push(closed);
        }
        if let Some(station) = self.stations.get_mut(&mac) {
            station.hears(bssid, end, frame);
        }
    }

    /// Takes a packet of a station's TCP connection in a capture.
    pub fn tcp(&mut self, at_ns: u64, capture: usize, station: MacAddr, ends: [SocketAddr; 2]) {
        let [one, other] = ends;
        let key = (capture, [one.min(other), one.max(other)]);
        if self.connections.len() == MOST_CONNECTIONS && !self.connections.contains_key(&key) {
            // An idle connection has no silence to show. If none is idle now, none will be a moment later: the search waits.
            if at_ns.saturating_sub(self.looked_ns) > IDLE {
                self.looked_ns = at_ns;
                self.connections.retain(|_, last| at_ns.saturating_sub(*last) <= IDLE);
            }
            if self.connections.len() == MOST_CONNECTIONS {
                return;
            }
        }
        let Some(before) = self.connections.insert(key, at_ns) else { return };
        let Some(current) = self.stations.get_mut(&station).and_then(|station| station.current.as_mut())
        else {
            return;
        };
        let (from, to) = current.span_ns();
        let is_beside = before <= to && at_ns >= from;
        let has_room = current.silences.len() < MOST_CAPTURES || current.silences.contains_key(&capture);
        if !is_beside || !has_room || from.saturating_sub(before) > WAITED {
            return;
        }
        let hush = Hush { ends: key.1, span_ns: (before, at_ns) };
        let known = current.silences.entry(capture).or_default();
        for (longest, idle) in known.iter_mut().zip([IDLE, WAITED]) {
            let is_longer = longest.is_none_or(|one| hush.length_ns() > one.length_ns());
            if from.saturating_sub(before) <= idle && is_longer {
                *longest = Some(hush);
            }
        }
    }

    /// All handovers, in the order in which they began.
    pub fn finish(mut self) -> Capped<Handover> {
        let stations = std::mem::take(&mut self.stations);
        stations.into_values().filter_map(|station| station.current).for_each(|one| self.done.push(one));
        self.done
    }

    /// The station with this address. Where there is no room, those that were not heard for longest are forgotten.
    fn station(&mut self, at_ns: u64, mac: MacAddr) -> &mut Station {
        if self.stations.len() == MOST_STATIONS && !self.stations.contains_key(&mac) {
            let mut heard: Vec<u64> = self.stations.values().map(|station| station.heard_ns).collect();
            heard.sort_unstable();
            let middle = heard[heard.len() / 2];
            let forgotten = self.stations.extract_if(.., |_, station| station.heard_ns <= middle);
            forgotten.filter_map(|(_, station)| station.current).for_each(|one| self.done.push(one));
        }
        let station = self.stations.entry(mac).or_default();
        station.heard_ns = at_ns;
        station
    }
}

impl Station {
    /// A probe request of it.
    fn probes(&mut self, at: Moment) {
        if self.scan.is_some_and(|scan| at.at_ns.saturating_sub(scan.to.at_ns) > SCAN) {
            self.scan = None;
        }
        Phase::see(&mut self.scan, at, 0);
    }

    /// A frame that it sends where it is, not on its way to another place.
    fn shows(&mut self, at: Moment) {
        if self.current.as_ref().is_none_or(Handover::has_data) {
            self.signs.heard(at);
        }
    }

    /// A probe response to it.
    fn answered(&mut self, at: Moment) {
        if self.scan.is_some_and(|scan| at.at_ns.saturating_sub(scan.to.at_ns) <= SCAN) {
            Phase::see(&mut self.scan, at, 1);
        }
    }

    /// Begins a handover; the one before it has come to its end.
    fn begin(&mut self, at_ns: u64, mac: MacAddr, to: MacAddr) -> Option<Handover> {
        let mut next = Handover::new(mac, self.with, to);
        next.scan = self.scan.take().filter(|scan| at_ns.saturating_sub(scan.to.at_ns) <= BEFORE);
        let last = self.last.filter(|&(_, with)| Some(with) == self.with);
        // What an access point tries to send to a station that is gone is no data.
        next.last = last.map(|(at, _)| self.signs.gone().unwrap_or(at));
        next.heard[0] = self.heard;
        (next.left, next.reason) = std::mem::take(&mut self.left);
        self.current.replace(next)
    }

    /// The handover to this access point that a frame of its exchange belongs to, and one that this ends.
    fn going(
        &mut self,
        at_ns: u64,
        mac: MacAddr,
        to: MacAddr,
        goes_on: impl Fn(&Handover) -> bool,
    ) -> (Option<Handover>, Option<&mut Handover>) {
        let same = |current: &Handover| current.to == to && goes_on(current) && !current.is_past(at_ns);
        let same = self.current.as_ref().is_some_and(same);
        let closed = if same { None } else { self.begin(at_ns, mac, to) };
        (closed, self.current.as_mut())
    }

    /// A frame of its way into a network.
    fn joins(
        &mut self,
        (at, end): (Moment, usize),
        mac: MacAddr,
        bssid: MacAddr,
        said: Joining,
    ) -> Option<Handover> {
        match said {
            Joining::Authentication(algorithm) => self.authenticates((at, end), mac, bssid, Some(algorithm)),
            Joining::OverDs(target) => self.authenticates((at, end), mac, target, None),
            Joining::Request(Some(_)) if self.stays(at.at_ns, bssid) => {
                self.again_ns = Some(at.at_ns);
                None
            }
            Joining::Answer(0)
                if self.stays(at.at_ns, bssid)
                    && self.again_ns.is_some_and(|asked| at.at_ns.saturating_sub(asked) <= LATE) =>
            {
                None
            }
            Joining::Request(from) => {
                let (closed, current) = self.going(at.at_ns, mac, bssid, |current| !current.has_data());
                let current = current?;
                Phase::see(&mut current.association, at, end);
                current.again = Some(from.is_some());
                if let Some(from) = from.filter(|&from| current.from != Some(from)) {
                    current.from = Some(from);
                    current.last = None;
                    current.heard[0] = HeardBetween::default();
                }
                closed
            }
            Joining::Answer(status) => {
                let (closed, current) = self.going(at.at_ns, mac, bssid, |current| !current.has_data());
                if let Some(current) = current {
                    Phase::see(&mut current.association, at, end);
                    current.status = Some(status);
                }
                if status == 0 {
                    self.is_with(bssid);
                }
                closed
            }
            Joining::Leave(reason) => {
                match self.current.as_mut().filter(|current| !current.is_done()) {
                    Some(current) => {
                        current.left = current.left.saturating_add(1);
                        current.reason = Some(reason);
                    }
                    None => self.left = (self.left.0.saturating_add(1), Some(reason)),
                }
                None
            }
        }
    }

    /// A station authenticates at an access point by an algorithm, or over the distribution system.
    fn authenticates(
        &mut self,
        (at, end): (Moment, usize),
        mac: MacAddr,
        to: MacAddr,
        algorithm: Option<u16>,
    ) -> Option<Handover> {
        let (closed, current) =
            self.going(at.at_ns, mac, to, |current| current.association.is_none() && !current.has_data());
        if let Some(current) = current {
            Phase::see(&mut current.authentication, at, end);
            current.algorithm = algorithm.or(current.algorithm);
            current.over_ds |= algorithm.is_none();
        }
        closed
    }

    /// Whether its data goes on with an access point, and nothing was heard that ends its association or begins another: a request to reassociate there begins
    /// none. A third radio may have sent it once more.
    fn stays(&self, at_ns: u64, bssid: MacAddr) -> bool {
        let goes_on =
            self.last.is_some_and(|(last, with)| with == bssid && at_ns.saturating_sub(last.at_ns) <= BEFORE);
        goes_on && self.left.0 == 0 && self.current.as_ref().is_none_or(Handover::has_data)
    }

    /// EAPOL between it and an access point.
    fn lets_in(&mut self, (at, end): (Moment, usize), bssid: MacAddr, eapol: Eapol) {
        if let Some(current) = self.current.as_mut().filter(|one| one.to == bssid && !one.has_data()) {
            let phase = match eapol {
                Eapol::Keys(_) => &mut current.keys,
                Eapol::Access => &mut current.access,
            };
            Phase::see(phase, at, end);
        }
    }

    /// Data between it and an access point: from the station (0) or to it (1); `known` if that was heard to be an access point.
    fn data(
        &mut self,
        at: Moment,
        mac: MacAddr,
        bssid: MacAddr,
        known: bool,
        (end, retry): (usize, bool),
    ) -> Option<Handover> {
        let given_up =
            |current: &mut Handover| current.to != bssid && !current.is_done() && current.is_past(at.at_ns);
        let mut closed = self.current.take_if(given_up);
        let goes =
            |current: &Handover| !current.is_done() && (current.to != bssid || current.association.is_none());
        let late = |current: &Handover| {
            !current.has_data()
                && current.association.is_some_and(|phase| at.at_ns.saturating_sub(phase.to.at_ns) <= LATE)
        };
        match self.current.as_mut() {
            // What the old one sends meanwhile does not arrive.
            Some(current)
                if goes(current) && current.from.map_or(current.to != bssid, |from| from == bssid) =>
            {
                current.from = Some(bssid);
                if end == 0 {
                    current.last = Some(at);
                }
            }
            Some(current) if current.to == bssid => {
                current.first[end].get_or_insert(at);
            }
            Some(current) if current.from == Some(bssid) && late(current) => return None,
            _ if self.with.is_some_and(|with| with != bssid) => {
                if !known {
                    return None;
                }
                closed = closed.or(self.begin(at.at_ns, mac, bssid));
                if let Some(current) = self.current.as_mut() {
                    current.first[end] = Some(at);
                }
            }
            _ => {}
        }
        self.is_with(bssid);
        self.left = (0, None);
        if end == 1 {
            self.signs.tried();
        }
        // Nor does what it sends again to a station that has left.
        if end == 0 || !retry {
            self.last = Some((at, bssid));
        }
        closed
    }

    /// Notes which access point it is with.
    fn is_with(&mut self, bssid: MacAddr) {
        if self.with.replace(bssid) != Some(bssid) {
            self.heard = HeardBetween::default();
        }
    }

    /// What the radio told of a frame with an access point.
    fn hears(&mut self, bssid: MacAddr, end: usize, frame: &Frame) {
        let (channel, dbm) = (frame.radio.channel_mhz, frame.radio.signal_dbm);
        if let Some(current) = self.current.as_mut().filter(|current| current.to == bssid) {
            current.heard[1].channel_mhz = channel.or(current.heard[1].channel_mhz);
            current.heard[1].signals[end].first(dbm);
        }
        if self.with == Some(bssid) {
            self.heard.channel_mhz = channel.or(self.heard.channel_mhz);
            self.heard.signals[end].last(dbm);
            if let Some(current) = self.current.as_mut()
                && current.from == Some(bssid)
                && !current.is_done()
            {
                current.heard[0] = self.heard;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::frame_of;
    use std::net::{Ipv4Addr, SocketAddr};

    const MS: u64 = 1_000_000;
    const STATION: MacAddr = MacAddr([2, 0, 0, 0, 0, 1]);
    const OLD: MacAddr = MacAddr([2, 0, 0, 0, 0, 8]);
    const NEW: MacAddr = MacAddr([2, 0, 0, 0, 0, 9]);
    const BEACON: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 100, 0, 1, 0];
    const OPEN: [u8; 6] = [0, 0, 1, 0, 0, 0];
    const FT: [u8; 6] = [2, 0, 1, 0, 0, 0];
    const GRANTED: [u8; 6] = [1, 0, 0, 0, 1, 0xc0];
    const KEYS: [u8; 10] = [0xaa, 0xaa, 3, 0, 0, 0, 0x88, 0x8e, 2, 3];
    const EAP: [u8; 10] = [0xaa, 0xaa, 3, 0, 0, 0, 0x88, 0x8e, 2, 0];

    /// A frame between the station and an access point: its first two octets, whether it goes up, and its body.
    fn frame(control: [u8; 2], up: bool, bssid: MacAddr, body: &[u8]) -> Frame {
        let (receiver, transmitter) = if up { (bssid, STATION) } else { (STATION, bssid) };
        let third = if control[1] & 2 == 2 { STATION } else { bssid };
        let mut octets = vec![control[0], control[1], 0, 0];
        for address in [receiver, transmitter, third] {
            octets.extend(address.0);
        }
        octets.extend([0, 0]);
        octets.extend(body);
        frame_of(&octets)
    }

    fn data(up: bool, bssid: MacAddr) -> Frame {
        frame([0x08, if up { 1 } else { 2 }], up, bssid, &[0xaa, 0xaa, 3, 0, 0, 0, 8, 6])
    }

    fn eapol(up: bool, body: &[u8]) -> Frame {
        frame([0x08, if up { 1 } else { 2 }], up, NEW, body)
    }

    fn told(subtype: u8, up: bool, bssid: MacAddr, body: &[u8]) -> Frame {
        frame([subtype << 4, 0], up, bssid, body)
    }

    fn request(from: MacAddr) -> Frame {
        told(2, true, NEW, &[&[1, 0, 10, 0][..], &from.0].concat())
    }

    fn beacon(bssid: MacAddr) -> Frame {
        told(8, false, bssid, &BEACON)
    }

    fn heard(frames: &[(u64, Frame)]) -> Vec<Handover> {
        let mut handovers = Handovers::default();
        frames.iter().for_each(|(at, frame)| handovers.see(moment(*at), frame));
        handovers.finish().kept().to_vec()
    }

    fn only(frames: &[(u64, Frame)]) -> Handover {
        let mut all = heard(frames);
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    const fn moment(at: u64) -> Moment {
        Moment { at_ns: at * MS, capture: 0 }
    }

    const fn phase(from: u64, to: u64, frames: [u32; 2]) -> Option<Phase> {
        Some(Phase { from: moment(from), to: moment(to), frames })
    }

    #[test]
    fn each_phase_lasts_from_its_first_frame_to_its_last() {
        let probe = told(4, true, MacAddr([255; 6]), &[0, 0]);
        let roam = only(&[
            (0, data(true, OLD)),
            (3, probe),
            (9, data(false, OLD)),
            (900, probe),
            (905, told(5, false, NEW, &BEACON)),
            (910, told(11, true, NEW, &OPEN)),
            (912, told(11, false, NEW, &OPEN)),
            (913, request(OLD)),
            (916, told(3, false, NEW, &GRANTED)),
            (917, eapol(false, &EAP)),
            (920, eapol(true, &EAP)),
            (930, eapol(false, &KEYS)),
            (935, eapol(true, &KEYS)),
            (940, data(true, NEW)),
            (944, data(false, NEW)),
            (950, data(true, NEW)),
        ]);
        assert_eq!((roam.station, roam.from, roam.to), (STATION, Some(OLD), NEW));
        assert_eq!(roam.scan, phase(3, 905, [2, 1]));
        assert_eq!(roam.authentication, phase(910, 912, [1, 1]));
        assert_eq!(roam.association, phase(913, 916, [1, 1]));
        assert_eq!((roam.access, roam.keys), (phase(917, 920, [1, 1]), phase(930, 935, [1, 1])));
        assert_eq!((roam.algorithm, roam.again, roam.status), (Some(0), Some(true), Some(0)));
        assert_eq!((roam.last, roam.first), (Some(moment(9)), [Some(moment(940)), Some(moment(944))]));
        assert_eq!((roam.begin(), roam.span_ns()), (Some(moment(910)), (9 * MS, 944 * MS)));
    }

    #[test]
    fn what_was_not_heard_is_none() {
        let roam = only(&[(0, data(true, OLD)), (50, beacon(NEW)), (90, data(false, NEW))]);
        assert_eq!((roam.from, roam.to), (Some(OLD), NEW));
        assert_eq!([roam.scan, roam.authentication, roam.association, roam.access, roam.keys], [None; 5]);
        assert_eq!((roam.last, roam.first), (Some(moment(0)), [None, Some(moment(90))]));
        // Of one end alone no length is known.
        let roam =
            only(&[(10, told(11, true, NEW, &OPEN)), (12, told(11, true, NEW, &OPEN)), (20, request(OLD))]);
        let lengths =
            [roam.authentication, roam.association].map(|phase| phase.map(|phase| phase.length_ns()));
        assert_eq!(lengths, [Some(None), Some(None)]);
        // Of a monitor that hears the new channel alone.
        let roam = only(&[(10, request(OLD)), (12, told(3, false, NEW, &GRANTED))]);
        assert_eq!((roam.from, roam.last, roam.data()), (Some(OLD), None, None));
        // An address that no beacon has is none of an access point.
        assert_eq!(heard(&[(0, data(true, OLD)), (90, data(false, NEW))]), []);
        assert_eq!(heard(&[(0, data(true, OLD)), (90, data(true, OLD)), (91, beacon(NEW))]), []);
    }

    #[test]
    fn a_station_that_asks_over_the_old_one_sends_data_until_it_goes() {
        let asks = [&[6, 1][..], &STATION.0, &NEW.0].concat();
        let roam = only(&[
            (0, data(true, OLD)),
            (5, told(13, true, OLD, &asks)),
            (8, told(13, false, OLD, &[&[6, 2][..], &asks[2..], &[0, 0]].concat())),
            (20, data(true, OLD)),
            (30, data(false, OLD)),
            (40, request(OLD)),
            (42, told(3, false, NEW, &GRANTED)),
            (43, data(false, OLD)),
            (44, data(true, NEW)),
        ]);
        assert!(roam.over_ds);
        assert_eq!((roam.authentication, roam.association), (phase(5, 8, [1, 1]), phase(40, 42, [1, 1])));
        assert_eq!((roam.last, roam.data()), (Some(moment(20)), Some(moment(44))));
    }

    #[test]
    fn what_the_old_one_sends_to_a_station_that_has_left_is_no_data() {
        let again = frame([0x08, 0x0a], false, OLD, &[0xaa, 0xaa, 3, 0, 0, 0, 8, 6]);
        let roam = only(&[
            (0, data(true, OLD)),
            (5, data(false, OLD)),
            (6, again),
            (8, again),
            (20, told(11, true, NEW, &FT)),
            (21, data(false, OLD)),
            (22, told(11, false, NEW, &FT)),
            (24, request(OLD)),
            (25, told(3, false, NEW, &GRANTED)),
            (26, data(false, OLD)),
            (27, data(false, NEW)),
        ]);
        assert_eq!((roam.algorithm, roam.last, roam.data()), (Some(2), Some(moment(5)), Some(moment(27))));
    }

    #[test]
    fn what_an_access_point_tries_to_send_to_a_station_that_is_gone_is_no_data() {
        let mut frames: Vec<_> = (0..30).map(|at| (at, data(true, OLD))).collect();
        frames.extend((30..100).map(|at| (at, data(false, OLD))));
        frames.push((500, request(OLD)));
        frames.push((504, told(3, false, NEW, &GRANTED)));
        frames.push((510, data(true, NEW)));
        assert_eq!(only(&frames).last, Some(moment(29)));
        // A monitor that has heard few signs of it cannot tell.
        assert_eq!(only(&frames[25..]).last, Some(moment(99)));
    }

    #[test]
    fn a_second_way_to_the_same_or_back_is_a_second_one() {
        let (asks, answers) = (request(OLD), told(3, false, NEW, &GRANTED));
        let left = told(12, false, NEW, &[6, 0]);
        let all = heard(&[
            (0, data(true, OLD)),
            (1, beacon(OLD)),
            (2, asks),
            (3, answers),
            (9, data(true, NEW)),
            (20, left),
            (30, told(11, true, NEW, &OPEN)),
            (31, told(0, true, NEW, &[1, 0, 10, 0])),
            (32, told(1, false, NEW, &GRANTED)),
            (40, data(true, NEW)),
            (90, data(false, OLD)),
        ]);
        let ways: Vec<_> =
            all.iter().map(|one| (one.from, one.to, one.left, one.reason, one.again)).collect();
        assert_eq!(
            ways,
            [
                (Some(OLD), NEW, 0, None, Some(true)),
                (Some(NEW), NEW, 1, Some(6), Some(false)),
                (Some(NEW), OLD, 0, None, None)
            ]
        );
    }

    #[test]
    fn a_request_said_again_where_the_station_is_begins_no_way() {
        let mut frames = vec![
            (0, data(true, OLD)),
            (20, told(11, true, NEW, &FT)),
            (24, request(OLD)),
            (25, told(3, false, NEW, &GRANTED)),
            (27, data(true, NEW)),
        ];
        for second in 1..4 {
            frames.push((1000 * second, request(OLD)));
            frames.push((1000 * second + 4, told(3, false, NEW, &GRANTED)));
            frames.push((1000 * second + 200, data(true, NEW)));
        }
        assert_eq!(heard(&frames).len(), 1);
        // The association was ended, or data long ago.
        let left = [(3300, told(12, true, NEW, &[3, 0])), (3310, request(NEW)), (3400, data(true, NEW))];
        frames.extend(left);
        frames.extend([(9000, request(NEW)), (9010, told(3, false, NEW, &GRANTED)), (9020, data(true, NEW))]);
        assert_eq!(heard(&frames).len(), 3);
    }

    #[test]
    fn what_was_not_finished_is_no_part_of_what_comes_long_after() {
        let mut frames = vec![(0, data(true, OLD)), (1, beacon(NEW)), (5010, told(11, true, NEW, &OPEN))];
        frames.extend((51..600).map(|tenth| (tenth * 100, data(true, OLD))));
        let refused = told(3, false, NEW, &[1, 0, 17, 0, 1, 0xc0]);
        let again = [
            (60_010, told(11, true, NEW, &OPEN)),
            (60_011, told(11, false, NEW, &OPEN)),
            (60_012, request(OLD)),
            (60_013, refused),
            (90_000, request(OLD)),
            (90_004, told(3, false, NEW, &GRANTED)),
        ];
        frames.extend(again);
        let all = heard(&frames);
        let phases: Vec<_> =
            all.iter().map(|one| (one.authentication, one.association, one.status)).collect();
        assert_eq!(
            phases,
            [
                (phase(5010, 5010, [1, 0]), None, None),
                (phase(60_010, 60_011, [1, 1]), phase(60_012, 60_013, [1, 1]), Some(17)),
                (None, phase(90_000, 90_004, [1, 1]), Some(0)),
            ]
        );
        assert_eq!(all[1].last, Some(moment(59_900)));
        // Nor if the second exchange was not heard.
        frames.truncate(frames.len() - again.len());
        frames.push((60_020, data(true, NEW)));
        let all = heard(&frames);
        let ways: Vec<_> = all.iter().map(|one| (one.begin(), one.from, one.data().is_some())).collect();
        assert_eq!(ways, [(Some(moment(5010)), Some(OLD), false), (Some(moment(60_020)), Some(OLD), true)]);
    }

    #[test]
    fn a_connection_that_was_not_idle_is_silent_meanwhile() {
        let end = |port| SocketAddr::from((Ipv4Addr::new(10, 0, 0, 1), port));
        let mut handovers = Handovers::default();
        let tcp = |handovers: &mut Handovers, at: u64, port| {
            handovers.tcp(at * MS, 1, STATION, [end(port), end(80)]);
            handovers.tcp(at * MS, 1, STATION, [end(80), end(port)]);
        };
        handovers.see(moment(0), &data(true, OLD));
        tcp(&mut handovers, 0, 1);
        tcp(&mut handovers, 4000, 2);
        handovers.see(moment(4010), &data(true, OLD));
        handovers.see(moment(4020), &request(OLD));
        handovers.see(moment(4030), &told(3, false, NEW, &GRANTED));
        handovers.see(moment(4040), &data(true, NEW));
        tcp(&mut handovers, 4300, 2);
        // The first was idle, or waited; the second silence comes long after.
        tcp(&mut handovers, 4310, 1);
        tcp(&mut handovers, 4900, 2);
        let roam = handovers.finish().kept()[0].clone();
        let hush = |port, from, to| Some(Hush { ends: [end(port), end(80)], span_ns: (from * MS, to * MS) });
        assert_eq!(roam.silences, [(1, [hush(2, 4000, 4300), hush(1, 0, 4310)])].into());
    }

    #[test]
    fn any_number_of_stations_takes_little_room() {
        let mut handovers = Handovers::default();
        let (asks, answers) = (request(OLD), told(3, false, NEW, &GRANTED));
        for number in 0..20_000_u32 {
            let [a, b, c, d] = number.to_be_bytes();
            let station = MacAddr([2, 1, a, b, c, d]);
            let at = u64::from(number) * MS;
            handovers.see(moment(u64::from(number)), &Frame { transmitter: Some(station), ..asks });
            handovers.see(moment(u64::from(number)), &Frame { receiver: station, ..answers });
            let ends =
                [SocketAddr::from((Ipv4Addr::from(number), 1)), SocketAddr::from((Ipv4Addr::LOCALHOST, 2))];
            handovers.tcp(at, number as usize, station, ends);
            assert!(handovers.stations.len() <= MOST_STATIONS);
        }
        assert!(handovers.connections.len() <= MOST_CONNECTIONS);
        // Those that came last are known.
        assert!(handovers.connections.values().any(|&last| last == 19_999 * MS));
        let all = handovers.finish();
        assert_eq!((all.total(), all.kept().len()), (20_000, 4096));
    }
}
