//! One connection: its two ends, how it was opened, and the data in both directions.

use super::answers::Answers;
use super::copies::{Copies, Heard};
use super::cut_off::CutOff;
use super::direction::{Context, DELAYED, Direction, NEAR};
use super::echoes::{Echoes, Recent};
use super::interruptions::Interruptions;
use super::lateness::Lateness;
use super::reset::{Hops, Reset};
use super::round_trips::LONGEST;
use super::sequence;
use super::syns::Syns;
use super::vantage::{AT_HOST, Vantage};
use crate::{Bins, Packet, Segment, Transmission};
use airloom_wire::{Ecn, TcpFlags, TcpOptions};
use std::net::SocketAddr;

/// A SYN so long after all else, in nanoseconds, was not captured late.
const OVER: u64 = 1_000_000_000;

/// A packet that was captured so much earlier than another of its connection, and lies behind it in the file, is misplaced, in
/// nanoseconds: several interfaces or processors of a machine put less out of order.
const MISPLACED: u64 = 10_000_000;
/// By so much more than the way an end's answer behind a pause may take, in nanoseconds, and count as a round trip.
const PAUSED: u64 = 1_000_000;
/// A connection without new data for so long pauses, in nanoseconds, beside the way to the end that goes on.
const PAUSE: u64 = 10_000_000;

/// A way is far from here on, in nanoseconds.
const FAR: u64 = 20_000_000;

/// So many round trips of a connection, or its handshake, show where it was captured.
const MIN_TRIPS: u64 = 8;
/// So many short frames of an end, all of them filled, were not captured at its host.
const ALL_FILLED: u64 = 3;
/// An end whose answers all take longer, those of its kernel to the handshake among them, is not at the capture, in nanoseconds.
const ELSEWHERE: u64 = 2_000_000;

/// How a connection was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// From the first SYN that was captured to the packet that ends the handshake, in nanoseconds.
    pub took_ns: u64,
    /// SYNs and SYN-ACKs until then.
    pub times: [u32; 2],
    /// Whether the first answer was an acknowledgment of something else: the end that was called still had an earlier connection of the same ports
    /// (RFC 9293 section 3.10.7.4 has it answer so, and figure 10 shows what follows).
    pub was_known: bool,
    /// Which of several SYNs the first answer was to, counted from 1, by the clock value that it echoes; none where that does not show.
    pub answered: Option<u32>,
}

/// How much may be remembered of a connection: pieces of outstanding data, and packets of each end that may come again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room {
    pub(super) pieces: usize,
    pub(super) packets: usize,
}

/// When a packet was captured, in nanoseconds since 1970, its record, and the end that sent it: 0 or 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    pub(super) now_ns: u64,
    pub(super) number: u32,
    pub(super) from: usize,
}

/// What one end said as it opened the connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offer {
    /// When its first SYN or SYN-ACK was captured, in nanoseconds since 1970.
    pub at_ns: u64,
    /// Its record.
    pub number: u32,
    /// How often it was captured.
    pub times: u32,
    /// Which of its transmissions was captured first.
    pub transmission: Transmission,
    /// Its initial sequence number.
    pub sequence: u32,
    /// The largest segment that it takes, in octets; none if it did not say: 536 then (RFC 9293 section 3.7.1), which ns-3's
    /// senders exceed.
    pub mss: Option<u16>,
    /// The scale of its windows, if it offers scaling.
    pub window_scale: Option<u8>,
    /// It takes SACKs.
    pub sack: bool,
    /// It has timestamps.
    pub timestamps: bool,
    /// It offers or agrees to the accurate one (RFC 9768 section 3.1).
    pub accurate_ecn: bool,
}

