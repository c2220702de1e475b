//! Which link carries which flow, and over which links more would go: worked out once for all rules.

use crate::capacity::delivered;
use crate::demand::greedy;
use crate::evidence::Evidence;
use crate::flow::{Flow, flows};
use crate::heard::heard;
use crate::link::{Key, Link, links};
use airloom_trace::Air;
use std::collections::{BTreeMap, BTreeSet};

/// A link carries a flow if at least this share of what it carries may be that, either way.
const MOST_OF: f64 = 0.7;

/// What rules ask about every link or flow, and what takes a look at all of them to answer.
#[derive(Debug)]
pub(crate) struct Carried {
    /// The links by the logarithm of the octets that arrived over each, in the order of that.
    sizes: Vec<(f64, Key)>,
    /// The links over which more would go.
    greedy: BTreeSet<Key>,
}

impl Carried {
    /// Looks at each link and each flow once.
    pub(crate) fn of(evidence: &Evidence, air: &Air) -> Self {
        let heard = heard(air);
        let size = |link: &Link<'_>| (libm::log(delivered(link, heard)), link.key());
        let mut sizes: Vec<_> = links(air, 1).iter().map(size).filter(|(size, _)| size.is_finite()).collect();
        sizes.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut first: BTreeMap<Key, Flow<'_>> = BTreeMap::new();
        for flow in flows(evidence, 1) {
            if let Some(link) = nearest(&sizes, &flow) {
                first.entry(link).or_insert(flow);
            }
        }
        let greedy = greedy(evidence, air, &first);
        Self { sizes, greedy }
    }

    /// Whether more is there to be sent over a link all the time.
    pub(crate) fn is_greedy(&self, link: &Link<'_>) -> bool {
        self.greedy.contains(&link.key())
    }

    /// The link that carries a flow: it carries about as much.
    pub(crate) fn link_of<'a>(&self, air: &'a Air, flow: &Flow<'_>) -> Option<Link<'a>> {
        Link::between(air, nearest(&self.sizes, flow)?)
    }
}

/// The link over which about as many octets arrived as a flow has; none if none has.
fn nearest(sizes: &[(f64, Key)], flow: &Flow<'_>) -> Option<Key> {
    let size = libm::log(flow.data().octets as f64);
    let above = sizes.partition_point(|one| one.0 < size);
    let below = sizes[..above].last().map(|last| sizes.partition_point(|one| one.0 < last.0));
    let off = |place: usize| libm::fabs(sizes[place].0 - size);
    let near = below.into_iter().chain((above < sizes.len()).then_some(above));
    let best = near.min_by(|&one, &other| off(one).total_cmp(&off(other)))?;
    (off(best) <= -libm::log(MOST_OF)).then(|| sizes[best].1)
}
