//! The air as a driver reads it: which radio sent what to which, at which rate, what came back, and who was away.

mod asked;
mod beat;
mod direct;
mod futile;
mod handshakes;
mod held;
mod leaves;
mod let_go;
mod outages;
mod pauses;
mod ppdu;
mod presence;
mod quiet;
mod radio_heard;
mod rates;
mod refusals;
mod repeats;
mod roaming;
mod sealed;
mod storm;
mod switches;
mod traffic;
mod turned_away;
mod unanswered;
mod unsteady;
mod window;

pub use beat::Beat;
pub use direct::Direct;
pub use futile::Futile;
pub use handshakes::{FailedHandshake, Handshakes};
pub use leaves::{Leave, Leaves};
pub use outages::{Outage, Outages};
pub use ppdu::Ppdu;
pub use presence::{BEACON_PARTS, Doze, Presence, Wait};
pub use radio_heard::RadioHeard;
pub use refusals::{LetIn, Refusals, Refused, Securities};
pub(crate) use roaming::resumed_ns;
pub use roaming::{Ended, Roam, Roaming, Stay};
pub use storm::Storm;
pub use switches::{Switch, Switches};
pub use traffic::{LargePpdus, OverTime, SpeedUse, Traffic};
pub use turned_away::TurnedAway;
pub use window::Hole;

pub use unanswered::Unanswered;
pub use unsteady::Unsteady;

use crate::{Bins, Eapol, Frame, Spread, Subtype, Way};
use airloom_wire::MacAddr;
use airloom_wire::ieee80211::Joining;
use asked::Asked;
use direct::Directs;
use held::Held;
use ppdu::Assembler;
use presence::{Indications, Waiting};
use quiet::Quiet;
use rates::Rates;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// The most radios that are told apart. Beyond them frames count for the air alone.
const MOST_RADIOS: usize = 1024;

/// Bins that the data of all radios has room for together, of 32 octets; where there are more, links with little data make do with
/// fewer.
const BINS: usize = 1 << 20;
/// How often that is looked at, in frames.
const LOOK_EVERY: u64 = 4096;
/// From 512 bins to 32.
const COARSER: u32 = 4;

/// A clock whose stamps are whole milliseconds may stamp several frames alike; in nanoseconds.
const COARSE: u64 = 1_000_000;
/// The most frames of one stamp that are compared: those of an A-MPDU and its answer.
const MOST_TOGETHER: usize = 260;

/// An answer comes a short interframe space after its frame; its record is stamped at its end. In nanoseconds, with room for slow
/// answers (an ACK at 1 Mbit/s takes 304 us) and stamps of a busy host.
const ANSWERED_WITHIN: u64 = 2_000_000;

/// The longest wait of a sender that has more to send, on an idle channel after a success: an AIFS and a least contention window of
/// 15 slots (802.11-2020 table 9-155 and clause 17.4.4: 43 + 135 us), and stamps in microseconds; in nanoseconds.
const BACKOFF: u64 = 200_000;

/// Data to groups, which no receiver acknowledges.
#[derive(Clone, Copy, Debug, Default)]
pub struct Group {
    /// MPDUs.
    pub mpdus: u64,
    /// Air time in nanoseconds.
    pub airtime_ns: u64,
    rates: Rates,
}

impl Group {
    /// The mean rate of its MPDUs in Mbit/s; none if no rate is known.
    pub fn mean_mbps(&self) -> Option<f64> {
        self.rates.mean_mbps()
    }

    fn sent(&mut self, ppdu: &Ppdu, airtime_ns: u64) {
        self.mpdus += u64::from(ppdu.mpdus);
        self.airtime_ns += airtime_ns;
        self.rates.sent(ppdu);
    }
}

