//! When a station was away or dozed, by what it announced, and what waited for it meanwhile.

use crate::frame::Beacon;
use crate::{Capped, Frame, Subtype, Way};

/// Data comes this soon after a station was woken for it, in nanoseconds: it contends for the air, perhaps with others.
const SERVED_WITHIN: u64 = 30_000_000;
/// A dozing station wakes within this time of the beacon that says that frames wait, in nanoseconds.
const WAKES: u64 = 8_000_000;
/// After this long without data to the station, what comes is not more of the same, in nanoseconds.
const PAUSE: u64 = 20_000_000;

/// Answers to a probe request come within this time, in nanoseconds: a station waits no longer on a channel (Linux `IEEE80211_CHANNEL_TIME`, net/mac80211/scan.c: 33 ms).
const ANSWERED_WITHIN: u64 = 33_000_000;

/// Channels below this, in MHz, are those of the band of 2.4 GHz, whose slots may be long (802.11-2020 clause 18.4.5).
const BELOW_5_GHZ: u16 = 3000;
/// A time unit of 1024 us, in nanoseconds (802.11-2020 clause 3.1).
const TU: u64 = 1_024_000;
/// Beacons are foretold for this many intervals behind one that was heard: the clocks of access point and monitor differ by less than 40 ppm,
/// which is 0.1 ms then.
const FORETOLD: u64 = 25;
/// Numbers that are passed over by more than this are of a sender that counts anew (802.11-2020 clause 10.3.2.14.2: they count to 4095).
const PASSED_OVER: u16 = 256;
/// The parts of a beacon interval in which a place within it is counted.
pub const BEACON_PARTS: u16 = 1000;

/// What the beacons of an access point said last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Indications {
    /// When one last indicated that frames wait for a station, in nanoseconds since 1970.
    pub(super) some_ns: Option<u64>,
    /// When one last did not.
    pub(super) none_ns: Option<u64>,
    /// When the first did of those that did since one last did not.
    pub(super) since_ns: Option<u64>,
    /// Whether the slots of the network are the long ones, as far as is said.
    pub(super) long_slots: bool,
    /// The width of the network in MHz; zero before any beacon.
    pub(super) width_mhz: u16,
    /// See [`Beacon::ampdu_octets`].
    pub(super) ampdu_octets: Option<u32>,
    /// When the last one came, and its interval, in nanoseconds.
    beat_ns: Option<(u64, u64)>,
}

impl Indications {
    /// Takes a beacon.
    pub(super) fn said(&mut self, at_ns: u64, beacon: Beacon, channel_mhz: Option<u16>) {
        self.long_slots = !beacon.short_slot && channel_mhz.is_some_and(|mhz| mhz < BELOW_5_GHZ);
        self.width_mhz = beacon.width_mhz;
        self.ampdu_octets = beacon.ampdu_octets;
        if beacon.indicates {
            self.some_ns = Some(at_ns);
            self.since_ns.get_or_insert(at_ns);
        } else {
            (self.none_ns, self.since_ns) = (Some(at_ns), None);
        }
        self.beat_ns = Some((at_ns, u64::from(beacon.interval) * TU));
    }

    /// The time between two beacons in nanoseconds; none before any.
    pub(super) fn interval_ns(&self) -> Option<u64> {
        self.beat_ns.map(|(_, interval)| interval).filter(|&interval| interval > 0)
    }

    /// Where between two beacons a time lies, in thousandths of their interval; none if none was heard lately.
    fn beat(&self, at_ns: u64) -> Option<u16> {
        let (last, interval) = self.beat_ns.filter(|&(_, interval)| interval > 0)?;
        let since = at_ns.saturating_sub(last);
        (since < FORETOLD * interval).then(|| (since % interval * u64::from(BEACON_PARTS) / interval) as u16)
    }
}

/// What beacons said before a frame of a station.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waiting {
    /// Of all stations.
    pub(super) all: Indications,
    /// Of this one, where its frame names its association identifier: between which times the first of what waits for it came.
    pub(super) held: Option<(u64, u64)>,
}

