//! ICMP echo: what one host asks another, and what comes back.

use crate::packet::ICMP_V6;
use crate::tcp::{AT_HOST, RoundTrips};
use crate::{Bins, Packet, Transport};
use airloom_wire::{EchoKind, Protocol};
use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;

/// The most pairs of hosts that are followed.
const MOST: usize = 256;
/// The most requests of a pair that may still be answered.
const MOST_OPEN: usize = 256;
/// The most datagrams of which further fragments may come.
const MOST_PARTED: usize = 64;
/// How long a first answer may take, in nanoseconds: `ping` asks again then.
const UNANSWERED: u64 = 1_000_000_000;

/// What one host asks another by ICMP echo (RFC 792, RFC 4443 section 4).
#[derive(Clone, Debug)]
pub struct Pings {
    /// Which one asks, and which one answers.
    pub ends: [IpAddr; 2],
    /// Requests, and those of them of which an answer was captured.
    pub requests: u64,
    /// See `requests`.
    pub answered: u64,
    /// Requests to which an ICMP error came instead of an answer.
    pub returned: u64,
    /// Answers to no request that was captured.
    pub unasked: u64,
    /// Octets of data in requests and answers, and the most in one of them: `ping` sends 56, that of Windows 32.
    pub octets: u64,
    /// See `octets`.
    pub longest: u32,
    /// The first and the last packet, in nanoseconds since 1970.
    pub span_ns: [u64; 2],
    /// From a request to its answer. Where several that have no answer have the same number, which of them an answer is to does not show.
    pub round_trips: RoundTrips,
    /// Requests that were answered over time, each when it was asked.
    pub came: Bins,
    /// The same of those that no answer came to while they were followed.
    lost: Bins,
    /// Requests that may still be answered: identifier and number, and when they were captured.
    open: VecDeque<((u16, u16), u64)>,
}

/// What all hosts of a capture ask each other.
#[derive(Clone, Debug, Default)]
pub struct AllPings {
    pairs: BTreeMap<[IpAddr; 2], Pings>,
    /// Requests and answers between pairs that are not followed.
    left_out: u64,
    /// The last datagrams of which fragments came, the oldest first.
    parted: VecDeque<Parted>,
}

/// The fragments of a datagram that have come.
#[derive(Clone, Copy, Debug)]
struct Parted {
    /// Source, destination, and the number of IPv4: none in version 6.
    key: (IpAddr, IpAddr, Option<u16>),
    /// Octets of data in them.
    octets: u32,
    /// The hosts between which it is an echo, once its first fragment has come.
    of: Option<[IpAddr; 2]>,
}

impl Pings {
    fn new(ends: [IpAddr; 2], now_ns: u64) -> Self {
        Self {
            ends,
            requests: 0,
            answered: 0,
            returned: 0,
            unasked: 0,
            octets: 0,
            longest: 0,
            span_ns: [now_ns; 2],
            round_trips: RoundTrips::default(),
            came: Bins::from(now_ns),
            lost: Bins::from(now_ns),
            open: VecDeque::new(),
        }
    }

    /// Requests of which an answer may still come: the capture went on behind them, for as long as is said of each by its time, for no more than twice the longest round trip
    /// so far, or a second where none was answered. All times are in nanoseconds.
    pub fn open(&self, watched_ns: impl Fn(u64) -> u64) -> u64 {
        let within_ns = self.within_ns();
        self.open.iter().filter(|(_, asked_ns)| watched_ns(*asked_ns) <= within_ns).count() as u64
    }

    /// Requests that no answer came to, over time, each when it was asked; without those of which one may still come, as of [`Self::open`].
    pub fn lost(&self, watched_ns: impl Fn(u64) -> u64) -> Bins {
        let (mut lost, within_ns) = (self.lost.clone(), self.within_ns());
        let silent = self.open.iter().filter(|(_, asked_ns)| watched_ns(*asked_ns) > within_ns);
        silent.for_each(|&(_, asked_ns)| lost.note(asked_ns, 1.0));
        lost
    }

    /// How long an answer may take, in nanoseconds.
    fn within_ns(&self) -> u64 {
        self.round_trips.quantile_ms(1.0).map_or(UNANSWERED, |ms| (2e6 * ms) as u64)
    }

    /// Whether the capture was made at the host that answers: half of the answers come as soon as only a host's own kernel gives them.
    pub fn is_at_answerer(&self) -> bool {
        self.round_trips.quantile_ms(0.5).is_some_and(|ms| 1e6 * ms < AT_HOST as f64)
    }

    fn asks(&mut self, now_ns: u64, which: (u16, u16)) {
        self.requests += 1;
        if self.open.len() == MOST_OPEN
            && let Some((_, asked_ns)) = self.open.pop_front()
        {
            self.lost.note(asked_ns, 1.0);
        }
        self.open.push_back((which, now_ns));
    }

    fn is_returned(&mut self, which: (u16, u16)) {
        let place = self.open.iter().rposition(|(asked, _)| *asked == which);
        self.returned += u64::from(place.and_then(|place| self.open.remove(place)).is_some());
    }

