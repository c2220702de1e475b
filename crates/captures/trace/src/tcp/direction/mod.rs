//! Data from one end of a connection to the other, and the acknowledgments that come back.

mod acknowledged;
mod acks;
mod again;
mod arrivals;
mod batches;
mod beats;
mod bursts;
mod clocking;
mod filling;
mod held;
mod marks;
mod overrun;
mod refused;
mod sacks;
mod trips;
mod uncaptured;

pub use acks::Acks;
use again::InVain;
use arrivals::Arrivals;
pub use batches::Batches;
pub use bursts::Bursts;
pub use clocking::Clocking;
pub use marks::Marks;
pub use overrun::Overrun;
use refused::Refused;
pub use sacks::Sacks;
pub use trips::Trips;
pub use uncaptured::Uncaptured;

use super::belief::{Belief, Verdict};
use super::fullness::Fullness;
use super::interruptions::Answer;
use super::limits::{Data, Limits};
use super::retransmission::{Needless, Reorderings, Retransmission, Retransmissions, Trigger};
use super::scoreboard::{Mark, Passing, Scoreboard};
use super::sequence;
use super::sizes::Size;
use super::stall::{Pause, Stall, Stalls};
use super::stuck::{Shortened, Stuck};
use super::trains::Trains;
use crate::{Bins, Segment, Transmission};
pub(super) use acknowledged::DELAYED;
use airloom_wire::TcpFlags;
use filling::Filling;
pub use held::Held;
pub(super) use held::NEAR;
use std::collections::VecDeque;

/// A sender that an acknowledgment lets send does so within this time, in nanoseconds.
const RELEASED: u64 = 200_000;
/// A silence lasts longer than this and [`SILENT_ROUNDS`] round trips, in nanoseconds.
const SILENT: u64 = 200_000_000;
const SILENT_ROUNDS: u64 = 4;
/// No first timer of a sender is longer, in nanoseconds (RFC 2988 section 2.1: 3 s; RFC 6298: 1 s).
const FIRST_TIMER: u64 = 3_000_000_000;
/// What was sent so often without an answer was not lost by chance, if its first part arrives at once (Windows looks for black holes after two repetitions).
const SHORTENED_FROM: u16 = 3;
/// A sender that waited for an acknowledgment sends within this time and one and a half round trips between capture and sender, in nanoseconds.
const AT_ONCE: u64 = 5_000_000;
/// No more octets than this at a time are taken for outstanding before the first that was captured: wider windows are rare, and a number that is far off is of another stream.
const FARTHEST_BACK: u64 = 1 << 24;
/// A silence of the shortest round trip divided by this is a long one. Ten segments on their way at an even pace, every second one acknowledged, make five
/// acknowledgments in a round trip of up to twice the shortest.
const QUIET_DIVISOR: u64 = 2;

/// A sender that answers sooner is captured above its radio, which waits a DIFS first: 28 us at least (802.11-2020 table 17-21, 18.4.5), in
/// nanoseconds.
const BEFORE_RADIO_NS: u64 = 28_000;

/// What holds for a packet beside its header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) now_ns: u64,
    pub(super) number: u32,
    /// The shortest time from where the capture was made to the sender and back, and to the receiver and back.
    pub(super) to_sender_ns: Option<u64>,
    pub(super) to_receiver_ns: Option<u64>,
    /// The shortest time to the sender and back of the last ones; zero if none is known.
    pub(super) recent_to_sender_ns: u64,
    /// The receiver of this direction opened the connection. What it acknowledges before any data shows which initial sequence number it
    /// took, if the SYN-ACKs gave several.
    pub(super) receiver_opened: bool,
    /// Anything of the receiver has been captured.
    pub(super) both_ways: bool,
    /// Both ends have agreed to accurate ECN.
    pub(super) accurate_ecn: bool,
    /// The capture was made at the sender or at the receiver, or so near to the sender that it shows whether that goes on as an acknowledgment comes.
    pub(super) shows_held: bool,
    /// What the sender's segments hold at most, payload and options, by the handshake.
    pub(super) segment: Option<u32>,
    /// How far the receiver's windows are scaled; none if the handshake is missing.
    pub(super) scale: Option<u8>,
    /// How many pieces of data may be remembered.
    pub(super) room: usize,
    /// Which of the transmissions of the packet was captured first.
    pub(super) transmission: Transmission,
    /// For how long the packet had waited below its TCP, as far as that shows, in nanoseconds.
    pub(super) late_ns: u64,
}

