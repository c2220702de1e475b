//! Times in which an access point was gone.

use airloom_trace::{Air, RadioHeard};

/// When a radio of an air was silent after it had dismissed all its stations, in nanoseconds since 1970, the last perhaps up to the end. That the monitor hears
/// nothing of anybody meanwhile does not excuse it: the access point has said that it goes.
pub(crate) fn outages(air: &Air, radio: &RadioHeard) -> impl Iterator<Item = (u64, u64)> {
    let open = air.span_ns.and_then(|(_, end_ns)| radio.outages.open(end_ns));
    radio.outages.spells().kept().iter().copied().chain(open)
}
