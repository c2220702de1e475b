//! Spells in which a long flow goes much slower than it mostly does.

use crate::flow::Flow;
use crate::waits::waits;

/// Of shorter flows no second is usual, in seconds.
const LONG: usize = 15;
/// The first seconds belong to slow start.
const STARTS: usize = 2;
/// The share of its usual rate from which on a flow is no longer much slower.
const SLOWER: f64 = 0.85;
/// The share of its seconds that may be slow, if the others are what is usual.
const MAX_SLOW_SHARE: f64 = 0.25;
/// The share of its time in which the sender waits, if the way and not a program makes it slow.
const WAITED: f64 = 0.9;
/// In nanoseconds.
const SECOND: u64 = 1_000_000_000;

/// Such spells of a flow.
pub(crate) struct SlowSpells {
    /// The median of all seconds, in Mbit/s.
    pub(crate) usual_mbps: f64,
    /// The mean of these spells.
    pub(crate) mbps: f64,
    /// When they were, in nanoseconds since 1970.
    pub(crate) spans_ns: Vec<[u64; 2]>,
}

/// The spells in which a flow, whose sender waits for acknowledgments all the time, went much slower than it mostly did; none if it is short, or if so many seconds are slow that
/// none is usual.
pub(crate) fn slow_spells(flow: &Flow<'_>) -> Option<SlowSpells> {
    let data = flow.data();
    let (first_ns, last_ns) = data.span_ns.filter(|_| flow.is_near_sender() && waits(flow) >= WAITED)?;
    let count = (last_ns.saturating_sub(first_ns) / SECOND) as usize;
    if count < LONG || data.delivered.width_ns() > SECOND / 2 {
        return None;
    }
    // Where nothing came for longer than that, too much is slow: so a capture of a few frames that are centuries apart is not looked at second by second.
    let told = data.delivered.bins().len() as u64 * data.delivered.width_ns() / SECOND + 2;
    if count as f64 - told as f64 > MAX_SLOW_SHARE * (count - STARTS) as f64 {
        return None;
    }
    let begins = |place: usize| first_ns + place as u64 * SECOND;
    let rate = |place: usize| data.delivered.sum(begins(place), begins(place + 1)) * 8e-6;
    let rates: Vec<(usize, f64)> = (STARTS..count).map(|place| (place, rate(place))).collect();
    let mut order: Vec<f64> = rates.iter().map(|(_, mbps)| *mbps).collect();
    order.sort_by(f64::total_cmp);
    let usual_mbps = order[order.len() / 2];
    let slow: Vec<_> = rates.iter().filter(|(_, mbps)| *mbps < SLOWER * usual_mbps).collect();
    if slow.is_empty() || slow.len() as f64 > MAX_SLOW_SHARE * rates.len() as f64 {
        return None;
    }
    let mut spans_ns: Vec<[u64; 2]> = Vec::new();
    for (place, _) in &slow {
        match spans_ns.last_mut() {
            Some(last) if last[1] == begins(*place) => last[1] = begins(place + 1),
            _ => spans_ns.push([begins(*place), begins(place + 1)]),
        }
    }
    let mbps = slow.iter().map(|(_, mbps)| mbps).sum::<f64>() / slow.len() as f64;
    Some(SlowSpells { usual_mbps, mbps, spans_ns })
}