/// Why the sender is recovering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Recovery {
    #[default]
    None,
    Fast,
    Timeout,
    /// For no reason that shows.
    Unclear,
}

/// Data from one end of a connection to the other, and what came back for it.
#[derive(Clone, Debug, Default)]
pub struct Direction {
    /// Packets with payload, without [`copies`](Self::copies).
    pub packets: u64,
    /// Octets of their payload, with those that were sent again.
    pub octets: u64,
    /// Octets of payload that passed for the first time.
    pub new_octets: u64,
    /// Octets that the receiver acknowledged, each once.
    pub acknowledged: u64,
    /// When the first and the last payload was captured, in nanoseconds since 1970.
    pub span_ns: Option<(u64, u64)>,
    /// The longest payload of a packet in octets.
    pub longest: u32,
    /// Packets that were captured more than once: each time after the first.
    pub copies: u64,
    /// Packets with data or acknowledgments that lie in no window of the receiver: damaged, injected, or of another connection.
    pub outside: u64,
    /// Packets with data that came with a congestion mark, and what both ends say of them.
    pub marks: Marks,
    /// Acknowledgments of the receiver.
    pub acks: Acks,
    /// Round trips from where the capture was made to either end and back.
    pub trips: Trips,
    /// What the receiver's SACKs prove by themselves.
    pub sacks: Sacks,
    /// What was sent beyond the receiver's window.
    pub overrun: Overrun,
    /// How acknowledgments let the sender send.
    pub clocking: Clocking,
    /// How fast its new data passes.
    pub sent_trains: Trains,
    /// How fast what is acknowledged grows.
    pub acknowledged_trains: Trains,
    /// What the sender sends at a time.
    pub batches: Batches,
    /// FINs without data that were sent again: none of the retransmissions.
    pub fins_again: u64,
    /// Octets acknowledged over time.
    pub delivered: Bins,
    /// Pauses of the connection, in which no new data passed, that its sender ended, since it was its turn: over time, in nanoseconds.
    pub paused: Bins,
    /// What was sent again.
    pub retransmissions: Retransmissions,
    /// What came late.
    pub reordered: Reorderings,
    /// When it stood still.
    pub stalls: Stalls,
    /// Parts of segments that waited for acknowledgments that were held back.
    pub held: Held,
    /// What the sender waited for.
    pub limits: Limits,
    /// What stood still as the capture ended.
    pub stuck: Option<Stuck>,
    /// What the capture does not have.
    pub uncaptured: Uncaptured,
    /// Where the stream began as far as was seen; none before anything was.
    first: Option<u64>,
    /// Whether a SYN has said so: then nothing lies before it.
    is_opened: bool,
    /// Whether it is no more than where the first captured data begins: no acknowledgment has told yet what lies before that.
    is_assumed: bool,
    fullness: Fullness,
    /// The last zeros that may have filled a frame.
    filling: Option<Filling>,
    board: Scoreboard,
    arrivals: Arrivals,
    recovery: Recovery,
    /// The recovery that ended last.
    ended: Recovery,
    /// The present recovery ends once this octet is acknowledged.
    recover: u64,
    /// When the youngest of all that has arrived had been sent (RFC 8985 section 5.2).
    youngest_ns: Option<u64>,
    /// Acknowledgments that repeated the last since data was acknowledged.
    repeated: u32,
    /// The last stretches that the receiver asked for, by acknowledgments that repeat their first octet or by SACKs above them: from that to the octet
    /// after the last that may be missing.
    asked: VecDeque<(u64, u64)>,
    last_window: Option<u16>,
    /// When the sender's retransmission timer last began anew, as seen from the sender.
    timer_ns: u64,
    /// When the receiver last said anything.
    told_ns: u64,
    /// How long after data its last acknowledgment came, in nanoseconds, and what the one of this packet was.
    trip_ns: Option<u64>,
    pub(super) answer: Option<Answer>,
    /// When it last sent something other than repeated data: new data, or an acknowledgment without data.
    news_ns: u64,
    /// Which numbers are believed.
    belief: Belief,
    /// When something was last sent for the first time or acknowledged.
    progress_ns: Option<u64>,
    last_sent_ns: u64,
    closed_since: Option<(u64, u64)>,
    /// A wait that is a stall if the sender sends as it ends.
    waited: Option<Stall>,
    /// Two full segments were outstanding at once.
    had_two: bool,
    /// What passed again last although it had been acknowledged.
    in_vain: InVain,
    /// Packets that routers said were too big for their way.
    refused: Refused,
    /// When the first outstanding octet last passed again, and the payload of its packet.
    head_again: Option<(u64, u32)>,
    /// When the sender's FIN first passed.
    ended_ns: Option<u64>,
    /// What was sent again and again until its sender gave up, and was answered only then.
    given_up: Option<Stuck>,
    /// What its sender cuts into shorter packets, and its octets: those of the first of these, which is not acknowledged yet, and the one behind them all.
    shortens: Option<Box<(Shortened, [u64; 3])>>,
    /// The first that it did so with, and that was acknowledged then: before it was too long for the way, most likely.
    pub shortened: Option<Box<Shortened>>,
}

