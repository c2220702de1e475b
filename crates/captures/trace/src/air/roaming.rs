//! When a station changed its access point, or associated with the same one anew.

use super::pauses::Pauses;
use super::refusals::{Refused, Securities};
use crate::signs::Signs;
use crate::{Capped, Frame, Joining, Subtype};
use airloom_wire::MacAddr;
use std::collections::BTreeSet;

/// A change of the access point, or a new association with the same one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roam {
    /// The access point before, and the one after.
    pub bssids: (MacAddr, MacAddr),
    /// The last data with the one before, or the station's last BlockAck to it, and the first data with the one after, in nanoseconds since 1970. Where an access point sent on to a station
    /// that was no longer there, the last sign of it; where no data was heard before, the frame that ended the association.
    pub from_ns: u64,
    /// See `from_ns`.
    pub to_ns: u64,
    /// The records of these two.
    pub numbers: (u32, u32),
    /// When the first frame of authentication or association was heard in between; none if none was.
    pub asked_ns: Option<u64>,
    /// When the last of them was: the answer to the association.
    pub associated_ns: Option<u64>,
    /// When the exchange was over: with the last frame of the handshake of keys, or else with the answer.
    pub open_ns: Option<u64>,
    /// The last sign of the station before it asked: a frame that names it as its sender.
    pub present_ns: Option<u64>,
    /// Its requests to associate that were refused.
    pub refused: Option<Refused>,
    /// Whether the station's sequence numbers began again as it asked: its adapter was started anew, unless they always do.
    pub counts_anew: bool,
    /// Deauthentications and disassociations in between.
    pub left: u32,
    /// What the first of them says.
    pub ended: Option<Ended>,
    /// Whether the station had no association any more: the access point sent on to a station that was no longer heard, or it asked for an association,
    /// not for a reassociation (802.11-2020 clause 11.3.5.4).
    pub is_gone: bool,
    /// Whether no data was heard before the frame that ended the association.
    pub is_dataless: bool,
    /// Whether its data paused for as long time and again before: nothing shows that any waited.
    pub is_usual: bool,
    /// Whether it was a fast transition (802.11-2020 clause 13; 802.11r).
    pub is_fast: bool,
    /// The access point from which it says that it comes (802.11-2020 clause 9.4.1.7), if that is neither of the two: it was there meanwhile, unheard.
    pub came_from: Option<MacAddr>,
    /// When the station sent the first of its last data that nothing acknowledged, in nanoseconds since 1970: from then on the way was shut. None if its last data was.
    pub shut_ns: Option<u64>,
}

/// A time in which a station had data with one access point, and no association in between, as the monitor of one channel heard it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stay {
    /// How it came there; for the first one only where it came to is known, and what was heard before its first data.
    pub by: Roam,
    /// The last data of it, or the last sign of a station to which an access point sent on, in nanoseconds since 1970, and its record.
    pub to_ns: u64,
    /// See `to_ns`.
    pub number: u32,
}

/// What ended an association: a deauthentication or a disassociation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Whether the station sent it; otherwise its access point did, if nobody forged it.
    pub by_station: bool,
    /// Its reason (802.11-2020 table 9-49); none if it is encrypted or cut.
    pub reason: Option<u16>,
}

/// When the way is open, data that waits for a timer of its sender comes within this time, in nanoseconds, or within as long as it was shut: the timer begins
/// with a second and doubles (RFC 6298 sections 2.1 and 5.5).
const TIMER: u64 = 1_000_000_000;

impl Roam {
    /// When data could go again: with the first of it, or, where that came later than any that waited, once the exchange was over.
    pub fn resumed_ns(&self) -> u64 {
        let open_ns = self.open_ns.filter(|&open| self.from_ns <= open);
        resumed_ns(self.shut_ns.map_or(self.from_ns, |shut| shut.min(self.from_ns)), open_ns, self.to_ns)
    }
}

/// So many frames of a station in a row that nothing acknowledged are no acknowledgments that a monitor missed, if it had heard as many as [`ACKS`].
const UNTAKEN: u32 = 3;
/// See `UNTAKEN`.
const ACKS: u32 = 20;

/// When data could go again after the last at a time, with the exchange over at another and the first data at the last.
pub(crate) fn resumed_ns(from_ns: u64, open_ns: Option<u64>, to_ns: u64) -> u64 {
    let open_ns = open_ns.filter(|&open| from_ns <= open && open <= to_ns);
    let is_idle = |&open: &u64| to_ns - open > TIMER.max(open - from_ns);
    open_ns.filter(is_idle).unwrap_or(to_ns)
}