/// All that a capture of the air tells.
#[derive(Debug, Default)]
pub struct Air {
    asked: Asked,
    assembler: Assembler,
    /// The PPDU with data whose answer may follow.
    unanswered: Option<Ppdu>,
    /// The transmitter of the last frame, and when that ended; none if it does not name one.
    before: Option<(MacAddr, u64)>,
    /// The transmitter of the last frame that was reported as sent after it was asked for, and when: others may be stamped between it and its answer.
    reported: Option<(MacAddr, u64)>,
    /// When the last PPDU of any kind ended.
    idle_ns: u64,
    /// Receiver and time of the last request to send or clear to send.
    request: Option<(MacAddr, u64)>,
    radios: Vec<RadioHeard>,
    places: BTreeMap<MacAddr, usize>,
    traffic: BTreeMap<(MacAddr, MacAddr), Traffic>,
    direct: Directs,
    /// The station of each address of the Internet Protocol, as far as that can be read.
    addresses: BTreeMap<IpAddr, MacAddr>,
    /// Frames of the last stamp: another that is equal is the same one, written twice.
    lately: (u64, Vec<Frame>),
    /// What the beacons of each access point last said.
    indications: BTreeMap<MacAddr, Indications>,
    /// For which of its stations each holds frames.
    held: BTreeMap<MacAddr, Held>,
    /// Air time of everything that was heard, over time, in nanoseconds.
    pub busy: Bins,
    /// Air time of control frames over time, and of management frames, in nanoseconds.
    pub control: Bins,
    /// See `control`.
    pub management: Bins,
    /// Some records of either.
    pub shown_without_data: Spread<u32>,
    /// Noise in dBm.
    pub noise: Bins,
    /// Frames that are in the capture twice; they count once.
    pub copies: u64,
    /// The channel, in MHz, of the first frame whose radio names one.
    pub channel_mhz: Option<u16>,
    /// Whether the radio names the A-MPDUs that frames came in; else each frame is taken for a PPDU of its own.
    pub names_ampdus: bool,
    /// Frames; those that came in damaged; those whose rate is not known.
    pub frames: u64,
    /// See `frames`.
    pub damaged: u64,
    /// See `frames`.
    pub rateless: u64,
    /// ACKs, and those of them before which the monitor has not heard the frame that they acknowledge.
    pub acks: u64,
    /// See `acks`.
    pub orphans: u64,
    /// Some answers to what the monitor has not heard.
    pub shown_orphans: Spread<u32>,
    /// Data frames between a station and its access point, those of them that are encrypted, and those that set up its keys (EAPOL).
    pub data: u64,
    /// See `data`.
    pub encrypted: u64,
    /// See `data`.
    pub keys: u64,
    /// Data to groups: broadcast and multicast.
    pub group: Group,
    /// The first and the last stamp, in nanoseconds since 1970.
    pub span_ns: Option<(u64, u64)>,
    quiet: Quiet,
    /// An ACK that nothing before it explains: the frame behind it may.
    early: Option<EarlyAck>,
}

/// An ACK: its receiver, its stamp and its air time in nanoseconds, and its record.
#[derive(Clone, Copy, Debug)]
struct EarlyAck {
    to: MacAddr,
    at_ns: u64,
    airtime_ns: u64,
    number: u32,
}

impl Air {
    /// Takes the next frame of a capture.
    pub fn see(&mut self, at_ns: u64, number: u32, frame: &Frame) {
        let (now, is_twice) = self.asked.take(at_ns, number, frame);
        self.copies += u64::from(is_twice);
        if is_twice {
            self.reported = frame.transmitter.map(|from| (from, at_ns));
        }
        for (at_ns, number, frame) in now.into_iter().flatten() {
            self.counts(at_ns, number, &frame);
        }
    }

    /// Takes a frame that counts, unless it is a copy.
    fn counts(&mut self, at_ns: u64, number: u32, frame: &Frame) {
        if self.is_copy(at_ns, frame) {
            self.copies += 1;
            return;
        }
        self.lasts(at_ns);
        self.quiet.heard(at_ns);
        self.frames += 1;
        self.channel_mhz = self.channel_mhz.or(frame.radio.channel_mhz);
        self.names_ampdus |= frame.radio.ampdu.is_some();
        if frame.radio.damaged {
            self.damaged += 1;
            return;
        }
        self.rateless += u64::from(frame.radio.speed.is_none());
        if let Some(noise) = frame.radio.noise_dbm {
            self.noise.note(at_ns, noise.into());
        }
        if let Some(ppdu) = self.assembler.take(at_ns, number, frame) {
            self.went(&ppdu);
        }
        self.radios_of(at_ns, number, frame);
        self.answers(at_ns, frame);
        let explains = self.explains_early(at_ns, frame);
        if frame.subtype == Subtype::Ack {
            self.ack(at_ns, number, frame);
        }
        self.before = frame.transmitter.filter(|_| !explains).map(|from| (from, at_ns));
        match frame.subtype {
            Subtype::Data if !frame.receiver.is_group() => self.data_frame(at_ns, number, frame),
            Subtype::Beacon => self.beacon(at_ns, frame),
            Subtype::BlockAck => self.block_ack(at_ns, number, frame),
            Subtype::Ack => self.answer(at_ns, frame, true),
            _ => {}
        }
        if self.frames.is_multiple_of(LOOK_EVERY) {
            self.coarsen();
        }
    }