impl Direction {
    /// Octets that were sent and not acknowledged, neither before nor by a last acknowledgment.
    pub(super) fn unacknowledged(&self, told: Option<u32>) -> u64 {
        let upto = told.map_or(0, |ack| sequence::near(self.board.next, ack));
        let is_of_it = (self.board.una..=self.board.next).contains(&upto);
        self.board.next - if is_of_it { upto } else { self.board.una }
    }

    /// All that is kept over time.
    pub(super) fn bins(&self) -> impl Iterator<Item = &Bins> {
        [&self.delivered, &self.paused, &self.limits.flight, &self.limits.used]
            .into_iter()
            .chain(self.trips.bins())
            .chain(self.retransmissions.bins())
    }

    /// The same, to be changed.
    pub(super) fn bins_mut(&mut self) -> impl Iterator<Item = &mut Bins> {
        let others = [&mut self.delivered, &mut self.paused, &mut self.limits.flight, &mut self.limits.used];
        others.into_iter().chain(self.trips.bins_mut()).chain(self.retransmissions.bins_mut())
    }

    /// From the first octet that was seen or acknowledged to the one after the last; none without any.
    pub(super) fn stretch(&self) -> Option<(u64, u64)> {
        Some((self.first?, self.board.next))
    }

    /// A SYN with this number opened the stream: whatever was acknowledged or said before it is of another one.
    pub(super) fn opened(&mut self, number: u32) {
        if self.packets == 0 {
            self.begin(sequence::first(number) + 1);
            self.is_opened = true;
        }
    }

    fn begin(&mut self, at: u64) {
        (self.first, self.is_opened, self.is_assumed) = (Some(at), false, false);
        self.board = Scoreboard::begin(at);
        self.limits.begin(at);
        self.arrivals.lose(at);
        (self.recovery, self.recover, self.repeated) = (Recovery::None, 0, 0);
        self.belief.begin();
        self.uncaptured.begin();
        self.asked.clear();
        self.filling = None;
        self.closed_since = None;
        self.batches.anew();
        self.sacks.anew();
        self.overrun.anew();
    }

    /// Octets from this one on are outstanding, too, if all that says otherwise is that the first captured data lies above them.
    pub(super) fn reaches_back(&mut self, at: u64, now_ns: u64, room: usize) {
        let is_near = (1..=FARTHEST_BACK).contains(&self.board.una.saturating_sub(at));
        if self.is_assumed && is_near && self.board.reach_back(at, now_ns, room) {
            self.first = Some(at);
            self.limits.reach_back(at);
        }
    }

    /// Whether all that a segment holds passed before.
    pub(super) fn has_passed(&self, segment: &Segment) -> bool {
        let start = sequence::near(self.board.next, segment.header.seq);
        self.first.is_some() && start + u64::from(segment.sequence_length()) <= self.board.next
    }

