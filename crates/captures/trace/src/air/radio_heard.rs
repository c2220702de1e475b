//! What a capture of the air tells of one radio.

use super::handshakes::Handshakes;
use super::leaves::Leaves;
use super::outages::Outages;
use super::presence::{Presence, Waiting};
use super::refusals::Refusals;
use super::roaming::{Ended, Roaming};
use super::switches::Switches;
use super::turned_away::TurnedAway;
use super::unanswered::{Unanswered, Unheard};
use super::unsteady::Unsteady;
use crate::numbers::{Lately, Numbers};
use crate::{Bins, Frame, Ssid, Subtype, Way};
use airloom_wire::MacAddr;
use airloom_wire::ieee80211::Security;

/// By this reason an access point ends an association whose handshake of keys timed out (802.11-2020 table 9-49).
const TIMED_OUT: u16 = 15;

/// A station that joins its network again so much later has been without it, in nanoseconds.
const ANEW: u64 = 1_000_000_000;

/// A radio that was heard, or that frames were sent to.
#[derive(Clone, Debug, Default)]
pub struct RadioHeard {
    /// Its address.
    pub mac: MacAddr,
    /// Whether it is an access point: it sends beacons, or to stations.
    pub is_ap: bool,
    /// The access point that it last exchanged data with, of a station.
    pub bssid: Option<MacAddr>,
    /// The name of its network as its beacons last said it, of an access point.
    pub ssid: Option<Ssid>,
    /// Frames of it that were heard, and when the last was, in nanoseconds since 1970.
    pub frames: u64,
    /// See `frames`.
    pub last_ns: u64,
    /// Those of them with the retry bit.
    pub retries: u64,
    /// Data of it without an access point, from station to station.
    pub direct: u64,
    /// Air time of its PPDUs in nanoseconds.
    pub airtime_ns: u64,
    /// Air time of its beacons and other management frames.
    pub management_ns: u64,
    /// Air time of its RTS, CTS, ACK and BlockAck frames.
    pub control_ns: u64,
    /// Signal in dBm over time.
    pub signal: Bins,
    /// How much that varies.
    pub unsteady: Unsteady,
    /// ACKs to it, and those of them before which the monitor has not heard the frame of it that they acknowledge.
    pub acks: u64,
    /// See `acks`.
    pub orphans: u64,
    /// Numbers right before its data without QoS of which no frame was heard, though frames with lower and with higher ones were.
    pub left_out: u64,
    /// The numbers of all that is not QoS data.
    numbers: Option<Box<CommonCount>>,
    /// The QoS data that was heard of it lately, to whomever.
    pub(super) lately: Lately,
    /// Deauthentications and disassociations that name it as their transmitter.
    pub leaves: Leaves,
    /// When it was silent after it had dismissed all its stations, or while it answered none of them.
    pub outages: Outages,
    /// What it announced of going to another channel.
    pub switches: Switches,
    /// What told it, as a station, that its access point does not know it.
    pub turned_away: TurnedAway,
    /// BlockAckReqs to it.
    pub(super) requests: Unheard,
    /// PPDUs with data to it.
    pub(super) tries: Unheard,
    /// When it was away.
    pub presence: Presence,
    /// From when it was last heard within a network to when it joined that anew, a second later at least, without a word that it had left; the first time, in
    /// nanoseconds since 1970.
    pub anew: Option<(u64, u64)>,
    /// The access point to which it last sent what only an associated station sends, and when.
    pub(super) within: Option<(MacAddr, u64)>,
    /// When it changed its access point, or associated anew.
    pub roaming: Roaming,
    /// Its requests to associate that were refused, as long as none was granted.
    pub refusals: Refusals,
    /// The security that it last offered, as an access point, or asked for.
    pub(super) security: Option<Security>,
    /// Its handshakes of keys.
    pub handshakes: Handshakes,
}

impl RadioHeard {
    /// The one with this address, of which nothing was heard yet.
    pub(super) fn of(mac: MacAddr) -> Self {
        Self { mac, ..Self::default() }
    }

    /// The most requests for a BlockAck in a row between which there was no sign of it; none if it was asked for none.
    pub fn unanswered(&self) -> Option<Unanswered> {
        self.requests.most()
    }

    /// The most PPDUs with data for it in a row between which there was no sign of it; none without any.
    pub fn void(&self) -> Option<Unanswered> {
        self.tries.most()
    }

    /// Whether all that was heard of the count of what is not QoS data was data to one radio: else what it left out may have been for others, or no data
    /// (802.11-2020 clause 10.3.2.14.2).
    pub fn counts_for(&self, to: MacAddr) -> bool {
        self.numbers.as_ref().is_some_and(|count| count.all_to == Some(to))
    }

