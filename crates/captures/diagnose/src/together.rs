//! Whether captures belong together.

use crate::evidence::Evidence;
use crate::strangers::{Strangers, pairs, sorted};
use airloom_trace::tcp::Connection;
use std::collections::BTreeMap;

impl Strangers {
    /// The first two captures that have connections between the same ends at the same time of which none is the same connection.
    ///
    /// One that is the same is enough for the two to belong together: headers may be damaged.
    pub fn among(evidence: &Evidence) -> Option<Self> {
        pairs(&evidence.captures).find_map(|pair| Self::are(evidence, pair)).or(evidence.parted)
    }

    fn are(evidence: &Evidence, captures: [usize; 2]) -> Option<Self> {
        let [first, second] = captures.map(|capture| &evidence.connections[capture]);
        let mut by_ends: BTreeMap<_, Vec<&Connection>> = BTreeMap::new();
        for connection in second {
            by_ends.entry(sorted(connection.ends)).or_default().push(connection);
        }
        let span = |capture: usize, connection: &Connection| {
            let (from, to) = connection.span_ns;
            [from, to].map(|at| evidence.seconds_in(capture, at))
        };
        let mut differs = None;
        for one in first {
            for other in by_ends.get(&sorted(one.ends)).into_iter().flatten() {
                if one.is_one_with(other) {
                    return None;
                }
                let (ours, theirs) = (span(captures[0], one), span(captures[1], other));
                if one.differs_from(other) && ours[0] <= theirs[1] && theirs[0] <= ours[1] {
                    differs = differs.or(Some(Self { captures, ends: one.ends, begin_alike: false }));
                }
            }
        }
        differs
    }
}
