//! A capture: what is known of it before anything in it is looked at.

use crate::likeness::Likeness;
use crate::lulls::Lulls;
use airloom_trace::tcp::Rest;
use airloom_trace::{Capped, Packet, Place, Protocol, Record, Seen, Segment, Stop, Transport};
use std::net::IpAddr;
use std::path::PathBuf;

/// What several interfaces or processors may put into a file out of order, in nanoseconds.
const BACKWARDS: u64 = 10_000_000;
/// Nobody captures so long without a single record, in nanoseconds: 30 days. Captures that were joined may lie so far apart.
const LEAP: u64 = 30 * DAY;
const DAY: u64 = 24 * 3_600_000_000_000;
/// Where no record comes for longer, in nanoseconds, nothing shows that the capture went on: of whatever waits for an answer a timer sends again by then (RFC 6298
/// section 2.5).
const UNWATCHED: u64 = 60_000_000_000;
/// More records than this, and more than one in a thousand, are no accident such as a clock that was set.
const FEW_BACKWARDS: u64 = 3;

/// So many records that are all equally far apart, by no more than this in nanoseconds, have stamps of no clock: programs that make captures of
/// text number them so (text2pcap).
const MIN_EQUAL_GAPS: u64 = 20;
const TOGETHER: u64 = 1000;
/// Farther apart than that, but for this share of them, have them more records than these, whose TCP goes to and fro more often than this: what one
/// program sends may be as even, what the other end answers never is.
const EVEN: f64 = 0.95;
const MANY_EVEN: u64 = 100;
const TURNS: u64 = 20;
/// So many records or more that are all stamped at whole seconds have stamps of no clock that measures: of a clock that ticks in microseconds one in a million is.
const MIN_WHOLE: u64 = 10;
const SECOND: u64 = 1_000_000_000;

/// What cannot be read of fewer octets than this was cut within its headers: the radio's with those of HE (44) and the MAC's with QoS (26); Ethernet's (14) and those of
/// IPv4 (20).
const OF_THE_AIR: u32 = 70;
const OF_A_HOST: u32 = 34;

/// A capture: what a file has of one interface.
#[derive(Debug)]
pub struct CaptureStats {
    /// The file.
    pub path: PathBuf,
    /// The interface's number in the file.
    pub interface: u32,
    /// The interface in words; none where the file has no other.
    pub name: Option<String>,
    /// Where it was made; none if it has nothing of either kind.
    pub place: Option<Place>,
    /// Records.
    pub records: u64,
    /// Records that are neither a frame nor a packet that can be read, and frames of a host that are sound but no IP.
    pub unread: u64,
    /// See `unread`.
    pub not_ip: u64,
    /// Those of the former that were cut before their headers end, and the most that was kept of any of them, in octets.
    pub cut_unread: u64,
    /// See `cut_unread`.
    pub kept_unread: u32,
    /// Records of which the end was cut off.
    pub cut: u64,
    /// Those of them that were cut within the header of TCP or UDP.
    pub cut_headers: u64,
    /// Those of these that were TCP's, and the most that was kept of any, in octets.
    pub cut_tcp: u64,
    /// See `cut_tcp`.
    pub snap_length: u32,
    /// Packets whose inside is another packet, which cannot be read, and those that were read within a tunnel's.
    pub tunnelled: u64,
    /// See `tunnelled`.
    pub in_tunnels: u64,
    /// A-MSDUs of which the end was cut off: the headers of their later packets are not kept.
    pub cut_amsdus: u64,
    /// Records stamped more than 10 ms before the one before them.
    pub backwards: u64,
    /// Records stamped any time before the one before them, and the most of these times, in nanoseconds.
    steps_back: u64,
    step_back_ns: u64,
    /// Records stamped more than 30 days later than the one before them.
    pub leaps: u64,
    /// The first of these: its number, and how far it is from the one before it, in nanoseconds.
    first_leap: Option<(u32, u64)>,
    /// Whether stamps fell by more than 30 days, too.
    falls: bool,
    /// Frames of the air, or TCP packets of a host, that were captured before.
    pub copies: u64,
    /// Those packets of them that came by with another TTL: a router lies between where they were captured.
    pub copies_elsewhere: u64,
    /// TCP connections for which there was no room: small ones, where there are thousands.
    pub left_out: Rest,
    /// Packets of UDP for whose streams there was no room: small ones, where there are thousands.
    pub datagrams_left_out: u64,
    /// Requests and answers of ICMP echo between hosts that are not followed, since there are too many.
    pub pings_left_out: u64,
    /// Whether it is not read, since so many other interfaces come first in the file.
    pub beyond: bool,
    /// The channel of a monitor, in MHz, if its radio names it.
    pub channel_mhz: Option<u16>,
    /// Whether it is of the air of a channel of which another was read before it, so that rules do not look at it; or of one that is not known.
    pub beside: bool,
    /// The first and the last stamp, in nanoseconds since 1970.
    pub span_ns: Option<(u64, u64)>,
    /// When it ended, as the file says it, in nanoseconds since 1970: a last record may be long before that.
    pub(crate) ended_ns: Option<u64>,
    /// Times without any record, each longer than a minute.
    unwatched: Capped<(u64, u64), 256>,
    /// The stamp of the last record.
    last_ns: Option<u64>,
    /// How far each record so far is behind the one before it, in nanoseconds, while that is the same; none if it is not, or of the first.
    apart_ns: Option<u64>,
    /// When packets of TCP came to hosts.
    pub(crate) lulls: Lulls,
    /// How its records lie apart, and how often its TCP turned: the source before is another one.
    even: Even,
    turns: u64,
    source: Option<IpAddr>,
    /// Records that are not stamped at a whole second.
    fractions: u64,
    /// What ended it before its end.
    pub stop: Option<Stop>,
    /// Captures that were given, too, and have the same records, in words: they are left out.
    pub also: Vec<String>,
    /// What tells its records from those of others.
    pub(crate) likeness: Likeness,
}