impl Offer {
    fn of(passage: Passage, transmission: Transmission, segment: &Segment) -> Self {
        let TcpOptions { mss, window_scale, sack_permitted, timestamps, .. } = segment.header.options;
        Self {
            at_ns: passage.now_ns,
            number: passage.number,
            times: 1,
            transmission,
            sequence: segment.header.seq,
            mss,
            window_scale,
            sack: sack_permitted,
            timestamps: timestamps.is_some(),
            accurate_ecn: match accurate(segment.header.flags) {
                // What a SYN-ACK says of the SYN's codepoint, by table 2 there.
                ace if segment.header.flags.contains(TcpFlags::ACK) => {
                    matches!(ace, 0b010 | 0b011 | 0b100 | 0b110)
                }
                ace => ace == 0b111,
            },
        }
    }

    /// Whether it was sent once as far as the capture tells, so that what comes back answers what was captured.
    fn was_seen_once(&self) -> bool {
        self.times == 1 && self.transmission == Transmission::First
    }
}

/// The field of three bits by which a receiver of accurate ECN counts packets that came with a mark (RFC 9768 section 3.2.2).
pub(super) fn accurate(flags: TcpFlags) -> u8 {
    let bit = |flag| u8::from(flags.contains(flag));
    bit(TcpFlags::AE) << 2 | bit(TcpFlags::CWR) << 1 | bit(TcpFlags::ECE)
}

/// A TCP connection.
#[derive(Clone, Debug)]
pub struct Connection {
    /// Its ends. The first opened it, by its SYN; without a handshake the first is the end whose packet was captured first.
    pub ends: [SocketAddr; 2],
    /// What each end said as it opened; none of an end whose SYN or SYN-ACK was not captured.
    pub offers: [Option<Offer>; 2],
    /// Data from each end to the other.
    pub directions: [Direction; 2],
    /// When the first and the last packet was captured, in nanoseconds since 1970.
    pub span_ns: (u64, u64),
    /// The record of the first packet.
    pub number: u32,
    /// Packets of each end, with copies.
    pub packets: [u64; 2],
    /// Those of them that the monitor heard only as a retry: it missed the first transmission.
    pub heard_later: [u64; 2],
    /// Whether routers lie between each end and where the capture was made: its last packet has fewer hops left than any host begins with.
    pub routed: [bool; 2],
    /// Short frames of each end: those that were not filled to the least that Ethernet carries, and those that were.
    short: [[u64; 2]; 2],
    /// Whether each end has said that it is done (FIN).
    pub finished: [bool; 2],
    /// What ended the connection at once, if an end did.
    pub reset: Option<Reset>,
    /// From the SYN to the last packet of the handshake, in nanoseconds, if all three packets were captured and none was sent
    /// twice.
    pub handshake_ns: Option<u64>,
    /// How it was opened, if the handshake was captured.
    pub opening: Option<Opening>,
    /// The shortest time from where the capture was made to each end and back, in nanoseconds: from the handshake, from data to
    /// its acknowledgment, or from a clock value to its echo.
    pub distance_ns: [Option<u64>; 2],
    /// Whether the capture was made at the host of each end, as others of its connections show.
    pub(super) hosts: [bool; 2],
    /// Spells in which packets of each end were held up on their way to where the capture was made.
    pub interruptions: [Interruptions; 2],
    /// Whether what passed on its way to each end came through.
    pub cut_off: [CutOff; 2],
    echoes: [Echoes; 2],
    /// How late packets of each end pass.
    lateness: [Lateness; 2],
    /// The same as `distance_ns` lately, without pauses of the end, which would count as a part of the way.
    recent: [Recent; 2],
    copies: [Copies; 2],
    hops: [Hops; 2],
    /// When the last packet of each end was captured, in nanoseconds since 1970.
    pub last_ns: [Option<u64>; 2],
    /// When new data last passed, and of which end.
    data: Option<(u64, usize)>,
    /// How far at most a packet lies behind others that are stamped later, in nanoseconds.
    back_ns: u64,
    /// Whether the end that was called answered the SYN with an acknowledgment of something else.
    was_known: bool,
    /// The SYNs until the first answer, and which of them that was to.
    syns: Syns,
    answered: Option<u32>,
    /// Answers of the end that was called: its data behind data of the other one.
    answers: Answers,
    established: bool,
}

