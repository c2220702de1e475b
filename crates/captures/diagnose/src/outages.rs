//! Times in which an access point was gone.

use airloom_trace::{Air, Outage, RadioHeard};

/// When a radio of an air was silent after it had dismissed all its stations, or while it answered none of them, the last perhaps up to the end. That the monitor hears
/// nothing of anybody meanwhile does not excuse it: the access point has said that it goes, or its stations have shown that it was gone.
pub(crate) fn outages(air: &Air, radio: &RadioHeard) -> impl Iterator<Item = Outage> {
    let open = air.span_ns.and_then(|(_, end_ns)| radio.outages.open(end_ns));
    radio.outages.spells().kept().iter().copied().chain(open)
}