    /// An access point lets it in.
    pub(super) fn joins_anew(&mut self, at_ns: u64, bssid: MacAddr) {
        let last_ns = self.within.filter(|&(ap, _)| ap == bssid).map(|(_, last_ns)| last_ns);
        if let Some(last_ns) = last_ns.filter(|last_ns| at_ns.saturating_sub(*last_ns) >= ANEW) {
            self.anew.get_or_insert((last_ns, at_ns));
        }
    }

    /// Its association has ended.
    pub(super) fn is_alone(&mut self, ended: Ended) {
        self.presence.left();
        self.within = None;
        if ended.reason == Some(TIMED_OUT) && !ended.by_station {
            self.handshakes.times_out();
        } else {
            self.handshakes.end(true);
        }
    }

    /// A frame of it is heard with such a signal.
    pub(super) fn heard_with(&mut self, at_ns: u64, dbm: i8) {
        self.signal.note(at_ns, dbm.into());
        self.unsteady.note(at_ns, dbm.into());
    }

    /// A sign of it: a frame that it sent, or an acknowledgment to it.
    pub(super) fn gives_a_sign(&mut self) {
        self.requests.heard();
        self.tries.heard();
    }

    /// Takes a frame that it sent, with what the beacons of its access point last said, and whether it only turns a station away.
    pub(super) fn sent(
        &mut self,
        at_ns: u64,
        number: u32,
        frame: &Frame,
        (waiting, turns_away): (Waiting, bool),
    ) {
        self.outages.sent(at_ns, frame);
        self.switches.sent(at_ns, number, frame);
        self.frames += 1;
        self.last_ns = self.last_ns.max(at_ns);
        self.retries += u64::from(frame.retry);
        self.numbered(at_ns, frame);
        self.presence.numbered(frame);
        self.is_ap |= frame.subtype == Subtype::Beacon || frame.way == Way::Down;
        if let Some(beacon) = frame.beacon {
            self.ssid = beacon.ssid;
        }
        // A station may tell an access point that it has left that it sleeps: that is no data.
        if frame.way == Way::Up && (frame.subtype == Subtype::Data || self.bssid.is_none()) {
            self.bssid = frame.bssid;
        }
        self.gives_a_sign();
        if let Some(signal) = frame.radio.signal_dbm {
            self.heard_with(at_ns, signal);
        }
        match (frame.subtype, frame.sequence) {
            (Subtype::Leave, Some(sequence)) if !turns_away => {
                self.leaves.take(at_ns, frame.receiver, sequence, frame.radio.signal_dbm);
            }
            (Subtype::Leave, _) => {}
            _ => {
                self.leaves.beside(at_ns, frame);
                self.roaming.numbered(frame);
            }
        }
        if frame.shows_presence() {
            self.roaming.present(at_ns, number);
        }
        if frame.subtype == Subtype::BlockAck {
            self.roaming.acknowledges(at_ns, number, frame.receiver);
        }
        let needs_association = frame.way == Way::Up || frame.subtype == Subtype::PsPoll;
        if needs_association {
            self.within = Some((frame.receiver, at_ns));
        }
        if needs_association && !frame.retry {
            self.turned_away.asks(at_ns);
        }
        match frame.subtype {
            Subtype::PsPoll => self.presence.polled(at_ns, number, waiting),
            Subtype::ProbeRequest => self.presence.probes(at_ns, frame),
            _ => self.presence.sent(at_ns, number, frame, waiting.all),
        }
    }

    /// Takes the number of a frame that it sent. All frames but QoS data share one count, so that what lies between data may have been anything where
    /// others were sent on another channel: only what lies right before data counts.
    fn numbered(&mut self, at_ns: u64, frame: &Frame) {
        if let (Some(_), Some(number)) = (frame.tid, frame.sequence) {
            self.lately.heard(at_ns, number);
        }
        let (None, Some(number)) = (frame.tid, frame.sequence) else { return };
        let data_to = (frame.subtype == Subtype::Data).then_some(frame.receiver);
        let count = self.numbers.get_or_insert_with(|| {
            Box::new(CommonCount { numbers: Numbers::from(at_ns, number), all_to: data_to })
        });
        count.all_to = count.all_to.filter(|&all_to| data_to == Some(all_to));
        let numbers = &mut count.numbers;
        let before = numbers.left_out;
        numbers.take(at_ns, number, frame.retry);
        if frame.subtype == Subtype::Data {
            self.left_out = (self.left_out + numbers.left_out).saturating_sub(before);
        }
    }
}

/// The one count of a radio's management frames, of its data to groups and of its data without QoS (802.11-2020 clause 10.3.2.14.2).
#[derive(Clone, Debug)]
struct CommonCount {
    numbers: Numbers,
    /// The receiver of all its frames that were heard, as long as these were data to one.
    all_to: Option<MacAddr>,
}