/// A spell between a station's frame with PM=1, or a PS-Poll, which dozing stations alone send, and its next with PM=0 (802.11-2020 clause 11.2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doze {
    /// When the first frame with PM=1 was heard, in nanoseconds since 1970.
    pub from_ns: u64,
    /// When the first frame with PM=0 was heard.
    pub to_ns: u64,
    /// The same as `from_ns`, or when the station last announced it after it had asked for the air (RTS): so long it was there.
    pub left_ns: u64,
    /// When it was last heard on its channel, before its end.
    pub there_ns: u64,
    /// The records of these two frames.
    pub numbers: (u32, u32),
    /// How long neither the station nor its access point had sent the other data before, in nanoseconds; none if they never had.
    pub idle_before_ns: Option<u64>,
    /// Frames with PM=1 that announced it.
    pub announced: u32,
    /// PS-Polls and data of the station meanwhile: it stayed on the channel.
    pub frames: u32,
    /// How long before its end a beacon indicated that frames wait for a station, in nanoseconds; none if none did since its
    /// beginning.
    pub indicated_ns: Option<u64>,
    /// How long before its end beacons began to indicate, without one since that did not, that frames wait for a station, in
    /// nanoseconds; none as above.
    pub waited_ns: Option<u64>,
    /// Data of the station ended it, rather than a frame that only announces.
    pub by_data: bool,
    /// Probe requests of the station meanwhile.
    pub probes: u32,
    /// Frames of the station meanwhile that were not heard, by the numbers that all but QoS data share.
    pub unheard: u32,
    /// All that the station sent meanwhile with these numbers was heard: they are known on both sides, and none is missing.
    pub complete: bool,
    /// Where between two beacons of its access point its beginning and its end lie, in thousandths of their interval; none where no
    /// beacon was heard lately.
    pub beats: [Option<u16>; 2],
}

impl Doze {
    /// One that a frame with PM=1 has announced, and of which nothing more is known.
    pub const fn begun(at_ns: u64, number: u32) -> Self {
        Self {
            from_ns: at_ns,
            to_ns: at_ns,
            left_ns: at_ns,
            there_ns: at_ns,
            numbers: (number, number),
            idle_before_ns: None,
            announced: 1,
            frames: 0,
            indicated_ns: None,
            waited_ns: None,
            by_data: false,
            probes: 0,
            unheard: 0,
            complete: true,
            beats: [None; 2],
        }
    }

    /// Its length in nanoseconds.
    pub const fn length_ns(&self) -> u64 {
        self.to_ns.saturating_sub(self.from_ns)
    }

    /// How long it lasted after the last sign that the station was on its channel, in nanoseconds.
    pub fn away_ns(&self) -> u64 {
        self.to_ns.saturating_sub(self.gone_ns())
    }

    /// When it was last there, in nanoseconds since 1970.
    pub fn gone_ns(&self) -> u64 {
        self.left_ns.max(self.there_ns)
    }

    /// Whether the station woke for a beacon that said that frames wait.
    pub fn is_woken(&self) -> bool {
        self.indicated_ns.is_some_and(|before| before < WAKES)
    }
}

/// Data that waited until a dozing station was woken for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// When it may have arrived at the access point at the earliest, in nanoseconds since 1970: when the station had begun to doze,
    /// or when a beacon, or data to it, last said that nothing waits.
    pub since_ns: u64,
    /// When the first beacon thereafter said that it waits.
    pub told_ns: u64,
    /// When the station got it; or asked for it, where what came then was not heard.
    pub to_ns: u64,
    /// Whether it asked by a PS-Poll for what beacons had said to wait for it itself.
    pub polled: bool,
    /// Its record.
    pub number: u32,
}

/// The spells of one station.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    dozes: Capped<Doze>,
    waits: Capped<Wait>,
    /// How often data for the station came after a pause of 20 ms in which none did.
    pub bursts: u64,
    /// How often the station woke, or asked, for what a beacon had said to wait.
    pub fetches: u64,
    /// Frames of the station outside of its spells, without QoS data, and how many more there were by their numbers.
    pub numbered: u64,
    /// See `numbered`.
    pub unheard: u64,
    /// The number of the last frame that is no QoS data.
    number: Option<u16>,
    /// Whether the last spell ended with QoS data, so that only the next number tells whether all within it was heard.
    is_open: bool,
    /// When probe requests of the station were heard, in nanoseconds since 1970.
    probed: Capped<u64, 1024>,
    /// When it last sent one of which the channel is known, and which it says that is.
    asked: Option<(u64, Option<u8>)>,
    since: Option<Doze>,
    /// When data last went either way, and when it last came.
    active_ns: Option<u64>,
    received_ns: Option<u64>,
    /// Since when what comes next may have waited, and when the station said that it is ready for it.
    woken: Option<((u64, u64), u64)>,
    /// When the beacons began to tell of what it last asked for by a PS-Poll, and when it asked, until data comes.
    polled: (u64, Option<u64>),
    /// Whether the station has asked for the air on its channel (RTS) within a spell.
    is_there: bool,
    /// The indication that was followed last.
    followed_ns: Option<u64>,
    /// When data last came to the station behind which nothing more waited.
    emptied_ns: u64,
}