/// The distance that most records have from the one before them, by a vote of them (Boyer and Moore, 1981).
#[derive(Debug)]
struct Even {
    apart_ns: u64,
    votes: u64,
    /// Records that are so far apart, since the vote was for that.
    records: u64,
}

impl Even {
    fn note(&mut self, apart_ns: u64) {
        if self.votes == 0 {
            *self = Self { apart_ns, votes: 1, records: 1 };
        } else if apart_ns.abs_diff(self.apart_ns) <= TOGETHER {
            self.votes += 1;
            self.records += 1;
        } else {
            self.votes -= 1;
        }
    }
}

impl CaptureStats {
    pub(crate) const fn new(path: PathBuf, interface: u32) -> Self {
        Self {
            path,
            interface,
            name: None,
            place: None,
            records: 0,
            unread: 0,
            not_ip: 0,
            cut_unread: 0,
            kept_unread: 0,
            cut: 0,
            cut_headers: 0,
            cut_tcp: 0,
            tunnelled: 0,
            in_tunnels: 0,
            snap_length: 0,
            cut_amsdus: 0,
            backwards: 0,
            steps_back: 0,
            step_back_ns: 0,
            leaps: 0,
            first_leap: None,
            falls: false,
            copies: 0,
            copies_elsewhere: 0,
            left_out: Rest::NONE,
            datagrams_left_out: 0,
            pings_left_out: 0,
            beyond: false,
            channel_mhz: None,
            beside: false,
            span_ns: None,
            ended_ns: None,
            unwatched: Capped::NONE,
            last_ns: None,
            apart_ns: None,
            lulls: Lulls::NONE,
            even: Even { apart_ns: 0, votes: 0, records: 0 },
            turns: 0,
            source: None,
            fractions: 0,
            stop: None,
            also: Vec::new(),
            likeness: Likeness::NONE,
        }
    }

    /// Whether another capture has the same records, and is none of another interface of the same file.
    pub(crate) fn is_copied_by(&self, other: &Self) -> bool {
        let may_be = self.path != other.path || self.interface == other.interface;
        may_be && self.likeness.is_of(&other.likeness)
    }

    /// The file, and the interface if the file has several.
    pub fn named(&self) -> String {
        let file = self.path.display();
        self.name.as_ref().map_or_else(|| file.to_string(), |name| format!("{file}, {name}"))
    }

    /// For how long the capture went on behind a time, in nanoseconds: to its end, or until it has nothing at all for a minute, in which whatever was waited for may have come.
    pub(crate) fn watched_ns(&self, since_ns: u64) -> u64 {
        let gaps = self.unwatched.kept().iter().filter(|&&(_, to)| to > since_ns).map(|&(from, _)| from);
        let end_ns = gaps.chain(self.span_ns.map(|(_, last)| last)).min().unwrap_or(since_ns);
        end_ns.saturating_sub(since_ns)
    }