/// Deauthentications in the names of both ends follow each other within this time, in nanoseconds, where one radio sends them.
const NEXT: u64 = 100_000_000;

/// Frames of two radios that end within this time, in nanoseconds, lay over each other: none that ends an association is shorter, even at 54 Mbit/s
/// (802.11-2020 clause 17.4.3: 20 us and two symbols, for 26 octets and their FCS).
const SHORTEST: u64 = 28_000;

/// So many pairs of deauthentications with one count for both ends are no chance.
const PAIRS: u32 = 2;

/// A count begins with 0 or 1. Where no more numbers than this lie between two frames of a radio, it went on.
const FIRST: u16 = 1;
const MOST_BETWEEN: u16 = 512;

/// A station that has no association is told so by these reasons (802.11-2020 table 9-49): such a frame ends none.
const NONE_TO_END: [u16; 3] = [6, 7, 9];

/// The algorithm of authentication of a fast transition (802.11-2020 clause 9.4.1.1).
const FAST: u16 = 2;

/// The changes of one station.
#[derive(Clone, Debug, Default)]
pub struct Roaming {
    roams: Capped<Roam, 256>,
    /// Its first data, as a roam from nowhere else.
    arrived: Option<Roam>,
    /// The last data or BlockAck of the station, or without any the frame that ended the association: time, record and access point.
    last: Option<(u64, u32, MacAddr)>,
    has_data: bool,
    /// That the station was there: time and record.
    signs: Signs<(u64, u32)>,
    asked_ns: Option<u64>,
    associated_ns: Option<u64>,
    keys_ns: Option<u64>,
    refused: Option<Refused>,
    counts_anew: bool,
    /// The last number of the station's frames but QoS data, which share one count.
    count: Option<u16>,
    /// Whether that count ever went on as the station asked to be let in.
    pub counts_on: bool,
    left: u32,
    asked_for_a_first: bool,
    /// Whether authentication was heard since the last data, and whether of a fast transition.
    is_authenticated: bool,
    is_fast: bool,
    /// The access point that its last request to reassociate names as its own.
    own: Option<MacAddr>,
    /// Answers since the last data to requests of the station to reassociate where its data goes, without authentication before them.
    again: u64,
    pauses: Pauses,
    ended: Option<Ended>,
    /// Times in which it was deauthenticated or disassociated: frames without data or an association in between count once.
    pub leaves: u64,
    /// Answers that let it in, each once though it was sent again.
    pub joins: u64,
    /// Answers that let it in once more where its data goes, without authentication before: its request was said again.
    pub rejoins: u64,
    /// The number of the last of either.
    last_join: Option<u16>,
    /// Where it was last heard to be: by data, or an association.
    pub(super) home: Option<MacAddr>,
    /// The reasons of what ended its associations.
    pub reasons: BTreeSet<u16>,
    /// Pairs of deauthentications or disassociations, one in the name of each end, whose numbers are one count: a third radio's. Each end has
    /// a count of its own (802.11-2020 clause 10.3.2.14.2).
    pairs: u32,
    /// Whether two with one number ended at one time: neither was received, the machine that captured them sent them.
    has_twins: bool,
    /// The last such frame: when, whether in the station's name, and its number.
    last_leave: Option<(u64, bool, u16)>,
    /// Whether it left or joined since its last data, whichever came last.
    latest: Option<Change>,
    tries: Tries,
}

/// The data of a station that nothing acknowledged.
#[derive(Clone, Copy, Debug, Default)]
struct Tries {
    acks: u32,
    /// Since the last acknowledgment: how many, and when the first was sent.
    untaken: u32,
    since_ns: u64,
}

impl Tries {
    /// Since when nothing was acknowledged, if that is no chance.
    fn shut_ns(self) -> Option<u64> {
        (self.untaken >= UNTAKEN && self.acks >= ACKS).then_some(self.since_ns)
    }
}

/// What a management frame says of a station's association.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Left,
    Joined,
}

impl Roaming {
    /// All changes that were heard.
    pub const fn roams(&self) -> &Capped<Roam, 256> {
        &self.roams
    }

