//! Ways that stood still again and again, and not as a scan does: what a host shows of outages.

use crate::evidence::Evidence;
use airloom_trace::tcp::Interruption;

/// What is shorter may be a station's turn among many, or its sleep until the next beacon, in nanoseconds.
const SHORTEST: u64 = 150_000_000;
/// So many are no accident.
const FEWEST: usize = 3;
/// The share of the time that they take, in percent.
const LEAST_PCT: f64 = 5.0;

/// What a capture shows of the way from an end, if it stood still again and again, in words; a capture of the air beside it tells more.
pub(super) fn stood_still(
    evidence: &Evidence,
    capture: usize,
    span_ns: (u64, u64),
    spells: &[Interruption],
) -> Option<String> {
    let spells: Vec<_> = spells.iter().filter(|spell| spell.length_ns() >= SHORTEST).collect();
    let heard = |at: u64| {
        let at = evidence.seconds_in(capture, at);
        evidence.is_heard(at, at)
    };
    let away: u64 = spells.iter().map(|spell| spell.length_ns()).sum();
    let share = 100.0 * away as f64 / (span_ns.1 - span_ns.0).max(1) as f64;
    if spells.len() < FEWEST || share < LEAST_PCT || spells.iter().any(|spell| heard(spell.from_ns)) {
        return None;
    }
    let longest = spells.iter().map(|spell| spell.length_ns()).max()?;
    Some(format!(
        "{} times, {share:.0} % of the time, nothing came for {:.0} ms on average, {:.0} ms at most, and then what had been sent meanwhile: \
         something disturbs the way, a radio was away, or a link fades; a monitor's capture beside this one tells which",
        spells.len(),
        away as f64 / spells.len() as f64 / 1e6,
        longest as f64 / 1e6
    ))
}
