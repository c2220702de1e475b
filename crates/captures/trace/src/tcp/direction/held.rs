//! Parts of segments that go only as an acknowledgment comes that was held back: Nagle's algorithm (RFC 1122 section 4.2.3.4) beside a timer for
//! acknowledgments.

use super::{Context, RELEASED};
use crate::tcp::stall::Stall;

/// From no farther than this, there and back, it shows that a sender goes on as an acknowledgment comes, in nanoseconds.
pub(in crate::tcp) const NEAR: u64 = 500_000;

/// How often that was, and for how long they waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// How often.
    pub times: u64,
    /// For how long together, in nanoseconds.
    pub lasted_ns: u64,
}

impl Held {
    /// A part of a segment goes behind such a wait: it had waited for the acknowledgment if it goes at once, twice 0.2 ms at most, seen from near the
    /// sender. From afar, or later, its program may have written it by then.
    pub(super) fn goes(&mut self, context: &Context, waited: &Stall) {
        let near = context.to_sender_ns.is_some_and(|there_ns| there_ns <= NEAR);
        let since_ns = context.now_ns.saturating_sub(waited.to_ns);
        if near && since_ns <= 2 * RELEASED + context.recent_to_sender_ns {
            self.times += 1;
            self.lasted_ns += waited.to_ns.saturating_sub(waited.from_ns);
        }
    }
}