    /// Its times with an access point, in their order; none if there were more changes than are kept.
    pub fn stays(&self) -> Vec<Stay> {
        let roams = self.roams.kept();
        if self.roams.total() > roams.len() as u64 {
            return Vec::new();
        }
        let last = self.last.map(|(at_ns, number, _)| self.signs.gone().unwrap_or((at_ns, number)));
        let ends = roams.iter().map(|roam| (roam.from_ns, roam.numbers.0)).chain(last);
        let stays = self.arrived.iter().chain(roams).zip(ends);
        let stays = stays.map(|(&by, (to_ns, number))| Stay { by, to_ns, number });
        stays.filter(|stay| stay.by.to_ns <= stay.to_ns).collect()
    }

    /// Whether a time without data here is as long as others before it, or may be: then nothing shows that data waited in it.
    pub fn may_be_usual(&self, from_ns: u64, to_ns: u64) -> bool {
        self.pauses.may_be_as_long(from_ns, to_ns)
    }

    /// Takes data between the station and an access point.
    pub(super) fn data(&mut self, at_ns: u64, number: u32, bssid: MacAddr) {
        let roam = self.roam_to(at_ns, number, bssid);
        self.arrived.get_or_insert(roam);
        if let Some((last_ns, last, old)) = self.last {
            let is_usual = self.pauses.are_as_long(last_ns, at_ns);
            let is_said_again = self.is_said_again() && is_usual;
            if !is_said_again && (old != bssid || self.associated_ns.is_some()) {
                self.joins += self.again;
                let gone = self.signs.gone();
                let (from_ns, before) = gone.unwrap_or((last_ns, last));
                self.roams.push(Roam {
                    bssids: (old, bssid),
                    from_ns,
                    numbers: (before, number),
                    is_gone: gone.is_some() || self.asked_for_a_first,
                    came_from: self.own.filter(|&own| own != old && own != bssid),
                    is_usual: is_usual && gone.is_none(),
                    shut_ns: self.tries.shut_ns(),
                    ..roam
                });
                self.tries.untaken = 0;
            } else {
                self.rejoins += if is_said_again { self.again } else { 0 };
                self.pauses.take(last_ns, at_ns);
            }
        }
        self.signs.tried();
        *self = Self {
            roams: std::mem::take(&mut self.roams),
            arrived: self.arrived,
            last: Some((at_ns, number, bssid)),
            has_data: true,
            signs: self.signs,
            count: self.count,
            counts_on: self.counts_on,
            leaves: self.leaves,
            joins: self.joins,
            rejoins: self.rejoins,
            last_join: self.last_join,
            home: Some(bssid),
            reasons: std::mem::take(&mut self.reasons),
            pairs: self.pairs,
            has_twins: self.has_twins,
            last_leave: self.last_leave,
            pauses: std::mem::take(&mut self.pauses),
            tries: self.tries,
            ..Self::default()
        };
    }

    /// The station has sent data to its access point.
    pub(super) const fn tries(&mut self, at_ns: u64) {
        if self.tries.untaken == 0 {
            self.tries.since_ns = at_ns;
        }
        self.tries.untaken = self.tries.untaken.saturating_add(1);
    }

    /// Its access point has acknowledged that, or sent it something itself: once it asks for another association, that is no answer to what it sent before.
    pub(super) const fn taken(&mut self, is_acknowledged: bool) {
        if self.asked_ns.is_none() && self.associated_ns.is_none() {
            self.tries.acks = self.tries.acks.saturating_add(is_acknowledged as u32);
            self.tries.untaken = 0;
        }
    }

    /// A roam from nowhere else to where data goes, with what was heard of it.
    fn roam_to(&self, at_ns: u64, number: u32, bssid: MacAddr) -> Roam {
        Roam {
            bssids: (bssid, bssid),
            from_ns: at_ns,
            to_ns: at_ns,
            numbers: (number, number),
            asked_ns: self.asked_ns,
            associated_ns: self.associated_ns,
            open_ns: self.keys_ns.max(self.associated_ns),
            present_ns: self.signs.last().map(|(at_ns, _)| at_ns),
            refused: self.refused,
            counts_anew: self.counts_anew,
            left: self.left,
            ended: self.ended,
            is_gone: false,
            is_dataless: !self.has_data,
            is_usual: false,
            is_fast: self.is_fast,
            came_from: None,
            shut_ns: None,
        }
    }

    /// Whether all that was heard since the last data are requests to reassociate with the same access point, and answers: without authentication, the end
    /// of an association, or keys. A request that is sent once more by a third radio is such a one, and a station that asks for other settings
    /// (802.11-2020 clause 11.3.5.4): either has its association all the time.
    fn is_said_again(&self) -> bool {
        self.again > 0 && self.left == 0 && self.keys_ns.is_none() && self.signs.gone().is_none()
    }