impl Connection {
    pub(super) fn new(ends: [SocketAddr; 2], now_ns: u64, number: u32) -> Self {
        Self {
            ends,
            offers: [None; 2],
            directions: Default::default(),
            span_ns: (now_ns, now_ns),
            number,
            packets: [0; 2],
            heard_later: [0; 2],
            routed: [false; 2],
            short: Default::default(),
            finished: [false; 2],
            reset: None,
            handshake_ns: None,
            opening: None,
            distance_ns: [None; 2],
            hosts: [false; 2],
            interruptions: Default::default(),
            cut_off: Default::default(),
            echoes: Default::default(),
            lateness: Default::default(),
            recent: Default::default(),
            copies: Default::default(),
            hops: Default::default(),
            last_ns: [None; 2],
            data: None,
            back_ns: 0,
            was_known: false,
            syns: Syns::default(),
            answered: None,
            answers: Answers::default(),
            established: false,
        }
    }

    /// Whether the SYN and the SYN-ACK were captured. Otherwise the scale of windows is not known, nor what a segment holds.
    pub const fn handshake_seen(&self) -> bool {
        self.offers[0].is_some() && self.offers[1].is_some()
    }

    /// Whether it is over.
    pub const fn closed(&self) -> bool {
        self.reset.is_some() || (self.finished[0] && self.finished[1])
    }

    /// Octets of payload, both ways.
    pub const fn octets(&self) -> u64 {
        self.directions[0].octets + self.directions[1].octets
    }

    /// How many bins there is room for.
    pub(super) fn room(&self) -> usize {
        self.directions.iter().flat_map(Direction::bins).map(Bins::room).sum()
    }

    /// Makes do with half of the bins.
    pub(super) fn coarsen(&mut self) {
        self.directions.iter_mut().flat_map(Direction::bins_mut).for_each(Bins::coarsen);
    }

    /// The direction in which more octets went: 0 from the first end, 1 from the second.
    pub const fn main_direction(&self) -> usize {
        (self.directions[1].octets > self.directions[0].octets) as usize
    }

    /// Whether its packets are so well in the order of their time that this tells where the capture was made.
    pub const fn is_in_order(&self) -> bool {
        self.back_ns < AT_HOST
    }

    /// Copies that had gone through another number of routers than the packet that they are of.
    pub(super) fn copies_elsewhere(&self) -> u64 {
        self.copies.iter().map(Copies::elsewhere).sum()
    }

    /// Where on the way of the data from an end the capture was made: not known if it was made at two places.
    pub fn vantage(&self, from: usize) -> Vantage {
        if self.copies.iter().any(Copies::show_a_router) {
            return Vantage::Unknown;
        }
        let [first, second] = [from, 1 - from].map(|end| self.way_ns(end));
        match [from, 1 - from].map(|end| self.hosts[end]) {
            [true, _] => Vantage::Sender,
            [_, true] => Vantage::Receiver,
            _ => Vantage::by(first, second),
        }
    }

    /// Whether this connection by itself shows that the capture was made at the host of an end, or that it was not; none if it shows neither.
    pub(super) fn is_at(&self, end: usize) -> Option<bool> {
        let trips = self.directions[1 - end].trips.acknowledged.count();
        let is_one_place = self.is_in_order() && !self.copies.iter().any(Copies::show_a_router);
        let [here, there] = [end, 1 - end].map(|end| self.way_ns(end));
        let opened = self.handshake_ns.is_some();
        // The host itself captures its short frames before they are filled.
        let [bare, filled] = self.short[end];
        if bare == 0 && filled >= ALL_FILLED {
            return Some(false);
        }
        if is_one_place && (opened || trips >= MIN_TRIPS) && Vantage::by(here, there) == Vantage::Sender {
            return Some(true);
        }
        (opened && trips >= MIN_TRIPS && here? >= ELSEWHERE).then_some(false)
    }