    /// The capture lasts until a time, or has since.
    fn lasts(&mut self, at_ns: u64) {
        if self.span_ns.is_none() {
            (self.busy, self.control, self.management) =
                (Bins::from(at_ns), Bins::from(at_ns), Bins::from(at_ns));
        }
        let (first, last) = self.span_ns.unwrap_or((at_ns, at_ns));
        self.span_ns = Some((first.min(at_ns), last.max(at_ns)));
    }

    /// What shows whether an access point is there: answers to its stations, and what these repeat since there were none.
    fn answers(&mut self, at_ns: u64, frame: &Frame) {
        let is_let = |(asks, then): (MacAddr, u64)| {
            frame.transmitter == Some(asks) && at_ns.saturating_sub(then) < ANSWERED_WITHIN
        };
        let (by, answered) = match frame.subtype {
            // These do not name their transmitter; one to a station may be another station's, too.
            Subtype::Ack | Subtype::Cts => {
                (self.radio(frame.receiver).and_then(|station| station.bssid), true)
            }
            // It has got a clear to send, whether or not that was heard.
            Subtype::Data if self.request.is_some_and(is_let) => (Some(frame.receiver), true),
            Subtype::Rts | Subtype::BlockAckReq => (Some(frame.receiver), false),
            Subtype::Data | Subtype::Null if frame.retry => (Some(frame.receiver), false),
            _ => return,
        };
        let Some(ap) = by.and_then(|mac| self.radio_mut(mac)).filter(|radio| radio.is_ap) else { return };
        if answered {
            ap.outages.answered(at_ns);
        } else {
            ap.outages.asked(at_ns);
        }
    }

    /// An ACK: an orphan unless the frame before it, or one that was reported as sent, is the one that it acknowledges. The first record may answer what went before the capture began.
    fn ack(&mut self, at_ns: u64, number: u32, frame: &Frame) {
        let is_answered = |&(from, ended): &(MacAddr, u64)| {
            from == frame.receiver && at_ns.saturating_sub(ended) < ANSWERED_WITHIN
        };
        let before = self.before.filter(is_answered);
        let acknowledged = before.is_some() || self.reported.is_some_and(|one| is_answered(&one));
        if before.is_none() || before == self.reported {
            self.reported = None;
        }
        let counts = u64::from(self.frames > 1);
        self.acks += counts;
        if !acknowledged && counts > 0 {
            let airtime_ns = frame.airtime_ns();
            self.early = Some(EarlyAck { to: frame.receiver, at_ns, airtime_ns, number });
        }
        if let Some(sender) = self.radio_mut(frame.receiver) {
            sender.acks += counts;
            sender.gives_a_sign();
            if before.is_some() {
                sender.handshakes.acknowledged(at_ns);
            } else {
                sender.turned_away.asks(at_ns);
            }
        }
    }

    /// Whether a frame is what the ACK before it acknowledges, which was stamped too soon; else that answers what was not heard. A radio that sends does not receive:
    /// a frame that it sends later is stamped at least the air time of the ACK later where stamps are of beginnings, and its own where they are of ends.
    fn explains_early(&mut self, at_ns: u64, frame: &Frame) -> bool {
        let Some(early) = self.early.take() else { return false };
        let soonest = early.airtime_ns.min(frame.airtime_ns());
        let explains = frame.transmitter == Some(early.to)
            && !frame.receiver.is_group()
            && at_ns.saturating_sub(early.at_ns) < soonest;
        if !explains {
            self.orphan(early);
        }
        explains
    }