    /// Takes a BlockAck of the station to its access point, which shows that it got data, or still listens.
    pub(super) fn acknowledges(&mut self, at_ns: u64, number: u32, bssid: MacAddr) {
        let is_changing = self.asked_ns.is_some() || self.associated_ns.is_some() || self.latest.is_some();
        if let Some((last_ns, last, home)) = &mut self.last
            && self.has_data
            && *home == bssid
            && !is_changing
        {
            (*last_ns, *last) = (at_ns, number);
        }
    }

    /// Takes data of the station to a group, as its access point sends it on. What waited for a beacon may go when the station has left.
    pub(super) fn sent_on(&mut self, at_ns: u64, number: u32, bssid: MacAddr) {
        let is_joining = self.asked_ns.is_some() && self.associated_ns.is_none();
        if self.home == Some(bssid) && self.latest != Some(Change::Left) && !is_joining {
            self.data(at_ns, number, bssid);
            self.signs.answered();
        }
    }

    /// Takes the sequence number of a frame that ends the station's association.
    pub(super) fn counted(&mut self, at_ns: u64, ended: Ended, number: u16) {
        let before = self.last_leave.replace((at_ns, ended.by_station, number));
        let Some((then_ns, by_station, last)) = before else { return };
        let since_ns = at_ns.saturating_sub(then_ns);
        if by_station == ended.by_station || since_ns > NEXT {
            return;
        }
        self.pairs += u32::from(number == last || number == (last + 1) % 4096);
        self.has_twins |= number == last && since_ns < SHORTEST;
    }

    /// Whether frames in the names of both ends that end an association are a third radio's.
    pub const fn is_forged(&self) -> bool {
        self.pairs >= PAIRS || self.has_twins
    }

    /// Takes a frame that the station sent.
    pub(super) fn present(&mut self, at_ns: u64, number: u32) {
        if self.asked_ns.is_none() && self.associated_ns.is_none() {
            self.signs.heard((at_ns, number));
        }
    }

    /// Takes a frame that negotiates the station's keys.
    pub(super) fn keyed(&mut self, at_ns: u64) {
        self.keys_ns = Some(at_ns);
    }

    /// Takes an answer that refuses an association.
    pub(super) fn refused(&mut self, status: u16, security: Option<Securities>) {
        let before = self.refused.map_or(0, |one| one.times);
        self.refused = Some(Refused { times: before + 1, status, security });
    }

    /// Takes the sequence number of a frame of the station that ends nothing: a third radio may send that in its name.
    pub(super) fn numbered(&mut self, frame: &Frame) {
        let (None, Some(number), false) = (frame.tid, frame.sequence, frame.retry) else { return };
        let before = self.count.replace(number);
        let Some(before) = before.filter(|_| frame.subtype == Subtype::Authentication) else { return };
        let goes_on = number.wrapping_sub(before) % 4096 <= MOST_BETWEEN;
        self.counts_on |= goes_on;
        self.counts_anew |= number <= FIRST && !goes_on;
    }

    /// Takes a frame that ends the station's association with an access point.
    pub(super) fn left(&mut self, at_ns: u64, number: u32, bssid: MacAddr, ended: Ended) {
        self.left += 1;
        self.ended.get_or_insert(ended);
        self.leaves += u64::from(self.latest.replace(Change::Left) != Some(Change::Left));
        let ends_none = ended.reason.is_some_and(|reason| NONE_TO_END.contains(&reason));
        if self.signs.last().is_some() && !ends_none {
            self.last.get_or_insert((at_ns, number, bssid));
        }
    }

