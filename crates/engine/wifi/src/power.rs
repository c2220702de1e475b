//! Power between radios: the one place that knows how well one hears another, or that it does not.
//!
//! A station and its access point have a path between them. Of all other pairs only that is known: whether they hear each
//! other, which is so unless they are hidden from each other.

use crate::id::{PathId, RadioId};
use airloom_observe::NodeId;
use airloom_propagation::Path;
use airloom_sim::IndexVec;
use std::collections::BTreeMap;

/// See the module.
#[derive(Default)]
pub(crate) struct Power {
    paths: IndexVec<PathId, Path>,
    /// The path between two radios, the earlier one first.
    between: BTreeMap<(RadioId, RadioId), PathId>,
    /// For each node the nodes that it does not hear and that do not hear it, in order.
    hidden: IndexVec<NodeId, Vec<NodeId>>,
}

impl Power {
    /// There is a path between two radios.
    pub(crate) fn add_path(&mut self, one: RadioId, other: RadioId, path: Path) -> PathId {
        let id = self.paths.push(path);
        self.between.insert((one.min(other), one.max(other)), id);
        id
    }

    /// These nodes, in order, do not hear `node`, and it does not hear them.
    pub(crate) fn hide(&mut self, node: NodeId, from: Vec<NodeId>) {
        *self.hidden.grown_to(node) = from;
    }

    /// The nodes that are hidden from a node, in order.
    pub(crate) fn hidden(&self, node: NodeId) -> &[NodeId] {
        self.hidden.get(node).map_or(&[], Vec::as_slice)
    }

    /// A path.
    #[inline]
    pub(crate) fn path(&mut self, id: PathId) -> &mut Path {
        &mut self.paths[id]
    }

    /// The mean signal-to-noise ratio at which one of two radios hears the other, in dB, the same both ways, if there is a path
    /// between them.
    pub(crate) fn snr_db(&self, one: RadioId, other: RadioId) -> Option<f64> {
        let id = *self.between.get(&(one.min(other), one.max(other)))?;
        Some(self.paths[id].snr_db)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_sim::{Index, Stream};

    #[test]
    fn power_is_the_same_both_ways_and_unknown_where_there_is_no_path() {
        let [ap, near, far] = [0, 1, 2].map(RadioId::new);
        let mut power = Power::default();
        for (station, snr_db) in [(near, 40.0), (far, 9.0)] {
            power.add_path(station, ap, Path::new((snr_db, 0.0), None, Stream::new(1, "", ""), None));
        }
        let known = |one, other| power.snr_db(one, other).map(f64::to_bits);
        assert_eq!([known(ap, far), known(far, ap)], [Some(9.0_f64.to_bits()); 2]);
        assert_eq!(known(near, ap), Some(40.0_f64.to_bits()));
        assert_eq!(known(near, far), None);
    }

    #[test]
    fn nothing_is_hidden_unless_it_is_said() {
        let mut power = Power::default();
        power.hide(NodeId(2), vec![NodeId(1)]);
        assert_eq!(power.hidden(NodeId(2)), [NodeId(1)]);
        assert!(power.hidden(NodeId(0)).is_empty() && power.hidden(NodeId(9)).is_empty());
    }
}
