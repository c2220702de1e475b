//! Which link carries which flow, and over which links more would go: worked out once for all rules (`carriers.rs`).

use crate::link::{Key, Link};
use airloom_trace::Air;
use std::collections::BTreeSet;

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
    /// These links with the octets that arrived over each.
    pub(crate) fn over(links: impl Iterator<Item = (Key, f64)>) -> Self {
        let mut sizes: Vec<_> = links
            .map(|(key, octets)| (libm::log(octets), key))
            .filter(|(size, _)| size.is_finite())
            .collect();
        sizes.sort_by(|one, other| one.0.total_cmp(&other.0));
        Self { sizes, greedy: BTreeSet::new() }
    }

    /// The same, with the links over which more would go.
    pub(crate) fn with_greedy(self, greedy: BTreeSet<Key>) -> Self {
        Self { greedy, ..self }
    }

    /// Whether more is there to be sent over a link all the time.
    pub(crate) fn is_greedy(&self, link: &Link<'_>) -> bool {
        self.greedy.contains(&link.key())
    }

    /// The link that carries a flow of so many octets: it carries about as much.
    pub(crate) fn link_of<'a>(&self, air: &'a Air, octets: u64) -> Option<Link<'a>> {
        Link::between(air, self.nearest(octets)?)
    }

    /// The link over which about so many octets arrived; none if none has.
    pub(crate) fn nearest(&self, octets: u64) -> Option<Key> {
        let (sizes, size) = (&self.sizes, libm::log(octets as f64));
        let above = sizes.partition_point(|one| one.0 < size);
        let below = sizes[..above].last().map(|last| sizes.partition_point(|one| one.0 < last.0));
        let off = |place: usize| libm::fabs(sizes[place].0 - size);
        let near = below.into_iter().chain((above < sizes.len()).then_some(above));
        let best = near.min_by(|&one, &other| off(one).total_cmp(&off(other)))?;
        (off(best) <= -libm::log(MOST_OF)).then(|| sizes[best].1)
    }
}
