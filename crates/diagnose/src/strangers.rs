//! Captures that show different connections between the same ends at the same time: they are not of one network, or not of one run.

use crate::evidence::Evidence;
use airloom_trace::tcp::Connection;
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// Two captures that do not belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strangers {
    /// Their places among the captures.
    pub captures: [usize; 2],
    /// The ends of a connection that either has, with other sequence numbers.
    pub ends: [SocketAddr; 2],
}

impl Strangers {
    /// The first two captures that have connections between the same ends at the same time of which none is the same connection.
    ///
    /// One that is the same is enough for the two to belong together: headers may be damaged.
    pub fn among(evidence: &Evidence) -> Option<Self> {
        let captures = 0..evidence.connections.len();
        let pairs = captures
            .clone()
            .flat_map(|first| captures.clone().skip(first + 1).map(move |second| [first, second]));
        // What interfaces of one file have was captured together: a program of the host may answer for one end.
        let file = |capture: usize| &evidence.captures[capture].path;
        pairs.filter(|&[one, other]| file(one) != file(other)).find_map(|pair| Self::are(evidence, pair))
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
                if ours[0] <= theirs[1] && theirs[0] <= ours[1] {
                    differs = differs.or(Some(Self { captures, ends: one.ends }));
                }
            }
        }
        differs
    }
}

fn sorted([one, other]: [SocketAddr; 2]) -> [SocketAddr; 2] {
    if one <= other { [one, other] } else { [other, one] }
}