    /// Why nothing can be found in it that has to do with time; none if its stamps are in order.
    pub(crate) fn disorder(&self) -> Option<String> {
        let name = self.named();
        match self.first_leap {
            Some(_) if self.falls => {
                return Some(format!(
                    "stamps in {name} are more than 30 days apart from one record to the next, forwards and backwards: some of them are wrong"
                ));
            }
            Some((number, apart_ns)) => {
                let others = match self.leaps {
                    1 => String::new(),
                    more => format!(", and {} more such gaps follow", more - 1),
                };
                return Some(format!(
                    "in {name} record {number} is {:.0} days later than the one before it{others}: captures of different times are joined there, \
                     or a clock was set. Look at each part alone (`editcap -r IN OUT 1-{}`, then the records from {number} on)",
                    apart_ns as f64 / DAY as f64,
                    number.saturating_sub(1),
                ));
            }
            None => {}
        }
        self.made().or_else(|| self.unsorted())
    }

    /// Whether its stamps say nothing of time: they are of no clock, or leap back and forth.
    pub(crate) fn is_timeless(&self) -> bool {
        self.made().is_some() || (self.first_leap.is_some() && self.falls)
    }

    /// Why its stamps are of no clock, so that they say nothing of time; none if they may be.
    pub(crate) fn made(&self) -> Option<String> {
        let name = self.named();
        if self.records >= MIN_EQUAL_GAPS && self.apart_ns.is_some_and(|apart| apart <= TOGETHER) {
            return Some(format!(
                "the records in {name} are all stamped {} ns apart: no clock does that, so the file was made or altered, and of time nothing can be told",
                self.apart_ns.unwrap_or_default()
            ));
        }
        if self.records >= MIN_WHOLE && self.fractions == 0 {
            return Some(format!(
                "all {} records in {name} are stamped at whole seconds, however many lie in one: no clock that measures does that, so the file was made or altered, \
                 and of shorter times nothing can be told",
                self.records
            ));
        }
        let Even { apart_ns, records, .. } = self.even;
        if self.records >= MANY_EVEN
            && self.turns >= TURNS
            && apart_ns > TOGETHER
            && records as f64 >= EVEN * self.records as f64
        {
            return Some(format!(
                "{records} of {} records in {name} are stamped {} ms behind the one before them, whichever end sent them: no clock does that, so the file was made or \
                 altered, and of time nothing can be told",
                self.records,
                apart_ns as f64 / 1e6
            ));
        }
        None
    }

    fn unsorted(&self) -> Option<String> {
        let name = self.named();
        (self.backwards > FEW_BACKWARDS.max(self.records / 1000)).then(|| {
            format!(
                "records in {name} are not in the order of their time ({} of {}): sort them (`reordercap`)",
                self.backwards, self.records
            )
        })
    }

    /// Why no time this short is one that was measured, in nanoseconds: the stamps step back by more, again and again; none if they do not.
    pub(crate) fn steps_back(&self, time_ns: u64) -> Option<String> {
        (self.steps_back > FEW_BACKWARDS && time_ns < self.step_back_ns).then(|| {
            let most_us = self.step_back_ns as f64 / 1e3;
            let most =
                if most_us < 1e3 { format!("{most_us:.0} us") } else { format!("{:.1} ms", most_us / 1e3) };
            format!("the capture's clock steps back {} times, by up to {most}", self.steps_back)
        })
    }

    /// Takes a packet of TCP between two addresses.
    fn note_tcp(&mut self, record: &Record, [src, dst]: [IpAddr; 2], segment: &Segment) {
        if matches!(record.seen, Seen::Host(_)) {
            self.lulls.see(record.stamp_ns, dst, segment);
        }
        self.turns += u64::from(self.source.replace(src).is_some_and(|before| before != src));
    }