    /// Whether a segment without data lies before what its sender sends next: so it asks whether the other end is there (RFC 9293 section 3.8.4).
    pub(super) fn asks_for_life(&self, segment: &Segment) -> bool {
        let start = sequence::near(self.board.next, segment.header.seq);
        self.first.is_some() && segment.sequence_length() == 0 && start < self.board.next
    }

    /// Whether octets up to this number were acknowledged before.
    pub(super) fn has_acknowledged(&self, number: u32) -> bool {
        self.first.is_some() && !self.is_assumed && sequence::near(self.board.next, number) <= self.board.una
    }

    /// Whether octets, or an acknowledgment of what lies before them, are believed. The stream begins anew if only that explains them.
    fn believes(&mut self, context: &Context, start: u64, end: u64) -> bool {
        let named = self.packets == 0 && start == end && context.receiver_opened;
        let outstanding = (self.board.una, self.board.next);
        let least = self.first.filter(|_| self.is_opened).unwrap_or(0);
        let verdict = self.belief.judge(outstanding, context.scale.is_some(), (start, end), (least, named));
        self.outside += u64::from(verdict != Verdict::Inside);
        if verdict == Verdict::Anew {
            self.begin(start);
        }
        verdict != Verdict::Stray
    }

    /// Whether so little is outstanding that the receiver may hold its acknowledgment back: fewer than two full segments
    /// (RFC 9293 section 3.8.6.3).
    pub(super) fn may_be_held(&self) -> bool {
        self.board.flight() < 2 * u64::from(self.segment())
    }

    /// Octets of payload in a full segment.
    pub fn segment(&self) -> u32 {
        self.fullness.payload()
    }

    /// Segments with payload as they went over the wire: an adapter cuts what its host's capture has in one.
    pub fn segments(&self) -> u64 {
        self.octets.div_ceil(u64::from(self.segment()).max(1)).max(self.packets)
    }

    /// Takes a segment of the sender that is no copy and no SYN, in a packet with this number (IPv4's identification).
    pub(super) fn sent(&mut self, context: &Context, segment: &Segment, number: Option<u16>) {
        let header = &segment.header;
        if self.first.is_none() {
            self.begin(sequence::first(header.seq));
            self.is_assumed = true;
        }
        let start = sequence::near(self.board.next, header.seq);
        let length = u64::from(segment.sequence_length());
        if length > 0 && !self.believes(context, start, start + length) {
            return;
        }
        self.goes_on(start, context.room);
        let closed = self.closed_since.is_some();
        let probes = segment.payload <= 1 && length == u64::from(segment.payload);
        if probes && start + 1 == self.board.una && self.board.flight() == 0 {
            self.arrivals.lose(self.board.next);
            if closed {
                self.limits.probed(context.now_ns);
            }
            return;
        }
        if length == 0 {
            self.goes_beyond(context, start, header.options.timestamps.map(|stamps| stamps.value), number);
            return;
        }
        self.reaches_back(start, context.now_ns, context.room);
        self.counted(context, start, segment);
        if probes && closed && start == self.board.una {
            self.arrivals.lose(self.board.next);
            self.limits.probed(context.now_ns);
            return;
        }
        self.carries(context, segment, start, number);
    }

