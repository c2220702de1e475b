//! Which link carries which flow, and over which links more would go: worked out once for all rules (`carriers.rs`).

use crate::link::{Key, Link};
use crate::windows::Windows;
use airloom_trace::Air;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

/// A link carries a flow if at least this share of what it carries may be that, either way.
const MOST_OF: f64 = 0.7;
/// The same where another flow has the nearest link.
const ALIKE: f64 = 0.9;

/// A network, and the sender and the receiver of a flow in it.
pub(crate) type Ends = (usize, [SocketAddr; 2]);

/// What rules ask about every link or flow, and what takes a look at all of them to answer.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    /// The links by the logarithm of the octets that arrived over each, in the order of that.
    sizes: Vec<(f64, Key)>,
    /// The link that carries each flow; none if that of its station carries other data too.
    flows: BTreeMap<Ends, Option<Key>>,
    /// The links whose data waits, and those of them over which more would go.
    waiting: BTreeSet<Key>,
    /// See `waiting`.
    greedy: BTreeSet<Key>,
    /// What the windows of its flows let each link carry, where they show.
    windows: BTreeMap<Key, Windows>,
}

impl Carried {
    /// These links with the octets that arrived over each.
    pub(crate) fn over(links: impl Iterator<Item = (Key, f64)>) -> Self {
        let mut sizes: Vec<_> = links
            .map(|(key, octets)| (libm::log(octets), key))
            .filter(|(size, _)| size.is_finite())
            .collect();
        sizes.sort_by(|one, other| one.0.total_cmp(&other.0));
        Self { sizes, ..Self::default() }
    }

    /// The same, with the link that carries each flow.
    pub(crate) fn with_flows(self, flows: BTreeMap<Ends, Option<Key>>) -> Self {
        Self { flows, ..self }
    }

    /// The same, with the links whose data waits, and those of them over which more would go.
    pub(crate) fn with_demand(self, waiting: BTreeSet<Key>, greedy: BTreeSet<Key>) -> Self {
        Self { waiting, greedy, ..self }
    }

    /// The same, with what windows let links carry.
    pub(crate) fn with_windows(self, windows: BTreeMap<Key, Windows>) -> Self {
        Self { windows, ..self }
    }

    /// What the windows of its flows let a link carry; none where they do not show.
    pub(crate) fn windows(&self, link: &Link<'_>) -> Option<Windows> {
        self.windows.get(&link.key()).copied()
    }

    /// Whether data waits for a link all the time.
    pub(crate) fn is_waited_for(&self, link: &Link<'_>) -> bool {
        self.waiting.contains(&link.key())
    }

    /// Whether more is there to be sent over a link all the time.
    pub(crate) fn is_greedy(&self, link: &Link<'_>) -> bool {
        self.greedy.contains(&link.key())
    }

    /// The link that carries a flow between these ends with so many octets: it carries about as much.
    pub(crate) fn link_of<'a>(&self, air: &'a Air, ends: Ends, octets: u64) -> Option<Link<'a>> {
        let known = self.flows.get(&ends).copied();
        Link::between(air, known.unwrap_or_else(|| self.nearest(octets))?)
    }

    /// Whether a link carries about so many octets.
    pub(crate) fn is_of(&self, link: Key, octets: u64) -> bool {
        self.sizes.iter().any(|(size, key)| *key == link && is_near(*size, octets, MOST_OF))
    }

    /// Whether a link carries fewer octets than this.
    pub(crate) fn is_less(&self, link: Key, octets: u64) -> bool {
        self.sizes.iter().any(|(size, key)| *key == link && *size < libm::log(octets as f64))
    }

    /// The link over which about so many octets arrived and that carries none of these flows; none if none has.
    pub(crate) fn nearest_free(&self, octets: u64, taken: &BTreeSet<Key>) -> Option<Key> {
        let best = self.nearest(octets)?;
        let off = |size: f64| libm::fabs(size - libm::log(octets as f64));
        let free =
            self.sizes.iter().filter(|(size, key)| !taken.contains(key) && is_near(*size, octets, ALIKE));
        let other = || free.min_by(|one, other| off(one.0).total_cmp(&off(other.0))).map(|one| one.1);
        if taken.contains(&best) { other() } else { Some(best) }
    }

    /// The link over which about so many octets arrived; none if none has.
    pub(crate) fn nearest(&self, octets: u64) -> Option<Key> {
        let (sizes, size) = (&self.sizes, libm::log(octets as f64));
        let above = sizes.partition_point(|one| one.0 < size);
        let below = sizes[..above].last().map(|last| sizes.partition_point(|one| one.0 < last.0));
        let off = |place: usize| libm::fabs(sizes[place].0 - size);
        let near = below.into_iter().chain((above < sizes.len()).then_some(above));
        let best = near.min_by(|&one, &other| off(one).total_cmp(&off(other)))?;
        is_near(sizes[best].0, octets, MOST_OF).then(|| sizes[best].1)
    }
}

/// Whether the logarithm of some octets is that of so many others, or differs by no more than this part of them.
fn is_near(size: f64, octets: u64, part: f64) -> bool {
    libm::fabs(size - libm::log(octets as f64)) <= -libm::log(part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_trace::MacAddr;

    #[test]
    fn flows_as_large_as_each_other_go_over_as_many_links() {
        let link = |number: u8| (MacAddr([2, 0, 0, 0, 0, number]), MacAddr([2, 0, 0, 0, 0, 0]));
        let carried = Carried::over(
            [(1, 1000.0), (2, 1010.0), (3, 1200.0)].map(|(n, octets)| (link(n), octets)).into_iter(),
        );
        let mut taken = BTreeSet::new();
        let mut next = |octets: u64| {
            let found = carried.nearest_free(octets, &taken);
            taken.extend(found);
            found
        };
        assert_eq!([next(1001), next(1002), next(1003)], [Some(link(1)), Some(link(2)), None]);
        assert_eq!(next(1190), Some(link(3)));
        assert!(carried.is_of(link(3), 1000) && !carried.is_of(link(3), 700));
    }
}
