//! How much of the air a monitor heard, by the answers to what it did not hear.

use airloom_trace::Air;

/// Fewer acknowledged MPDUs than this say nothing.
const FEW: u64 = 100;

/// MPDUs that arrived by the account of their answers, and those of them that the monitor has not heard; none if there is too
/// little to tell.
pub(crate) fn missed(air: &Air) -> Option<(u64, u64)> {
    let parts = air.traffic().values().map(|traffic| traffic.arrived_and_unheard());
    let by_block_acks = parts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    [by_block_acks, (air.acks, air.orphans)].into_iter().find(|(arrived, _)| *arrived >= FEW)
}

/// The share of frames that the monitor heard, as far as that shows: 1 if nothing shows that it missed any.
pub(crate) fn heard(air: &Air) -> f64 {
    missed(air).map_or(1.0, |(arrived, unheard)| 1.0 - unheard as f64 / arrived as f64).max(0.05)
}