    /// An ACK of what was not heard.
    fn orphan(&mut self, ack: EarlyAck) {
        self.orphans += 1;
        self.shown_orphans.push(ack.number);
        if let Some(sender) = self.radio_mut(ack.to) {
            sender.orphans += 1;
        }
    }

    /// A data frame to one receiver.
    fn data_frame(&mut self, at_ns: u64, number: u32, frame: &Frame) {
        if frame.way != Way::Neither {
            self.data += 1;
            self.encrypted += u64::from(frame.protected);
            self.keys += u64::from(frame.eapol.is_some());
        } else if let Some(radio) = frame.transmitter.and_then(|mac| self.radio_mut(mac)) {
            radio.direct += 1;
        }
        if let (Some(from), Some(sequence)) = (frame.transmitter, frame.sequence) {
            let lately = self.radio_mut(from).map(|radio| radio.lately).unwrap_or_default();
            let traffic = self.between(from, frame.receiver);
            traffic.heard(at_ns, number, frame, sequence, &lately);
        }
    }

    /// A beacon: what waits for stations.
    fn beacon(&mut self, at_ns: u64, frame: &Frame) {
        if let (Some(bssid), Some(beacon)) = (frame.bssid, &frame.beacon) {
            self.quiet.beacon(at_ns, bssid, beacon);
        }
        if let (Some(bssid), Some(beacon)) = (frame.bssid, frame.beacon)
            && (self.indications.len() < MOST_RADIOS || self.indications.contains_key(&bssid))
        {
            self.indications.entry(bssid).or_default().said(at_ns, beacon, frame.radio.channel_mhz);
            self.held.entry(bssid).or_default().said(at_ns, beacon.waiting);
        }
    }

    /// Whether the capture has the frame already, with the same stamp: files that were merged may overlap.
    fn is_copy(&mut self, at_ns: u64, frame: &Frame) -> bool {
        let (last_ns, frames) = &mut self.lately;
        if *last_ns != at_ns {
            *last_ns = at_ns;
            frames.clear();
        }
        let known = !at_ns.is_multiple_of(COARSE) && frames.contains(frame);
        if !known && frames.len() < MOST_TOGETHER {
            frames.push(*frame);
        }
        known
    }

    /// Takes bins from the links with the least data if all together have too many, until they have three quarters of what they may.
    fn coarsen(&mut self) {
        let room = |traffic: &Traffic| traffic.over_time.room();
        let mut bins: usize = self.traffic.values().map(room).sum();
        if bins <= BINS {
            return;
        }
        let mut order: Vec<&mut Traffic> = self.traffic.values_mut().collect();
        order.sort_by_key(|traffic| traffic.octets);
        for _ in 0..COARSER {
            for traffic in &mut order {
                bins -= room(traffic);
                traffic.over_time.coarsen();
                bins += room(traffic);
                if bins <= BINS / 4 * 3 {
                    return;
                }
            }
        }
    }

    /// Takes in what is left at the end of a capture.
    pub fn finish(&mut self) {
        if let Some((at_ns, number, frame)) = self.asked.last() {
            self.counts(at_ns, number, &frame);
        }
        if let Some(ppdu) = self.assembler.last() {
            self.went(&ppdu);
        }
        self.radios.iter_mut().for_each(|radio| radio.handshakes.end(false));
        if let Some(early) = self.early.take() {
            self.orphan(early);
        }
    }

    /// Times in which nothing was heard of anybody, not the beacons that are heard else either, in nanoseconds since 1970.
    pub fn quiet(&self) -> Vec<(u64, u64)> {
        self.quiet.spells()
    }

    /// All radios, in the order in which they were first heard of.
    pub fn radios(&self) -> &[RadioHeard] {
        &self.radios
    }

    /// Data by transmitter and receiver.
    pub const fn traffic(&self) -> &BTreeMap<(MacAddr, MacAddr), Traffic> {
        &self.traffic
    }

    /// Data that no access point passes on, by transmitter and receiver.
    pub const fn direct(&self) -> &BTreeMap<(MacAddr, MacAddr), Direct> {
        self.direct.all()
    }

