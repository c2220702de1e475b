//! Holes at a receiver: what came waits for what was lost and is sent again.

use crate::flow::Flow;
use airloom_trace::tcp::{Retransmission, Vantage};
use schemars::JsonSchema;
use serde::Serialize;

/// Holes in what came to a receiver: its program gets nothing of what lies behind one.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct HolesSeen {
    /// How many there were; those that were there at the same time are one.
    pub times: usize,
    /// For how many seconds half of them lasted at most, from what came first behind one to what filled it.
    pub median_s: f64,
    /// For how many seconds the longest lasted.
    pub longest_s: f64,
    /// For how many seconds there was any.
    pub all_s: f64,
}

/// The holes of a flow that its receiver's capture shows, of what is listed as sent again: segments behind one wait until it is filled (RFC 9293 section 3.10.7.4). None without any, where the capture has
/// not all that came, and elsewhere: what passes a capture on the way may be lost behind it, too.
pub(crate) fn holes(flow: &Flow<'_>) -> Option<HolesSeen> {
    let is_at_receiver = flow.connection.vantage(flow.from) == Vantage::Receiver;
    seen(flow.data().retransmissions.list()).filter(|_| is_at_receiver && !flow.has_gaps())
}

fn seen(list: &[Retransmission]) -> Option<HolesSeen> {
    let lasted = |one: &Retransmission| Some([one.at_ns.saturating_sub(one.hole_ns?), one.at_ns]);
    let mut spans: Vec<[u64; 2]> = list.iter().filter_map(lasted).collect();
    spans.sort_unstable();
    let mut holes: Vec<[u64; 2]> = Vec::new();
    for [from, to] in spans {
        match holes.last_mut() {
            Some(last) if from <= last[1] => last[1] = last[1].max(to),
            _ => holes.push([from, to]),
        }
    }
    let mut lengths: Vec<u64> = holes.iter().map(|[from, to]| to - from).collect();
    lengths.sort_unstable();
    let seconds = |ns: u64| ns as f64 / 1e9;
    Some(HolesSeen {
        times: lengths.len(),
        median_s: seconds(*lengths.get(lengths.len().checked_sub(1)? / 2)?),
        longest_s: seconds(*lengths.last()?),
        all_s: seconds(lengths.iter().sum()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::packet;
    use airloom_trace::tcp::Connections;
    use airloom_wire::TcpFlags;

    const MS: u64 = 1_000_000;

    /// What a receiver's capture shows of segments of 1000 octets, each by its number and the ms in which it comes; a round trip from it to the sender takes 40 ms.
    fn of(came: &[(u32, u64)]) -> Option<HolesSeen> {
        let mut all = Connections::default();
        let mut see = |at_ms: u64, from, flags, seq, ack, length| {
            all.see(at_ms * MS, 1, &packet(from, 1, flags, seq, ack, length));
        };
        see(0, 0, TcpFlags::SYN, 999, 0, 0);
        see(0, 1, TcpFlags::SYN | TcpFlags::ACK, 4999, 1000, 0);
        see(40, 0, TcpFlags::ACK, 1000, 5000, 0);
        for &(number, at_ms) in came {
            see(50 + at_ms, 0, TcpFlags::ACK, 1000 + 1000 * number, 5000, 1000);
        }
        let connection = all.finish().remove(0);
        holes(&Flow { capture: 0, connection: &connection, from: 0 })
    }

    #[test]
    fn a_hole_lasts_until_what_was_lost_comes_again() {
        assert_eq!(of(&[(0, 0), (1, 1), (2, 2)]), None);
        let two = of(&[(0, 0), (2, 2), (3, 3), (1, 52), (4, 60), (6, 70), (8, 80), (5, 120), (7, 140)]);
        let seen = two.expect("segments 1, 5 and 7 were lost");
        assert_eq!((seen.times, seen.median_s, seen.longest_s, seen.all_s), (2, 0.05, 0.07, 0.12));
        assert_eq!(of(&[(0, 0), (2, 2), (1, 3)]), None, "one that another overtook");
    }
}
