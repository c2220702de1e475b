//! Acknowledgments that the receiver sent, and how evenly they came.

use super::{Context, is_quiet};

/// Acknowledgments of the data of a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acks {
    /// Packets without payload by which the receiver acknowledged.
    pub packets: u64,
    /// Those of them that acknowledge something new.
    pub bare: u64,
    /// Those of them that repeat the last.
    pub repeated: u64,
    /// From the first acknowledgment of data to the last, in nanoseconds.
    pub span_ns: u64,
    /// The part of it in times without one that lasted half of the shortest round trip between the ends or longer.
    pub quiet_ns: u64,
    /// When the last one came.
    last_ns: Option<u64>,
}

impl Acks {
    /// When the last acknowledgment of data came.
    pub(super) const fn last_ns(&self) -> Option<u64> {
        self.last_ns
    }

    /// An acknowledgment takes in data, in a packet without payload or with one.
    pub(super) fn advanced(&mut self, context: &Context, is_bare: bool) {
        self.bare += u64::from(is_bare);
        let since = self.last_ns.replace(context.now_ns).unwrap_or(context.now_ns);
        let gap = context.now_ns.saturating_sub(since);
        let Some(quiet) = is_quiet(context, gap) else { return };
        self.span_ns += gap;
        if quiet {
            self.quiet_ns += gap;
        }
    }
}