    /// The radio with this address.
    pub fn radio(&self, mac: MacAddr) -> Option<&RadioHeard> {
        self.places.get(&mac).map(|&place| &self.radios[place])
    }

    /// Whether an access point's network has the long slots of 20 us, as its last beacon said.
    pub fn has_long_slots(&self, bssid: MacAddr) -> bool {
        self.indications.get(&bssid).is_some_and(|said| said.long_slots)
    }

    /// The octets of the longest A-MPDU that a network's access point says it receives, as far as its beacons tell.
    pub fn ampdu_octets(&self, bssid: MacAddr) -> Option<u32> {
        self.indications.get(&bssid).and_then(|said| said.ampdu_octets)
    }

    /// The width of an access point's network in MHz, as its last beacon said; none without a beacon.
    pub fn width_mhz(&self, bssid: MacAddr) -> Option<u16> {
        self.indications.get(&bssid).map(|said| said.width_mhz).filter(|&mhz| mhz > 0)
    }

    /// The time between an access point's beacons in nanoseconds, as its last one said; none without a beacon.
    pub fn beacon_interval_ns(&self, bssid: MacAddr) -> Option<u64> {
        self.indications.get(&bssid).and_then(Indications::interval_ns)
    }

    /// The station with an address of the Internet Protocol, if frames of it could be read.
    pub fn station_of(&self, address: IpAddr) -> Option<MacAddr> {
        self.addresses.get(&address).copied()
    }

    fn radio_mut(&mut self, mac: MacAddr) -> Option<&mut RadioHeard> {
        if mac.is_group() {
            return None;
        }
        let place = match self.places.get(&mac) {
            Some(&place) => place,
            None if self.radios.len() == MOST_RADIOS => return None,
            None => {
                self.radios.push(RadioHeard::of(mac));
                self.places.insert(mac, self.radios.len() - 1);
                self.radios.len() - 1
            }
        };
        Some(&mut self.radios[place])
    }

    /// What a frame tells of its transmitter and its receiver.
    fn radios_of(&mut self, at_ns: u64, number: u32, frame: &Frame) {
        let indications = frame.bssid.and_then(|bssid| self.indications.get(&bssid).copied());
        let held = frame.bssid.and_then(|bssid| self.held.get(&bssid)).zip(frame.aid);
        let told = Waiting {
            all: indications.unwrap_or_default(),
            held: held.and_then(|(held, aid)| held.since(aid)),
        };
        let turns_away = self.turns_away(at_ns, frame);
        if let Some(sender) = frame.transmitter.and_then(|from| self.radio_mut(from)) {
            sender.security = frame.security.or(sender.security);
            sender.sent(at_ns, number, frame, (told, turns_away));
        }
        if frame.subtype == Subtype::Data
            && frame.way == Way::Down
            && let Some(receiver) = self.radio_mut(frame.receiver)
        {
            receiver.bssid = frame.bssid;
            receiver.turned_away.is_sent_data();
            receiver.presence.received(at_ns, number, frame.power.more_data);
        }
        if frame.subtype == Subtype::ProbeResponse
            && let Some(&place) = self.places.get(&frame.receiver)
            && frame.transmitter.is_some_and(|ap| self.radios[place].bssid == Some(ap))
        {
            self.radios[place].presence.answered(at_ns, frame.channel);
        }
        if let Some((address, station)) = frame.address()
            && (self.addresses.len() < MOST_RADIOS || self.addresses.contains_key(&address))
        {
            self.addresses.insert(address, station);
        }
        self.roams(at_ns, number, frame, turns_away);
    }

    /// Whether an access point answers a frame of a station that it does not know.
    fn turns_away(&mut self, at_ns: u64, frame: &Frame) -> bool {
        let (Subtype::Leave, Some(by), Some(number)) = (frame.subtype, frame.transmitter, frame.sequence)
        else {
            return false;
        };
        let is_again = |ap: &RadioHeard| ap.leaves.is_again(at_ns, frame.receiver, number);
        if frame.bssid != Some(by) || self.radio(by).is_some_and(is_again) {
            return false;
        }
        let station = self.radio_mut(frame.receiver);
        station.is_some_and(|station| {
            station.turned_away.told(at_ns, by, frame.reason(), (frame.receiver, number))
        })
    }

