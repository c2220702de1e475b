//! Times in which an access point was gone, as far as the monitor tells.

use airloom_trace::RadioHeard;

/// When a radio was silent after it had dismissed all its stations, in nanoseconds since 1970, but for times in which the monitor was `quiet`.
pub(crate) fn outages(radio: &RadioHeard, quiet: &[(u64, u64)]) -> impl Iterator<Item = (u64, u64)> {
    let is_heard = |&(from, to): &(u64, u64)| !quiet.iter().any(|&(start, end)| from <= end && start <= to);
    radio.outages.spells().kept().iter().copied().filter(is_heard)
}