    /// The shortest time from where the capture was made to an end and back, in nanoseconds: not to a proxy that acknowledges for it.
    pub fn way_ns(&self, end: usize) -> Option<u64> {
        self.proxied_ns().filter(|_| end == 1).or(self.distance_ns[end])
    }

    /// From the SYN to its answer, in nanoseconds, if neither was sent twice.
    fn syn_ns(&self) -> Option<u64> {
        let [Some(first), Some(second)] = self.offers else { return None };
        (first.was_seen_once() && second.was_seen_once()).then(|| second.at_ns.saturating_sub(first.at_ns))
    }

    /// How long the answer to the SYN took, in nanoseconds, where something on the way acknowledges for the end that was called, as some
    /// proxies and address translations of virtual machines do: hardly any acknowledgment takes a tenth of that, and answers take about as long.
    pub fn proxied_ns(&self) -> Option<u64> {
        let syn_ns = self.syn_ns().filter(|&syn_ns| syn_ns >= FAR)?;
        let trips = &self.directions[0].trips.acknowledged;
        let long_ms = trips.quantile_ms(0.95)?;
        (10.0 * 1e6 * long_ms <= syn_ns as f64 && self.answers.come_from(syn_ns, trips.count()))
            .then_some(syn_ns)
    }

    /// The shortest round trip between the ends, in nanoseconds: the sum of both parts.
    pub fn round_trip_ns(&self) -> Option<u64> {
        Some(self.distance_ns[0]? + self.distance_ns[1]?)
    }

    /// The tick of an end's clock (RFC 7323) in nanoseconds; none if it is not known.
    pub const fn tick_ns(&self, end: usize) -> Option<u64> {
        self.lateness[end].tick_ns()
    }

    /// Whether both ends have agreed to accurate ECN.
    fn accurate_ecn(&self) -> bool {
        self.offers.iter().all(|offer| offer.is_some_and(|offer| offer.accurate_ecn))
    }

    /// The scale of the windows that an end sends; none if it is not known.
    pub fn window_scale(&self, of: usize) -> Option<u8> {
        match self.offers {
            [Some(first), Some(second)] => match (first.window_scale, second.window_scale) {
                (Some(first), Some(second)) => Some([first, second][of]),
                _ => Some(0),
            },
            _ => None,
        }
    }

    /// Octets of payload and options in a full segment from an end; none without a handshake, or if the other end did not say. An end
    /// says what its own network carries, and sends no more than that either.
    fn segment(&self, from: usize) -> Option<u32> {
        let [Some(first), Some(second)] = self.offers else { return None };
        let [own, other] = if from == 0 { [first, second] } else { [second, first] };
        Some(u32::from(other.mss?.min(own.mss.unwrap_or(u16::MAX))).max(1))
    }

    /// Whether what another capture has between the same ends is this connection: by the initial sequence numbers where both have them,
    /// else by octets that both have. Those of two connections differ in 2^32 ways (RFC 9293 section 3.4.1). One end at least agrees, and
    /// none differs: where neither can be compared, equal ends prove nothing.
    pub fn is_one_with(&self, other: &Self) -> bool {
        let agreed = self.agreed(other);
        agreed.contains(&Some(true)) && !agreed.contains(&Some(false))
    }

    /// Whether it is surely another one than what another capture has between the same ends: an end that can be compared differs.
    pub fn differs_from(&self, other: &Self) -> bool {
        self.agreed(other).contains(&Some(false))
    }