    /// What a frame tells of its station's association. A frame by which an access point turns a station away (`turns_away`) ends none.
    fn roams(&mut self, at_ns: u64, number: u32, frame: &Frame, turns_away: bool) {
        let Some(bssid) = frame.bssid else { return };
        if let (Subtype::Data, Some(source)) = (frame.subtype, frame.source)
            && let Some(&place) = self.places.get(&source)
        {
            self.radios[place].roaming.sent_on(at_ns, number, bssid);
        }
        let by_station = frame.transmitter != Some(bssid);
        let reason = frame.reason();
        let offered = self.radio(bssid).and_then(|ap| ap.security);
        let Some(station) = frame.station().and_then(|mac| self.radio_mut(mac)) else { return };
        if let (Subtype::Association { .. }, Some(Joining::Answer(status @ 1..))) =
            (frame.subtype, frame.joining)
        {
            let security = station.security.zip(offered);
            station.refusals.refused(at_ns, (bssid, status, security), frame);
            return station.roaming.refused(status, security);
        }
        station.refusals.told(at_ns, frame);
        match frame.subtype {
            Subtype::Data if frame.way != Way::Neither && frame.eapol.is_some() => {
                station.roaming.keyed(at_ns);
                if let Some(Eapol::Keys(Some(message))) = frame.eapol {
                    station.handshakes.message(at_ns, bssid, message);
                }
            }
            Subtype::Data if frame.way != Way::Neither && frame.eapol.is_none() => {
                station.roaming.data(at_ns, number, bssid);
                if by_station {
                    station.roaming.tries(at_ns);
                } else {
                    station.roaming.taken(false);
                }
                station.handshakes.data();
            }
            Subtype::Leave => {
                let ended = Ended { by_station, reason };
                if let Some(count) = frame.sequence.filter(|_| !frame.retry) {
                    station.roaming.counted(at_ns, ended, count);
                }
                station.roaming.left(at_ns, number, bssid, ended);
                station.roaming.reasons.extend(reason.filter(|_| !turns_away));
                station.is_alone(ended);
            }
            Subtype::Authentication | Subtype::Association { .. } => {
                station.roaming.told(at_ns, frame);
                if by_station {
                    station.presence.left();
                } else if let Subtype::Association { response: true, .. } = frame.subtype {
                    station.joins_anew(at_ns, bssid);
                }
                if !frame.retry {
                    station.handshakes.end(true);
                }
                if let Subtype::Association { response: true, .. } = frame.subtype {
                    station.roaming.home = Some(bssid);
                }
            }
            _ => {}
        }
    }

    /// A PPDU is complete.
    fn went(&mut self, ppdu: &Ppdu) {
        let airtime_ns = ppdu.airtime_ns();
        self.busy.note(ppdu.end_ns, airtime_ns as f64);
        let start_ns = ppdu.end_ns.saturating_sub(airtime_ns);
        let idle_ns = start_ns.saturating_sub(self.idle_ns);
        self.idle_ns = ppdu.end_ns;
        let subtype = ppdu.first.subtype;
        // An ACK or a CTS does not name its transmitter: it counts for the radio that asked for it.
        let pays = ppdu.transmitter().unwrap_or(ppdu.first.receiver);
        let controls = matches!(
            subtype,
            Subtype::Rts
                | Subtype::Cts
                | Subtype::Ack
                | Subtype::BlockAck
                | Subtype::BlockAckReq
                | Subtype::PsPoll
        );
        let carries = matches!(subtype, Subtype::Data | Subtype::Null);
        if !carries {
            self.shown_without_data.push(ppdu.number);
        }
        if controls {
            self.control.note(ppdu.end_ns, airtime_ns as f64);
        } else if !carries {
            self.management.note(ppdu.end_ns, airtime_ns as f64);
        }
        self.requests(ppdu, airtime_ns);
        if let Some(sender) = self.radio_mut(pays) {
            if carries {
                sender.airtime_ns += airtime_ns;
            } else if controls {
                sender.control_ns += airtime_ns;
            } else {
                sender.management_ns += airtime_ns;
            }
        }
        if matches!(subtype, Subtype::Rts | Subtype::Cts) {
            let asks = if subtype == Subtype::Rts { pays } else { ppdu.first.receiver };
            self.request = Some((asks, ppdu.end_ns));
        }
        if ppdu.first.subtype == Subtype::Data && ppdu.first.receiver.is_group() {
            self.group.sent(ppdu, airtime_ns);
        }
        self.direct.sent(ppdu, airtime_ns);
        if ppdu.is_data() {
            self.carried(ppdu, start_ns, idle_ns);
        }
    }