    /// Takes a management frame between the station and an access point that ends nothing.
    pub(super) fn told(&mut self, at_ns: u64, frame: &Frame) {
        match frame.subtype {
            Subtype::Association { response: true, again } => {
                let is_here = self.last.is_some_and(|(_, _, home)| Some(home) == frame.bssid);
                let is_first = self.is_authenticated || self.asked_for_a_first || self.asked_ns.is_none();
                let stays = again && is_here && !is_first && self.latest != Some(Change::Left);
                self.associated_ns = Some(at_ns);
                self.latest = Some(Change::Joined);
                let before = std::mem::replace(&mut self.last_join, frame.sequence);
                let counts = u64::from(!frame.retry || before != frame.sequence);
                // Only what follows tells whether the association was the old one.
                *if stays { &mut self.again } else { &mut self.joins } += counts;
            }
            _ => {
                self.asked_for_a_first |= matches!(frame.subtype, Subtype::Association { again: false, .. });
                self.is_authenticated |= frame.subtype == Subtype::Authentication;
                self.is_fast |= frame.joining == Some(Joining::Authentication(FAST));
                if let Some(Joining::Request(Some(own))) = frame.joining {
                    self.own = Some(own);
                }
                self.asked_ns.get_or_insert(at_ns);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Air;
    use crate::link::frame_of;

    const MILLISECOND: u64 = 1_000_000;
    const STATION: MacAddr = MacAddr([2, 0, 0, 0, 0, 1]);
    const OLD: MacAddr = MacAddr([2, 0, 0, 0, 0, 8]);
    const NEW: MacAddr = MacAddr([2, 0, 0, 0, 0, 9]);
    const ASKS: Subtype = Subtype::Association { response: false, again: true };
    const ANSWERS: Subtype = Subtype::Association { response: true, again: true };

    /// A management frame of this kind.
    fn of(subtype: Subtype) -> crate::Frame {
        crate::Frame { subtype, ..frame(0x10, 0, OLD, &[0; 6]) }
    }

    /// The roams of a station with data and management frames at these milliseconds, which are their records' numbers too.
    fn roams(frames: &[(u32, Result<MacAddr, Subtype>)]) -> Vec<Roam> {
        let mut roaming = Roaming::default();
        for &(at, frame) in frames {
            let at_ns = u64::from(at) * MILLISECOND;
            match frame {
                Ok(bssid) => roaming.data(at_ns, at, bssid),
                Err(Subtype::Leave) => {
                    roaming.left(at_ns, at, OLD, Ended { by_station: at % 2 == 1, reason: Some(at as u16) });
                }
                Err(subtype) => roaming.told(at_ns, &of(subtype)),
            }
        }
        roaming.roams().kept().to_vec()
    }

    #[test]
    fn a_roam_lasts_from_the_last_data_to_the_first_and_knows_what_was_said_in_between() {
        let found = roams(&[
            (0, Ok(OLD)),
            (10, Ok(OLD)),
            (20, Err(Subtype::Authentication)),
            (22, Err(Subtype::Authentication)),
            (24, Err(ASKS)),
            (26, Err(ANSWERS)),
            (90, Ok(NEW)),
            (95, Ok(NEW)),
        ]);
        let ms = |at| at * MILLISECOND;
        let expected = Roam {
            bssids: (OLD, NEW),
            from_ns: ms(10),
            to_ns: ms(90),
            numbers: (10, 90),
            asked_ns: Some(ms(20)),
            associated_ns: Some(ms(26)),
            open_ns: Some(ms(26)),
            ..Roam::default()
        };
        assert_eq!(found, [expected]);
    }

    #[test]
    fn a_count_goes_on_or_begins_again_as_a_station_asks() {
        let counts = |before: u16, asked: u16| {
            let mut roaming = Roaming::default();
            for (subtype, number) in [(ASKS, before), (Subtype::Authentication, asked)] {
                roaming.numbered(&crate::Frame { sequence: Some(number), ..of(subtype) });
            }
            (roaming.counts_on, roaming.counts_anew)
        };
        assert_eq!([counts(2548, 1), counts(2, 44)], [(false, true), (true, false)]);
        assert_eq!([counts(4090, 1), counts(2548, 900)], [(true, false), (false, false)]);
    }

    #[test]
    fn what_a_station_sends_to_a_group_is_its_data_as_it_is_sent_on() {
        let group = |bssid: MacAddr| {
            let mut octets = vec![0x08, 2, 0, 0];
            [MacAddr::BROADCAST, bssid, STATION].iter().for_each(|address| octets.extend(address.0));
            octets.extend([0; 12]);
            frame_of(&octets)
        };
        let data = |bssid| frame(0x08, 1, bssid, &[0xaa, 0xaa, 3, 0, 0, 0, 0x08, 0x06, 0, 1]);
        let leave = frame(0xc0, 0, OLD, &[7, 0]);
        let answer = frame(0x10, 0, OLD, &[0; 6]);
        let mut air = Air::default();
        let frames = [
            (0, data(OLD)),
            (20, group(OLD)),
            (25, group(NEW)),
            (30, leave),
            // It waited for a beacon.
            (40, group(OLD)),
            (50, answer),
            (60, group(OLD)),
            (900, data(OLD)),
        ];
        for (number, (at, frame)) in (0..).zip(frames) {
            air.see(at * MILLISECOND, number, &frame);
        }
        let station = air.radio(STATION).expect("it sent");
        let [roam] = *station.roaming.roams().kept() else { panic!("one roam") };
        assert_eq!((roam.from_ns, roam.to_ns), (20 * MILLISECOND, 60 * MILLISECOND));
    }

    #[test]
    fn what_is_encrypted_without_room_for_it_is_no_data() {
        let mut air = Air::default();
        let sealed = |octets: usize| frame(0x08, 0x41, OLD, &vec![0; octets]);
        air.see(0, 0, &sealed(2));
        assert_eq!(air.data, 0);
        air.see(MILLISECOND, 1, &sealed(9));
        assert_eq!(air.data, 1);
    }

    /// What deauthentications show that come so many microseconds behind each other.
    fn leaves(leaves: &[(bool, u16)], every_us: u64) -> Roaming {
        let mut roaming = Roaming::default();
        for (&(by_station, number), at) in leaves.iter().zip(0..) {
            roaming.counted(at * every_us * 1000, Ended { by_station, reason: None }, number);
        }
        roaming
    }

    #[test]
    fn one_count_in_the_names_of_both_ends_is_a_third_radio() {
        let pairs = |of: &[(bool, u16)]| leaves(of, 10_000).pairs;
        assert_eq!(pairs(&[(false, 529), (true, 530), (false, 4095), (true, 0)]), 2);
        assert_eq!(pairs(&[(false, 529), (true, 31), (false, 530), (false, 531), (true, 530)]), 0);
        assert_eq!(pairs(&[(false, 7), (true, 7), (false, 8), (true, 8)]), 3, "the same number for both");
    }

    #[test]
    fn one_number_in_the_names_of_both_ends_at_one_time_is_a_third_radio() {
        let pair = [(false, 0), (true, 0)];
        assert!(leaves(&pair, 9).is_forged());
        assert!(!leaves(&pair, 10_000).is_forged(), "by chance");
        assert!(!leaves(&[(false, 0), (true, 9)], 9).is_forged(), "stamped together");
        assert!(!leaves(&[(true, 0), (true, 0)], 9).is_forged(), "one end, twice");
    }

    #[test]
    fn an_association_of_which_no_data_was_heard_ends_with_the_frame_that_ends_it() {
        let gap = |signs: u32, reason: u16| {
            let mut roaming = Roaming::default();
            (0..signs).for_each(|at| roaming.present(u64::from(at), at));
            let ended = Ended { by_station: false, reason: Some(reason) };
            roaming.left(30 * MILLISECOND, 3, OLD, ended);
            roaming.told(140 * MILLISECOND, &of(ASKS));
            roaming.told(150 * MILLISECOND, &of(ANSWERS));
            roaming.data(212 * MILLISECOND, 25, OLD);
            let said = |roam: &Roam| (roam.from_ns / MILLISECOND, roam.numbers, roam.is_dataless);
            roaming.roams().kept().iter().map(said).collect::<Vec<_>>()
        };
        assert_eq!(gap(1, 2), [(30, (3, 25), true)]);
        assert_eq!(gap(0, 2), [], "no sign of the station before");
        assert_eq!(gap(1, 6), [], "it had none");
    }

    #[test]
    fn a_gap_ends_with_the_exchange_where_nothing_waited() {
        let resumed = |open, to| resumed_ns(0, Some(open * MILLISECOND), to * MILLISECOND) / MILLISECOND;
        // A timer of a second, one that has doubled while the way was shut, and data that comes later than either.
        assert_eq!([resumed(200, 1_200), resumed(3_000, 6_000)], [1_200, 6_000]);
        assert_eq!([resumed(200, 1_201), resumed(3_000, 6_001)], [200, 3_000]);
        assert_eq!(resumed_ns(0, None, 9_000 * MILLISECOND), 9_000 * MILLISECOND);
    }

    #[test]
    fn a_station_that_answers_no_more_is_gone_from_then_on() {
        let gap = |before: u32, answers: bool| {
            let mut roaming = Roaming::default();
            for at in 0..before {
                roaming.data(u64::from(at) * MILLISECOND, at, OLD);
                if answers {
                    roaming.present(u64::from(at) * MILLISECOND, at);
                }
            }
            for at in before..before + 30 {
                roaming.data(u64::from(at) * MILLISECOND, at, OLD);
            }
            roaming.told(500 * MILLISECOND, &of(ANSWERS));
            roaming.data(600 * MILLISECOND, 600, OLD);
            let [roam] = *roaming.roams().kept() else { panic!("one roam") };
            (roam.from_ns / MILLISECOND, roam.numbers.0)
        };
        assert_eq!(gap(40, true), (39, 39));
        // A monitor that hears few answers, or none, cannot tell.
        assert_eq!([gap(5, true), gap(40, false)], [(34, 34), (69, 69)]);
    }

    #[test]
    fn a_station_that_is_thrown_out_and_comes_back_has_roamed_too() {
        let found = roams(&[
            (0, Ok(OLD)),
            (5, Err(Subtype::Leave)),
            (6, Err(Subtype::Leave)),
            (9, Err(ASKS)),
            (12, Err(ANSWERS)),
            (80, Ok(OLD)),
        ]);
        let [roam] = found[..] else { panic!("{found:?}") };
        assert_eq!((roam.bssids, roam.left, roam.to_ns), ((OLD, OLD), 2, 80 * MILLISECOND));
        assert_eq!(roam.ended, Some(Ended { by_station: true, reason: Some(5) }));
    }

    #[test]
    fn each_answer_that_lets_a_station_in_is_an_association_and_one_that_is_sent_again_is_the_same() {
        let answer = |number: u8, retry: bool, status: u8| {
            let mut octets = vec![0x10, u8::from(retry) << 3, 0, 0];
            [STATION, OLD, OLD].iter().for_each(|address| octets.extend(address.0));
            octets.extend([number << 4, 0, 1, 0, status, 0, 1, 0xc0]);
            frame_of(&octets)
        };
        let mut air = Air::default();
        // Without data in between, as in `test/test1.pcap` of aircrack-ng, whose access point numbers its frames anew each time.
        let answers = [(1, false, 0), (1, true, 0), (1, false, 0), (2, false, 17), (3, true, 0)];
        for (at, (number, retry, status)) in (1..).zip(answers) {
            air.see(u64::from(at) * MILLISECOND, at, &answer(number, retry, status));
        }
        assert_eq!(air.radio(STATION).map(|station| station.roaming.joins), Some(3));
    }

    #[test]
    fn without_another_access_point_or_an_association_a_pause_is_no_roam() {
        let asked = [(0, Ok(OLD)), (5, Err(Subtype::Authentication)), (9, Err(ASKS)), (900, Ok(OLD))];
        let first = [(0, Err(ASKS)), (3, Err(ANSWERS)), (9, Ok(OLD)), (900, Ok(OLD))];
        assert_eq!([roams(&asked), roams(&first)], [vec![], vec![]]);
    }

    /// The changes of a station with a ping a second at an access point, and what it says between the last two.
    fn beside_pings(said: &[(u64, crate::Frame)], last: MacAddr) -> Roaming {
        let mut roaming = Roaming::default();
        (0..10).for_each(|second| roaming.data(second * 1000 * MILLISECOND, second as u32, OLD));
        for (at, frame) in said {
            match frame.eapol {
                Some(_) => roaming.keyed(at * MILLISECOND),
                None => roaming.told(at * MILLISECOND, frame),
            }
        }
        roaming.data(9_950 * MILLISECOND, 10, last);
        roaming
    }

    #[test]
    fn a_request_said_again_where_the_station_is_is_no_new_association() {
        let heard = |said: &[(u64, crate::Frame)]| {
            let roaming = beside_pings(said, OLD);
            assert_eq!(roaming.rejoins, u64::from(roaming.joins == 0));
            (roaming.roams().kept().len(), roaming.joins)
        };
        let (asks, answers) = (of(ASKS), of(ANSWERS));
        assert_eq!(heard(&[(9_500, asks), (9_504, answers)]), (0, 0));
        assert_eq!(heard(&[(9_498, of(Subtype::Authentication)), (9_500, asks), (9_504, answers)]), (1, 1));
        assert_eq!(heard(&[(9_504, answers)]), (1, 1), "what was asked was not heard");
        let keys = crate::Frame { eapol: Some(crate::Eapol::Keys(None)), ..asks };
        assert_eq!(heard(&[(9_500, asks), (9_504, answers), (9_600, keys)]), (1, 1));
        let first = of(Subtype::Association { response: false, again: false });
        assert_eq!(heard(&[(9_500, first), (9_504, answers)]), (1, 1));
    }

    #[test]
    fn a_roam_between_two_pings_is_usual_and_knows_whether_it_was_fast() {
        let authenticates = |algorithm: u16| {
            let joining = Some(Joining::Authentication(algorithm));
            crate::Frame { joining, ..of(Subtype::Authentication) }
        };
        let roam = |algorithm: u16| {
            let roaming = beside_pings(&[(9_500, authenticates(algorithm)), (9_502, of(ANSWERS))], NEW);
            let [roam] = *roaming.roams().kept() else { panic!("one roam") };
            (roam.is_usual, roam.is_fast)
        };
        assert_eq!([roam(2), roam(0)], [(true, true), (true, false)]);
    }

    #[test]
    fn a_roam_from_an_access_point_that_was_not_heard_names_it() {
        let third = MacAddr([2, 0, 0, 0, 0, 7]);
        let came_from = |own: MacAddr| {
            let asks = crate::Frame { joining: Some(Joining::Request(Some(own))), ..of(ASKS) };
            let said = [(9_498, of(Subtype::Authentication)), (9_500, asks), (9_502, of(ANSWERS))];
            let [roam] = *beside_pings(&said, NEW).roams().kept() else { panic!("one roam") };
            roam.came_from
        };
        assert_eq!([OLD, NEW, third].map(came_from), [None, None, Some(third)]);
    }

    /// `lost.air` of mac80211_hwsim: frames 504 to 528 have no acknowledgment, and TCP's timer has doubled to 1.66 s by then.
    #[test]
    fn what_nothing_acknowledged_waits_as_long_as_the_way_was_shut() {
        let resumed = |acks: u32| {
            let mut roaming = Roaming::default();
            let sent = (0..40).map(|n| n * 50).chain([2_074, 2_134, 2_683, 3_515]);
            for at in sent {
                roaming.data(at * MILLISECOND, at as u32, OLD);
                roaming.tries(at * MILLISECOND);
                if at < u64::from(50 * acks) {
                    roaming.taken(true);
                }
            }
            for (at, what) in [(3_684, Subtype::Authentication), (3_688, ANSWERS)] {
                roaming.told(at * MILLISECOND, &of(what));
            }
            // Its keys are acknowledged.
            roaming.taken(true);
            roaming.data(5_179 * MILLISECOND, 569, NEW);
            roaming.roams().kept()[0].resumed_ns() / MILLISECOND
        };
        assert_eq!(resumed(40), 5_179);
        assert_eq!(resumed(3), 3_688, "a monitor that hears few acknowledgments knows nothing of the others");
    }

    #[test]
    fn a_stay_lasts_from_the_first_data_with_an_access_point_to_the_last() {
        let mut roaming = Roaming::default();
        let mut data = |at: u64, bssid| roaming.data(at * MILLISECOND, at as u32, bssid);
        [(1, OLD), (5, OLD), (9, NEW), (12, NEW)].into_iter().for_each(|(at, bssid)| data(at, bssid));
        let found: Vec<_> =
            roaming.stays().iter().map(|stay| (stay.by.bssids.1, stay.by.numbers.1, stay.number)).collect();
        assert_eq!(found, [(OLD, 1, 5), (NEW, 9, 12)]);
        assert_eq!(Roaming::default().stays(), []);
    }

    /// A frame from the station to an access point without QoS: a header of this type, and what is behind it.
    fn frame(control: u8, up: u8, bssid: MacAddr, body: &[u8]) -> crate::Frame {
        let mut octets = vec![control, up, 0, 0];
        for address in [bssid, STATION, bssid] {
            octets.extend(address.0);
        }
        octets.extend([0, 0]);
        octets.extend(body);
        frame_of(&octets)
    }

    #[test]
    fn frames_that_negotiate_keys_do_not_end_a_roam() {
        let data = |bssid| frame(0x08, 1, bssid, &[0xaa, 0xaa, 3, 0, 0, 0, 0x08, 0x06, 0, 1]);
        let keys = frame(0x08, 1, NEW, &[0xaa, 0xaa, 3, 0, 0, 0, 0x88, 0x8e, 2, 3]);
        let answer = frame(0x30, 0, NEW, &[0; 6]);
        let mut air = Air::default();
        let frames = [(0, data(OLD)), (20, answer), (22, keys), (24, keys), (170, data(NEW))];
        for (number, (at, frame)) in (0..).zip(frames) {
            air.see(at * MILLISECOND, number, &frame);
        }
        let station = air.radio(STATION).expect("it sent");
        let [roam] = *station.roaming.roams().kept() else { panic!("one roam") };
        assert_eq!(
            (roam.to_ns, roam.numbers, roam.associated_ns),
            (170 * MILLISECOND, (0, 4), Some(20 * MILLISECOND))
        );
    }
}