    /// For each end whether its numbers are those that another capture has; none where they cannot be compared.
    fn agreed(&self, other: &Self) -> [Option<bool>; 2] {
        let turned = usize::from(self.ends[0] != other.ends[0]);
        let agrees = |end: usize| match (self.offers[end], other.offers[end ^ turned]) {
            (Some(one), Some(other)) => Some(one.sequence == other.sequence),
            _ => {
                let one = self.directions[end].stretch()?;
                Some(sequence::meet(one, other.directions[end ^ turned].stretch()?))
            }
        };
        let same_ends = self.ends == other.ends || self.ends == [other.ends[1], other.ends[0]];
        if same_ends { [agrees(0), agrees(1)] } else { [Some(false); 2] }
    }

    /// Whether a SYN or a SYN-ACK opens a connection of its own between the same ends.
    pub(super) fn is_another(&self, from: usize, now_ns: u64, segment: &Segment) -> bool {
        let flags = segment.header.flags;
        if !flags.contains(TcpFlags::SYN) || self.packets == [0; 2] {
            return false;
        }
        let again = self.offers[from].is_some_and(|offer| offer.sequence == segment.header.seq);
        if flags.contains(TcpFlags::ACK) {
            return !again && self.closed();
        }
        // Small machines begin with the same number each time. Nobody asks again for a connection that an end has closed.
        let is_over = self.closed() && self.established && now_ns > self.span_ns.1;
        !again || is_over || self.finished.contains(&true) && now_ns >= self.span_ns.1 + OVER
    }

    /// Whether a packet says nothing that its end had not said before.
    fn repeats(&self, from: usize, segment: &Segment) -> bool {
        let header = &segment.header;
        if header.flags.contains(TcpFlags::SYN) {
            return self.offers[from].is_some_and(|offer| offer.sequence == header.seq);
        }
        self.directions[from].has_passed(segment)
            && (!header.flags.contains(TcpFlags::ACK)
                || self.directions[1 - from].has_acknowledged(header.ack))
    }

    /// Takes a packet of one end; whether it was captured before.
    pub(super) fn see(&mut self, passage: Passage, packet: &Packet, segment: &Segment, room: Room) -> bool {
        let Passage { now_ns, from, .. } = passage;
        self.packets[from] += 1;
        self.routed[from] = packet.identity.was_routed();
        if let Some(filled) = packet.identity.filled {
            self.short[from][usize::from(filled)] += 1;
        }
        let misplaced = now_ns + MISPLACED < self.span_ns.1;
        self.back_ns = self.back_ns.max(self.span_ns.1.saturating_sub(now_ns));
        self.span_ns.1 = self.span_ns.1.max(now_ns);
        let bare = Segment { payload: 0, ..*segment };
        let (segment, filling) = if segment.fills { (&bare, Some(segment)) } else { (segment, None) };
        let repeats = self.repeats(from, segment);
        let heard = Heard { repeats, misplaced, other_ns: self.last_ns[1 - from] };
        if self.copies[from].is_copy(packet, segment, now_ns, heard, room.packets) {
            self.directions[from].copies += 1;
            return true;
        }
        self.last_ns[from] = Some(now_ns);
        self.takes(passage, packet, segment, room.pieces);
        if let Some(filling) = filling {
            self.directions[from].may_be_filled(now_ns, filling, packet);
        }
        false
    }