    /// A PPDU of data is complete, which began behind so much silence.
    fn carried(&mut self, ppdu: &Ppdu, start_ns: u64, idle_ns: u64) {
        let Some(from) = ppdu.transmitter() else { return };
        let pressed = idle_ns < BACKOFF;
        let requested = self
            .request
            .take()
            .is_some_and(|(asks, at)| asks == from && start_ns.saturating_sub(at) < ANSWERED_WITHIN);
        let to = ppdu.first.receiver;
        let back = self.traffic.get_mut(&(to, from));
        let (heard_ns, trip_ns) =
            back.map_or((0, None), |back| (back.last_ns, back.clocks.echoed(start_ns, &ppdu.first)));
        let link = self.between(from, to);
        link.sent(ppdu, requested, pressed, heard_ns);
        if let Some(trip_ns) = trip_ns {
            link.let_go.came(trip_ns, idle_ns, pressed);
        }
        self.unanswered = Some(*ppdu);
    }

    /// A request for a BlockAck or data, if a PPDU is either.
    fn requests(&mut self, ppdu: &Ppdu, airtime_ns: u64) {
        if ppdu.first.subtype == Subtype::BlockAckReq
            && let Some(receiver) = self.radio_mut(ppdu.first.receiver)
        {
            receiver.requests.sent(ppdu.end_ns, airtime_ns, None);
        }
        if ppdu.is_data()
            && let Some(receiver) = self.radio_mut(ppdu.first.receiver)
        {
            receiver.tries.sent(ppdu.end_ns, airtime_ns, ppdu.first.sequence);
        }
    }

    /// A BlockAck: the answer to a PPDU, or to a request.
    fn block_ack(&mut self, at_ns: u64, number: u32, frame: &Frame) {
        let (Some(told), Some(from)) = (frame.block_ack, frame.transmitter) else { return };
        if self.between(frame.receiver, from).block_ack(at_ns, number, told) > 0 {
            self.shown_orphans.push(number);
        }
        if let Some(sender) = self.radio_mut(frame.receiver) {
            sender.gives_a_sign();
        }
        self.answer(at_ns, frame, false);
    }

    /// The answer to the last PPDU with data, if it is one.
    fn answer(&mut self, at_ns: u64, frame: &Frame, by_ack: bool) {
        let Some(ppdu) = self.unanswered.take() else { return };
        let to = frame.receiver;
        if ppdu.transmitter() != Some(to) || at_ns.saturating_sub(ppdu.end_ns) > ANSWERED_WITHIN {
            return;
        }
        if let Some(sender) = self.radio_mut(to) {
            sender.roaming.taken(true);
        }
        // An ACK does not name its sender, which the frame before it does.
        if let (None, Some(signal)) = (frame.transmitter, frame.radio.signal_dbm)
            && let Some(sender) = self.radio_mut(ppdu.first.receiver)
        {
            sender.heard_with(at_ns, signal);
        }
        if let Some(receiver) = self.radio_mut(ppdu.first.receiver) {
            receiver.tries.heard();
        }
        self.between(to, ppdu.first.receiver).answered(by_ack);
    }

