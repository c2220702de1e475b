//! What windows let the flows of a link carry, and what a cost is worth beside that.

use crate::finding::Cost;

/// Mbit/s that the windows of a link's flows let it carry at most, if nothing waited on the way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Windows {
    /// As receivers' windows are, where these are full; none where one may grow.
    pub(crate) held: Option<f64>,
}

impl Windows {
    /// What several let go together; none if one of them does not show.
    pub(crate) fn together(each: impl Iterator<Item = Option<Self>>) -> Option<Self> {
        each.reduce(|sum, one| {
            let (sum, one) = (sum?, one?);
            let held = sum.held.zip(one.held).map(|(sum, one)| sum + one);
            Some(Self { held })
        })?
    }

    /// A cost of what these windows carry beside the Mbit/s that moved, as far as they let it be lost: what holds a flow back by itself is the
    /// most that can be won.
    pub(crate) fn bound(self, cost: Cost, moved: f64) -> Cost {
        match self.held {
            Some(held) if held < moved + cost.value => cost.at_most((held - moved).max(0.0), moved),
            _ => cost,
        }
    }
}
