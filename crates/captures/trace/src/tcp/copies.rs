//! Packets that were captured more than once: on several interfaces of a host, on both sides of a router, in files that were put together.

use crate::identifications::Identifications;
use crate::packet::mix;
use crate::{Identity, Packet, Segment};
use std::collections::VecDeque;

/// A copy without a number of its own that came the same way comes no later after the first, in nanoseconds.
const WITHIN: u64 = 1_000_000;
/// And one that came another way no later than this: half of the shortest time after which a timer sends again.
const WITHIN_ANOTHER_WAY: u64 = 100_000_000;
/// And one with a number of its own sooner than this where packets are captured several times or the other end was silent meanwhile, so that nothing but
/// a timer can have sent it again: the shortest time after which one does (Linux: `TCP_RTO_MIN`).
const SHORTEST_TIMER: u64 = 200_000_000;

/// What is kept of a packet that passed.
#[derive(Clone, Copy, Debug)]
struct Passed {
    /// All that it says, and its number.
    says: u64,
    at_ns: u64,
    hops: u8,
    via: u32,
}

/// How a packet goes with those that its connection had before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    /// It says nothing that its end had not said before, as every copy does.
    pub(super) repeats: bool,
    /// It is stamped long before others that lie in front of it in the file.
    pub(super) misplaced: bool,
    /// When the last packet of the other end was: a packet that follows that may answer it.
    pub(super) other_ns: Option<u64>,
}

/// The last packets of one end.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    last: VecDeque<Passed>,
    identifications: Identifications,
    packets: u64,
    copies: u64,
    /// Those of them that had gone through another number of routers than the packet that they are of.
    elsewhere: u64,
}

impl Copies {
    const fn is_doubled(&self) -> bool {
        self.copies > 0 && self.copies * 3 >= self.packets
    }

    /// Whether packets were captured at two places with a router between them: many are there twice, and most of these with another TTL.
    pub(super) const fn show_a_router(&self) -> bool {
        self.is_doubled() && self.elsewhere * 2 > self.copies
    }

    /// How many had gone through another number of routers than the packet that they are of.
    pub(super) const fn elsewhere(&self) -> u64 {
        self.elsewhere
    }

    /// Whether a packet was captured before; `room` is how many packets may be remembered. What is misplaced and repeats is taken
    /// for a copy, since to send again takes time.
    ///
    /// An end may well acknowledge twice in the same words; without a number of their own such packets are copies only where other
    /// packets are captured twice.
    pub(super) fn is_copy(
        &mut self,
        packet: &Packet,
        segment: &Segment,
        now_ns: u64,
        heard: Heard,
        room: usize,
    ) -> bool {
        let speaks = segment.sequence_length() > 0;
        self.packets += u64::from(speaks);
        let Identity { number, hops, via, .. } = packet.identity;
        let is_numbered = self.identifications.tell(number);
        let now = Passed { says: says(&packet.identity, segment), at_ns: now_ns, hops, via };
        let is_doubled = self.is_doubled();
        let unlikely = !speaks && self.copies * 3 <= self.packets;
        let is_known = |known: &Passed| {
            let answers = Some(known.at_ns) <= heard.other_ns;
            if is_numbered {
                return now.is_numbered_copy(known, is_doubled || !answers);
            }
            now.came_another_way(known) || !unlikely && now.is_same(known, answers)
        };
        if heard.repeats {
            let known = self.last.iter_mut().rev().find(|known| known.says == now.says && is_known(known));
            if heard.misplaced || known.is_some() {
                self.elsewhere += u64::from(known.as_ref().is_some_and(|known| known.hops != hops));
                if let Some(known) = known.filter(|_| is_numbered) {
                    // Another copy may follow this one.
                    known.at_ns = known.at_ns.max(now_ns);
                }
                self.packets += u64::from(!speaks);
                self.copies += 1;
                return true;
            }
        }
        while self.last.len() >= room.max(1) {
            self.last.pop_front();
        }
        self.last.push_back(now);
        self.identifications.take(number);
        false
    }
}

impl Passed {
    /// A sender that gives the same number to a packet that it sends again (RFC 1122 section 3.2.1.5 allows it) sends it the same way, and later.
    const fn is_numbered_copy(&self, known: &Self, is_likely: bool) -> bool {
        let within_ns = if is_likely { SHORTEST_TIMER - 1 } else { WITHIN };
        self.hops != known.hops || self.via != known.via || self.at_ns.abs_diff(known.at_ns) <= within_ns
    }

    /// It went farther than the one before it, or over another link.
    const fn came_another_way(&self, known: &Self) -> bool {
        (self.hops < known.hops || self.hops == known.hops && self.via != known.via)
            && self.at_ns.abs_diff(known.at_ns) <= WITHIN_ANOTHER_WAY
    }

    const fn is_same(&self, known: &Self, answers: bool) -> bool {
        let apart = self.at_ns.abs_diff(known.at_ns);
        apart == 0 || apart <= WITHIN && !answers
    }
}

/// All that a segment says, and the number of its packet, as a hash. The checksum is not among it: at a sender an adapter has yet to
/// fill it in.
fn says(identity: &Identity, segment: &Segment) -> u64 {
    let header = &segment.header;
    let two = |one: u32, other: u32| u64::from(one) << 32 | u64::from(other);
    let number = identity.number.map_or(identity.label, |number| 1 << 20 | u32::from(number));
    let mut sum = mix(two(header.seq, header.ack));
    sum = mix(sum ^ two(segment.payload, number));
    sum = mix(sum ^ two(u32::from(header.flags.0) << 16 | u32::from(header.urgent), header.window.into()));
    if let Some(stamps) = header.options.timestamps {
        sum = mix(sum ^ two(stamps.value, stamps.echo));
    }
    header.options.sack.as_slice().iter().fold(sum, |sum, block| mix(sum ^ two(block.left, block.right)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_is_one_packet_until_a_timer_may_have_sent_it_again() {
        let passed = |ms: u64, hops: u8| Passed { says: 1, at_ns: ms * 1_000_000, hops, via: 0 };
        let is_copy = |ms: u64, is_likely: bool| passed(ms, 64).is_numbered_copy(&passed(0, 64), is_likely);
        assert_eq!([157, 199, 200].map(|ms| is_copy(ms, true)), [true, true, false]);
        assert!(is_copy(1, false) && !is_copy(157, false), "the other end may have asked for it");
        assert!(passed(3_000, 63).is_numbered_copy(&passed(0, 64), false), "another way");
    }
}