    fn answers(&mut self, now_ns: u64, number: u32, which: (u16, u16)) {
        let place = self.open.iter().rposition(|(asked, _)| *asked == which);
        let Some((_, asked_ns)) = place.and_then(|place| self.open.remove(place)) else {
            self.unasked += 1;
            return;
        };
        self.answered += 1;
        self.came.note(asked_ns, 1.0);
        if !self.open.iter().any(|(asked, _)| *asked == which) {
            self.round_trips.add(now_ns, number, now_ns.saturating_sub(asked_ns), false);
        }
    }
}

impl AllPings {
    /// Takes a packet of a host.
    pub fn see(&mut self, now_ns: u64, number: u32, packet: &Packet) {
        if let Transport::Later(Protocol::ICMP | ICMP_V6, octets) = packet.transport {
            self.goes_on(packet, octets);
        }
        if let Transport::Returned { ends, echo: Some(which), .. } = packet.transport
            && let Some(pings) = self.pairs.get_mut(&ends)
        {
            pings.is_returned(which);
        }
        let Transport::Echo { kind, ident, sequence, payload } = packet.transport else { return };
        let ends = match kind {
            EchoKind::Request => [packet.src, packet.dst],
            EchoKind::Reply => [packet.dst, packet.src],
        };
        if self.pairs.len() == MOST && !self.pairs.contains_key(&ends) {
            self.left_out += 1;
            return;
        }
        let payload = self.begins(packet, payload, ends);
        let pings = self.pairs.entry(ends).or_insert_with(|| Pings::new(ends, now_ns));
        pings.octets += u64::from(payload);
        pings.longest = pings.longest.max(payload);
        pings.span_ns = [pings.span_ns[0].min(now_ns), pings.span_ns[1].max(now_ns)];
        match kind {
            EchoKind::Request => pings.asks(now_ns, (ident, sequence)),
            EchoKind::Reply => pings.answers(now_ns, number, (ident, sequence)),
        }
    }

    /// Takes an echo, which may be the first fragment of one: the octets of data of all its fragments so far. Some hosts send the last one first.
    fn begins(&mut self, packet: &Packet, payload: u32, ends: [IpAddr; 2]) -> u32 {
        let key = (packet.src, packet.dst, packet.identity.number);
        let sooner = self.parted.iter().position(|one| one.key == key && one.of.is_none());
        let before = sooner.and_then(|place| self.parted.remove(place)).map_or(0, |one| one.octets);
        let octets = payload.saturating_add(before);
        self.parts(Parted { key, octets, of: Some(ends) });
        octets
    }

    /// Takes a fragment behind the first of a datagram.
    fn goes_on(&mut self, packet: &Packet, octets: u32) {
        let key = (packet.src, packet.dst, packet.identity.number);
        let Some(known) = self.parted.iter_mut().rfind(|one| one.key == key) else {
            return self.parts(Parted { key, octets, of: None });
        };
        known.octets = known.octets.saturating_add(octets);
        if let Some(pings) = known.of.and_then(|ends| self.pairs.get_mut(&ends)) {
            pings.octets += u64::from(octets);
            pings.longest = pings.longest.max(known.octets);
        }
    }

    fn parts(&mut self, one: Parted) {
        if self.parted.len() == MOST_PARTED {
            self.parted.pop_front();
        }
        self.parted.push_back(one);
    }