    /// Takes a segment of at least one sequence number from `start` on that lies in the receiver's window and is no probe of it.
    fn carries(&mut self, context: &Context, segment: &Segment, start: u64, number: Option<u16>) {
        let header = &segment.header;
        let end = start + u64::from(segment.sequence_length());
        let mark = Mark { stamp: header.options.timestamps.map(|stamps| stamps.value), number };
        let earlier = context.transmission != Transmission::First;
        let passing = Passing { now_ns: context.now_ns, mark, earlier, payload: segment.payload };
        if segment.payload > 0 {
            self.board.sizes.sent((context.now_ns, context.number), segment.payload);
        }
        self.limits.catch_up(context.now_ns);
        self.goes_off(start, segment, passing, context.room);
        let known = end.min(self.board.next);
        let payload_end = start + u64::from(segment.payload);
        let thrown_away =
            self.overruns((start, payload_end), start >= self.board.next || end > self.board.una);
        if start <= self.board.una && self.board.una < payload_end {
            self.head_again = Some((context.now_ns, segment.payload));
        }
        if header.flags.contains(TcpFlags::FIN) {
            self.ended_ns.get_or_insert(context.now_ns);
        }
        self.new_octets += payload_end.saturating_sub(self.board.next.max(start));
        let mut timed_out = false;
        if start < known && self.is_behind(context, start, known) {
            self.new_octets += known - start;
        } else if start < self.board.next {
            timed_out = self.again(context, (start, end), passing, (payload_end, thrown_away));
        }
        let short = !self.fullness.is_full(segment.payload);
        let beyond = self.belief.is_beyond(end);
        let mut late_ns = context.late_ns;
        if end > self.board.next {
            self.uncaptured.beyond += if beyond { end - start.max(self.board.next) } else { 0 };
            let is_away = context.to_sender_ns.is_none_or(|there_ns| there_ns > RELEASED);
            if !short && self.had_two && is_away {
                // Neither Nagle's algorithm nor a send buffer of one segment holds a full segment back. A window of one would, but away from the sender that
                // looks the same as data that came late.
                self.waited = None;
            }
            late_ns = late_ns.max(self.held_ns(context, short));
            self.sent_new(context, (start, end), short, passing);
        }
        self.last_sent_ns = context.now_ns;
        let sent = Data {
            end,
            segment: u64::from(self.segment()),
            short,
            delayed: earlier,
            timed_out,
            late_ns,
            beyond,
            at_sender: context.to_sender_ns.is_some_and(|there_ns| there_ns < BEFORE_RADIO_NS),
        };
        if segment.payload > 0 {
            self.limits.sent((context.now_ns, context.number), sent, self.recover);
        }
    }

    /// For how long a part of a segment that goes now had waited for an acknowledgment that its receiver held back, in nanoseconds.
    fn held_ns(&self, context: &Context, short: bool) -> u64 {
        let goes_at_once =
            |stall: &Stall| short && released(context).contains(&context.now_ns.saturating_sub(stall.to_ns));
        self.waited.filter(goes_at_once).map_or(0, |stall| context.now_ns.saturating_sub(stall.from_ns))
    }

    /// A segment sets off to its receiver. What an adapter cuts, or what was sent before it was captured, is more than one.
    fn goes_off(
        &mut self,
        start: u64,
        segment: &Segment,
        Passing { now_ns, earlier, .. }: Passing,
        room: usize,
    ) {
        let end = start + u64::from(segment.sequence_length());
        self.arrivals.sent(now_ns, (start, end), self.board.next, room);
        if earlier || segment.payload > self.segment() {
            self.arrivals.lose(self.board.next.max(end));
        }
    }

    /// Data is sent; whether it is sent again since it had gone beyond the receiver's window. A probe of a closed window goes beyond it on purpose.
    fn overruns(&mut self, (start, end): (u64, u64), is_outstanding: bool) -> bool {
        let start = start.max(self.board.una);
        if !is_outstanding || end <= start + 1 {
            return false;
        }
        self.overrun.sent((start, end), self.belief.edge(), u64::from(self.segment().max(1)))
    }

    /// An acknowledgment of the sender says what it sends next (RFC 9293 section 3.10.4): all before that has been sent, captured or not.
    fn goes_beyond(&mut self, context: &Context, start: u64, stamp: Option<u32>, number: Option<u16>) {
        if start <= self.board.next || !self.believes(context, start, start) {
            return;
        }
        let earlier = context.transmission != Transmission::First;
        let passing = Passing { now_ns: context.now_ns, mark: Mark { stamp, number }, earlier, payload: 0 };
        if self.board.flight() == 0 {
            self.timer_ns = context.now_ns;
        }
        self.board.extend(start, start, passing, context.room);
    }

