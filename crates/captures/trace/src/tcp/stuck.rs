//! Data that stands still as a capture ends, sent again and again.

/// The first octets that were not acknowledged as the capture ended, and had been sent before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// When they were first and last sent, in nanoseconds since 1970.
    pub span_ns: (u64, u64),
    /// How often they were sent.
    pub times: u16,
    /// Octets of payload in the packet that has them.
    pub octets: u32,
    /// Whether some that were sent behind them have arrived, by SACK.
    pub overtaken: bool,
    /// When the receiver last said anything, in nanoseconds since 1970; 0 if it never has.
    pub heard_ns: u64,
    /// When it last said anything but its own data once more.
    pub news_ns: u64,
}

impl Stuck {
    /// How long they had been sent without an answer since the last packet of the receiver, in nanoseconds.
    pub const fn unheard_ns(&self) -> u64 {
        let (first, last) = self.span_ns;
        last.saturating_sub(if self.heard_ns > first { self.heard_ns } else { first })
    }
}
