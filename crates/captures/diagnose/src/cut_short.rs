//! Flows of which a monitor's capture has only a part, since its frames were cut before their later packets.

use crate::evidence::Evidence;
use crate::flow::Flow;
use airloom_trace::Place;

/// The most packets of full length in an A-MSDU behind its first (11,454 octets: 802.11-2020 table 9-25).
const LATER: u64 = 6;

/// Why much of a flow is not in its capture, and what helps, if cut A-MSDUs explain that; none of any other.
pub(crate) fn cut_short(evidence: &Evidence, flow: &Flow<'_>) -> Option<String> {
    let capture = &evidence.captures[flow.capture];
    let missing = flow.data().uncaptured.octets / u64::from(flow.data().segment().max(1));
    let is_cut =
        flow.has_gaps() && capture.place == Some(Place::Air) && LATER * capture.cut_amsdus >= missing;
    is_cut.then(|| {
        format!(
            "{}: {:.0} % of what was acknowledged is not in the capture, since its frames were cut before the later packets of their A-MSDUs: capture whole frames (`tcpdump -s 0`)",
            flow.named(),
            100.0 * flow.missing_share()
        )
    })
}