    /// Counts a segment with its payload.
    fn counted(&mut self, context: &Context, start: u64, segment: &Segment) {
        if segment.payload > 0 {
            if self.packets == 0 && !self.is_opened {
                self.uncaptured.begins(start);
            }
            self.packets += 1;
            self.octets += u64::from(segment.payload);
            self.longest = self.longest.max(segment.payload);
            self.clocking.pace.passed(context.now_ns, segment.payload);
            self.went(context.now_ns);
        }
        self.fullness.sent(context.segment, segment.payload, segment.options);
    }

    /// Payload was captured at a time.
    fn went(&mut self, at_ns: u64) {
        let (first, last) = self.span_ns.unwrap_or((at_ns, at_ns));
        self.span_ns = Some((first.min(at_ns), last.max(at_ns)));
    }

    /// Octets passed above the highest that passed before.
    fn sent_new(&mut self, context: &Context, (start, end): (u64, u64), short: bool, passing: Passing) {
        let acknowledged_ns = self.acks.last_ns();
        self.clocking.sent(context, self.last_sent_ns, acknowledged_ns, &self.limits);
        if let Some(stall) = self.waited.filter(|_| short) {
            self.held.goes(context, &stall);
        }
        let octets = end - start.max(self.board.next);
        let pause_ns = context.now_ns.saturating_sub(self.last_sent_ns);
        let is_behind_silence = is_quiet(context, pause_ns) == Some(true);
        self.sent_trains.passed(context.now_ns, octets, self.segment(), is_behind_silence);
        self.clocking.bursts.sent(context, (octets, short), self.last_sent_ns, acknowledged_ns);
        self.progressed(context, true);
        if self.board.flight() == 0 {
            self.timer_ns = context.now_ns;
            if is_quiet(context, context.now_ns.saturating_sub(self.last_sent_ns)) == Some(true) {
                let since_ns = acknowledged_ns.map_or(u64::MAX, |then| context.now_ns.saturating_sub(then));
                self.batches.begins(start, since_ns, context.to_sender_ns.unwrap_or(0));
            }
        }
        self.board.extend(start.max(self.board.next), end, passing, context.room);
        self.had_two |= !self.may_be_held();
    }

    /// Something was sent for the first time, or acknowledged.
    fn progressed(&mut self, context: &Context, sent: bool) {
        let now_ns = context.now_ns;
        let outstanding = self.board.flight();
        let since = self.progress_ns.replace(now_ns).unwrap_or(now_ns);
        let lasted = now_ns.saturating_sub(since);
        // Behind what was not sent again for longer than any first timer lasts an acknowledgment had come that is not in the capture.
        let is_unseen = sent && lasted >= FIRST_TIMER && self.last_sent_ns <= since;
        if outstanding > 0 && !is_unseen {
            self.stood_still(context, since, Some(context.number), outstanding);
        }
        if let Some(stall) = self.waited.take()
            && sent
            && released(context).contains(&now_ns.saturating_sub(stall.to_ns))
        {
            self.stalls.note(stall);
        }
    }

    /// Nothing was sent for the first time or acknowledged since a time, up to now. Where nothing of the receiver is captured, what the sender repeats shows
    /// until when the data was not acknowledged.
    fn stood_still(&mut self, context: &Context, from_ns: u64, number: Option<u32>, outstanding: u64) {
        let to_ns = if context.both_ways { context.now_ns } else { self.retransmissions.last_ns() };
        if to_ns.saturating_sub(from_ns) > self.longest_pause(context) {
            self.stalls.note(Stall { pause: Pause::Silence, from_ns, to_ns, number, outstanding });
        }
    }

    fn longest_pause(&self, context: &Context) -> u64 {
        let round = self.trips.acknowledged.smoothed_ns().or(context.to_receiver_ns).unwrap_or(0)
            + context.to_sender_ns.unwrap_or(0);
        SILENT.max(SILENT_ROUNDS * round)
    }

    /// Octets of payload of the longest packet that has arrived, as it was captured.
    pub const fn longest_arrived(&self) -> u64 {
        self.board.longest_arrived
    }

    /// What became of its packets by their size, the least first.
    pub fn sizes(&self) -> &[Size] {
        self.board.sizes.all()
    }