impl Presence {
    /// All spells that were heard from beginning to end.
    pub const fn dozes(&self) -> &Capped<Doze> {
        &self.dozes
    }

    /// Since when it sleeps as the capture ends, in nanoseconds since 1970; none if it does not.
    pub fn asleep_since(&self) -> Option<u64> {
        self.since.as_ref().map(|doze| doze.from_ns)
    }

    /// Data that waited for the station to be woken.
    pub const fn waits(&self) -> &Capped<Wait> {
        &self.waits
    }

    /// When probe requests of the station were heard, in nanoseconds since 1970.
    pub const fn probed(&self) -> &Capped<u64, 1024> {
        &self.probed
    }

    /// Takes the number of a frame that the station sent: all but QoS data share one count (802.11-2020 table 10-5), which goes on on other channels too.
    pub(super) fn numbered(&mut self, frame: &Frame) {
        let (None, Some(number)) = (frame.tid, frame.sequence) else { return };
        let before = self.number.replace(number);
        let ahead = before.map_or(0, |last| number.wrapping_sub(last) % 4096);
        let unheard = if ahead <= PASSED_OVER { ahead.saturating_sub(1) } else { 0 };
        let follows = before.is_some() && ahead <= 1;
        if std::mem::take(&mut self.is_open)
            && let Some(last) = self.dozes.last_mut()
        {
            last.complete = follows;
        }
        match &mut self.since {
            Some(doze) => {
                doze.unheard += u32::from(unheard);
                doze.complete &= follows;
            }
            None => {
                self.numbered += 1;
                self.unheard += u64::from(unheard);
            }
        }
    }

    /// Takes a probe request of the station.
    pub(super) fn probes(&mut self, at_ns: u64, frame: &Frame) {
        self.probed.push(at_ns);
        // On a channel above 2.4 GHz none is heard that is sent on another, and none needs to say which it is.
        let is_alone = frame.radio.channel_mhz.is_some_and(|mhz| mhz > BELOW_5_GHZ);
        self.asked = (is_alone || frame.channel.is_some()).then_some((at_ns, frame.channel));
        if let Some(doze) = &mut self.since {
            doze.probes += 1;
        }
    }

    /// Takes an answer of its access point to its probe request: if that was sent on the access point's channel, the station is still there, and leaves later.
    pub(super) fn answered(&mut self, at_ns: u64, channel: Option<u8>) {
        let is_there = |&(asked_ns, asked): &(u64, Option<u8>)| {
            at_ns.saturating_sub(asked_ns) <= ANSWERED_WITHIN
                && asked.is_none_or(|asked| channel == Some(asked))
        };
        if let (Some(doze), true) = (&mut self.since, self.asked.as_ref().is_some_and(is_there)) {
            doze.there_ns = at_ns;
        }
    }

    /// Takes a frame that the station sent.
    pub(super) fn sent(&mut self, at_ns: u64, number: u32, frame: &Frame, said: Indications) {
        if frame.way != Way::Up {
            self.is_there |= frame.subtype == Subtype::Rts;
            return;
        }
        let carries = frame.subtype == Subtype::Data;
        let was_there = std::mem::take(&mut self.is_there);
        match &mut self.since {
            Some(doze) if !frame.power.sleeps => {
                let indicated = said.some_ns.filter(|&at| at >= doze.from_ns);
                let waited = said.since_ns.filter(|_| indicated.is_some()).map(|at| at.max(doze.from_ns));
                let doze = Doze {
                    to_ns: at_ns,
                    numbers: (doze.numbers.0, number),
                    indicated_ns: indicated.map(|at| at_ns.saturating_sub(at)),
                    waited_ns: waited.map(|at| at_ns.saturating_sub(at)),
                    by_data: carries,
                    complete: doze.complete && frame.tid.is_none(),
                    beats: [doze.beats[0], said.beat(at_ns)],
                    ..*doze
                };
                if doze.is_woken() {
                    self.woken = Some((arrived(doze.from_ns, said, self.emptied_ns), at_ns));
                    self.followed_ns = said.some_ns;
                    self.fetches += 1;
                }
                self.is_open = frame.tid.is_some() && self.since.is_some_and(|since| since.complete);
                self.dozes.push(doze);
                self.since = None;
            }
            Some(doze) => {
                doze.announced += u32::from(!carries);
                doze.there_ns = at_ns;
                if was_there && !carries {
                    // It had woken in between, and the frame that says so was not heard.
                    (doze.left_ns, doze.unheard) = (at_ns, 0);
                }
                doze.frames += u32::from(carries);
                if carries {
                    self.asks(at_ns, said);
                }
            }
            None if frame.power.sleeps => {
                self.since = Some(Doze {
                    idle_before_ns: self.active_ns.map(|active| at_ns.saturating_sub(active)),
                    beats: [said.beat(at_ns), None],
                    ..Doze::begun(at_ns, number)
                });
            }
            None => {}
        }
        if carries {
            self.active_ns = Some(at_ns);
        }
    }

