//! How much memory is left of what a page in a browser is given.

use airloom_sim::Bytes;

/// All that `make playground` lets a page have: one that had more might be ended without a word.
const GIVEN: u64 = 1 << 30;

/// What the page has not taken yet.
pub(super) fn available() -> Option<Bytes> {
    const PAGE: u64 = 1 << 16;
    let taken = core::arch::wasm32::memory_size::<0>() as u64 * PAGE;
    Some(Bytes(GIVEN.saturating_sub(taken)))
}