    /// A SYN or SYN-ACK was sent again; whether it had been answered before.
    pub(super) fn handshake_again(&mut self, now_ns: u64, number: u32, after_ns: u64, answered: bool) {
        let what = Retransmission {
            at_ns: now_ns,
            number,
            octets: 1,
            segments: 1,
            trigger: Trigger::Handshake,
            after_ns: Some(after_ns),
            after_ticks: None,
            hole_ns: None,
            needless: answered.then_some(Needless::Acknowledged),
            thrown_away: false,
        };
        self.retransmissions.note((0, 0), what, Mark::default(), None);
    }

    /// The first octets that are outstanding, if they were sent again.
    fn standing(&self) -> Option<Stuck> {
        let head = self.board.head().filter(|head| head.times > 1 && !head.sacked)?;
        let left = (head.end - head.start) as u32;
        // The receiver may have taken a part of it.
        let whole =
            self.head_again.filter(|&(at_ns, _)| at_ns == head.last_ns).map_or(left, |(_, octets)| octets);
        Some(Stuck {
            span_ns: (head.first_ns, head.last_ns),
            times: head.times,
            octets: left.max(whole),
            overtaken: self.board.highest_sacked > head.end,
            heard_ns: self.told_ns,
            news_ns: self.news_ns,
            answered_ns: None,
        })
    }

    /// Octets pass again: whether their packet is shorter than the one from there that was sent again and again without an answer.
    pub(super) fn may_shorten(&mut self, start: u64, end: u64) {
        let whole = self.board.head().map_or(0, |head| head.end);
        let longer = self.standing().filter(|one| one.times >= SHORTENED_FROM);
        if let Some(stuck) = longer
            && start == self.board.una
            && (start + 1..whole).contains(&end)
        {
            let to = (end - start) as u32;
            self.shortens = Some(Box::new((Shortened { stuck, to }, [start, end, whole])));
        }
    }

    /// Everything before an octet is acknowledged: whether that answers a shorter packet, and no longer one that had come after all.
    pub(super) fn may_have_shortened(&mut self, now_ns: u64, ack: u64) {
        let Some(open) = self.shortens.take_if(|one| ack > one.1[0]) else { return };
        let (one, [_, end, whole]) = *open;
        if (end..whole).contains(&ack) {
            let stuck = Stuck { answered_ns: Some(now_ns), ..one.stuck };
            self.shortened.get_or_insert_with(|| Box::new(Shortened { stuck, ..one }));
        }
    }

    /// The capture ends.
    pub(super) fn finish(&mut self, context: &Context, alive: bool) {
        let given_up =
            self.given_up.filter(|one| self.span_ns.is_some_and(|(_, last)| last <= one.span_ns.1));
        self.stuck = self.standing().or(given_up);
        self.board.finish();
        self.limits.finish();
        let at_sender = context.to_sender_ns.is_some_and(|there_ns| there_ns < RELEASED);
        if at_sender && context.to_receiver_ns.is_some_and(|round_ns| self.clocking.bursts.outrun(round_ns)) {
            self.limits.wait_for_program();
        }
        if let Some((from_ns, outstanding)) = self.closed_since.filter(|_| alive) {
            let to_ns = context.now_ns;
            self.stalls.note(Stall { pause: Pause::ZeroWindow, from_ns, to_ns, number: None, outstanding });
        }
        let outstanding = self.board.flight();
        if let Some(since) = self.progress_ns.filter(|_| alive && outstanding > 0) {
            self.stood_still(context, since, None, outstanding);
        }
    }
}

/// Whether a time was long for a sender, or a receiver, that has its acknowledgments come evenly; none if the round trip between the ends is not known.
fn is_quiet(context: &Context, time_ns: u64) -> Option<bool> {
    Some(time_ns >= (context.to_sender_ns? + context.to_receiver_ns?) / QUIET_DIVISOR)
}

/// How long after an acknowledgment passed the data passes that it released, in nanoseconds.
fn released(context: &Context) -> std::ops::RangeInclusive<u64> {
    let round = context.to_sender_ns.unwrap_or(0);
    round / 4 * 3..=AT_ONCE + round / 2 * 3
}