    /// Takes the next record.
    pub(crate) fn note(&mut self, record: &Record) {
        self.likeness.see(record);
        self.records += 1;
        self.cut += u64::from(record.captured < record.length);
        let headers = if self.place == Some(Place::Air) { OF_THE_AIR } else { OF_A_HOST };
        if record.captured < record.length.min(headers) && matches!(record.seen, Seen::Unread) {
            self.cut_unread += 1;
            self.kept_unread = self.kept_unread.max(record.captured);
        }
        if let Seen::Air(frame) = &record.seen
            && frame.amsdu
            && !frame.protected
            && record.captured < record.length
        {
            self.cut_amsdus += 1;
        }
        let packet = match &record.seen {
            Seen::Air(frame) => frame.packet,
            Seen::Host(packet) => Some(*packet),
            Seen::Other | Seen::Unread => None,
        };
        if let Some(Packet { transport: Transport::Cut(protocol), .. }) = packet
            && record.captured < record.length
        {
            self.cut_headers += 1;
            if protocol == Protocol::TCP {
                self.cut_tcp += 1;
                self.snap_length = self.snap_length.max(record.captured);
            }
        }
        if let Some(Packet { transport: Transport::Other(protocol), .. }) = packet {
            self.tunnelled += u64::from(protocol.is_tunnel());
        }
        self.in_tunnels += u64::from(packet.is_some_and(|packet| packet.identity.tunnels > 0));
        if let Some(Packet { src, dst, transport: Transport::Tcp(segment), .. }) = packet {
            self.note_tcp(record, [src, dst], &segment);
        }
        let at = record.stamp_ns;
        self.fractions += u64::from(!at.is_multiple_of(SECOND));
        let before = self.last_ns.replace(at).unwrap_or(at);
        let apart = at.checked_sub(before);
        if self.records > 1 {
            self.even.note(apart.unwrap_or_default());
        }
        match self.records {
            1 => {}
            2 => self.apart_ns = apart,
            _ => self.apart_ns = self.apart_ns.filter(|_| self.apart_ns == apart),
        }
        let back_ns = before.saturating_sub(at);
        self.backwards += u64::from(back_ns > BACKWARDS);
        self.steps_back += u64::from(back_ns > 0);
        self.step_back_ns = self.step_back_ns.max(back_ns);
        self.falls |= before.saturating_sub(at) > LEAP;
        if at.saturating_sub(before) > LEAP {
            self.leaps += 1;
            self.first_leap.get_or_insert((record.number, at - before));
        }
        if apart.is_some_and(|apart| apart >= UNWATCHED) {
            self.unwatched.push((before, at));
        }
        let (first, last) = self.span_ns.unwrap_or((at, at));
        self.span_ns = Some((first.min(at), last.max(at)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_trace::LinkType;

    #[test]
    fn a_time_shorter_than_steps_of_the_clock_is_not_measured() {
        let mut stats = CaptureStats::new(PathBuf::from("steps.pcap"), 0);
        for (number, at) in (1..).zip([0, 30, 21, 40, 35, 60, 55, 80, 75]) {
            let (stamp_ns, link) = (SECOND + at * 1_000_000, LinkType::ETHERNET);
            let seen = Seen::Other;
            stats.note(&Record { number, stamp_ns, interface: 0, link, captured: 60, length: 60, seen });
        }
        let said = "the capture's clock steps back 4 times, by up to 9.0 ms".to_owned();
        assert_eq!(
            [0, 8_999_999, 9_000_000].map(|time| stats.steps_back(time)),
            [Some(said.clone()), Some(said), None]
        );
    }

    #[test]
    fn a_minute_without_any_record_ends_what_is_watched() {
        let mut stats = CaptureStats::new(PathBuf::from("joined.pcap"), 0);
        for (number, at) in (1..).zip([0, 10, 69, 200_000, 200_005]) {
            let (stamp_ns, link) = (at * SECOND, LinkType::ETHERNET);
            stats.note(&Record {
                number,
                stamp_ns,
                interface: 0,
                link,
                captured: 60,
                length: 60,
                seen: Seen::Other,
            });
        }
        let watched = |since: u64| stats.watched_ns(since * SECOND) / SECOND;
        assert_eq!([0, 50, 69, 200_001, 300_000].map(watched), [69, 19, 0, 4, 0]);
    }

    #[test]
    fn stamps_that_no_clock_gives_say_nothing_of_time_and_others_in_disorder_do() {
        let stats = |apart: fn(u64) -> u64| {
            let mut stats = CaptureStats::new(PathBuf::from("made.pcap"), 0);
            for number in 1..=200_u32 {
                let (stamp_ns, link) = (SECOND + apart(u64::from(number)), LinkType::ETHERNET);
                let seen = Seen::Other;
                stats.note(&Record { number, stamp_ns, interface: 0, link, captured: 60, length: 60, seen });
            }
            (stats.made().is_some(), stats.disorder().is_some())
        };
        assert_eq!(stats(|number| number), (true, true), "a nanosecond apart");
        assert_eq!(stats(|number| (number ^ 1) * 100_000_000), (false, true), "misplaced");
        assert_eq!(stats(|number| number / 5 * SECOND), (true, true), "five in each second");
        assert_eq!(
            stats(|number| number / 5 * SECOND + number / 200),
            (false, false),
            "one between two seconds"
        );
        assert_eq!(stats(|number| number * number * 1_000_000), (false, false));
    }
}
