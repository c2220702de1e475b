//! A peer that keeps to the rules, whatever came before.

use super::watched::Watched;
use airloom_sim::Duration;
use airloom_tcp::{Phase, Role, Segment};
use airloom_wire::{TcpFlags, TcpOptions, TcpRepr, Timestamps};

/// The time there and back.
const ROUND_TRIP: Duration = Duration::from_millis(20);
/// How many round trips and timers may pass before something more is acknowledged: two timeouts of the longest, since a peer
/// without SACK that has lost one segment may be sent others meanwhile.
const MAX_IDLE_TRIPS: u32 = 2 * 120_000 / 20;

/// The peer. It has what was acknowledged and nothing else: what it SACKed it may have thrown away (RFC 2018 section 8).
struct Peer {
    /// The next byte expected of the endpoint, and ranges above it.
    next: u64,
    above: Vec<(u64, u64)>,
    /// The highest number that it may have sent.
    highest: Option<u32>,
    /// The last timestamp received.
    stamp: u32,
}

/// The application closes; an honest peer takes everything, sends what it seemed to have sent and closes too.
pub(super) fn finish(mut w: Watched) {
    if w.end.phase() == Phase::Finished {
        return;
    }
    let mut peer = Peer { next: w.una(), above: Vec::new(), highest: None, stamp: 0 };
    if w.end.phase() == Phase::Established {
        peer.highest = Some(w.right_edge().wrapping_add(w.unit() - 1));
    }
    w.call(|end, now, fx| end.close(now, fx, &mut ()));
    let mut sent = std::mem::take(&mut w.sent);
    let (mut acked, mut idle) = (w.end.bytes_acked(), 0);
    while idle < MAX_IDLE_TRIPS {
        idle = if w.end.bytes_acked() > acked { 0 } else { idle + 1 };
        acked = w.end.bytes_acked();
        leave(&mut w, &mut sent);
        let mut answers: Vec<_> = sent.drain(..).flat_map(|segment| peer.answer(&w, &segment)).collect();
        answers.extend(peer.send(&w));
        let arrive = w.now + ROUND_TRIP;
        while let Some((at, timer)) = w.due().filter(|due| due.0 <= arrive) {
            w.now = w.now.max(at);
            w.fire(timer);
            leave(&mut w, &mut sent);
        }
        w.now = arrive;
        let quiet = answers.is_empty() && sent.is_empty();
        for answer in answers {
            w.receive(&answer);
            leave(&mut w, &mut sent);
        }
        if w.end.phase() == Phase::Finished {
            assert_eq!(w.end.bytes_acked(), w.end.bytes_written());
            return;
        }
        if quiet && let Some((at, timer)) = w.due() {
            w.now = w.now.max(at);
            w.fire(timer);
            sent.append(&mut w.sent);
        }
    }
    let (end, due) = (&w.end, w.due());
    panic!(
        "not over: {:?} {:?}, {} of {} acknowledged, {} out, {:?}, due {due:?} at {:?}, cwnd {}, {:?}",
        end.phase(),
        end.state(),
        end.bytes_acked(),
        end.bytes_written(),
        end.packets_out(),
        end.figures(),
        w.now,
        end.cwnd(),
        w.config,
    );
}

/// Everything that the layers below hold leaves, and what follows it.
fn leave(w: &mut Watched, sent: &mut Vec<Segment>) {
    sent.append(&mut w.sent);
    while !w.below.is_empty() {
        w.let_go(usize::MAX);
        sent.append(&mut w.sent);
    }
}

impl Peer {
    /// Answers one segment, from the number expected and from the highest that it may have sent: where the window ends, which
    /// a window scale rounds.
    fn answer(&mut self, w: &Watched, segment: &Segment) -> Vec<Segment> {
        let header = &segment.header;
        self.stamp = header.options.timestamps.map_or(self.stamp, |stamps| stamps.value);
        if header.flags.contains(TcpFlags::SYN) {
            return match w.role {
                Role::Active => vec![self.syn(w, TcpFlags::SYN | TcpFlags::ACK)],
                Role::Passive => vec![self.from(w, w.end.expected())],
            };
        }
        let probes = (header.seq.wrapping_sub(w.wire(self.next)) as i32) < 0;
        if segment.sequence_length() == 0 && !probes {
            return Vec::new();
        }
        let first = w.byte(header.seq);
        if segment.sequence_length() > 0 {
            self.take(first, first + u64::from(segment.sequence_length()));
        }
        let from = |seq: u32| {
            let mut ack = self.from(w, seq);
            for &(left, right) in self.above.iter().rev().take(3) {
                ack.header.options.sack.push(w.wire(left), w.wire(right));
            }
            ack
        };
        let edge = self.highest.map(|highest| highest.wrapping_sub(w.unit() - 1));
        [Some(w.end.expected()), edge, self.highest].into_iter().flatten().map(from).collect()
    }

    /// Takes the bytes from `left` to `right`.
    fn take(&mut self, left: u64, right: u64) {
        self.above.push((left, right));
        self.above.sort_unstable();
        self.above.dedup_by(|next, before| {
            let touches = next.0 <= before.1;
            if touches {
                before.1 = before.1.max(next.1);
            }
            touches
        });
        while let Some(&(left, right)) = self.above.first()
            && left <= self.next
        {
            self.next = self.next.max(right);
            self.above.remove(0);
        }
    }

    /// What it sends of its own: a SYN, what it had seemed to send, the end.
    fn send(&mut self, w: &Watched) -> Option<Segment> {
        match w.end.phase() {
            Phase::Idle => Some(self.syn(w, TcpFlags::SYN)),
            Phase::Established if !w.end.peer_closed() => {
                let expected = w.end.expected();
                let left = self.highest.map_or(0, |highest| highest.wrapping_sub(expected) as i32);
                let mut segment = self.from(w, expected);
                if left > 0 {
                    segment.payload = (left as u32).min(65_000);
                } else {
                    segment.header.flags = segment.header.flags | TcpFlags::FIN;
                }
                Some(segment)
            }
            _ => None,
        }
    }

    fn syn(&self, w: &Watched, flags: TcpFlags) -> Segment {
        let mut syn = self.from(w, 7777);
        syn.header.flags = flags;
        syn.header.options.mss = Some(1460);
        syn.header.options.sack_permitted = true;
        syn
    }

    /// An acknowledgment with the number `seq`.
    fn from(&self, w: &Watched, seq: u32) -> Segment {
        let value = (w.now.as_nanos() / 1_000_000) as u32;
        let options =
            TcpOptions { timestamps: Some(Timestamps { value, echo: self.stamp }), ..TcpOptions::default() };
        let (flags, ack) = (TcpFlags::ACK, w.wire(self.next));
        let header = TcpRepr { seq, ack, window: 65_535, flags, options, ..TcpRepr::default() };
        Segment { header, ..Segment::default() }
    }
}