    /// The station's association ends, and with it what its access point knows of power save (802.11-2020 clause 11.2.3).
    pub(super) fn left(&mut self) {
        self.since = None;
    }

    /// Takes a PS-Poll of the station.
    pub(super) fn polled(&mut self, at_ns: u64, number: u32, told: Waiting) {
        self.since.get_or_insert_with(|| Doze::begun(at_ns, number)).frames += 1;
        let (last_told_ns, _) = self.polled;
        match told.held.filter(|&(_, told_ns)| told_ns > last_told_ns) {
            Some((since_ns, told_ns)) => {
                let since_ns = since_ns.max(self.emptied_ns).min(told_ns);
                self.waits.push(Wait { since_ns, told_ns, to_ns: at_ns, polled: true, number });
                self.polled = (told_ns, Some(at_ns));
                (self.woken, self.followed_ns) = (None, told.all.some_ns);
                self.fetches += 1;
            }
            None => self.asks(at_ns, told.all),
        }
    }

    /// The station asks for what waits without an end to its doze: by a PS-Poll, or by data that triggers (U-APSD).
    fn asks(&mut self, at_ns: u64, said: Indications) {
        let Some(doze) = &self.since else { return };
        let new = said.some_ns.filter(|&at| at >= doze.from_ns && Some(at) != self.followed_ns);
        if new.is_some_and(|at| at_ns.saturating_sub(at) < WAKES) {
            self.woken = Some((arrived(doze.from_ns, said, self.emptied_ns), at_ns));
            self.followed_ns = new;
            self.fetches += 1;
        }
    }

    /// Takes data that the access point sent to the station; whether more waits for it.
    pub(super) fn received(&mut self, at_ns: u64, number: u32, more: bool) {
        self.active_ns = Some(at_ns);
        let before = self.received_ns.replace(at_ns);
        self.bursts += u64::from(before.is_none_or(|before| at_ns.saturating_sub(before) > PAUSE));
        let is_served = |ready_ns: u64| at_ns.saturating_sub(ready_ns) < SERVED_WITHIN;
        if let Some(((since_ns, told_ns), _)) = self.woken.take().filter(|&(_, ready_ns)| is_served(ready_ns))
        {
            self.waits.push(Wait { since_ns, told_ns, to_ns: at_ns, polled: false, number });
        }
        if self.polled.1.take().is_some_and(is_served)
            && let Some(wait) = self.waits.last_mut()
        {
            (wait.to_ns, wait.number) = (at_ns, number);
        }
        if !more {
            self.emptied_ns = at_ns;
        }
    }
}

/// Between which times that what waits for a station arrived: after nothing did, and before the first beacon that says so.
fn arrived(dozes_ns: u64, said: Indications, emptied_ns: u64) -> (u64, u64) {
    let since = dozes_ns.max(said.none_ns.unwrap_or_default()).max(emptied_ns);
    let told = said.since_ns.filter(|&first| first >= since).or(said.some_ns).unwrap_or(since);
    (since, told.max(since))
}

#[cfg(test)]
mod tests {
    use super::super::held::Held;
    use super::*;

    const MILLISECOND: u64 = 1_000_000;

    fn beacon(at_ns: u64, indicates: bool) -> Beacon {
        Beacon {
            timer_us: at_ns / 1000,
            interval: 100,
            dtim: true,
            indicates,
            waiting: u64::from(indicates) << 1,
            short_slot: true,
            width_mhz: 20,
            ampdu_octets: None,
            ssid: None,
            switch: None,
        }
    }