    /// Takes a packet of one end that is no copy.
    fn takes(&mut self, passage: Passage, packet: &Packet, segment: &Segment, room: usize) {
        let Passage { now_ns, number, from } = passage;
        let other = 1 - from;
        let transmission = packet.transmission;
        self.heard_later[from] += u64::from(transmission != Transmission::First);
        let flags = segment.header.flags;
        let accurate_ecn = self.accurate_ecn();
        let direction = &mut self.directions[from];
        direction.marks.came += u64::from(segment.payload > 0 && packet.ecn == Ecn::Ce);
        if flags.contains(TcpFlags::SYN) {
            self.opens(passage, transmission, segment);
            return;
        }
        // It is said of windows that losses reduced as well (RFC 3168 section 6.1.2).
        let is_marked = !accurate_ecn && direction.marks.echoed > 0;
        direction.marks.reduced += u64::from(is_marked && flags.contains(TcpFlags::CWR));
        let late_ns = self.timestamps(passage, transmission, segment);
        let has_clock = segment.header.options.timestamps.is_some();
        if flags.contains(TcpFlags::RST) {
            self.resets(passage, packet, segment);
            return;
        }
        self.hops[from].pass(packet);
        let told = self.directions[other].acknowledged;
        self.answers_for_another(from, segment);
        self.establish(passage, flags);
        self.comes_through(passage, segment);
        if flags.contains(TcpFlags::ACK) {
            let context = self.context(now_ns, number, other, room);
            let says_more = segment.payload == 0 || !self.directions[from].has_passed(segment);
            let asks = self.directions[from].asks_for_life(segment);
            let twice = self.directions[other].sacks.twice;
            self.directions[other].told(&context, segment, says_more, asks);
            if self.directions[other].sacks.twice > twice {
                self.doubts_the_handshake(from);
            }
            self.nearer(from, self.directions[other].trips.acknowledged.least_ns());
            if let Some(late) = self.directions[other].answer.take().filter(|_| !has_clock) {
                self.interruptions[from].answered_without_clock(now_ns, number, &late);
            }
        }
        if segment.payload > 0 && !has_clock {
            self.interruptions[from].sent_without_clock(now_ns, number);
        }
        if segment.payload > 0 && transmission == Transmission::First {
            self.stands_below(passage, late_ns);
        }
        let late_ns = late_ns.unwrap_or(0);
        let context = Context { transmission, late_ns, ..self.context(now_ns, number, from, room) };
        let known = self.directions[from].new_octets;
        self.directions[from].sent(&context, segment, packet.identity.number);
        let is_new = self.directions[from].new_octets > known;
        if is_new {
            self.spoke(now_ns, from);
        }
        if let Some(reset) =
            self.reset.as_mut().filter(|_| is_new || self.directions[other].acknowledged > told)
        {
            reset.hears(from, now_ns);
        }
        self.finished[from] |= flags.contains(TcpFlags::FIN);
    }

    /// A packet of one end that ends the connection at once.
    fn resets(&mut self, Passage { now_ns, from, .. }: Passage, packet: &Packet, segment: &Segment) {
        let header = &segment.header;
        let told = |end| Some(header.ack).filter(|_| end == 1 - from && header.flags.contains(TcpFlags::ACK));
        let outstanding = [0, 1].map(|end| self.directions[end].unacknowledged(told(end)));
        let hops = self.hops[from].of_another(packet);
        self.reset.get_or_insert(Reset {
            by: from,
            at_ns: now_ns,
            outstanding,
            finished: self.finished,
            hops,
            went_on: false,
        });
    }

    /// Data of one end passes so late by its clock, in nanoseconds.
    fn stands_below(&mut self, Passage { now_ns, number, from }: Passage, late_ns: Option<u64>) {
        let direction = &mut self.directions[from];
        let idle_ns = direction.span_ns.map_or(u64::MAX, |(_, last_ns)| now_ns.saturating_sub(last_ns));
        if let Some(stood_ns) = late_ns.and_then(|late_ns| self.lateness[from].stood(late_ns, idle_ns)) {
            let waited = direction.trips.waited.get_or_insert_default();
            waited.add_but_over_time(now_ns, number, stood_ns, false);
        }
    }

    /// A packet of one end passes, and shows what had come to it.
    fn comes_through(&mut self, Passage { now_ns, from, .. }: Passage, segment: &Segment) {
        let header = &segment.header;
        let end = header.seq.wrapping_add(segment.payload);
        let in_vain = segment.payload > 1 && self.directions[from].has_acknowledged(end);
        self.cut_off[from].says(
            now_ns,
            header.ack,
            header.options.timestamps.map(|stamps| stamps.echo),
            in_vain,
        );
        self.cut_off[1 - from].passed(now_ns);
    }