    fn between(&mut self, from: MacAddr, to: MacAddr) -> &mut Traffic {
        let known = self.traffic.len() < MOST_RADIOS || self.traffic.contains_key(&(from, to));
        // What is beyond counts together, under an address that no radio has.
        let key = if known { (from, to) } else { (MacAddr::BROADCAST, MacAddr::BROADCAST) };
        let begin_ns = self.span_ns.map_or(0, |span| span.0);
        self.traffic.entry(key).or_insert_with(|| Traffic::from(begin_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::frame_of;

    const STATION: MacAddr = MacAddr([2, 0, 0, 0, 0, 1]);
    const AP: MacAddr = MacAddr([2, 0, 0, 0, 0, 8]);

    /// Frames at 1 Mbit/s: a deauthentication of the station, and an ACK to it.
    fn frames() -> [Frame; 2] {
        let leave = [&[0xc0, 0, 0, 0], &AP.0[..], &STATION.0, &AP.0, &[0, 0, 3, 0]].concat();
        let ack = [&[0xd4, 0, 0, 0], &STATION.0[..]].concat();
        [leave, ack].map(|octets| {
            let frame = frame_of(&octets);
            Frame { radio: crate::Radio { speed: crate::Speed::legacy(2), ..frame.radio }, ..frame }
        })
    }

    /// ACKs, and those of what was not heard, where frames come at these microseconds, an ACK where so said.
    fn orphans(at: &[(u64, bool)]) -> (u64, u64) {
        let [leave, ack] = frames();
        let mut air = Air::default();
        air.see(0, 0, &frame_of(&[0xd4, 0, 0, 0, 2, 0, 0, 0, 0, 9]));
        for (number, &(us, is_ack)) in (1..).zip(at) {
            air.see(1_000_000_000 + us * 1000, number, if is_ack { &ack } else { &leave });
        }
        air.finish();
        (air.acks, air.orphans)
    }

    /// `ping_I_E_R_E-fromclient.pcapng` of fragattacks: record 102 is an ACK, 103 what it acknowledges, 45 us later.
    #[test]
    fn an_ack_that_is_stamped_before_its_frame_by_less_than_either_takes_acknowledges_it() {
        assert_eq!(orphans(&[(0, true), (45, false)]), (1, 0));
        assert_eq!(
            orphans(&[(0, true), (360, false)]),
            (1, 1),
            "the next frame of a sender that had its answer"
        );
        assert_eq!(orphans(&[(0, true), (45, false), (400, true)]), (2, 1), "each answers one");
        assert_eq!(orphans(&[(0, false), (400, true)]), (1, 0));
        assert_eq!(orphans(&[(0, true)]), (1, 1));
    }

    /// `contains_wps_network.cap` of wifite2: null frames with PM=1 and PM=0, then nothing for 7 s until the station is let in anew.
    #[test]
    fn a_station_that_joins_anew_did_not_doze_until_then() {
        let of = |kind: u8, flags: u8, up: bool, body: &[u8]| {
            let (to, from) = if up { (AP, STATION) } else { (STATION, AP) };
            frame_of(&[&[kind, flags, 0, 0], &to.0[..], &from.0, &AP.0, &[0x10, 0], body].concat())
        };
        let sleeps = of(0x48, 0x11, true, &[]);
        let said = [
            (2_814, of(0x48, 0x01, true, &[])),
            (2_859, sleeps),
            (3_150, of(0x48, 0x01, true, &[])),
            (4_336, sleeps),
            (4_426, Frame { sequence: Some(2), ..sleeps }),
        ];
        let joins =
            [(11_203, of(0x00, 0, true, &[0; 4])), (11_208, of(0x10, 0, false, &[0, 0, 0, 0, 1, 0xc0]))];
        let wakes = [(11_245, of(0x48, 0x01, true, &[]))];
        let heard = |frames: &[(u64, Frame)]| {
            let mut air = Air::default();
            (1..).zip(frames).for_each(|(number, (ms, frame))| air.see(ms * 1_000_000, number, frame));
            air.finish();
            let station = air.radios().iter().find(|radio| radio.mac == STATION).unwrap();
            let dozes = station.presence.dozes().kept();
            (dozes.len(), dozes.last().map(|doze| doze.gone_ns() / 1_000_000), station.anew)
        };
        assert_eq!(
            heard(&[said.as_slice(), &wakes].concat()),
            (2, Some(4_426), None),
            "it was there until then"
        );
        let anew = Some((4_426_000_000, 11_208_000_000));
        assert_eq!(heard(&[said.as_slice(), &joins, &wakes].concat()), (1, Some(2_859), anew));
    }
}