    #[test]
    fn what_waits_does_so_since_the_last_time_that_nothing_did() {
        let mut presence = Presence { since: Some(Doze::begun(0, 0)), ..Presence::default() };
        let mut said = Indications::default();
        // A stream that never lets a beacon say that nothing waits: each poll fetches what has come since the one before.
        for turn in 1..=20 {
            let at_ns = turn * 100 * MILLISECOND;
            said.said(at_ns, beacon(at_ns, true), Some(5180));
            presence.polled(at_ns + MILLISECOND, 0, Waiting { all: said, held: None });
            presence.received(at_ns + 2 * MILLISECOND, turn as u32, false);
        }
        let waits = presence.waits().kept();
        assert_eq!(waits.len(), 20);
        assert!(waits[1..].iter().all(|wait| wait.to_ns - wait.since_ns == 100 * MILLISECOND));
    }

    #[test]
    fn a_trip_begins_behind_the_answer_to_a_probe_on_the_own_channel() {
        let away_ms = |asked: Option<u8>, answers: Option<u8>, channel_mhz: u16, wait_ms: u64| {
            let mut presence = Presence { since: Some(Doze::begun(0, 0)), ..Presence::default() };
            let body = [&[0x40, 0, 0, 0][..], &[2; 18], &[0; 2]].concat();
            let mut frame = crate::link::frame_of(&body);
            (frame.channel, frame.radio.channel_mhz) = (asked, Some(channel_mhz));
            presence.probes(10 * MILLISECOND, &frame);
            presence.answered((10 + wait_ms) * MILLISECOND, answers);
            let up = crate::link::frame_of(&[&[0x48, 1, 0, 0][..], &[2; 18], &[0; 2]].concat());
            presence.sent(1200 * MILLISECOND, 1, &up, Indications::default());
            presence.dozes().kept()[0].away_ns() / MILLISECOND
        };
        assert_eq!(away_ms(Some(6), Some(6), 2437, 20), 1170);
        assert_eq!(away_ms(None, Some(36), 5180, 20), 1170);
        // On the channel beside it, on a channel that does not show, and long behind.
        assert_eq!(away_ms(Some(5), Some(6), 2437, 20), 1200);
        assert_eq!(away_ms(None, Some(6), 2437, 20), 1200);
        assert_eq!(away_ms(Some(6), Some(6), 2437, 40), 1200);
    }

    #[test]
    fn what_waits_came_before_the_first_beacon_that_said_so() {
        let mut presence = Presence { since: Some(Doze::begun(0, 0)), ..Presence::default() };
        let mut said = Indications::default();
        for (turn, indicates) in [(1, false), (2, true), (3, true)] {
            let at_ns = turn * 100 * MILLISECOND;
            said.said(at_ns, beacon(at_ns, indicates), Some(5180));
        }
        // It listens to every third beacon.
        presence.polled(301 * MILLISECOND, 0, Waiting { all: said, held: None });
        presence.received(302 * MILLISECOND, 1, false);
        let [wait] = presence.waits().kept() else { panic!("one wait") };
        assert_eq!((wait.since_ns, wait.told_ns), (100 * MILLISECOND, 200 * MILLISECOND));
    }

    /// `full.pcapng` of radiotap-decoder-java, from 89 s on: the bit of a station is set for 28 beacons until it asks, and the monitor does not hear what comes
    /// then but once.
    #[test]
    fn what_is_asked_for_waited_since_the_first_beacon_that_named_its_station() {
        let (mut presence, mut held) = (Presence::default(), Held::default());
        let mut poll = |held: &Held, ms: u64, heard: bool| {
            presence.polled(
                ms * MILLISECOND,
                0,
                Waiting { all: Indications::default(), held: held.since(1) },
            );
            if heard {
                presence.received((ms + 1) * MILLISECOND, 7, false);
            }
            presence.waits().kept().iter().map(|wait| wait.to_ns / MILLISECOND).collect::<Vec<_>>()
        };
        held.said(88_926 * MILLISECOND, 0);
        (0..28).for_each(|beacon| held.said((89_024 + 98 * beacon) * MILLISECOND, 1 << 1 | 1 << 2));
        assert_eq!(poll(&held, 91_777, false), [91_777]);
        assert_eq!(poll(&held, 91_875, false), [91_777], "of what came later nothing is known");
        held.said(92_268 * MILLISECOND, 1 << 2);
        held.said(93_939 * MILLISECOND, 1 << 1);
        assert_eq!(poll(&held, 95_414, true), [91_777, 95_415]);
        let first = presence.waits().kept()[0];
        assert_eq!((first.since_ns, first.told_ns), (88_926 * MILLISECOND, 89_024 * MILLISECOND));
        assert_eq!(presence.asleep_since(), Some(91_777 * MILLISECOND));
    }
}
