//! What windows let the flows of a link carry, and what a cost is worth beside that.

use crate::finding::Cost;

/// Why what the air would carry is no cost of a flow whose windows were always smaller.
const NEVER_SO_MUCH: Cost = Cost::unknown(
    "losses kept its sender from ever having as much outstanding as the air would carry, and whether it would have does not show",
);

/// Mbit/s that the windows of a link's flows let it carry at most, if nothing waited on the way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Windows {
    /// As receivers' windows are, where these are full; none where one may grow.
    pub(crate) held: Option<f64>,
    /// As they have been at most.
    pub(crate) most: f64,
    /// Whether losses have cut one of them: others grow on.
    pub(crate) cut: bool,
}

impl Windows {
    /// What several let go together; none if one of them does not show.
    pub(crate) fn together(each: impl Iterator<Item = Option<Self>>) -> Option<Self> {
        each.reduce(|sum, one| {
            let (sum, one) = (sum?, one?);
            let held = sum.held.zip(one.held).map(|(sum, one)| sum + one);
            Some(Self { held, most: sum.most + one.most, cut: sum.cut || one.cut })
        })?
    }

    /// A cost of what these windows carry beside the Mbit/s that moved, as far as they let it be lost: what holds a flow back by itself is the
    /// most that can be won. Where losses cut a window before so much was outstanding, it may have been more without the cause, or not: then the
    /// cost does not show.
    pub(crate) fn bound(self, cost: Cost, moved: f64) -> Cost {
        match self.held {
            Some(held) if held < moved + cost.value => cost.at_most((held - moved).max(0.0), moved),
            None if cost.at_least && !cost.of_the_air && self.cut && self.most < moved + cost.value => {
                NEVER_SO_MUCH
            }
            _ => cost,
        }
    }
}