    /// All pairs, and how many requests and answers were between others.
    pub fn finish(self) -> (Vec<Pings>, u64) {
        (self.pairs.into_values().collect(), self.left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Identity;
    use airloom_wire::{EchoKind::Reply, EchoKind::Request, Ecn};
    use std::net::Ipv4Addr;

    const MS: u64 = 1_000_000;

    /// A request of a host to the first one, or the answer to it.
    fn packet(host: u32, kind: EchoKind, sequence: u16) -> Packet {
        let [asks, answers] = [host, 1].map(|host| IpAddr::V4(Ipv4Addr::from_bits(host)));
        let (src, dst) = if kind == Request { (asks, answers) } else { (answers, asks) };
        let transport = Transport::Echo { kind, ident: 7, sequence, payload: 1000 };
        let (identity, transmission) = Default::default();
        Packet { src, dst, dscp: 0, ecn: Ecn::NotEct, length: 1028, identity, transmission, transport }
    }

    #[test]
    fn answers_are_found_by_their_numbers_and_round_trips_where_these_are_of_one_request() {
        let mut all = AllPings::default();
        let packets = [
            (0, Request, 0),
            (100, Request, 0),
            (103, Reply, 0),
            (200, Request, 1),
            (205, Reply, 1),
            (300, Reply, 5),
        ];
        for (at, kind, sequence) in packets {
            all.see(at * MS, 1, &packet(9, kind, sequence));
        }
        let (found, left_out) = all.finish();
        let [one] = &found[..] else { panic!("one pair") };
        assert_eq!((one.requests, one.answered, one.unasked, left_out), (3, 2, 1, 0));
        assert_eq!((one.octets, one.longest, one.span_ns), (6000, 1000, [0, 300 * MS]));
        assert_eq!(one.round_trips.least_ns(), Some(5 * MS));
    }

    #[test]
    fn fragments_of_an_echo_are_one_in_whatever_order_they_come() {
        let later = |number| Packet {
            identity: Identity { number, ..Identity::default() },
            transport: Transport::Later(Protocol::ICMP, 28),
            ..packet(9, Request, 0)
        };
        let first = |number, sequence| Packet {
            identity: Identity { number, ..Identity::default() },
            ..packet(9, Request, sequence)
        };
        let mut all = AllPings::default();
        for one in [later(Some(5)), first(Some(5), 0), first(Some(6), 1), later(Some(6)), later(Some(6))] {
            all.see(0, 1, &one);
        }
        // In version 6 no number tells them apart; they come in their order.
        [first(None, 2), later(None), first(None, 3)].iter().for_each(|one| all.see(0, 1, one));
        // A message of another kind.
        all.see(0, 1, &Packet { transport: Transport::Other(Protocol::ICMP), ..packet(9, Request, 0) });
        let (found, _) = all.finish();
        assert_eq!((found[0].requests, found[0].longest, found[0].octets), (4, 1056, 4 * 1000 + 4 * 28));
    }

    #[test]
    fn answers_that_come_at_once_are_given_where_the_capture_was_made() {
        let at_answerer = |trip_ns: u64| {
            let mut all = AllPings::default();
            for number in 0..10 {
                let at = u64::from(number) * 100 * MS;
                all.see(at, 1, &packet(9, Request, number));
                all.see(at + if number == 7 { 3 * MS } else { trip_ns }, 1, &packet(9, Reply, number));
            }
            all.finish().0[0].is_at_answerer()
        };
        assert_eq!([0, 60_000, 180_000, 20 * MS].map(at_answerer), [true, true, false, false]);
        let mut none = AllPings::default();
        none.see(0, 1, &packet(9, Request, 0));
        assert!(!none.finish().0[0].is_at_answerer(), "nothing is answered");
    }

    #[test]
    fn what_was_asked_just_before_the_end_may_still_be_answered() {
        let mut all = AllPings::default();
        let asked =
            [(0, Request, 0), (20, Reply, 0), (100, Request, 1), (180, Request, 2), (200, Request, 3)];
        for (at, kind, sequence) in asked {
            all.see(at * MS, 1, &packet(9, kind, sequence));
        }
        let watched = |end_ms: u64| move |asked_ns: u64| (end_ms * MS).saturating_sub(asked_ns);
        let open = |at_ms: u64| all.clone().finish().0[0].open(watched(at_ms));
        assert_eq!([open(210), open(230), open(300)], [2, 1, 0], "twice the round trip of 20 ms");
        let one = &all.clone().finish().0[0];
        let many = |bins: &Bins| bins.bins().iter().map(|bin| bin.count).sum::<u32>();
        let lost = |at_ms: u64| many(&one.lost(watched(at_ms)));
        assert_eq!(
            ([lost(210), lost(230), lost(300)], many(&one.came)),
            ([1, 2, 3], 1),
            "all that was asked"
        );
        let mut none = AllPings::default();
        none.see(0, 1, &packet(9, Request, 0));
        let open = |at_ms: u64| none.clone().finish().0[0].open(watched(at_ms));
        assert_eq!([open(900), open(1100)], [1, 0]);
    }

    #[test]
    fn what_a_router_returns_is_not_unanswered() {
        let mut all = AllPings::default();
        all.see(0, 1, &packet(9, Request, 0));
        all.see(1, 2, &packet(9, Request, 1));
        let asked = packet(9, Request, 0);
        let transport = Transport::Returned {
            ends: [asked.src, asked.dst],
            echo: Some((7, 0)),
            segment: None,
            why: None,
        };
        (0..2).for_each(|at| all.see(2 + at, 3, &Packet { transport, ..packet(9, Reply, 0) }));
        let (found, _) = all.finish();
        assert_eq!((found[0].requests, found[0].returned, found[0].open(|_| 0)), (2, 1, 1));
    }

    #[test]
    fn what_is_no_longer_followed_is_lost_when_it_was_asked() {
        let mut all = AllPings::default();
        (0..300).for_each(|number| all.see(u64::from(number) * 100 * MS, 1, &packet(9, Request, number)));
        let lost = all.finish().0[0].lost(|_| u64::MAX);
        assert_eq!(lost.bins().iter().map(|bin| bin.count).sum::<u32>(), 300);
        assert!((lost.sum(0, 5_000 * MS) - 50.0).abs() <= 1.0, "ten each second, to a bin");
    }

    #[test]
    fn pairs_beyond_those_that_are_followed_are_counted() {
        let mut all = AllPings::default();
        (0..300).for_each(|host| all.see(0, 1, &packet(10 + host, Request, 0)));
        let (found, left_out) = all.finish();
        assert_eq!((found.len(), left_out), (MOST, 44));
    }
}