    /// An end says of data that it came twice, of which the capture does not have the second time. Before any round trip of data the same may have
    /// become of the SYN, whose answer is then no sample either (RFC 6298 section 3).
    fn doubts_the_handshake(&mut self, from: usize) {
        if self.directions[1 - from].trips.acknowledged.count() == 0 {
            (self.distance_ns[from], self.handshake_ns) = (None, None);
        }
    }

    /// An end sent new data.
    fn spoke(&mut self, now_ns: u64, from: usize) {
        let Some((since_ns, of)) = self.data.replace((now_ns, from)) else { return };
        if let (0, 1, Some(way_ns)) = (of, from, self.syn_ns()) {
            self.answers.took(now_ns.saturating_sub(since_ns), way_ns);
        }
        // What goes before it took the way to that end, and this the way back.
        let from_ns = since_ns + self.distance_ns[from].unwrap_or(0);
        if now_ns.saturating_sub(from_ns) >= PAUSE {
            self.directions[from].paused.lasted(from_ns, now_ns);
        }
    }

    /// The capture ends. Behind the last packet of a connection nothing shows of it, however long the capture goes on.
    pub(super) fn finish(&mut self) {
        let (alive, now_ns) = (!self.closed(), self.span_ns.1);
        for from in [0, 1] {
            let context = self.context(now_ns, 0, from, 0);
            self.directions[from].finish(&context, alive);
        }
    }

    fn context(&self, now_ns: u64, number: u32, from: usize, room: usize) -> Context {
        Context {
            now_ns,
            number,
            to_sender_ns: self.distance_ns[from],
            recent_to_sender_ns: self.recent[from].least_ns().or(self.distance_ns[from]).unwrap_or(0),
            to_receiver_ns: self.distance_ns[1 - from],
            segment: self.segment(from),
            scale: self.window_scale(1 - from),
            receiver_opened: from == 1,
            both_ways: self.packets[1 - from] > 0,
            accurate_ecn: self.accurate_ecn(),
            shows_held: matches!(
                Vantage::by(self.distance_ns[from], self.distance_ns[1 - from]),
                Vantage::Sender | Vantage::Receiver
            ) || self.distance_ns[from].is_some_and(|there_ns| there_ns <= NEAR),
            room,
            transmission: Transmission::First,
            late_ns: 0,
        }
    }

    /// A SYN or a SYN-ACK.
    fn opens(&mut self, passage: Passage, transmission: Transmission, segment: &Segment) {
        let Passage { now_ns, number, from } = passage;
        if !self.established {
            self.reset = None;
        }
        self.answers_syns(from, segment);
        match &mut self.offers[from] {
            Some(offer) => {
                offer.times += 1;
                // A server without state, or another one behind the same address, gives another number with each answer.
                if offer.sequence != segment.header.seq && !self.established {
                    offer.sequence = segment.header.seq;
                    self.directions[from].opened(segment.header.seq);
                }
                let after_ns = now_ns.saturating_sub(offer.at_ns);
                let answered = if from == 0 { self.offers[1].is_some() } else { self.established };
                self.directions[from].handshake_again(now_ns, number, after_ns, answered);
            }
            offer => {
                *offer = Some(Offer::of(passage, transmission, segment));
                self.directions[from].opened(segment.header.seq);
            }
        }
        if let [Some(first), Some(second)] = self.offers
            && from == 1
            && first.was_seen_once()
            && second.was_seen_once()
        {
            self.nearer(1, Some(now_ns.saturating_sub(first.at_ns)));
        }
    }

