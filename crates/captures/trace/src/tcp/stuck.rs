//! Data that stands still as a capture ends, sent again and again.

/// The first octets that were not acknowledged as the capture ended, or as their sender gave up, and had been sent before.
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
    /// When they were acknowledged after all, behind the FIN of a sender that had given up; none if they never were.
    pub answered_ns: Option<u64>,
}

/// What a sender cut into shorter packets after it had sent it again and again without an answer, and these were acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// What was not answered before, and when the first of the shorter packets was.
    pub stuck: Stuck,
    /// Octets of payload in that one.
    pub to: u32,
}

impl Stuck {
    /// Until when nothing answered: as they were last sent, or the answer that came in the end.
    pub const fn until_ns(&self) -> u64 {
        match self.answered_ns {
            Some(answered_ns) => answered_ns,
            None => self.span_ns.1,
        }
    }

    /// How long they had been sent without an answer since the last packet of the receiver, in nanoseconds.
    pub const fn unheard_ns(&self) -> u64 {
        let (first, _) = self.span_ns;
        self.until_ns().saturating_sub(if self.heard_ns > first { self.heard_ns } else { first })
    }
}