    /// A SYN, or the first answer to any.
    fn answers_syns(&mut self, from: usize, segment: &Segment) {
        let stamps = segment.header.options.timestamps;
        match (from, self.offers) {
            (0, [first, None]) => {
                if first.is_some_and(|first| first.sequence != segment.header.seq) {
                    self.syns = Syns::default();
                }
                self.syns.sent(stamps.map(|stamps| stamps.value));
            }
            (1, [Some(_), None]) => {
                self.answered = stamps.and_then(|stamps| self.syns.answered(stamps.echo));
            }
            _ => {}
        }
    }

    /// A packet of the end that was called that comes before its SYN-ACK, and acknowledges no SYN.
    fn answers_for_another(&mut self, from: usize, segment: &Segment) {
        if let (1, [Some(first), None]) = (from, self.offers) {
            let of_syn = first.sequence.wrapping_add(1);
            self.was_known |= segment.header.flags.contains(TcpFlags::ACK) && segment.header.ack != of_syn;
        }
    }

    /// The packet with which the end that opened ends the handshake.
    fn establish(&mut self, Passage { now_ns, from, .. }: Passage, flags: TcpFlags) {
        if self.established || from == 1 || !flags.contains(TcpFlags::ACK) {
            return;
        }
        self.established = true;
        let [Some(first), Some(second)] = self.offers else { return };
        self.opening = Some(Opening {
            took_ns: now_ns.saturating_sub(first.at_ns),
            times: [first.times, second.times],
            was_known: self.was_known,
            answered: self.answered,
        });
        if first.was_seen_once() && second.was_seen_once() {
            self.nearer(0, Some(now_ns.saturating_sub(second.at_ns)));
            self.handshake_ns = Some(now_ns.saturating_sub(first.at_ns));
        }
    }

    /// Takes a packet's clock value and echo; for how long the packet had waited below its TCP, in nanoseconds; none where that does not show.
    fn timestamps(&mut self, passage: Passage, transmission: Transmission, segment: &Segment) -> Option<u64> {
        let Passage { now_ns, number, from } = passage;
        let stamps = segment.header.options.timestamps?;
        let other = 1 - from;
        // What may have arrived before it was captured would make round trips too short.
        if transmission == Transmission::First {
            self.echoes[from].sent(stamps.value, now_ns);
        }
        self.interruptions[from].sent(stamps.value, now_ns, number);
        if let Some(sample_ns) = self.echoes[other].echoed(stamps.echo, now_ns) {
            self.lateness[from].answers(now_ns.saturating_sub(sample_ns));
            // Data that is later than any acknowledgment shows how long its program paused.
            if segment.payload == 0 || sample_ns <= *DELAYED.end() {
                self.nearer(from, Some(sample_ns));
            }
            if segment.payload == 0 && self.directions[other].packets > 0 {
                let held = self.directions[other].may_be_held();
                self.directions[other].trips.echoed.add(now_ns, number, sample_ns, held);
            }
            let direction = &mut self.directions[from];
            let flows = |(_, last_ns): (u64, u64)| now_ns.saturating_sub(last_ns) < sample_ns / 2;
            let paused = segment.payload > 0 && !direction.span_ns.is_some_and(flows);
            // Behind a pause it may have waited for its program: then it is no longer than the way only if it is as short as others.
            let known = self.recent[from].least_ns().or(self.distance_ns[from]).unwrap_or(0);
            if !paused || sample_ns <= known + PAUSED {
                self.recent[from].add(sample_ns.min(LONGEST));
            }
            if segment.payload > 0 && !paused {
                direction.trips.to_sender.add(now_ns, number, sample_ns, false);
            }
        }
        self.lateness[from].passed(stamps.value, now_ns)
    }

    fn nearer(&mut self, end: usize, sample_ns: Option<u64>) {
        let sample_ns = sample_ns.map(|sample| sample.min(LONGEST));
        self.distance_ns[end] = match (self.distance_ns[end], sample_ns) {
            (Some(known), Some(sample)) => Some(known.min(sample)),
            (known, sample) => known.or(sample),
        };
    }
}
